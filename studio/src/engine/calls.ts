// Shared by the typed calls of the engine: errors as exceptions, two-pass lists, names of statuses and movements.
import type { Fields, Module, Scratch, Struct, Values } from './module';
import type { Movement, Status } from './protocol';
import * as S from './terrane_c';

// The engine rejected a call; its message has the reason. Nothing changed.
export class Refused extends Error {}

const statuses: Record<S.Status, Status> = {
    [S.Status.NOT_ASKED]: 'not-asked',
    [S.Status.FOUND]: 'found',
    [S.Status.PARTIAL]: 'partial',
    [S.Status.UNREACHABLE]: 'unreachable',
    [S.Status.BLOCKED_START]: 'blocked-start',
    [S.Status.BLOCKED_GOAL]: 'blocked-goal',
    [S.Status.OUTSIDE_MAP]: 'outside-map',
    [S.Status.STALE]: 'stale',
    [S.Status.NOT_PREPARED]: 'not-prepared',
    [S.Status.BAD_PROFILE]: 'bad-profile',
    [S.Status.BUDGET_SPENT]: 'budget-spent',
    [S.Status.OUT_OF_MEMORY]: 'out-of-memory',
    [S.Status.UNSUPPORTED_BOUND]: 'unsupported-bound',
    [S.Status.UNSUPPORTED_COSTS]: 'unsupported-costs',
    [S.Status.UNSUPPORTED_MOVEMENT]: 'unsupported-movement',
};
export const statusOf = (status: number): Status => statuses[status as S.Status];

const movements: Record<Movement, S.Movement> = {
    eight: S.Movement.EIGHT_NO_CORNER_CUTTING,
    cutting: S.Movement.EIGHT_CUT_CORNERS,
    four: S.Movement.FOUR,
};
export const movementNumber = (movement: Movement = 'eight'): number => movements[movement];

// Runs a call that fills in a terrane_error, and throws Refused if `failed` returns true for its result.
export function guarded(m: Module, s: Scratch, failed: (result: number) => boolean, run: (error: number) => number): number {
    const error = s.put(S.error);
    const result = run(error);
    if (failed(result)) throw new Refused(m.get(S.error, error).message || 'the engine rejected the call without a reason');
    return result;
}

export const isErrorCode = (result: number): boolean => result !== S.Code.OK; // of functions that return a terrane_code
export const isNull = (result: number): boolean => result === 0; // of functions that return a handle

// Reads a struct that a call fills in. Throws Refused if the call fails.
export function readStruct<F extends Fields>(m: Module, layout: Struct<F>, call: (out: number, error: number) => number): Values<F> {
    return m.scratch((s) => {
        const out = s.put(layout);
        guarded(m, s, isErrorCode, (error) => call(out, error));
        return m.get(layout, out);
    });
}

// Reads a list in two passes: the first returns its length, the second copies the elements of `bytes` bytes each.
export function readList<T>(
    m: Module,
    bytes: number,
    call: (out: number, capacity: number) => number,
    take: (at: number, count: number) => T,
): T {
    const count = call(0, 0);
    return m.scratch((s) => {
        const at = s.bytes(bytes * count);
        return take(at, Math.min(call(at, count), count));
    });
}
