// Work of the engine that takes long, in slices: between two of them the worker hears what the page says.
import type { Module } from './module';
import * as P from './paths';
import type { Measure, MeasureAnswer, Path, Prepare, PrepareAnswer, Query } from './protocol';
import type { Session } from './session';
import { profileOf } from './session';
import * as T from './terrane';

// How a job meets the rest of the worker. `pause` lets other messages in; it and `check` throw where the job is not wanted any more.
export interface Job {
    check(): void;
    pause(): Promise<void>;
    progress(done: number): void;
}

const sliceMs = 12;
const sliceBudget = 4096; // expansions between two looks at the clock
const prepareBudget = 5000; // portals: about 1 ms

// `keepGoing` does a little and tells whether there is more. The answer is the time in the engine, in ms, without the pauses.
export async function inSlices(job: Job, keepGoing: () => boolean, done?: () => number): Promise<number> {
    let spent = 0;
    for (;;) {
        const began = performance.now();
        let more = true;
        while (more && performance.now() - began < sliceMs) more = keepGoing();
        spent += performance.now() - began;
        if (!more) return spent;
        if (done) job.progress(done());
        await job.pause();
    }
}

export async function find(m: Module, s: Session, planner: P.Planner, query: Query, job: Job): Promise<Path> {
    job.check();
    const heat = query.heat ? P.watchHeat(m, planner, s.width * s.height) : null;
    try {
        const began = performance.now();
        P.begin(m, planner, query, profileOf(s, query.creature));
        const begun = performance.now() - began;
        const spent = await inSlices(job, () => runSome(m, planner, query));
        return { ...P.take(m, planner), ms: begun + spent, ...(heat ? { heat: heat.stop() } : {}) };
    } catch (error) {
        heat?.stop();
        throw error;
    }
}

// A query with a limit of its own is run to it at once: its status would not tell whether the limit or the slice is spent.
function runSome(m: Module, planner: P.Planner, query: Query): boolean {
    const limited = (query.maxExpansions ?? 0) > 0;
    return P.run(m, planner, limited ? 0 : sliceBudget) && !limited;
}

export async function prepare(m: Module, s: Session, request: Prepare, job: Job): Promise<PrepareAnswer> {
    const profile = profileOf(s, request.creature);
    const preparation = T.prepareBegin(m, s.world, profile, request);
    try {
        const run = (): boolean => m.call('terrane_prepare_run', preparation, prepareBudget) === 0;
        const ms = await inSlices(job, run, () => m.call('terrane_prepare_progress', preparation));
        const began = performance.now();
        T.prepareKeep(m, preparation, s.world);
        return { ms: ms + performance.now() - began, bytes: T.preparedBytes(m, s.world, profileOf(s, request.creature), request) };
    } finally {
        m.call('terrane_prepare_free', preparation);
    }
}

// --- What another size of sectors would mean ---

interface Sums {
    queries: number;
    ratio: number;
    worst: number;
    ms: number;
    optimalMs: number;
    expansions: number;
    optimalExpansions: number;
}

export async function measure(m: Module, s: Session, request: Measure, job: Job): Promise<MeasureAnswer> {
    const { sector } = request;
    const began = performance.now();
    const world = T.copyWorld(m, s.world, { sectors: [sector] });
    const buildMs = performance.now() - began;
    const planner = P.makePlanner(m, world);
    try {
        const sums: Sums = { queries: 0, ratio: 0, worst: 1, ms: 0, optimalMs: 0, expansions: 0, optimalExpansions: 0 };
        const pairs = randomPairs(m, s, request);
        for (const [i, pair] of pairs.entries()) {
            await measureOne(m, s, planner, { ...pair, creature: request.creature }, sector, sums, job);
            job.progress((i + 1) / pairs.length);
            await job.pause();
        }
        const info = T.regionsInfo(m, world, sector);
        return { sector, buildMs, regions: info.regions, edges: info.edges, bytes: Number(info.bytes), ...means(sums) };
    } finally {
        P.freePlanner(m, planner);
        T.freeWorld(m, world);
    }
}

async function measureOne(m: Module, s: Session, planner: P.Planner, query: Query, sector: number, sums: Sums, job: Job): Promise<void> {
    const best = await find(m, s, planner, { ...query, method: 'astar' }, job);
    if (best.status !== 'found' || best.cost === 0n) return;
    const path = await find(m, s, planner, { ...query, method: `dta:${sector}+smooth` }, job);
    const ratio = Number(path.cost) / Number(best.cost);
    sums.queries += 1;
    sums.ratio += ratio;
    sums.worst = Math.max(sums.worst, ratio);
    sums.ms += path.ms;
    sums.optimalMs += best.ms;
    sums.expansions += path.expansions;
    sums.optimalExpansions += best.expansions;
}

function means(sums: Sums): Sums {
    const n = Math.max(sums.queries, 1);
    return {
        queries: sums.queries,
        ratio: sums.ratio / n,
        worst: sums.worst,
        ms: sums.ms / n,
        optimalMs: sums.optimalMs / n,
        expansions: sums.expansions / n,
        optimalExpansions: sums.optimalExpansions / n,
    };
}

// Cells that the creature may stand on, by a generator of its own, so that the same seed asks the same questions.
function randomPairs(
    m: Module,
    s: Session,
    { creature, queries, seed }: Measure,
): { from: { x: number; y: number }; to: { x: number; y: number } }[] {
    const passable = passableTerrains(m, s, creature);
    const cells = T.readCells(m, s.world, { x: 0, y: 0, width: s.width, height: s.height });
    const random = generator(seed);
    const draw = (): { x: number; y: number } | null => {
        for (let tries = 0; tries < 1000; ++tries) {
            const cell = Math.floor(random() * cells.length);
            if (passable[cells[cell]]) return { x: cell % s.width, y: Math.floor(cell / s.width) };
        }
        return null;
    };
    const pairs = [];
    for (let i = 0; i < queries; ++i) {
        const from = draw();
        const to = draw();
        if (from && to) pairs.push({ from, to });
    }
    return pairs;
}

function passableTerrains(m: Module, s: Session, creature: number): boolean[] {
    return m.scratch((scratch) => {
        const out = scratch.bytes(4 * 256);
        if (m.call('terrane_profile_costs', profileOf(s, creature), s.world, out, 0) !== 0)
            throw new Error('The creature does not fit this world');
        return [...m.u32(out, s.terrains.length)].map((cost) => cost > 0);
    });
}

// mulberry32, by Tommy Ettinger.
function generator(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}
