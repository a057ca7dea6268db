// node studio/tools/animate.mjs OUT.gif: records the README's animation. A swamp is painted across the routes of three creatures, which
// bend around it; then a flag is dragged. Set TERRANE to the program, as for the tests.
import { writeFileSync } from 'node:fs';
import { launch, open, serve } from '../tests/harness.mjs';
import { by, make, screenOf, settled } from '../tests/driver.mjs';
import { makeGif } from './gif.mjs';

const VIEWPORT = { width: 1080, height: 620 };
const STEP = 9; // centiseconds of a frame
const WORLD = { kind: 'island', width: 512, height: 512, seed: 7 };

async function film(page) {
    const frames = [];
    const take = async (centiseconds = STEP) => {
        await settled(page);
        frames.push({ png: await page.screenshot(), centiseconds });
    };
    // Drags along cells and takes a picture at each step.
    const drag = async (cells, steps) => {
        const points = await Promise.all(cells.map((cell) => screenOf(page, cell)));
        await page.mouse.move(points[0].x, points[0].y);
        await page.mouse.down();
        for (let i = 1; i < points.length; ++i) {
            for (let k = 1; k <= steps; ++k) {
                const along = (axis) => points[i - 1][axis] + ((points[i][axis] - points[i - 1][axis]) * k) / steps;
                await page.mouse.move(along('x'), along('y'));
                await take();
            }
        }
        await page.mouse.up();
    };
    const routeCell = (part) =>
        page.evaluate((at) => {
            const { cells } = terrane.routes.of(terrane.creatures[0]);
            const i = 2 * Math.floor((at * cells.length) / 2);
            return { x: cells[i], y: cells[i + 1] };
        }, part);

    await take(120);
    const middle = await routeCell(0.45);
    const near = ({ x, y }, dx, dy) => ({ x: x + dx, y: y + dy });
    await drag([near(middle, -10, -70), near(middle, 0, 0), near(middle, 5, 75)], 8);
    await take(120);
    const { to } = await page.evaluate(() => terrane.flags);
    await drag([to, near(to, -60, 40), near(to, -20, 130)], 7);
    await take(150);
    return frames;
}

const server = await serve();
const browser = await launch(true);
try {
    const { page, faults } = await open(browser, 'about:blank', { viewport: VIEWPORT, colorScheme: 'light' });
    await page.addInitScript(() => localStorage.setItem('terrane.hint', 'seen'));
    await page.goto(server.address);
    await page.waitForFunction(() => globalThis.terrane?.world.width > 0);
    await make(page, WORLD);
    await page.click(by('tool-brush'));
    await page.click(by('terrain-swamp'));
    await page.waitForFunction(() => terrane.creatures.every((one) => terrane.routes.of(one)?.method.startsWith('overlay:2')));
    for (let i = 0; i < 4; ++i) await page.keyboard.press(']');
    const frames = await film(page);
    if (faults.length > 0) throw new Error(faults.join('\n'));
    const gif = makeGif(frames);
    writeFileSync(process.argv[2], gif);
    console.log(`${process.argv[2]}: ${frames.length} frames, ${(gif.length / 1024).toFixed(0)} KB`);
} finally {
    await browser.close();
    await server.stop();
}
