// End to end, in a browser: opening and saving files, the state in files and addresses, and handling of errors.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as d from './driver.mjs';
import { by } from './driver.mjs';
import { folder, shot } from './harness.mjs';
import { png } from './pictures.mjs';

const studio = d.useStudio();
const file = (name, content) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
const sizeOf = (page) => page.evaluate(() => [terrane.world.width, terrane.world.height]);
const OCTILE = 'type octile\nheight 4\nwidth 6\nmap\n......\n.@@@@.\n.@TT@.\n......\n';

// Pseudo-random bytes, the same in every run.
const noise = (bytes) => Buffer.concat(Array.from({ length: bytes / 32 }, (_, i) => createHash('sha256').update(`noise ${i}`).digest()));

// The state that a rejected input must not change.
async function snapshot(page) {
    return { cells: (await d.cellsOf(page)).toString('base64'), flags: await d.flagsOf(page), costs: await d.units(page, 'route-cost') };
}

d.onPage(studio, 'maps are chosen and dropped: .map, .terrane, PNG, Tiled', async (page) => {
    await page.setInputFiles('#world-file', file('small.map', OCTILE));
    await d.status(page, /small\.map: 6 × 4 cells/);
    assert.deepEqual(await sizeOf(page), [6, 4]);
    assert.equal(await page.evaluate(() => terrane.world.terrains[terrane.world.cells[7]].name), 'wall');

    const colours = [[40, 200, 40], [20, 40, 220], [128, 128, 128]];
    await d.drop(page, 'coast.png', png(60, 40, colours, (x, y) => (x < 20 ? 1 : y < 10 ? 2 : 0)));
    await d.status(page, /coast\.png: 60 × 40 cells/);
    assert.deepEqual(await sizeOf(page), [60, 40]);
    assert.equal(new Set(await d.cellsOf(page)).size, 3);

    const layer = { type: 'tilelayer', name: 'ground', width: 3, height: 2, x: 0, y: 0, opacity: 1, visible: true, data: [1, 1, 2, 1, 2, 2] };
    const tiles = ['grass', 'water'].map((value, id) => ({ id, properties: [{ name: 'terrain', type: 'string', value }] }));
    const tileset = { firstgid: 1, name: 'tiles', tilewidth: 8, tileheight: 8, tilecount: 2, columns: 2, tiles };
    const tiled = { type: 'map', version: '1.10', orientation: 'orthogonal', width: 3, height: 2, tilewidth: 8, tileheight: 8, infinite: false };
    await d.drop(page, 'village.tmj', JSON.stringify({ ...tiled, layers: [layer], tilesets: [tileset] }));
    await d.status(page, /village\.tmj: 3 × 2 cells/);
    assert.deepEqual([...(await d.cellsOf(page))].map((cell, _, all) => cell === all[0]), [true, true, false, true, false, false]);

    // An external tileset: opened together with the map, otherwise an error with instructions.
    const ground = '<?xml version="1.0"?>\n<map orientation="orthogonal" width="3" height="2">\n<tileset firstgid="1" source="art/ground.tsx"/>';
    const tmx = `${ground}\n<layer name="a" width="3" height="2"><data encoding="csv">1,2,2,1,1,2</data></layer></map>`;
    const tile = (id, name) => `<tile id="${id}"><properties><property name="terrain" value="${name}"/></properties></tile>`;
    const tsx = `<?xml version="1.0"?>\n<tileset name="ground">${tile(0, 'trees')}${tile(1, 'swamp')}</tileset>`;
    await d.drop(page, 'hamlet.tmx', tmx);
    await d.status(page, /hamlet\.tmx: tileset ground\.tsx is missing: drop or choose both/);
    await d.drop(page, 'ground.tsx', tsx);
    await d.status(page, /ground\.tsx is a tileset: drop or choose it together with its map/);
    await d.drop(page, 'ground.tsx', tsx, 'hamlet.tmx', tmx);
    await d.status(page, /hamlet\.tmx: 3 × 2 cells/);
    const names = () => page.evaluate(() => Array.from(terrane.world.cells, (cell) => terrane.world.terrains[cell].name));
    assert.deepEqual(await names(), ['trees', 'swamp', 'swamp', 'trees', 'trees', 'swamp']);
    const apart = { ...tiled, layers: [layer], tilesets: [{ firstgid: 1, source: 'tiles.tsj' }] };
    await d.drop(page, 'village.tmj', JSON.stringify(apart), 'tiles.tsj', JSON.stringify({ type: 'tileset', tiles }));
    await d.status(page, /village\.tmj: 3 × 2 cells/);
    assert.deepEqual(await names(), ['grass', 'grass', 'water', 'grass', 'water', 'water']);

    await d.make(page, d.SMALL);
    const cells = await d.cellsOf(page);
    await d.showTab(page, 'share');
    const saved = join(studio.folder, 'saved.terrane');
    await d.download(page, 'export-terrane', saved);
    await d.make(page, { ...d.SMALL, seed: 12 });
    await d.drop(page, 'saved.terrane', readFileSync(saved));
    await d.status(page, /saved\.terrane: 128 × 128/);
    assert.ok((await d.cellsOf(page)).equals(cells));
});

d.onPage(studio, 'malformed files are rejected with a reason and change nothing', async (page) => {
    await d.showTab(page, 'paths');
    await page.locator(by('route-cost')).nth(2).waitFor();
    const before = await snapshot(page);
    const cut = readFileSync(await d.exported(page, studio)).subarray(0, 5000);
    const bad = [
        ['cut.map', cut, /cut\.map:\d+: /],
        ['letters.map', OCTILE.replace('TT', '!!'), /letters\.map:5: column 1: .* line 7/],
        ['empty.map', '', /empty\.map/],
        ['noise.png', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noise(4096)]), /picture cannot be decoded/],
        ['noise.map', noise(4096), /noise\.map/],
        ['noise.terrane', noise(4096), /noise\.terrane/],
        ['half.tmj', '{"type":"map","width":3', /half\.tmj/],
        ['huge.map', 'type octile\nheight 900000000\nwidth 900000000\nmap\n', /huge\.map/],
    ];
    for (const [name, content, words] of bad) {
        await d.drop(page, name, content);
        await d.status(page, words);
        assert.equal(await page.getAttribute('#status', 'data-kind'), 'error', name);
        assert.deepEqual(await snapshot(page), before, name);
    }
    await shot(page, 'refused');
    // The engine still works.
    await d.drag(page, [before.flags.to, { x: before.flags.to.x - 5, y: before.flags.to.y + 5 }]);
    const map = await d.exported(page, studio);
    const costs = await d.nativeCosts(map, await d.flagsOf(page), d.REGIONS, ['person', 'deer', 'outlaw']);
    await d.eventually(() => d.units(page, 'route-cost'), costs);
});

// Holds the worker while it decodes a picture, until the test lets it go. Returns a promise of the function that does so.
let decoding;
async function holdDecoder(page) {
    await page.route('**/worker.js', async (route) => {
        const answer = await route.fetch();
        const held = `const decode = createImageBitmap;
            globalThis.createImageBitmap = async (...args) => (await fetch('held'), decode(...args));`;
        await route.fulfill({ response: answer, body: held + (await answer.text()) });
    });
    decoding = new Promise((resolve) => page.route('**/held', (route) => resolve(() => route.fulfill({ body: '' }))));
}

d.onPage(
    studio,
    'a picture of 16 megapixels does not block the page',
    async (page) => {
        const colours = [[40, 200, 40], [20, 40, 220], [128, 128, 128], [240, 220, 60]];
        const picture = png(4096, 4096, colours, (x, y) => ((x >> 7) * 7 + (y >> 7) * 13) % 4, 32);
        const picked = join(studio.folder, 'large.png');
        writeFileSync(picked, picture);
        await page.setInputFiles('#world-file', picked);
        const finish = await decoding;
        // The page works on its old map meanwhile.
        assert.deepEqual(await sizeOf(page), [128, 128]);
        await d.showTab(page, 'paths');
        await page.locator(by('route-cost')).nth(2).waitFor();
        await finish();
        await d.status(page, /large\.png: 4,096 × 4,096 cells/);
        await d.make(page, d.SMALL);
    },
    { prepare: holdDecoder },
);

d.onPage(studio, 'the whole state is saved to a file and restored', async (page) => {
    await page.click(by('terrain-swamp'));
    await d.drag(page, [{ x: 40, y: 50 }, { x: 90, y: 70 }]);
    await d.showTab(page, 'paths');
    await page.fill(by('cost-deer-road'), '0.75');
    await page.press(by('cost-deer-road'), 'Tab');
    await d.settled(page);
    await page.locator(by('route-cost')).nth(2).waitFor();
    const { from } = await d.flagsOf(page);
    await page.fill('#flag-from-x', String(from.x + 3));
    await page.press('#flag-from-x', 'Tab');
    await d.exported(page, studio); // gives the routes time
    const costs = await d.nativeCosts(join(studio.folder, 'world.map'), await d.flagsOf(page), d.REGIONS, ['person', 'outlaw']);
    await d.eventually(async () => (await d.units(page, 'route-cost')).filter((_, i) => i !== 1), costs);
    const before = await snapshot(page);
    await d.showTab(page, 'share');
    const text = await d.download(page, 'share-save', join(studio.folder, 'all.studio.json'));

    await d.make(page, { kind: 'maze', width: 64, height: 64, seed: 1 });
    await d.drop(page, 'all.studio.json', text);
    await d.status(page, /Saved state restored/);
    await d.showTab(page, 'paths');
    await d.eventually(() => snapshot(page), before);
    assert.equal(await page.inputValue(by('cost-deer-road')), '0.75');

    // The same by address, in a newly opened page.
    await d.showTab(page, 'share');
    await page.selectOption('#share-tab', 'paths');
    await page.click(by('share-copy'));
    await page.waitForSelector('#share-link');
    const link = await page.inputValue('#share-link');
    assert.ok(link.includes('#state=') && link.length < 16000, `${link.length} characters`);
    await page.goto('about:blank');
    await page.goto(link);
    await page.waitForSelector(by('panel-paths'));
    await d.eventually(() => snapshot(page), before);
    assert.equal(await page.inputValue(by('cost-deer-road')), '0.75');
});

d.onPage(studio, 'a malformed state is rejected and changes nothing', async (page) => {
    await d.showTab(page, 'share');
    const good = JSON.parse(await d.download(page, 'share-save', join(studio.folder, 'good.studio.json')));
    const world = { kind: 'generated', generator: { ...good.world.generator, width: -5 }, changes: [] };
    const bad = [
        ['{', /not JSON/],
        ['{}', /not a saved state/],
        [JSON.stringify({ ...good, version: 99 }), /newer/],
        [JSON.stringify({ ...good, world }), /invalid map size/],
        [JSON.stringify({ ...good, world: { ...good.world, changes: [0, 0, 500, 1] } }), /change 0/],
        [JSON.stringify({ ...good, creatures: [{ name: 7 }] }), /creature 1/],
        [JSON.stringify({ ...good, world: { kind: 'file', name: 'x.terrane', bytes: '!!' } }), /damaged/],
        [JSON.stringify({ ...good, flags: { from: { x: 'a' } } }), /flag/],
        [JSON.stringify({ ...good, method: 'teleport' }), /teleport/],
    ];
    const cells = await d.cellsOf(page);
    for (const [text, words] of bad) {
        await page.setInputFiles('#share-file', file('bad.studio.json', text));
        await d.status(page, words);
        assert.ok((await d.cellsOf(page)).equals(cells), text.slice(0, 80));
    }
    await page.goto('about:blank');
    await page.goto(`${studio.server.address}#state=H4sInonsense`);
    await d.ready(page);
    await d.status(page, /address is damaged/);
    assert.deepEqual(await sizeOf(page), [512, 512]);
});

d.onPage(studio, 'exports: a picture, a trace, C++ code', async (page) => {
    await d.showTab(page, 'share');
    const picture = await d.download(page, 'export-png', join(studio.folder, 'map.png'));
    assert.equal(picture.subarray(1, 4).toString(), 'PNG');
    const trace = JSON.parse(await d.download(page, 'export-trace', join(studio.folder, 'trace.json')));
    assert.ok(trace.events.length > 10);
    const code = await page.inputValue('#share-code');
    const { from, to } = await d.flagsOf(page);
    assert.match(code, /IslandOptions options;[^]*options\.seed = 11;/);
    const asked = `planner.find({${from.x}, ${from.y}}, {${to.x}, ${to.y}}, person, find)`;
    assert.ok(code.includes(asked) && code.includes('find.method = find_method("regions:16")'), code);
    // Once a method is prepared, the code prepares it too.
    await d.showTab(page, 'paths');
    await page.selectOption('#route-method', '');
    await d.showTab(page, 'share');
    const prepares = () => page.evaluate(() => /find_method\("overlay:2\+smooth"\)[^]*world\.prepare\(person/.test(document.querySelector('#share-code').value));
    await d.eventually(prepares, true);
});

// The module of the first worker traps when the Paths tab requests shares; the second one works.
async function breakFirstEngine(page) {
    let workers = 0;
    await page.route('**/worker.js', async (route) => {
        const answer = await route.fetch();
        const broken = `const made = WebAssembly.instantiate;
            WebAssembly.instantiate = async (...args) => {
                const exports = { ...(await made(...args)).exports };
                exports.terrane_path_shares = () => { throw new WebAssembly.RuntimeError('unreachable executed'); };
                return { exports };
            };`;
        await route.fulfill({ response: answer, body: (workers++ === 0 ? broken : '') + (await answer.text()) });
    });
}

d.onPage(
    studio,
    'an engine that traps is restarted with the same map',
    async (page) => {
        await page.click(by('terrain-swamp'));
        await d.drag(page, [{ x: 40, y: 50 }, { x: 90, y: 70 }]);
        await d.settled(page);
        const cells = await d.cellsOf(page);
        await d.showTab(page, 'paths');
        await d.status(page, /restarted, and your map is unchanged/);
        assert.ok((await d.cellsOf(page)).equals(cells));
        await page.waitForSelector(by('share-cost'));
        const map = await d.exported(page, studio);
        const costs = await d.nativeCosts(map, await d.flagsOf(page), d.REGIONS, ['person', 'deer', 'outlaw']);
        await d.eventually(() => d.units(page, 'route-cost'), costs);
        await page.click(by('undo'));
        await d.status(page, /repaired/);
    },
    { prepare: breakFirstEngine },
);

d.onPage(
    studio,
    'the single-file page opens from disk without a server',
    async (page) => {
        await d.showTab(page, 'paths');
        await page.locator(by('route-cost')).nth(2).waitFor();
        const map = await d.exported(page, studio);
        const costs = await d.nativeCosts(map, await d.flagsOf(page), d.REGIONS, ['person', 'deer', 'outlaw']);
        await d.eventually(() => d.units(page, 'route-cost'), costs);
    },
    { address: () => pathToFileURL(join(folder, 'terrane-studio.html')).href, offline: true },
);
