// Creatures: the initial list, the presets, validation of saved creatures, and costs as people type them.
import type { CreatureCosts } from './engine/protocol';
import { costOf, type Creature, type Terrain } from './types';

export const PRESETS = ['person', 'deer', 'outlaw', 'walker'];
export const MAX_CREATURES = 12;

// Distinct on every terrain, also for colour-blind viewers. Routes have a dark halo. tests/cli/cli_test.cpp compares this list with the
// library's.
const COLOURS = ['#ffd34d', '#ff7f5c', '#c58bff', '#4fd8e8', '#ffffff', '#ff6fa8', '#b5e655', '#8fb3ff'];
const PRESET_COLOURS: Record<string, string> = { person: '#ffd34d', deer: '#ff7f5c', outlaw: '#c58bff', walker: '#4fd8e8' };

let lastId = 0;

export function newCreature(name: string, colour: string): Creature {
    return { id: ++lastId, name, colour, costs: {}, otherwise: 100, visible: true };
}

export function presetCreature(preset: string): Creature {
    return { ...newCreature(preset, PRESET_COLOURS[preset] ?? COLOURS[0]), preset };
}

export function firstCreatures(): Creature[] {
    return ['person', 'deer', 'outlaw'].map(presetCreature);
}

export function freeColour(creatures: Creature[]): string {
    const used = new Set(creatures.map((creature) => creature.colour));
    return COLOURS.find((colour) => !used.has(colour)) ?? COLOURS[creatures.length % COLOURS.length];
}

export function freeName(creatures: Creature[], wanted: string): string {
    const used = new Set(creatures.map((creature) => creature.name));
    if (!used.has(wanted)) return wanted;
    for (let i = 2; ; ++i) if (!used.has(`${wanted} ${i}`)) return `${wanted} ${i}`;
}

export function creatureCosts(creature: Creature, terrains: Terrain[]): CreatureCosts {
    return { name: creature.name, costs: terrains.map((terrain) => costOf(creature, terrain.name)) };
}

// Validates a creature of a saved state. Returns null if it is invalid.
export function creatureFrom(value: unknown): Creature | null {
    if (typeof value !== 'object' || value === null) return null;
    const given = value as Partial<Creature>;
    if (typeof given.name !== 'string' || given.name === '' || given.name.length > 40) return null;
    const made = newCreature(given.name, /^#[0-9a-f]{6}$/i.test(String(given.colour)) ? String(given.colour) : COLOURS[0]);
    if (typeof given.preset === 'string' && PRESETS.includes(given.preset)) made.preset = given.preset;
    if (isCost(given.otherwise)) made.otherwise = given.otherwise;
    for (const [name, cost] of Object.entries(given.costs ?? {})) if (isCost(cost)) made.costs[name] = cost;
    made.visible = given.visible !== false;
    return made;
}

export function isCost(value: unknown): value is number {
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65000;
}

// --- Costs as people type them ---

export const BLOCKED = '×';
const BLOCKED_WORDS = ['', '0', 'x', '×', '-', '—', 'blocked'];

// Returns hundredths, or null if the text is neither a number from 0.01 to 650 nor a word for blocked.
export function parseCost(text: string): number | null {
    const plain = text.trim().toLowerCase().replace(',', '.');
    if (BLOCKED_WORDS.includes(plain)) return 0;
    if (!/^\d*\.?\d*$/.test(plain)) return null;
    const hundredths = Math.round(Number(plain) * 100);
    return hundredths >= 1 && hundredths <= 65000 ? hundredths : null;
}

export function costLabel(hundredths: number): string {
    return hundredths === 0 ? BLOCKED : String(hundredths / 100);
}
