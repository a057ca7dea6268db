// Writes animated GIFs from screenshots: decodes PNGs, builds one palette for all frames, and stores only the changed part of each frame.
// Based on: Heckbert 1982 (the palette); Welch 1984 (the compression); CompuServe 1990 (GIF89a).
import { inflateSync } from 'node:zlib';

const COLOURS = 255; // and one for unchanged pixels

// --- PNG, as the browser writes it: 8 bits, RGB or RGBA, not interlaced ---

function paeth(a, b, c) {
    const [da, db, dc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
    return da <= db && da <= dc ? a : db <= dc ? b : c;
}

// Returns width, height and 3 bytes per pixel.
export function decodePng(file) {
    const width = file.readUInt32BE(16);
    const height = file.readUInt32BE(20);
    const step = { 2: 3, 6: 4 }[file[25]];
    if (file[24] !== 8 || !step || file[28] !== 0) throw new Error('not a PNG that a browser writes');
    const parts = [];
    for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
        if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
    const data = inflateSync(Buffer.concat(parts));
    const line = width * step;
    let above = new Uint8Array(line);
    const rgb = new Uint8Array(3 * width * height);
    for (let y = 0; y < height; ++y) {
        const begin = y * (line + 1);
        const row = data.subarray(begin + 1, begin + 1 + line);
        const left = (i) => (i >= step ? row[i - step] : 0);
        const corner = (i) => (i >= step ? above[i - step] : 0);
        const guess = [() => 0, left, (i) => above[i], (i) => (left(i) + above[i]) >> 1, (i) => paeth(left(i), above[i], corner(i))][data[begin]];
        for (let i = 0; i < line; ++i) row[i] += guess(i);
        for (let x = 0; x < width; ++x) rgb.set(row.subarray(x * step, x * step + 3), 3 * (y * width + x));
        above = row;
    }
    return { width, height, rgb };
}

// --- Palette of all frames: median cut; the box with the largest weight and extent is split ---

const coarse = (rgb, i) => ((rgb[i] >> 2) << 12) | ((rgb[i + 1] >> 2) << 6) | (rgb[i + 2] >> 2);
const part = (colour, axis) => (colour >> (12 - 6 * axis)) & 63;

function boxOf(colours, counts) {
    const spans = [0, 1, 2].map((axis) => {
        let [low, high] = [63, 0];
        for (const colour of colours) [low, high] = [Math.min(low, part(colour, axis)), Math.max(high, part(colour, axis))];
        return high - low;
    });
    const axis = spans.indexOf(Math.max(...spans));
    const weight = colours.reduce((sum, colour) => sum + counts[colour], 0);
    return { colours, axis, weight, worth: colours.length > 1 ? Math.sqrt(weight) * spans[axis] : 0 };
}

function split(box, counts) {
    const sorted = [...box.colours].sort((a, b) => part(a, box.axis) - part(b, box.axis));
    let [at, sum] = [0, 0];
    while (at < sorted.length - 1 && (at === 0 || sum + counts[sorted[at]] <= box.weight / 2)) sum += counts[sorted[at++]];
    return [boxOf(sorted.slice(0, at), counts), boxOf(sorted.slice(at), counts)];
}

function makePalette(frames) {
    const counts = new Float64Array(1 << 18);
    for (const { rgb } of frames) for (let i = 0; i < rgb.length; i += 3) ++counts[coarse(rgb, i)];
    let boxes = [boxOf([...counts.keys()].filter((colour) => counts[colour] > 0), counts)];
    while (boxes.length < COLOURS) {
        const widest = boxes.reduce((best, box) => (box.worth > best.worth ? box : best));
        if (widest.worth === 0) break;
        boxes = [...boxes.filter((box) => box !== widest), ...split(widest, counts)];
    }
    const numbers = new Uint8Array(1 << 18);
    const table = new Uint8Array(3 * 256);
    boxes.forEach(({ colours, weight }, n) => {
        for (const colour of colours) numbers[colour] = n;
        for (const axis of [0, 1, 2]) {
            const mean = colours.reduce((sum, colour) => sum + counts[colour] * part(colour, axis), 0) / weight;
            table[3 * n + axis] = Math.round((mean * 255) / 63);
        }
    });
    return { table, numbers };
}

// --- GIF ---

function compress(numbers) {
    const out = [];
    let [bits, room, size, next] = [0, 0, 9, 258];
    const table = new Int16Array(4096 * 256);
    const write = (code) => {
        bits |= code << room;
        for (room += size; room >= 8; room -= 8, bits >>>= 8) out.push(bits & 255);
    };
    write(256);
    let code = numbers[0];
    for (let i = 1; i < numbers.length; ++i) {
        const key = code * 256 + numbers[i];
        if (table[key] > 0) {
            code = table[key];
            continue;
        }
        write(code);
        table[key] = next++;
        if (next > 1 << size && size < 12) ++size;
        else if (next > 4095) {
            write(256);
            table.fill(0);
            [size, next] = [9, 258];
        }
        code = numbers[i];
    }
    write(code);
    write(257);
    if (room > 0) out.push(bits & 255);
    const blocks = [8];
    for (let i = 0; i < out.length; i += 255) blocks.push(Math.min(255, out.length - i), ...out.slice(i, i + 255));
    return Buffer.from([...blocks, 0]);
}

const word = (value) => [value & 255, value >> 8];

// Returns the bounding box of the differences, or null.
function changed(now, before, width, height) {
    let [left, top, right, bottom] = [width, height, -1, -1];
    for (let i = 0; i < now.length; ++i) {
        if (now[i] === before[i]) continue;
        const [x, y] = [i % width, Math.floor(i / width)];
        [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    }
    return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

// `frames`: { png, centiseconds } of one size. The animation loops for ever.
export function makeGif(frames) {
    const pictures = frames.map(({ png }) => decodePng(png));
    const { width, height } = pictures[0];
    const { table, numbers } = makePalette(pictures);
    const header = [...Buffer.from('GIF89a'), ...word(width), ...word(height), 0xf7, 0, 0, ...table];
    const parts = [Buffer.from([...header, 0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0])];
    let last = null;
    pictures.forEach(({ rgb }, n) => {
        const now = Uint8Array.from({ length: width * height }, (_, i) => numbers[coarse(rgb, 3 * i)]);
        const box = last ? (changed(now, last, width, height) ?? { left: 0, top: 0, width: 1, height: 1 }) : { left: 0, top: 0, width, height };
        const pixels = new Uint8Array(box.width * box.height);
        for (let i = 0; i < pixels.length; ++i) {
            const at = (box.top + Math.floor(i / box.width)) * width + box.left + (i % box.width);
            pixels[i] = last && last[at] === now[at] ? COLOURS : now[at];
        }
        parts.push(Buffer.from([0x21, 0xf9, 4, 5, ...word(frames[n].centiseconds), COLOURS, 0]));
        parts.push(Buffer.from([0x2c, ...[box.left, box.top, box.width, box.height].flatMap(word), 0]), compress(pixels));
        last = now;
    });
    return Buffer.concat([...parts, Buffer.from([0x3b])]);
}
