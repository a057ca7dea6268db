// Compare: runs several methods on the same query, and shows the expansions of the selected one as a heat layer.
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App, Tab } from '../app';
import type { Method, Path, Query } from '../engine/protocol';
import type { Creature } from '../types';
import { button, section, select, toggle } from '../ui/parts';
import type { Overlay } from '../view/overlay';
import { methodRow, type Row } from './compare-row';
import { renamedMethod } from './method-names';

const FIRST = ['astar', 'dta', 'wastar:1.5', 'overlay:2'];
const COLOURS = ['#ffffff', '#ffd34d', '#ff7f5c', '#4fd8e8', '#c58bff', '#b5e655', '#ff6fa8', '#8fb3ff'];
const OPTIMAL = 'astar';
const MAX_ROWS = 8;
const REST = 160; // ms that a flag must rest before the heat layer is requested

export function makeCompareTab(app: App): Tab {
    let rows: Row[] = [];
    let known: Method[] = [];
    let chosen = OPTIMAL;
    let creatureId = 0; // id; 0: the first visible one
    let heatOn = true;
    let heatTimer = 0;
    let optimal: Path | null = null;
    let typed = '';

    const shown = (): boolean => app.tab?.id === 'compare';
    const creature = (): Creature =>
        app.creatures.find((one) => one.id === creatureId) ?? app.creatures.find((one) => one.visible) ?? app.creatures[0];
    const freeColour = (): string => COLOURS.find((colour) => rows.every((row) => row.colour !== colour)) ?? COLOURS[0];

    function query(method: string): Query {
        return { creature: app.creatures.indexOf(creature()), from: { ...app.flags.from }, to: { ...app.flags.to }, method };
    }

    function addRow(method: string): Row {
        const usage = known.find((one) => one.example.split(/[:/+]/)[0] === method.split(/[:/+]/)[0]);
        const row: Row = { method, colour: freeColour(), summary: usage?.summary ?? '', path: null, problem: '', prepares: null, bytes: 0 };
        rows.push(row);
        return row;
    }

    async function begin(): Promise<void> {
        if (known.length === 0) known = (await app.engine.methods()).paths;
        if (rows.length === 0) FIRST.forEach((name) => addRow(name === 'dta' ? `dta:${app.world.sector}` : name));
        runAll();
    }

    async function run(row: Row): Promise<void> {
        try {
            const paths = await app.engine.find([query(row.method)], `compare ${row.method}`);
            if (!paths) return;
            row.path = paths[0];
            row.problem = '';
            await updatePrepared(row);
            if (row.method === OPTIMAL) optimal = paths[0];
        } catch (error) {
            row.path = null;
            row.problem = (error as Error).message;
        }
        app.view.redraw();
        app.refresh();
    }

    async function updatePrepared(row: Row): Promise<void> {
        row.prepares ??= (await app.engine.checkMethod(row.method)).prepares;
        if (row.prepares) row.bytes = await app.engine.preparedBytes({ creature: app.creatures.indexOf(creature()), method: row.method });
    }

    async function runOptimal(): Promise<void> {
        const paths = await app.engine.find([query(OPTIMAL)], 'compare optimal').catch(() => null);
        if (paths) optimal = paths[0];
        app.refresh();
    }

    function runAll(): void {
        if (!shown() || app.world.width === 0) return;
        if (rows.every((row) => row.method !== OPTIMAL)) void runOptimal();
        for (const row of rows) void run(row);
        askHeat();
    }

    function askHeat(): void {
        window.clearTimeout(heatTimer);
        app.view.setHeat(null);
        if (!heatOn || !shown()) return;
        heatTimer = window.setTimeout(() => void showHeat(), REST);
    }

    async function showHeat(): Promise<void> {
        if (app.routes.dragging) return askHeat();
        const asked = rows.find((row) => row.method === chosen);
        if (!asked) return;
        const paths = await app.engine.find([{ ...query(chosen), heat: true }], 'compare heat').catch(() => null);
        const heat = paths?.[0].heat;
        if (!heat?.some((count) => count > 0)) return; // the method does not search cells
        if (shown() && heatOn && asked.method === chosen && heat.length === app.world.cells.length) app.view.setHeat(heat);
    }

    async function prepare(row: Row): Promise<void> {
        const index = app.creatures.indexOf(creature());
        const answer = await app.job(`Preparing ${row.method} for ${creature().name}`, (progress, signal) =>
            app.engine.prepare({ creature: index, method: row.method }, progress, signal),
        );
        if (!answer) return;
        app.say(`${row.method} is prepared for ${creature().name}. Edits keep it up to date`, 'good');
        runAll();
    }

    function choose(row: Row): void {
        chosen = row.method;
        askHeat();
        app.view.redraw();
        app.refresh();
    }

    function remove(row: Row): void {
        rows = rows.filter((one) => one !== row);
        if (chosen === row.method) chosen = rows[0]?.method ?? '';
        runAll();
        app.view.redraw();
        app.refresh();
    }

    async function add(): Promise<void> {
        const method = typed.trim();
        if (method === '') return;
        if (rows.some((row) => row.method === method)) return app.say(`${method} is already in the list`, 'warning');
        try {
            const { prepares } = await app.engine.checkMethod(method);
            const row = addRow(method);
            typed = '';
            chosen = method;
            runAll();
            if (prepares && (await app.engine.preparedBytes({ creature: app.creatures.indexOf(creature()), method })) === 0)
                await prepare(row);
        } catch (error) {
            app.say((error as Error).message, 'error');
        }
        app.refresh();
    }

    function adder(): TemplateResult {
        return html`<form
            class="row"
            @submit=${(event: Event) => {
                event.preventDefault();
                void add();
            }}
        >
            <label class="field" for="method-name">
                <span>Add a method</span>
                <input
                    id="method-name"
                    type="text"
                    list="methods"
                    placeholder="focal:1.5"
                    autocomplete="off"
                    .value=${typed}
                    @input=${(event: Event) => (typed = (event.target as HTMLInputElement).value)}
                />
            </label>
            <datalist id="methods">${known.map((one) => html`<option value=${one.example}>${one.summary}</option>`)}</datalist>
            ${button('method-add', 'Add', () => void add(), { disabled: rows.length >= MAX_ROWS })}
        </form>`;
    }

    function panel(): TemplateResult {
        const maxExpansions = Math.max(1, ...rows.map((row) => row.path?.expansions ?? 0));
        const actions = { choose, remove, prepare: (row: Row) => void prepare(row) };
        return html`${section(
            'Query',
            select(
                'compare-creature',
                'Creature',
                app.creatures.map((one) => ({ value: String(one.id), label: one.name })),
                String(creature().id),
                (id) => ((creatureId = Number(id)), runAll()),
            ),
        )}
        ${section(
            'Methods',
            html`<ul class="methods" role="list">
                    ${repeat(
                        rows,
                        (row) => row.method,
                        (row) => methodRow(row, { chosen: row.method === chosen, optimal, maxExpansions }, actions),
                    )}
                </ul>
                ${adder()}
                ${toggle('compare-heat', 'Show the cells that the selected method expanded', heatOn, (on) => ((heatOn = on), askHeat()))}`,
        )}`;
    }

    function draw(overlay: Overlay): void {
        for (const row of rows)
            if (row.method !== chosen && row.path) overlay.route(row.path.cells, { colour: row.colour, width: 2, faint: true });
        const row = rows.find((one) => one.method === chosen);
        if (!row?.path || row.path.cells.length < 4) return;
        overlay.route(row.path.cells, { colour: row.colour, width: 3 });
        if (row.path.first > 1 && row.path.first < row.path.cells.length / 2)
            overlay.route(row.path.cells, { colour: row.colour, width: 6, to: row.path.first - 1 });
    }

    app.onQuery(runAll);
    return {
        id: 'compare',
        title: 'Compare',
        query: 'flags',
        panel,
        shown: () => void begin().catch((error: Error) => app.say(error.message, 'error')),
        hidden() {
            window.clearTimeout(heatTimer);
            app.view.setHeat(null);
        },
        draw,
        cursor: () => 'grab',
        save: () => ({ methods: rows.map((row) => row.method), chosen }),
        load(state) {
            const given = (state ?? {}) as { methods?: unknown; chosen?: unknown };
            if (!Array.isArray(given.methods)) return;
            rows = [];
            for (const method of given.methods.slice(0, MAX_ROWS)) if (typeof method === 'string') addRow(renamedMethod(method));
            if (typeof given.chosen === 'string') chosen = renamedMethod(given.chosen);
            runAll();
        },
    };
}
