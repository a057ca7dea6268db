// Shapes of cells, as spans of rows: tell(y, x0, x1), both ends included. A cell may be told twice.
import type { Cell, Rect } from '../types';

export type Span = (y: number, x0: number, x1: number) => void;

// A round spot, `size` cells across, around a cell.
export function disc(centre: Cell, size: number, tell: Span): void {
    const radius = size / 2;
    const middle = size % 2 === 0 ? 0.5 : 0; // an even one lies around the cell's lower right corner
    for (let dy = -Math.ceil(radius); dy <= Math.ceil(radius); ++dy) {
        const reach = radius * radius - (dy - middle) * (dy - middle);
        if (reach <= 0) continue;
        const half = Math.sqrt(reach);
        const x0 = Math.ceil(centre.x + middle - half);
        const x1 = Math.floor(centre.x + middle + half - 1e-9);
        if (x1 >= x0) tell(centre.y + dy, x0, x1);
    }
}

// The cells from one to the other, each beside the one before.
export function* steps(from: Cell, to: Cell): Generator<Cell> {
    const count = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
    for (let i = 0; i <= count; ++i) {
        const t = count === 0 ? 0 : i / count;
        yield { x: Math.round(from.x + (to.x - from.x) * t), y: Math.round(from.y + (to.y - from.y) * t) };
    }
}

// A stroke of a round brush. A thin one is joined by its sides, so that nobody slips through it diagonally.
export function stroke(from: Cell, to: Cell, size: number, tell: Span): void {
    let last = from;
    for (const cell of steps(from, to)) {
        if (size === 1 && last.x !== cell.x && last.y !== cell.y) tell(last.y, Math.min(last.x, cell.x), Math.max(last.x, cell.x));
        disc(cell, size, tell);
        last = cell;
    }
}

export function rectOf(a: Cell, b: Cell): Rect {
    const x = Math.min(a.x, b.x);
    const y = Math.min(a.y, b.y);
    return { x, y, width: Math.abs(a.x - b.x) + 1, height: Math.abs(a.y - b.y) + 1 };
}

// The four sides of a rectangle, `size` cells thick, inwards.
export function frame(rect: Rect, size: number, tell: Span): void {
    for (let i = 0; i < rect.height; ++i) {
        const y = rect.y + i;
        const edge = i < size || i >= rect.height - size;
        if (edge || rect.width <= 2 * size) tell(y, rect.x, rect.x + rect.width - 1);
        else {
            tell(y, rect.x, rect.x + size - 1);
            tell(y, rect.x + rect.width - size, rect.x + rect.width - 1);
        }
    }
}
