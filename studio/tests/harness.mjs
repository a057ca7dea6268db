// Shared by the end-to-end tests: runs `terrane studio` as people do, and a browser that opens it.
// TERRANE: the program. STUDIO: the folder of the built page (default: build/studio). SHOTS: a folder for screenshots (default: none).
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const terrane = process.env.TERRANE;
export const folder = process.env.STUDIO ?? join(dirname(fileURLToPath(import.meta.url)), '../../build/studio');
const shots = process.env.SHOTS;

// Starts the server on a free port with the built page or another folder. Returns its address and a function that stops it.
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
        stop: (signal = 'SIGINT') => {
            server.kill(signal);
            return ended;
        },
    };
}

// `composed`: composites frames as with a GPU, but more slowly. Otherwise the page waits for each WebGL frame: this takes half the time,
// but blocks the page, and screenshots may show half a frame.
export function launch(composed = Boolean(shots)) {
    const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
    if (!browser) throw new Error('chromium not found: run tools/setup check');
    return chromium.launch({
        executablePath: browser,
        // WebGL without a GPU.
        args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', ...(composed ? [] : ['--disable-gpu-compositing'])],
    });
}

// Opens a page of the studio; `faults` collects its errors.
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
