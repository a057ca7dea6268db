// Typed calls of terrane_c.h: open terrain, convex regions with costs.
import { guarded, isCode, isNull, readList } from './calls';
import type { Module } from './module';
import { statusName } from './paths';
import type { Crossing, Field, FieldGenerator, FieldPath, FieldQuery } from './protocol';
import * as S from './structs';

export interface OpenField {
    field: number;
    path: number; // reused for every answer
}

export function makeField(m: Module, g: FieldGenerator): OpenField {
    const field = m.scratch((s) => {
        const spec = s.put(S.fieldGenerator, {
            regions: g.regions,
            min_cost: g.minCost,
            max_cost: g.maxCost,
            blocked: g.blocked,
            seed: BigInt(g.seed),
            width: g.width,
            height: g.height,
        });
        return guarded(m, s, isNull, (error) => m.call('terrane_field_voronoi', spec, error));
    });
    return { field, path: m.call('terrane_field_path_new') };
}

export function freeField(m: Module, { field, path }: OpenField): void {
    m.call('terrane_field_path_free', path);
    m.call('terrane_field_free', field);
}

export function readField(m: Module, { field }: OpenField): Field {
    const info = m.scratch((s) => {
        const at = s.put(S.fieldInfo);
        m.call('terrane_field_get_info', field, at);
        return m.get(S.fieldInfo, at);
    });
    const regions = Array.from({ length: info.regions }, (_, i) => ({
        points: polygon(m, field, i),
        cost: m.call('terrane_field_cost', field, i),
    }));
    return { width: info.width, height: info.height, regions };
}

function polygon(m: Module, field: number, region: number): Float64Array {
    const call = (out: number, room: number): number => m.call('terrane_field_polygon', field, region, out, room);
    return readList(m, S.point.bytes, call, (at, n) => m.f64(at, 2 * n).slice());
}

export function findInField(m: Module, { field, path }: OpenField, query: FieldQuery): FieldPath {
    for (const { region, cost } of query.costs ?? []) {
        m.scratch((s) => guarded(m, s, isCode, (error) => m.call('terrane_field_set_cost', field, region, cost, error)));
    }
    const began = performance.now();
    m.scratch((s) => {
        const [from, to] = [s.put(S.point, { ...query.from }), s.put(S.point, { ...query.to })];
        guarded(m, s, isCode, (error) => m.call('terrane_field_find', field, from, to, s.text(query.method), path, error));
    });
    return { ...readFieldPath(m, path), ms: performance.now() - began };
}

function readFieldPath(m: Module, path: number): FieldPath {
    const info = m.scratch((s) => {
        const at = s.put(S.fieldPathInfo);
        m.call('terrane_field_path_get_info', path, at);
        return m.get(S.fieldPathInfo, at);
    });
    const points = readList(
        m,
        S.point.bytes,
        (out, room) => m.call('terrane_field_path_points', path, out, room),
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
    const call = (out: number, room: number): number => m.call('terrane_field_path_crossings', path, out, room);
    return readList(m, S.crossing.bytes, call, (at, n) =>
        Array.from({ length: n }, (_, i) => {
            const c = m.get(S.crossing, at + i * S.crossing.bytes);
            return {
                x: c.x,
                y: c.y,
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
