// Long-running jobs, one at a time, with progress and cancellation.
import { Cancelled } from './engine/client';

export interface JobState {
    title: string;
    done: number; // 0 to 1; negative: unknown
    text: string;
    cancel(): void;
}

export type Run<T> = (progress: (done: number, text?: string) => void, signal: AbortSignal) => Promise<T>;

export interface Jobs {
    run<T>(title: string, run: Run<T>): Promise<T | undefined>;
    current(): JobState | null; // null for jobs that are too short to show
}

const SHOW_AFTER = 150; // ms until a job becomes visible

export function makeJobs(options: { changed(): void; failed(text: string, kind: 'warning' | 'error'): void }): Jobs {
    let shown: JobState | null = null;
    let queue: Promise<unknown> = Promise.resolve();

    async function carryOut<T>(title: string, run: Run<T>): Promise<T | undefined> {
        const abort = new AbortController();
        const state: JobState = { title, done: -1, text: '', cancel: () => abort.abort() };
        const timer = setTimeout(() => {
            shown = state;
            options.changed();
        }, SHOW_AFTER);
        const progress = (done: number, text = ''): void => {
            state.done = done;
            state.text = text;
            if (shown === state) options.changed();
        };
        try {
            return await run(progress, abort.signal);
        } catch (error) {
            if (error instanceof Cancelled || abort.signal.aborted) options.failed(`${title}: cancelled`, 'warning');
            else options.failed(`${title}: ${(error as Error).message}`, 'error');
            return undefined;
        } finally {
            clearTimeout(timer);
            shown = null;
            options.changed();
        }
    }

    return {
        run(title, run) {
            const mine = queue.then(() => carryOut(title, run));
            queue = mine;
            return mine;
        },
        current: () => shown,
    };
}
