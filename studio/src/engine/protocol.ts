// What the page and the engine's worker say to each other: one type for each command, its request and its answer.
//
// Lists of cells are flat arrays of numbers (x, y, x, y, ...), which travel between page and worker without being copied: what is in a
// request is given away where client.ts says so, what is in an answer is the page's own. Costs are whole numbers of the library's units.

export const costPerUnit = 197000;

// --- Worlds ---

export type GeneratorKind = 'island' | 'rooms' | 'maze' | 'random' | 'scatter' | 'voronoi';
export interface Generator {
    kind: GeneratorKind;
    width: number;
    height: number;
    seed: number; // a whole number, at most 2^53
    detail: number; // island: side of a polygon; rooms: of a room; maze: corridor; random: percent of walls; voronoi: sites; 0: the usual
    terrains: number; // scatter and voronoi: how many; 0: 8
}

export interface Terrain {
    name: string;
    letter: string; // of .map files; '' for none
    color: [number, number, number]; // 0 to 255
}

export interface WorldOptions {
    sectors?: number[]; // sizes of sectors to keep regions for, at most four; 16 alone where there is none
}

// Any file: .map, .terrane, Tiled's JSON, or a picture that the browser can decode.
export interface FileRequest extends WorldOptions {
    name: string;
    bytes: ArrayBuffer; // given away
    merge?: number; // pictures: areas of fewer cells are merged into their neighbours
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
    cells: Uint8Array; // by rows
    version: number;
    bytes: number;
    checksum: bigint;
    sectors: number[];
    ms: number;
}

export interface WorldInfo {
    version: number;
    bytes: number; // of everything that the world keeps
    checksum: bigint; // of the map alone
    memory: number; // bytes of the engine's memory, which never shrinks
}

// Single cells as x, y, terrain, x, y, terrain, ...; or a rectangle of one terrain; or one of several, by rows, which must lie within the
// map. Of the others, cells outside the map are passed over.
export type Edit = { cells: Int32Array } | { rect: Rect; terrain: number } | { rect: Rect; terrains: Uint8Array };
export interface Rect {
    x: number;
    y: number;
    width: number;
    height: number;
}

export interface EditAnswer {
    cells: number; // that have another terrain now
    sectors: number; // made anew, of all sizes together
    joined: number; // neighbours that were joined to them again
    repaired: Int32Array; // sectors of the first size that were made anew: x, y, width, height
    version: number;
    ms: number;
}

// --- Creatures and paths ---

export interface CreatureCosts {
    name: string;
    costs: number[]; // by terrain, in hundredths, 1 to 65000; 0 is blocked
}

export interface Cell {
    x: number;
    y: number;
}

export type Movement = 'eight' | 'cutting' | 'four'; // cutting: diagonals may pass blocked corners

export interface Query {
    creature: number; // in the list of the last setCreatures
    from: Cell;
    to: Cell;
    method?: string; // '': overlay:2+corridor where overlay:2 is prepared, else dta:SECTOR+smooth
    hurried?: boolean; // of '': overlay:2 alone, which takes a third of the time
    movement?: Movement;
    bound?: number; // overlay and cpd: proven to cost at most so many times the optimum
    nearest?: boolean; // as far as one gets, where the goal cannot be reached
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
    | 'not-asked';

export interface Path {
    status: Status;
    statusText: string; // for people
    method: string; // that found it
    cost: bigint;
    costText: string; // in cells of cost 1, two decimals
    bound: number; // proven: cost <= bound * the optimal cost
    expansions: number;
    expansionsFirst: number; // before the first segment could be walked
    first: number; // cells of the first segment
    cells: Int32Array; // x, y
    line: Float64Array; // x, y; of methods with +refract, else empty
    lineCost: number;
    version: number;
    ms: number;
    heat?: Uint32Array; // expansions of each cell, by rows; where it was asked for
}

export interface Method {
    usage: string; // 'wastar:W'
    summary: string;
    example: string; // a name that can be used
    prepares: boolean; // the example needs prepare first
}

export interface Methods {
    paths: Method[];
    crowd: Method[];
    field: Method[];
}

export interface Prepare {
    creature: number;
    method: string; // 'overlay:2'. Kept until no creature has these costs any more
    movement?: Movement;
    maxBytes?: number;
    certificates?: number;
    quietly?: boolean; // in the background: queries go first, and a large edit forgets it
}

export interface PrepareAnswer {
    bytes: number;
    ms: number; // in the engine, without the pauses
}

export interface TraceAnswer {
    path: Path;
    text: string; // posthoc
}

// --- Questions about a path ---

export interface Share {
    terrain: number;
    cells: number;
    cost: bigint;
    costText: string;
}

export interface Obstacle {
    path: Path; // legal but for the fewest blocked cells; none where the query itself is wrong
    status: Status; // what is wrong with the query; 'found': nothing is
    statusText: string;
    reached: number; // cells that can be reached from the start
    blocked: number; // the fewest cells that would have to be opened
    first: Cell; // of them on the way
    firstTerrain: number;
}

// --- What the world keeps ---

export interface Regions {
    sector: number;
    count: number;
    edgeCount: number;
    bytes: number;
    labels: Uint32Array; // region of each cell, by rows
    nodes: Int32Array; // of each region: x and y of its representative, terrain, cells
    edges: Uint32Array; // a, b, 1 where they are joined across a corner only
}

export interface Measure {
    sector: number;
    creature: number;
    queries: number; // random ones, between cells that the creature may stand on
    seed: number;
}

export interface MeasureAnswer {
    sector: number;
    buildMs: number;
    regions: number;
    edges: number;
    bytes: number; // of the regions
    queries: number; // that had a path
    ratio: number; // cost of dta:SECTOR over the optimal cost, mean
    worst: number; // and the largest
    ms: number; // a query, mean
    optimalMs: number; // of A*
    expansions: number; // mean
    optimalExpansions: number;
}

// --- Crowds ---

export interface CrowdRequest {
    creatures: number[];
    method: string;
    movement?: Movement;
    seed: number;
    lifeLong: boolean;
    agents: number;
    spawn: 'random' | 'sides';
}

export interface CrowdState {
    tick: number;
    agents: Int32Array; // of each: x, y (-1, -1: it left), goal x, y, kind (in the list of creatures), 1 where it waits
    count: number;
    atGoal: number;
    arrivals: number;
    faults: number; // ticks in which a proposal was refused
    collisions: number; // seen by looking at each tick's agents: two in one cell, or two that changed places
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

// --- Open terrain ---

export interface FieldGenerator {
    regions: number;
    minCost: number;
    maxCost: number;
    blocked: number; // percent
    seed: number;
    width: number;
    height: number;
}

export interface Field {
    width: number;
    height: number;
    regions: { points: Float64Array; cost: number }[]; // cost 0: blocked
}

export interface FieldQuery {
    from: Cell;
    to: Cell;
    method: string;
    costs?: { region: number; cost: number }[]; // to be set before
}

export interface Crossing {
    x: number;
    y: number;
    normalX: number; // 0, 0 at a corner
    normalY: number;
    costFrom: number;
    costTo: number;
    angleFrom: number; // radians
    angleTo: number;
}

export interface FieldPath {
    status: Status;
    statusText: string;
    cost: number;
    bound: number; // 0: nothing is proven
    expansions: number;
    points: Float64Array;
    crossings: Crossing[];
    ms: number;
}

// --- Commands: as if they were functions of the worker ---

export interface Commands {
    version(request: null): { version: string; abi: number };
    generate(request: Generator & WorldOptions): WorldAnswer;
    openFile(request: FileRequest): WorldAnswer;
    fromCells(request: CellsRequest): WorldAnswer;
    info(request: null): WorldInfo;
    edit(request: Edit[]): EditAnswer;
    save(request: 'map' | 'terrane'): Uint8Array;
    changes(request: { since: Generator; most: number }): Int32Array | null;

    setCreatures(request: CreatureCosts[]): null;
    preset(request: string): number[]; // person, deer, outlaw, walker: hundredths by terrain
    methods(request: null): Methods;
    checkMethod(request: string): { prepares: boolean };
    find(request: Query[]): Path[];
    trace(request: Query): TraceAnswer;
    prepare(request: Prepare): PrepareAnswer;
    preparedBytes(request: Prepare): number;
    forget(request: Prepare): boolean;

    shares(request: Query): { path: Path; shares: Share[] };
    through(request: { query: Query; area: Rect }): Path;
    obstacle(request: Query): Obstacle;

    regions(request: number): Regions;
    portals(request: Prepare): Int32Array;
    measure(request: Measure): MeasureAnswer;

    crowdNew(request: CrowdRequest): CrowdState;
    crowdTick(request: CrowdTick): CrowdState;
    crowdEnd(request: null): null;

    fieldNew(request: FieldGenerator): Field;
    fieldFind(request: FieldQuery): FieldPath;
}

export type CommandName = keyof Commands;
export type Request<K extends CommandName> = Parameters<Commands[K]>[0];
export type Answer<K extends CommandName> = ReturnType<Commands[K]>;

// --- Messages ---

export type ToWorker =
    | { kind: 'call'; id: number; name: CommandName; request: unknown; stream: string } // stream '': not one of many
    | { kind: 'cancel'; id: number };

export type FromWorker =
    | { kind: 'answer'; id: number; value: unknown }
    | { kind: 'superseded'; id: number } // a newer call of its stream came
    | { kind: 'cancelled'; id: number }
    | { kind: 'refused'; id: number; message: string }
    | { kind: 'progress'; id: number; done: number } // 0 to 1
    | { kind: 'trapped'; message: string }; // the module is dead, and the worker with it
