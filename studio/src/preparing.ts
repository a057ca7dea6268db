// Prepares overlay:2 in the background for each visible creature, so that its route follows a dragged flag. A route that another method
// answered shows that its creature has no overlay yet, so new costs and new worlds need no notification.
import type { App } from './app';
import { creatureCosts } from './creatures';
import { Cancelled } from './engine/client';
import type { Creature } from './types';

const METHOD = 'overlay:2';
const MAX_BYTES = 32 << 20; // per creature; 2048x2048 cells take about 17 MB
const MAX_CELLS = 1 << 24; // larger maps exceed MAX_BYTES
const STEP = 0.05; // smallest change of progress that is shown

export interface Preparing {
    of(creature: Creature): number | null; // progress, 0 to 1; null: not being prepared
    readonly text: string; // status text; '': idle
}

interface Work {
    creature: Creature;
    key: string;
    done: number;
    abort: AbortController;
}

export function makePreparing(app: App): Preparing {
    const refused = new Set<string>(); // costs for which preparing failed
    let world = app.world;
    let work: Work | null = null;

    const keyOf = (creature: Creature): string => creatureCosts(creature, app.world.terrains).costs.join();
    const usesOverlays = (): boolean => app.routes.method === '';

    function isMissing(creature: Creature): boolean {
        const path = creature.visible ? app.routes.of(creature) : null;
        return path !== null && !path.method.startsWith(METHOD) && !refused.has(keyOf(creature));
    }

    function next(): Creature | undefined {
        if (!usesOverlays() || app.tab.query !== 'routes' || app.world.cells.length > MAX_CELLS) return undefined;
        return app.creatures.find(isMissing);
    }

    function isWanted({ creature, key }: Work): boolean {
        return usesOverlays() && creature.visible && app.creatures.includes(creature) && keyOf(creature) === key;
    }

    function look(): void {
        if (world !== app.world) refused.clear();
        world = app.world;
        if (work && !isWanted(work)) work.abort.abort();
        const creature = work ? undefined : next();
        if (creature) void prepare({ creature, key: keyOf(creature), done: 0, abort: new AbortController() });
    }

    async function prepare(mine: Work): Promise<void> {
        work = mine;
        const request = { creature: app.creatures.indexOf(mine.creature), method: METHOD, maxBytes: MAX_BYTES, background: true };
        try {
            await app.engine.prepare(request, (done) => show(mine, done), mine.abort.signal);
        } catch (error) {
            if (!(error instanceof Cancelled) && isWanted(mine)) refused.add(mine.key);
        }
        work = null;
        app.refresh();
        app.routes.find();
    }

    function show(mine: Work, done: number): void {
        if (done < mine.done + STEP) return;
        mine.done = done;
        app.refresh();
    }

    app.routes.onFound(look);
    return {
        of: (creature) => (work?.creature === creature ? work.done : null),
        get text() {
            return work ? `Preparing ${METHOD} for ${work.creature.name}: ${Math.round(100 * work.done)} %` : '';
        },
    };
}
