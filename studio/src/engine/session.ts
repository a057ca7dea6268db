// What the worker has at hand: one world with its planner, the creatures, a crowd, a field. A new world takes the place of the old one
// at once; what the old one holds is freed when the last job that works on it has ended.
import * as C from './crowd';
import type { Module } from './module';
import * as P from './paths';
import type { CreatureCosts, Generator, Prepare, Query, Terrain, WorldAnswer } from './protocol';
import * as T from './terrane';

const OVERLAY = 'overlay:2';

// What is prepared for a creature's costs, with a profile of its own: the list of creatures may change.
export interface Kept {
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
    profiles: T.Profile[]; // of each of them
    kept: Kept[];
    upheavals: number; // large edits so far
    copy: { sector: number; world: T.World } | null; // for regions of a size that the world does not keep
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
        kept: [],
        upheavals: 0,
        copy: null,
        crowd: null,
    };
}

export function closeSession(m: Module, s: Session): void {
    endCrowd(m, s);
    dropCopy(m, s);
    s.profiles.forEach((profile) => T.freeProfile(m, profile));
    s.kept.forEach(({ profile }) => T.freeProfile(m, profile));
    P.freePlanner(m, s.planner);
    T.freeWorld(m, s.world);
}

export function describe(m: Module, s: Session, ms: number): WorldAnswer {
    const { version, bytes, checksum } = T.worldInfo(m, s.world);
    const { width, height, terrains, sectors } = s;
    const cells = T.readCells(m, s.world, { x: 0, y: 0, width, height });
    return { width, height, terrains, sectors, cells, version: Number(version), bytes: Number(bytes), checksum, ms };
}

// As Engine.changes has it.
export function changesSince(m: Module, s: Session, since: Generator, most: number): Int32Array | null {
    if (since.width !== s.width || since.height !== s.height) return null;
    const world = T.generate(m, since);
    try {
        const whole = { x: 0, y: 0, width: s.width, height: s.height };
        const known = T.worldInfo(m, world).terrains;
        return runsOf(T.readCells(m, world, whole), T.readCells(m, s.world, whole), s.width, known, most);
    } finally {
        T.freeWorld(m, world);
    }
}

function runsOf(before: Uint8Array, after: Uint8Array, width: number, known: number, most: number): Int32Array | null {
    const runs: number[] = [];
    for (let i = 0; i < after.length; ++i) {
        if (before[i] === after[i]) continue;
        if (after[i] >= known || runs.length >= 4 * most) return null;
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
    forgetWhere(m, s, ({ key }) => !wanted.has(key));
}

// --- What is prepared ---

// The same for creatures that pay the same.
const keyOf = ({ costs }: CreatureCosts): string => costs.join();

export function keyAt(s: Session, creature: number): string {
    return s.creatures[creature] ? keyOf(s.creatures[creature]) : '';
}

export const hasCosts = (s: Session, key: string): boolean => s.creatures.some((one) => keyOf(one) === key);

const serves = (kept: Kept, { method, movement = 'eight' }: { method: string; movement?: Query['movement'] }): boolean =>
    kept.request.method === method && (kept.request.movement ?? 'eight') === movement;

// In place of what was prepared before for the same.
export function keep(m: Module, s: Session, kept: Kept): void {
    s.kept = s.kept.filter((one) => !(one.key === kept.key && serves(one, kept.request) && (T.freeProfile(m, one.profile), true)));
    s.kept.push(kept);
}

function forgetWhere(m: Module, s: Session, which: (kept: Kept) => boolean): boolean {
    const gone = s.kept.filter(which);
    s.kept = s.kept.filter((kept) => !gone.includes(kept));
    for (const { request, profile } of gone) {
        T.forget(m, s.world, profile, request);
        T.freeProfile(m, profile);
    }
    return gone.length > 0;
}

// Before a large edit: to repair what is prepared in the background would take longer than to prepare it again.
export function upheave(m: Module, s: Session): void {
    ++s.upheavals;
    forgetWhere(m, s, ({ request }) => request.quietly === true);
}

export function forget(m: Module, s: Session, request: Prepare): boolean {
    const key = keyAt(s, request.creature);
    return forgetWhere(m, s, (kept) => kept.key === key && serves(kept, request));
}

// What a query that names no method is answered by: the answer depends on what was prepared, and on nothing else.
export function methodOf(s: Session, query: Query): string {
    if (query.method) return query.method;
    const key = keyAt(s, query.creature);
    const overlay = { method: OVERLAY, movement: query.movement };
    if (!s.kept.some((kept) => kept.key === key && serves(kept, overlay))) return `dta:${s.sectors[0]}+smooth`;
    return query.hurried ? OVERLAY : `${OVERLAY}+corridor`;
}

export function profileOf(s: Session, creature: number): T.Profile {
    const profile = s.profiles[creature];
    if (!profile) throw new Error(`There is no creature ${creature}`);
    return profile;
}

// A world that keeps regions of this size: the world itself, or a copy of it.
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
