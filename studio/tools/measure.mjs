// node studio/tools/measure.mjs [SIZE]: measures the page and its engine on a large island (2048 cells per side), for docs/studio.md.
// This is not a test: times depend on the machine. Set TERRANE to the program, as for the tests. It measures script time: in the worker
// by its own clock, in the page by the length of frame callbacks and by the browser's long tasks. GPU time is not measured, but the
// amount of data sent to the GPU is.
import { launch, open, serve } from '../tests/harness.mjs';
import { countUploads, longTasks, make, screenOf, settled } from '../tests/driver.mjs';

const size = Number(process.argv[2] ?? 2048);
const VIEWPORT = { width: 1280, height: 800 };

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];

function line(name, values, unit = 'ms') {
    const sorted = [...values].sort((a, b) => a - b);
    if (sorted.length === 0) return console.log(`${name}: no samples`);
    const [p50, p95, max] = [at(sorted, 0.5), at(sorted, 0.95), sorted[sorted.length - 1]].map((value) => value.toFixed(2));
    console.log(`${name}: ${sorted.length} times, median ${p50} ${unit}, p95 ${p95}, max ${max}`);
}

// Records the script time of each frame: everything that requestAnimationFrame calls.
async function watchFrames(page) {
    await page.evaluate(() => {
        globalThis.scriptTimes = [];
        if (globalThis.plainFrame) return;
        globalThis.plainFrame = requestAnimationFrame;
        let frame = 0;
        let sum = 0;
        globalThis.requestAnimationFrame = (run) =>
            plainFrame((now) => {
                if (now !== frame) {
                    if (sum > 0) scriptTimes.push(sum);
                    [frame, sum] = [now, 0];
                }
                const began = performance.now();
                run(now);
                sum += performance.now() - began;
            });
    });
}

const framesOf = (page) => page.evaluate(() => scriptTimes.splice(0));

// Records the engine's time for each answer, all creatures together.
async function watchRoutes(page) {
    await page.evaluate(() => {
        globalThis.routeTimes = [];
        if (globalThis.watching) return;
        globalThis.watching = true;
        terrane.routes.onFound(() => {
            const paths = terrane.creatures.map((one) => terrane.routes.of(one));
            if (paths.every(Boolean)) routeTimes.push(paths.reduce((sum, path) => sum + path.ms, 0));
        });
    });
}

async function drag(page, cells, steps) {
    const points = await Promise.all(cells.map((cell) => screenOf(page, cell)));
    await page.mouse.move(points[0].x, points[0].y);
    await page.mouse.down();
    for (const point of points.slice(1)) await page.mouse.move(point.x, point.y, { steps });
    await page.mouse.up();
}

async function dragFlag(page, name) {
    await watchRoutes(page);
    const { to } = await page.evaluate(() => terrane.flags);
    const far = [[0.8, 0.3], [0.5, 0.2], [0.3, 0.5], [0.6, 0.8], [0.75, 0.5]].map(([x, y]) => ({ x: Math.round(x * size), y: Math.round(y * size) }));
    await drag(page, [to, ...far, to], 25);
    await settled(page);
    line(`${name}: five creatures, a frame in the engine`, await page.evaluate(() => routeTimes));
    console.log('   by', await page.evaluate(() => terrane.creatures.map((one) => terrane.routes.of(one)?.method).join(', ')));
}

async function edit(page, name, run, argument) {
    const tasks = await longTasks(page);
    const began = performance.now();
    const spent = await page.evaluate(run, argument);
    await settled(page);
    const all = await tasks();
    const tasks50 = `tasks over 50 ms: ${all.map(Math.round).join(', ') || 'none'}`;
    console.log(`${name}: ${spent.toFixed(1)} ms in the call, settled after ${Math.round(performance.now() - began)} ms; ${tasks50}`);
    console.log('  ', await page.textContent('#status'));
}

const server = await serve();
const browser = await launch(true);
try {
    const { page, faults } = await open(browser, 'about:blank', { viewport: VIEWPORT });
    await page.addInitScript(() => localStorage.setItem('terrane.hint', 'seen'));
    await page.goto(server.address);
    await page.waitForFunction(() => globalThis.terrane?.world.width > 0);
    await page.evaluate(() => (terrane.routes.method = 'dta:16+smooth'));
    await make(page, { kind: 'island', width: size, height: size, seed: 7 });
    await page.click('#tab-paths');
    for (const one of ['walker', 'new']) await page.selectOption('#creature-add', one);
    await page.waitForFunction(() => terrane.creatures.length === 5 && terrane.creatures.every((one) => terrane.routes.of(one)));
    await dragFlag(page, 'Before, by regions');

    const memory = () => page.evaluate(() => terrane.engine.info().then(({ memory: all, bytes }) => [all, bytes]));
    const before = await memory();
    const began = performance.now();
    await page.selectOption('#route-method', '');
    await page.waitForFunction(() => terrane.creatures.every((one) => terrane.routes.of(one)?.method.startsWith('overlay:2')), null, { timeout: 120000 });
    const after = await memory();
    const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
    console.log(`Prepared for five in ${Math.round(performance.now() - began)} ms`);
    console.log(`   the world has ${megabytes(after[1] - before[1])} more, the engine ${megabytes(after[0])} in all`);
    await dragFlag(page, 'After, by overlays');

    await page.click('#tab-world');
    const side = Math.round(0.73 * size);
    const rect = { x: Math.round(0.1 * size), y: Math.round(0.1 * size), width: side, height: side };
    const fill = ([where, terrain]) => {
        const start = performance.now();
        terrane.edits.fill(where, terrane.world.terrains.findIndex((one) => one.name === terrain));
        return performance.now() - start;
    };
    const step = (which) => {
        const start = performance.now();
        terrane.edits[which]();
        return performance.now() - start;
    };
    await edit(page, `Fill of ${side}x${side}, costlier`, fill, [rect, 'swamp']);
    await edit(page, 'Undo', step, 'undo');
    await edit(page, 'Redo', step, 'redo');
    await edit(page, 'Undo again', step, 'undo');
    await edit(page, `Fill of ${side}x${side}, cheaper`, fill, [rect, 'road']);
    await edit(page, 'Undo', step, 'undo');

    await page.click('#tab-paths');
    await watchFrames(page);
    const uploads = await countUploads(page);
    await page.focus('#map');
    for (let i = 0; i < 6; ++i) await page.keyboard.press('+');
    await framesOf(page);
    const middle = { x: 900, y: 400 };
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.down({ button: 'right' });
    for (let i = 0; i < 60; ++i) await page.mouse.move(middle.x + 200 * Math.sin(i / 9), middle.y + 150 * Math.cos(i / 11));
    await page.mouse.up({ button: 'right' });
    line('Pan: scripts of a frame', await framesOf(page));
    for (let i = 0; i < 60; ++i) await page.mouse.wheel(0, i % 30 < 15 ? -60 : 60);
    await settled(page);
    line('Zoom: scripts of a frame', await framesOf(page));
    console.log('Sent to the graphics card meanwhile:', JSON.stringify(await uploads()));
    if (faults.length > 0) console.log('faults:', faults);
} finally {
    await browser.close();
    await server.stop();
}
