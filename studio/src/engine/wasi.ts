// The system that the engine's module asks for: none. What it writes to its error output is kept, to say why it stopped; every other call
// answers that it is not there.

const notSupported = 58; // WASI's errno
const stop = 'proc_exit';

export interface System {
    imports(module: WebAssembly.Module): WebAssembly.Imports;
    attach(memory: WebAssembly.Memory): void;
    takeText(): string; // what was written since, without the last end of line
}

export function makeSystem(): System {
    let memory: WebAssembly.Memory | null = null;
    let text = '';

    function write(fd: number, vectors: number, count: number, written: number): number {
        const view = new DataView(memory!.buffer);
        let total = 0;
        for (let i = 0; i < count; ++i) {
            const at = view.getUint32(vectors + 8 * i, true);
            const size = view.getUint32(vectors + 8 * i + 4, true);
            if (fd === 2) text = (text + new TextDecoder().decode(new Uint8Array(memory!.buffer, at, size))).slice(-2000);
            total += size;
        }
        view.setUint32(written, total, true);
        return 0;
    }

    function exit(code: number): never {
        throw new WebAssembly.RuntimeError(`the module ended itself (${code})`);
    }

    return {
        imports(module) {
            const table: WebAssembly.Imports = {};
            for (const { module: room, name, kind } of WebAssembly.Module.imports(module)) {
                if (kind !== 'function') throw new Error(`The engine's module asks for ${room}.${name}, which is no function`);
                const entry = name === 'fd_write' ? write : name === stop ? exit : () => notSupported;
                (table[room] ??= {})[name] = entry;
            }
            return table;
        },
        attach: (its) => void (memory = its),
        takeText() {
            const taken = text.trimEnd();
            text = '';
            return taken;
        },
    };
}
