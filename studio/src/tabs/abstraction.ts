// Abstraction: shows the layers of the hierarchical search (sectors, regions, representatives, edges, the portals of an overlay) and the
// effect of the sector size.
import { html, type TemplateResult } from 'lit-html';
import type { App, Tab } from '../app';
import type { MeasureAnswer, Path, Regions } from '../engine/protocol';
import { bytesText, countText, timeText, type Creature } from '../types';
import { button, cost, facts, section, slider, toggle } from '../ui/parts';
import type { Overlay } from '../view/overlay';
import { drawEdges, drawNodes, drawPortals } from './abstraction-draw';

const SECTORS = [8, 16, 32, 64];
const PORTALS = 'overlay:2';
const QUERIES = 30; // random queries per sector size
const SEED = 1;

type Layer = 'sectors' | 'regions' | 'representatives' | 'edges' | 'portals';
const LAYERS: { id: Layer; label: string }[] = [
    { id: 'sectors', label: 'Sectors' },
    { id: 'regions', label: 'Regions: connected cells of one terrain in a sector' },
    { id: 'representatives', label: 'Representatives, one per region' },
    { id: 'edges', label: 'Edges between regions' },
    { id: 'portals', label: 'Portals of overlay:2, prepared on demand' },
];

export function makeAbstractionTab(app: App): Tab {
    const on: Record<Layer, boolean> = { sectors: true, regions: true, representatives: false, edges: false, portals: false };
    let regions: Regions | null = null;
    let portals: Int32Array | null = null;
    let rebuilt = false; // the world was rebuilt for its sector size, so readyMs is the build time
    let found: { abstract: Path; optimal: Path } | null = null;
    let measured: MeasureAnswer[] = [];
    let asking = 0;
    let timer = 0;

    const shown = (): boolean => app.tab?.id === 'abstraction';
    const creature = (): Creature =>
        app.creatures.find((one) => one.id === app.routes.chosen) ?? app.creatures.find((one) => one.visible) ?? app.creatures[0];
    const creatureIndex = (): number => app.creatures.indexOf(creature());
    const fail = (error: Error): void => app.say(error.message, 'error');

    function applyLayers(): void {
        const fits = regions !== null && regions.labels.length === app.world.cells.length;
        app.view.setSectorGrid(shown() && on.sectors ? app.world.sector : 0);
        app.view.setRegions(shown() && on.regions && fits ? regions!.labels : null);
        app.view.redraw();
        app.refresh();
    }

    async function loadRegions(): Promise<void> {
        const mine = ++asking;
        const answer = await app.engine.regions(app.world.sector);
        if (mine !== asking) return;
        regions = answer;
        applyLayers();
    }

    async function compare(): Promise<void> {
        const { from, to } = app.flags;
        const query = { creature: creatureIndex(), from: { ...from }, to: { ...to } };
        const methods = [`dta:${app.world.sector}`, 'astar'];
        const paths = await app.engine.find(
            methods.map((method) => ({ ...query, method })),
            'abstraction',
        );
        if (!paths) return;
        found = { abstract: paths[0], optimal: paths[1] };
        app.view.redraw();
        app.refresh();
    }

    // Reloads the regions after an edit, once the brush rests: the lists of a large world are large.
    function loadRegionsSoon(): void {
        window.clearTimeout(timer);
        if (shown()) timer = window.setTimeout(() => void loadRegions().catch(fail), 150);
    }

    async function setSector(sector: number): Promise<void> {
        if (sector === app.world.sector) return;
        if (await app.open({ kind: 'again', sector })) rebuilt = true;
        app.refresh();
    }

    async function showPortals(wanted: boolean): Promise<void> {
        on.portals = wanted;
        if (wanted && !portals) {
            const prepare = { creature: creatureIndex(), method: PORTALS };
            const have = await app.engine.preparedBytes(prepare);
            const done =
                have > 0 ||
                (await app.job(`Preparing ${PORTALS} for ${creature().name}`, (p, s) => app.engine.prepare(prepare, p, s))) !== undefined;
            if (done) portals = await app.engine.portals(prepare);
            on.portals = done;
        }
        applyLayers();
    }

    async function measureAll(): Promise<void> {
        await app.job('Measuring sector sizes', async (progress, signal) => {
            measured = [];
            for (const [i, sector] of SECTORS.entries()) {
                const share = (done: number): void => progress((i + done) / SECTORS.length, `${sector} cells per side`);
                measured.push(await app.engine.measure({ sector, creature: creatureIndex(), queries: QUERIES, seed: SEED }, share, signal));
                app.refresh();
            }
        });
    }

    function layerToggle(layer: (typeof LAYERS)[number]): TemplateResult {
        const set = (wanted: boolean): void => {
            on[layer.id] = wanted;
            if (layer.id === 'portals') void showPortals(wanted).catch(fail);
            else applyLayers();
        };
        return toggle(`layer-${layer.id}`, layer.label, on[layer.id], set);
    }

    function sizeSection(): TemplateResult {
        const at = Math.max(0, SECTORS.indexOf(app.world.sector));
        return html`${slider({
            id: 'sector-size',
            label: 'Cells per side',
            value: at,
            min: 0,
            max: SECTORS.length - 1,
            text: String(app.world.sector),
            change: (i) => void setSector(SECTORS[i]),
        })}
        ${facts([
            { name: 'Regions', value: regions ? countText(regions.count) : '…', test: 'regions-count' },
            { name: 'Edges', value: regions ? countText(regions.edgeCount) : '…', test: 'regions-edges' },
            { name: 'Memory', value: regions ? bytesText(regions.bytes) : '…', test: 'regions-bytes' },
            ...(rebuilt ? [{ name: 'Built in', value: timeText(app.world.readyMs), test: 'regions-built' }] : []),
        ])}`;
    }

    function querySection(): TemplateResult {
        if (!found) return html`<small>…</small>`;
        const { abstract, optimal } = found;
        if (abstract.status !== 'found' || optimal.status !== 'found') return html`<p class="note">${abstract.statusText}</p>`;
        const ratio = optimal.cost > 0n ? Number(abstract.cost) / Number(optimal.cost) : 1;
        return html`<small>${creature().name}, A to B: dta:${app.world.sector} compared with A* over cells.</small> ${facts([
                { name: 'Cost', value: cost(abstract.cost, 'dta-cost') },
                { name: 'Cost / optimum', value: ratio.toFixed(3), test: 'dta-ratio' },
                {
                    name: 'Speedup over A*',
                    value: `${Math.max(0, optimal.ms / Math.max(0.001, abstract.ms)).toFixed(1)} ×`,
                    test: 'dta-speedup',
                },
                { name: 'Time', value: timeText(abstract.ms), test: 'dta-time' },
                { name: 'Expansions', value: countText(abstract.expansions), test: 'dta-expansions' },
                { name: 'A* expansions', value: countText(optimal.expansions) },
            ])}`;
    }

    function measuredTable(): TemplateResult {
        const row = (one: MeasureAnswer): TemplateResult =>
            html`<tr data-test="measured" data-sector=${one.sector}>
                <td>${one.sector}</td>
                <td>${countText(one.regions)}</td>
                <td>${bytesText(one.bytes)}</td>
                <td>${timeText(one.buildMs)}</td>
                <td>${one.ratio.toFixed(3)}</td>
                <td>${timeText(one.ms)}</td>
            </tr>`;
        if (measured.length === 0) return html``;
        return html`<table class="table">
            <thead>
                <tr>
                    <th scope="col">Side</th>
                    <th scope="col">Regions</th>
                    <th scope="col">Memory</th>
                    <th scope="col">Build</th>
                    <th scope="col">Ratio</th>
                    <th scope="col">Query</th>
                </tr>
            </thead>
            <tbody>
                ${measured.map(row)}
            </tbody>
        </table>`;
    }

    function draw(overlay: Overlay): void {
        if (regions && on.edges) drawEdges(overlay, regions);
        if (regions && on.representatives) drawNodes(overlay, regions, app.world.terrains);
        if (portals && on.portals) drawPortals(overlay, portals);
        if (!found) return;
        overlay.route(found.optimal.cells, { colour: '#ffffff', width: 2, dashed: true });
        overlay.route(found.abstract.cells, { colour: creature().colour, width: 3 });
    }

    app.onQuery(() => {
        if (shown()) void compare().catch(fail);
    });
    return {
        id: 'abstraction',
        title: 'Abstraction',
        query: 'flags',
        panel: () =>
            html`${section('Layers', LAYERS.map(layerToggle))} ${section('Sector size', sizeSection())}
            ${section('This query', querySection())}
            ${section(
                'All sector sizes',
                html`${measuredTable()}
                ${button('measure', `Measure all sizes on ${QUERIES} random queries`, () => void measureAll(), { kind: 'wide' })}`,
            )}`,
        shown() {
            applyLayers();
            void loadRegions().catch(fail);
            void compare().catch(fail);
        },
        hidden() {
            window.clearTimeout(timer);
            app.view.setSectorGrid(0);
            app.view.setRegions(null);
        },
        draw,
        cursor: () => 'grab',
        worldChanged(change) {
            if (change.kind === 'opened') {
                regions = portals = found = null;
                rebuilt = false;
                measured = [];
                on.portals = false;
                app.view.setSectorGrid(shown() && on.sectors ? app.world.sector : 0);
            }
            loadRegionsSoon();
        },
        save: () => ({ ...on }),
        load(state) {
            for (const { id } of LAYERS) {
                const wanted = (state as Partial<Record<Layer, unknown>> | null)?.[id];
                if (typeof wanted === 'boolean' && id !== 'portals') on[id] = wanted;
            }
            applyLayers();
        },
    };
}
