// World: opens, generates and paints maps.
import { html } from 'lit-html';
import type { App, MapPointer, Tab } from '../app';
import { fileSection, makeStart } from './world-start';
import { makePainter } from './world-paint';

export function makeWorldTab(app: App): Tab {
    const start = makeStart(app);
    const painter = makePainter(app);
    return {
        id: 'world',
        title: 'World',
        query: 'routes',
        panel: () => html`${painter.panel()} ${start.panel()} ${fileSection(app)}`,
        hidden: () => painter.stop(),
        draw: (overlay) => painter.draw(overlay),
        pointer: (event: MapPointer) => painter.pointer(event),
        key: (event) => painter.key(event),
        cursor: () => painter.cursor(),
        worldChanged: (change) => painter.worldChanged(change),
    };
}
