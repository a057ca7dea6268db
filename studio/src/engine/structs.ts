// The structs of terrane_c.h with their fields in order. Nested cells and points are flattened: at_x, at_y.
import { struct } from './module';

export const error = struct({ size: 'u32', code: 'i32', line: 'u32', message: { chars: 500 } });
export const cell = struct({ x: 'i32', y: 'i32' });
export const point = struct({ x: 'f64', y: 'f64' });
export const rect = struct({ x: 'i32', y: 'i32', width: 'i32', height: 'i32' });

export const worldOptions = struct({ size: 'u32', threads: 'u32', sectors: { u32s: 4 }, no_regions: 'u32' });
export const terrain = struct({ size: 'u32', name: { chars: 33 }, letter: 'u8', r: 'u8', g: 'u8', b: 'u8' });
export const generator = struct({
    size: 'u32',
    kind: 'u32',
    width: 'i32',
    height: 'i32',
    seed: 'u64',
    detail: 'i32',
    terrains: 'i32',
});
export const worldInfo = struct({
    size: 'u32',
    width: 'i32',
    height: 'i32',
    terrains: 'u32',
    version: 'u64',
    bytes: 'u64',
    checksum: 'u64',
});
export const edit = struct({ size: 'u32', cells: 'u32', sectors: 'u32', reconnected: 'u32', version: 'u64' });

export const findOptions = struct({
    size: 'u32',
    movement: 'u32',
    method: { chars: 96 },
    max_expansions: 'u64',
    bound: 'f64',
    nearest: 'u32',
    fallback: 'u32',
});
export const pathInfo = struct({
    size: 'u32',
    status: 'i32',
    cost: 'u64',
    bound: 'f64',
    expansions: 'u64',
    expansions_first: 'u64',
    version: 'u64',
    cells: 'u32',
    first: 'u32',
    polyline_points: 'u32',
    polyline_cost: 'f64',
});
export const prepareOptions = struct({ size: 'u32', movement: 'u32', method: { chars: 96 }, max_bytes: 'u64', lower_bounds: 'u32' });
export const share = struct({ terrain: 'u32', cells: 'u32', cost: 'u64' });
export const obstacle = struct({
    size: 'u32',
    status: 'i32',
    reached: 'u64',
    blocked: 'u32',
    first_x: 'i32',
    first_y: 'i32',
    first_terrain: 'u32',
});

export const regionsInfo = struct({ size: 'u32', sector: 'u32', regions: 'u32', edges: 'u32', bytes: 'u64' });

export const crowdOptions = struct({ size: 'u32', movement: 'u32', method: { chars: 96 }, seed: 'u64', lifelong: 'u32' });
export const crowdInfo = struct({
    size: 'u32',
    ticks: 'u32',
    agents: 'u32',
    at_goal: 'u32',
    arrivals: 'u64',
    faults: 'u64',
    cost: 'u64',
    expansions: 'u64',
    plans: 'u64',
    failures: 'u64',
    bytes: 'u64',
    code: 'i32',
});

export const subdivisionGenerator = struct({
    size: 'u32',
    regions: 'u32',
    min_cost: 'u32',
    max_cost: 'u32',
    blocked: 'u32',
    seed: 'u64',
    width: 'f64',
    height: 'f64',
});
export const subdivisionInfo = struct({ size: 'u32', regions: 'u32', width: 'f64', height: 'f64', x: 'f64', y: 'f64' });
export const subdivisionPathInfo = struct({ size: 'u32', status: 'i32', cost: 'f64', bound: 'f64', expansions: 'u64', points: 'u32' });
export const crossing = struct({
    x: 'f64',
    y: 'f64',
    normal_x: 'f64',
    normal_y: 'f64',
    cost_from: 'f64',
    cost_to: 'f64',
    angle_from: 'f64',
    angle_to: 'f64',
});
