// node build.mjs WASM OUT: builds the page from src/ and the engine's WebAssembly module. Any static host can serve the folder OUT. Its
// file terrane-studio.html contains the whole page and opens without a server.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const [wasm, out] = process.argv.slice(2);
const main = join(here, 'src/main.ts');
const worker = join(here, 'src/engine/worker.ts');
const style = join(here, 'style.css');
const common = { bundle: true, format: 'esm', target: 'es2022', minify: true, logLevel: 'warning' };

async function buildFolder() {
    await build({ ...common, entryPoints: [main, worker], entryNames: '[name]', outdir: out, sourcemap: true, legalComments: 'linked' });
    writeFileSync(join(out, 'style.css'), await bundle(style));
    for (const file of ['index.html', 'theme.js']) copyFileSync(join(here, file), join(out, file));
    copyFileSync(wasm, join(out, 'terrane.wasm'));
}

async function bundle(entry, more = {}) {
    const { outputFiles } = await build({ ...common, entryPoints: [entry], write: false, outdir: out, legalComments: 'inline', ...more });
    return outputFiles[0].text;
}

// Bundles the worker with the WebAssembly module inside. Its fetch() returns that module.
async function wholeWorker() {
    const base64 = readFileSync(wasm).toString('base64');
    const banner =
        `const module64=${JSON.stringify(base64)};` +
        `self.fetch=async()=>new Response(Uint8Array.from(atob(module64),(c)=>c.charCodeAt(0)));`;
    return banner + (await bundle(worker, { define: { 'self.location.href': '"http://within.invalid/"' } }));
}

// Escapes text for use inside <script>, so that it cannot end the element.
const inScript = (text) => text.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');

async function buildWholePage() {
    const start =
        `const source=${JSON.stringify(await wholeWorker())};` +
        `globalThis.terraneWorker=URL.createObjectURL(new Blob([source],{type:'text/javascript'}));`;
    const css = await bundle(style);
    const page = readFileSync(join(here, 'index.html'), 'utf8')
        .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`)
        .replace('<script src="theme.js"></script>', () => `<script>${readFileSync(join(here, 'theme.js'), 'utf8')}</script>`)
        .replace(/<script type="module" src="main.js"><\/script>/, () => '');
    const script = inScript(start) + inScript(await bundle(main));
    writeFileSync(
        join(out, 'terrane-studio.html'),
        page.replace('</body>', () => `<script type="module">${script}</script></body>`),
    );
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await buildFolder();
await buildWholePage();
