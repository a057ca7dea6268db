// Implements the commands of protocol.ts. worker.ts calls them in the browser, the tests call them in node.
import * as C from './crowd';
import * as J from './jobs';
import type { Module } from './module';
import * as P from './paths';
import type { Answer, CommandName, Commands, Edit, EditAnswer, Path, Query, Request, WorldAnswer } from './protocol';
import {
    changesSince,
    closeSession,
    describe,
    discard,
    discardBeforeLargeEdit,
    dropCopy,
    endCrowd,
    methodOf,
    openSession,
    profileOf,
    setCreatures,
    worldWith,
} from './session';
import type { Session } from './session';
import * as W from './subdivision';
import * as T from './terrane';

export interface Picture {
    width: number;
    height: number;
    rows(from: number, count: number): Uint8ClampedArray; // 4 bytes per pixel
}

export interface WorkerHost {
    decode(bytes: Uint8Array): Promise<Picture>; // decodes an image file
    retire(run: () => void): void; // runs it after the current jobs have ended
}

type Handlers = { [K in CommandName]: (request: Request<K>, job: J.Job) => Answer<K> | Promise<Answer<K>> };

const traceLimit = 200e6; // bytes
const bandRows = 256;

export function makeCommands(m: Module, host: WorkerHost): Handlers {
    let current: Session | null = null;
    let subdivision: W.SubdivisionHandles | null = null;
    let planning: Promise<unknown> = Promise.resolve(); // serialises queries: the planner runs one at a time
    let painting: Promise<unknown> = Promise.resolve(); // serialises lists of edits

    function session(): Session {
        if (!current) throw new Error('There is no map: open or generate one first');
        return current;
    }

    async function open(make: () => T.World | Promise<T.World>, sectors: number[] | undefined): Promise<WorldAnswer> {
        const began = performance.now();
        const world = await make();
        const old = current;
        current = openSession(m, world, sectors);
        if (old) host.retire(() => closeSession(m, old));
        return describe(m, current, performance.now() - began);
    }

    function withPlanner<T>(use: (s: Session) => T | Promise<T>): Promise<T> {
        const mine = planning.then(() => use(session()));
        planning = mine.catch(() => null);
        return mine;
    }

    function timed(s: Session, query: Query): Path {
        const began = performance.now();
        const method = methodOf(s, query);
        const path = P.find(m, s.planner, { ...query, method }, profileOf(s, query.creature));
        return { ...path, ms: performance.now() - began };
    }

    function paint(edits: Edit[], job: J.Job): Promise<EditAnswer> {
        const mine = painting.then(() => {
            dropCopy(m, session());
            if (J.isLarge(edits)) discardBeforeLargeEdit(m, session());
            return J.edit(m, session(), edits, job);
        });
        painting = mine.catch(() => null);
        return mine;
    }

    // Runs `use` after all pending edits.
    const painted = <T>(use: () => T): Promise<T> => painting.then(use);

    // Wraps a job so that queries and edits run first.
    const background = (job: J.Job): J.Job => ({
        ...job,
        async pause() {
            await job.pause();
            await Promise.all([planning, painting]);
            job.check();
        },
    });

    async function findAll(s: Session, queries: Query[], job: J.Job): Promise<Path[]> {
        const paths: Path[] = [];
        for (const query of queries) paths.push(await J.find(m, s, s.planner, query, job));
        return paths;
    }

    async function fromPicture(bytes: Uint8Array, request: Request<'openFile'>, job: J.Job): Promise<T.World> {
        const picture = await host.decode(bytes);
        const { width, height } = picture;
        return T.fromPixels(m, width, height, request.merge ?? 0, request, async (at) => {
            for (let y = 0; y < height; y += bandRows) {
                const band = picture.rows(y, Math.min(bandRows, height - y));
                m.u8(at + y * width * 4, band.length).set(band);
                job.progress(Math.min(1, (y + bandRows) / height));
                await job.pause();
            }
        });
    }

    return {
        version: () => T.version(m),
        generate: (request) => open(() => T.generate(m, request), request.sectors),
        openFile(request, job) {
            const bytes = new Uint8Array(request.bytes);
            return open(
                () => (isPicture(bytes) ? fromPicture(bytes, request, job) : T.fromBytes(m, bytes, request.name, request)),
                request.sectors,
            );
        },
        fromCells: (request) => open(() => T.fromCells(m, request), request.sectors),
        info() {
            const { version, bytes, checksum } = T.worldInfo(m, session().world);
            return { version: Number(version), bytes: Number(bytes), checksum, memory: m.memoryBytes() };
        },
        edit: (request, job) => paint(request, job),
        save: (format) => painted(() => T.save(m, session().world, format)),
        changes: ({ since, maxRuns }) => painted(() => changesSince(m, session(), since, maxRuns)),

        setCreatures(request) {
            setCreatures(m, session(), request);
            return null;
        },
        preset: (name) => T.presetCosts(m, name, session().world, session().terrains.length),
        methods: () => ({
            paths: T.pathMethods(m),
            crowd: T.plainMethods(m, 'terrane_crowd_method'),
            subdivision: T.plainMethods(m, 'terrane_subdivision_method'),
        }),
        checkMethod(name) {
            T.checkMethod(m, name);
            return { prepares: T.methodPrepares(m, name) === 1 };
        },
        find: (queries, job) => withPlanner((s) => findAll(s, queries, job)),
        trace: (query) => withPlanner((s) => P.trace(m, s.planner, query, profileOf(s, query.creature), traceLimit)),
        prepare: (request, job) => J.prepare(m, session(), request, request.background ? background(job) : job),
        preparedBytes: (request) => T.preparedBytes(m, session().world, profileOf(session(), request.creature), request),
        discard: (request) => discard(m, session(), request),

        shares: (query) =>
            withPlanner((s) => {
                const path = timed(s, query);
                return { path, shares: P.shares(m, s.planner, s.world, profileOf(s, query.creature)) };
            }),
        through: ({ query, area }) =>
            withPlanner((s) => {
                const began = performance.now();
                const path = P.through(m, s.planner, query, area, profileOf(s, query.creature));
                return { ...path, ms: performance.now() - began };
            }),
        obstacle: (query) => withPlanner((s) => P.obstacle(m, s.planner, query, profileOf(s, query.creature))),

        regions: (sector) => painted(() => T.readRegions(m, worldWith(m, session(), sector), sector)),
        portals: (request) => T.portals(m, session().world, profileOf(session(), request.creature), request),
        measure: (request, job) => J.measure(m, session(), request, job),

        crowdNew(request) {
            const s = session();
            const types = request.creatures.map((creature) => profileOf(s, creature));
            const crowd = C.makeCrowd(m, s.world, types, request);
            endCrowd(m, s);
            s.crowd = crowd;
            return C.tickCrowd(m, crowd, { ticks: 0 });
        },
        crowdTick(request) {
            const { crowd } = session();
            if (!crowd) throw new Error('There is no crowd: spawn one first');
            return C.tickCrowd(m, crowd, request);
        },
        crowdEnd() {
            endCrowd(m, session());
            return null;
        },

        subdivisionNew(request) {
            const made = W.makeSubdivision(m, request);
            if (subdivision) W.freeSubdivision(m, subdivision);
            subdivision = made;
            return W.readSubdivision(m, subdivision);
        },
        subdivisionFind(query) {
            if (!subdivision) throw new Error('There is no subdivision: generate one first');
            return W.findInSubdivision(m, subdivision, query);
        },
    } satisfies Handlers & { [K in keyof Commands]: unknown };
}

// Detects PNG, JPEG, GIF, WebP and BMP by their first bytes.
function isPicture(bytes: Uint8Array): boolean {
    const begins = (at: number, text: string): boolean => [...text].every((letter, i) => bytes[at + i] === letter.charCodeAt(0));
    return (
        begins(0, '\x89PNG') ||
        begins(0, '\xff\xd8\xff') ||
        begins(0, 'GIF8') ||
        begins(0, 'BM') ||
        (begins(0, 'RIFF') && begins(8, 'WEBP'))
    );
}
