// Converts Tiled maps to what the engine reads: JSON without compression. TMX (XML) becomes JSON, and the browser decompresses zlib and
// gzip data. The engine validates the content.

import type { FileBytes } from '../app';

interface TiledTiles {
    encoding?: string;
    compression?: string;
    data?: unknown;
    chunks?: TiledTiles[];
}

interface TiledLayer extends TiledTiles {
    layers?: TiledLayer[];
}

type Json = Record<string, unknown>;

const PACKINGS: Record<string, CompressionFormat> = { zlib: 'deflate', gzip: 'gzip' };

function beginning(bytes: ArrayBuffer): string {
    return new TextDecoder()
        .decode(bytes.slice(0, 200))
        .replace(/^\ufeff/, '')
        .trimStart();
}

export function isTiled(name: string, bytes: ArrayBuffer): boolean {
    const start = beginning(bytes);
    return /\.(tmx|tsx|tsj)$/i.test(name) || start.startsWith('<') || (start.startsWith('{') && /\.(json|tmj)$/i.test(name));
}

// Detects an external tileset.
export function isTileset({ name, bytes }: FileBytes): boolean {
    if (/\.(tsx|tsj)$/i.test(name) || /^(<\?xml[^>]*>\s*)?<tileset[\s>]/.test(beginning(bytes))) return true;
    const text = /\.json$/i.test(name) ? new TextDecoder().decode(bytes) : '';
    return /"type"\s*:\s*"tileset"/.test(text) && !/"type"\s*:\s*"map"/.test(text);
}

async function unpacked(text: string, compression: string): Promise<string> {
    const packed = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream(PACKINGS[compression]));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    let binary = '';
    for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return btoa(binary);
}

async function unpackLayer(layer: TiledLayer): Promise<void> {
    const compression = layer.compression ?? '';
    if (compression in PACKINGS) {
        for (const part of [layer, ...(layer.chunks ?? [])]) {
            if (typeof part.data === 'string') part.data = await unpacked(part.data, compression);
        }
        layer.compression = '';
    }
    for (const inner of layer.layers ?? []) await unpackLayer(inner);
}

function numberAttributes(element: Element, names: string[]): Json {
    const found: Json = {};
    for (const name of names) if (element.hasAttribute(name)) found[name] = Number(element.getAttribute(name));
    return found;
}

const children = (element: Element, name: string): Element[] => [...element.children].filter((child) => child.tagName === name);

function tileset(element: Element): Json {
    const tiles = children(element, 'tile').map((tile) => ({
        id: Number(tile.getAttribute('id')),
        properties: [...tile.querySelectorAll(':scope > properties > property')].map((property) => ({
            name: property.getAttribute('name') ?? '',
            value: property.getAttribute('value') ?? property.textContent ?? '',
        })),
    }));
    const source = element.getAttribute('source');
    return { ...numberAttributes(element, ['firstgid']), ...(source === null ? { tiles } : { source }) };
}

// Reads the tile ids of a layer or chunk: as text in its encoding, or one element per tile.
function tileData(element: Element, encoding: string): unknown {
    if (encoding === 'csv') return (element.textContent ?? '').split(',').map(Number);
    if (encoding !== '') return (element.textContent ?? '').trim();
    return children(element, 'tile').map((tile) => Number(tile.getAttribute('gid') ?? 0));
}

function tileLayer(element: Element): Json {
    const layer: Json = {
        type: 'tilelayer',
        name: element.getAttribute('name') ?? '',
        visible: element.getAttribute('visible') !== '0',
        ...numberAttributes(element, ['x', 'y', 'width', 'height']),
    };
    const data = children(element, 'data')[0];
    if (!data) return layer;
    const encoding = data.getAttribute('encoding') ?? '';
    if (encoding !== '' && encoding !== 'csv') layer['encoding'] = encoding;
    layer['compression'] = data.getAttribute('compression') ?? '';
    const chunks = children(data, 'chunk');
    if (chunks.length > 0)
        layer['chunks'] = chunks.map((c) => ({ ...numberAttributes(c, ['x', 'y', 'width', 'height']), data: tileData(c, encoding) }));
    else layer['data'] = tileData(data, encoding);
    return layer;
}

function layersOf(element: Element): Json[] {
    const layers: Json[] = [];
    for (const child of element.children) {
        if (child.tagName === 'layer') layers.push(tileLayer(child));
        if (child.tagName === 'group')
            layers.push({ type: 'group', visible: child.getAttribute('visible') !== '0', layers: layersOf(child) });
    }
    return layers;
}

function parsedXml(text: string, name: string): Element {
    const page = new DOMParser().parseFromString(text, 'application/xml');
    const wrong = page.querySelector('parsererror');
    if (wrong)
        throw new Error(
            `${name}: not well-formed XML${
                /error on line[^\n]*/
                    .exec(wrong.textContent ?? '')?.[0]
                    .slice(5)
                    .replace(/Below is.*/, '') ?? ''
            }`,
        );
    return page.documentElement;
}

function fromXml(text: string, name: string): Json {
    const map = parsedXml(text, name);
    if (map.tagName !== 'map') throw new Error(`${name}: not a Tiled map: expected <map>, found <${map.tagName}>`);
    return {
        type: 'map',
        orientation: map.getAttribute('orientation') ?? '',
        infinite: map.getAttribute('infinite') === '1',
        ...numberAttributes(map, ['width', 'height']),
        tilesets: children(map, 'tileset').map(tileset),
        layers: layersOf(map),
    };
}

// --- External tilesets ---

const lastPart = (path: string): string => path.split(/[\\/]/).pop() ?? path;

function tilesOf({ name, bytes }: FileBytes): unknown {
    const text = new TextDecoder().decode(bytes);
    if (beginning(bytes).startsWith('<')) return tileset(parsedXml(text, name))['tiles'];
    try {
        return (JSON.parse(text) as Json)['tiles'];
    } catch {
        throw new Error(`${name}: not a tileset, expected Tiled JSON or TSX`);
    }
}

// Embeds external tilesets into a map. Throws if one is missing.
function embed(map: Json, name: string, beside: FileBytes[]): void {
    for (const set of Array.isArray(map['tilesets']) ? (map['tilesets'] as Json[]) : []) {
        const { source } = set;
        if (typeof source !== 'string' || source === '') continue;
        const file = beside.find((one) => one.name.toLowerCase() === lastPart(source).toLowerCase());
        if (!file) throw new Error(`${name}: tileset ${lastPart(source)} is missing: drop or choose both files together`);
        delete set['source'];
        set['tiles'] = tilesOf(file) ?? [];
    }
}

// Throws for malformed XML, damaged compressed data, and a tileset without a map. Malformed JSON is left to the engine.
export async function tiledJson(name: string, bytes: ArrayBuffer, beside: FileBytes[]): Promise<ArrayBuffer> {
    if (isTileset({ name, bytes })) throw new Error(`${name} is a tileset: drop or choose it together with its map`);
    const xml = beginning(bytes).startsWith('<');
    const text = new TextDecoder().decode(bytes);
    if (!xml && !text.includes('"compression"') && !text.includes('"source"')) return bytes;
    let map: Json;
    try {
        map = xml ? fromXml(text, name) : (JSON.parse(text) as Json);
    } catch (error) {
        if (!xml) return bytes;
        throw error;
    }
    embed(map, name, beside);
    try {
        for (const layer of Array.isArray(map['layers']) ? (map['layers'] as TiledLayer[]) : []) await unpackLayer(layer);
    } catch {
        throw new Error(`${name}: the compressed data of a layer is damaged, save the map again in Tiled`);
    }
    return new TextEncoder().encode(JSON.stringify(map)).buffer as ArrayBuffer;
}
