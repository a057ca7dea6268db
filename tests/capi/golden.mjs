// Runs capi_golden as WebAssembly: node tests/capi/golden.mjs build/wasm/tests/capi/capi_golden.wasm [print]
// Of WASI it uses only the arguments, standard output and exit.
import { readFile } from 'node:fs/promises';
import { writeSync } from 'node:fs';

const args = process.argv.slice(2).map((arg) => Buffer.from(arg + '\0'));
let memory;
const view = () => new DataView(memory.buffer);

const wasi = {
    args_sizes_get(count, size) {
        view().setUint32(count, args.length, true);
        view().setUint32(size, Buffer.concat(args).length, true);
        return 0;
    },
    args_get(pointers, texts) {
        for (const arg of args) {
            view().setUint32(pointers, texts, true);
            new Uint8Array(memory.buffer, texts).set(arg);
            pointers += 4;
            texts += arg.length;
        }
        return 0;
    },
    fd_write(fd, parts, count, written) {
        let sum = 0;
        for (let i = 0; i < count; ++i) {
            const length = view().getUint32(parts + 8 * i + 4, true);
            writeSync(fd, new Uint8Array(memory.buffer, view().getUint32(parts + 8 * i, true), length));
            sum += length;
        }
        view().setUint32(written, sum, true);
        return 0;
    },
    proc_exit(code) {
        process.exit(code);
    },
};
const missing = new Proxy(wasi, { get: (known, name) => known[name] ?? (() => 52) });  // not supported

const module = await WebAssembly.compile(await readFile(process.argv[2]));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: missing });
memory = instance.exports.memory;
instance.exports._start();
