// Places the flags of a new world: far apart, on terrain that all visible creatures can enter, and probably connected. Searches a coarse
// copy of the map, so that a large map takes no longer than a small one.
import type { Cell, WorldState } from '../types';

const COARSE_CELLS = 500000;

interface Coarse {
    width: number;
    height: number;
    step: number;
    open: Uint8Array;
}

function coarseCopy(world: WorldState, passable: boolean[]): Coarse {
    const step = Math.max(1, Math.ceil(Math.sqrt((world.width * world.height) / COARSE_CELLS)));
    const width = Math.max(1, Math.floor(world.width / step));
    const height = Math.max(1, Math.floor(world.height / step));
    const open = new Uint8Array(width * height);
    for (let y = 0; y < height; ++y) {
        for (let x = 0; x < width; ++x) open[y * width + x] = passable[world.cells[y * step * world.width + x * step]] ? 1 : 0;
    }
    return { width, height, step, open };
}

// Marks all cells connected to `start` with `mark`, and returns their number.
function flood(map: Coarse, start: number, mark: number): number {
    const stack = [start];
    map.open[start] = mark;
    let count = 0;
    while (stack.length > 0) {
        const at = stack.pop()!;
        ++count;
        const x = at % map.width;
        if (x > 0 && map.open[at - 1] === 1) stack.push(((map.open[at - 1] = mark), at - 1));
        if (x < map.width - 1 && map.open[at + 1] === 1) stack.push(((map.open[at + 1] = mark), at + 1));
        if (at >= map.width && map.open[at - map.width] === 1) stack.push(((map.open[at - map.width] = mark), at - map.width));
        if (at + map.width < map.open.length && map.open[at + map.width] === 1)
            stack.push(((map.open[at + map.width] = mark), at + map.width));
    }
    return count;
}

// Marks the largest connected component with 3. Returns false if no cell is passable.
function markLargest(map: Coarse): boolean {
    let best = -1;
    let most = 0;
    for (let i = 0; i < map.open.length; ++i) {
        if (map.open[i] !== 1) continue;
        const count = flood(map, i, 2);
        if (count > most) [best, most] = [i, count];
    }
    if (best < 0) return false;
    for (let i = 0; i < map.open.length; ++i) if (map.open[i] === 2) map.open[i] = 1;
    flood(map, best, 3);
    return true;
}

function nearest(map: Coarse, x: number, y: number): Cell {
    let best = 0;
    let least = Infinity;
    for (let i = 0; i < map.open.length; ++i) {
        if (map.open[i] !== 3) continue;
        const dx = (i % map.width) - x;
        const dy = Math.floor(i / map.width) - y;
        if (dx * dx + dy * dy < least) [best, least] = [i, dx * dx + dy * dy];
    }
    return { x: (best % map.width) * map.step, y: Math.floor(best / map.width) * map.step };
}

// `passable` is indexed by terrain. Returns null if no cell is passable.
export function goodFlags(world: WorldState, passable: boolean[]): { from: Cell; to: Cell } | null {
    const map = coarseCopy(world, passable);
    if (!markLargest(map)) return null;
    return { from: nearest(map, map.width * 0.16, map.height * 0.68), to: nearest(map, map.width * 0.84, map.height * 0.32) };
}
