// Types and number formats that all parts of the page share. Cells count from 0, x to the right, y downwards; terrain costs are in
// hundredths.

import type { Cell, Generator, GeneratorKind, Rect, Terrain } from './engine/protocol';

export type { Cell, Generator, GeneratorKind, Rect, Terrain };

export interface Creature {
    id: number; // unique within a session
    name: string;
    colour: string; // '#rrggbb'
    costs: Record<string, number>; // by terrain name, in hundredths, 1 to 65000; 0: blocked
    otherwise: number; // cost of terrains that are not in `costs`
    preset?: string; // an engine preset, which supplies the costs of terrains that are not in `costs`
    visible: boolean;
}

// The origin of a world. `WorldState.edited` reports later changes.
export type Origin = { kind: 'generated'; generator: Generator } | { kind: 'file'; name: string };

// The page's copy of the world, at most one batch of edits ahead of the engine's.
export interface WorldState {
    width: number;
    height: number;
    terrains: Terrain[];
    cells: Uint8Array; // terrain index, row by row
    origin: Origin;
    edited: boolean;
    readyMs: number; // build time in the engine
    sector: number; // sector side of the engine's regions
    used: number[]; // terrains of the opened map, and those painted since
}

export type MessageKind = 'info' | 'good' | 'warning' | 'error';

export const COST_PER_UNIT = 197000; // a straight step between cells of cost 1

export function costOf(creature: Creature, terrain: string): number {
    return creature.costs[terrain] ?? creature.otherwise;
}

// Returns the bounding box of both.
export function union(a: Rect, b: Rect): Rect {
    const x = Math.min(a.x, b.x);
    const y = Math.min(a.y, b.y);
    return { x, y, width: Math.max(a.x + a.width, b.x + b.width) - x, height: Math.max(a.y + a.height, b.y + b.height) - y };
}

// Formats a path cost. Elements carry the exact value in data-units.
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
