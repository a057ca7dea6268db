// The page's logic without browser and engine: strokes and their history, shapes, fire, the camera, typed costs.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const FILES = ['world/edits', 'world/shapes', 'world/fire', 'world/places', 'world/repairs', 'view/camera', 'tabs/method-names', 'creatures', 'types'];
let folder;
let page;

before(async () => {
    globalThis.requestAnimationFrame = (run) => setTimeout(run, 0);
    folder = mkdtempSync(join(tmpdir(), 'terrane-page-'));
    const outfile = join(folder, 'page.mjs');
    const stdin = {
        contents: FILES.map((name) => `export * from './${name}';`).join('\n'),
        resolveDir: join(here, '../src'),
        loader: 'ts',
    };
    await build({ stdin, outfile, bundle: true, format: 'esm', target: 'es2022', logLevel: 'warning' });
    page = await import(pathToFileURL(outfile));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const TERRAINS = ['ground', 'trees', 'fire', 'water'].map((name) => ({ name, letter: '', color: [0, 0, 0] }));

// A world with a fake engine that applies edits after a short delay.
function setUp(width, height, terrain = 0) {
    const world = { width, height, cells: new Uint8Array(width * height).fill(terrain), terrains: TERRAINS, used: [], edited: false };
    const engine = { cells: world.cells.slice(), batches: 0, numbers: 0 };
    const put = (x, y, value) => (engine.cells[y * width + x] = value);
    const send = async (batch) => {
        ++engine.batches;
        await new Promise((resolve) => setTimeout(resolve, 1));
        for (const edit of batch) {
            if ('rect' in edit) {
                for (let y = 0; y < edit.rect.height; ++y)
                    for (let x = 0; x < edit.rect.width; ++x)
                        put(edit.rect.x + x, edit.rect.y + y, edit.terrain ?? edit.terrains[y * edit.rect.width + x]);
            } else engine.numbers += edit.cells.length;
            for (let i = 0; i < (edit.cells?.length ?? 0); i += 3) put(edit.cells[i], edit.cells[i + 1], edit.cells[i + 2]);
        }
        return { cells: 1, sectors: 1, reconnected: 0, repaired: new Int32Array(0), version: 0, ms: 0 };
    };
    const edits = page.makeEdits({ world: () => world, send, changed() {}, repaired() {}, failed: (message) => assert.fail(message) });
    return { world, engine, edits };
}

function random(seed) {
    let state = seed;
    return (below) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % below;
}

test('painting, undo and redo reach the engine in order', async () => {
    const { world, engine, edits } = setUp(90, 60); // some rectangles are large
    const draw = random(7);
    for (let i = 0; i < 300; ++i) {
        const rect = { x: draw(100) - 5, y: draw(70) - 5, width: 1 + draw(90), height: 1 + draw(70) };
        const kind = draw(6);
        if (kind < 2) edits.fill(rect, draw(4));
        if (kind === 2) edits.span(rect.y, rect.x, rect.x + rect.width, draw(4));
        if (kind === 3) edits.undo();
        if (kind === 4) edits.redo();
        if (kind === 5 && draw(3) === 0) await edits.settled();
    }
    await edits.settled();
    assert.deepEqual(engine.cells, world.cells);
    assert.ok(engine.batches < 300);
});

test('a stroke is one undo step, and undoing everything restores the opened map', async () => {
    const { world, engine, edits } = setUp(30, 30);
    const before = world.cells.slice();
    edits.begin();
    for (let i = 0; i < 20; ++i) edits.span(i, i, i + 5, 1 + (i % 3));
    edits.span(3, 0, 29, 2); // over the same cells again
    edits.end();
    assert.notDeepEqual(world.cells, before);
    edits.undo();
    assert.deepEqual(world.cells, before);
    assert.equal(edits.canUndo, false);
    edits.redo();
    assert.equal(edits.canRedo, false);
    edits.undo();
    await edits.settled();
    assert.deepEqual(engine.cells, before);
});

test('a large rectangle, its undo and its redo are sent to the engine as rectangles', async () => {
    const { world, engine, edits } = setUp(200, 100);
    edits.span(5, 0, 99, 3);
    await edits.settled();
    const before = world.cells.slice();
    const painted = engine.numbers;
    edits.fill({ x: 0, y: 0, width: 200, height: 100 }, 3);
    edits.fill({ x: 0, y: 0, width: 200, height: 100 }, 3); // changes nothing: no undo step
    assert.ok(world.cells.every((cell) => cell === 3));
    edits.undo();
    await edits.settled();
    assert.deepEqual(world.cells, before);
    assert.deepEqual(engine.cells, before);
    edits.redo();
    await edits.settled();
    assert.ok(engine.cells.every((cell) => cell === 3));
    assert.equal(engine.numbers, painted, 'no cell was sent individually');
});

test('an abandoned stroke leaves nothing behind', async () => {
    const { world, engine, edits } = setUp(30, 30);
    edits.begin();
    edits.fill({ x: 2, y: 2, width: 9, height: 9 }, 3);
    edits.abandon();
    await edits.settled();
    assert.ok(world.cells.every((cell) => cell === 0) && engine.cells.every((cell) => cell === 0));
    assert.equal(edits.canUndo || edits.canRedo, false);
});

test('nothing is painted while a world is created', () => {
    const { world, edits } = setUp(10, 10);
    edits.lock();
    edits.fill({ x: 0, y: 0, width: 10, height: 10 }, 1);
    edits.unlock(false);
    assert.ok(world.cells.every((cell) => cell === 0));
});

function cellsOf(draw) {
    const cells = new Set();
    draw((y, x0, x1) => {
        for (let x = x0; x <= x1; ++x) cells.add(`${x},${y}`);
    });
    return cells;
}

test('a disc has the given width and is round', () => {
    for (const size of [1, 2, 3, 4, 7, 12, 33]) {
        const xs = [];
        const cells = cellsOf((tell) => page.disc({ x: 100, y: 100 }, size, (y, x0, x1) => (xs.push(x0, x1), tell(y, x0, x1))));
        assert.equal(Math.max(...xs) - Math.min(...xs) + 1, size, `size ${size}`);
        for (const cell of cells) {
            const [x, y] = cell.split(',').map(Number);
            assert.ok(cells.has(`${y},${x}`), 'symmetric along both axes');
        }
    }
});

test('no agent can cross a thin line diagonally', () => {
    const draw = random(3);
    for (let i = 0; i < 100; ++i) {
        const [from, to] = [0, 1].map(() => ({ x: draw(40), y: draw(40) }));
        const cells = cellsOf((tell) => page.stroke(from, to, 1, tell));
        const seen = new Set([`${from.x},${from.y}`]);
        const open = [...seen];
        while (open.length > 0) {
            const [x, y] = open.pop().split(',').map(Number);
            for (const next of [`${x + 1},${y}`, `${x - 1},${y}`, `${x},${y + 1}`, `${x},${y - 1}`]) {
                if (cells.has(next) && !seen.has(next)) open.push((seen.add(next), next));
            }
        }
        assert.equal(seen.size, cells.size, '4-connected');
    }
});

function burn(seed, ticks) {
    const { world, edits } = setUp(50, 50, 1);
    const fire = page.makeFire(
        () => world,
        edits,
        () => seed,
    );
    fire.light(25, 25);
    for (let i = 0; i < ticks; ++i) fire.tick();
    return { world, edits, fire };
}

test('the same seed burns the same cells, another seed other cells', () => {
    const once = burn(5, 25).world.cells;
    assert.deepEqual(burn(5, 25).world.cells, once);
    assert.notDeepEqual(burn(6, 25).world.cells, once);
    assert.ok(once.includes(2) && once.includes(0) && once.includes(1), 'some burns, some has burnt, some does not');
});

test('a whole fire is one undo step, which extinguishes it', () => {
    const { world, edits, fire } = burn(5, 25);
    edits.undo();
    assert.ok(world.cells.every((cell) => cell === 1));
    fire.tick();
    assert.equal(fire.burning, 0);
});

test('fire stops at terrain that does not burn', () => {
    const { world, edits } = setUp(30, 30, 1);
    edits.fill({ x: 15, y: 0, width: 1, height: 30 }, 3);
    const fire = page.makeFire(
        () => world,
        edits,
        () => 1,
    );
    fire.light(5, 5);
    for (let i = 0; i < 500; ++i) fire.tick();
    assert.equal(fire.burning, 0);
    for (let y = 0; y < 30; ++y) for (let x = 16; x < 30; ++x) assert.equal(world.cells[y * 30 + x], 1);
});

test('zooming keeps the point under the pointer fixed', () => {
    const stage = { x: 0, y: 0, width: 512, height: 512 };
    const screen = { width: 800, height: 600, insets: { top: 0, right: 0, bottom: 200, left: 0 } };
    const at = page.middle(screen);
    let camera = page.fitted(stage, screen);
    const under = (c) => [c.x + (350 - at.x) / c.scale, c.y + (220 - at.y) / c.scale];
    const before = under(camera);
    for (let i = 0; i < 12; ++i) camera = page.zoomed(camera, 1.2, 350, 220, stage, screen);
    under(camera).forEach((value, i) => assert.ok(Math.abs(value - before[i]) < 1e-6));
});

test('the camera stays on the map and within its scale limits', () => {
    const stage = { x: 0, y: 0, width: 100, height: 50 };
    const screen = { width: 800, height: 600, insets: { top: 0, right: 0, bottom: 0, left: 0 } };
    const whole = page.fitted(stage, screen).scale;
    const camera = page.bounded({ x: -1e9, y: 1e9, scale: 1e9 }, stage, screen);
    assert.deepEqual(camera, { x: 0, y: 50, scale: 64 });
    assert.equal(page.bounded({ x: 0, y: 0, scale: 0 }, stage, screen).scale, whole / 3);
});

test('flags are on passable terrain, and one is reachable from the other', () => {
    const width = 200;
    const cells = new Uint8Array(width * 100).fill(3); // water, with a large island and a small one
    for (let y = 10; y < 90; ++y) for (let x = 10; x < 120; ++x) cells[y * width + x] = 0;
    for (let y = 30; y < 40; ++y) for (let x = 150; x < 160; ++x) cells[y * width + x] = 0;
    const flags = page.goodFlags({ width, height: 100, cells }, [true, true, false, false]);
    for (const { x, y } of [flags.from, flags.to]) assert.ok(x >= 10 && x < 120 && y >= 10 && y < 90);
    assert.equal(page.goodFlags({ width, height: 100, cells }, [false, false, false, false]), null);
});

test('a cost is a number or blocked, and nothing else', () => {
    const cases = {
        1: 100,
        1.5: 150,
        '0,25': 25,
        650: 65000,
        x: 0,
        '×': 0,
        '': 0,
        0: 0,
        blocked: 0,
        0.001: null,
        651: null,
        '-1': null,
        abc: null,
        '1e3': null,
    };
    for (const [text, hundredths] of Object.entries(cases)) assert.equal(page.parseCost(text), hundredths, `'${text}'`);
});

test('numbers are formatted for people', () => {
    assert.equal(page.costText(197000n), '1.00');
    assert.equal(page.costText(1234567890n), '6,266.84');
    assert.equal(page.timeText(0.25), '250 µs');
    assert.equal(page.timeText(12.34), '12.3 ms');
    assert.equal(page.bytesText(1536), '1.5 KB');
});

test('states saved by older pages have their method names translated', () => {
    const cases = { 'mm:16+smooth': 'minimal_memory:16+smooth', 'overlay:2+corridor': 'overlay:2+smooth', 'astar+refract': 'astar+any_angle', astar: 'astar' };
    for (const [old, current] of Object.entries(cases)) assert.equal(page.renamedMethod(old), current);
});
