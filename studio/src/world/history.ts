// Undoable strokes: the terrain before and after of each changed cell; for large rectangles, the terrain before.
import { union, type Rect } from '../types';

const MAX_BYTES = 192 << 20; // of all strokes together; the oldest are dropped first
const CELL_BYTES = 6;

// Receives the changes of an applied step, in order.
export interface ChangeSink {
    cell(x: number, y: number, terrain: number): void;
    rect(rect: Rect, terrain: number): void;
    patch(rect: Rect, terrains: Uint8Array): void; // row by row; not modified later
}

export interface Stroke {
    readonly bytes: number; // 0: no changes
    readonly tag: string; // '': none
    add(index: number, before: number, after: number): void;
    addRect(rect: Rect, before: Uint8Array, after: number): void;
    // Restores the cells to before (`back`) or after the stroke, and reports them to `sink`. Returns their bounding box, or null if there
    // are none.
    apply(map: Uint8Array, width: number, back: boolean, sink: ChangeSink): Rect | null;
}

export interface History {
    // Reopens the last step if it has the same tag and nothing was undone since; otherwise opens a new one.
    begin(tag?: string): Stroke;
    commit(stroke: Stroke): void; // drops an empty stroke
    undo(): Stroke | null; // the step to revert
    redo(): Stroke | null;
    clear(): void;
    readonly canUndo: boolean;
    readonly canRedo: boolean;
}

// A part of a stroke: single cells or a rectangle.
interface Piece {
    readonly bytes: number;
    apply(map: Uint8Array, width: number, back: boolean, sink: ChangeSink): Rect;
}

interface Cells extends Piece {
    add(index: number, before: number, after: number): void;
}

function makeCells(): Cells {
    let index = new Uint32Array(256);
    let before = new Uint8Array(256);
    let after = new Uint8Array(256);
    let count = 0;

    function grow(): void {
        const larger = <T extends Uint32Array | Uint8Array>(old: T, fresh: T): T => (fresh.set(old), fresh);
        index = larger(index, new Uint32Array(2 * count));
        before = larger(before, new Uint8Array(2 * count));
        after = larger(after, new Uint8Array(2 * count));
    }

    return {
        get bytes() {
            return CELL_BYTES * count;
        },
        add(at, was, is) {
            if (count === index.length) grow();
            index[count] = at;
            before[count] = was;
            after[count++] = is;
        },
        apply(map, width, back, sink) {
            let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
            for (let k = 0; k < count; ++k) {
                const i = back ? count - 1 - k : k; // in reverse: a cell painted twice gets its first terrain back
                const terrain = back ? before[i] : after[i];
                const x = index[i] % width;
                const y = (index[i] - x) / width;
                map[index[i]] = terrain;
                sink.cell(x, y, terrain);
                left = Math.min(left, x);
                top = Math.min(top, y);
                right = Math.max(right, x);
                bottom = Math.max(bottom, y);
            }
            return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
        },
    };
}

// Calls `use` with each row of a rectangle in the map, and the offset of the row within the rectangle.
export function rowsOf(rect: Rect, map: Uint8Array, width: number, use: (row: Uint8Array, at: number) => void): void {
    for (let i = 0; i < rect.height; ++i) {
        const from = (rect.y + i) * width + rect.x;
        use(map.subarray(from, from + rect.width), i * rect.width);
    }
}

function makeRect(rect: Rect, before: Uint8Array, after: number): Piece {
    return {
        bytes: before.length,
        apply(map, width, back, sink) {
            rowsOf(rect, map, width, (row, at) => (back ? row.set(before.subarray(at, at + rect.width)) : row.fill(after)));
            if (back) sink.patch(rect, before);
            else sink.rect(rect, after);
            return rect;
        },
    };
}

function makeStroke(tag: string): Stroke {
    const pieces: Piece[] = [];
    let cells: Cells | null = null; // the last piece, if it is of this type
    return {
        tag,
        get bytes() {
            return pieces.reduce((sum, piece) => sum + piece.bytes, 0);
        },
        add(index, before, after) {
            if (!cells) pieces.push((cells = makeCells()));
            cells.add(index, before, after);
        },
        addRect(rect, before, after) {
            cells = null;
            pieces.push(makeRect(rect, before, after));
        },
        apply(map, width, back, sink) {
            const boxes = (back ? [...pieces].reverse() : pieces).map((piece) => piece.apply(map, width, back, sink));
            return boxes.length > 0 ? boxes.reduce(union) : null;
        },
    };
}

export function makeHistory(): History {
    let done: Stroke[] = [];
    let undone: Stroke[] = [];
    const total = (): number => done.reduce((sum, stroke) => sum + stroke.bytes, 0);
    return {
        begin(tag = '') {
            const last = done[done.length - 1];
            return tag !== '' && last?.tag === tag && undone.length === 0 ? done.pop()! : makeStroke(tag);
        },
        commit(stroke) {
            if (stroke.bytes === 0) return;
            done.push(stroke);
            undone = [];
            while (done.length > 1 && total() > MAX_BYTES) done.shift();
        },
        undo() {
            const step = done.pop() ?? null;
            if (step) undone.push(step);
            return step;
        },
        redo() {
            const step = undone.pop() ?? null;
            if (step) done.push(step);
            return step;
        },
        clear() {
            done = [];
            undone = [];
        },
        get canUndo() {
            return done.length > 0;
        },
        get canRedo() {
            return undone.length > 0;
        },
    };
}
