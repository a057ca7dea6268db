// Path database: computes the first moves between all pairs of cells of a small map, then compares searches after obstacles were added.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App, Tab } from '../app';
import type { Path, Prepare } from '../engine/protocol';
import { bytesText, costOf, countText, timeText, type Generator } from '../types';
import { button, facts, section, select, type Fact } from '../ui/parts';
import type { Overlay } from '../view/overlay';
import { makeBrush } from './crowd-brush';
import { BASE, VARIANTS, variantTable, type Variant } from './pathdb-table';

const MAX_CELLS = 50000; // passable; the build time is quadratic in them
const SMALL_MAP: Generator = { kind: 'rooms', width: 96, height: 96, seed: 5, detail: 16, terrains: 0 };
const METHOD = 'cpd';
const WHAT = html`<p class="muted">
    A path database stores the first move of a cheapest path between all pairs of cells. A query follows these moves instead of searching.
</p>`;

export function makePathdbTab(app: App): Tab {
    const brush = makeBrush(app, 'pathdb');
    const drawn = new Set<string>([METHOD]);
    let creature = 0; // id; 0: the first
    let built: { bytes: number; ms: number } | null = null;
    let paths = new Map<string, Path>();
    let shown = false;

    function index(): number {
        const at = app.creatures.findIndex((one) => one.id === creature);
        return Math.max(0, at);
    }

    const request = (): Prepare => ({ creature: index(), method: METHOD });

    // Counts the cells that the creature can enter.
    function passable(): number {
        const selected = app.creatures[index()];
        if (!selected) return 0;
        const may = app.world.terrains.map((terrain) => costOf(selected, terrain.name) > 0);
        let count = 0;
        for (const cell of app.world.cells) if (may[cell]) ++count;
        return count;
    }
    let cells = 0; // the value of passable(), which is slow on large maps

    async function build(): Promise<void> {
        await app.edits.settled();
        const made = await app.job('Building the path database', (progress, signal) =>
            app.engine.prepare(request(), (done) => progress(done, `${Math.round(done * 100)} %`), signal),
        );
        if (made) {
            built = made;
            app.say(`Path database of ${countText(cells)} cells: ${bytesText(made.bytes)}, built in ${timeText(made.ms)}`, 'good');
        }
        await find();
    }

    async function discard(): Promise<void> {
        await app.engine.discard(request());
        await find();
    }

    // Checks whether a database is prepared for this creature, and runs all variants.
    async function find(): Promise<void> {
        if (!shown || app.world.width === 0 || app.creatures.length === 0) return;
        try {
            const bytes = await app.engine.preparedBytes(request());
            built = bytes > 0 ? { bytes, ms: built?.ms ?? 0 } : null;
            const methods = built ? VARIANTS : VARIANTS.slice(0, 1);
            const queries = methods.map(({ method }) => ({ creature: index(), ...app.flags, method }));
            const found = await app.engine.find(queries, 'pathdb');
            if (found) paths = new Map(found.map((path, i) => [methods[i].method, path]));
        } catch (error) {
            app.say((error as Error).message, 'error');
        }
        app.view.redraw();
        app.refresh();
    }

    function choose(id: number): void {
        creature = id;
        built = null;
        look();
    }

    function look(): void {
        if (!shown) return;
        cells = passable();
        void find();
    }

    function toggleDrawn({ method }: Variant): void {
        if (!drawn.delete(method)) drawn.add(method);
        app.view.redraw();
        app.refresh();
    }

    async function smallMap(): Promise<void> {
        if (await app.open({ kind: 'generator', generator: SMALL_MAP })) look();
    }

    // --- Panel ---

    function buildFacts(): Fact[] {
        return [
            { name: 'Passable cells', value: countText(cells), test: 'pathdb-cells' },
            { name: 'Database', value: built ? bytesText(built.bytes) : 'not built', test: 'pathdb-state' },
            ...(built && built.ms > 0 ? [{ name: 'Built in', value: timeText(built.ms), test: 'pathdb-ms' }] : []),
        ];
    }

    function buildSection(): TemplateResult {
        const options = app.creatures.map((one) => ({ value: String(one.id), label: one.name }));
        const large = cells > MAX_CELLS;
        const refusal = html`<p class="note bad" data-test="pathdb-refused">
            This map is too large: a path database holds at most ${countText(MAX_CELLS)} passable cells, and this map has
            ${countText(cells)}. Generate a small map, or open one.
        </p>`;
        const chosen = String(app.creatures[index()]?.id ?? 0);
        const style = { icon: 'pathdb', kind: 'primary', disabled: large || cells === 0 };
        const body = html`${select('pathdb-creature', 'Creature', options, chosen, (id) => choose(Number(id)))} ${facts(buildFacts())}
            ${large ? refusal : nothing}
            <div class="row">
                ${button('pathdb-build', built ? 'Build again' : 'Build', () => void build(), style)}
                ${built ? button('pathdb-discard', 'Discard', () => void discard()) : nothing}
                ${button('pathdb-small', 'Generate a small map', () => void smallMap(), { icon: 'dice' })}
            </div>
            ${built ? nothing : WHAT}`;
        return section('Database', body);
    }

    function draw(overlay: Overlay): void {
        const shownPaths = VARIANTS.filter(({ method }) => drawn.has(method) && paths.has(method));
        shownPaths.forEach((variant, i) => {
            const path = paths.get(variant.method)!;
            const offset = (i - (shownPaths.length - 1) / 2) * 2.4;
            if (path.cells.length >= 4) overlay.route(path.cells, { colour: variant.colour, offset, dashed: variant.method === BASE });
        });
        brush.draw(overlay);
    }

    // Returns a terrain that blocks this creature; walls before water.
    function obstacle(): string {
        const selected = app.creatures[index()];
        const blocks = (terrain: string): boolean => selected !== undefined && costOf(selected, terrain) === 0;
        const blocked = app.world.terrains.map(({ name }) => name).filter(blocks);
        return ['wall', 'rock', 'trees', 'lava', 'deep_water'].find((name) => blocked.includes(name)) ?? blocked[0] ?? '';
    }

    app.onQuery(() => void find()); // after changes of flags, creatures or terrain
    return {
        id: 'pathdb',
        title: 'Path database',
        query: 'flags',
        panel: () =>
            html`${buildSection()} ${section('Variants', variantTable(paths, drawn, toggleDrawn))}
            ${brush.panel('Add obstacles', 'The database stays as it was built; queries search around new obstacles.')}`,
        shown() {
            shown = true;
            if (brush.terrain() < 0) brush.choose(obstacle());
            look();
        },
        hidden: () => void (shown = false),
        draw,
        pointer: (event) => brush.pointer(event),
        cursor: () => (brush.terrain() >= 0 ? 'crosshair' : 'grab'),
        worldChanged(change) {
            if (change.kind === 'opened') {
                built = null;
                paths = new Map();
            }
            if (!shown) return;
            cells = passable();
            if (change.kind === 'opened') brush.choose(obstacle());
        },
    };
}
