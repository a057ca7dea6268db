// The engine's worker: loads terrane.wasm from its own folder and answers the calls of client.ts.
import { makeCommands } from './commands';
import type { Picture } from './commands';
import type { Job } from './jobs';
import { loadModule, Trap } from './module';
import type { CommandName, FromWorker, ToWorker } from './protocol';
import { abi, version } from './terrane';

// The part of a worker's global scope that is used here. One program cannot include both the page's types and the worker's.
interface Scope {
    postMessage(message: FromWorker, transfer: Transferable[]): void;
    onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}
const scope = self as unknown as Scope;

type Run = (request: unknown, job: Job) => unknown;
type Call = Extract<ToWorker, { kind: 'call' }>;
class Ended extends Error {} // the job was cancelled or superseded

const newest = new Map<string, number>(); // call id by stream
const cancelled = new Set<number>();
const running = new Set<Promise<void>>();
const maxPixels = 64e6;
let worlds = 0; // opened so far; jobs on older worlds are cancelled

const ready = load();
scope.onmessage = ({ data }) => {
    if (data.kind === 'cancel') return void cancelled.add(data.id);
    if (data.stream) newest.set(data.stream, data.id);
    const job = answer(data).finally(() => running.delete(job));
    running.add(job);
};

async function load(): Promise<Record<CommandName, Run>> {
    const reply = await fetch(new URL('terrane.wasm', self.location.href));
    if (!reply.ok) throw new Error(`cannot load terrane.wasm (HTTP ${reply.status}): rebuild the studio`);
    const module = await loadModule(await reply.arrayBuffer());
    const has = version(module).abi;
    if (has !== abi) throw new Error(`terrane.wasm has interface version ${has}, the page needs ${abi}: rebuild the studio`);
    return makeCommands(module, { decode, retire }) as Record<CommandName, Run>;
}

async function answer(call: Call): Promise<void> {
    try {
        const commands = await ready;
        if (isStale(call)) return post({ kind: 'superseded', id: call.id });
        const value = await commands[call.name](call.request, jobOf(call));
        post({ kind: 'answer', id: call.id, value }, buffersOf(value));
    } catch (error) {
        post(failure(call, error));
    } finally {
        cancelled.delete(call.id);
    }
}

const isStale = (call: Call): boolean => call.stream !== '' && newest.get(call.stream) !== call.id;

function jobOf(call: Call): Job {
    const born = worlds;
    const end = (): never => {
        throw new Ended();
    };
    const check = (): void => {
        if (isStale(call) || cancelled.has(call.id) || worlds !== born) end();
    };
    return { check, end, pause: () => nextMessage().then(check), progress: (done) => post({ kind: 'progress', id: call.id, done }) };
}

function failure(call: Call, error: unknown): FromWorker {
    if (error instanceof Ended) return { kind: call.stream ? 'superseded' : 'cancelled', id: call.id };
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof Trap) return { kind: 'trapped', message };
    return { kind: 'refused', id: call.id, message };
}

function post(message: FromWorker, transfer: Transferable[] = []): void {
    scope.postMessage(message, transfer);
}

// Returns the buffers of all typed arrays in an answer, to transfer them to the page.
function buffersOf(value: unknown, found = new Set<Transferable>()): Transferable[] {
    if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
    else if (value !== null && typeof value === 'object') Object.values(value).forEach((each) => buffersOf(each, found));
    return [...found];
}

// Resolves after the messages that have arrived by now.
const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();
function nextMessage(): Promise<void> {
    return new Promise((resolve) => {
        waiting.push(resolve);
        channel.port2.postMessage(null);
    });
}

function retire(run: () => void): void {
    ++worlds;
    void Promise.allSettled([...running])
        .then(run)
        .catch((error) => post({ kind: 'trapped', message: String(error) }));
}

async function decode(bytes: Uint8Array): Promise<Picture> {
    const bitmap = await bitmapOf(bytes);
    const { width, height } = bitmap;
    if (width * height > maxPixels)
        throw new Error(`The picture has ${Math.round((width * height) / 1e6)} megapixels, the limit is 64: scale it down`);
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('This browser cannot allocate a canvas for the picture: scale it down');
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    return { width, height, rows: (from, count) => context.getImageData(0, from, width, count).data };
}

async function bitmapOf(bytes: Uint8Array): Promise<ImageBitmap> {
    try {
        return await createImageBitmap(new Blob([bytes as BlobPart]), { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
    } catch {
        throw new Error('The picture cannot be decoded: it is damaged or in a format that this browser does not support. Save it as PNG');
    }
}
