// Loads the WebAssembly module, calls it and accesses its memory. terrane_c.ts has the layouts of the structs and the types of the
// functions. A leading field `size` is set automatically.
//
//   module.scratch((s) => {
//       const at = s.put(worldInfo);
//       module.call('terrane_world_get_info', world, at, 0);
//       return module.get(worldInfo, at);
//   });
import type { Functions } from './terrane_c';
import { makeSystem } from './wasi';

type FieldNumber = 'u8' | 'i32' | 'u32' | 'u64' | 'f32' | 'f64';
export type FieldType = FieldNumber | { readonly chars: number } | { readonly of: 'u32'; readonly count: number };
type Value<K extends FieldType> = K extends 'u64'
    ? bigint
    : K extends { chars: number }
      ? string
      : K extends { of: 'u32' }
        ? number[]
        : number;
interface Field {
    readonly at: number; // offset in bytes
    readonly type: FieldType;
}
export type Fields = Readonly<Record<string, Field>>;
export type Values<F extends Fields> = { -readonly [name in keyof F]: Value<F[name]['type']> };

export interface Struct<F extends Fields> {
    readonly bytes: number;
    readonly fields: F;
}

// The module trapped: its state is undefined, and it must not be called again.
export class Trap extends Error {}

// Memory for one call, freed when the call ends. `put` writes the given fields and zeros the others.
export interface Scratch {
    bytes(count: number): number;
    text(text: string): number;
    put<F extends Fields>(layout: Struct<F>, values?: Partial<Values<F>>): number;
    puts<F extends Fields>(layout: Struct<F>, list: Partial<Values<F>>[]): number;
}

interface Exports extends Functions {
    malloc(bytes: number): number;
    free(at: number): void;
    _initialize(): void;
}

export interface Module {
    call<N extends keyof Exports>(name: N, ...args: Parameters<Exports[N]>): ReturnType<Exports[N]>;
    has(name: keyof Exports): boolean;
    scratch<T>(use: (scratch: Scratch) => T): T;
    get<F extends Fields>(layout: Struct<F>, at: number): Values<F>;
    text(at: number): string; // zero-terminated
    allocate(bytes: number): number; // free it with free()
    free(at: number): void;
    u8(at: number, count: number): Uint8Array; // views into the memory; the next call may invalidate them
    i32(at: number, count: number): Int32Array;
    u32(at: number, count: number): Uint32Array;
    f32(at: number, count: number): Float32Array;
    f64(at: number, count: number): Float64Array;
    memoryBytes(): number;
}

type Callable = (...args: (number | bigint)[]) => number | bigint | undefined;

export async function loadModule(bytes: BufferSource): Promise<Module> {
    const system = makeSystem();
    const compiled = await WebAssembly.compile(bytes);
    const instance = await WebAssembly.instantiate(compiled, system.imports(compiled));
    const memory = instance.exports.memory as WebAssembly.Memory;
    system.attach(memory);
    const module = wrap(instance.exports, memory, system.takeText);
    if (module.has('_initialize')) module.call('_initialize');
    return module;
}

function wrap(exports: WebAssembly.Exports, memory: WebAssembly.Memory, takeText: () => string): Module {
    const has = (name: keyof Exports): boolean => typeof exports[name] === 'function';

    function call<N extends keyof Exports>(name: N, ...args: Parameters<Exports[N]>): ReturnType<Exports[N]> {
        if (!has(name)) throw new Error(`The engine has no function ${name}: rebuild the studio`);
        try {
            const result = (exports[name] as Callable)(...args);
            return (typeof result === 'bigint' ? BigInt.asUintN(64, result) : result) as ReturnType<Exports[N]>;
        } catch (error) {
            throw new Trap(takeText() || (error instanceof Error ? error.message : String(error)));
        }
    }

    function allocate(bytes: number): number {
        const at = call('malloc', Math.max(bytes, 1)) >>> 0;
        if (at === 0) throw new Error(`The engine cannot allocate ${bytes} bytes: open a smaller map`);
        return at;
    }

    const free = (at: number): void => call('free', at);

    return {
        call,
        has,
        allocate,
        free,
        scratch: (use) => withScratch(memory, allocate, free, use),
        get: (layout, at) => getStruct(memory, layout, at),
        text: (at) => readText(new Uint8Array(memory.buffer, at)),
        u8: (at, count) => new Uint8Array(memory.buffer, at, count),
        i32: (at, count) => new Int32Array(memory.buffer, at, count),
        u32: (at, count) => new Uint32Array(memory.buffer, at, count),
        f32: (at, count) => new Float32Array(memory.buffer, at, count),
        f64: (at, count) => new Float64Array(memory.buffer, at, count),
        memoryBytes: () => memory.buffer.byteLength,
    };
}

// --- Memory for one call ---

function withScratch<T>(
    memory: WebAssembly.Memory,
    allocate: (bytes: number) => number,
    free: (at: number) => void,
    use: (s: Scratch) => T,
): T {
    const held: number[] = [];
    const bytes = (count: number): number => {
        held.push(allocate(count));
        return held[held.length - 1];
    };
    const puts = <F extends Fields>(layout: Struct<F>, list: Partial<Values<F>>[]): number => {
        const at = bytes(layout.bytes * list.length);
        list.forEach((values, i) => setStruct(memory, layout, at + i * layout.bytes, values));
        return at;
    };
    const text = (given: string): number => {
        const encoded = new TextEncoder().encode(`${given}\0`);
        const at = bytes(encoded.length);
        new Uint8Array(memory.buffer, at, encoded.length).set(encoded);
        return at;
    };
    let dead = false;
    try {
        return use({ bytes, text, puts, put: (layout, values = {}) => puts(layout, [values]) });
    } catch (error) {
        dead = error instanceof Trap;
        throw error;
    } finally {
        if (!dead) held.forEach(free);
    }
}

// --- Structs ---

function setStruct<F extends Fields>(memory: WebAssembly.Memory, layout: Struct<F>, at: number, values: Partial<Values<F>>): void {
    new Uint8Array(memory.buffer, at, layout.bytes).fill(0);
    const view = new DataView(memory.buffer, at, layout.bytes);
    for (const [name, field] of Object.entries(layout.fields)) {
        const value = values[name] ?? (name === 'size' && field.at === 0 ? layout.bytes : undefined);
        if (value !== undefined) writeField(view, field, value);
    }
}

function getStruct<F extends Fields>(memory: WebAssembly.Memory, layout: Struct<F>, at: number): Values<F> {
    const view = new DataView(memory.buffer, at, layout.bytes);
    return Object.fromEntries(Object.entries(layout.fields).map(([name, field]) => [name, readField(view, field)])) as Values<F>;
}

function writeField(view: DataView, { type, at }: Field, value: unknown): void {
    if (type === 'u8') view.setUint8(at, value as number);
    else if (type === 'i32') view.setInt32(at, value as number, true);
    else if (type === 'u32') view.setUint32(at, value as number, true);
    else if (type === 'u64') view.setBigUint64(at, value as bigint, true);
    else if (type === 'f32') view.setFloat32(at, value as number, true);
    else if (type === 'f64') view.setFloat64(at, value as number, true);
    else if ('of' in type) (value as number[]).slice(0, type.count).forEach((each, i) => view.setUint32(at + 4 * i, each, true));
    else writeChars(new Uint8Array(view.buffer, view.byteOffset + at, type.chars), value as string);
}

// Throws instead of truncating: a truncated method name could be a different method.
function writeChars(out: Uint8Array, text: string): void {
    const encoded = new TextEncoder().encode(text);
    if (encoded.length >= out.length) throw new Error(`'${text.slice(0, 40)}...' is too long: use at most ${out.length - 1} bytes`);
    out.set(encoded);
}

function readField(view: DataView, { type, at }: Field): unknown {
    if (type === 'u8') return view.getUint8(at);
    if (type === 'i32') return view.getInt32(at, true);
    if (type === 'u32') return view.getUint32(at, true);
    if (type === 'u64') return view.getBigUint64(at, true);
    if (type === 'f32') return view.getFloat32(at, true);
    if (type === 'f64') return view.getFloat64(at, true);
    if ('of' in type) return Array.from({ length: type.count }, (_, i) => view.getUint32(at + 4 * i, true));
    return readText(new Uint8Array(view.buffer, view.byteOffset + at, type.chars));
}

function readText(bytes: Uint8Array): string {
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}
