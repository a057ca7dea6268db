// The page's interface to the engine: promises over a single worker.
//
//   const engine = startEngine({ mirror: () => world, restarted: (message) => say(message) });
//   const world = await engine.generate({ kind: 'island', width: 512, height: 512, seed: 7, detail: 0, terrains: 0 });
//   await engine.setCreatures([{ name: 'deer', costs: await engine.preset('deer') }]);
//   const paths = await engine.find([{ creature: 0, from, to }]);      // null: superseded by a newer find
//
// The worker answers calls in order, except that edits do not wait for queries. A call that the engine rejects throws its message. find
// and subdivisionFind follow the pointer: a newer call of the same `stream` supersedes an unanswered one, which then returns null.
// If the module traps (an assertion, or an allocation failure), pending calls reject and a new worker starts with the world of `mirror`
// and the last creatures. `restarted` reports it; prepared data, the crowd and the subdivision are lost. The same happens if a cancelled
// job does not end by itself, because not every engine call is sliced.
import type {
    Answer,
    CellsRequest,
    CommandName,
    CreatureCosts,
    CrowdRequest,
    CrowdState,
    CrowdTick,
    Edit,
    EditAnswer,
    FileRequest,
    FromWorker,
    Generator,
    Measure,
    MeasureAnswer,
    Methods,
    Obstacle,
    Path,
    Prepare,
    PrepareAnswer,
    Query,
    Rect,
    Regions,
    Request,
    Share,
    Subdivision,
    SubdivisionGenerator,
    SubdivisionPath,
    SubdivisionQuery,
    ToWorker,
    TraceAnswer,
    WorldAnswer,
    WorldInfo,
    WorldOptions,
} from './protocol';

export type Progress = (done: number) => void; // 0 to 1

export class Cancelled extends Error {}

export interface EngineOptions {
    mirror: () => CellsRequest | null; // the page's copy of the world, or null
    restarted: (message: string, restored: boolean) => void;
    worker?: string; // default: worker.js in the page's folder
}

export interface Engine {
    version(): Promise<{ version: string; abi: number }>;

    // Each of these three replaces the world. If the call is rejected, the current world stays.
    generate(generator: Generator & WorldOptions): Promise<WorldAnswer>;
    openFile(file: FileRequest, progress?: Progress, signal?: AbortSignal): Promise<WorldAnswer>; // transfers file.bytes
    fromCells(cells: CellsRequest): Promise<WorldAnswer>;
    info(): Promise<WorldInfo>;
    edit(edits: Edit[], progress?: Progress): Promise<EditAnswer>; // applied in order; large edits in slices
    save(format: 'map' | 'terrane'): Promise<Uint8Array>;
    // Returns the differences to a generated world as runs of y, x, length, terrain. Null if size or terrains differ, or if there are more
    // than `maxRuns`.
    changes(since: Generator, maxRuns: number): Promise<Int32Array | null>;

    setCreatures(creatures: CreatureCosts[]): Promise<null>;
    preset(name: string): Promise<number[]>; // person, deer, outlaw, walker, on this world's terrains
    methods(): Promise<Methods>;
    checkMethod(name: string): Promise<{ prepares: boolean }>;
    find(queries: Query[], stream?: string): Promise<Path[] | null>;
    trace(query: Query): Promise<TraceAnswer>;
    prepare(prepare: Prepare, progress?: Progress, signal?: AbortSignal): Promise<PrepareAnswer>;
    preparedBytes(prepare: Prepare): Promise<number>; // 0: not prepared
    discard(prepare: Prepare): Promise<boolean>;

    shares(query: Query): Promise<{ path: Path; shares: Share[] }>; // most expensive terrain first
    through(query: Query, area: Rect): Promise<Path>; // the cheapest path that enters the area
    obstacle(query: Query): Promise<Obstacle>;

    regions(sector: number): Promise<Regions>; // any sector size; sizes that the world does not have are built in a copy
    portals(prepare: Prepare): Promise<Int32Array>; // x, y; of a prepared overlay
    measure(measure: Measure, progress?: Progress, signal?: AbortSignal): Promise<MeasureAnswer>; // in a copy of the world

    crowdNew(crowd: CrowdRequest, signal?: AbortSignal): Promise<CrowdState>; // replaces the previous crowd
    crowdTick(tick: CrowdTick, signal?: AbortSignal): Promise<CrowdState>; // the first tick may take seconds
    crowdEnd(): Promise<null>;

    subdivisionNew(generator: SubdivisionGenerator): Promise<Subdivision>; // replaces the previous subdivision
    subdivisionFind(query: SubdivisionQuery, stream?: string): Promise<SubdivisionPath | null>;
}

const maxRestarts = 3; // within restartsMs; more often, the engine stays stopped
const restartsMs = 20000;
const cancelGraceMs = 1500; // a cancelled job gets this long to end by itself; then the worker is terminated

interface Pending {
    resolve: (value: unknown) => void;
    reject: (error: Error) => void;
    progress: Progress | undefined;
    done: () => void;
}

interface CallOptions {
    stream?: string;
    progress?: Progress;
    signal?: AbortSignal;
    patient?: boolean; // never terminate the worker for this call
    transfer?: Transferable[];
}

export function startEngine(options: EngineOptions): Engine {
    const pending = new Map<number, Pending>();
    let worker = launch();
    let nextId = 1;
    let creatures: CreatureCosts[] | null = null;

    function launch(): Worker {
        const fresh = new Worker(options.worker ?? 'worker.js'); // classic: Chromium starts no module worker for a page on disk
        fresh.onmessage = (event: MessageEvent<FromWorker>) => receive(event.data);
        fresh.onerror = (event) => void restart(`The engine stopped: ${event.message || 'its worker could not be started'}.`);
        return fresh;
    }

    function receive(message: FromWorker): void {
        if (message.kind === 'trapped') return void restart(`The engine stopped: ${message.message}.`);
        const call = pending.get(message.id);
        if (!call) return;
        if (message.kind === 'progress') return call.progress?.(message.done);
        pending.delete(message.id);
        call.done();
        if (message.kind === 'answer') call.resolve(message.value);
        else if (message.kind === 'superseded') call.resolve(null);
        else if (message.kind === 'cancelled') call.reject(new Cancelled('cancelled'));
        else call.reject(new Error(message.message));
    }

    let restarts: number[] = []; // their times
    let dead = ''; // why the engine stays stopped; opening a world starts it again

    // `why` must be a complete sentence.
    async function restart(why: string): Promise<void> {
        worker.terminate();
        const lost = [...pending.values()];
        pending.clear();
        for (const call of lost) {
            call.done();
            call.reject(new Error(why));
        }
        const now = performance.now();
        restarts = [...restarts.filter((when) => now - when < restartsMs), now];
        if (restarts.length > maxRestarts) return giveUp(why);
        worker = launch();
        const restored = await restore().catch(() => false);
        const end = restored ? 'and your map is unchanged' : 'without a map. Open one';
        options.restarted(`${why} The engine restarted, ${end}.`, restored);
    }

    function giveUp(why: string): void {
        dead = `${why} The engine stopped several times and stays off: open another map to restart it.`;
        restarts = [];
        options.restarted(dead, false);
    }

    async function restore(): Promise<boolean> {
        const mirror = options.mirror();
        if (!mirror) return false;
        await call('fromCells', mirror);
        if (creatures) await call('setCreatures', creatures);
        return true;
    }

    function call<K extends CommandName>(name: K, request: Request<K>, extra: CallOptions = {}): Promise<Answer<K>> {
        const id = nextId++;
        const { signal } = extra;
        if (signal?.aborted) return Promise.reject(new Cancelled('cancelled'));
        if (dead) return Promise.reject(new Error(dead));
        const cancel = (): void => stop(id, extra.patient ?? false);
        signal?.addEventListener('abort', cancel);
        const answer = new Promise<unknown>((resolve, reject) => {
            pending.set(id, { resolve, reject, progress: extra.progress, done: () => signal?.removeEventListener('abort', cancel) });
        });
        send({ kind: 'call', id, name, request, stream: extra.stream ?? '' }, extra.transfer);
        return answer as Promise<Answer<K>>;
    }

    function stop(id: number, patient: boolean): void {
        send({ kind: 'cancel', id });
        if (patient) return;
        setTimeout(() => {
            const call = pending.get(id);
            if (!call) return;
            pending.delete(id);
            call.reject(new Cancelled('cancelled'));
            void restart('Cancelled.');
        }, cancelGraceMs);
    }

    function send(message: ToWorker, transfer: Transferable[] = []): void {
        worker.postMessage(message, transfer);
    }

    async function world<K extends 'generate' | 'openFile' | 'fromCells'>(
        name: K,
        request: Request<K>,
        extra: CallOptions = {},
    ): Promise<WorldAnswer> {
        if (dead) worker = launch();
        dead = '';
        return (await call(name, request, extra)) as WorldAnswer;
    }

    const streams = newestOnly();

    return {
        version: () => call('version', null),
        generate: (generator) => world('generate', generator),
        openFile: (file, progress, signal) => world('openFile', file, { progress, signal, transfer: [file.bytes] }),
        fromCells: (cells) => world('fromCells', cells),
        info: () => call('info', null),
        edit: (edits, progress) => call('edit', edits, { progress }),
        save: (format) => call('save', format),
        changes: (since, maxRuns) => call('changes', { since, maxRuns }),
        setCreatures: (list) => call('setCreatures', (creatures = list)),
        preset: (name) => call('preset', name),
        methods: () => call('methods', null),
        checkMethod: (name) => call('checkMethod', name),
        find: (queries, stream = 'find') => streams(stream, () => call('find', queries, { stream })),
        trace: (query) => call('trace', query),
        prepare: (prepare, progress, signal) => call('prepare', prepare, { progress, signal, patient: prepare.background }),
        preparedBytes: (prepare) => call('preparedBytes', prepare),
        discard: (prepare) => call('discard', prepare),
        shares: (query) => call('shares', query),
        through: (query, area) => call('through', { query, area }),
        obstacle: (query) => call('obstacle', query),
        regions: (sector) => call('regions', sector),
        portals: (prepare) => call('portals', prepare),
        measure: (measure, progress, signal) => call('measure', measure, { progress, signal }),
        crowdNew: (crowd, signal) => call('crowdNew', crowd, { signal }),
        crowdTick: (tick, signal) => call('crowdTick', tick, { signal }),
        crowdEnd: () => call('crowdEnd', null),
        subdivisionNew: (generator) => call('subdivisionNew', generator),
        subdivisionFind: (query, stream = 'subdivision') => streams(stream, () => call('subdivisionFind', query, { stream })),
    };
}

// Streams of queries that follow the pointer. At most one query of a stream is at the worker and one waits here; a newer query replaces
// the waiting one. The worker abandons its query when the next one of the stream arrives.
function newestOnly(): <T>(stream: string, start: () => Promise<T>) => Promise<T | null> {
    const latest = new Map<string, number>();
    const running = new Map<string, Promise<unknown>>();
    return async (stream, start) => {
        const mine = (latest.get(stream) ?? 0) + 1;
        latest.set(stream, mine);
        const before = running.get(stream);
        if (before) await Promise.race([before.catch(() => null), patience()]);
        if (latest.get(stream) !== mine) return null;
        const answer = start();
        running.set(stream, answer);
        return answer;
    };
}

// Resolves after the time in ms that a query waits for its predecessor. A query that is nearly finished is worth the wait: dragging a
// flag over a large map then shows routes that lag instead of none.
function patience(): Promise<null> {
    return new Promise((resolve) => setTimeout(() => resolve(null), 400));
}
