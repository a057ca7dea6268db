// The saved state of the tab Weighted regions, and the geometry of its subdivision.
import type { Cell, Subdivision, SubdivisionGenerator } from '../engine/protocol';

export interface WeightedRegionsState {
    generator: SubdivisionGenerator;
    method: string;
    from: Cell; // fractional
    to: Cell;
    costs: { region: number; cost: number }[]; // set by hand
    selected: number; // region; -1: none
}

// Returns the region that contains a point, or -1. Linear in the number of regions, which is small.
export function regionAt(subdivision: Subdivision, x: number, y: number): number {
    return subdivision.regions.findIndex(({ points }) => contains(points, x, y));
}

function contains(points: Float64Array, x: number, y: number): boolean {
    let inside = false;
    for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
        const crosses = points[i + 1] > y !== points[j + 1] > y;
        if (crosses && x < ((points[j] - points[i]) * (y - points[i + 1])) / (points[j + 1] - points[i + 1]) + points[i]) inside = !inside;
    }
    return inside;
}

// Returns a polygon's centroid.
export function centroidOf(points: Float64Array): Cell {
    let area = 0;
    let x = 0;
    let y = 0;
    for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
        const cross = points[j] * points[i + 1] - points[i] * points[j + 1];
        area += cross;
        x += (points[j] + points[i]) * cross;
        y += (points[j + 1] + points[i + 1]) * cross;
    }
    return { x: x / (3 * area), y: y / (3 * area) };
}

// --- Validation of a saved state: null if it is invalid ---

const isNumber = (value: unknown, min: number, max: number): value is number => typeof value === 'number' && value >= min && value <= max;
const isPoint = (value: unknown): value is Cell => {
    const { x, y } = (value ?? {}) as Partial<Cell>;
    return isNumber(x, 0, 1e6) && isNumber(y, 0, 1e6);
};

function isGenerator(value: unknown): value is SubdivisionGenerator {
    const g = (value ?? {}) as Partial<SubdivisionGenerator>;
    const sides = isNumber(g.width, 1, 1e6) && isNumber(g.height, 1, 1e6);
    const costs = isNumber(g.minCost, 1, 100) && isNumber(g.maxCost, g.minCost, 100);
    return sides && costs && isNumber(g.regions, 2, 400) && isNumber(g.blocked, 0, 50) && isNumber(g.seed, 0, 2 ** 53);
}

export function checkedWeightedRegionsState(saved: unknown): WeightedRegionsState | null {
    const s = (saved ?? {}) as Partial<WeightedRegionsState>;
    if (!isGenerator(s.generator) || typeof s.method !== 'string' || s.method.length > 40 || !isPoint(s.from) || !isPoint(s.to))
        return null;
    if (!Array.isArray(s.costs) || !s.costs.every((one) => isNumber(one?.region, 0, 400) && isNumber(one?.cost, 0, 1000))) return null;
    const selected = isNumber(s.selected, -1, 400) ? s.selected : -1;
    return { generator: s.generator, method: s.method, from: s.from, to: s.to, costs: s.costs, selected };
}
