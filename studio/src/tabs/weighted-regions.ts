// Weighted regions: convex polygons, each with a cost per unit of length. The cheapest path between two flags bends at their borders by
// Snell's law, and follows a region's cost while its slider moves.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App, MapPointer, Tab } from '../app';
import type { Method, Subdivision, SubdivisionGenerator, SubdivisionPath } from '../engine/protocol';
import { countText, timeText } from '../types';
import { button, facts, numberField, section, select, slider, type Fact } from '../ui/parts';
import type { Overlay } from '../view/overlay';
import { methodNames } from './method-names';
import { drawCrossings, drawSubdivision } from './weighted-regions-draw';
import { checkedWeightedRegionsState, regionAt, type WeightedRegionsState } from './weighted-regions-state';
import { snellTable } from './snell-table';

const REACH = 26; // CSS pixels around a flag's head that grab it
// Square sides and point spacings that suit a subdivision of 1000 by 1000.
const SIZES = { grid: ':10', quadtree: ':8', framed: ':8', bprep: ':20' };
const FLAG_COLOURS = { from: '#2f9e68', to: '#d2543f' };

export function makeWeightedRegionsTab(app: App): Tab {
    const state: WeightedRegionsState = {
        generator: { regions: 24, minCost: 1, maxCost: 8, blocked: 0, seed: 28, width: 1000, height: 1000 },
        method: 'brep+proven',
        from: { x: 90, y: 130 },
        to: { x: 905, y: 860 },
        costs: [],
        selected: -1,
    };
    let subdivision: Subdivision | null = null;
    let path: SubdivisionPath | null = null;
    let methods: Method[] = [];
    let shown = false;
    let dragged: 'from' | 'to' | null = null;
    let pressed: { x: number; y: number } | null = null;
    let crossing = -1; // highlighted by the table

    async function make(): Promise<void> {
        try {
            if (methods.length === 0) methods = (await app.engine.methods()).subdivision;
            subdivision = await app.engine.subdivisionNew(state.generator);
        } catch (error) {
            return app.say((error as Error).message, 'error');
        }
        for (const { region, cost } of state.costs) if (subdivision.regions[region]) subdivision.regions[region].cost = cost;
        if (shown) app.view.setStage({ width: subdivision.width, height: subdivision.height });
        await find(state.costs);
        if (state.selected < 0 && path) state.selected = regionAt(subdivision, ...midway(path.points));
        redraw();
    }

    async function find(costs: { region: number; cost: number }[] = []): Promise<void> {
        if (!subdivision) return;
        try {
            const found = await app.engine.subdivisionFind({ from: state.from, to: state.to, method: state.method, costs });
            if (found) path = found;
        } catch (error) {
            app.say((error as Error).message, 'error');
        }
        redraw();
    }

    function redraw(): void {
        if (!shown) return;
        app.view.redraw();
        app.refresh();
    }

    function regenerate(change: Partial<SubdivisionGenerator>): void {
        state.generator = { ...state.generator, ...change };
        state.generator.maxCost = Math.max(state.generator.minCost, state.generator.maxCost);
        state.costs = [];
        state.selected = -1;
        void make();
    }

    // Sends all costs that were set by hand each time, because only the newest of several finds is answered.
    function setCost(region: number, cost: number): void {
        if (!subdivision) return;
        subdivision.regions[region].cost = cost;
        state.costs = [...state.costs.filter((one) => one.region !== region), { region, cost }];
        redraw();
        void find(state.costs);
    }

    // --- Pointer: drag flags, click regions ---

    function flagNear(event: MapPointer): 'from' | 'to' | null {
        for (const which of ['to', 'from'] as const) {
            const at = app.view.toScreen(state[which].x, state[which].y);
            if (Math.hypot(at.x - event.screenX, at.y - 18 - event.screenY) < REACH) return which;
        }
        return null;
    }

    function inside(event: MapPointer): { x: number; y: number } {
        const clamp = (value: number, to: number): number => Math.min(to, Math.max(0, value));
        return { x: clamp(event.x, subdivision?.width ?? 1), y: clamp(event.y, subdivision?.height ?? 1) };
    }

    function pointer(event: MapPointer): boolean {
        if (event.type === 'down') return down(event);
        if (event.type === 'move') return move(event);
        if (event.type === 'up' || event.type === 'cancel') return up(event);
        return false;
    }

    function down(event: MapPointer): boolean {
        if (event.button !== 0 || !subdivision) return false;
        dragged = flagNear(event);
        pressed = dragged ? null : { x: event.screenX, y: event.screenY };
        return dragged !== null || regionAt(subdivision, event.x, event.y) >= 0;
    }

    // Dragging a region pans the view.
    function move(event: MapPointer): boolean {
        if (dragged) {
            state[dragged] = inside(event);
            app.view.redraw();
            void find();
        } else if (pressed) {
            app.view.pan(event.screenX - pressed.x, event.screenY - pressed.y);
            travelled += Math.hypot(event.screenX - pressed.x, event.screenY - pressed.y);
            pressed = { x: event.screenX, y: event.screenY };
        }
        return true;
    }
    let travelled = 0;

    function up(event: MapPointer): boolean {
        if (pressed && travelled < 5 && event.type === 'up' && subdivision) {
            state.selected = regionAt(subdivision, event.x, event.y);
            redraw();
        }
        dragged = pressed = null;
        travelled = 0;
        return true;
    }

    // --- Drawing ---

    function draw(overlay: Overlay): void {
        if (!subdivision) return;
        drawSubdivision(overlay, subdivision, state.selected);
        if (path && path.points.length > 0) {
            overlay.polyline(path.points, { colour: '#ffffff', width: 3.5 });
            drawCrossings(overlay, path, crossing);
        }
        const foot = ({ x, y }: { x: number; y: number }): { x: number; y: number } => ({ x: x - 0.5, y: y - 0.5 });
        overlay.flag(foot(state.from), FLAG_COLOURS.from, 'A');
        overlay.flag(foot(state.to), FLAG_COLOURS.to, 'B');
    }

    // --- Panel ---

    function subdivisionSection(): TemplateResult {
        const g = state.generator;
        const number = (key: 'regions' | 'seed' | 'minCost' | 'maxCost', label: string, min: number, max: number): TemplateResult =>
            numberField({ id: `subdivision-${key}`, label, value: g[key], min, max, change: (value) => regenerate({ [key]: value }) });
        const percent = `${g.blocked} %`;
        const body = html`<div class="row">
                ${number('regions', 'Regions', 2, 400)} ${number('seed', 'Seed', 0, 1e9)} ${number('minCost', 'Lowest cost', 1, 100)}
                ${number('maxCost', 'Highest cost', 1, 100)}
            </div>
            ${slider({ id: 'subdivision-blocked', label: 'Blocked', value: g.blocked, min: 0, max: 50, text: percent, change: setBlocked })}
            ${button('subdivision-shuffle', 'Next seed', () => regenerate({ seed: (g.seed + 1) % 1e9 }), { icon: 'dice' })}`;
        return section('Subdivision', body);
    }

    const setBlocked = (blocked: number): void => regenerate({ blocked });

    function regionSection(): TemplateResult {
        const region = subdivision?.regions[state.selected];
        const hint = html`<p class="muted" data-test="subdivision-hint">Click a region, then change its cost: the path bends.</p>`;
        if (!region) return section('Region', hint);
        const cost = region.cost;
        const body = html`${slider({
                id: 'subdivision-cost',
                label: 'Cost of the region',
                value: cost,
                min: 0,
                max: Math.max(20, state.generator.maxCost),
                step: 0.1,
                text: cost === 0 ? 'blocked' : cost.toFixed(1),
                change: (value) => setCost(state.selected, value),
            })}
            <p class="muted">Set 0 to block the region.</p>`;
        return section(`Region ${state.selected}`, body);
    }

    function answerFacts(): Fact[] {
        if (!path) return [];
        const gap = (path.bound - 1) * 100;
        const proven = path.bound > 0 ? `${gap < 10 ? Number(gap.toPrecision(2)) : Math.round(gap)} %` : 'not proven';
        const costValue = html`<span data-test="subdivision-cost-value" data-units=${String(path.cost)}>${path.cost.toFixed(2)}</span>`;
        return [
            { name: 'Status', value: path.statusText, test: 'subdivision-status' },
            { name: 'Cost', value: costValue },
            { name: 'Proven gap', value: proven, test: 'subdivision-bound' },
            { name: 'Expansions', value: countText(path.expansions), test: 'subdivision-expansions' },
            { name: 'Time', value: timeText(path.ms), test: 'subdivision-time' },
        ];
    }

    function pathSection(): TemplateResult {
        const options = methodNames(methods, SIZES).map((name) => ({ value: name, label: name }));
        const chosen = methods.find((method) => state.method.split(/[:+]/)[0] === method.example);
        const body = html`${select('subdivision-method', 'Method', options, state.method, (name) => {
            state.method = name;
            void find();
            app.refresh();
        })}
        ${chosen ? html`<p class="muted">${sentence(chosen.summary)}</p>` : nothing} ${facts(answerFacts())}`;
        return section('Path', body);
    }

    function highlight(i: number): void {
        crossing = i;
        app.view.redraw();
    }

    return {
        id: 'open',
        title: 'Weighted regions',
        panel: () =>
            html`${regionSection()} ${pathSection()} ${path ? snellTable(path.crossings, highlight) : nothing} ${subdivisionSection()}`,
        shown() {
            shown = true;
            if (subdivision) app.view.setStage({ width: subdivision.width, height: subdivision.height });
            else {
                app.view.setStage({ width: state.generator.width, height: state.generator.height });
                void make();
            }
        },
        hidden() {
            shown = false;
            app.view.setStage(null);
        },
        draw,
        pointer,
        cursor: () => (dragged ? 'grabbing' : 'pointer'),
        // An engine restart also reports 'opened', and the subdivision is lost.
        worldChanged(change) {
            if (change.kind !== 'opened') return;
            if (shown) void make();
            else subdivision = null;
        },
        save: () => ({ ...state }),
        load(saved) {
            const checked = checkedWeightedRegionsState(saved);
            if (!checked) return;
            Object.assign(state, checked);
            subdivision = null;
            path = null;
            if (shown) void make();
        },
    };
}

// Returns a point of the path, whose region is selected first.
function midway(points: Float64Array): [number, number] {
    const i = 2 * Math.floor(points.length / 4);
    return i >= 2 ? [(points[i] + points[i - 2]) / 2, (points[i + 1] + points[i - 1]) / 2] : [-1, -1];
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
