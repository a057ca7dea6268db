// Share: the whole state in a file or in an address, and exports: map, picture, trace, the lines of C++ that ask the same.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App, Tab } from '../app';
import { button, section, select } from '../ui/parts';
import { copyText, download, fromAddress, toAddress } from './share-bytes';
import { codeOf } from './share-code';
import { pictureOf } from './share-picture';
import { FORMAT, parseState, putState, takeState } from './share-state';

const KEY = '#state=';
const LONGEST_ADDRESS = 16000; // letters: longer ones are cut by mail and chat
const LARGEST_FILE = 500e6;
const CODE_STYLE = 'font: 12px/1.5 ui-monospace, monospace; resize: vertical; white-space: pre';
const CELL_BY_CELL = /^(astar|wastar|focal|nbs|dijkstra)/; // methods that leave a trace

export function makeShareTab(app: App): Tab {
    let link = '';
    let opensOn = 'paths'; // the tab that a saved state shows first
    let creature = 0; // id
    let prepares = false; // whether the routes' method does
    let checked = ''; // the method that this is known of
    let complaint = ''; // of the address, before there was a map

    const who = (): number =>
        Math.max(
            0,
            app.creatures.findIndex((one) => one.id === creature),
        );

    function name(): string {
        const { origin } = app.world;
        if (origin.kind === 'generated') return `${origin.generator.kind}-${origin.generator.seed}`;
        return origin.name.replace(/\.[^.]*$/, '') || 'map';
    }

    // Says what went wrong, so that callers need not.
    async function trying(work: () => Promise<void>): Promise<void> {
        try {
            await work();
        } catch (error) {
            app.say((error as Error).message, 'error');
        }
    }

    // --- The state ---

    const saveFile = (): Promise<void> =>
        trying(async () => {
            download(`${name()}.studio.json`, JSON.stringify(await takeState(app, opensOn)), 'application/json');
            app.say(`Saved as ${name()}.studio.json`, 'good');
        });

    async function load(text: string): Promise<boolean> {
        const state = parseState(text);
        if (!(await putState(app, state))) return false;
        app.say('The saved state is back', 'good');
        return true;
    }

    // True: it is a saved state, or was meant to be one.
    async function openFile(file: File): Promise<boolean> {
        const mine =
            file.name.endsWith('.studio.json') ||
            (file.name.endsWith('.json') && (await file.slice(0, 200).text()).includes(`"${FORMAT}"`));
        if (!mine) return false;
        await trying(async () => {
            if (file.size > LARGEST_FILE) throw new Error(`${file.name} is too large to be a saved state`);
            await load(await file.text());
        });
        return true;
    }

    const copyLink = (): Promise<void> =>
        trying(async () => {
            const state = await takeState(app, opensOn);
            if (state.world.kind === 'file')
                throw new Error(
                    'This world cannot go into an address: it is no generated one, or has too many changes. Save it as a file.',
                );
            const address = await toAddress(JSON.stringify(state));
            if (address.length > LONGEST_ADDRESS)
                throw new Error('The changes to this world are too many for an address. Save it as a file.');
            history.replaceState(null, '', KEY + address);
            link = location.href;
            const copied = await copyText(link);
            app.say(copied ? 'The link is copied' : 'The link is in the field: copy it from there', 'good');
        });

    async function openAddress(): Promise<boolean> {
        if (!location.hash.startsWith(KEY)) return false;
        complaint = '';
        try {
            const text = await fromAddress(location.hash.slice(KEY.length)).catch(() => '');
            if (text === '') throw new Error('The address is damaged: the state in it cannot be read');
            return await load(text);
        } catch (error) {
            complaint = app.world.width === 0 ? (error as Error).message : '';
            app.say((error as Error).message, 'error');
            return false;
        }
    }

    function chooseFile(event: Event): void {
        const input = event.target as HTMLInputElement;
        const file = input.files?.[0];
        input.value = '';
        if (!file) return;
        void openFile(file).then((taken) => {
            if (!taken) app.say(`${file.name} is no saved state of the studio`, 'error');
        });
    }

    // --- Exports ---

    const exportWorld = (format: 'map' | 'terrane'): Promise<void> =>
        trying(async () => {
            await app.edits.settled();
            download(`${name()}.${format}`, (await app.engine.save(format)) as BlobPart);
        });

    const exportPicture = (): Promise<void> =>
        trying(async () => {
            const routes = app.creatures.flatMap((one) => {
                const path = one.visible ? app.routes.of(one) : null;
                return path ? [{ creature: one, path }] : [];
            });
            download(`${name()}.png`, await pictureOf(app.world, routes, app.flags), 'image/png');
        });

    const exportTrace = (): Promise<void> =>
        trying(async () => {
            const method = CELL_BY_CELL.test(app.routes.method) ? app.routes.method : 'astar';
            const { text } = await app.engine.trace({ creature: who(), ...app.flags, method });
            if (method !== app.routes.method) app.say('The trace is of astar: only methods that search cell by cell have one');
            download(`${name()}-${app.creatures[who()].name}.trace.json`, text, 'application/json');
        });

    function code(): string {
        const one = app.creatures[who()];
        if (!one || app.world.width === 0) return '';
        const path = app.routes.of(one);
        const method = app.routes.method || (path?.method.startsWith('overlay') ? path.method : '');
        if (method !== checked) void lookUp(method);
        return codeOf({
            world: app.world,
            file: `${name()}.terrane`,
            creature: one,
            flags: app.flags,
            method,
            prepares,
            path,
        });
    }

    async function lookUp(method: string): Promise<void> {
        checked = method;
        prepares = method !== '' && (await app.engine.checkMethod(method).catch(() => null))?.prepares === true;
        app.refresh();
    }

    const copyCode = async (): Promise<void> => {
        const copied = await copyText(code());
        app.say(
            copied ? 'The lines are copied' : 'This page may not copy: mark the lines and copy them by hand',
            copied ? 'good' : 'warning',
        );
    };

    // --- Panel ---

    function stateSection(): TemplateResult {
        const tabs = app.tabs.filter(({ id }) => id !== 'share').map(({ id, title }) => ({ value: id, label: title }));
        const field = html`<label class="field" for="share-link"
            ><span>Link</span
            ><input
                id="share-link"
                type="text"
                readonly
                .value=${link}
                @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
        /></label>`;
        const body = html`<div class="row">
                ${button('share-save', 'Save file', () => void saveFile(), { kind: 'primary' })}
                ${button('share-load', 'Load file', () => document.getElementById('share-file')?.click())}
                <input id="share-file" type="file" accept=".json" hidden @change=${chooseFile} />
                ${button('share-copy', 'Copy link', () => void copyLink(), { icon: 'share' })}
            </div>
            ${select('share-tab', 'Opens on', tabs, opensOn, (id) => ((opensOn = id), app.refresh()))} ${link ? field : nothing}
            <p class="muted">
                All of it: map, creatures, flags, tab. A link is for worlds made from a seed, with as many changes as an address can hold.
            </p>`;
        return section('The whole state', body);
    }

    function exportSection(): TemplateResult {
        const body = html`<div class="row">
            ${button('export-map', '.map', () => void exportWorld('map'), { title: 'MovingAI: terrain alone' })}
            ${button('export-terrane', '.terrane', () => void exportWorld('terrane'), { title: 'With names, colours and regions' })}
            ${button('export-png', '.png', () => void exportPicture(), { title: 'The map with the routes' })}
            ${button('export-trace', 'Trace', () => void exportTrace(), { title: 'The search, step by step, for the posthoc visualiser' })}
        </div>`;
        return section('Export', body);
    }

    function codeSection(): TemplateResult {
        const options = app.creatures.map((one) => ({ value: String(one.id), label: one.name }));
        const choose = (id: string): void => {
            creature = Number(id);
            app.refresh();
        };
        const body = html`${select('share-creature', 'Creature', options, String(app.creatures[who()]?.id ?? ''), choose)}
            <textarea
                id="share-code"
                rows="16"
                readonly
                wrap="off"
                spellcheck="false"
                style=${CODE_STYLE}
                aria-label="C++"
                .value=${code()}
            ></textarea>
            ${button('copy-code', 'Copy lines', () => void copyCode())}`;
        return section('The same in C++', body);
    }

    window.addEventListener('hashchange', () => void openAddress());
    return {
        id: 'share',
        title: 'Share',
        query: 'routes',
        panel: () => html`${stateSection()} ${exportSection()} ${codeSection()}`,
        start: openAddress,
        openFile,
        worldChanged() {
            const text = complaint;
            complaint = '';
            if (text) setTimeout(() => app.say(text, 'error')); // after the map that came in its place was announced
        },
    };
}
