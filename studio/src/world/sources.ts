// Opens generators and files as worlds in the engine.
import type { FileBytes, WorldSource } from '../app';
import type { Engine } from '../engine/client';
import type { WorldAnswer } from '../engine/protocol';
import type { Origin, WorldState } from '../types';
import { isTiled, isTileset, tiledJson } from './tiled';

export const FILE_TYPES = '.map,.terrane,.png,.webp,.gif,.bmp,.json,.tmj,.tmx,.tsx,.tsj';
const MERGE = 0; // images: areas of any size are preserved

export function titleOf(source: WorldSource): string {
    if (source.kind === 'generator')
        return `Generating ${source.generator.kind === 'island' ? 'an island' : `a ${source.generator.kind} map`}`;
    return source.kind === 'file' ? `Opening ${source.name}` : 'Rebuilding the sectors';
}

// A generated world with added terrains cannot be reproduced by its generator, so it counts as a file.
export function originOf(source: WorldSource, before: WorldState): Origin {
    if (source.kind === 'generator') return { kind: 'generated', generator: source.generator };
    if (source.kind === 'file') return { kind: 'file', name: source.name };
    const { origin } = before;
    return origin.kind === 'generated' && source.terrains ? { kind: 'file', name: `${origin.generator.kind}.terrane` } : origin;
}

// Rejects with the reason; the engine's world stays.
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

// Returns the first file that is not a tileset, together with the tilesets.
export async function sourceOf(files: File[]): Promise<WorldSource> {
    const all: FileBytes[] = await Promise.all(files.map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })));
    const beside = all.filter(isTileset);
    return { kind: 'file', ...(all.find((file) => !beside.includes(file)) ?? all[0]), beside };
}
