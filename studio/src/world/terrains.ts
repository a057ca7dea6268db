// Terrains that a map may be given besides its own: those of the standard catalogue that painting wants.
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

// Empty where the tools have what they need, or the catalogue has no room.
export function missingTerrains(world: WorldState): Terrain[] {
    const has = (name: string): boolean => world.terrains.some((terrain) => terrain.name === name);
    if (['road', 'bridge', 'fire'].every(has)) return [];
    const missing = EXTRA.filter((terrain) => !has(terrain.name));
    return world.terrains.length + missing.length <= 255 ? missing : [];
}
