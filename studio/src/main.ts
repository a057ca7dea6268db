// The entry point: creates the app, renders the panels, and routes pointer and keyboard events.
import { render } from 'lit-html';
import type { App, MapPointer, Tab } from './app';
import { makeState } from './state';
import { makeTabs } from './tabs/index';
import type { Cell } from './types';
import { listenForFiles } from './ui/drop';
import { chrome, panel, rail, welcome, type ShellState } from './ui/shell';
import { makeSheet } from './ui/sheet';
import { isDark, nextTheme, onThemeChange, remember, remembered, setTheme } from './ui/theme';
import type { Overlay } from './view/overlay';
import { mapKey } from './view/input';

declare global {
    var terraneWorker: string | undefined; // set by the single-file page, which contains its worker
    var terrane: App | undefined; // for the browser's console, and for tests
}

const FIRST_WORLD = { kind: 'island', width: 512, height: 512, seed: 7, detail: 0, terrains: 0 } as const;
const HINT_KEY = 'terrane.hint';

const element = (id: string): HTMLElement => document.getElementById(id)!;
const map = element('map');
let pointerCell: Cell | null = null;
let hint = remembered(HINT_KEY) === null;
let dropping = false;

const state = makeState({ map, worker: globalThis.terraneWorker, dark: isDark, render: draw, draw: drawOverlay, pointer, tabs: makeTabs });
const { app } = state;
globalThis.terrane = app;
const sheet = makeSheet(element('panel'), element('rail'), updateInsets);

// Reports to the view how much of the map the sheet covers.
function updateInsets(): void {
    app.view.setInsets({ left: 0, right: 0, ...sheet.covered() });
}

function shell(): ShellState {
    return {
        app,
        status: state.status(),
        quiet: state.quiet(),
        job: state.job(),
        pointer: pointerCell,
        hint,
        dropping,
        dismissHint,
        switchTheme() {
            setTheme(nextTheme());
            app.view.redrawTerrain();
            app.refresh();
        },
        chooseTab,
    };
}

function draw(): void {
    const now = shell();
    render(rail(now), element('rail'));
    render(panel(app, sheet.grip()), element('panel'));
    render(chrome(now), element('chrome'));
    render(welcome(now), element('welcome'));
    map.style.cursor = app.routes.dragging ? 'grabbing' : app.routes.overFlag ? 'grab' : (app.tab.cursor?.() ?? 'default');
}

function drawOverlay(overlay: Overlay): void {
    if (!app.tab) return; // the first frame may come before the tabs
    if (app.tab.query === 'routes') app.routes.draw(overlay);
    app.tab.draw?.(overlay);
    if (app.tab.query) app.routes.drawFlags(overlay);
}

function dismissHint(): void {
    hint = false;
    remember(HINT_KEY, 'seen');
    map.focus();
    app.refresh();
}

function chooseTab(tab: Tab): void {
    sheet.raise();
    app.showTab(tab.id);
}

function pointer(event: MapPointer): boolean {
    const at = event.type === 'leave' || !app.view.onTerrain ? null : event.cell;
    if (at?.x !== pointerCell?.x || at?.y !== pointerCell?.y) app.refresh();
    pointerCell = at;
    if (event.type === 'down' && hint) dismissHint();
    const wasDragging = app.routes.dragging;
    if (app.tab.query && app.routes.pointer(event)) {
        if (wasDragging !== app.routes.dragging) app.refresh();
        return true;
    }
    return app.tab.pointer?.(event) ?? false;
}

function isTyping(target: EventTarget | null): boolean {
    return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

// Undo and redo work everywhere except in text fields; the map's keys work wherever no control uses them.
function key(event: KeyboardEvent): void {
    const text =
        isTyping(event.target) &&
        (event.target as HTMLInputElement).type !== 'range' &&
        (event.target as HTMLInputElement).type !== 'checkbox';
    const control = event.ctrlKey || event.metaKey;
    if (control && !text && event.key.toLowerCase() === 'z') {
        event.preventDefault();
        if (event.shiftKey) app.edits.redo();
        else app.edits.undo();
    } else if (control && !text && event.key.toLowerCase() === 'y') {
        event.preventDefault();
        app.edits.redo();
    } else if (event.key === 'Escape' && hint) {
        dismissHint();
    } else if (!isTyping(event.target) && !event.defaultPrevented) {
        const scrolls = event.key.startsWith('Arrow') && element('panel').contains(event.target as Node);
        if (app.tab.key?.(event) || (!scrolls && mapKey(event, app.view))) event.preventDefault();
    }
}

window.addEventListener('keydown', key);
onThemeChange(() => {
    app.view.redrawTerrain();
    app.refresh();
});
listenForFiles(app, (on) => {
    dropping = on;
    app.refresh();
});
app.tab.shown?.();
draw();
updateInsets();
const fromAddress = await app.tabs.find((tab) => tab.start)?.start?.();
const wantedTab = /^#tab=(\w+)$/.exec(location.hash)?.[1];
if (wantedTab) app.showTab(wantedTab);
if (!fromAddress && app.world.width === 0) await app.open({ kind: 'generator', generator: { ...FIRST_WORLD } });
