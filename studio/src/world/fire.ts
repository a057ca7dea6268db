// Fire that spreads: tick by tick over what burns. The same seed burns the same cells, whatever the order of the page's frames: each
// chance is drawn from the seed, the tick and the cell alone.
import type { WorldState } from '../types';
import type { Edits } from './edits';

// Chances in 256 that a burning neighbour lights it in a tick.
const BURNS: Record<string, number> = { trees: 90, jungle: 76, grass: 100, plains: 64, hills: 30, bridge: 60, tundra: 16 };
const LIFE = 6; // ticks that a cell burns
const ASHES = ['ground', 'desert', 'plains', 'grass']; // the first that the world has

export interface Fire {
    readonly burning: number; // cells
    light(x: number, y: number): void; // whatever burns there
    tick(): void;
    stop(): void; // puts it out: what burns turns to ash
    reset(): void; // forgets it: the world is another one
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
    let burning = new Map<number, number>(); // cell to the tick that it burns out in
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

    // What was painted over, or undone, burns no more.
    function forgetOthers(): void {
        const number = find('fire');
        for (const index of [...burning.keys()]) if (world().cells[index] !== number) burning.delete(index);
    }

    // Cells that catch fire in this tick: each is asked once for every neighbour that burns.
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

    // A whole fire is one step of undo.
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
            forgetOthers();
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
