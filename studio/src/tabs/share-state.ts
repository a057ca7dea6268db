// The whole state of the page, saved as a file or, for generated worlds with few changes, in the address. A loaded state is validated
// completely before anything changes. Keys of the format must not change: older files must open.
import type { App } from '../app';
import { creatureFrom, MAX_CREATURES } from '../creatures';
import type { Cell, Creature, Generator } from '../types';
import { renamedMethod } from './method-names';
import { fromBase64, gunzip, gzip, toBase64 } from './share-bytes';

export const FORMAT = 'terrane-studio';
export const VERSION = 1;
const KINDS = ['island', 'rooms', 'maze', 'random', 'scatter', 'voronoi'];
const MAX_RUNS = 4000; // of changed cells; with more, the world is saved as a file

type SavedWorld =
    | { kind: 'generated'; generator: Generator; changes: number[] } // runs: y, x, length, terrain
    | { kind: 'file'; name: string; bytes: string }; // a .terrane file, gzip, base64

export interface SavedState {
    format: typeof FORMAT;
    version: number;
    world: SavedWorld;
    sector: number;
    creatures: Creature[];
    flags: { from: Cell; to: Cell };
    method: string; // of the routes
    tab: string;
    tabs: Record<string, unknown>; // the value of each tab's save()
}

// --- Saving ---

async function captureWorld(app: App): Promise<SavedWorld> {
    const { origin } = app.world;
    if (origin.kind === 'generated') {
        const changes = await app.engine.changes(origin.generator, MAX_RUNS);
        if (changes) return { kind: 'generated', generator: origin.generator, changes: [...changes] };
    }
    const bytes = toBase64(await gzip(await app.engine.save('terrane')));
    return { kind: 'file', name: origin.kind === 'file' ? origin.name : `${origin.generator.kind}.terrane`, bytes };
}

// `tab` is the tab that the state opens on.
export async function captureState(app: App, tab: string): Promise<SavedState> {
    await app.edits.settled();
    const tabs: Record<string, unknown> = {};
    for (const one of app.tabs) {
        const saved = one.save?.();
        if (saved !== undefined) tabs[one.id] = saved;
    }
    return {
        format: FORMAT,
        version: VERSION,
        world: await captureWorld(app),
        sector: app.world.sector,
        creatures: app.creatures,
        flags: app.flags,
        method: app.routes.method,
        tab,
        tabs,
    };
}

// --- Validation ---

const fail = (reason: string): never => {
    throw new Error(`This is not a saved state of the studio: ${reason}`);
};

const isWhole = (value: unknown, min: number, max: number): value is number =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

function checkGenerator(value: unknown): Generator {
    const g = (value ?? {}) as Partial<Generator>;
    if (!KINDS.includes(String(g.kind))) fail(`unknown generator '${String(g.kind)}'`);
    if (!isWhole(g.width, 1, 32768) || !isWhole(g.height, 1, 32768)) fail('invalid map size, expected 1 to 32768 cells per side');
    if (!isWhole(g.seed, 0, 2 ** 53) || !isWhole(g.detail, 0, 1e6) || !isWhole(g.terrains, 0, 16))
        fail('invalid seed, detail or terrains of the generator');
    const { kind, width, height, seed, detail, terrains } = g as Generator;
    return { kind, width, height, seed, detail, terrains };
}

function checkChanges(value: unknown, { width, height }: Generator): number[] {
    if (!Array.isArray(value) || value.length % 4 !== 0 || value.length > 4 * MAX_RUNS) return fail('invalid list of changes');
    for (let i = 0; i < value.length; i += 4) {
        const fine =
            isWhole(value[i], 0, height - 1) && isWhole(value[i + 1], 0, width - 1) && isWhole(value[i + 2], 1, width - value[i + 1]);
        if (!fine || !isWhole(value[i + 3], 0, 254)) fail(`change ${i / 4} is outside the map`);
    }
    return value as number[];
}

function checkWorld(value: unknown): SavedWorld {
    const world = (value ?? {}) as Partial<SavedWorld>;
    if (world.kind === 'generated') {
        const generator = checkGenerator(world.generator);
        return { kind: 'generated', generator, changes: checkChanges(world.changes ?? [], generator) };
    }
    if (world.kind !== 'file') return fail('the map is missing');
    if (typeof world.bytes !== 'string' || typeof world.name !== 'string' || world.name.length > 200) return fail('the map is damaged');
    return { kind: 'file', name: world.name, bytes: world.bytes };
}

function checkCreatures(value: unknown): Creature[] {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_CREATURES)
        return fail(`expected 1 to ${MAX_CREATURES} creatures`);
    return value.map((one, i) => creatureFrom(one) ?? fail(`creature ${i + 1} is invalid`));
}

function checkCell(value: unknown): Cell {
    const { x, y } = (value ?? {}) as Partial<Cell>;
    return isWhole(x, -1, 32768) && isWhole(y, -1, 32768) ? { x, y } : fail('invalid position of a flag');
}

// Throws an Error with the reason.
export function checkState(value: unknown): SavedState {
    const s = (value ?? {}) as Partial<SavedState>;
    if (typeof value !== 'object' || s.format !== FORMAT) fail(`"format": "${FORMAT}" is missing`);
    if (!isWhole(s.version, 1, 1e6)) fail('the version is missing or invalid');
    if (s.version! > VERSION)
        throw new Error(`A newer studio saved this state (version ${s.version}, this one reads up to ${VERSION}): update the studio`);
    const flags = (s.flags ?? {}) as Partial<SavedState['flags']>;
    return {
        format: FORMAT,
        version: VERSION,
        world: checkWorld(s.world),
        sector: isWhole(s.sector, 4, 128) ? s.sector : 16,
        creatures: checkCreatures(s.creatures),
        flags: { from: checkCell(flags.from), to: checkCell(flags.to) },
        method: typeof s.method === 'string' && s.method.length < 96 ? renamedMethod(s.method) : '',
        tab: typeof s.tab === 'string' ? s.tab : '',
        tabs: typeof s.tabs === 'object' && s.tabs !== null ? s.tabs : {},
    };
}

export function parseState(text: string): SavedState {
    let value: unknown;
    try {
        value = JSON.parse(text);
    } catch {
        fail('it is not JSON');
    }
    return checkState(value);
}

// --- Restoring ---

const unpacked = async (text: string): Promise<Uint8Array<ArrayBuffer>> => gunzip(fromBase64(text));

async function openWorld(app: App, world: SavedWorld): Promise<boolean> {
    if (world.kind === 'generated') return app.open({ kind: 'generator', generator: world.generator });
    const bytes = await unpacked(world.bytes).catch(() => fail('the map is damaged'));
    return app.open({ kind: 'file', name: world.name, bytes: bytes.buffer as ArrayBuffer });
}

async function paintChanges(app: App, changes: number[]): Promise<void> {
    if (changes.length === 0) return;
    app.edits.begin();
    for (let i = 0; i < changes.length; i += 4) {
        const [y, x, length, terrain] = changes.slice(i, i + 4);
        if (terrain < app.world.terrains.length) app.edits.span(y, x, x + length - 1, terrain);
    }
    app.edits.end();
    await app.edits.settled();
}

// Returns false and changes nothing if the engine rejects the map; the status line then shows the reason.
export async function restoreState(app: App, state: SavedState): Promise<boolean> {
    if (state.method) await app.engine.checkMethod(state.method);
    if (!(await openWorld(app, state.world))) return false;
    if (state.world.kind === 'generated') await paintChanges(app, state.world.changes);
    if (state.sector !== app.world.sector) await app.open({ kind: 'again', sector: state.sector });
    app.creatures = state.creatures;
    app.routes.method = state.method;
    app.creaturesChanged();
    app.setFlag('from', state.flags.from);
    app.setFlag('to', state.flags.to);
    for (const tab of app.tabs) if (tab.id in state.tabs) tab.load?.(state.tabs[tab.id]);
    app.showTab(state.tab);
    app.refresh();
    return true;
}
