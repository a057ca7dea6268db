// User actions for the end-to-end tests: opening the page, clicking, painting, dragging, reading values; and runs of the native program.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { launch, open, serve, shot, terrane } from './harness.mjs';

const PATIENCE = 60000; // ms; test machines are slow
const VIEWPORT = { width: 780, height: 480 }; // small, because the machine renders without a GPU
const SEEN = () => location.origin !== 'null' && localStorage.setItem('terrane.hint', 'seen'); // hides the hint, if the page has storage

export const REGIONS = 'regions:16';
export const by = (name) => `[data-test="${name}"]`;
export const SMALL = { kind: 'island', width: 128, height: 128, seed: 11 };

// --- One server, one browser and one folder per test file ---

export function useStudio() {
    const studio = {};
    before(async () => {
        studio.folder = mkdtempSync(join(tmpdir(), 'terrane-studio-'));
        studio.server = await serve();
        studio.browser = await launch();
    });
    after(async () => {
        await studio.browser?.close();
        await studio.server?.stop();
        rmSync(studio.folder, { recursive: true, force: true });
    });
    return studio;
}

// Defines a test with its own page. Fails on any unexpected error in the page.
//   hash: of the address; small: false keeps the default map; defaultMethod: true uses the default method with background preparation instead of
//   dta; hint: true shows the first-visit hint; prepare: runs before the page opens; all other options go to the browser context.
export function onPage(studio, name, run, { hash = '', small = true, defaultMethod = false, hint = false, prepare, address, ...context } = {}) {
    test(name, { timeout: 3 * PATIENCE }, async () => {
        const opened = await open(studio.browser, 'about:blank', { viewport: VIEWPORT, ...context });
        const { page, faults } = opened;
        page.setDefaultTimeout(PATIENCE);
        if (!hint) await page.addInitScript(SEEN);
        await prepare?.(page);
        try {
            await page.goto((address?.() ?? studio.server.address) + hash);
            await ready(page);
            if (!defaultMethod) await page.evaluate((method) => ((terrane.routes.method = method), terrane.routes.find()), REGIONS);
            if (small) await make(page, SMALL);
            await run(page, opened);
            assert.deepEqual(faults, [], 'errors in the page');
        } catch (error) {
            await shot(page, `failed ${name}`.replace(/\W+/g, '-')).catch(() => {});
            throw error;
        } finally {
            await opened.context.close();
        }
    });
}

// --- Waiting ---

export const ready = (page) => page.waitForFunction(() => globalThis.terrane?.world.width > 0 && document.querySelector('#status').textContent !== '');

// Waits until `read` returns the expected value. On a time-out it reports the last value.
export async function eventually(read, expected, message) {
    const end = performance.now() + PATIENCE / 2;
    for (;;) {
        const value = await read();
        try {
            return assert.deepEqual(value, expected, message);
        } catch (error) {
            if (performance.now() > end) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, 30));
    }
}

// Waits until the status line matches `words`.
export async function status(page, words) {
    const said = (source) => new RegExp(source).test(document.querySelector('#status').textContent);
    await page.waitForFunction(said, words.source, { timeout: PATIENCE / 2 }).catch(async () => assert.match(await page.textContent('#status'), words));
    return page.textContent('#status');
}

// Waits until the engine has applied all edits and the page has drawn them.
export async function settled(page) {
    await page.evaluate(() => terrane.edits.settled());
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

// --- Watching ---

// Starts recording tasks of the page that take more than 50 ms. Returns a function that reads their durations in ms.
export async function longTasks(page) {
    await page.evaluate(() => {
        globalThis.longTasks = [];
        globalThis.taskWatch?.disconnect();
        globalThis.taskWatch = new PerformanceObserver((list) => list.getEntries().forEach((task) => globalThis.longTasks.push(task.duration)));
        taskWatch.observe({ type: 'longtask' });
    });
    return async () => {
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 60))); // entries arrive late
        return page.evaluate(() => globalThis.longTasks);
    };
}

// Starts counting what is sent to the GPU: textures, their bytes, and draw calls.
export async function countUploads(page) {
    await page.evaluate(() => {
        const sent = { uploads: 0, bytes: 0, draws: 0 };
        globalThis.sent = sent;
        const gl = document.querySelector('canvas.terrain').getContext('webgl2');
        const watch = (name, seen) => {
            const plain = WebGL2RenderingContext.prototype[name];
            gl[name] = (...args) => (seen(args), plain.apply(gl, args));
        };
        watch('texSubImage2D', ([, , , , width, height]) => ((sent.uploads += 1), (sent.bytes += width * height)));
        watch('texImage2D', () => (sent.uploads += 1));
        watch('texStorage2D', () => (sent.uploads += 1));
        for (const name of ['drawArrays', 'drawElements']) watch(name, () => (sent.draws += 1));
    });
    return () => page.evaluate(() => globalThis.sent);
}

// --- Doing ---

export async function showTab(page, id) {
    await page.click(`#tab-${id}`);
    await page.waitForSelector(by(`panel-${id}`));
}

// Generates a map through the World tab.
export async function make(page, { kind, width, height, seed }) {
    await showTab(page, 'world');
    await page.click(by(`kind-${kind}`));
    await page.fill('#world-width', String(width));
    await page.fill('#world-height', String(height));
    await page.fill('#world-seed', String(seed));
    await page.click(by('world-make'));
    const made = ([k, w, h, s]) => {
        const { origin, width: is, height: high } = terrane.world;
        return origin.kind === 'generated' && origin.generator.kind === k && is === w && high === h && origin.generator.seed === s;
    };
    await page.waitForFunction(made, [kind, width, height, seed]);
    await status(page, new RegExp(`Map: ${width.toLocaleString('en')} × ${height.toLocaleString('en')} cells`));
}

// Returns the position of a cell's centre in the window.
export async function screenOf(page, cell) {
    const box = await page.locator('#map').boundingBox();
    const at = await page.evaluate(({ x, y }) => terrane.view.toScreen(x + 0.5, y + 0.5), cell);
    return { x: box.x + at.x, y: box.y + at.y };
}

// Drags the mouse over these cells.
export async function drag(page, cells, steps = 8) {
    const [first, ...rest] = await Promise.all(cells.map((cell) => screenOf(page, cell)));
    await page.mouse.move(first.x, first.y);
    await page.mouse.down();
    for (const at of rest) await page.mouse.move(at.x, at.y, { steps });
    await page.mouse.up();
}

export async function setSlider(page, id, value) {
    await page.locator(`#${id}`).evaluate((input, to) => {
        input.value = String(to);
        input.dispatchEvent(new Event('input', { bubbles: true }));
    }, value);
}

// Clicks `press` and returns the bytes of the download.
export async function download(page, press, file) {
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click(by(press))]);
    await saved.saveAs(file);
    return readFileSync(file);
}

// Drops several files at once: name, content, name, content, ...
export async function drop(page, ...files) {
    const transfer = await page.evaluateHandle(
        (list) => {
            const data = new DataTransfer();
            for (let i = 0; i < list.length; i += 2)
                data.items.add(new File([Uint8Array.from(atob(list[i + 1]), (letter) => letter.charCodeAt(0))], list[i]));
            return data;
        },
        files.map((each, i) => (i % 2 === 0 ? each : Buffer.from(each).toString('base64'))),
    );
    for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('#map', type, { dataTransfer: transfer });
}

// --- Reading ---

export const cellsOf = async (page) => Buffer.from(await page.evaluate(() => Array.from(terrane.world.cells)));
export const flagsOf = (page) => page.evaluate(() => terrane.flags);
export const units = async (page, name) => (await page.locator(by(name)).evaluateAll((all) => all.map((one) => one.dataset.units))).map(BigInt);
export const number = async (page, name) => Number((await page.textContent(by(name))).replace(/,/g, ''));

export const terrainOf = (page, name) => page.evaluate((wanted) => terrane.world.terrains.findIndex((one) => one.name === wanted), name);

// Returns the texts of a row's elements by their data-test; for costs, the exact value.
export function rowOf(page, selector) {
    return page.locator(selector).evaluate((row) => {
        const said = {};
        for (const one of row.querySelectorAll('[data-test]')) said[one.dataset.test] = one.dataset.units ?? one.textContent.trim().replace(/,/g, '');
        return said;
    });
}

// --- The native program ---

// Exit code 1 means that a path was not found; the output is still valid.
export async function native(...args) {
    const run = promisify(execFile)(terrane, args, { maxBuffer: 1 << 28 });
    const { stdout } = await run.catch((error) => (error.code === 1 ? error : Promise.reject(error)));
    return stdout;
}

export async function nativePaths(map, { from, to }, method, profiles) {
    const args = ['path', map, '--from', `${from.x},${from.y}`, '--to', `${to.x},${to.y}`, '--method', method, '--json', '-'];
    const { answers } = JSON.parse(await native(...args, ...profiles.flatMap((profile) => ['--profile', profile])));
    return answers;
}

// The integer cost of an answer; the program prints costs in straight steps.
export const costUnits = (answer) => BigInt(Math.round(answer.cost_cells * 197000));

export const nativeCosts = async (...args) => (await nativePaths(...args)).map(costUnits);

// Exports the map through the page, and returns the file.
export async function exported(page, studio, name = 'world.map') {
    const before = await page.evaluate(() => terrane.tab.id);
    await showTab(page, 'share');
    const file = join(studio.folder, name);
    await download(page, 'export-map', file);
    await showTab(page, before);
    return file;
}
