// Pictures for the tests: paletted PNGs of any size.
import { deflateSync } from 'node:zlib';

const TABLE = Int32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c;
});

function crc(bytes) {
    let c = -1;
    for (const byte of bytes) c = TABLE[(c ^ byte) & 255] ^ (c >>> 8);
    return (c ^ -1) >>> 0;
}

function chunk(type, data) {
    const body = Buffer.concat([Buffer.from(type), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc(body), body.length + 4);
    return framed;
}

// `colours`: [r, g, b] each; `at(x, y)`: the palette index of a pixel, called once per square of `tile` pixels.
export function png(width, height, colours, at, tile = 1) {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 3], 8); // 8 bits, a palette
    const rows = Buffer.alloc((width + 1) * height);
    for (let y = 0; y < height; ++y) {
        const begin = y * (width + 1);
        if (y % tile !== 0) rows.copyWithin(begin, begin - width - 1, begin);
        else for (let x = 0; x < width; x += tile) rows.fill(at(x, y), begin + 1 + x, begin + 1 + Math.min(width, x + tile));
    }
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const data = [chunk('IHDR', header), chunk('PLTE', Buffer.from(colours.flat())), chunk('IDAT', deflateSync(rows, { level: 1 }))];
    return Buffer.concat([signature, ...data, chunk('IEND', Buffer.alloc(0))]);
}
