// Typed calls of terrane_c.h: weighted regions (convex subdivisions).
import { guarded, isErrorCode, isNull, readList, readStruct } from './calls';
import type { Module } from './module';
import { statusName } from './paths';
import type { Crossing, Subdivision, SubdivisionGenerator, SubdivisionPath, SubdivisionQuery } from './protocol';
import * as S from './terrane_c';

export interface SubdivisionHandles {
    subdivision: number;
    path: number; // reused by every query
}

export function makeSubdivision(m: Module, g: SubdivisionGenerator): SubdivisionHandles {
    const subdivision = m.scratch((s) => {
        const spec = s.put(S.subdivisionGenerator, {
            regions: g.regions,
            min_cost: g.minCost,
            max_cost: g.maxCost,
            blocked: g.blocked,
            seed: BigInt(g.seed),
            width: g.width,
            height: g.height,
        });
        return guarded(m, s, isNull, (error) => m.call('terrane_subdivision_voronoi', spec, error));
    });
    return { subdivision, path: m.scratch((s) => guarded(m, s, isNull, (error) => m.call('terrane_subdivision_path_new', error))) };
}

export function freeSubdivision(m: Module, { subdivision, path }: SubdivisionHandles): void {
    m.call('terrane_subdivision_path_free', path);
    m.call('terrane_subdivision_free', subdivision);
}

export function readSubdivision(m: Module, { subdivision }: SubdivisionHandles): Subdivision {
    const info = readStruct(m, S.subdivisionInfo, (out, error) => m.call('terrane_subdivision_get_info', subdivision, out, error));
    const regions = Array.from({ length: info.regions }, (_, i) => ({
        points: polygon(m, subdivision, i),
        cost: m.call('terrane_subdivision_cost', subdivision, i),
    }));
    return { width: info.width, height: info.height, regions };
}

function polygon(m: Module, subdivision: number, region: number): Float64Array {
    const call = (out: number, capacity: number): number => m.call('terrane_subdivision_polygon', subdivision, region, out, capacity);
    return readList(m, S.point.bytes, call, (at, n) => m.f64(at, 2 * n).slice());
}

export function findInSubdivision(m: Module, { subdivision, path }: SubdivisionHandles, query: SubdivisionQuery): SubdivisionPath {
    for (const { region, cost } of query.costs ?? []) {
        m.scratch((s) => guarded(m, s, isErrorCode, (error) => m.call('terrane_subdivision_set_cost', subdivision, region, cost, error)));
    }
    const began = performance.now();
    m.scratch((s) => {
        const [from, to] = [s.put(S.point, { ...query.from }), s.put(S.point, { ...query.to })];
        guarded(m, s, isErrorCode, (error) => m.call('terrane_subdivision_find', subdivision, from, to, s.text(query.method), path, error));
    });
    return { ...readSubdivisionPath(m, path), ms: performance.now() - began };
}

function readSubdivisionPath(m: Module, path: number): SubdivisionPath {
    const info = readStruct(m, S.subdivisionPathInfo, (out, error) => m.call('terrane_subdivision_path_get_info', path, out, error));
    const points = readList(
        m,
        S.point.bytes,
        (out, capacity) => m.call('terrane_subdivision_path_points', path, out, capacity),
        (at, n) => m.f64(at, 2 * n).slice(),
    );
    return {
        ...statusName(m, info.status),
        cost: info.cost,
        bound: info.bound,
        expansions: Number(info.expansions),
        points,
        crossings: readCrossings(m, path),
        ms: 0,
    };
}

function readCrossings(m: Module, path: number): Crossing[] {
    const call = (out: number, capacity: number): number => m.call('terrane_subdivision_path_crossings', path, out, capacity);
    return readList(m, S.crossing.bytes, call, (at, n) =>
        Array.from({ length: n }, (_, i) => {
            const c = m.get(S.crossing, at + i * S.crossing.bytes);
            return {
                x: c.at_x,
                y: c.at_y,
                normalX: c.normal_x,
                normalY: c.normal_y,
                costFrom: c.cost_from,
                costTo: c.cost_to,
                angleFrom: c.angle_from,
                angleTo: c.angle_to,
            };
        }),
    );
}
