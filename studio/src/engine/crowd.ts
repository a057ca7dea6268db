// Typed calls of terrane_c.h: crowds.
import { guarded, isErrorCode, isNull, movementNumber, readList, readStruct } from './calls';
import type { Module } from './module';
import type { CrowdRequest, CrowdState, CrowdTick } from './protocol';
import * as S from './terrane_c';
import type { Profile, World } from './terrane';

export interface Crowd {
    crowd: number;
    collisions: number; // counted from the positions, independently of the engine
}

const fields = 6; // numbers per agent: x, y, goal x, goal y, type, waiting

export function makeCrowd(m: Module, world: World, types: Profile[], request: CrowdRequest): Crowd {
    const crowd = m.scratch((s) => {
        const list = s.bytes(4 * types.length);
        m.u32(list, types.length).set(types);
        const options = s.put(S.crowdOptions, {
            movement: movementNumber(request.movement),
            method: request.method,
            seed: BigInt(request.seed),
            lifelong: request.lifelong ? 1 : 0,
        });
        return guarded(m, s, isNull, (error) => m.call('terrane_crowd_new', world, list, types.length, options, error));
    });
    try {
        spawn(m, crowd, request);
    } catch (error) {
        m.call('terrane_crowd_free', crowd);
        throw error;
    }
    return { crowd, collisions: 0 };
}

function spawn(m: Module, crowd: number, request: CrowdRequest): void {
    const how = request.spawn === 'sides' ? S.Spawn.SIDES : S.Spawn.RANDOM;
    m.scratch((s) =>
        guarded(m, s, isErrorCode, (error) => m.call('terrane_crowd_spawn', crowd, request.agents, how, BigInt(request.seed), error)),
    );
}

export const freeCrowd = (m: Module, { crowd }: Crowd): void => m.call('terrane_crowd_free', crowd);

export function tickCrowd(m: Module, state: Crowd, request: CrowdTick): CrowdState {
    const ms: number[] = [];
    let before = agents(m, state);
    for (let i = 0; i < request.ticks; ++i) {
        const began = performance.now();
        m.scratch((s) => guarded(m, s, isErrorCode, (error) => m.call('terrane_crowd_tick', state.crowd, 1, error)));
        ms.push(performance.now() - began);
        const after = agents(m, state);
        state.collisions += countCollisions(before, after);
        before = after;
    }
    const answer = crowdState(m, state, before, ms);
    if (request.reservations) answer.reservations = reservations(m, state);
    if (request.arrows) answer.arrows = arrows(m, state);
    return answer;
}

function crowdState(m: Module, state: Crowd, list: Int32Array, ms: number[]): CrowdState {
    const info = readStruct(m, S.crowdInfo, (out, error) => m.call('terrane_crowd_get_info', state.crowd, out, error));
    return {
        tick: info.ticks,
        agents: list,
        count: info.agents,
        atGoal: info.at_goal,
        arrivals: Number(info.arrivals),
        faults: Number(info.faults),
        collisions: state.collisions,
        cost: info.cost,
        expansions: Number(info.expansions),
        plans: Number(info.plans),
        failures: Number(info.failures),
        bytes: Number(info.bytes),
        ms,
    };
}

function agents(m: Module, { crowd }: Crowd): Int32Array {
    const call = (out: number, capacity: number): number => m.call('terrane_crowd_agents', crowd, out, capacity);
    return readList(m, S.agent.bytes, call, (at, n) => m.i32(at, fields * n).slice());
}

function reservations(m: Module, { crowd }: Crowd): Int32Array {
    const call = (out: number, capacity: number): number => m.call('terrane_crowd_reservations', crowd, out, capacity);
    return readList(m, S.reservation.bytes, call, (at, n) => m.i32(at, 4 * n).slice());
}

function arrows(m: Module, { crowd }: Crowd): Float32Array {
    const call = (out: number, capacity: number): number => m.call('terrane_crowd_arrows', crowd, out, capacity);
    return readList(m, S.arrow.bytes, call, (at, n) => {
        const cells = m.i32(at, 4 * n);
        const lengths = m.f32(at, 4 * n);
        return Float32Array.from({ length: 4 * n }, (_, i) => (i % 4 < 2 ? cells[i] : lengths[i]));
    });
}

// Counts vertex and edge conflicts: two agents in one cell, or two that swapped cells. Uses positions only, independently of the engine.
function countCollisions(before: Int32Array, after: Int32Array): number {
    const key = (list: Int32Array, i: number): number => list[i + 1] * 65536 + list[i];
    const was = new Map<number, number>();
    for (let i = 0; i < before.length; i += fields) if (before[i] >= 0) was.set(key(before, i), i);
    const taken = new Set<number>();
    let found = 0;
    for (let i = 0; i < after.length; i += fields) {
        if (after[i] < 0) continue;
        const here = key(after, i);
        if (taken.has(here)) ++found;
        taken.add(here);
        const other = was.get(here);
        if (other !== undefined && other < i && i < before.length && key(after, other) === key(before, i)) ++found;
    }
    return found;
}
