// Typed calls of terrane_c.h: planners, paths and explanations.
import { guarded, isErrorCode, isNull, movementNumber, readList, readStruct, statusOf } from './calls';
import type { Module, Scratch } from './module';
import { costPerUnit } from './protocol';
import type { Obstacle, Path, Query, Rect, Share, Status } from './protocol';
import * as S from './terrane_c';
import type { Profile, World } from './terrane';

export interface Planner {
    planner: number;
    path: number; // reused by every query
}

export function makePlanner(m: Module, world: World): Planner {
    return m.scratch((s) => ({
        planner: guarded(m, s, isNull, (error) => m.call('terrane_planner_new', world, error)),
        path: guarded(m, s, isNull, (error) => m.call('terrane_path_new', error)),
    }));
}

export function freePlanner(m: Module, { planner, path }: Planner): void {
    m.call('terrane_path_free', path);
    m.call('terrane_planner_free', planner);
}

export const costText = (cost: bigint): string => (Number(cost) / costPerUnit).toFixed(2);

export function statusName(m: Module, status: number): { status: Status; statusText: string } {
    return { status: statusOf(status), statusText: m.text(m.call('terrane_status_text', status)) };
}

function findOptions(s: Scratch, query: Query): number {
    return s.put(S.findOptions, {
        movement: movementNumber(query.movement),
        method: query.method ?? '',
        max_expansions: BigInt(query.maxExpansions ?? 0),
        bound: query.bound ?? 0,
        nearest: query.nearest ? 1 : 0,
        fallback: query.method?.startsWith('overlay') ? 1 : 0, // overlays are prepared in the background, and rebuilt after large edits
    });
}

export function begin(m: Module, { planner }: Planner, query: Query, profile: Profile): void {
    m.scratch((s) => {
        const [from, to] = ends(s, query);
        guarded(m, s, isErrorCode, (error) => m.call('terrane_begin', planner, from, to, profile, findOptions(s, query), error));
    });
}

const ends = (s: Scratch, query: Query): [number, number] => [s.put(S.cell, { ...query.from }), s.put(S.cell, { ...query.to })];

// Returns true while the query is unfinished.
export function run(m: Module, { planner }: Planner, budget: number): boolean {
    return m.call('terrane_run', planner, budget) === S.Status.BUDGET_SPENT;
}

export function take(m: Module, { planner, path }: Planner): Path {
    m.scratch((s) => guarded(m, s, isErrorCode, (error) => m.call('terrane_take', planner, path, error)));
    return readPath(m, path);
}

export function find(m: Module, planner: Planner, query: Query, profile: Profile): Path {
    m.scratch((s) => {
        const [from, to] = ends(s, query);
        guarded(m, s, isErrorCode, (error) =>
            m.call('terrane_find', planner.planner, from, to, profile, findOptions(s, query), planner.path, error),
        );
    });
    return readPath(m, planner.path);
}

function readPath(m: Module, path: number): Path {
    const info = readStruct(m, S.pathInfo, (out, error) => m.call('terrane_path_get_info', path, out, error));
    return {
        ...statusName(m, info.status),
        method: m.text(m.call('terrane_path_method', path)),
        cost: info.cost,
        costText: costText(info.cost),
        bound: info.bound,
        expansions: Number(info.expansions),
        expansionsFirst: Number(info.expansions_first),
        first: info.first,
        cells: readList(
            m,
            S.cell.bytes,
            (out, capacity) => m.call('terrane_path_cells', path, out, capacity),
            (at, n) => m.i32(at, 2 * n).slice(),
        ),
        polyline: readList(
            m,
            S.point.bytes,
            (out, capacity) => m.call('terrane_path_polyline', path, out, capacity),
            (at, n) => m.f64(at, 2 * n).slice(),
        ),
        polylineCost: info.polyline_cost,
        version: Number(info.version),
        ms: 0,
    };
}

// Counts the expansions of each cell until stop(), which returns the counts.
export function watchHeat(m: Module, { planner }: Planner, cells: number): { stop: () => Uint32Array } {
    const at = m.allocate(4 * cells);
    m.u32(at, cells).fill(0);
    m.call('terrane_planner_heat', planner, at);
    return {
        stop: () => {
            m.call('terrane_planner_heat', planner, 0);
            const heat = m.u32(at, cells).slice();
            m.free(at);
            return heat;
        },
    };
}

// Finds the path and records its search. `limit` is in bytes.
export function trace(m: Module, planner: Planner, query: Query, profile: Profile, limit: number): { path: Path; text: string } {
    m.call('terrane_planner_trace', planner.planner, 1);
    try {
        const path = find(m, planner, query, profile);
        const size = m.call('terrane_planner_trace_text', planner.planner, 0, 0);
        if (size > limit)
            throw new Error(`The trace has ${Math.round(size / 1e6)} MB, the limit is ${limit / 1e6} MB: move the flags closer`);
        const call = (out: number, capacity: number): number => m.call('terrane_planner_trace_text', planner.planner, out, capacity);
        return { path, text: readList(m, 1, call, (at, n) => new TextDecoder().decode(m.u8(at, n))).replace(/\0$/, '') };
    } finally {
        m.call('terrane_planner_trace', planner.planner, 0);
    }
}

// --- Explanations ---

export function shares(m: Module, planner: Planner, world: World, profile: Profile): Share[] {
    const call = (out: number, capacity: number): number => m.call('terrane_path_shares', planner.path, world, profile, out, capacity, 0);
    return readList(m, S.share.bytes, call, (at, n) =>
        Array.from({ length: n }, (_, i) => {
            const share = m.get(S.share, at + i * S.share.bytes);
            return { ...share, costText: costText(share.cost) };
        }),
    );
}

export function through(m: Module, planner: Planner, query: Query, area: Rect, profile: Profile): Path {
    m.scratch((s) => {
        const [from, to] = ends(s, query);
        const movement = movementNumber(query.movement);
        const rect = s.put(S.rect, { ...area });
        guarded(m, s, isErrorCode, (error) =>
            m.call('terrane_find_through', planner.planner, from, to, rect, profile, movement, planner.path, error),
        );
    });
    return readPath(m, planner.path);
}

export function obstacle(m: Module, planner: Planner, query: Query, profile: Profile): Obstacle {
    const out = m.scratch((s) => {
        const [from, to] = ends(s, query);
        const at = s.put(S.obstacle);
        guarded(m, s, isErrorCode, (error) =>
            m.call('terrane_find_obstacle', planner.planner, from, to, profile, movementNumber(query.movement), planner.path, at, error),
        );
        return m.get(S.obstacle, at);
    });
    return {
        path: readPath(m, planner.path),
        ...statusName(m, out.status),
        reached: Number(out.reached),
        blocked: out.blocked,
        first: { x: out.first_x, y: out.first_y },
        firstTerrain: out.first_terrain,
    };
}
