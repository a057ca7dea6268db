// End to end, in a browser: keyboard, touch, dark and light, laptop and phone. Set SHOTS for pictures of every tab.
import assert from 'node:assert/strict';
import * as d from './driver.mjs';
import { by } from './driver.mjs';
import { shot } from './harness.mjs';

const TABS = ['world', 'paths', 'compare', 'abstraction', 'open', 'crowd', 'pathdb', 'share'];
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: process.env.SHOTS ? 2 : 1 };
const studio = d.useStudio();

const middleOf = (page) => page.evaluate(() => terrane.view.toWorld(0, 0));
const toolOf = (page) => page.locator('[data-test^="tool-"][aria-pressed="true"]').getAttribute('data-test');

// Fills each tab with content.
async function fill(page, tab) {
    if (tab === 'open') await page.waitForSelector(by('snell-row'));
    if (tab === 'compare') await page.locator(by('method-cost')).nth(3).waitFor();
    if (tab === 'paths') await page.waitForSelector(by('share-cost'));
    if (tab === 'abstraction') await page.waitForSelector(by('dta-cost'));
    if (tab === 'crowd') {
        await page.click(by('crowd-spawn'));
        await page.waitForSelector(by('crowd-tick'));
    }
    await d.settled(page);
}

// Every control has an accessible name, and the panel does not overflow.
async function checkPanel(page, tab) {
    const nameless = await page.evaluate(() => {
        const named = (one) => one.textContent.trim() || one.getAttribute('aria-label') || one.title || one.labels?.length;
        return [...document.querySelectorAll('button, input, select, textarea')].filter((one) => !one.hidden && !named(one)).map((one) => one.outerHTML);
    });
    assert.deepEqual(nameless, [], tab);
    const wide = await page.evaluate(() => {
        const panel = document.querySelector('#panel');
        return { page: document.documentElement.scrollWidth - innerWidth, panel: panel.scrollWidth - panel.clientWidth };
    });
    assert.ok(wide.page <= 0 && wide.panel <= 0, `${tab} is too wide: ${JSON.stringify(wide)}`);
}

const light = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;

for (const colorScheme of ['dark', 'light']) {
    d.onPage(
        studio,
        `every tab on a laptop, ${colorScheme}`,
        async (page) => {
            const background = await page.evaluate(() => getComputedStyle(document.querySelector('#panel')).backgroundColor);
            assert.ok(colorScheme === 'dark' ? light(background) < 80 : light(background) > 200, background);
            for (const tab of TABS) {
                await d.showTab(page, tab);
                await fill(page, tab);
                await checkPanel(page, tab);
                await shot(page, `${tab}-${colorScheme}`);
            }
        },
        { small: false, colorScheme, viewport: { width: 1280, height: 800 } },
    );
}

d.onPage(
    studio,
    'the first visit shows a hint once; the theme can be switched',
    async (page) => {
        await page.waitForSelector(by('hint'));
        await shot(page, 'hint');
        await page.keyboard.press('Escape');
        await page.waitForSelector(by('hint'), { state: 'detached' });
        for (const theme of ['light', 'dark']) {
            await page.click(by('theme'));
            assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
        }
        await page.reload();
        await d.ready(page);
        assert.equal(await page.locator(by('hint')).count(), 0);
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    },
    { small: false, hint: true },
);

d.onPage(studio, 'the keyboard: tabs, tools, the map, undo and redo', async (page) => {
    for (const [key, tool] of [['l', 'tool-line'], ['r', 'tool-rect'], ['b', 'tool-brush']]) {
        await page.keyboard.press(key);
        await d.eventually(() => toolOf(page), tool);
    }
    const before = await d.cellsOf(page);
    await d.drag(page, [{ x: 40, y: 50 }, { x: 80, y: 60 }]);
    await d.settled(page);
    const painted = await d.cellsOf(page);
    assert.ok(!painted.equals(before));
    for (const [key, expected] of [['Control+z', before], ['Control+Shift+z', painted], ['Control+z', before], ['Control+y', painted]]) {
        await page.keyboard.press(key);
        await d.settled(page);
        assert.ok((await d.cellsOf(page)).equals(expected), key);
    }

    await page.focus('#map');
    await page.keyboard.press('+');
    const from = await middleOf(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    const to = await middleOf(page);
    assert.ok(to.x > from.x && to.y > from.y);
    await page.keyboard.press('0');

    await page.focus('#tab-world');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-paths');
    await page.keyboard.press('Enter');
    await page.waitForSelector(by('panel-paths'));
    // Arrow keys in a field change its value and do not move the map.
    const still = await middleOf(page);
    const x = Number(await page.inputValue('#flag-from-x'));
    await page.focus('#flag-from-x');
    await page.keyboard.press('ArrowUp');
    await d.eventually(async () => (await d.flagsOf(page)).from.x, x + 1);
    assert.deepEqual(await middleOf(page), still);
});

// Touches the map with several fingers; each is a list of points in the window.
async function touch(page, ...fingers) {
    const session = await page.context().newCDPSession(page);
    const points = (i) => fingers.map((finger, id) => ({ ...finger[i], id }));
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(0) });
    for (let i = 1; i < fingers[0].length; ++i) await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(i) });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await session.detach();
}

const along = (from, to, steps = 6) =>
    Array.from({ length: steps + 1 }, (_, i) => ({ x: from.x + ((to.x - from.x) * i) / steps, y: from.y + ((to.y - from.y) * i) / steps }));

d.onPage(
    studio,
    'a phone: every tab by a tap, painting by a finger, panning and pinching',
    async (page) => {
        for (const tab of TABS) {
            await page.tap(`#tab-${tab}`);
            await page.waitForSelector(by(`panel-${tab}`));
            await fill(page, tab);
            await checkPanel(page, tab);
            const box = await page.locator(`#tab-${tab}`).boundingBox();
            assert.ok(box.height >= 40 && box.x >= 0 && box.x + box.width <= 390, `${tab} can be pressed: ${JSON.stringify(box)}`);
            await shot(page, `${tab}-phone`);
        }
        await page.tap('#tab-paths');
        await page.waitForSelector(by('panel-paths'));
        const free = { x: 60, y: 110 }; // away from the flags
        const from = await middleOf(page);
        await touch(page, along(free, { x: 160, y: 170 }));
        const to = await middleOf(page);
        assert.ok(to.x < from.x || to.y < from.y, 'one finger pans');
        const scale = () => page.evaluate(() => terrane.view.toScreen(1, 0).x - terrane.view.toScreen(0, 0).x);
        const before = await scale();
        await touch(page, along({ x: 150, y: 200 }, { x: 60, y: 200 }), along({ x: 200, y: 200 }, { x: 290, y: 200 }));
        assert.ok((await scale()) > 1.5 * before, 'two fingers zoom');

        await page.tap('#tab-world');
        await page.waitForSelector(by('panel-world'));
        await page.tap(by('fit'));
        const cells = await d.cellsOf(page);
        await touch(page, along({ x: 120, y: 150 }, { x: 260, y: 260 }));
        await d.status(page, /repaired/);
        const painted = await d.cellsOf(page);
        assert.ok(!painted.equals(cells), 'a finger paints');
        await touch(page, along({ x: 150, y: 200 }, { x: 90, y: 200 }), along({ x: 200, y: 200 }, { x: 260, y: 200 }));
        await d.settled(page);
        assert.ok((await d.cellsOf(page)).equals(painted), 'two do not');

        const height = () => page.evaluate(() => document.querySelector('#panel').getBoundingClientRect().height);
        const half = await height();
        await page.tap(by('grip'));
        await page.waitForFunction((was) => document.querySelector('#panel').getBoundingClientRect().height > was + 100, half);
        await shot(page, 'sheet-phone');
    },
    { small: false, ...PHONE },
);
