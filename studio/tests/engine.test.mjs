// The engine's module and the page's code around it, without a browser. If TERRANE names the native program, both must give exactly the
// same answers.
//
//   TERRANE_WASM=build/wasm/capi/terrane.wasm TERRANE=build/release/terrane node --test studio/tests/engine.test.mjs
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const wasm = process.env.TERRANE_WASM ?? join(here, '../../build/wasm/capi/terrane.wasm');
const native = process.env.TERRANE;
const noNative = native ? false : 'TERRANE does not name the native program: skipped';
const job = { check() {}, end: () => assert.fail('ended'), pause: async () => {}, progress() {} };

let folder;
let engine;
let code;

before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'terrane-engine-'));
    const outfile = join(folder, 'engine.mjs');
    const names = { loadModule: 'module', makeCommands: 'commands', abi: 'terrane', startEngine: 'client', Cancelled: 'client' };
    const contents = Object.entries(names)
        .map(([name, file]) => `export { ${name} } from './${file}';`)
        .join('\n');
    const stdin = { contents, resolveDir: join(here, '../src/engine'), loader: 'ts' };
    await build({ stdin, outfile, bundle: true, format: 'esm', target: 'es2022', logLevel: 'warning' });
    code = await import(pathToFileURL(outfile));
});
after(() => rmSync(folder, { recursive: true, force: true }));

// Each test has its own engine, on a small island with the four presets.
async function start({ size = 192, seed = 7, kind = 'island' } = {}) {
    const module = await code.loadModule(readFileSync(wasm));
    const decode = async () => assert.fail('nothing is to be decoded here');
    const commands = code.makeCommands(module, { decode, retire: (run) => run() });
    engine = (name, request = null, with_ = job) => commands[name](request, with_);
    engine.module = module;
    engine.world = await engine('generate', { kind, width: size, height: size, seed, detail: 0, terrains: 0 });
    await useCreatures(['person', 'deer', 'outlaw', 'walker']);
    return engine;
}

async function useCreatures(names) {
    const creatures = [];
    for (const name of names) creatures.push({ name, costs: await engine('preset', name) });
    await engine('setCreatures', creatures);
    return creatures;
}

// Returns road cells far from each other, which person, deer and outlaw can enter.
function roadCells(count) {
    const { width, height, cells, terrains } = engine.world;
    const road = terrains.findIndex((terrain) => terrain.name === 'road');
    const found = [];
    for (let i = 0; i < width * height; ++i) if (cells[i] === road) found.push({ x: i % width, y: Math.floor(i / width) });
    assert.ok(found.length >= count, 'the island has a road');
    return Array.from({ length: count }, (_, i) => found[Math.floor((i * (found.length - 1)) / Math.max(1, count - 1))]);
}

async function saved() {
    const file = join(folder, `world-${Math.random()}.map`);
    writeFileSync(file, await engine('save', 'map'));
    return file;
}

// Exit code 1 means that a path was not found; the output is still valid.
async function nativePath(file, from, to, method, profiles, more = []) {
    const args = ['path', file, '--from', `${from.x},${from.y}`, '--to', `${to.x},${to.y}`, '--method', method, '--json', '-', ...more];
    for (const profile of profiles) args.push('--profile', profile);
    const run = promisify(execFile)(native, args, { maxBuffer: 1 << 28 });
    const { stdout } = await run.catch((error) => (error.code === 1 ? error : Promise.reject(error)));
    return JSON.parse(stdout).answers;
}

const flat = (cells) => cells.flat();

test('The module reports its version and methods', async () => {
    await start({ size: 32 });
    const { version, abi } = await engine('version');
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.equal(abi, code.abi);
    const methods = await engine('methods');
    assert.ok(methods.paths.some((method) => method.example === 'astar'));
    for (const method of methods.paths) assert.equal((await engine('checkMethod', method.example)).prepares, method.prepares);
});

test('A generated island has its cells, its catalogue and its checksum', async () => {
    await start();
    const { width, height, cells, terrains, checksum, sectors } = engine.world;
    assert.deepEqual([width, height, cells.length], [192, 192, 192 * 192]);
    assert.ok(terrains.some((terrain) => terrain.name === 'deep_water'));
    assert.ok(cells.every((cell) => cell < terrains.length));
    assert.deepEqual(sectors, [16]);
    const again = await engine('fromCells', { width, height, cells, terrains });
    assert.equal(again.checksum, checksum);
    assert.deepEqual(again.terrains, terrains);
});

test('All creatures find paths, and slicing does not change them', async () => {
    await start();
    const [from, to] = roadCells(2);
    const queries = [0, 1, 2].map((creature) => ({ creature, from, to, method: 'astar' }));
    const paths = await engine('find', queries);
    for (const path of paths) {
        assert.equal(path.status, 'found');
        assert.ok(path.cost > 0n && path.expansions > 0);
        assert.equal(path.costText, (Number(path.cost) / 197000).toFixed(2));
        assert.deepEqual([...path.cells.slice(0, 2), ...path.cells.slice(-2)], [from.x, from.y, to.x, to.y]);
    }
    const weighted = await engine('find', [{ creature: 1, from, to, method: 'wastar:1.5' }]);
    assert.ok(weighted[0].cost >= paths[1].cost && Number(weighted[0].cost) <= 1.5 * Number(paths[1].cost));
});

test('Heat counts every expansion; a traced search is the same', async () => {
    await start({ size: 96 });
    const [from, to] = roadCells(2);
    const [path] = await engine('find', [{ creature: 1, from, to, method: 'astar', heat: true }]);
    assert.equal(
        path.heat.reduce((sum, count) => sum + count, 0),
        path.expansions,
    );
    const traced = await engine('trace', { creature: 1, from, to, method: 'astar' });
    assert.equal(traced.path.cost, path.cost);
    assert.match(traced.text, /version/);
});

test('Edits change cells, repair sectors, and raise the version', async () => {
    await start();
    const [from, to] = roadCells(2);
    const query = { creature: 0, from, to, method: 'dta:16+smooth' };
    const [first] = await engine('find', [query]);
    const lava = engine.world.terrains.findIndex((terrain) => terrain.name === 'lava');
    const middle = 2 * Math.floor(first.cells.length / 4);
    const [x, y] = first.cells.slice(middle, middle + 2);
    const rect = { x: x - 1, y: y - 1, width: 3, height: 3 };
    const edit = await engine('edit', [{ rect, terrain: lava }, { cells: Int32Array.of(0, 0, lava, -5, 9, lava) }]);
    assert.equal(edit.cells, 10);
    assert.ok(edit.repaired.length >= 8 && edit.repaired.length % 4 === 0);
    assert.ok(edit.sectors >= 2 && edit.version > engine.world.version);
    const [second] = await engine('find', [query]);
    assert.equal(second.version, edit.version);
    assert.notDeepEqual(second.cells, first.cells);
    const { cells } = await engine('fromCells', { ...engine.world, cells: engine.world.cells });
    assert.equal(cells[y * 192 + x], engine.world.cells[y * 192 + x], 'the page keeps its own cells');
});

test('Invalid requests are rejected with a reason and change nothing', async () => {
    await start({ size: 64 });
    const [from, to] = roadCells(2);
    const { checksum } = await engine('info');
    const refused = (name, request, words) => assert.rejects(async () => engine(name, request), words);
    await refused('openFile', { name: 'bad.map', bytes: new TextEncoder().encode('type octile\nheight x\n').buffer }, /bad\.map/);
    await refused('openFile', { name: 'empty.map', bytes: new ArrayBuffer(0) }, /./);
    await refused('generate', { kind: 'island', width: -4, height: 9, seed: 1, detail: 0, terrains: 0 }, /./);
    await refused('fromCells', { width: 2, height: 2, cells: Uint8Array.of(0, 0, 0, 250), terrains: [] }, /250/);
    await refused('edit', [{ rect: { x: 0, y: 0, width: 4, height: 4 }, terrain: 200 }], /./);
    await refused('find', [{ creature: 0, from, to, method: 'teleport' }], /teleport/);
    await refused('find', [{ creature: 0, from, to, method: 'x'.repeat(200) }], /too long/);
    await refused('find', [{ creature: 9, from, to }], /creature 9/);
    await refused('prepare', { creature: 0, method: 'astar' }, /./);
    await refused('preset', 'dragon', /dragon/);
    assert.equal((await engine('info')).checksum, checksum);
    assert.equal((await engine('find', [{ creature: 0, from, to }]))[0].status, 'found');
    assert.equal((await engine('find', [{ creature: 0, from: { x: -1, y: 0 }, to }]))[0].status, 'outside-map');
});

test('Saved files open unchanged', async () => {
    await start({ size: 80 });
    const { checksum } = engine.world;
    for (const format of ['map', 'terrane']) {
        const bytes = await engine('save', format);
        const again = await engine('openFile', { name: `world.${format}`, bytes: bytes.buffer });
        assert.equal(again.checksum, checksum, format);
    }
});

test('Prepared methods: rejected before, found after, discarded again', async () => {
    await start();
    const [from, to] = roadCells(2);
    const ask = async (method) => (await engine('find', [{ creature: 1, from, to, method }]))[0];
    assert.equal((await ask('hpa:16')).status, 'not-prepared');
    let told = 0;
    const watched = { ...job, sliceMs: 0, progress: (done) => void (told = done) };
    for (const method of ['hpa:16', 'overlay:2']) {
        const made = await engine('prepare', { creature: 1, method }, watched);
        assert.ok(made.bytes > 0);
        const path = await ask(method);
        assert.equal(path.status, 'found');
        assert.ok(path.cost >= (await ask('astar')).cost);
    }
    assert.ok(told >= 0 && told <= 1);
    assert.ok((await engine('portals', { creature: 1, method: 'overlay:2' })).length > 0);
    assert.equal(await engine('discard', { creature: 1, method: 'overlay:2' }), true);
    assert.equal(await engine('preparedBytes', { creature: 1, method: 'overlay:2' }), 0);
});

test('Queries without a method use the overlay that is prepared for their costs', async () => {
    await start();
    const [from, to] = roadCells(2);
    const ask = async (creature, method = '') => (await engine('find', [{ creature, from, to, method }]))[0];
    const same = (a, b) => assert.deepEqual([a.method, a.cost, a.cells], [b.method, b.cost, b.cells]);
    assert.equal((await ask(1)).method, 'regions:16');
    same(await ask(1), await ask(1, 'regions:16'));
    await engine('prepare', { creature: 1, method: 'overlay:2', background: true });
    same(await ask(1), await ask(1, 'overlay:2+smooth'));
    const [quick] = await engine('find', [{ creature: 1, from, to, fast: true }]);
    same(quick, await ask(1, 'overlay:2'));
    assert.ok(quick.cost >= (await ask(1)).cost);
    assert.equal((await ask(0)).method, 'regions:16', 'another creature');
    assert.equal((await engine('shares', { creature: 1, from, to })).path.method, 'overlay:2+smooth');

    const creatures = await useCreatures(['outlaw', 'deer']); // the deer has the same index and costs
    assert.equal((await ask(1)).method, 'overlay:2+smooth');
    const { bytes } = await engine('info');
    creatures[1].costs = creatures[1].costs.map((cost) => 2 * cost);
    await engine('setCreatures', creatures);
    assert.equal((await ask(1)).method, 'regions:16');
    assert.ok((await engine('info')).bytes < bytes, 'unused data is discarded');

    // Costs that change during preparation.
    const changing = { ...job, sliceMs: 0, pause: async () => void (await useCreatures(['person', 'walker'])) };
    await start({ size: 512 });
    await assert.rejects(async () => engine('prepare', { creature: 1, method: 'overlay:2', background: true }, changing), /costs of the creature changed/);
});

test('A large edit in slices equals one edit', async () => {
    await start({ size: 512 });
    const { width, cells, terrains } = engine.world;
    const lava = terrains.findIndex((terrain) => terrain.name === 'lava');
    const rect = { x: 30, y: 70, width: 450, height: 400 };
    const before = new Uint8Array(rect.width * rect.height);
    for (let y = 0; y < rect.height; ++y) before.set(cells.subarray((rect.y + y) * width + rect.x, (rect.y + y) * width + rect.x + rect.width), y * rect.width);
    const seen = [];
    const watched = { ...job, sliceMs: 0, progress: (done) => seen.push(done) };
    const edit = await engine('edit', [{ rect, terrain: lava }], watched);
    assert.equal(edit.cells, before.filter((one) => one !== lava).length);
    assert.ok(seen.every((done, i) => done > 0 && done < 1 && (i === 0 || done > seen[i - 1])), `${seen}`);
    const sectors = new Set();
    for (let i = 0; i < edit.repaired.length; i += 4) sectors.add(`${edit.repaired[i]},${edit.repaired[i + 1]}`);
    assert.ok(sectors.size >= 28 * 25, `${sectors.size} sectors`);

    // A large edit discards background data and background preparation, and repairs data that was requested.
    await engine('prepare', { creature: 0, method: 'overlay:2', background: true });
    await engine('prepare', { creature: 1, method: 'overlay:2' });
    const painting = { ...job, sliceMs: 0, pause: async () => void (await engine('edit', [{ rect, terrain: lava }])) };
    await assert.rejects(engine('prepare', { creature: 2, method: 'overlay:2', background: true }, painting), /ended/);
    const kept = await Promise.all([0, 1, 2].map((creature) => engine('preparedBytes', { creature, method: 'overlay:2' })));
    assert.deepEqual(kept.map((bytes) => bytes > 0), [false, true, false]);

    // Undo row by row, in slices, restores the map. Queries meanwhile are answered.
    const [from, to] = roadCells(2);
    const back = engine('edit', [{ rect, terrains: before }], { ...job, pause: () => new Promise((resolve) => setTimeout(resolve, 0)) });
    const [path] = await engine('find', [{ creature: 3, from, to }]);
    assert.equal(path.statusText.length > 0, true);
    assert.equal((await back).cells, edit.cells);
    assert.equal((await engine('info')).checksum, engine.world.checksum);
});

test('A cancelled job leaves nothing behind', async () => {
    await start({ size: 512 });
    const stop = { ...job, sliceMs: 0, pause: async () => assert.fail('cancelled') };
    await assert.rejects(async () => engine('prepare', { creature: 1, method: 'overlay:4' }, stop), /cancelled/);
    assert.equal(await engine('preparedBytes', { creature: 1, method: 'overlay:4' }), 0);
});

test('Explanations of a path', async () => {
    await start();
    const [from, to] = roadCells(2);
    const query = { creature: 1, from, to, method: 'astar' };
    const { path, shares } = await engine('shares', query);
    assert.equal(
        shares.reduce((sum, share) => sum + share.cost, 0n),
        path.cost,
    );
    const area = { x: from.x, y: from.y, width: 1, height: 1 };
    assert.equal((await engine('through', { query, area })).cost, path.cost, 'the area of the start is entered by every path');
    const lava = engine.world.terrains.findIndex((terrain) => terrain.name === 'deep_water');
    await engine('edit', [
        { rect: { x: to.x - 3, y: to.y - 3, width: 7, height: 7 }, terrain: lava },
        { cells: Int32Array.of(to.x, to.y, engine.world.cells[to.y * 192 + to.x]) },
    ]);
    assert.equal((await engine('find', [query]))[0].status, 'unreachable');
    const why = await engine('obstacle', query);
    assert.deepEqual([why.status, why.blocked, why.firstTerrain, why.path.status], ['unreachable', 3, lava, 'partial']);
});

test('Regions of any sector size', async () => {
    await start();
    for (const sector of [16, 32]) {
        const regions = await engine('regions', sector);
        assert.equal(regions.nodes.length, 4 * regions.count);
        assert.equal(regions.edges.length, 3 * regions.edgeCount);
        assert.equal(regions.labels.length, 192 * 192);
        let cells = 0;
        for (let i = 3; i < regions.nodes.length; i += 4) cells += regions.nodes[i];
        assert.equal(cells, 192 * 192);
    }
    const measured = await engine('measure', { sector: 32, creature: 0, queries: 5, seed: 1 });
    assert.ok(measured.queries > 0 && measured.ratio >= 1 && measured.worst >= measured.ratio);
});

test('A crowd arrives, without a collision', async () => {
    await start({ size: 64, kind: 'rooms' });
    const request = { creatures: [3], method: 'pibt', seed: 3, lifelong: false, agents: 40, spawn: 'random' };
    let state = await engine('crowdNew', request);
    assert.equal(state.agents.length, 6 * 40);
    for (let i = 0; i < 20; ++i) state = await engine('crowdTick', { ticks: 20 });
    assert.equal(state.tick, 400);
    assert.equal(state.collisions, 0);
    assert.ok(state.arrivals >= 35, `${state.arrivals} arrived`);
    await assert.rejects(async () => engine('crowdNew', { ...request, agents: 60000 }), /./);
    assert.equal((await engine('crowdTick', { ticks: 1 })).tick, 401, 'the previous crowd is still there');
});

test("A path through weighted regions obeys Snell's law", async () => {
    await start({ size: 16 });
    const subdivision = await engine('subdivisionNew', { regions: 24, minCost: 1, maxCost: 8, blocked: 0, seed: 5, width: 1000, height: 1000 });
    assert.ok(subdivision.regions.length >= 20);
    const methods = (await engine('methods')).subdivision;
    assert.ok(methods.length > 0);
    const query = { from: { x: 40, y: 40 }, to: { x: 960, y: 950 }, method: 'brep+proven' };
    const path = await engine('subdivisionFind', query);
    assert.equal(path.status, 'found');
    assert.ok(path.bound >= 1 && path.bound < 1.001);
    for (const c of path.crossings.filter((each) => each.normalX !== 0 || each.normalY !== 0)) {
        const before_ = c.costFrom * Math.sin(c.angleFrom);
        assert.ok(Math.abs(before_ - c.costTo * Math.sin(c.angleTo)) < 1e-3 * Math.max(1, Math.abs(before_)));
    }
    const costlier = await engine('subdivisionFind', { ...query, costs: subdivision.regions.map((region, i) => ({ region: i, cost: 2 * region.cost })) });
    assert.ok(Math.abs(costlier.cost - 2 * path.cost) < 1e-3 * path.cost);
});

// --- The page's side, with a worker that answers on demand ---

class FakeWorker {
    static all = [];
    sent = [];
    ended = false;
    constructor() {
        FakeWorker.all.push(this);
    }
    postMessage(message) {
        this.sent.push(message);
    }
    terminate() {
        this.ended = true;
    }
    say(message) {
        this.onmessage({ data: message });
    }
    answer(value) {
        this.say({ kind: 'answer', id: this.sent.at(-1).id, value });
    }
}

function startClient(mirror = null) {
    FakeWorker.all = [];
    globalThis.Worker = FakeWorker;
    const told = [];
    const client = code.startEngine({ mirror: () => mirror, restarted: (message, restored) => told.push({ message, restored }) });
    return { client, told, worker: FakeWorker.all[0] };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

test('Only the first and the newest query of a stream are sent', async () => {
    const { client, worker } = startClient();
    const answers = [1, 2, 3].map((x) => client.find([{ creature: x }]));
    await soon();
    assert.equal(worker.sent.length, 1);
    worker.answer(['first']);
    await soon();
    assert.deepEqual(worker.sent.at(-1).request, [{ creature: 3 }]);
    worker.answer(['third']);
    assert.deepEqual(await Promise.all(answers), [['first'], null, ['third']]);
});

test('Rejected calls throw the reason; cancelled calls throw Cancelled', async () => {
    const { client, worker } = startClient();
    const edit = client.edit([]);
    worker.say({ kind: 'refused', id: worker.sent[0].id, message: 'no such terrain' });
    await assert.rejects(edit, /no such terrain/);
    const stop = new AbortController();
    const seen = [];
    const prepare = client.prepare({ creature: 0, method: 'cpd' }, (done) => seen.push(done), stop.signal);
    worker.say({ kind: 'progress', id: worker.sent[1].id, done: 0.5 });
    stop.abort();
    assert.deepEqual(worker.sent.at(-1), { kind: 'cancel', id: worker.sent[1].id });
    worker.say({ kind: 'cancelled', id: worker.sent[1].id });
    await assert.rejects(prepare, code.Cancelled);
    assert.deepEqual(seen, [0.5]);
});

test("A module that traps is restarted with the page's world; after repeated traps it stays off", async () => {
    const mirror = { width: 1, height: 1, cells: new Uint8Array(1), terrains: [] };
    const { client, told, worker } = startClient(mirror);
    void client.setCreatures([{ name: 'deer', costs: [100] }]);
    worker.answer(null);
    const lost = client.find([{ creature: 0 }]);
    worker.say({ kind: 'trapped', message: 'assertion failed' });
    await assert.rejects(lost, /assertion failed/);
    const fresh = FakeWorker.all[1];
    assert.ok(worker.ended);
    assert.deepEqual([fresh.sent[0].name, fresh.sent[0].request], ['fromCells', mirror]);
    fresh.answer({});
    await soon();
    assert.equal(fresh.sent[1].name, 'setCreatures');
    fresh.answer(null);
    await soon();
    assert.ok(told[0].restored && /assertion failed.*restarted/.test(told[0].message));
    for (let i = 0; i < 3; ++i) FakeWorker.all.at(-1).say({ kind: 'trapped', message: 'again' });
    assert.equal(FakeWorker.all.length, 4);
    await assert.rejects(client.info(), /several times/);
    void client.generate({ kind: 'maze' });
    assert.equal(FakeWorker.all.at(-1).sent[0].name, 'generate');
});

test("The page's generator makes the same map as the native program", { skip: noNative }, async () => {
    await start({ size: 128, seed: 11 });
    const file = join(folder, 'native.map');
    await promisify(execFile)(native, ['gen', 'island', '--size', '128', '--seed', '11', '-o', file]);
    assert.deepEqual(Buffer.from(await engine('save', 'map')), readFileSync(file));
});

for (const method of ['astar', 'dijkstra', 'wastar:1.5', 'nbs', 'dta:16', 'dta:16+smooth', 'overlay:2', 'hpa:16', 'minimal_memory:16', 'pra:10']) {
    test(`The same costs, expansions and cells as the native program: ${method}`, { skip: noNative }, async () => {
        await start();
        const profiles = ['person', 'deer', 'outlaw'];
        const [from, , to] = roadCells(3);
        for (const phase of ['before', 'after an edit']) {
            const file = await saved();
            const expected = await nativePath(file, from, to, method, profiles);
            for (const [creature, want] of expected.entries()) {
                if ((await engine('checkMethod', method)).prepares) await engine('prepare', { creature, method });
                const [path] = await engine('find', [{ creature, from, to, method }]);
                const which = `${profiles[creature]}, ${phase}`;
                assert.equal(path.cost, BigInt(Math.round(want.cost_cells * 197000)), which);
                assert.equal(path.expansions, want.expansions, which);
                assert.equal(path.expansionsFirst, want.expansions_first, which);
                assert.deepEqual([...path.cells], flat(want.path), which);
            }
            const swamp = engine.world.terrains.findIndex((terrain) => terrain.name === 'swamp');
            await engine('edit', [{ rect: { x: 60, y: 60, width: 40, height: 30 }, terrain: swamp }]);
        }
    });
}
