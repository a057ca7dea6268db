// From a generator or a file to a world in the engine.
import type { FileBytes, WorldSource } from '../app';
import type { Engine } from '../engine/client';
import type { WorldAnswer } from '../engine/protocol';
import type { Origin, WorldState } from '../types';
import { isTiled, isTileset, tiledJson } from './tiled';

export const FILE_TYPES = '.map,.terrane,.png,.webp,.gif,.bmp,.json,.tmj,.tmx,.tsx,.tsj';
const MERGE = 0; // pictures: no area is too small to be kept

export function titleOf(source: WorldSource): string {
    if (source.kind === 'generator') return `Making ${source.generator.kind === 'island' ? 'an island' : `a ${source.generator.kind} map`}`;
    return source.kind === 'file' ? `Opening ${source.name}` : 'Building the sectors';
}

// A generated world with more terrains than its generator gives it can no longer be made from that alone.
export function originOf(source: WorldSource, before: WorldState): Origin {
    if (source.kind === 'generator') return { kind: 'generated', generator: source.generator };
    if (source.kind === 'file') return { kind: 'file', name: source.name };
    const { origin } = before;
    return origin.kind === 'generated' && source.terrains ? { kind: 'file', name: `${origin.generator.kind}.terrane` } : origin;
}

// Rejects with what is wrong; the engine then has the world that it had.
export async function readSource(
    engine: Engine,
    source: WorldSource,
    world: WorldState,
    progress: (done: number) => void,
    signal: AbortSignal,
): Promise<WorldAnswer> {
    const sectors = [source.kind === 'again' ? (source.sector ?? world.sector) : world.sector];
    if (source.kind === 'generator') return engine.generate({ ...source.generator, sectors });
    if (source.kind === 'file') {
        const bytes = isTiled(source.name, source.bytes) ? await tiledJson(source.name, source.bytes, source.beside ?? []) : source.bytes;
        return engine.openFile({ name: source.name, bytes, merge: MERGE, sectors }, progress, signal);
    }
    const { width, height, cells, terrains } = world;
    return engine.fromCells({ width, height, cells, terrains: [...terrains, ...(source.terrains ?? [])], sectors });
}

// The first that is no tileset, with the tilesets beside it.
export async function sourceOf(files: File[]): Promise<WorldSource> {
    const all: FileBytes[] = await Promise.all(files.map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })));
    const beside = all.filter(isTileset);
    return { kind: 'file', ...(all.find((file) => !beside.includes(file)) ?? all[0]), beside };
}
