// The engine as the page sees it: promises, one worker behind them.
//
//   const engine = startEngine({ mirror: () => world, restarted: (message) => say(message) });
//   const world = await engine.generate({ kind: 'island', width: 512, height: 512, seed: 7, detail: 0, terrains: 0 });
//   await engine.setCreatures([{ name: 'deer', costs: await engine.preset('deer') }]);
//   const paths = await engine.find([{ creature: 0, from, to }]);      // null: a newer find took its place
//
// Calls are answered in order, except that edits do not wait for queries. What the engine refuses rejects with its message. Of find and
// fieldFind, which follow the pointer, the newest wins: an older one of the same `stream` that is not answered yet becomes null.
// Where the module breaks (an assertion, memory that cannot be had), calls under way reject, a new worker starts with the world of
// `mirror` and the last creatures, and `restarted` is told; what was prepared, the crowd and the field are gone. The same happens where
// work that was cancelled does not end by itself: not everything in the engine comes in slices.
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
    Field,
    FieldGenerator,
    FieldPath,
    FieldQuery,
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
    ToWorker,
    TraceAnswer,
    WorldAnswer,
    WorldInfo,
    WorldOptions,
} from './protocol';

export type Progress = (done: number) => void; // 0 to 1

export class Cancelled extends Error {}

export interface EngineOptions {
    mirror: () => CellsRequest | null; // the page's copy of the world; null: there is none
    restarted: (message: string, restored: boolean) => void;
    worker?: string; // 'worker.js' beside the page
}

export interface Engine {
    version(): Promise<{ version: string; abi: number }>;

    // Each takes the place of the world before; where it is refused, that one stays.
    generate(generator: Generator & WorldOptions): Promise<WorldAnswer>;
    openFile(file: FileRequest, progress?: Progress, signal?: AbortSignal): Promise<WorldAnswer>; // takes file.bytes away
    fromCells(cells: CellsRequest): Promise<WorldAnswer>;
    info(): Promise<WorldInfo>;
    edit(edits: Edit[], progress?: Progress): Promise<EditAnswer>; // in the order given; large ones in slices
    save(format: 'map' | 'terrane'): Promise<Uint8Array>;
    // How the world differs from a generated one, as runs of y, x, length, terrain; null: in size, in its terrains, or by more runs.
    changes(since: Generator, most: number): Promise<Int32Array | null>;

    setCreatures(creatures: CreatureCosts[]): Promise<null>;
    preset(name: string): Promise<number[]>; // person, deer, outlaw, walker, on this world's terrains
    methods(): Promise<Methods>;
    checkMethod(name: string): Promise<{ prepares: boolean }>;
    find(queries: Query[], stream?: string): Promise<Path[] | null>;
    trace(query: Query): Promise<TraceAnswer>;
    prepare(prepare: Prepare, progress?: Progress, signal?: AbortSignal): Promise<PrepareAnswer>;
    preparedBytes(prepare: Prepare): Promise<number>; // 0: it is not prepared
    forget(prepare: Prepare): Promise<boolean>;

    shares(query: Query): Promise<{ path: Path; shares: Share[] }>; // the dearest terrain first
    through(query: Query, area: Rect): Promise<Path>; // the cheapest that enters the area
    obstacle(query: Query): Promise<Obstacle>;

    regions(sector: number): Promise<Regions>; // of any size of sectors: those that the world does not keep are made in a copy of it
    portals(prepare: Prepare): Promise<Int32Array>; // x, y; of a prepared overlay
    measure(measure: Measure, progress?: Progress, signal?: AbortSignal): Promise<MeasureAnswer>; // in a copy of the world

    crowdNew(crowd: CrowdRequest, signal?: AbortSignal): Promise<CrowdState>; // in place of the crowd before
    crowdTick(tick: CrowdTick, signal?: AbortSignal): Promise<CrowdState>; // the first one may take long
    crowdEnd(): Promise<null>;

    fieldNew(generator: FieldGenerator): Promise<Field>; // in place of the field before
    fieldFind(query: FieldQuery, stream?: string): Promise<FieldPath | null>;
}

const mostRestarts = 3; // within so many ms:
const restartsMs = 20000;
const patienceMs = 1500; // until work that was cancelled is ended by force

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
    patient?: boolean; // cancelled work may take its time to end
    transfer?: Transferable[];
}

export function startEngine(options: EngineOptions): Engine {
    const pending = new Map<number, Pending>();
    let worker = launch();
    let nextId = 1;
    let creatures: CreatureCosts[] | null = null;

    function launch(): Worker {
        const fresh = new Worker(options.worker ?? 'worker.js'); // no module: Chromium starts none for a page that lies on a disk
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

    let restarts: number[] = []; // when: a module that breaks again and again is left alone
    let dead = ''; // why it is; a new world is another try

    // `why` is a sentence.
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
        if (restarts.length > mostRestarts) return giveUp(why);
        worker = launch();
        const restored = await restore().catch(() => false);
        const end = restored ? 'with the map as it was' : 'without a map';
        options.restarted(`${why} The engine was started again, ${end}.`, restored);
    }

    function giveUp(why: string): void {
        dead = `${why} That happened several times: open another map to start the engine again.`;
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
        }, patienceMs);
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
        changes: (since, most) => call('changes', { since, most }),
        setCreatures: (list) => call('setCreatures', (creatures = list)),
        preset: (name) => call('preset', name),
        methods: () => call('methods', null),
        checkMethod: (name) => call('checkMethod', name),
        find: (queries, stream = 'find') => streams(stream, () => call('find', queries, { stream })),
        trace: (query) => call('trace', query),
        prepare: (prepare, progress, signal) => call('prepare', prepare, { progress, signal, patient: prepare.quietly }),
        preparedBytes: (prepare) => call('preparedBytes', prepare),
        forget: (prepare) => call('forget', prepare),
        shares: (query) => call('shares', query),
        through: (query, area) => call('through', { query, area }),
        obstacle: (query) => call('obstacle', query),
        regions: (sector) => call('regions', sector),
        portals: (prepare) => call('portals', prepare),
        measure: (measure, progress, signal) => call('measure', measure, { progress, signal }),
        crowdNew: (crowd, signal) => call('crowdNew', crowd, { signal }),
        crowdTick: (tick, signal) => call('crowdTick', tick, { signal }),
        crowdEnd: () => call('crowdEnd', null),
        fieldNew: (generator) => call('fieldNew', generator),
        fieldFind: (query, stream = 'field') => streams(stream, () => call('fieldFind', query, { stream })),
    };
}

// A stream of queries that follow the pointer: those that the worker has not begun when a newer one comes are not begun at all. One is at
// the worker, at most one waits here; the worker gives up the one that it works on when the next reaches it.
function newestOnly(): <T>(stream: string, start: () => Promise<T>) => Promise<T | null> {
    const latest = new Map<string, number>();
    const under = new Map<string, Promise<unknown>>();
    return async (stream, start) => {
        const mine = (latest.get(stream) ?? 0) + 1;
        latest.set(stream, mine);
        const before = under.get(stream);
        if (before) await Promise.race([before.catch(() => null), patience()]);
        if (latest.get(stream) !== mine) return null;
        const answer = start();
        under.set(stream, answer);
        return answer;
    };
}

// How long a newer query waits for the one before, in ms: one that is nearly done is worth its wait, so that a flag that is dragged
// over a large map shows routes that lag, and not none at all.
function patience(): Promise<null> {
    return new Promise((resolve) => setTimeout(() => resolve(null), 400));
}
