// Shapes as spans of rows: emit(y, x0, x1), ends inclusive. A cell may be emitted twice.
import type { Cell, Rect } from '../types';

export type Span = (y: number, x0: number, x1: number) => void;

// A disc of `size` cells diameter around a cell.
export function disc(centre: Cell, size: number, emit: Span): void {
    const radius = size / 2;
    const middle = size % 2 === 0 ? 0.5 : 0; // an even one is centred on the cell's lower right corner
    for (let dy = -Math.ceil(radius); dy <= Math.ceil(radius); ++dy) {
        const reach = radius * radius - (dy - middle) * (dy - middle);
        if (reach <= 0) continue;
        const half = Math.sqrt(reach);
        const x0 = Math.ceil(centre.x + middle - half);
        const x1 = Math.floor(centre.x + middle + half - 1e-9);
        if (x1 >= x0) emit(centre.y + dy, x0, x1);
    }
}

// Yields the cells of a line, 8-connected.
export function* steps(from: Cell, to: Cell): Generator<Cell> {
    const count = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
    for (let i = 0; i <= count; ++i) {
        const t = count === 0 ? 0 : i / count;
        yield { x: Math.round(from.x + (to.x - from.x) * t), y: Math.round(from.y + (to.y - from.y) * t) };
    }
}

// A stroke of a round brush. A stroke of width 1 is 4-connected, so that no agent can cross it diagonally.
export function stroke(from: Cell, to: Cell, size: number, emit: Span): void {
    let last = from;
    for (const cell of steps(from, to)) {
        if (size === 1 && last.x !== cell.x && last.y !== cell.y) emit(last.y, Math.min(last.x, cell.x), Math.max(last.x, cell.x));
        disc(cell, size, emit);
        last = cell;
    }
}

export function rectOf(a: Cell, b: Cell): Rect {
    const x = Math.min(a.x, b.x);
    const y = Math.min(a.y, b.y);
    return { x, y, width: Math.abs(a.x - b.x) + 1, height: Math.abs(a.y - b.y) + 1 };
}

// The border of a rectangle, `size` cells thick, inwards.
export function frame(rect: Rect, size: number, emit: Span): void {
    for (let i = 0; i < rect.height; ++i) {
        const y = rect.y + i;
        const edge = i < size || i >= rect.height - size;
        if (edge || rect.width <= 2 * size) emit(y, rect.x, rect.x + rect.width - 1);
        else {
            emit(y, rect.x, rect.x + size - 1);
            emit(y, rect.x + rect.width - size, rect.x + rect.width - 1);
        }
    }
}
