// End to end, in a browser: the tabs Compare, Abstraction and Path database, compared with the native program.
import assert from 'node:assert/strict';
import * as d from './driver.mjs';
import { by } from './driver.mjs';
import { shot } from './harness.mjs';

const studio = d.useStudio();
const rowOf = (page, method) => d.rowOf(page, `[data-method="${method}"]`);

// The expected row for an answer of the native program.
function expectedRow(answer, optimal) {
    return {
        'method-cost': String(d.costUnits(answer)),
        'method-ratio': (answer.cost_cells / optimal.cost_cells).toFixed(3),
        'method-expansions': String(answer.expansions),
        'method-first': String(answer.expansions_first),
    };
}

async function sameRows(page, map, methods, creature) {
    const flags = await d.flagsOf(page);
    const [optimal] = await d.nativePaths(map, flags, 'astar', [creature]);
    for (const method of methods) {
        const [answer] = await d.nativePaths(map, flags, method, [creature]);
        const expected = expectedRow(answer, optimal);
        const shown = async () => {
            const row = await rowOf(page, method);
            return Object.fromEntries(Object.keys(expected).map((name) => [name, row[name]]));
        };
        await d.eventually(shown, expected, `${method} of ${creature}`);
    }
}

d.onPage(studio, 'compared methods have the native numbers, also after painting', async (page) => {
    await d.showTab(page, 'compare');
    const prepare = page.locator('[data-method="overlay:2"]').locator(by('method-prepare'));
    await prepare.click();
    await page.locator('[data-method="overlay:2"]').locator(by('method-prepared')).waitFor();
    const methods = ['astar', 'dta:16', 'wastar:1.5', 'overlay:2'];
    await sameRows(page, await d.exported(page, studio), methods, 'person');
    await shot(page, 'compare-small');

    // Prepared data is kept up to date.
    await d.showTab(page, 'world');
    await page.click(by('terrain-swamp'));
    const { from, to } = await d.flagsOf(page);
    const middle = { x: Math.round((from.x + to.x) / 2), y: Math.round((from.y + to.y) / 2) };
    await d.drag(page, [{ x: middle.x - 9, y: middle.y - 15 }, { x: middle.x + 9, y: middle.y + 15 }]);
    await d.settled(page);
    await d.showTab(page, 'compare');
    await sameRows(page, await d.exported(page, studio), methods.slice(0, 3), 'person');
    const row = await rowOf(page, 'overlay:2');
    assert.ok('method-prepared' in row && Number(row['method-ratio']) <= 1.05, 'nearly as good as a freshly prepared overlay');
});

d.onPage(studio, 'methods are added, rejected and removed; another creature is selected', async (page) => {
    await d.showTab(page, 'compare');
    await page.fill('#method-name', 'teleport:9');
    await page.click(by('method-add'));
    await d.status(page, /teleport/);
    await page.fill('#method-name', 'nbs');
    await page.press('#method-name', 'Enter');
    await page.waitForSelector('[data-method="nbs"]');
    await page.selectOption('#compare-creature', { label: 'deer' });
    await sameRows(page, await d.exported(page, studio), ['astar', 'nbs'], 'deer');
    const rows = await page.locator(by('method')).count();
    await page.locator('[data-method="nbs"]').locator(by('method-remove')).click();
    await d.eventually(() => page.locator(by('method')).count(), rows - 1);
});

d.onPage(studio, 'regions and edges equal the native ones for every sector size', async (page) => {
    await d.showTab(page, 'abstraction');
    const map = await d.exported(page, studio);
    const sizes = [8, 16, 32, 64];
    const info = JSON.parse(await d.native('info', map, ...sizes.flatMap((size) => ['--sector', String(size)]), '--json', '-'));
    const numbers = async () => [await page.textContent(by('regions-count')), await page.textContent(by('regions-edges'))];
    // The program counts each edge in both directions, the page once.
    const text = (i) => [info.abstractions[i].regions, info.abstractions[i].edges / 2].map((count) => count.toLocaleString('en'));
    await d.eventually(numbers, text(1), 'sectors of 16');
    await d.setSlider(page, 'sector-size', 2);
    await d.eventually(numbers, text(2), 'sectors of 32');
    const [answer] = await d.nativePaths(map, await d.flagsOf(page), 'dta:32', ['person']);
    await d.eventually(() => d.units(page, 'dta-cost'), [d.costUnits(answer)], 'dta:32');

    for (const layer of ['representatives', 'edges', 'portals']) await page.check(`#layer-${layer}`);
    await page.click(by('measure'));
    await d.eventually(() => page.locator(by('measured')).count(), 4);
    const rows = await page.locator(by('measured')).evaluateAll((all) => all.map((row) => row.children[1].textContent.trim()));
    assert.deepEqual(rows, sizes.map((_, i) => text(i)[0]));
    assert.ok(await page.isChecked('#layer-portals'));
    await shot(page, 'abstraction-small');
});

d.onPage(studio, 'a path database is built with progress; after obstacles, every variant is within its bound', async (page) => {
    await d.showTab(page, 'pathdb');
    await page.click(by('pathdb-small'));
    await d.status(page, /Map: 96 × 96/);
    await page.evaluate(() => {
        globalThis.progress = [];
        const watch = () => {
            const bar = document.querySelector('[data-test="job"] [aria-valuenow]');
            if (bar) progress.push(Number(bar.getAttribute('aria-valuenow')));
        };
        new MutationObserver(watch).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    await page.click(by('pathdb-build'));
    await d.status(page, /Path database of [\d,]+ cells: .* built in/);
    const progress = await page.evaluate(() => globalThis.progress);
    assert.ok(progress.length > 0 && progress.every((done, i) => done >= 0 && done <= 100 && (i === 0 || done >= progress[i - 1])), `${progress}`);
    const flags = await d.flagsOf(page);
    const map = await d.exported(page, studio, 'rooms.map');
    for (const method of ['astar', 'cpd']) {
        const [answer] = await d.nativePaths(map, flags, method, ['person']);
        await d.eventually(async () => (await rowOf(page, method))['pathdb-cost'], String(d.costUnits(answer)), method);
    }

    // An obstacle in the middle of the path.
    const middle = await page.evaluate(() => {
        const { from, to } = terrane.flags;
        return terrane.engine.find([{ creature: 0, from, to, method: 'astar' }], 'test').then(([path]) => {
            const i = 2 * Math.floor(path.cells.length / 4);
            return { x: path.cells[i], y: path.cells[i + 1] };
        });
    });
    await d.drag(page, [{ x: middle.x - 2, y: middle.y - 2 }, middle]);
    await d.settled(page);
    const changed = await d.exported(page, studio, 'rooms.map');
    const [optimal] = await d.nativePaths(changed, flags, 'astar', ['person']);
    await d.eventually(async () => (await rowOf(page, 'astar'))['pathdb-cost'], String(d.costUnits(optimal)), 'around it');
    const variants = await page.locator(by('pathdb-row')).evaluateAll((all) => all.map((row) => row.dataset.method));
    assert.equal(variants.length, 6);
    for (const method of variants) {
        const row = await rowOf(page, method);
        const ratio = Number(row['pathdb-cost']) / Number(d.costUnits(optimal));
        const bound = Number(row['pathdb-bound'].replace('≤', ''));
        assert.ok(ratio >= 1 && ratio <= bound + 1e-3 && bound <= 1.1 + 1e-9, `${method}: ${ratio}, proven ${bound}`);
    }
    await shot(page, 'pathdb-small');
});

d.onPage(studio, 'a long job is cancelled, and the page still works', async (page) => {
    await d.make(page, { kind: 'rooms', width: 200, height: 200, seed: 3 });
    await d.showTab(page, 'pathdb');
    await page.click(by('pathdb-build'));
    await page.waitForSelector(`${by('job')} [aria-valuenow]`);
    await page.click(by('job-cancel'));
    await d.status(page, /cancelled/);
    await page.waitForSelector(by('job'), { state: 'detached' });
    assert.equal(await page.textContent(by('pathdb-state')), 'not built');
    await d.showTab(page, 'paths');
    await page.locator(by('route-cost')).first().waitFor();
});
