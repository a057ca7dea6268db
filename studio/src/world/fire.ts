// Fire that spreads tick by tick over flammable terrain. Each random draw depends only on the seed, the tick and the cell, so the same
// seed burns the same cells regardless of frame timing.
import type { WorldState } from '../types';
import type { Edits } from './edits';

// Chances in 256 that a burning neighbour ignites the cell in a tick.
const BURNS: Record<string, number> = { trees: 90, jungle: 76, grass: 100, plains: 64, hills: 30, bridge: 60, tundra: 16 };
const LIFE = 6; // ticks that a cell burns
const ASHES = ['ground', 'desert', 'plains', 'grass']; // the first one that the world has

export interface Fire {
    readonly burning: number; // cells
    light(x: number, y: number): void; // ignites flammable terrain only
    tick(): void;
    stop(): void; // extinguishes it: burning cells turn to ash
    reset(): void; // drops its state: the world is a different one
}

function chance(seed: number, tick: number, x: number, y: number): number {
    let h = (seed ^ Math.imul(tick, 0x9e3779b1) ^ Math.imul(x, 0x85ebca6b) ^ Math.imul(y, 0xc2b2ae35)) >>> 0;
    h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
    h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
    return ((h ^ (h >>> 16)) >>> 0) & 255;
}

export function canBurn(world: WorldState): boolean {
    const names = world.terrains.map((terrain) => terrain.name);
    return names.includes('fire') && ASHES.some((name) => names.includes(name)) && names.some((name) => name in BURNS);
}

export function makeFire(world: () => WorldState, edits: Edits, seed: () => number): Fire {
    let burning = new Map<number, number>(); // cell index to the tick in which it burns out
    let tick = 0;
    let fires = 0;

    const find = (name: string): number => world().terrains.findIndex((terrain) => terrain.name === name);
    const ashes = (): number => find(ASHES.find((name) => find(name) >= 0) ?? '');

    function ignite(index: number): void {
        const { width } = world();
        const x = index % width;
        const y = (index - x) / width;
        edits.span(y, x, x, find('fire'));
        burning.set(index, tick + LIFE);
    }

    function burnOut(index: number): void {
        const { width, cells } = world();
        const x = index % width;
        const y = (index - x) / width;
        if (cells[index] === find('fire')) edits.span(y, x, x, ashes());
        burning.delete(index);
    }

    function neighbours(index: number): number[] {
        const { width, height } = world();
        const x = index % width;
        const found: number[] = [];
        if (x > 0) found.push(index - 1);
        if (x < width - 1) found.push(index + 1);
        if (index >= width) found.push(index - width);
        if (index < width * (height - 1)) found.push(index + width);
        return found;
    }

    // Drops cells that were painted over or undone.
    function dropExtinguished(): void {
        const number = find('fire');
        for (const index of [...burning.keys()]) if (world().cells[index] !== number) burning.delete(index);
    }

    // Returns the cells that ignite in this tick; each draws once per burning neighbour.
    function caught(): Set<number> {
        const { width, cells, terrains } = world();
        const odds = terrains.map((terrain) => BURNS[terrain.name] ?? 0);
        const fresh = new Set<number>();
        for (const index of burning.keys()) {
            neighbours(index).forEach((next, side) => {
                const x = next % width;
                if (odds[cells[next]] > chance(seed() + side * 7919, tick, x, (next - x) / width)) fresh.add(next);
            });
        }
        return fresh;
    }

    // Makes a whole fire one undo step.
    function painting(work: () => void): void {
        const own = edits.begin(`fire ${fires}`);
        work();
        if (own) edits.end();
    }

    return {
        get burning() {
            return burning.size;
        },
        light(x, y) {
            const { width, height, cells, terrains } = world();
            if (x < 0 || y < 0 || x >= width || y >= height || !BURNS[terrains[cells[y * width + x]].name]) return;
            if (burning.size === 0) ++fires;
            painting(() => ignite(y * width + x));
        },
        tick() {
            ++tick;
            dropExtinguished();
            const fresh = [...caught()].sort((a, b) => a - b);
            painting(() => {
                for (const index of fresh) ignite(index);
                for (const [index, end] of [...burning]) if (end <= tick) burnOut(index);
            });
        },
        stop() {
            painting(() => {
                for (const index of [...burning.keys()]) burnOut(index);
            });
            tick = 0;
        },
        reset() {
            burning = new Map();
            tick = 0;
        },
    };
}
