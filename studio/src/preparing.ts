// In the background: overlay:2 for each visible creature, so that its route follows a flag that is dragged. Whom it is missing for is seen
// by the routes, which say what found them: a creature that gets other costs, and a new world, are prepared for without being told of them.
import type { App } from './app';
import { creatureCosts } from './creatures';
import { Cancelled } from './engine/client';
import type { Creature } from './types';

const METHOD = 'overlay:2';
const MOST_BYTES = 32 << 20; // for a creature; on 2048x2048 cells it takes about 17 MB
const MOST_CELLS = 1 << 24; // of a map: more would not fit into that
const STEP = 0.05; // of progress that is worth showing

export interface Preparing {
    of(creature: Creature): number | null; // how far it is, 0 to 1; null: nothing is under way for it
    readonly text: string; // what is under way; empty: nothing
}

interface Work {
    creature: Creature;
    key: string;
    done: number;
    abort: AbortController;
}

export function makePreparing(app: App): Preparing {
    const refused = new Set<string>(); // there is no room for these
    let world = app.world;
    let work: Work | null = null;

    const keyOf = (creature: Creature): string => creatureCosts(creature, app.world.terrains).costs.join();
    const usual = (): boolean => app.routes.method === '';

    function isMissing(creature: Creature): boolean {
        const path = creature.visible ? app.routes.of(creature) : null;
        return path !== null && !path.method.startsWith(METHOD) && !refused.has(keyOf(creature));
    }

    function next(): Creature | undefined {
        if (!usual() || app.tab.query !== 'routes' || app.world.cells.length > MOST_CELLS) return undefined;
        return app.creatures.find(isMissing);
    }

    function isWanted({ creature, key }: Work): boolean {
        return usual() && creature.visible && app.creatures.includes(creature) && keyOf(creature) === key;
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
        const request = { creature: app.creatures.indexOf(mine.creature), method: METHOD, maxBytes: MOST_BYTES, quietly: true };
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
            return work ? `Preparing for ${work.creature.name}: ${Math.round(100 * work.done)} %` : '';
        },
    };
}
