// Creates the App of app.ts and connects its parts.
import type { App, Tab, WorldChange, WorldSource } from './app';
import { creatureCosts, firstCreatures } from './creatures';
import { Cancelled, startEngine, type Engine } from './engine/client';
import type { CellsRequest, EditAnswer, WorldAnswer } from './engine/protocol';
import { makeJobs, type JobState } from './jobs';
import { makePreparing, type Preparing } from './preparing';
import { makeRoutes, type Routes } from './routes';
import { costOf, countText, timeText, type Cell, type MessageKind, type Origin, type Rect, type WorldState } from './types';
import type { Overlay } from './view/overlay';
import { makeView } from './view/view';
import { makeEdits } from './world/edits';
import { makeRepairs } from './world/repairs';
import { goodFlags } from './world/places';
import { originOf, readSource, titleOf } from './world/sources';

export interface Status {
    text: string;
    kind: MessageKind;
}

export interface StateOptions {
    map: HTMLElement;
    worker: string | undefined;
    dark(): boolean;
    render(): void;
    draw(overlay: Overlay): void;
    pointer: Parameters<typeof makeView>[0]['pointer'];
    tabs(app: App): Tab[];
}

export interface State {
    app: App;
    status(): Status;
    quiet(): string; // progress of background work; '': none
    job(): JobState | null;
}

const FIRST_SECTOR = 16;
const MAX_EASY_COST = 800; // hundredths; flags are placed on terrain of at most this cost, if possible

type Writable<T> = { -readonly [name in keyof T]: T[name] };

function emptyWorld(): WorldState {
    const origin: Origin = { kind: 'file', name: '' };
    return {
        width: 0,
        height: 0,
        terrains: [],
        cells: new Uint8Array(0),
        origin,
        edited: false,
        readyMs: 0,
        sector: FIRST_SECTOR,
        used: [],
    };
}

function rectsOf(numbers: Int32Array): Rect[] {
    const rects: Rect[] = [];
    for (let i = 0; i + 3 < numbers.length; i += 4)
        rects.push({ x: numbers[i], y: numbers[i + 1], width: numbers[i + 2], height: numbers[i + 3] });
    return rects;
}

function usedTerrains(cells: Uint8Array): number[] {
    const seen = new Uint8Array(256);
    for (let i = 0; i < cells.length; ++i) seen[cells[i]] = 1;
    return [...seen.keys()].filter((terrain) => seen[terrain] === 1);
}

export function makeState(options: StateOptions): State {
    let status: Status = { text: '', kind: 'info' };
    let asked = false;
    let repairing = 0; // progress of a large edit in percent; 0: none
    const listeners = new Set<() => void>();
    const repairs = makeRepairs();
    const jobs = makeJobs({ changed: refresh, failed: say });

    function refresh(): void {
        if (asked) return;
        asked = true;
        requestAnimationFrame(() => {
            asked = false;
            options.render();
        });
    }

    function say(text: string, kind: MessageKind = 'info'): void {
        status = { text, kind };
        refresh();
    }

    const engine: Engine = startEngine({ mirror, restarted, ...(options.worker ? { worker: options.worker } : {}) });

    function mirror(): CellsRequest | null {
        const { width, height, cells, terrains, sector } = app.world;
        return width > 0 ? { width, height, cells, terrains, sectors: [sector] } : null;
    }

    function restarted(message: string, restored: boolean): void {
        say(message, restored ? 'warning' : 'error');
        if (restored) changed({ kind: 'opened' });
    }

    const edits = makeEdits({
        world: () => app.world,
        send: (batch) => engine.edit(batch, repairedSoFar).finally(() => repairedSoFar(0)),
        changed: (rect) => view.changed(rect),
        repaired,
        failed: (message) => say(message, 'error'),
    });

    function repairedSoFar(done: number): void {
        const percent = Math.round(20 * done) * 5;
        if (percent === repairing) return;
        repairing = percent;
        refresh();
    }

    function repaired(answer: EditAnswer): void {
        if (answer.cells === 0) return;
        const rects = rectsOf(answer.repaired);
        view.flash(rects);
        say(repairs.add(answer));
        changed({ kind: 'edited', repaired: rects });
    }

    function changed(change: WorldChange): void {
        for (const tab of app.tabs) tab.worldChanged?.(change);
        queryChanged();
    }

    function queryChanged(): void {
        for (const listener of listeners) listener();
        view.redraw();
        refresh();
    }

    function sendCreatures(): void {
        if (app.world.width === 0) return;
        engine
            .setCreatures(app.creatures.map((creature) => creatureCosts(creature, app.world.terrains)))
            .catch((error: Error) => say(error.message, 'error'));
    }

    // Fills in a preset's costs for terrains that the creature has no cost for yet.
    async function fillPresets(): Promise<void> {
        for (const creature of app.creatures) {
            if (!creature.preset || app.world.terrains.every((terrain) => terrain.name in creature.costs)) continue;
            const costs = await engine.preset(creature.preset);
            app.world.terrains.forEach((terrain, i) => (creature.costs[terrain.name] ??= costs[i]));
        }
    }

    async function creaturesChanged(): Promise<void> {
        await fillPresets().catch((error: Error) => say(error.message, 'error'));
        sendCreatures();
        queryChanged();
    }

    function placeFlags(): void {
        const { world, creatures } = app;
        const corners = { from: { x: 0, y: 0 }, to: { x: world.width - 1, y: world.height - 1 } };
        const visible = creatures.filter((creature) => creature.visible);
        // First choice: low-cost terrain for all visible creatures.
        const enterable = (maxCost: number): boolean[] =>
            world.terrains.map((terrain) =>
                visible.every((creature) => costOf(creature, terrain.name) > 0 && costOf(creature, terrain.name) <= maxCost),
            );
        app.flags = goodFlags(world, enterable(MAX_EASY_COST)) ?? goodFlags(world, enterable(Infinity)) ?? corners;
    }

    // Installs the engine's new world. `other`: it is a different map.
    async function adopt(answer: WorldAnswer, origin: Origin, other: boolean): Promise<void> {
        const { width, height, terrains, cells } = answer;
        const before = app.world;
        const sector = answer.sectors[0] ?? FIRST_SECTOR;
        app.world = {
            width,
            height,
            terrains,
            cells,
            origin,
            edited: !other && before.edited,
            readyMs: answer.ms,
            sector,
            used: usedTerrains(cells),
        };
        view.setWorld(app.world);
        await fillPresets();
        if (other) placeFlags();
        sendCreatures();
        changed({ kind: 'opened' });
    }

    async function open(source: WorldSource): Promise<boolean> {
        const done = await jobs.run(titleOf(source), async (progress, signal) => {
            await edits.settled();
            edits.lock();
            let other = false;
            try {
                const answer = await readSource(engine, source, app.world, progress, signal);
                other = source.kind !== 'again';
                await adopt(answer, originOf(source, app.world), other);
                sayOpened(source, answer);
                return true;
            } catch (error) {
                if (error instanceof Cancelled) throw error;
                say((error as Error).message, 'error'); // the message names the file
                return false;
            } finally {
                edits.unlock(other);
            }
        });
        return done === true;
    }

    function sayOpened(source: WorldSource, answer: WorldAnswer): void {
        const size = `${countText(answer.width)} × ${countText(answer.height)} cells`;
        say(`${source.kind === 'file' ? source.name : 'Map'}: ${size}, ready in ${timeText(answer.ms)}`, 'good');
    }

    function setFlag(which: 'from' | 'to', cell: Cell): void {
        const clamp = (v: number, high: number): number => Math.min(Math.max(0, v), Math.max(0, high));
        const next = { x: clamp(cell.x, app.world.width - 1), y: clamp(cell.y, app.world.height - 1) };
        const before = app.flags[which];
        if (before.x === next.x && before.y === next.y) return;
        app.flags[which] = next;
        queryChanged();
    }

    function showTab(id: string): void {
        const next = app.tabs.find((tab) => tab.id === id);
        if (!next || next === app.tab) return;
        app.tab.hidden?.();
        app.tab = next;
        next.shown?.();
        if (next.query === 'routes') app.routes.find();
        view.redraw();
        refresh();
    }

    const view = makeView({
        element: options.map,
        draw: options.draw,
        pointer: options.pointer,
        dark: options.dark,
        failed: (message) => say(message, 'error'),
    });

    const app: Writable<App> = {
        engine,
        view,
        edits,
        routes: undefined as unknown as Routes, // set below: it needs the app
        preparing: undefined as unknown as Preparing,
        world: emptyWorld(),
        creatures: firstCreatures(),
        flags: { from: { x: 0, y: 0 }, to: { x: 0, y: 0 } },
        tabs: [],
        tab: undefined as unknown as Tab, // set below: tabs need the app
        open,
        showTab,
        setFlag,
        creaturesChanged() {
            void creaturesChanged();
        },
        onQuery(listener) {
            listeners.add(listener);
            return () => listeners.delete(listener);
        },
        refresh,
        say,
        job: (title, run) => jobs.run(title, run),
    };
    app.routes = makeRoutes(app);
    app.preparing = makePreparing(app);
    app.tabs.push(...options.tabs(app));
    app.tab = app.tabs[0];
    const quiet = (): string => (repairing > 0 ? `Repairing: ${repairing} %` : app.preparing.text);
    return { app, status: () => status, quiet, job: () => jobs.current() };
}
