// A small brush for other tabs: one terrain, one size, painted through the stroke history.
import { html, type TemplateResult } from 'lit-html';
import type { App, MapPointer } from '../app';
import type { Cell } from '../types';
import { section, select, slider } from '../ui/parts';
import type { Overlay } from '../view/overlay';
import { stroke } from '../world/shapes';

export interface Brush {
    panel(title: string, hint: string): TemplateResult;
    pointer(event: MapPointer): boolean; // true: it paints
    draw(overlay: Overlay): void; // its outline
    terrain(): number; // -1: off
    choose(terrain: string): void; // '': off
}

export function makeBrush(app: App, name: string): Brush {
    let chosen = '';
    let size = 5;
    let last: Cell | null = null; // previous cell of the current stroke
    let over: Cell | null = null;

    const terrain = (): number => app.world.terrains.findIndex((one) => one.name === chosen);

    function choose(next: string): void {
        chosen = next;
        app.refresh();
        app.view.redraw();
    }

    function setSize(next: number): void {
        size = next;
        app.refresh();
    }

    function paint(to: Cell): void {
        const which = terrain();
        stroke(last ?? to, to, size, (y, x0, x1) => app.edits.span(y, x0, x1, which));
        last = to;
    }

    function end(): boolean {
        if (last) app.edits.end();
        last = null;
        return true;
    }

    function pointer(event: MapPointer): boolean {
        over = event.type === 'leave' ? null : event.cell;
        if (terrain() < 0) return false;
        app.view.redraw();
        if (event.type === 'down' && event.button === 0) {
            app.edits.begin();
            paint(event.cell);
            return true;
        }
        if (last && event.type === 'move') paint(event.cell);
        if (last && (event.type === 'up' || event.type === 'cancel')) return end();
        return last !== null;
    }

    function panel(title: string, hint: string): TemplateResult {
        const options = [
            { value: '', label: 'Off: drag to move the map' },
            ...app.world.terrains.map((one) => ({ value: one.name, label: one.name.replace(/_/g, ' ') })),
        ];
        const body = html`${select(`${name}-brush`, 'Paint', options, chosen, choose)}
            ${slider({ id: `${name}-brush-size`, label: 'Size', value: size, min: 1, max: 40, text: `${size} cells`, change: setSize })}
            <p class="muted">${hint}</p>`;
        return section(title, body);
    }

    function draw(overlay: Overlay): void {
        if (!over || terrain() < 0) return;
        const { g } = overlay;
        const shift = size % 2 === 0 ? 1 : 0.5; // as in disc()
        g.strokeStyle = 'rgba(255, 255, 255, 0.9)';
        g.lineWidth = 1.5;
        g.beginPath();
        g.arc(overlay.x(over.x + shift), overlay.y(over.y + shift), (size / 2) * overlay.scale, 0, 2 * Math.PI);
        g.stroke();
    }

    return { panel, pointer, draw, terrain, choose };
}
