// Terrains of the standard catalogue that can be added to a map for painting.
import type { Terrain, WorldState } from '../types';

const EXTRA: Terrain[] = [
    { name: 'road', letter: '', color: [206, 172, 110] },
    { name: 'bridge', letter: '', color: [146, 100, 60] },
    { name: 'fire', letter: '', color: [226, 96, 30] },
    { name: 'swamp', letter: '', color: [84, 104, 92] },
    { name: 'trees', letter: '', color: [76, 122, 70] },
    { name: 'grass', letter: '', color: [170, 190, 120] },
    { name: 'water', letter: '', color: [78, 118, 168] },
    { name: 'lava', letter: '', color: [178, 34, 24] },
];

// Returns the terrains to add: none if the tools have theirs, or if the catalogue is full.
export function missingTerrains(world: WorldState): Terrain[] {
    const has = (name: string): boolean => world.terrains.some((terrain) => terrain.name === name);
    if (['road', 'bridge', 'fire'].every(has)) return [];
    const missing = EXTRA.filter((terrain) => !has(terrain.name));
    return world.terrains.length + missing.length <= 255 ? missing : [];
}
