// End to end, in a browser: the tabs World and Paths. Their costs equal those of the native program exactly.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as d from './driver.mjs';
import { by } from './driver.mjs';
import { shot } from './harness.mjs';

const CREATURES = ['person', 'deer', 'outlaw'];
const studio = d.useStudio();

const sameCosts = async (page, map, profiles = CREATURES, method = d.REGIONS) => {
    const expected = await d.nativeCosts(map, await d.flagsOf(page), method, profiles);
    await d.eventually(() => d.units(page, 'route-cost'), expected, 'the costs of the native program');
    return expected;
};

d.onPage(studio, 'a seed generates the same island as the native program', async (page) => {
    const map = await d.exported(page, studio);
    const same = join(studio.folder, 'native.map');
    await d.native('gen', 'island', '--size', '128', '--seed', '11', '-o', same);
    assert.ok(readFileSync(map).equals(readFileSync(same)));
});

d.onPage(studio, 'the mouse paints, sectors are repaired, undo and redo restore', async (page) => {
    const before = await d.cellsOf(page);
    await page.click(by('tool-brush'));
    await page.click(by('terrain-swamp'));
    await d.drag(page, [{ x: 40, y: 50 }, { x: 90, y: 70 }]);
    assert.match(await d.status(page, /repaired/), /^\d+ cells changed · \d+ sectors repaired in [\d.]+ (µs|ms)$/);
    await d.settled(page);
    const painted = await d.cellsOf(page);
    const swamp = await d.terrainOf(page, 'swamp');
    const changed = [...painted.keys()].filter((i) => painted[i] !== before[i]);
    assert.ok(changed.length > 300, `${changed.length} cells`);
    assert.ok(changed.every((i) => painted[i] === swamp));
    assert.equal(painted[50 * 128 + 40], swamp);
    assert.equal(painted[70 * 128 + 90], swamp);

    await page.click(by('undo'));
    await d.settled(page);
    assert.ok((await d.cellsOf(page)).equals(before), 'undo: as it was');
    assert.ok(await page.isDisabled(by('undo')));
    await page.click(by('redo'));
    await d.settled(page);
    assert.ok((await d.cellsOf(page)).equals(painted), 'redo: as it was painted');
    assert.ok(await page.isDisabled(by('redo')));
    await shot(page, 'world-painted');
});

d.onPage(studio, 'lines, rectangles and walls', async (page) => {
    const wall = await d.terrainOf(page, 'black'); // the wall terrain of islands
    await page.click(by('tool-wall'));
    await d.drag(page, [{ x: 30, y: 30 }, { x: 30, y: 60 }]);
    await page.click(by('tool-rect'));
    await page.click(by('terrain-lava'));
    await d.drag(page, [{ x: 60, y: 60 }, { x: 70, y: 75 }]);
    await d.settled(page);
    const cells = await d.cellsOf(page);
    for (let y = 30; y <= 60; ++y) assert.equal(cells[y * 128 + 30], wall);
    const lava = await d.terrainOf(page, 'lava');
    assert.equal(cells.filter((cell) => cell === lava).length, 11 * 16);
});

d.onPage(studio, 'fire spreads, burns out, and is one undo step', async (page) => {
    const before = await d.cellsOf(page);
    const trees = await d.terrainOf(page, 'trees');
    const at = before.indexOf(trees);
    await page.click(by('tool-fire'));
    await d.drag(page, [{ x: at % 128, y: Math.floor(at / 128) }]);
    await page.waitForFunction(() => {
        const shown = document.querySelector('[data-test="fire-burning"]');
        return shown && parseInt(shown.textContent) >= 5;
    });
    await page.click(by('fire-out'));
    await page.waitForSelector('#fire-seed');
    await d.settled(page);
    assert.ok(!(await d.cellsOf(page)).equals(before));
    await page.click(by('undo'));
    await d.settled(page);
    assert.ok((await d.cellsOf(page)).equals(before));
});

d.onPage(studio, 'costs equal those of the native program before and after painting', async (page) => {
    await d.showTab(page, 'paths');
    await page.selectOption('#creature-add', 'walker');
    const creatures = [...CREATURES, 'walker'];
    const first = await sameCosts(page, await d.exported(page, studio), creatures);
    // Swamp over the middle of a route.
    const middle = await page.evaluate(() => {
        const { cells } = terrane.routes.of(terrane.creatures[0]);
        const i = 2 * Math.floor(cells.length / 4);
        return { x: cells[i], y: cells[i + 1] };
    });
    await d.showTab(page, 'world');
    await page.click(by('terrain-swamp'));
    await d.drag(page, [{ x: middle.x - 12, y: middle.y - 12 }, middle, { x: middle.x + 8, y: middle.y + 12 }]);
    await d.settled(page);
    await d.showTab(page, 'paths');
    const second = await sameCosts(page, await d.exported(page, studio), creatures);
    assert.notDeepEqual(second, first);
    // Another method, and back.
    await page.selectOption('#route-method', 'astar');
    await sameCosts(page, await d.exported(page, studio), creatures, 'astar');
    await page.selectOption('#route-method', d.REGIONS);
    await page.click(by('undo'));
    await d.eventually(() => d.units(page, 'route-cost'), first, 'undone');
});

d.onPage(
    studio,
    'routes use background overlays and show their method',
    async (page) => {
        const methods = () => page.locator(by('route-method')).allTextContents();
        const AT_REST = 'overlay:2+smooth';
        const overlays = [AT_REST, AT_REST, AT_REST];
        await d.showTab(page, 'paths');
        await d.eventually(methods, overlays);
        const map = await d.exported(page, studio);
        await sameCosts(page, map, CREATURES, AT_REST);
        assert.match(await page.locator('.how').first().textContent(), /overlay:2\+smooth\s+at most \d+\.\d\d × optimum/);
        await shot(page, 'paths-prepared');

        // The faster method while dragging, the better one at rest.
        const { to } = await d.flagsOf(page);
        await page.evaluate(() => {
            globalThis.seen = new Set();
            terrane.routes.onFound(() => terrane.creatures.forEach((one) => seen.add(terrane.routes.of(one).method)));
        });
        await d.drag(page, [to, { x: to.x - 20, y: to.y + 10 }, { x: to.x - 8, y: to.y + 6 }]);
        await sameCosts(page, map, CREATURES, AT_REST);
        assert.deepEqual(await page.evaluate(() => [...seen].sort()), ['overlay:2', AT_REST]);

        // New costs are prepared for, and unused data is discarded.
        const bytes = () => page.evaluate(async () => (await terrane.engine.info()).bytes);
        const before = await bytes();
        await page.fill(by('cost-deer-road'), '0.75');
        await page.press(by('cost-deer-road'), 'Tab');
        await page.waitForFunction(() => seen.has('regions:16'));
        await d.eventually(methods, overlays);
        assert.ok(Math.abs((await bytes()) - before) < 0.2 * before, 'as much as before');

        // After painting, the overlay is repaired and its bound holds.
        await d.showTab(page, 'world');
        await page.click(by('terrain-swamp'));
        const { from } = await d.flagsOf(page);
        const middle = { x: Math.round((from.x + to.x) / 2), y: Math.round((from.y + to.y) / 2) };
        await d.drag(page, [{ x: middle.x - 9, y: middle.y - 15 }, { x: middle.x + 9, y: middle.y + 15 }]);
        await d.settled(page);
        await d.showTab(page, 'paths');
        const [optimal] = await d.nativeCosts(await d.exported(page, studio), await d.flagsOf(page), 'astar', ['person']);
        const ratio = async () => {
            const { cost, bound, method } = await page.evaluate(() => ({ ...terrane.routes.of(terrane.creatures[0]), cells: null }));
            return { method, legal: cost >= optimal && Number(cost) <= bound * Number(optimal) * (1 + 1e-9), good: Number(cost) <= 1.05 * Number(optimal) };
        };
        await d.eventually(ratio, { method: AT_REST, legal: true, good: true });

        // A selected method is used.
        await page.selectOption('#route-method', d.REGIONS);
        await d.eventually(methods, [d.REGIONS, d.REGIONS, d.REGIONS]);
    },
    { defaultMethod: true },
);

d.onPage(studio, 'a very large rectangle is painted and undone in slices while the page stays responsive', async (page) => {
    await d.make(page, { kind: 'island', width: 1024, height: 1024, seed: 7 });
    const cells = () => page.evaluate(async () => (await terrane.engine.info()).checksum);
    const before = await cells();
    const tasks = await d.longTasks(page);
    await page.evaluate(() => {
        globalThis.slices = [];
        const { edit } = terrane.engine;
        terrane.engine.edit = (edits, told) => edit(edits, (done) => (slices.push(done), told(done)));
    });
    const rect = { x: 40, y: 40, width: 900, height: 900 };
    const swamp = await d.terrainOf(page, 'swamp');
    await page.evaluate(([where, terrain]) => terrane.edits.fill(where, terrain), [rect, swamp]);
    await d.settled(page);
    const slices = await page.evaluate(() => globalThis.slices.splice(0));
    assert.ok(slices.length >= 3 && slices.every((done, i) => done < 1 && (i === 0 || done > slices[i - 1])), `${slices}`);
    assert.match(await page.textContent('#status'), /\d{3},\d{3} cells changed · \d,\d{3} sectors repaired/);
    await page.click(by('undo'));
    await d.settled(page);
    assert.equal(await cells(), before);
    assert.ok((await page.evaluate(() => globalThis.slices.length)) >= 3);
    assert.ok(await page.evaluate(() => document.querySelector('[data-test="quiet"]').hidden));
    console.log(`900x900 cells and back: tasks of the page over 50 ms: ${(await tasks()).map(Math.round).join(', ') || 'none'}`);
});

d.onPage(studio, 'moving and zooming the map uploads no cells', async (page) => {
    const sent = await d.countUploads(page);
    const frames = await page.evaluate(() => terrane.view.frames);
    await page.focus('#map');
    for (const key of ['+', '+', 'ArrowLeft', 'ArrowUp', '-', 'ArrowRight']) {
        await page.keyboard.press(key);
        await d.settled(page);
    }
    const drawn = (await page.evaluate(() => terrane.view.frames)) - frames;
    const { uploads, draws } = await sent();
    assert.ok(drawn >= 6 && draws >= 6 && draws <= drawn + 1, `${draws} draws in ${drawn} frames`);
    assert.equal(uploads, 0);
    await page.click(by('terrain-swamp'));
    await d.drag(page, [{ x: 60, y: 60 }, { x: 64, y: 60 }]);
    await d.settled(page);
    const after = await sent();
    assert.ok(after.uploads > 0 && after.bytes < 64 * 64 * after.uploads, JSON.stringify(after));
});

d.onPage(studio, 'routes follow a dragged flag', async (page) => {
    await d.showTab(page, 'paths');
    const map = await d.exported(page, studio);
    const first = await sameCosts(page, map);
    const { to } = await d.flagsOf(page);
    await page.evaluate(() => terrane.routes.onFound(() => (globalThis.found = (globalThis.found ?? 0) + 1)));
    await d.drag(page, [to, { x: to.x - 20, y: to.y + 10 }, { x: to.x - 30, y: to.y + 25 }, { x: to.x - 8, y: to.y + 6 }], 15);
    const moved = await d.flagsOf(page);
    assert.deepEqual(moved.to, { x: to.x - 8, y: to.y + 6 });
    assert.notDeepEqual(await sameCosts(page, map), first);
    assert.ok((await page.evaluate(() => globalThis.found)) >= 2, 'routes were found while it moved');
    // By keyboard, to the exact cell.
    await page.fill('#flag-to-x', String(to.x));
    await page.press('#flag-to-x', 'Tab');
    await page.fill('#flag-to-y', String(to.y));
    await page.press('#flag-to-y', 'Tab');
    await d.eventually(() => d.units(page, 'route-cost'), first);
});

d.onPage(studio, 'a cost in the matrix has the same effect as a profile file', async (page) => {
    await d.showTab(page, 'paths');
    const map = await d.exported(page, studio);
    const first = await sameCosts(page, map);
    await page.fill(by('cost-deer-road'), '0.75');
    await page.press(by('cost-deer-road'), 'Tab');
    const lines = await page.evaluate(() => {
        const deer = terrane.creatures[1];
        return terrane.world.terrains.map(({ name }) => `${name} ${deer.costs[name] === 0 ? 'blocked' : deer.costs[name] / 100}`);
    });
    assert.ok(lines.includes('road 0.75'));
    const file = join(studio.folder, 'deer.profile');
    writeFileSync(file, ['name deer', ...lines, ''].join('\n'));
    const second = await sameCosts(page, map, ['person', file, 'outlaw']);
    assert.ok(second[1] < first[1]);
    await page.fill(by('cost-deer-road'), 'cheap');
    await page.press(by('cost-deer-road'), 'Tab');
    await d.status(page, /Invalid cost 'cheap': enter a number/);
    assert.equal(await page.inputValue(by('cost-deer-road')), '0.75');
});

d.onPage(studio, 'explanations of a path: shares, the path through an area, why there is none', async (page) => {
    await d.showTab(page, 'paths');
    const [person] = await sameCosts(page, await d.exported(page, studio));
    const sum = async () => (await d.units(page, 'share-cost')).reduce((total, share) => total + share, 0n);
    await d.eventually(sum, person, 'the shares add up to the cost');

    const { from, to } = await d.flagsOf(page);
    await page.click(by('through-draw'));
    const corner = { x: Math.round((from.x + to.x) / 2), y: 100 };
    await d.drag(page, [corner, { x: corner.x + 8, y: 108 }]);
    await page.waitForSelector(by('through'));
    await page.waitForSelector(by('through-cost'));
    const [through] = await d.units(page, 'through-cost');
    const optimal = await d.nativeCosts(join(studio.folder, 'world.map'), { from, to }, 'astar', ['person']);
    assert.ok(through >= optimal[0]);
    await shot(page, 'paths-through');

    // A wall around the flag, far enough not to grab the flag.
    await d.showTab(page, 'world');
    await page.click(by('tool-wall'));
    const ring = [[-14, -20], [14, -20], [14, 14], [-14, 14], [-14, -20]].map(([x, y]) => ({ x: to.x + x, y: to.y + y }));
    for (let i = 0; i < 4; ++i) await d.drag(page, [ring[i], ring[i + 1]]);
    await d.settled(page);
    await d.showTab(page, 'paths');
    await page.waitForSelector(by('why-none'));
    assert.match(await page.textContent(by('why-none')), /No path for person: a wall at \d+, \d+ blocks it/);
    assert.ok(Number(await page.getAttribute(by('why-none'), 'data-blocked')) >= 1);
    assert.equal(await page.locator(by('route-status')).count(), 3);
    await shot(page, 'paths-none');
});
