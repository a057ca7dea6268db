// Painting: the tools, their terrain and width, and pointer handling.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App, MapPointer, WorldChange } from '../app';
import type { Cell } from '../types';
import { choices, section, slider, type Choice } from '../ui/parts';
import type { Overlay } from '../view/overlay';
import { canBurn } from '../world/fire';
import * as shapes from '../world/shapes';
import { missingTerrains } from '../world/terrains';
import { makeFireTool } from './world-fire';

type Tool = 'brush' | 'line' | 'rect' | 'wall' | 'road' | 'bridge' | 'fire' | 'move';

const TOOLS: Choice<Tool>[] = [
    { value: 'brush', label: 'Brush', icon: 'brush', title: 'Brush (B)' },
    { value: 'line', label: 'Line', icon: 'line', title: 'Line (L)' },
    { value: 'rect', label: 'Rectangle', icon: 'rect', title: 'Rectangle (R)' },
    { value: 'wall', label: 'Wall', icon: 'wall', title: 'Wall (W)' },
    { value: 'road', label: 'Road', icon: 'road', title: 'Road (O)' },
    { value: 'bridge', label: 'Bridge', icon: 'bridge', title: 'Bridge (G)' },
    { value: 'fire', label: 'Fire', icon: 'fire', title: 'Fire that spreads (F)' },
    { value: 'move', label: 'Move', icon: 'hand', title: 'Move the map (M)' },
];
const KEYS: Record<string, Tool> = { b: 'brush', l: 'line', r: 'rect', w: 'wall', o: 'road', g: 'bridge', f: 'fire', m: 'move' };
const OWN_TERRAIN: Partial<Record<Tool, string[]>> = { wall: ['wall', 'black'], road: ['road'], bridge: ['bridge'], fire: ['fire'] };
const STRAIGHT: Tool[] = ['line', 'wall', 'bridge'];
const SIZES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
const FIRST_TERRAINS = ['swamp', 'wall', 'trees', 'black'];

export interface Painter {
    panel(): TemplateResult;
    draw(overlay: Overlay): void;
    pointer(event: MapPointer): boolean;
    key(event: KeyboardEvent): boolean;
    cursor(): string;
    worldChanged(change: WorldChange): void;
    stop(): void;
}

export function makePainter(app: App): Painter {
    let tool: Tool = 'brush';
    let name = 'swamp';
    const width: Record<string, number> = { brush: 12, line: 3, wall: 2, road: 3, bridge: 3 };
    let from: Cell | null = null; // start of the current stroke, or its last cell
    let at: Cell | null = null;
    const fire = makeFireTool(app);

    const find = (names: string[]): number => app.world.terrains.findIndex((terrain) => terrain.name === names.find(has));
    const has = (wanted: string): boolean => app.world.terrains.some((terrain) => terrain.name === wanted);
    const terrain = (): number => find(OWN_TERRAIN[tool] ?? [name]);
    const size = (): number => width[tool] ?? 1;
    const usable = (one: Tool): boolean => one === 'move' || (OWN_TERRAIN[one] ?? [name]).some(has);

    function choose(next: Tool): void {
        tool = next;
        fire.stop();
        app.refresh();
        app.view.redraw();
    }

    function paintTo(cell: Cell): void {
        const number = terrain();
        if (from && number >= 0) shapes.stroke(from, cell, size(), (y, x0, x1) => app.edits.span(y, x0, x1, number));
        from = cell;
    }

    function finish(cell: Cell): void {
        const number = terrain();
        if (!from || number < 0) return;
        if (tool === 'rect') app.edits.fill(shapes.rectOf(from, cell), number);
        if (STRAIGHT.includes(tool)) shapes.stroke(from, cell, size(), (y, x0, x1) => app.edits.span(y, x0, x1, number));
    }

    function down(event: MapPointer): boolean {
        if (tool === 'move' || app.world.width === 0 || !usable(tool)) return false;
        if (tool === 'fire') fire.light(event.cell);
        else app.edits.begin();
        from = event.cell;
        if (tool === 'brush' || tool === 'road') paintTo(event.cell);
        return true;
    }

    function pointer(event: MapPointer): boolean {
        at = event.type === 'leave' ? null : event.cell;
        app.view.redraw();
        if (event.type === 'down') return down(event);
        if (!from) return false;
        if (event.type === 'move' && (tool === 'brush' || tool === 'road')) paintTo(event.cell);
        if (event.type === 'move' && tool === 'fire') fire.light(event.cell);
        if (event.type === 'up') finish(event.cell);
        if (event.type === 'up' || event.type === 'cancel') {
            if (event.type === 'cancel' && tool !== 'fire')
                app.edits.abandon(); // a second finger: pinch instead of painting
            else if (tool !== 'fire') app.edits.end();
            from = null;
            if (event.touch) at = null;
            app.refresh();
        }
        return true;
    }

    function key(event: KeyboardEvent): boolean {
        const next = KEYS[event.key.toLowerCase()];
        if (event.ctrlKey || event.metaKey || event.altKey) return false;
        if (next && usable(next)) choose(next);
        const step = event.key === '[' ? -1 : event.key === ']' ? 1 : 0;
        if (step !== 0 && tool in width) setSize(SIZES.indexOf(size()) + step);
        return Boolean(next) || step !== 0;
    }

    function setSize(index: number): void {
        width[tool] = SIZES[Math.min(SIZES.length - 1, Math.max(0, index))];
        app.refresh();
        app.view.redraw();
    }

    // Previews what the next press paints.
    function draw(overlay: Overlay): void {
        if (!at || tool === 'move' || app.routes.dragging || app.routes.overFlag) return;
        const ink = 'rgba(255, 255, 255, 0.9)';
        if (from && tool === 'rect') return overlay.rect(shapes.rectOf(from, at), ink, 'rgba(255, 255, 255, 0.18)');
        if (from && STRAIGHT.includes(tool)) {
            const line = [from.x + 0.5, from.y + 0.5, at.x + 0.5, at.y + 0.5];
            overlay.polyline(line, { colour: ink, width: Math.max(2, size() * overlay.scale), faint: true });
        }
        const { g } = overlay;
        const middle = size() % 2 === 0 ? 1 : 0.5;
        g.beginPath();
        g.arc(overlay.x(at.x + middle), overlay.y(at.y + middle), Math.max(3, (size() / 2) * overlay.scale), 0, 2 * Math.PI);
        g.strokeStyle = 'rgba(10, 12, 16, 0.7)';
        g.lineWidth = 3;
        g.stroke();
        g.strokeStyle = ink;
        g.lineWidth = 1.5;
        g.stroke();
    }

    function paletteButton(index: number): TemplateResult {
        const one = app.world.terrains[index];
        const pick = (): void => {
            name = one.name;
            if (OWN_TERRAIN[tool] || tool === 'move') tool = 'brush';
            app.refresh();
        };
        return html`<button
            type="button"
            aria-pressed=${one.name === name ? 'true' : 'false'}
            data-test="terrain-${one.name}"
            @click=${pick}
        >
            <span class="swatch" style="background:rgb(${one.color.join(',')})"></span>${one.name.replace(/_/g, ' ')}
        </button>`;
    }

    function palette(): TemplateResult {
        const buttons = app.world.terrains.map((_, i) => paletteButton(i));
        return html`<div class="palette" role="group" aria-label="Terrain">${buttons}</div>`;
    }

    // Rooms and mazes have few terrains: offers to add more.
    function moreTerrains(): TemplateResult | typeof nothing {
        const missing = missingTerrains(app.world);
        if (missing.length === 0 || app.world.width === 0) return nothing;
        const add = (): void => void app.open({ kind: 'again', terrains: missing });
        return html`<button type="button" class="link" data-test="more-terrains" @click=${add}>
            Add
            ${missing
                .slice(0, 3)
                .map((one) => one.name)
                .join(', ')}
            and more to this map's terrains
        </button>`;
    }

    function sizeSlider(): TemplateResult | typeof nothing {
        if (!(tool in width)) return nothing;
        const text = size() === 1 ? '1 cell' : `${size()} cells`;
        return slider({
            id: 'brush-size',
            label: 'Width',
            value: SIZES.indexOf(size()),
            min: 0,
            max: SIZES.length - 1,
            text,
            change: setSize,
        });
    }

    const showsPalette = (): boolean => !OWN_TERRAIN[tool] && tool !== 'move';

    return {
        panel: () =>
            section(
                'Paint',
                html`${choices(
                    'tool',
                    'Tool',
                    TOOLS.map((one) => ({ ...one, disabled: !usable(one.value) || (one.value === 'fire' && !canBurn(app.world)) })),
                    tool,
                    choose,
                    'tiles',
                )}
                ${tool === 'fire' ? fire.panel() : nothing} ${sizeSlider()} ${showsPalette() ? palette() : nothing} ${moreTerrains()}`,
            ),
        draw,
        pointer,
        key,
        cursor: () => (tool === 'move' ? 'grab' : 'crosshair'),
        worldChanged(change) {
            if (change.kind === 'opened') fire.worldOpened();
            if (!has(name)) name = FIRST_TERRAINS.find(has) ?? app.world.terrains[0]?.name ?? '';
            if (!usable(tool)) tool = 'brush';
        },
        stop: () => fire.stop(),
    };
}
