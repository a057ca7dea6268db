// Loads the WebAssembly module, calls it and accesses its memory. Structs of terrane_c.h are described by their fields and laid out as in
// C. A leading field `size` is set automatically.
//
//   const info = struct({ size: 'u32', width: 'i32', bytes: 'u64' });
//   module.scratch((s) => { const at = s.put(info); module.call('terrane_world_get_info', world, at); return module.get(info, at); });
import { makeSystem } from './wasi';

export type FieldType = 'u8' | 'i32' | 'u32' | 'u64' | 'f32' | 'f64' | { chars: number } | { u32s: number };
type Value<K extends FieldType> = K extends 'u64'
    ? bigint
    : K extends { chars: number }
      ? string
      : K extends { u32s: number }
        ? number[]
        : number;
export type Fields = Record<string, FieldType>;
export type Values<F extends Fields> = { [name in keyof F]: Value<F[name]> };

interface Member {
    name: string;
    type: FieldType;
    offset: number;
}

export interface Struct<F extends Fields> {
    bytes: number;
    members: Member[];
    readonly fields: F;
}

const widths = { u8: 1, i32: 4, u32: 4, u64: 8, f32: 4, f64: 8 };

function extent(type: FieldType): { align: number; bytes: number } {
    if (typeof type === 'string') return { align: widths[type], bytes: widths[type] };
    return 'chars' in type ? { align: 1, bytes: type.chars } : { align: 4, bytes: 4 * type.u32s };
}

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

export function struct<F extends Fields>(fields: F): Struct<F> {
    const members: Member[] = [];
    let end = 0;
    let align = 1;
    for (const [name, type] of Object.entries(fields)) {
        const need = extent(type);
        const offset = roundUp(end, need.align);
        members.push({ name, type, offset });
        end = offset + need.bytes;
        align = Math.max(align, need.align);
    }
    return { bytes: roundUp(end, align), members, fields };
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

export interface Module {
    call(name: string, ...args: (number | bigint)[]): number;
    big(name: string, ...args: (number | bigint)[]): bigint; // for functions that return 64 bits
    has(name: string): boolean;
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
    const has = (name: string): boolean => typeof exports[name] === 'function';

    function invoke(name: string, args: (number | bigint)[]): number | bigint {
        if (!has(name)) throw new Error(`The engine has no function ${name}: rebuild the studio`);
        try {
            return (exports[name] as Callable)(...args) ?? 0;
        } catch (error) {
            throw new Trap(takeText() || (error instanceof Error ? error.message : String(error)));
        }
    }

    function allocate(bytes: number): number {
        const at = Number(invoke('malloc', [Math.max(bytes, 1)])) >>> 0;
        if (at === 0) throw new Error(`The engine cannot allocate ${bytes} bytes: open a smaller map`);
        return at;
    }

    const free = (at: number): void => void invoke('free', [at]);

    return {
        call: (name, ...args) => Number(invoke(name, args)),
        big: (name, ...args) => BigInt.asUintN(64, BigInt(invoke(name, args))),
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
    for (const member of layout.members) {
        const value = values[member.name] ?? (member.name === 'size' && member.offset === 0 ? layout.bytes : undefined);
        if (value !== undefined) writeField(view, member, value);
    }
}

function getStruct<F extends Fields>(memory: WebAssembly.Memory, layout: Struct<F>, at: number): Values<F> {
    const view = new DataView(memory.buffer, at, layout.bytes);
    const values: Record<string, unknown> = {};
    for (const member of layout.members) values[member.name] = readField(view, member);
    return values as Values<F>;
}

function writeField(view: DataView, { type, offset }: Member, value: unknown): void {
    if (type === 'u8') view.setUint8(offset, value as number);
    else if (type === 'i32') view.setInt32(offset, value as number, true);
    else if (type === 'u32') view.setUint32(offset, value as number, true);
    else if (type === 'u64') view.setBigUint64(offset, value as bigint, true);
    else if (type === 'f32') view.setFloat32(offset, value as number, true);
    else if (type === 'f64') view.setFloat64(offset, value as number, true);
    else if ('u32s' in type) (value as number[]).slice(0, type.u32s).forEach((each, i) => view.setUint32(offset + 4 * i, each, true));
    else writeChars(new Uint8Array(view.buffer, view.byteOffset + offset, type.chars), value as string);
}

// Throws instead of truncating: a truncated method name could be a different method.
function writeChars(out: Uint8Array, text: string): void {
    const encoded = new TextEncoder().encode(text);
    if (encoded.length >= out.length) throw new Error(`'${text.slice(0, 40)}...' is too long: use at most ${out.length - 1} bytes`);
    out.set(encoded);
}

function readField(view: DataView, { type, offset }: Member): unknown {
    if (type === 'u8') return view.getUint8(offset);
    if (type === 'i32') return view.getInt32(offset, true);
    if (type === 'u32') return view.getUint32(offset, true);
    if (type === 'u64') return view.getBigUint64(offset, true);
    if (type === 'f32') return view.getFloat32(offset, true);
    if (type === 'f64') return view.getFloat64(offset, true);
    if ('u32s' in type) return Array.from({ length: type.u32s }, (_, i) => view.getUint32(offset + 4 * i, true));
    return readText(new Uint8Array(view.buffer, view.byteOffset + offset, type.chars));
}

function readText(bytes: Uint8Array): string {
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}
