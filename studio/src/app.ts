// What the page's parts share: the engine, the world, the creatures, the two flags, the view; and what a tab is.
import type { TemplateResult } from 'lit-html';
import type { Engine } from './engine/client';
import type { Preparing } from './preparing';
import type { Routes } from './routes';
import type { Cell, Creature, Generator, MessageKind, Rect, Terrain, WorldState } from './types';
import type { Overlay } from './view/overlay';
import type { View } from './view/view';
import type { Edits } from './world/edits';

// What the pointer does on the map. `down` that a tab takes (its pointer() is true) brings it every `move` until `up` or `cancel`;
// one that it does not take pans the map. `hover` is a move with nothing pressed; `leave`: the pointer left the map.
export interface MapPointer {
    type: 'down' | 'move' | 'up' | 'cancel' | 'hover' | 'leave';
    x: number; // in cells, with fraction
    y: number;
    cell: Cell; // may be outside the map
    screenX: number; // CSS pixels from the map's upper left corner
    screenY: number;
    button: number; // as of PointerEvent: 0 is the first
    shift: boolean;
    ctrl: boolean;
    alt: boolean;
    touch: boolean;
}

// What changed: another world altogether, or cells of this one (`repaired`: sectors of the first size that the engine made anew).
export type WorldChange = { kind: 'opened' } | { kind: 'edited'; repaired: Rect[] };

// One tab of the panel. Only the one that is shown gets draw, pointer and key; worldChanged comes to all.
export interface Tab {
    id: string; // also in the address: #tab=ID
    title: string;
    // 'flags': the two flags are drawn over the map and can be moved; 'routes': so are the routes of all visible creatures. None: neither.
    query?: 'flags' | 'routes';
    panel(): TemplateResult; // drawn again by app.refresh()
    shown?(): void;
    hidden?(): void;
    draw?(overlay: Overlay): void; // over the terrain, in each frame that is drawn
    pointer?(event: MapPointer): boolean; // true: taken
    key?(event: KeyboardEvent): boolean; // true: taken
    cursor?(): string; // CSS cursor over the map
    worldChanged?(change: WorldChange): void;
    // At the start, before the first world: true where it has opened one (from the address).
    start?(): Promise<boolean>;
    // A dropped file that is no map but this tab's own (a saved state): true where it took it.
    openFile?(file: File): Promise<boolean>;
    save?(): unknown; // what belongs into a saved state, as JSON would have it
    load?(state: unknown): void; // of save(), maybe by another version or by hand: to be checked
}

export interface FileBytes {
    name: string;
    bytes: ArrayBuffer;
}

// What a new world is made from. `bytes` is a file's content of any form that the page knows by its name or its first bytes; `beside`: the
// tilesets that came with a map of Tiled's. `again`: the map as it is, with other sectors or more terrains (after those that it has): its
// history, its flags and where it came from stay.
export type WorldSource =
    | { kind: 'generator'; generator: Generator }
    | { kind: 'file'; name: string; bytes: ArrayBuffer; beside?: FileBytes[] }
    | { kind: 'again'; sector?: number; terrains?: Terrain[] };

export interface App {
    readonly engine: Engine;
    readonly view: View;
    readonly routes: Routes; // of the visible creatures, kept up to date while a tab with query 'routes' is shown
    readonly preparing: Preparing; // what makes them fast
    readonly edits: Edits; // paint through this: it keeps the mirror, the engine and the history together
    world: WorldState; // an empty one of no cells until the first is there
    creatures: Creature[];
    flags: { from: Cell; to: Cell };
    readonly tabs: Tab[];
    tab: Tab; // that is shown

    // Makes a new world and shows it. False, and a message in the status line: it could not be made, and nothing was changed.
    open(source: WorldSource): Promise<boolean>;
    showTab(id: string): void;
    // Puts a flag on the nearest cell of the map.
    setFlag(which: 'from' | 'to', cell: Cell): void;
    // After a change of creatures: panels are drawn again, routes are found again.
    creaturesChanged(): void;
    // Called when creatures or flags changed; returns a function that ends it.
    onQuery(listener: () => void): () => void;
    // Draws the panels again, once, before the next frame.
    refresh(): void;
    // The status line; the text stays until the next one.
    say(text: string, kind?: MessageKind): void;
    // Long work with a progress bar and a Cancel button; one at a time, the next waits: none may be begun, nor a world opened, from within.
    // What it returns, or undefined where it was cancelled or failed (which is said in the status line).
    job<T>(
        title: string,
        run: (progress: (done: number, text?: string) => void, signal: AbortSignal) => Promise<T>,
    ): Promise<T | undefined>;
}
