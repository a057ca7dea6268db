// Painting: keeps the page's mirror, the engine's world and the history of strokes together. Every change of a cell goes through here.
// The mirror changes at once; the engine gets what changed once a frame, and one batch at a time: a slow repair makes larger batches, never
// a queue.
import type { Edit, EditAnswer } from '../engine/protocol';
import type { Cell, Rect, WorldState } from '../types';
import { makeHistory, rowsOf, type Stroke, type Tell } from './history';

export interface Edits {
    // One stroke is one step of undo. set(), span() and fill() outside of begin() and end() are strokes of their own.
    // begin() is true where it began one: none was under way. Strokes with the same tag, one after the other, are one step.
    begin(tag?: string): boolean;
    set(cells: Iterable<Cell>, terrain: number): void; // cells outside the map are passed over
    span(y: number, x0: number, x1: number, terrain: number): void; // from x0 to x1, both of them too
    fill(rect: Rect, terrain: number): void;
    end(): void;
    abandon(): void; // takes back the stroke under way, as if it had not begun
    undo(): void;
    redo(): void;
    readonly canUndo: boolean;
    readonly canRedo: boolean;
    // Everything painted so far has reached the engine.
    settled(): Promise<void>;
    // While a world is being made, nothing is painted. `forget`: it is another one, and the strokes of the one before are gone.
    lock(): void;
    unlock(forget: boolean): void;
}

export interface EditsOptions {
    world(): WorldState;
    send(edits: Edit[]): Promise<EditAnswer>; // large ones take a while
    changed(rect: Rect): void; // of the mirror, to be drawn
    repaired(answer: EditAnswer): void;
    failed(message: string): void;
}

const RECT_CELLS = 2048; // a filled rectangle of so many is kept, and goes to the engine, as one

interface Batch extends Tell {
    take(): Edit[];
    empty(): boolean;
}

// What is to be sent, in the order that it was painted.
function makeBatch(): Batch {
    let edits: Edit[] = [];
    let numbers = new Int32Array(3 * 1024);
    let count = 0;

    function close(): void {
        if (count > 0) edits.push({ cells: numbers.slice(0, count) });
        count = 0;
    }

    function grow(): void {
        const larger = new Int32Array(2 * numbers.length);
        larger.set(numbers);
        numbers = larger;
    }

    return {
        cell(x, y, terrain) {
            if (count === numbers.length) grow();
            numbers[count++] = x;
            numbers[count++] = y;
            numbers[count++] = terrain;
        },
        rect(rect, terrain) {
            close();
            edits.push({ rect, terrain });
        },
        patch(rect, terrains) {
            close();
            edits.push({ rect, terrains });
        },
        take() {
            close();
            const taken = edits;
            edits = [];
            return taken;
        },
        empty: () => edits.length === 0 && count === 0,
    };
}

export function makeEdits(options: EditsOptions): Edits {
    const history = makeHistory();
    let batch = makeBatch();
    let stroke: Stroke | null = null;
    let locked = false;
    let scheduled = false;
    let sending = false;
    let waiting: (() => void)[] = [];

    function schedule(): void {
        if (scheduled || sending || batch.empty()) return;
        scheduled = true;
        requestAnimationFrame(() => void flush());
    }

    async function flush(): Promise<void> {
        scheduled = false;
        if (sending || batch.empty()) return;
        sending = true;
        try {
            options.repaired(await options.send(batch.take()));
        } catch (error) {
            options.failed((error as Error).message);
        }
        sending = false;
        if (batch.empty()) tellSettled();
        else schedule();
    }

    function tellSettled(): void {
        const told = waiting;
        waiting = [];
        for (const resolve of told) resolve();
    }

    // True: the cell had another terrain.
    function change(x: number, y: number, terrain: number): boolean {
        const { width, cells } = options.world();
        const index = y * width + x;
        const before = cells[index];
        if (before === terrain) return false;
        cells[index] = terrain;
        stroke?.add(index, before, terrain);
        return true;
    }

    function cut(rect: Rect): Rect {
        const { width, height } = options.world();
        const x = Math.max(0, rect.x);
        const y = Math.max(0, rect.y);
        return {
            x,
            y,
            width: Math.max(0, Math.min(width, rect.x + rect.width) - x),
            height: Math.max(0, Math.min(height, rect.y + rect.height) - y),
        };
    }

    // Paints by `work`, as a stroke of its own where none has begun.
    function painting(work: () => void): void {
        if (locked) return;
        const own = begin();
        work();
        options.world().edited = true;
        schedule();
        if (own) end();
    }

    function use(terrain: number): void {
        const { used } = options.world();
        if (!used.includes(terrain)) used.push(terrain);
    }

    function begin(tag = ''): boolean {
        if (locked || stroke) return false;
        stroke = history.begin(tag);
        return true;
    }

    function end(): void {
        if (stroke) history.keep(stroke);
        stroke = null;
    }

    function span(y: number, x0: number, x1: number, terrain: number): void {
        const part = cut({ x: x0, y, width: x1 - x0 + 1, height: 1 });
        if (part.width <= 0 || part.height <= 0) return;
        use(terrain);
        painting(() => {
            for (let x = part.x; x < part.x + part.width; ++x) if (change(x, y, terrain)) batch.cell(x, y, terrain);
            options.changed(part);
        });
    }

    function fill(rect: Rect, terrain: number): void {
        const part = cut(rect);
        if (part.width <= 0 || part.height <= 0) return;
        use(terrain);
        painting(() => {
            if (part.width * part.height >= RECT_CELLS) return fillWhole(part, terrain);
            for (let y = part.y; y < part.y + part.height; ++y) {
                for (let x = part.x; x < part.x + part.width; ++x) if (change(x, y, terrain)) batch.cell(x, y, terrain);
            }
            options.changed(part);
        });
    }

    // By rows: some milliseconds for millions of cells.
    function fillWhole(rect: Rect, terrain: number): void {
        const { width, cells } = options.world();
        const before = new Uint8Array(rect.width * rect.height);
        rowsOf(rect, cells, width, (row, at) => before.set(row, at));
        if (before.every((one) => one === terrain)) return;
        rowsOf(rect, cells, width, (row) => row.fill(terrain));
        stroke?.addRect(rect, before, terrain);
        batch.rect(rect, terrain);
        options.changed(rect);
    }

    function apply(step: Stroke | null, back: boolean): void {
        if (!step || locked) return;
        const { width, cells } = options.world();
        const box = step.apply(cells, width, back, batch);
        if (box) options.changed(box);
        schedule();
    }

    return {
        begin,
        set(cells, terrain) {
            painting(() => {
                for (const cell of cells) span(cell.y, cell.x, cell.x, terrain);
            });
        },
        span,
        fill,
        end,
        abandon() {
            const begun = stroke;
            stroke = null;
            apply(begun, true);
        },
        undo() {
            end();
            apply(history.undo(), true);
        },
        redo() {
            end();
            apply(history.redo(), false);
        },
        get canUndo() {
            return history.canUndo;
        },
        get canRedo() {
            return history.canRedo;
        },
        async settled() {
            if (!sending && batch.empty()) return;
            await new Promise<void>((resolve) => waiting.push(resolve));
        },
        lock() {
            end();
            locked = true;
        },
        unlock(forget) {
            locked = false;
            if (!forget) return schedule();
            history.clear();
            batch = makeBatch();
            if (!sending) tellSettled();
        },
    };
}
