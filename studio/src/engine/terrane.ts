// Typed calls of terrane_c.h: worlds, profiles, methods, preparation. Handles are addresses in the module's memory; each has its own free
// function. Planners are in paths.ts, crowds in crowd.ts, weighted regions in subdivision.ts.
import { guarded, isErrorCode, isNull, movementNumber, readList, readStruct } from './calls';
import type { Module, Scratch, Values } from './module';
import type {
    CellsRequest,
    CreatureCosts,
    Edit,
    Generator,
    GeneratorKind,
    Method,
    Prepare,
    Rect,
    Regions,
    Terrain,
    WorldOptions,
} from './protocol';
import * as S from './terrane_c';

export type World = number;
export type Profile = number;
export type Preparation = number;

export const abi = S.TERRANE_ABI;
const generators: Record<GeneratorKind, S.GeneratorKind> = {
    island: S.GeneratorKind.ISLAND,
    rooms: S.GeneratorKind.ROOMS,
    maze: S.GeneratorKind.MAZE,
    random: S.GeneratorKind.RANDOM,
    scatter: S.GeneratorKind.SCATTER,
    voronoi: S.GeneratorKind.VORONOI,
};

export function version(m: Module): { version: string; abi: number } {
    return { version: m.text(m.call('terrane_version')), abi: m.call('terrane_abi') };
}

// --- Worlds ---

const options = (s: Scratch, given: WorldOptions): number => s.put(S.worldOptions, { sectors: given.sectors ?? [] });

export function generate(m: Module, g: Generator & WorldOptions): World {
    return m.scratch((s) => {
        const spec = s.put(S.generator, { ...g, size: undefined, kind: generators[g.kind], seed: BigInt(g.seed) });
        return guarded(m, s, isNull, (error) => m.call('terrane_world_generate', spec, options(s, g), error));
    });
}

export function fromBytes(m: Module, bytes: Uint8Array, name: string, given: WorldOptions): World {
    return m.scratch((s) => {
        const at = s.bytes(bytes.length);
        m.u8(at, bytes.length).set(bytes);
        return guarded(m, s, isNull, (error) =>
            m.call('terrane_world_from_bytes', at, bytes.length, s.text(name), options(s, given), error),
        );
    });
}

export function fromCells(m: Module, request: CellsRequest): World {
    return m.scratch((s) => {
        const at = s.bytes(request.cells.length);
        m.u8(at, request.cells.length).set(request.cells);
        const terrains = s.puts(S.terrain, request.terrains.map(terrainFields));
        const { width, height } = request;
        return guarded(m, s, isNull, (error) =>
            m.call('terrane_world_from_cells', width, height, at, terrains, request.terrains.length, options(s, request), error),
        );
    });
}

function terrainFields(terrain: Terrain): { size: number; name: string; letter: number; r: number; g: number; b: number } {
    const [r, g, b] = terrain.color;
    return { size: S.terrain.bytes, name: terrain.name, letter: terrain.letter ? terrain.letter.charCodeAt(0) : 0, r, g, b };
}

// `fill` writes the pixels at the given address, 4 bytes each, a band of rows at a time.
export async function fromPixels(
    m: Module,
    width: number,
    height: number,
    merge: number,
    given: WorldOptions,
    fill: (at: number) => Promise<void>,
): Promise<World> {
    const at = m.allocate(width * height * 4);
    try {
        await fill(at);
        return m.scratch((s) =>
            guarded(m, s, isNull, (error) => m.call('terrane_world_from_pixels', width, height, at, merge, options(s, given), error)),
        );
    } finally {
        m.free(at);
    }
}

export function copyWorld(m: Module, world: World, given: WorldOptions): World {
    return m.scratch((s) => guarded(m, s, isNull, (error) => m.call('terrane_world_copy', world, options(s, given), error)));
}

export const freeWorld = (m: Module, world: World): void => m.call('terrane_world_free', world);

export function worldInfo(m: Module, world: World): Values<typeof S.worldInfo.fields> {
    return readStruct(m, S.worldInfo, (out, error) => m.call('terrane_world_get_info', world, out, error));
}

export function terrains(m: Module, world: World, count: number): Terrain[] {
    return Array.from({ length: count }, (_, i) => {
        const read = readStruct(m, S.terrain, (out, error) => m.call('terrane_world_get_terrain', world, i, out, error));
        const { name, letter, r, g, b } = read;
        return { name, letter: letter ? String.fromCharCode(letter) : '', color: [r, g, b] };
    });
}

export function readCells(m: Module, world: World, area: Rect): Uint8Array {
    return m.scratch((s) => {
        const count = area.width * area.height;
        const out = s.bytes(count);
        m.call('terrane_world_read', world, s.put(S.rect, { ...area }), out, count);
        return m.u8(out, count).slice();
    });
}

export function save(m: Module, world: World, format: 'map' | 'terrane'): Uint8Array {
    const size = m.scratch((s) => guarded(m, s, isNull, (error) => m.call('terrane_world_save', world, s.text(format), 0, 0, error)));
    return m.scratch((s) => {
        const out = s.bytes(size);
        guarded(m, s, isNull, (error) => m.call('terrane_world_save', world, s.text(format), out, size, error));
        return m.u8(out, size).slice();
    });
}

// --- Edits ---

export interface Edited {
    cells: number;
    sectors: number;
    reconnected: number;
    version: bigint;
    repaired: Int32Array;
}

export function applyEdit(m: Module, world: World, edit: Edit): Edited {
    const did = m.scratch((s) => {
        const out = s.put(S.edit);
        guarded(m, s, isErrorCode, (error) => {
            if ('terrain' in edit) return m.call('terrane_world_fill', world, s.put(S.rect, { ...edit.rect }), edit.terrain, out, error);
            const list = 'cells' in edit ? edit.cells : changedCells(m, world, edit.rect, edit.terrains);
            const at = s.bytes(list.byteLength);
            m.i32(at, list.length).set(list);
            return m.call('terrane_world_apply', world, at, Math.floor(list.length / 3), out, error);
        });
        return m.get(S.edit, out);
    });
    return { ...did, repaired: did.cells > 0 ? repairedSectors(m, world) : new Int32Array(0) };
}

// Returns x, y, terrain of the cells in a rectangle within the map that would change.
function changedCells(m: Module, world: World, rect: Rect, terrains: Uint8Array): Int32Array {
    const before = readCells(m, world, rect);
    const list = new Int32Array(3 * before.length);
    let count = 0;
    for (let i = 0; i < before.length; ++i) {
        if (before[i] === terrains[i]) continue;
        list[count++] = rect.x + (i % rect.width);
        list[count++] = rect.y + Math.floor(i / rect.width);
        list[count++] = terrains[i];
    }
    return list.subarray(0, count);
}

function repairedSectors(m: Module, world: World): Int32Array {
    return readList(
        m,
        S.rect.bytes,
        (out, capacity) => m.call('terrane_world_repaired', world, out, capacity),
        (at, n) => m.i32(at, 4 * n).slice(),
    );
}

// --- Creatures ---

export function makeProfile(m: Module, creature: CreatureCosts, catalogue: Terrain[]): Profile {
    return m.scratch((s) => {
        const profile = guarded(m, s, isNull, (error) => m.call('terrane_profile_new', s.text(creature.name), error));
        catalogue.forEach((terrain, i) => m.call('terrane_profile_cost', profile, s.text(terrain.name), creature.costs[i] ?? 0));
        return profile;
    });
}

// Returns a preset's cost for each terrain of the world, in hundredths.
export function presetCosts(m: Module, name: string, world: World, count: number): number[] {
    return m.scratch((s) => {
        const profile = guarded(m, s, isNull, (error) => m.call('terrane_profile_preset', s.text(name), error));
        try {
            const out = s.bytes(4 * 256);
            guarded(m, s, isErrorCode, (error) => m.call('terrane_profile_costs', profile, world, out, error));
            return [...m.u32(out, count)];
        } finally {
            m.call('terrane_profile_free', profile);
        }
    });
}

export const freeProfile = (m: Module, profile: Profile): void => m.call('terrane_profile_free', profile);

// --- Methods ---

type MethodTable = 'terrane_method' | 'terrane_crowd_method' | 'terrane_subdivision_method';

export function pathMethods(m: Module): Method[] {
    return Array.from({ length: m.call('terrane_method_count') }, (_, i) => {
        const example = m.text(m.call('terrane_method_example', i));
        return { ...described(m, 'terrane_method', i), example, prepares: methodPrepares(m, example) === 1 };
    });
}

// Lists methods without examples: derives one from the usage by dropping options and filling in 16 for each parameter.
export function plainMethods(m: Module, table: Exclude<MethodTable, 'terrane_method'>): Method[] {
    if (!m.has(`${table}_count`)) return [];
    return Array.from({ length: m.call(`${table}_count`) }, (_, i) => {
        const { usage, summary } = described(m, table, i);
        return { usage, summary, example: usage.replace(/\[[^\]]*\]/g, '').replace(/:[A-Z]+/g, ':16'), prepares: false };
    });
}

function described(m: Module, table: MethodTable, i: number): { usage: string; summary: string } {
    return { usage: m.text(m.call(`${table}_usage`, i)), summary: m.text(m.call(`${table}_summary`, i)) };
}

export function checkMethod(m: Module, name: string): void {
    m.scratch((s) => guarded(m, s, isErrorCode, (error) => m.call('terrane_method_check', s.text(name), error)));
}

export const methodPrepares = (m: Module, name: string): number => m.scratch((s) => m.call('terrane_method_prepares', s.text(name)));

// --- Prepared data ---

function prepareOptions(s: Scratch, p: Prepare): number {
    return s.put(S.prepareOptions, {
        movement: movementNumber(p.movement),
        method: p.method,
        max_bytes: BigInt(p.maxBytes ?? 0),
        lower_bounds: p.lowerBounds ?? 0,
    });
}

export function prepareBegin(m: Module, world: World, profile: Profile, p: Prepare): Preparation {
    return m.scratch((s) => guarded(m, s, isNull, (error) => m.call('terrane_prepare_begin', world, profile, prepareOptions(s, p), error)));
}

export function prepareInstall(m: Module, preparation: Preparation, world: World): void {
    m.scratch((s) => guarded(m, s, isErrorCode, (error) => m.call('terrane_prepare_install', preparation, world, error)));
}

export function preparedBytes(m: Module, world: World, profile: Profile, p: Prepare): number {
    return m.scratch((s) => Number(m.call('terrane_prepared_bytes', world, profile, prepareOptions(s, p), 0)));
}

export function discard(m: Module, world: World, profile: Profile, p: Prepare): boolean {
    return m.scratch((s) => m.call('terrane_prepared_discard', world, profile, prepareOptions(s, p), 0) === 1);
}

export function portals(m: Module, world: World, profile: Profile, p: Prepare): Int32Array {
    return m.scratch((s) => {
        const given = prepareOptions(s, p);
        const call = (out: number, capacity: number): number => m.call('terrane_overlay_portals', world, profile, given, out, capacity, 0);
        return readList(m, S.cell.bytes, call, (at, n) => m.i32(at, 2 * n).slice());
    });
}

// --- Regions ---

type RegionList = 'terrane_regions_labels' | 'terrane_regions_nodes' | 'terrane_regions_edges';

export function keepsRegions(m: Module, world: World, sector: number): boolean {
    return m.scratch((s) => m.call('terrane_regions_get_info', world, sector, s.put(S.regionsInfo), 0) === S.Code.OK);
}

export function regionsInfo(m: Module, world: World, sector: number): { regions: number; edges: number; bytes: bigint } {
    return readStruct(m, S.regionsInfo, (out, error) => m.call('terrane_regions_get_info', world, sector, out, error));
}

export function readRegions(m: Module, world: World, sector: number): Regions {
    const { regions, edges, bytes } = regionsInfo(m, world, sector);
    const list = <T>(name: RegionList, size: number, take: (at: number, n: number) => T): T =>
        readList(m, size, (out, capacity) => m.call(name, world, sector, out, capacity), take);
    return {
        sector,
        count: regions,
        edgeCount: edges,
        bytes: Number(bytes),
        labels: list('terrane_regions_labels', 4, (at, n) => m.u32(at, n).slice()),
        nodes: list('terrane_regions_nodes', S.region.bytes, (at, n) => m.i32(at, 4 * n).slice()),
        edges: list('terrane_regions_edges', S.regionEdge.bytes, (at, n) => m.u32(at, 3 * n).slice()),
    };
}
