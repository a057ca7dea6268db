// The messages between the page and the engine's worker: a request and an answer type for each command.
//
// Lists of cells are flat arrays (x, y, x, y, ...). Answers are transferred, not copied, and then belong to the page. Requests are
// copied, except where client.ts transfers them. Path costs are integers in the library's units.

export { TERRANE_COST_PER_UNIT as costPerUnit } from './terrane_c';

// --- Worlds ---

export type GeneratorKind = 'island' | 'rooms' | 'maze' | 'random' | 'scatter' | 'voronoi';
export interface Generator {
    kind: GeneratorKind;
    width: number;
    height: number;
    seed: number; // integer, at most 2^53
    detail: number; // island: polygon side; rooms: room side; maze: corridor width; random: obstacles in %; voronoi: sites; 0: default
    terrains: number; // scatter and voronoi: number of terrains; 0: 8
}

export interface Terrain {
    name: string;
    letter: string; // in .map files; '': none
    color: [number, number, number]; // 0 to 255
}

export interface WorldOptions {
    sectors?: number[]; // sector sizes to build regions for, at most four; default: 16
}

// A file of any format: .map, .terrane, Tiled JSON, or an image that the browser can decode.
export interface FileRequest extends WorldOptions {
    name: string;
    bytes: ArrayBuffer; // transferred
    merge?: number; // images: areas of fewer cells are merged into their neighbours
}

export interface CellsRequest extends WorldOptions {
    width: number;
    height: number;
    cells: Uint8Array; // copied
    terrains: Terrain[]; // empty: the standard catalogue
}

export interface WorldAnswer {
    width: number;
    height: number;
    terrains: Terrain[];
    cells: Uint8Array; // row by row
    version: number;
    bytes: number;
    checksum: bigint;
    sectors: number[];
    ms: number;
}

export interface WorldInfo {
    version: number;
    bytes: number; // total of the world
    checksum: bigint; // of size and cells only
    memory: number; // bytes of the module's memory, which never shrinks
}

// Single cells as x, y, terrain, ...; a rectangle of one terrain; or a rectangle of terrains, row by row, which must lie within the map.
// In the first two, cells outside the map are ignored.
export type Edit = { cells: Int32Array } | { rect: Rect; terrain: number } | { rect: Rect; terrains: Uint8Array };
export interface Rect {
    x: number;
    y: number;
    width: number;
    height: number;
}

export interface EditAnswer {
    cells: number; // whose terrain changed
    sectors: number; // rebuilt, of all sizes together
    reconnected: number; // other sectors whose edges to the rebuilt ones changed
    repaired: Int32Array; // rebuilt sectors of the first size: x, y, width, height
    version: number;
    ms: number;
}

// --- Creatures and paths ---

export interface CreatureCosts {
    name: string;
    costs: number[]; // by terrain, in hundredths, 1 to 65000; 0: blocked
}

export interface Cell {
    x: number;
    y: number;
}

export type Movement = 'eight' | 'cutting' | 'four'; // 8-connected without corner cutting; with it; 4-connected

export interface Query {
    creature: number; // index into the list of the last setCreatures
    from: Cell;
    to: Cell;
    method?: string; // '': overlay:2+smooth where overlay:2 is prepared, else regions:16
    fast?: boolean; // with '': overlay:2, which takes a third of the time
    movement?: Movement;
    bound?: number; // overlay and cpd: the cost must be proven to be at most this many times the optimum
    nearest?: boolean; // if the goal is unreachable, the path to the nearest reachable cell
    maxExpansions?: number;
    heat?: boolean;
}

export type Status =
    | 'found'
    | 'partial'
    | 'unreachable'
    | 'blocked-start'
    | 'blocked-goal'
    | 'outside-map'
    | 'stale'
    | 'not-prepared'
    | 'bad-profile'
    | 'budget-spent'
    | 'out-of-memory'
    | 'unsupported-bound'
    | 'unsupported-costs'
    | 'unsupported-movement'
    | 'not-asked';

export interface Path {
    status: Status;
    statusText: string; // for people
    method: string; // the method that answered
    cost: bigint;
    costText: string; // in units of a straight step of cost 1, two decimals
    bound: number; // proven: cost <= bound * the optimal cost
    expansions: number;
    expansionsFirst: number; // before the first segment was complete
    first: number; // cells of the first segment
    cells: Int32Array; // x, y
    polyline: Float64Array; // x, y; only for methods with +any_angle
    polylineCost: number;
    version: number;
    ms: number;
    heat?: Uint32Array; // expansions of each cell, row by row; if requested
}

export interface Method {
    usage: string; // 'wastar:W'
    summary: string;
    example: string; // a valid method name
    prepares: boolean; // whether the example requires prepare()
}

export interface Methods {
    paths: Method[];
    crowd: Method[];
    subdivision: Method[];
}

export interface Prepare {
    creature: number;
    method: string; // 'overlay:2'; discarded when no creature has these costs any longer
    movement?: Movement;
    maxBytes?: number;
    lowerBounds?: number;
    background?: boolean; // low priority: queries go first, and a large edit discards it
}

export interface PrepareAnswer {
    bytes: number;
    ms: number; // time in the engine, without the pauses
}

export interface TraceAnswer {
    path: Path;
    text: string; // in the posthoc format
}

// --- Explanations ---

export interface Share {
    terrain: number;
    cells: number;
    cost: bigint;
    costText: string;
}

export interface Obstacle {
    path: Path; // violates the fewest blocked cells; empty if the query itself is invalid
    status: Status; // what is wrong with the query; 'found': nothing
    statusText: string;
    reached: number; // cells reachable from the start
    blocked: number; // the smallest number of cells to unblock
    first: Cell; // the first blocked cell on the path
    firstTerrain: number;
}

// --- Regions ---

export interface Regions {
    sector: number;
    count: number;
    edgeCount: number;
    bytes: number;
    labels: Uint32Array; // region of each cell, row by row
    nodes: Int32Array; // per region: x and y of its representative, terrain, cells
    edges: Uint32Array; // a, b, 1 if they touch only at a corner
}

export interface Measure {
    sector: number;
    creature: number;
    queries: number; // random pairs of passable cells
    seed: number;
}

export interface MeasureAnswer {
    sector: number;
    buildMs: number;
    regions: number;
    edges: number;
    bytes: number; // of the regions
    queries: number; // that had a path
    ratio: number; // mean of cost / optimum of dta:SECTOR+smooth
    worst: number; // maximum of the same
    ms: number; // mean time of a query
    optimalMs: number; // the same for A*
    expansions: number; // mean
    optimalExpansions: number;
}

// --- Crowds ---

export interface CrowdRequest {
    creatures: number[];
    method: string;
    movement?: Movement;
    seed: number;
    lifelong: boolean;
    agents: number;
    spawn: 'random' | 'sides';
}

export interface CrowdState {
    tick: number;
    agents: Int32Array; // per agent: x, y (-1, -1: removed), goal x, y, type (index into creatures), 1 if it waits
    count: number;
    atGoal: number;
    arrivals: number;
    faults: number; // ticks in which the engine rejected a proposed move
    collisions: number; // counted from the positions: two agents in one cell, or two that swapped cells
    cost: bigint;
    expansions: number;
    plans: number;
    failures: number;
    bytes: number;
    ms: number[]; // of each tick of this call
    reservations?: Int32Array; // x, y, tick, agent
    arrows?: Float32Array; // x, y, dx, dy
}

export interface CrowdTick {
    ticks: number;
    reservations?: boolean;
    arrows?: boolean;
}

// --- Weighted regions ---

export interface SubdivisionGenerator {
    regions: number;
    minCost: number;
    maxCost: number;
    blocked: number; // percent
    seed: number;
    width: number;
    height: number;
}

export interface Subdivision {
    width: number;
    height: number;
    regions: { points: Float64Array; cost: number }[]; // cost 0: blocked
}

export interface SubdivisionQuery {
    from: Cell;
    to: Cell;
    method: string;
    costs?: { region: number; cost: number }[]; // set before the search
}

export interface Crossing {
    x: number;
    y: number;
    normalX: number; // 0, 0 at a vertex
    normalY: number;
    costFrom: number;
    costTo: number;
    angleFrom: number; // radians
    angleTo: number;
}

export interface SubdivisionPath {
    status: Status;
    statusText: string;
    cost: number;
    bound: number; // 0: not proven
    expansions: number;
    points: Float64Array;
    crossings: Crossing[];
    ms: number;
}

// --- Commands: the functions of the worker ---

export interface Commands {
    version(request: null): { version: string; abi: number };
    generate(request: Generator & WorldOptions): WorldAnswer;
    openFile(request: FileRequest): WorldAnswer;
    fromCells(request: CellsRequest): WorldAnswer;
    info(request: null): WorldInfo;
    edit(request: Edit[]): EditAnswer;
    save(request: 'map' | 'terrane'): Uint8Array;
    changes(request: { since: Generator; maxRuns: number }): Int32Array | null;

    setCreatures(request: CreatureCosts[]): null;
    preset(request: string): number[]; // person, deer, outlaw, walker: hundredths by terrain
    methods(request: null): Methods;
    checkMethod(request: string): { prepares: boolean };
    find(request: Query[]): Path[];
    trace(request: Query): TraceAnswer;
    prepare(request: Prepare): PrepareAnswer;
    preparedBytes(request: Prepare): number;
    discard(request: Prepare): boolean;

    shares(request: Query): { path: Path; shares: Share[] };
    through(request: { query: Query; area: Rect }): Path;
    obstacle(request: Query): Obstacle;

    regions(request: number): Regions;
    portals(request: Prepare): Int32Array;
    measure(request: Measure): MeasureAnswer;

    crowdNew(request: CrowdRequest): CrowdState;
    crowdTick(request: CrowdTick): CrowdState;
    crowdEnd(request: null): null;

    subdivisionNew(request: SubdivisionGenerator): Subdivision;
    subdivisionFind(request: SubdivisionQuery): SubdivisionPath;
}

export type CommandName = keyof Commands;
export type Request<K extends CommandName> = Parameters<Commands[K]>[0];
export type Answer<K extends CommandName> = ReturnType<Commands[K]>;

// --- Messages ---

export type ToWorker =
    | { kind: 'call'; id: number; name: CommandName; request: unknown; stream: string } // stream '': not part of a stream
    | { kind: 'cancel'; id: number };

export type FromWorker =
    | { kind: 'answer'; id: number; value: unknown }
    | { kind: 'superseded'; id: number } // by a newer call of its stream
    | { kind: 'cancelled'; id: number }
    | { kind: 'refused'; id: number; message: string }
    | { kind: 'progress'; id: number; done: number } // 0 to 1
    | { kind: 'trapped'; message: string }; // the module's state is undefined: restart the worker
