// The routes of all visible creatures between the two flags, recomputed whenever a flag, a creature or the terrain changes; and the
// flags, which can be dragged on every tab that shows them.
import type { App, MapPointer } from './app';
import type { Path } from './engine/protocol';
import type { Creature } from './types';
import type { Overlay } from './view/overlay';

export interface Routes {
    method: string; // '': overlay:2, prepared in the background; regions:16 until it is ready
    chosen: number | null; // id of the highlighted creature; null: none
    of(creature: Creature): Path | null; // null: not computed yet
    find(): void;
    draw(overlay: Overlay): void;
    drawFlags(overlay: Overlay): void;
    pointer(event: MapPointer): boolean; // true: handled, it concerns a flag
    onFound(listener: () => void): void;
    readonly dragging: boolean;
    readonly overFlag: boolean;
}

export const FLAG_COLOURS = { from: '#2f9e6e', to: '#d9483b' };
const HEAD = 24; // CSS pixels from a flag's foot to the centre of its head
const REACH = 18; // CSS pixels around a flag that grab it
const SPREAD = 1.6; // CSS pixels between parallel routes

export function makeRoutes(app: App): Routes {
    let found = new Map<number, Path>();
    let held: 'from' | 'to' | null = null;
    let over = false;
    let grip = { x: 0, y: 0 }; // from the foot to the point where the pointer grabbed it
    const listeners: (() => void)[] = [];

    async function find(): Promise<void> {
        if (app.world.width === 0) return;
        const asked = app.creatures.map((creature, i) => ({ creature, i })).filter(({ creature }) => creature.visible);
        const { from, to } = app.flags;
        const fast = held !== null; // while a flag is dragged, latency matters more than the last percent of cost
        const queries = asked.map(({ i }) => ({ creature: i, from: { ...from }, to: { ...to }, method: routes.method, fast }));
        try {
            const paths = await app.engine.find(queries, 'routes');
            if (!paths) return; // superseded by a newer query
            found = new Map(asked.map(({ creature }, k) => [creature.id, paths[k]]));
        } catch (error) {
            found = new Map();
            app.say((error as Error).message, 'error');
        }
        for (const listener of listeners) listener();
        app.view.redraw();
        app.refresh();
    }

    function near(event: MapPointer): 'from' | 'to' | null {
        for (const which of ['to', 'from'] as const) {
            const foot = app.view.toScreen(app.flags[which].x + 0.5, app.flags[which].y + 0.5);
            const reach = event.touch ? REACH * 1.5 : REACH;
            if (Math.abs(event.screenX - foot.x) <= reach && Math.abs(event.screenY - (foot.y - HEAD / 2)) <= reach + HEAD / 2)
                return which;
        }
        return null;
    }

    function take(event: MapPointer): boolean {
        held = near(event);
        if (!held) return false;
        const foot = app.view.toScreen(app.flags[held].x + 0.5, app.flags[held].y + 0.5);
        grip = { x: event.screenX - foot.x, y: event.screenY - foot.y };
        return true;
    }

    function pointer(event: MapPointer): boolean {
        if (app.world.width === 0) return false;
        if (event.type === 'hover') over = near(event) !== null;
        if (event.type === 'down') return take(event);
        if (!held) return false;
        if (event.type === 'move') {
            const at = app.view.toWorld(event.screenX - grip.x, event.screenY - grip.y);
            app.setFlag(held, { x: Math.floor(at.x), y: Math.floor(at.y) });
        }
        if (event.type === 'up' || event.type === 'cancel') {
            held = null;
            void find();
        }
        return true;
    }

    // `offset` separates routes over the same cells. The first segment, which was available first, is drawn wider.
    function drawOne(overlay: Overlay, creature: Creature, path: Path, offset: number, faint: boolean): void {
        if (path.cells.length < 4) return;
        const style = { colour: creature.colour, offset, faint };
        overlay.route(path.cells, { ...style, width: 3 });
        const all = path.cells.length / 2;
        if (path.first > 1 && path.first < all) overlay.route(path.cells, { ...style, width: 5.5, to: path.first - 1 });
    }

    const routes: Routes = {
        method: '',
        chosen: null,
        of: (creature) => found.get(creature.id) ?? null,
        find: () => void find(),
        draw(overlay) {
            const visible = app.creatures.filter((creature) => creature.visible && found.has(creature.id));
            visible.forEach((creature, i) => {
                const offset = (i - (visible.length - 1) / 2) * SPREAD;
                drawOne(overlay, creature, found.get(creature.id)!, offset, routes.chosen !== null && routes.chosen !== creature.id);
            });
        },
        drawFlags(overlay) {
            if (app.world.width === 0) return;
            overlay.flag(app.flags.from, FLAG_COLOURS.from, 'A');
            overlay.flag(app.flags.to, FLAG_COLOURS.to, 'B');
        },
        pointer,
        onFound: (listener) => void listeners.push(listener),
        get dragging() {
            return held !== null;
        },
        get overFlag() {
            return over;
        },
    };
    app.onQuery(() => {
        if (app.tab.query === 'routes') void find();
    });
    return routes;
}
