// Share: the whole state as a file or link, and exports: map, picture, search trace, C++ code.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App, Tab } from '../app';
import { button, section, select } from '../ui/parts';
import { copyText, download, fromAddress, toAddress } from './share-bytes';
import { codeOf } from './share-code';
import { pictureOf } from './share-picture';
import { captureState, FORMAT, parseState, restoreState } from './share-state';

const KEY = '#state=';
const LONGEST_ADDRESS = 16000; // characters; mail and chat programs truncate longer links
const LARGEST_FILE = 500e6;
const CODE_STYLE = 'font: 12px/1.5 ui-monospace, monospace; resize: vertical; white-space: pre';
const CELL_BY_CELL = /^(astar|wastar|focal|nbs|dijkstra)/; // methods that record a trace

export function makeShareTab(app: App): Tab {
    let link = '';
    let opensOn = 'paths'; // the tab that a saved state opens on
    let creature = 0; // id
    let prepares = false; // whether the routes' method needs preparation
    let checked = ''; // the method that `prepares` refers to
    let addressError = ''; // error in the address, shown after a map is open

    const creatureIndex = (): number =>
        Math.max(
            0,
            app.creatures.findIndex((one) => one.id === creature),
        );

    function name(): string {
        const { origin } = app.world;
        if (origin.kind === 'generated') return `${origin.generator.kind}-${origin.generator.seed}`;
        return origin.name.replace(/\.[^.]*$/, '') || 'map';
    }

    // Shows errors in the status line.
    async function reportErrors(work: () => Promise<void>): Promise<void> {
        try {
            await work();
        } catch (error) {
            app.say((error as Error).message, 'error');
        }
    }

    // --- The state ---

    const saveFile = (): Promise<void> =>
        reportErrors(async () => {
            download(`${name()}.studio.json`, JSON.stringify(await captureState(app, opensOn)), 'application/json');
            app.say(`Saved as ${name()}.studio.json`, 'good');
        });

    async function load(text: string): Promise<boolean> {
        const state = parseState(text);
        if (!(await restoreState(app, state))) return false;
        app.say('Saved state restored', 'good');
        return true;
    }

    // Returns true if the file is a saved state, valid or not.
    async function openFile(file: File): Promise<boolean> {
        const mine =
            file.name.endsWith('.studio.json') ||
            (file.name.endsWith('.json') && (await file.slice(0, 200).text()).includes(`"${FORMAT}"`));
        if (!mine) return false;
        await reportErrors(async () => {
            if (file.size > LARGEST_FILE)
                throw new Error(`${file.name} is too large for a saved state: the limit is ${LARGEST_FILE / 1e6} MB`);
            await load(await file.text());
        });
        return true;
    }

    const copyLink = (): Promise<void> =>
        reportErrors(async () => {
            const state = await captureState(app, opensOn);
            if (state.world.kind === 'file')
                throw new Error(
                    'A link cannot hold this world: it is not generated or has too many changes. Save it as a file.',
                );
            const address = await toAddress(JSON.stringify(state));
            if (address.length > LONGEST_ADDRESS)
                throw new Error('A link cannot hold so many changes. Save the state as a file.');
            history.replaceState(null, '', KEY + address);
            link = location.href;
            const copied = await copyText(link);
            app.say(copied ? 'Link copied' : 'Copy the link from the field below', 'good');
        });

    async function openAddress(): Promise<boolean> {
        if (!location.hash.startsWith(KEY)) return false;
        addressError = '';
        try {
            const text = await fromAddress(location.hash.slice(KEY.length)).catch(() => '');
            if (text === '') throw new Error('The address is damaged: copy the whole link again');
            return await load(text);
        } catch (error) {
            addressError = app.world.width === 0 ? (error as Error).message : '';
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
            if (!taken) app.say(`${file.name} is not a saved state: choose a .studio.json file`, 'error');
        });
    }

    // --- Exports ---

    const exportWorld = (format: 'map' | 'terrane'): Promise<void> =>
        reportErrors(async () => {
            await app.edits.settled();
            download(`${name()}.${format}`, (await app.engine.save(format)) as BlobPart);
        });

    const exportPicture = (): Promise<void> =>
        reportErrors(async () => {
            const routes = app.creatures.flatMap((one) => {
                const path = one.visible ? app.routes.of(one) : null;
                return path ? [{ creature: one, path }] : [];
            });
            download(`${name()}.png`, await pictureOf(app.world, routes, app.flags), 'image/png');
        });

    const exportTrace = (): Promise<void> =>
        reportErrors(async () => {
            const method = CELL_BY_CELL.test(app.routes.method) ? app.routes.method : 'astar';
            const { text } = await app.engine.trace({ creature: creatureIndex(), ...app.flags, method });
            if (method !== app.routes.method) app.say('Exported a trace of astar: the selected method records none');
            download(`${name()}-${app.creatures[creatureIndex()].name}.trace.json`, text, 'application/json');
        });

    function code(): string {
        const one = app.creatures[creatureIndex()];
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
            copied ? 'Code copied' : 'This page cannot use the clipboard: select the code and copy it',
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
            ${select('share-tab', 'Open on tab', tabs, opensOn, (id) => ((opensOn = id), app.refresh()))} ${link ? field : nothing}
            <p class="muted">
                Saves the map, the creatures, the flags and the tab. Links work for generated worlds with few changes.
            </p>`;
        return section('State', body);
    }

    function exportSection(): TemplateResult {
        const body = html`<div class="row">
            ${button('export-map', '.map', () => void exportWorld('map'), { title: 'MovingAI format: terrain only' })}
            ${button('export-terrane', '.terrane', () => void exportWorld('terrane'), { title: 'With names, colours and regions' })}
            ${button('export-png', '.png', () => void exportPicture(), { title: 'The map with the routes' })}
            ${button('export-trace', 'Trace', () => void exportTrace(), { title: 'Search trace for the posthoc visualiser' })}
        </div>`;
        return section('Export', body);
    }

    function codeSection(): TemplateResult {
        const options = app.creatures.map((one) => ({ value: String(one.id), label: one.name }));
        const choose = (id: string): void => {
            creature = Number(id);
            app.refresh();
        };
        const body = html`${select('share-creature', 'Creature', options, String(app.creatures[creatureIndex()]?.id ?? ''), choose)}
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
            ${button('copy-code', 'Copy code', () => void copyCode())}`;
        return section('C++ code', body);
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
            const text = addressError;
            addressError = '';
            if (text) setTimeout(() => app.say(text, 'error')); // after the message about the default map
        },
    };
}
