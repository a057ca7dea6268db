// Paths: creatures, terrain costs, routes between the two flags, and explanations.
import { html, type TemplateResult } from 'lit-html';
import type { App, Tab } from '../app';
import { numberField, section, select, type Option } from '../ui/parts';
import { makeAsk } from './paths-ask';
import { makeCreatureList } from './paths-creatures';
import { makeMatrix } from './paths-matrix';

export function makePathsTab(app: App): Tab {
    const list = makeCreatureList(app);
    const matrix = makeMatrix(app);
    const ask = makeAsk(app, list.chosen);
    let known: string[] = []; // method names that need no preparation

    async function loadMethods(): Promise<void> {
        if (known.length > 0) return;
        known = (await app.engine.methods()).paths.filter((method) => !method.prepares).map((method) => method.example);
        app.refresh();
    }

    function methods(): Option[] {
        return [
            { value: '', label: 'default: overlay:2 when prepared, else regions:16' },
            ...known.map((name) => ({ value: name, label: name })),
        ];
    }

    // The flags' coordinates, for keyboards and exact positions.
    function flags(): TemplateResult {
        const field = (which: 'from' | 'to', axis: 'x' | 'y'): TemplateResult =>
            numberField({
                id: `flag-${which}-${axis}`,
                label: `${which === 'from' ? 'A' : 'B'} ${axis}`,
                value: app.flags[which][axis],
                min: 0,
                max: Math.max(0, (axis === 'x' ? app.world.width : app.world.height) - 1),
                change: (value) => app.setFlag(which, { ...app.flags[which], [axis]: value }),
            });
        return html`<div class="row four">${field('from', 'x')} ${field('from', 'y')} ${field('to', 'x')} ${field('to', 'y')}</div>`;
    }

    function setMethod(method: string): void {
        app.routes.method = method;
        app.routes.find();
    }

    return {
        id: 'paths',
        title: 'Paths',
        query: 'routes',
        panel: () =>
            html`${section('Creatures', html`${list.panel()} ${select('route-method', 'Method', methods(), app.routes.method, setMethod)}`)}
            ${section('Flags', flags())} ${section('Explain a path', ask.panel())}
            ${section('Terrain costs', matrix.panel(), matrix.aside())}`,
        shown() {
            loadMethods().catch((error: Error) => app.say(error.message, 'error'));
            ask.update();
        },
        hidden: () => ask.stop(),
        draw: (overlay) => ask.draw(overlay),
        pointer: (event) => ask.pointer(event),
        key: (event) => ask.key(event),
        cursor: () => ask.cursor(),
        worldChanged: (change) => change.kind === 'opened' && ask.worldOpened(),
    };
}
