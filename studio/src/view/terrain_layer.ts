// The terrain and its layers on the GPU: textures of one byte per cell, tiled if the map exceeds the maximum texture size. Only changed
// parts are uploaded again.
import * as twgl from 'twgl.js';
import type { Rect, Terrain } from '../types';
import { FRAGMENT, VERTEX } from './shaders';

const MAX_TILE = 4096;
const MAX_SAMPLES = 4;
const SHARP = 2.5; // pixels per cell from which one sample per pixel suffices

interface Tile extends Rect {
    cells: WebGLTexture;
    heat: WebGLTexture | null;
    regions: WebGLTexture | null;
}

export interface TerrainLook {
    centreX: number; // centre of the canvas, in cells
    centreY: number;
    scale: number; // device pixels per cell side
    sector: number;
    dim: number; // 1: full brightness
    coarse: boolean; // one sample per pixel
}

export interface TerrainLayer {
    setWorld(width: number, height: number, cells: Uint8Array, terrains: Terrain[]): void;
    update(rect: Rect, cells: Uint8Array): void;
    setHeat(heat: Uint32Array | null): void;
    setRegions(labels: Uint32Array | null): void;
    draw(look: TerrainLook): void;
}

function makeTexture(gl: WebGL2RenderingContext): WebGLTexture {
    const texture = gl.createTexture()!;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    return texture;
}

function makePalette(gl: WebGL2RenderingContext, terrains: Terrain[]): WebGLTexture {
    const rgba = new Uint8Array(256 * 4).fill(255);
    terrains.forEach((terrain, i) => rgba.set([...terrain.color, 255], i * 4));
    const texture = makeTexture(gl);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
    return texture;
}

function intersection(a: Rect, b: Rect): Rect | null {
    const x = Math.max(a.x, b.x);
    const y = Math.max(a.y, b.y);
    const width = Math.min(a.x + a.width, b.x + b.width) - x;
    const height = Math.min(a.y + a.height, b.y + b.height) - y;
    return width > 0 && height > 0 ? { x, y, width, height } : null;
}

// Maps counts to 0 to 255: one expansion has a level of its own, higher counts are logarithmic.
function heatLevels(heat: Uint32Array): Uint8Array {
    let most = 1;
    for (let i = 0; i < heat.length; ++i) if (heat[i] > most) most = heat[i];
    const levels = new Uint8Array(heat.length);
    const top = Math.max(1, Math.log2(most));
    for (let i = 0; i < heat.length; ++i) {
        if (heat[i] > 0) levels[i] = heat[i] === 1 ? 90 : 120 + Math.round((135 * Math.log2(heat[i])) / top);
    }
    return levels;
}

export function makeTerrainLayer(gl: WebGL2RenderingContext): TerrainLayer {
    const program = twgl.createProgramInfo(gl, [VERTEX, FRAGMENT]);
    const quad = twgl.createBufferInfoFromArrays(gl, { position: { numComponents: 2, data: [0, 0, 1, 0, 0, 1, 1, 1] } });
    const side = Math.min(MAX_TILE, gl.getParameter(gl.MAX_TEXTURE_SIZE) as number);
    const none = makeTexture(gl); // placeholder for a missing layer
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, 1, 1, 0, gl.RED_INTEGER, gl.UNSIGNED_BYTE, new Uint8Array(1));
    let palette = makePalette(gl, []);
    let tiles: Tile[] = [];
    let mapWidth = 0;

    // Uploads the part `rect` of a map-sized array into the texture of a tile that contains it.
    function upload(texture: WebGLTexture, tile: Rect, rect: Rect, numbers: Uint8Array | Uint32Array): void {
        const type = numbers instanceof Uint8Array ? gl.UNSIGNED_BYTE : gl.UNSIGNED_INT;
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
        gl.pixelStorei(gl.UNPACK_ROW_LENGTH, mapWidth);
        gl.pixelStorei(gl.UNPACK_SKIP_PIXELS, rect.x);
        gl.pixelStorei(gl.UNPACK_SKIP_ROWS, rect.y);
        gl.texSubImage2D(gl.TEXTURE_2D, 0, rect.x - tile.x, rect.y - tile.y, rect.width, rect.height, gl.RED_INTEGER, type, numbers);
        for (const name of [gl.UNPACK_ROW_LENGTH, gl.UNPACK_SKIP_PIXELS, gl.UNPACK_SKIP_ROWS]) gl.pixelStorei(name, 0);
    }

    function makeLayer(tile: Rect, numbers: Uint8Array | Uint32Array): WebGLTexture {
        const texture = makeTexture(gl);
        gl.texStorage2D(gl.TEXTURE_2D, 1, numbers instanceof Uint8Array ? gl.R8UI : gl.R32UI, tile.width, tile.height);
        upload(texture, tile, tile, numbers);
        return texture;
    }

    function setLayer(name: 'heat' | 'regions', numbers: Uint8Array | Uint32Array | null): void {
        for (const tile of tiles) {
            gl.deleteTexture(tile[name]);
            tile[name] = numbers ? makeLayer(tile, numbers) : null;
        }
    }

    function makeTiles(width: number, height: number, cells: Uint8Array): Tile[] {
        const made: Tile[] = [];
        for (let y = 0; y < height; y += side) {
            for (let x = 0; x < width; x += side) {
                const rect = { x, y, width: Math.min(side, width - x), height: Math.min(side, height - y) };
                made.push({ ...rect, cells: makeLayer(rect, cells), heat: null, regions: null });
            }
        }
        return made;
    }

    function drawTile(tile: Tile, look: TerrainLook): void {
        const samples = look.coarse || look.scale >= SHARP ? 1 : Math.min(MAX_SAMPLES, Math.max(2, Math.ceil(1 / look.scale)));
        twgl.setUniforms(program, {
            u_cells: tile.cells,
            u_heat: tile.heat ?? none,
            u_regions: tile.regions ?? none,
            u_palette: palette,
            u_size: [tile.width, tile.height],
            u_origin: [tile.x, tile.y],
            u_corner: [(tile.x - look.centreX) * look.scale, (tile.y - look.centreY) * look.scale],
            u_pixels: [gl.drawingBufferWidth / 2, gl.drawingBufferHeight / 2],
            u_scale: look.scale,
            u_sector: look.sector,
            u_dim: look.dim,
            u_samples: samples,
            u_hasHeat: tile.heat ? 1 : 0,
            u_hasRegions: tile.regions ? 1 : 0,
        });
        twgl.drawBufferInfo(gl, quad, gl.TRIANGLE_STRIP);
    }

    return {
        setWorld(width, height, cells, terrains) {
            for (const tile of tiles) for (const texture of [tile.cells, tile.heat, tile.regions]) gl.deleteTexture(texture);
            gl.deleteTexture(palette);
            palette = makePalette(gl, terrains);
            mapWidth = width;
            tiles = makeTiles(width, height, cells);
        },
        update(rect, cells) {
            for (const tile of tiles) {
                const part = intersection(tile, rect);
                if (part) upload(tile.cells, tile, part, cells);
            }
        },
        setHeat: (heat) => setLayer('heat', heat && heatLevels(heat)),
        setRegions: (labels) => setLayer('regions', labels),
        draw(look) {
            gl.useProgram(program.program);
            twgl.setBuffersAndAttributes(gl, program, quad);
            for (const tile of tiles) drawTile(tile, look);
        },
    };
}
