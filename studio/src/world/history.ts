// Strokes that can be taken back: for each cell that changed, its terrain before and after.
import type { Rect } from '../types';

const MOST_CELLS = 32 << 20; // of all strokes together: 6 bytes each; the oldest are forgotten first

export interface Stroke {
    readonly cells: number;
    readonly tag: string; // empty: none
    add(index: number, before: number, after: number): void;
    // Puts the cells as they were before (`back`) or after the stroke, and tells each of them. The box around them; null: none.
    apply(map: Uint8Array, width: number, back: boolean, tell: (x: number, y: number, terrain: number) => void): Rect | null;
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

function makeStroke(tag: string): Stroke {
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
        tag,
        get cells() {
            return count;
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
                tell(x, y, terrain);
                left = Math.min(left, x);
                top = Math.min(top, y);
                right = Math.max(right, x);
                bottom = Math.max(bottom, y);
            }
            return count > 0 ? { x: left, y: top, width: right - left + 1, height: bottom - top + 1 } : null;
        },
    };
}

export function makeHistory(): History {
    let done: Stroke[] = [];
    let undone: Stroke[] = [];
    const total = (): number => done.reduce((sum, stroke) => sum + stroke.cells, 0);
    return {
        begin(tag = '') {
            const last = done[done.length - 1];
            return tag !== '' && last?.tag === tag && undone.length === 0 ? done.pop()! : makeStroke(tag);
        },
        keep(stroke) {
            if (stroke.cells === 0) return;
            done.push(stroke);
            undone = [];
            while (done.length > 1 && total() > MOST_CELLS) done.shift();
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
