// Strokes that can be taken back: for each cell that changed, its terrain before and after; of large rectangles, what they were before.
import { union, type Rect } from '../types';

const MOST_BYTES = 192 << 20; // of all strokes together; the oldest are forgotten first
const CELL_BYTES = 6;

// What a step that is applied tells of: the cells that change, in the order in which they do.
export interface Tell {
    cell(x: number, y: number, terrain: number): void;
    rect(rect: Rect, terrain: number): void;
    patch(rect: Rect, terrains: Uint8Array): void; // by rows; they stay as they are
}

export interface Stroke {
    readonly bytes: number; // 0: it changed nothing
    readonly tag: string; // empty: none
    add(index: number, before: number, after: number): void;
    addRect(rect: Rect, before: Uint8Array, after: number): void;
    // Puts the cells as they were before (`back`) or after the stroke, and tells of them. The box around them; null: none.
    apply(map: Uint8Array, width: number, back: boolean, tell: Tell): Rect | null;
}

export interface History {
    // The last step once more where it has the same tag (and none was taken back since): what comes in pieces is one step.
    begin(tag?: string): Stroke;
    keep(stroke: Stroke): void; // an empty one is not kept
    undo(): Stroke | null; // the step to be taken back
    redo(): Stroke | null;
    clear(): void;
    readonly canUndo: boolean;
    readonly canRedo: boolean;
}

// A part of a stroke: cells one by one, or a rectangle.
interface Piece {
    readonly bytes: number;
    apply(map: Uint8Array, width: number, back: boolean, tell: Tell): Rect;
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
        apply(map, width, back, tell) {
            let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
            for (let k = 0; k < count; ++k) {
                const i = back ? count - 1 - k : k; // a cell that was painted twice ends as it began
                const terrain = back ? before[i] : after[i];
                const x = index[i] % width;
                const y = (index[i] - x) / width;
                map[index[i]] = terrain;
                tell.cell(x, y, terrain);
                left = Math.min(left, x);
                top = Math.min(top, y);
                right = Math.max(right, x);
                bottom = Math.max(bottom, y);
            }
            return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
        },
    };
}

// Calls with each row of a rectangle: the part of the map, and where it begins in the rectangle's own numbers.
export function rowsOf(rect: Rect, map: Uint8Array, width: number, use: (row: Uint8Array, at: number) => void): void {
    for (let i = 0; i < rect.height; ++i) {
        const from = (rect.y + i) * width + rect.x;
        use(map.subarray(from, from + rect.width), i * rect.width);
    }
}

function makeRect(rect: Rect, before: Uint8Array, after: number): Piece {
    return {
        bytes: before.length,
        apply(map, width, back, tell) {
            rowsOf(rect, map, width, (row, at) => (back ? row.set(before.subarray(at, at + rect.width)) : row.fill(after)));
            if (back) tell.patch(rect, before);
            else tell.rect(rect, after);
            return rect;
        },
    };
}

function makeStroke(tag: string): Stroke {
    const pieces: Piece[] = [];
    let cells: Cells | null = null; // the last piece, where it is such
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
        apply(map, width, back, tell) {
            const boxes = (back ? [...pieces].reverse() : pieces).map((piece) => piece.apply(map, width, back, tell));
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
        keep(stroke) {
            if (stroke.bytes === 0) return;
            done.push(stroke);
            undone = [];
            while (done.length > 1 && total() > MOST_BYTES) done.shift();
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
