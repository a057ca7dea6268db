// The words that all parts of the page share. Cells count from 0, x to the right, y downwards; costs of terrain are in hundredths.

import type { Cell, Generator, GeneratorKind, Rect, Terrain } from './engine/protocol';

export type { Cell, Generator, GeneratorKind, Rect, Terrain };

export interface Creature {
    id: number; // never used twice in a session
    name: string;
    colour: string; // '#rrggbb'
    costs: Record<string, number>; // by name of terrain, in hundredths, 1 to 65000; 0: blocked
    otherwise: number; // of terrain that `costs` does not name
    preset?: string; // the engine's costs of this name are filled in where a world has terrain that `costs` does not name
    visible: boolean;
}

// Where a world came from; a change of it since then is `edited`.
export type Origin = { kind: 'generated'; generator: Generator } | { kind: 'file'; name: string };

// The page's copy of the world: kept equal to the engine's, one batch of edits ahead of it at most.
export interface WorldState {
    width: number;
    height: number;
    terrains: Terrain[];
    cells: Uint8Array; // number of the terrain, by rows
    origin: Origin;
    edited: boolean;
    readyMs: number; // that the engine took to make it
    sector: number; // side of the sectors that the engine keeps regions for
    used: number[]; // of the terrains, those that the map had when it was opened, and those painted since
}

export type MessageKind = 'info' | 'good' | 'warning' | 'error';

export const COST_PER_UNIT = 197000; // a straight step between cells of cost 1

export function costOf(creature: Creature, terrain: string): number {
    return creature.costs[terrain] ?? creature.otherwise;
}

// The box around both.
export function union(a: Rect, b: Rect): Rect {
    const x = Math.min(a.x, b.x);
    const y = Math.min(a.y, b.y);
    return { x, y, width: Math.max(a.x + a.width, b.x + b.width) - x, height: Math.max(a.y + a.height, b.y + b.height) - y };
}

// A path's cost as people read it; the exact number goes into the element's data-units.
export function costText(units: bigint | number): string {
    const value = Number(units) / COST_PER_UNIT;
    return value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

export function countText(count: bigint | number): string {
    return Number(count).toLocaleString('en');
}

export function timeText(milliseconds: number): string {
    if (milliseconds < 1) return `${Math.max(1, Math.round(milliseconds * 1000))} µs`;
    if (milliseconds < 100) return `${milliseconds.toFixed(1)} ms`;
    if (milliseconds < 10000) return `${Math.round(milliseconds)} ms`;
    return `${(milliseconds / 1000).toFixed(1)} s`;
}

export function bytesText(bytes: bigint | number): string {
    const n = Number(bytes);
    if (n < 1024) return `${n} B`;
    if (n < 1024 * 1024) return `${(n / 1024).toFixed(1)} KB`;
    return `${(n / (1024 * 1024)).toFixed(1)} MB`;
}
