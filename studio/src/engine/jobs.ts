// Long engine work, in slices. Between two slices the worker handles messages of the page.
import type { Module } from './module';
import * as P from './paths';
import type { Edit, EditAnswer, Measure, MeasureAnswer, Path, Prepare, PrepareAnswer, Query, Rect } from './protocol';
import type { Session } from './session';
import { hasCosts, keyAt, methodOf, profileOf, recordPrepared } from './session';
import * as T from './terrane';
import { TERRANE_UNLIMITED } from './terrane_c';

// The worker's side of a job. `pause` lets other messages in. `pause` and `check` throw if the job was cancelled or superseded; `end`
// always throws.
export interface Job {
    check(): void;
    end(): never;
    pause(): Promise<void>;
    progress(done: number): void;
    sliceMs?: number; // between pauses; 0: one step. Default: 12, and 4 for background work
}

const usualSliceMs = 12;
const backgroundSliceMs = 4; // slice of background work
const sliceBudget = 4096; // expansions between two reads of the clock
const prepareBudget = 5000; // about 1 ms

// Calls `keepGoing` until it returns false. Returns the time in the engine in ms, without the pauses.
export async function inSlices(job: Job, keepGoing: () => boolean, done?: () => number, usual = usualSliceMs): Promise<number> {
    const slice = job.sliceMs ?? usual;
    let spent = 0;
    for (;;) {
        const began = performance.now();
        let more: boolean;
        do more = keepGoing();
        while (more && performance.now() - began < slice);
        spent += performance.now() - began;
        if (!more) return spent;
        if (done) job.progress(done());
        await job.pause();
    }
}

export async function find(m: Module, s: Session, planner: P.Planner, query: Query, job: Job): Promise<Path> {
    job.check();
    const method = methodOf(s, query);
    const heat = query.heat ? P.watchHeat(m, planner, s.width * s.height) : null;
    try {
        const began = performance.now();
        P.begin(m, planner, { ...query, method }, profileOf(s, query.creature));
        const begun = performance.now() - began;
        const spent = await inSlices(job, () => runSome(m, planner, query));
        return { ...P.take(m, planner), ms: begun + spent, ...(heat ? { heat: heat.stop() } : {}) };
    } catch (error) {
        heat?.stop();
        throw error;
    }
}

// A query with an expansion limit runs in one piece: its status could not distinguish the limit from the end of a slice.
function runSome(m: Module, planner: P.Planner, query: Query): boolean {
    const limited = (query.maxExpansions ?? 0) > 0;
    return P.run(m, planner, limited ? TERRANE_UNLIMITED : sliceBudget) && !limited;
}

export async function prepare(m: Module, s: Session, request: Prepare, job: Job): Promise<PrepareAnswer> {
    const key = keyAt(s, request.creature);
    const { largeEdits } = s;
    profileOf(s, request.creature); // throws if there is no such creature
    const profile = T.makeProfile(m, s.creatures[request.creature], s.terrains);
    let preparation = 0;
    let installed = false;
    try {
        preparation = T.prepareBegin(m, s.world, profile, request);
        const run = (): boolean => m.call('terrane_prepare_run', preparation, prepareBudget) === 0;
        const progress = (): number => m.call('terrane_prepare_progress', preparation);
        const ms = await inSlices(job, run, progress, request.background ? backgroundSliceMs : usualSliceMs);
        if (request.background && s.largeEdits !== largeEdits) job.end();
        if (!hasCosts(s, key)) throw new Error('The costs of the creature changed while the method was prepared. Prepare it again');
        const began = performance.now();
        T.prepareInstall(m, preparation, s.world);
        recordPrepared(m, s, { key, request, profile });
        installed = true;
        return { ms: ms + performance.now() - began, bytes: T.preparedBytes(m, s.world, profile, request) };
    } finally {
        m.call('terrane_prepare_free', preparation);
        if (!installed) T.freeProfile(m, profile);
    }
}

// --- Edits ---

const tile = 128; // cells per side; a multiple of all sector sizes, so that no sector is repaired twice
const listed = 3 * tile * tile; // numbers in a list of cells

const large = 256 * 256; // cells

export function isLarge(edits: Edit[]): boolean {
    const cells = (edit: Edit): number => ('cells' in edit ? edit.cells.length / 3 : edit.rect.width * edit.rect.height);
    return edits.reduce((sum, edit) => sum + cells(edit), 0) > large;
}

// Applies edits piece by piece; each repair takes a few milliseconds. Queries in between see a partly edited world.
export async function edit(m: Module, s: Session, edits: Edit[], job: Job): Promise<EditAnswer> {
    const all: EditAnswer = { cells: 0, sectors: 0, reconnected: 0, repaired: new Int32Array(0), version: 0, ms: 0 };
    const pieces = edits.flatMap(piecesOf);
    const repaired: Int32Array[] = [];
    let next = 0;
    const one = (): boolean => {
        if (next >= pieces.length) return false;
        const did = T.applyEdit(m, s.world, pieces[next++]);
        all.cells += did.cells;
        all.sectors += did.sectors;
        all.reconnected += did.reconnected;
        all.version = Number(did.version);
        repaired.push(did.repaired);
        return next < pieces.length;
    };
    all.ms = await inSlices(job, one, () => next / pieces.length);
    return { ...all, repaired: concatenate(repaired) };
}

function piecesOf(edit: Edit): Edit[] {
    if ('cells' in edit) {
        const count = Math.ceil(edit.cells.length / listed);
        return Array.from({ length: count }, (_, i) => ({ cells: edit.cells.subarray(i * listed, (i + 1) * listed) }));
    }
    return tilesOf(edit.rect).map((rect) =>
        'terrain' in edit ? { rect, terrain: edit.terrain } : { rect, terrains: partOf(edit.terrains, edit.rect, rect) },
    );
}

function tilesOf(whole: Rect): Rect[] {
    const tiles: Rect[] = [];
    const after = (at: number, end: number): number => Math.min(end, (Math.floor(at / tile) + 1) * tile);
    for (let y = whole.y; y < whole.y + whole.height; y = after(y, whole.y + whole.height)) {
        for (let x = whole.x; x < whole.x + whole.width; x = after(x, whole.x + whole.width))
            tiles.push({ x, y, width: after(x, whole.x + whole.width) - x, height: after(y, whole.y + whole.height) - y });
    }
    return tiles;
}

function partOf(terrains: Uint8Array, whole: Rect, part: Rect): Uint8Array {
    const cut = new Uint8Array(part.width * part.height);
    for (let row = 0; row < part.height; ++row) {
        const from = (part.y - whole.y + row) * whole.width + part.x - whole.x;
        cut.set(terrains.subarray(from, from + part.width), row * part.width);
    }
    return cut;
}

function concatenate(parts: Int32Array[]): Int32Array {
    if (parts.length === 1) return parts[0];
    const whole = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
    parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
    return whole;
}

// --- Measuring other sector sizes ---

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

// Draws random pairs of passable cells. The same seed gives the same pairs.
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
            throw new Error('The creature has no valid costs for this world: set its costs again');
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
