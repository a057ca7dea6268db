// What the end-to-end tests share: `terrane studio` as people run it, and a browser that looks at it.
// TERRANE: the program. STUDIO: the folder of the built page (build/studio). SHOTS: a folder for pictures of what the tests saw (none where it
// is not set).
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const terrane = process.env.TERRANE;
export const folder = process.env.STUDIO ?? join(dirname(fileURLToPath(import.meta.url)), '../../build/studio');
const shots = process.env.SHOTS;

// Starts the server on a free port, with the built page or another: its address, and how to end it.
export async function serve(from = folder) {
    const server = spawn(terrane, ['studio', '--port', '0', '--folder', from], { stdio: ['ignore', 'pipe', 'pipe'] });
    const address = await new Promise((resolve, reject) => {
        let said = '';
        const listen = (bytes) => {
            said += bytes;
            const found = said.match(/http:\/\/[\d.]+:\d+\//);
            if (found) resolve(found[0]);
        };
        server.stdout.on('data', listen);
        server.stderr.on('data', listen);
        server.on('exit', (code) => reject(new Error(`terrane studio ended with ${code}: ${said}`)));
    });
    const ended = new Promise((resolve) => server.on('exit', (code) => resolve(code)));
    return {
        address,
        process: server,
        stop: () => {
            server.kill('SIGINT');
            return ended;
        },
    };
}

// `composed`: what is drawn is put together as with a graphics card, only more slowly. Else the page itself waits for each frame of WebGL, which
// takes half the time, but pictures may show half a frame, and the page is held up.
export function launch(composed = Boolean(shots)) {
    const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
    if (!browser) throw new Error('no chromium: tools/setup check installs it');
    return chromium.launch({
        executablePath: browser,
        // WebGL without a graphics card.
        args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', ...(composed ? [] : ['--disable-gpu-compositing'])],
    });
}

// A page of the studio, ready to be used; `faults` collects what went wrong in it.
export async function open(browser, address, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    const faults = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(address);
    return { page, faults, context };
}

export async function shot(page, name) {
    if (!shots) return;
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: join(shots, `${name}.png`) });
}
