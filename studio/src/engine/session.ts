// The worker's state: one world with its planner, creatures, prepared data and crowd. A new world replaces the old one at once. The old
// one is freed when the last job on it has ended.
import * as C from './crowd';
import type { Module } from './module';
import * as P from './paths';
import type { CreatureCosts, Generator, Prepare, Query, Terrain, WorldAnswer } from './protocol';
import * as T from './terrane';

const OVERLAY = 'overlay:2';
const DEFAULT = 'regions:16'; // of the library, without prepared data

// Data prepared for a creature's costs. It owns its profile, because the list of creatures may change.
export interface Prepared {
    key: string;
    request: Prepare;
    profile: T.Profile;
}

export interface Session {
    world: T.World;
    width: number;
    height: number;
    terrains: Terrain[];
    sectors: number[];
    planner: P.Planner;
    creatures: CreatureCosts[];
    profiles: T.Profile[]; // one per creature
    prepared: Prepared[];
    largeEdits: number; // large edits so far
    copy: { sector: number; world: T.World } | null; // a copy with regions of a sector size that the world does not have
    crowd: C.Crowd | null;
}

export function openSession(m: Module, world: T.World, sectors: number[] | undefined): Session {
    const info = T.worldInfo(m, world);
    return {
        world,
        width: info.width,
        height: info.height,
        terrains: T.terrains(m, world, info.terrains),
        sectors: sectors && sectors.length > 0 ? sectors : [16],
        planner: P.makePlanner(m, world),
        creatures: [],
        profiles: [],
        prepared: [],
        largeEdits: 0,
        copy: null,
        crowd: null,
    };
}

export function closeSession(m: Module, s: Session): void {
    endCrowd(m, s);
    dropCopy(m, s);
    s.profiles.forEach((profile) => T.freeProfile(m, profile));
    s.prepared.forEach(({ profile }) => T.freeProfile(m, profile));
    P.freePlanner(m, s.planner);
    T.freeWorld(m, s.world);
}

export function describe(m: Module, s: Session, ms: number): WorldAnswer {
    const { version, bytes, checksum } = T.worldInfo(m, s.world);
    const { width, height, terrains, sectors } = s;
    const cells = T.readCells(m, s.world, { x: 0, y: 0, width, height });
    return { width, height, terrains, sectors, cells, version: Number(version), bytes: Number(bytes), checksum, ms };
}

// Implements Engine.changes.
export function changesSince(m: Module, s: Session, since: Generator, maxRuns: number): Int32Array | null {
    if (since.width !== s.width || since.height !== s.height) return null;
    const world = T.generate(m, since);
    try {
        const whole = { x: 0, y: 0, width: s.width, height: s.height };
        const known = T.worldInfo(m, world).terrains;
        return runsOf(T.readCells(m, world, whole), T.readCells(m, s.world, whole), s.width, known, maxRuns);
    } finally {
        T.freeWorld(m, world);
    }
}

function runsOf(before: Uint8Array, after: Uint8Array, width: number, known: number, maxRuns: number): Int32Array | null {
    const runs: number[] = [];
    for (let i = 0; i < after.length; ++i) {
        if (before[i] === after[i]) continue;
        if (after[i] >= known || runs.length >= 4 * maxRuns) return null;
        const begin = i;
        while (i + 1 < after.length && (i + 1) % width !== 0 && after[i + 1] === after[begin] && before[i + 1] !== after[i + 1]) ++i;
        runs.push(Math.floor(begin / width), begin % width, i - begin + 1, after[begin]);
    }
    return Int32Array.from(runs);
}

export function setCreatures(m: Module, s: Session, creatures: CreatureCosts[]): void {
    const made = creatures.map((creature) => T.makeProfile(m, creature, s.terrains));
    s.profiles.forEach((profile) => T.freeProfile(m, profile));
    s.profiles = made;
    s.creatures = creatures;
    const wanted = new Set(creatures.map(keyOf));
    discardWhere(m, s, ({ key }) => !wanted.has(key));
}

// --- Prepared data ---

// Creatures with equal costs share their prepared data.
const keyOf = ({ costs }: CreatureCosts): string => costs.join();

export function keyAt(s: Session, creature: number): string {
    return s.creatures[creature] ? keyOf(s.creatures[creature]) : '';
}

export const hasCosts = (s: Session, key: string): boolean => s.creatures.some((one) => keyOf(one) === key);

const serves = (prepared: Prepared, { method, movement = 'eight' }: { method: string; movement?: Query['movement'] }): boolean =>
    prepared.request.method === method && (prepared.request.movement ?? 'eight') === movement;

// Replaces the entry with the same costs, method and movement.
export function recordPrepared(m: Module, s: Session, prepared: Prepared): void {
    const replaced = s.prepared.filter((one) => one.key === prepared.key && serves(one, prepared.request));
    replaced.forEach(({ profile }) => T.freeProfile(m, profile));
    s.prepared = s.prepared.filter((one) => !replaced.includes(one));
    s.prepared.push(prepared);
}

function discardWhere(m: Module, s: Session, which: (prepared: Prepared) => boolean): boolean {
    const gone = s.prepared.filter(which);
    s.prepared = s.prepared.filter((prepared) => !gone.includes(prepared));
    for (const { request, profile } of gone) {
        T.discard(m, s.world, profile, request);
        T.freeProfile(m, profile);
    }
    return gone.length > 0;
}

// Discards background data before a large edit: repairing it takes longer than preparing it again.
export function discardBeforeLargeEdit(m: Module, s: Session): void {
    ++s.largeEdits;
    discardWhere(m, s, ({ request }) => request.background === true);
}

export function discard(m: Module, s: Session, request: Prepare): boolean {
    const key = keyAt(s, request.creature);
    return discardWhere(m, s, (prepared) => prepared.key === key && serves(prepared, request));
}

// The method for a query that names none. It depends only on what is prepared.
export function methodOf(s: Session, query: Query): string {
    if (query.method) return query.method;
    const key = keyAt(s, query.creature);
    const overlay = { method: OVERLAY, movement: query.movement };
    if (!s.prepared.some((prepared) => prepared.key === key && serves(prepared, overlay))) return DEFAULT;
    return query.fast ? OVERLAY : `${OVERLAY}+smooth`;
}

export function profileOf(s: Session, creature: number): T.Profile {
    const profile = s.profiles[creature];
    if (!profile) throw new Error(`There is no creature ${creature}: call setCreatures first`);
    return profile;
}

// Returns a world with regions of this sector size: the world itself, or a copy.
export function worldWith(m: Module, s: Session, sector: number): T.World {
    if (T.keepsRegions(m, s.world, sector)) return s.world;
    if (s.copy?.sector === sector) return s.copy.world;
    dropCopy(m, s);
    s.copy = { sector, world: T.copyWorld(m, s.world, { sectors: [sector] }) };
    return s.copy.world;
}

export function dropCopy(m: Module, s: Session): void {
    if (s.copy) T.freeWorld(m, s.copy.world);
    s.copy = null;
}

export function endCrowd(m: Module, s: Session): void {
    if (s.crowd) C.freeCrowd(m, s.crowd);
    s.crowd = null;
}
