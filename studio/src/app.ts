// The interfaces that all parts of the page share: App (engine, world, creatures, flags, view) and Tab.
import type { TemplateResult } from 'lit-html';
import type { Engine } from './engine/client';
import type { Preparing } from './preparing';
import type { Routes } from './routes';
import type { Cell, Creature, Generator, MessageKind, Rect, Terrain, WorldState } from './types';
import type { Overlay } from './view/overlay';
import type { View } from './view/view';
import type { Edits } from './world/edits';

// A pointer event on the map. A tab that returns true for `down` receives every `move` until `up` or `cancel`; otherwise the map pans.
// `hover` is a move without a pressed button, and `leave` reports that the pointer left the map.
export interface MapPointer {
    type: 'down' | 'move' | 'up' | 'cancel' | 'hover' | 'leave';
    x: number; // in cells, fractional
    y: number;
    cell: Cell; // may be outside the map
    screenX: number; // CSS pixels from the map's upper left corner
    screenY: number;
    button: number; // as in PointerEvent: 0 is the main button
    shift: boolean;
    ctrl: boolean;
    alt: boolean;
    touch: boolean;
}

// A new world, or edited cells of the current one. `repaired` holds the sectors of the first size that the engine rebuilt.
export type WorldChange = { kind: 'opened' } | { kind: 'edited'; repaired: Rect[] };

// One tab of the panel. Only the visible tab receives draw, pointer and key; all tabs receive worldChanged.
export interface Tab {
    id: string; // also in the address: #tab=ID. Saved states contain it: never change it
    title: string;
    // 'flags': the map shows the two flags, which can be dragged. 'routes': also the routes of all visible creatures. Without it:
    // neither.
    query?: 'flags' | 'routes';
    panel(): TemplateResult; // rendered again by app.refresh()
    shown?(): void;
    hidden?(): void;
    draw?(overlay: Overlay): void; // over the terrain, in each frame that is drawn
    pointer?(event: MapPointer): boolean; // true: handled
    key?(event: KeyboardEvent): boolean; // true: handled
    cursor?(): string; // CSS cursor over the map
    worldChanged?(change: WorldChange): void;
    // Called once before the first world is opened. Returns true if the tab opened a world (from the address).
    start?(): Promise<boolean>;
    // Opens a dropped file that is not a map (a saved state). Returns true if the file belongs to this tab.
    openFile?(file: File): Promise<boolean>;
    save?(): unknown; // the tab's part of a saved state, JSON-compatible
    load?(state: unknown): void; // the value of save(), possibly from another version or edited by hand: validate it
}

export interface FileBytes {
    name: string;
    bytes: ArrayBuffer;
}

// The source of a new world. `bytes` is a file in any format that the page detects by name or first bytes; `beside` holds the external
// tilesets of a Tiled map. `again` rebuilds the current map with other sectors or with more terrains after its own; its history, flags
// and origin stay.
export type WorldSource =
    | { kind: 'generator'; generator: Generator }
    | { kind: 'file'; name: string; bytes: ArrayBuffer; beside?: FileBytes[] }
    | { kind: 'again'; sector?: number; terrains?: Terrain[] };

export interface App {
    readonly engine: Engine;
    readonly view: View;
    readonly routes: Routes; // of the visible creatures; updated while a tab with query 'routes' is visible
    readonly preparing: Preparing; // prepares overlays in the background
    readonly edits: Edits; // all painting goes through it: it keeps the mirror, the engine and the history consistent
    world: WorldState; // has no cells until the first world is open
    creatures: Creature[];
    flags: { from: Cell; to: Cell };
    readonly tabs: Tab[];
    tab: Tab; // the visible one

    // Opens a new world. On failure it returns false, shows a message in the status line and changes nothing.
    open(source: WorldSource): Promise<boolean>;
    showTab(id: string): void;
    // Moves a flag to the nearest cell of the map.
    setFlag(which: 'from' | 'to', cell: Cell): void;
    // Call this after changing creatures: it renders the panels and searches the routes again.
    creaturesChanged(): void;
    // Calls `listener` when creatures or flags change. Returns a function that unsubscribes it.
    onQuery(listener: () => void): () => void;
    // Renders the panels once before the next frame.
    refresh(): void;
    // Shows a text in the status line until the next one.
    say(text: string, kind?: MessageKind): void;
    // Runs long work with a progress bar and a Cancel button, one job at a time. A job must not start another job or open a world.
    // Returns the result of `run`, or undefined if it was cancelled or failed; the status line then shows the reason.
    job<T>(
        title: string,
        run: (progress: (done: number, text?: string) => void, signal: AbortSignal) => Promise<T>,
    ): Promise<T | undefined>;
}
