// Plays a crowd: requests the next tick while the current one is shown, and interpolates between them.
import type { App } from '../app';
import type { CrowdRequest, CrowdState } from '../engine/protocol';

export interface Layers {
    goals: boolean;
    reservations: boolean;
    arrows: boolean;
}

export interface Play {
    readonly state: CrowdState | null; // null: no crowd
    readonly before: Int32Array | null; // agents one tick earlier
    readonly playing: boolean;
    readonly times: number[]; // ms of recent ticks
    speed: number; // ticks per second
    layers: Layers;
    progress(): number; // from `before` to `state`, 0 to 1
    spawn(request: CrowdRequest): Promise<boolean>;
    play(): void;
    pause(): void;
    step(): Promise<void>;
    refreshLayers(): Promise<void>; // updates the layers without a tick
    reset(): void; // drops the state: the engine has no crowd
    end(): Promise<void>;
}

const MAX_TIMES = 1000;

export function makePlay(app: App): Play {
    let state: CrowdState | null = null;
    let before: Int32Array | null = null;
    let times: number[] = [];
    let playing = false;
    let asking: Promise<CrowdState | null> | null = null;
    let waiting: CrowdState | null = null; // the next tick, not shown yet
    let began = 0; // start of the shown tick, by performance.now()
    const play: Play = {
        get state() {
            return state;
        },
        get before() {
            return before;
        },
        get playing() {
            return playing;
        },
        get times() {
            return times;
        },
        speed: 6,
        layers: { goals: false, reservations: false, arrows: false },
        progress,
        spawn,
        play: start,
        pause,
        step,
        refreshLayers,
        reset,
        end,
    };
    return play;

    function progress(): number {
        return Math.min(1, (performance.now() - began) / (1000 / play.speed));
    }

    async function spawn(request: CrowdRequest): Promise<boolean> {
        await asking;
        try {
            const fresh = await app.engine.crowdNew(request);
            reset();
            show(fresh);
            await refreshLayers();
            return true;
        } catch (error) {
            app.say((error as Error).message, 'error');
            return false;
        }
    }

    function show(next: CrowdState): void {
        before = state && state.agents.length === next.agents.length ? state.agents : next.agents;
        state = next;
        times = [...times, ...next.ms].slice(-MAX_TIMES);
        began = performance.now();
        app.view.redraw();
        app.refresh();
    }

    // Sends one request at a time. Returns null and pauses if it fails.
    function ask(ticks: number): Promise<CrowdState | null> {
        const mine = (ticks > 0 && state?.tick === 0 ? firstTick() : tick(ticks)).catch((error: Error) => {
            app.say(error.message, 'error');
            return null;
        });
        asking = mine;
        void mine.then((answer) => {
            if (asking === mine) asking = null;
            if (!answer) pause();
        });
        return mine;
    }

    function tick(ticks: number, signal?: AbortSignal): Promise<CrowdState> {
        const { reservations, arrows } = play.layers;
        return app.engine.crowdTick({ ticks, reservations, arrows }, signal);
    }

    // Many methods search the whole map for each agent before the first move.
    async function firstTick(): Promise<CrowdState | null> {
        return (await app.job(`Planning for ${state!.count} agents`, (_, signal) => tick(1, signal))) ?? null;
    }

    function start(): void {
        if (!state || playing) return;
        playing = true;
        void prefetch();
        requestAnimationFrame(frame);
        app.refresh();
    }

    function pause(): void {
        playing = false;
        app.refresh();
    }

    async function prefetch(): Promise<void> {
        const of = state;
        await asking;
        const next = await ask(1);
        if (of !== null && next) waiting = next;
    }

    function frame(): void {
        if (!state) return;
        if (waiting && progress() >= 1) {
            show(waiting);
            waiting = null;
            if (playing) void prefetch();
        }
        app.view.redraw();
        if (playing || waiting || progress() < 1) requestAnimationFrame(frame);
    }

    async function step(): Promise<void> {
        pause();
        if (waiting) return void requestAnimationFrame(frame);
        await asking;
        const next = await ask(1);
        if (!next) return;
        show(next);
        requestAnimationFrame(frame);
    }

    async function refreshLayers(): Promise<void> {
        if (!state || playing) return;
        await asking;
        const seen = await ask(0);
        if (seen && state && !waiting) {
            state = { ...state, reservations: seen.reservations, arrows: seen.arrows };
            app.view.redraw();
        }
    }

    function reset(): void {
        playing = false;
        state = before = waiting = null;
        times = [];
        app.view.redraw();
        app.refresh();
    }

    async function end(): Promise<void> {
        await asking;
        reset();
        await app.engine.crowdEnd().catch(() => null);
    }
}

export function mean(list: number[]): number {
    return list.length === 0 ? 0 : list.reduce((sum, each) => sum + each, 0) / list.length;
}

export function percentile(list: number[], part: number): number {
    const sorted = [...list].sort((a, b) => a - b);
    return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}
