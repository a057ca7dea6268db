// Painting: keeps the page's mirror, the engine's world and the stroke history consistent. Every edit of a cell goes through it. The
// mirror changes at once. The engine receives one batch at a time, at most once per frame: slow repairs make batches larger instead of
// queueing them.
import type { Edit, EditAnswer } from '../engine/protocol';
import type { Cell, Rect, WorldState } from '../types';
import { makeHistory, rowsOf, type Stroke, type ChangeSink } from './history';

export interface Edits {
    // A stroke is one undo step. set(), span() and fill() outside begin() and end() are strokes of their own. begin() returns false if a
    // stroke is already open. Consecutive strokes with the same tag form one step.
    begin(tag?: string): boolean;
    set(cells: Iterable<Cell>, terrain: number): void; // cells outside the map are ignored
    span(y: number, x0: number, x1: number, terrain: number): void; // x0 to x1, inclusive
    fill(rect: Rect, terrain: number): void;
    end(): void;
    abandon(): void; // reverts the open stroke
    undo(): void;
    redo(): void;
    readonly canUndo: boolean;
    readonly canRedo: boolean;
    // Resolves when the engine has applied everything painted so far.
    settled(): Promise<void>;
    // Locks painting while a world is created. `clearHistory`: it is a different world, so all strokes are dropped.
    lock(): void;
    unlock(clearHistory: boolean): void;
}

export interface EditsOptions {
    world(): WorldState;
    send(edits: Edit[]): Promise<EditAnswer>; // large edits take a while
    changed(rect: Rect): void; // redraw this part of the mirror
    repaired(answer: EditAnswer): void;
    failed(message: string): void;
}

const RECT_CELLS = 2048; // filled rectangles from this size on are stored and sent as one

interface Batch extends ChangeSink {
    take(): Edit[];
    empty(): boolean;
}

// Collects edits in order until they are sent.
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
        if (batch.empty()) resolveSettled();
        else schedule();
    }

    function resolveSettled(): void {
        const resolvers = waiting;
        waiting = [];
        for (const resolve of resolvers) resolve();
    }

    // Returns true if the cell's terrain changed.
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

    // Paints with `work`, as a stroke of its own if none is open.
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
        if (stroke) history.commit(stroke);
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

    // Row by row: milliseconds for millions of cells.
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
        unlock(clearHistory) {
            locked = false;
            if (!clearHistory) return schedule();
            history.clear();
            batch = makeBatch();
            if (!sending) resolveSettled();
        },
    };
}
