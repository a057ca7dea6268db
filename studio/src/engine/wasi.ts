// A WASI that provides nothing. It records the module's error output, to report why the module stopped; every other call fails with
// ENOTSUP.

const notSupported = 58; // ENOTSUP in WASI
const stop = 'proc_exit';

export interface System {
    imports(module: WebAssembly.Module): WebAssembly.Imports;
    attach(memory: WebAssembly.Memory): void;
    takeText(): string; // returns and clears the recorded output, without trailing white space
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
        throw new WebAssembly.RuntimeError(`the module exited with code ${code}`);
    }

    return {
        imports(module) {
            const table: WebAssembly.Imports = {};
            for (const { module: namespace, name, kind } of WebAssembly.Module.imports(module)) {
                if (kind !== 'function')
                    throw new Error(`The engine imports ${namespace}.${name}, which is not a function: rebuild the studio`);
                const entry = name === 'fd_write' ? write : name === stop ? exit : () => notSupported;
                (table[namespace] ??= {})[name] = entry;
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
