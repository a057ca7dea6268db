// End to end, in a browser: the tabs Weighted regions and Crowd.
import assert from 'node:assert/strict';
import * as d from './driver.mjs';
import { by } from './driver.mjs';
import { shot } from './harness.mjs';

const studio = d.useStudio();
const costOf = async (page) => Number(await page.getAttribute(by('subdivision-cost-value'), 'data-units'));

async function snell(page) {
    const read = (name) => page.locator(by(name)).evaluateAll((all) => all.map((cell) => Number(cell.dataset.value)));
    const [left, right] = [await read('snell-from'), await read('snell-to')];
    assert.equal(left.length, right.length);
    for (const [i, value] of left.entries()) assert.ok(Math.abs(value - right[i]) <= 1e-6 * Math.max(1, Math.abs(value)), `${i}: ${value}, ${right[i]}`);
    return left.length;
}

d.onPage(
    studio,
    "a path bends by Snell's law and follows the cost of a region",
    async (page) => {
        await d.showTab(page, 'open');
        await page.waitForSelector(by('snell-row'));
        assert.ok((await snell(page)) >= 3);
        assert.equal(await page.textContent(by('subdivision-status')), 'found');
        const first = await costOf(page);
        const before = await page.inputValue('#subdivision-cost');
        const costs = [first];
        for (const costlier of [Number(before) + 1, Number(before) + 3]) {
            await d.setSlider(page, 'subdivision-cost', costlier);
            await page.waitForFunction((old) => Number(document.querySelector('[data-test="subdivision-cost-value"]').dataset.units) !== old, costs.at(-1));
            costs.push(await costOf(page));
            await snell(page);
        }
        assert.ok(costs[0] < costs[1] && costs[1] < costs[2], `${costs}`);
        await shot(page, 'open-costlier');
        await d.setSlider(page, 'subdivision-cost', before);
        await d.eventually(() => costOf(page), first, 'the same cost again');
        await d.setSlider(page, 'subdivision-cost', 0);
        await page.waitForFunction((old) => Number(document.querySelector('[data-test="subdivision-cost-value"]').dataset.units) !== old, first);
        assert.ok((await costOf(page)) > first);
        await snell(page);
    },
    { small: false },
);

d.onPage(
    studio,
    'weighted regions: flags are dragged, the subdivision and the method are changed',
    async (page) => {
        await d.showTab(page, 'open');
        await page.waitForSelector(by('snell-row'));
        const first = await costOf(page);
        const flag = { x: 904.5, y: 859.5 };
        await d.drag(page, [{ x: flag.x, y: flag.y - 10 }, { x: 700, y: 500 }]);
        await page.waitForFunction((old) => Number(document.querySelector('[data-test="subdivision-cost-value"]').dataset.units) < old, first);
        await d.eventually(async () => (await snell(page)) > 0, true);
        const moved = await costOf(page);
        await page.selectOption('#subdivision-method', { index: 0 });
        await page.fill('#subdivision-seed', '5');
        await page.press('#subdivision-seed', 'Tab');
        await page.waitForFunction((old) => Number(document.querySelector('[data-test="subdivision-cost-value"]').dataset.units) !== old, moved);
        await d.showTab(page, 'world');
        assert.ok(await page.evaluate(() => terrane.view.onTerrain), 'the map is shown again');
    },
    { small: false },
);

d.onPage(studio, 'a crowd plays, pauses and steps; no agents collide, some arrive', async (page) => {
    await d.make(page, { kind: 'rooms', width: 48, height: 48, seed: 3 });
    await d.showTab(page, 'crowd');
    await page.fill('#crowd-agents', '60');
    await page.press('#crowd-agents', 'Tab');
    await page.click(by('crowd-spawn'));
    await d.status(page, /60 agents: person, deer, outlaw/);
    assert.equal(await d.number(page, 'crowd-tick'), 0);
    await d.setSlider(page, 'crowd-speed', 30);
    await page.click(by('crowd-play'));
    await page.waitForFunction(() => Number(document.querySelector('[data-test="crowd-tick"]').textContent) >= 30);
    // Terrain changes while they walk.
    await page.selectOption('#crowd-brush', 'wall').catch(() => page.selectOption('#crowd-brush', 'black'));
    await d.drag(page, [{ x: 20, y: 10 }, { x: 28, y: 30 }]);
    await d.status(page, /repaired/);
    const now = await d.number(page, 'crowd-tick');
    await page.waitForFunction((then) => Number(document.querySelector('[data-test="crowd-tick"]').textContent) >= then + 30, now);
    await page.click(by('crowd-pause'));
    await page.waitForSelector(by('crowd-play'));
    assert.equal(await d.number(page, 'crowd-collisions'), 0);
    assert.ok((await d.number(page, 'crowd-arrivals')) > 0);
    await shot(page, 'crowd-small');

    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200))); // a pending tick may still be shown
    const paused = await d.number(page, 'crowd-tick');
    await page.click(by('crowd-step'));
    await d.eventually(() => d.number(page, 'crowd-tick'), paused + 1);
    await page.click(by('crowd-end'));
    await page.waitForSelector(by('crowd-tick'), { state: 'detached' });
});

d.onPage(studio, 'crowds show their reservations and the arrows of their direction map', async (page) => {
    await d.make(page, { kind: 'rooms', width: 32, height: 32, seed: 3 });
    await d.showTab(page, 'crowd');
    await page.fill('#crowd-agents', '12');
    await page.press('#crowd-agents', 'Tab');
    await page.waitForSelector('#crowd-method option', { state: 'attached' }); // the engine lists them
    const options = await page.locator('#crowd-method option').evaluateAll((all) => all.map((one) => one.value));
    for (const [word, layer] of [['whca', 'reservations'], ['+flow', 'arrows']]) {
        const method = options.find((name) => name.includes(word));
        assert.ok(method, `${word} in ${options}`);
        await page.selectOption('#crowd-method', method);
        await page.check(`#crowd-${layer}`);
        await page.click(by('crowd-spawn'));
        await d.status(page, /12 agents/);
        for (let tick = 1; tick <= 3; ++tick) {
            await page.click(by('crowd-step'));
            await d.eventually(() => d.number(page, 'crowd-tick'), tick);
        }
        assert.equal(await d.number(page, 'crowd-collisions'), 0);
        await page.click(by('crowd-end'));
        await page.waitForSelector(by('crowd-tick'), { state: 'detached' });
    }
});
