// Shared by the typed calls of the engine: errors as exceptions, two-pass lists, names of statuses and movements.
import type { Module, Scratch } from './module';
import type { Movement, Status } from './protocol';
import * as S from './structs';

// The engine rejected a call; its message has the reason. Nothing changed.
export class Refused extends Error {}

export const statuses: Status[] = [
    'found',
    'partial',
    'unreachable',
    'blocked-start',
    'blocked-goal',
    'outside-map',
    'stale',
    'not-prepared',
    'bad-profile',
    'budget-spent',
    'out-of-memory',
    'unsupported-bound',
];
export const budgetSpent = statuses.indexOf('budget-spent');

export const movementNumber = (movement: Movement = 'eight'): number => ['eight', 'cutting', 'four'].indexOf(movement);

// Runs a call that fills in a terrane_error, and throws Refused if `failed` returns true for its result.
export function guarded(m: Module, s: Scratch, failed: (result: number) => boolean, run: (error: number) => number): number {
    const error = s.put(S.error);
    const result = run(error);
    if (failed(result)) throw new Refused(m.get(S.error, error).message || 'the engine rejected the call without a reason');
    return result;
}

export const isErrorCode = (result: number): boolean => result !== 0; // of functions that return a terrane_code
export const isNull = (result: number): boolean => result === 0; // of functions that return a handle

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
