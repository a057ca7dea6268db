/* The C interface of Terrane: worlds, edits, profiles, paths, crowds, weighted regions. Bindings for other languages build on it.
 *
 *   terrane_world* world = terrane_world_from_bytes(bytes, size, "island.map", NULL, NULL);
 *   terrane_profile* deer = terrane_profile_preset("deer", NULL);
 *   terrane_planner* planner = terrane_planner_new(world, NULL);
 *   terrane_path* path = terrane_path_new(NULL);
 *   terrane_find(planner, (terrane_cell){120, 80}, (terrane_cell){1900, 1500}, deer, NULL, path, NULL);
 *
 * Handles are opaque. Free each once with its own function, which accepts NULL, in any order: a handle keeps what it was created from
 * alive.
 *
 * Structs begin with `size`; set it to sizeof the struct. Later versions may append fields, and the library reads and writes only the
 * fields that your `size` covers. A `size` that is 0, or that no version of the struct has, fails with TERRANE_BAD_VALUE; an output struct
 * is then filled with zeros, and a status in it is TERRANE_NOT_ASKED. Only terrane_error is filled in despite a wrong size. In an options
 * struct, 0 in any other field selects the default, and NULL for the struct selects all defaults. Strings in structs end with a 0 byte or
 * fill their array.
 *
 * Errors: a function returns TERRANE_OK or another terrane_code, or NULL instead of a handle. A call that fails changes nothing and fills
 * in `error`, unless that is NULL. An unreachable goal is not an error: terrane_path_info has the status of the query.
 *
 * NULL for a handle, or for a list that is not empty, fails with TERRANE_BAD_VALUE. Functions without `error` do nothing then, or return 0
 * or NULL. NULL for a string is the empty string.
 *
 * Lists and texts are copied to `out`, which has room for `capacity` elements. The function writes as many elements as fit and returns how
 * many there are. With NULL for `out` it writes nothing.
 *
 * Allocation failure: the call fails with TERRANE_NO_MEMORY (NULL instead of a handle, 0 instead of a list or text) and changes nothing. A
 * sliced query ends with the status TERRANE_OUT_OF_MEMORY. In builds without exceptions, such as WebAssembly, the program aborts instead,
 * and terrane_memory_can_fail() returns 0.
 *
 * Thread safety: different handles may be used and freed by different threads at the same time. Use each handle from one thread at a time,
 * with two exceptions. Other threads may read a world and run planners while one thread edits it; a second thread that edits it at the same
 * time breaks the contract, which aborts the program in builds with contract checks. Any number of threads may use a profile that no
 * thread changes.
 *
 * No function throws or reads a clock, and all state is in handles.
 *
 * Coordinates count from 0, x to the right and y downwards. Path costs are integers: a straight step costs 985 times the sum of the costs
 * of its two cells in hundredths. Divide by TERRANE_COST_PER_UNIT for path lengths as in published benchmarks. */
#ifndef TERRANE_C_H
#define TERRANE_C_H

#include <stddef.h>
#include <stdint.h>

/* On Windows, functions and callbacks have the C calling convention whatever the default of the compiler. A program that links the static
 * library there defines TERRANE_STATIC. */
#if !defined(_WIN32)
#define TERRANE_CALL
#define TERRANE_EXPORT __attribute__((visibility("default")))
#else
#define TERRANE_CALL __cdecl
#if defined(TERRANE_BUILDING)
#define TERRANE_EXPORT __declspec(dllexport)
#elif defined(TERRANE_STATIC)
#define TERRANE_EXPORT
#else
#define TERRANE_EXPORT __declspec(dllimport)
#endif
#endif
#define TERRANE_API(type) TERRANE_EXPORT type TERRANE_CALL

#ifdef __cplusplus
extern "C" {
#endif

/* --- Version, errors, basic types -------------------------------------------------------------------------------------------------- */

#define TERRANE_ABI 2                 /* increases when a declaration changes its meaning, not when one is added */
#define TERRANE_COST_PER_UNIT 197000  /* 985 * 200: the cost of a straight step between cells of cost 1 */
#define TERRANE_UNLIMITED 0xffffffffu /* a budget without a limit; a budget of 0 allows no work */

TERRANE_API(uint32_t) terrane_abi(void);            /* TERRANE_ABI of the loaded library; compare it with that of the header */
TERRANE_API(const char*) terrane_version(void);     /* "0.1.0" */
TERRANE_API(int32_t) terrane_memory_can_fail(void); /* 1: an allocation failure is reported; 0: it aborts the program */

typedef int32_t terrane_code;
enum {
    TERRANE_OK = 0,
    TERRANE_CANNOT_OPEN = 1,
    TERRANE_BAD_HEADER = 2,   /* the data does not begin as its format requires */
    TERRANE_BAD_VALUE = 3,    /* an invalid number or name, a wrong `size`, or NULL */
    TERRANE_BAD_LETTER = 4,   /* a map letter without a terrain */
    TERRANE_TRUNCATED = 5,    /* the data ends too early */
    TERRANE_TRAILING = 6,     /* data after the end of the content */
    TERRANE_TOO_LARGE = 7,    /* more cells, bytes or lines than the limit allows */
    TERRANE_UNKNOWN_NAME = 8, /* a terrain, profile, method or sector size that does not exist */
    TERRANE_UNSUPPORTED = 9,  /* valid, but this build or this format cannot do it */
    TERRANE_CANCELLED = 10,   /* stopped by the caller */
    TERRANE_NO_MEMORY = 11,   /* allocation failure */
};

typedef struct terrane_error {
    uint32_t size;
    terrane_code code;
    uint32_t line;     /* of the invalid text, from 1; 0: none */
    char message[500]; /* with file and line; ends with a 0 byte, truncated if longer */
} terrane_error;

typedef struct terrane_cell {
    int32_t x, y;
} terrane_cell;
typedef struct terrane_point {
    double x, y;
} terrane_point;
typedef struct terrane_rect {
    int32_t x, y, width, height; /* x and y of the upper left cell */
} terrane_rect;

/* --- Worlds ------------------------------------------------------------------------------------------------------------------------ */

/* A map with its terrain regions and prepared data. */
typedef struct terrane_world terrane_world;

typedef struct terrane_world_options {
    uint32_t size;
    uint32_t threads;    /* for building, at most 256; 0: one */
    uint32_t sectors[4]; /* sector sizes to keep regions for (dta:N), in cells: 4 to 128, each once; 0: unused. All 0: 16 */
    uint32_t no_regions; /* 1: keep no regions */

    /* The allocator of the world: set both functions, or NULL for both (operator new). It serves the world, its planners and its prepared
     * data. It does not serve handles, strings, files while they are read, cells of paths, path databases (cpd), crowds and subdivisions.
     *
     * `bytes` is at least 1, `alignment` is a power of two, and `deallocate` receives the same values as `allocate`. `allocate` may return
     * NULL: allocation failure. Both are called from every thread that edits, queries or frees, and from `threads` threads at once while
     * the world is built; if that is more than one thread, they must be thread-safe. They must not call the library. All memory is returned
     * once the world and everything created from it are freed. */
    void*(TERRANE_CALL* allocate)(void* user, size_t bytes, size_t alignment);
    void(TERRANE_CALL* deallocate)(void* user, void* pointer, size_t bytes, size_t alignment);
    void* user; /* passed to both */
} terrane_world_options;

typedef struct terrane_terrain {
    uint32_t size;
    char name[33]; /* of a-z, 0-9 and _ */
    char letter;   /* in .map files; 0: none */
    uint8_t r, g, b;
} terrane_terrain;

/* All functions that create a world accept maps of 1 to 32768 cells a side, and of at most 2^26 cells if pointers have 32 bits, as in a
 * browser. They copy their arguments. */

/* Creates a world from terrain ids. `cells` has width * height ids in row order. `terrains` is the catalogue: at most 255 entries, all with
 * the `size` of the first. terrain_count 0 selects the standard catalogue (read it with terrane_world_get_terrain). Fails for names or
 * letters that are malformed or occur twice, and for ids that are not in the catalogue. */
TERRANE_API(terrane_world*)
terrane_world_from_cells(int32_t width, int32_t height, const uint8_t* cells, const terrane_terrain* terrains, uint32_t terrain_count,
                         const terrane_world_options* options, terrane_error* error);
/* Creates a world from the bytes of a map file of any format that this build reads: .map, .terrane, Tiled JSON, and TMX and PNG if their
 * libraries were found. The first bytes determine the format; if they do not, the extension of `name` does. Error messages contain `name`.
 * Regions in the file are used if they match the options, and data that was prepared in the saved world is prepared again, which may take
 * seconds; path databases are read. A PNG is converted as by terrane_world_from_pixels. Any bytes are safe: malformed
 * content fails with its line. */
TERRANE_API(terrane_world*)
terrane_world_from_bytes(const void* bytes, size_t size, const char* name, const terrane_world_options* options, terrane_error* error);
/* The same with a file: reads the files that it refers to, too, such as tilesets. Error messages contain its name. */
TERRANE_API(terrane_world*) terrane_world_load(const char* file, const terrane_world_options* options, terrane_error* error);
/* The map formats of terrane_world_from_bytes, by index. The strings have static lifetime; NULL if `i` is terrane_map_format_count() or
 * more. */
TERRANE_API(uint32_t) terrane_map_format_count(void);
TERRANE_API(const char*) terrane_map_format_name(uint32_t i);       /* "Tiled map" */
TERRANE_API(const char*) terrane_map_format_extensions(uint32_t i); /* ".tmx .tmj .json" */
TERRANE_API(const char*) terrane_map_format_summary(uint32_t i);    /* one line */
TERRANE_API(const char*) terrane_map_format_missing(uint32_t i);    /* libraries that this build lacks: "libpng"; "": none */
/* Creates a world from a picture. Each pixel becomes the terrain of the standard catalogue with the nearest colour (ties: the first); fully
 * transparent pixels become `black`. `rgba` has 4 bytes per pixel, in row order. Areas of fewer than `merge` cells are merged into their
 * neighbours; 0: none. Takes 10 ns per pixel, 50 ns if all pixels have different colours. */
TERRANE_API(terrane_world*)
terrane_world_from_pixels(int32_t width, int32_t height, const uint8_t* rgba, uint32_t merge, const terrane_world_options* options,
                          terrane_error* error);

enum { TERRANE_ISLAND = 0, TERRANE_ROOMS = 1, TERRANE_MAZE = 2, TERRANE_RANDOM = 3, TERRANE_SCATTER = 4, TERRANE_VORONOI = 5 };
typedef struct terrane_generator {
    uint32_t size;
    uint32_t kind;         /* TERRANE_ISLAND to TERRANE_VORONOI */
    int32_t width, height; /* in cells; 0: 1024 for islands, 512 for the others */
    uint64_t seed;         /* any value; 0 does not select a default */
    int32_t detail;        /* island: polygon side; rooms: room side; maze: corridor width; random: obstacles in percent; voronoi: sites */
    int32_t terrains;      /* scatter and voronoi: number of terrains, 1 to 16; 0: 8 */
} terrane_generator;
/* Generates a map. The same generator gives the same map on every platform. NULL: an island of 1024x1024 cells with seed 1. */
TERRANE_API(terrane_world*)
terrane_world_generate(const terrane_generator* generator, const terrane_world_options* options, terrane_error* error);

/* Creates an independent world with the current map of `world` and other options. Prepared data is not copied. */
TERRANE_API(terrane_world*) terrane_world_copy(const terrane_world* world, const terrane_world_options* options, terrane_error* error);
TERRANE_API(void) terrane_world_free(terrane_world* world);

typedef struct terrane_world_info {
    uint32_t size;
    int32_t width, height;
    uint32_t terrains; /* in the catalogue */
    uint64_t version;  /* 0 at first; increases by one with every edit that changes a cell */
    uint64_t bytes;    /* memory of map, regions and prepared data */
    uint64_t checksum; /* of the map's size and cells; takes 0.3 ns per cell */
} terrane_world_info;
TERRANE_API(terrane_code) terrane_world_get_info(const terrane_world* world, terrane_world_info* out, terrane_error* error);
/* Reads an entry of the terrain catalogue. Fails if `terrain` is not in it. */
TERRANE_API(terrane_code)
terrane_world_get_terrain(const terrane_world* world, uint32_t terrain, terrane_terrain* out, terrane_error* error);
TERRANE_API(int32_t) terrane_world_find_terrain(const terrane_world* world, const char* name); /* -1: no terrain has that name */
/* Reads the terrain ids of a rectangle in row order; cells outside the map are 255. Returns width * height, or 0 if a side is not
 * positive. */
TERRANE_API(size_t) terrane_world_read(const terrane_world* world, terrane_rect rect, uint8_t* out, size_t capacity);

typedef struct terrane_cell_edit {
    int32_t x, y;
    uint32_t terrain;
} terrane_cell_edit;
typedef struct terrane_edit {
    uint32_t size;
    uint32_t cells;       /* with a new terrain */
    uint32_t sectors;     /* with new regions, summed over all sector sizes */
    uint32_t reconnected; /* further sectors, in which only edges to those changed */
    uint64_t version;     /* after the edit */
    uint64_t broken;      /* watched paths that it broke: terrane_world_broken */
} terrane_edit;
/* Sets the terrain of all cells of a rectangle (fill) or of a list of cells (apply; the last edit of a cell wins). Updates regions and
 * prepared data, then publishes the new version as a whole; running queries keep theirs. Ignores cells outside the map. An unknown terrain
 * fails and changes nothing. `out` may be NULL. One thread at a time. */
TERRANE_API(terrane_code)
terrane_world_fill(terrane_world* world, terrane_rect rect, uint32_t terrain, terrane_edit* out, terrane_error* error);
TERRANE_API(terrane_code)
terrane_world_apply(terrane_world* world, const terrane_cell_edit* edits, size_t count, terrane_edit* out, terrane_error* error);
/* Lists the sectors of the first size in which the last edit changed regions or edges. Call it from the thread that edits. */
TERRANE_API(size_t) terrane_world_repaired(const terrane_world* world, terrane_rect* out, size_t capacity);

/* A path that a query has found: see Paths. */
typedef struct terrane_path terrane_path;
/* Watches a path of this world: from now on, every edit that changes one of its cells, a cell beside one of its diagonal steps, or a cell
 * of its polyline reports it as broken. Copies the cells; a path without cells is never broken. Does not report edits since the path was
 * found: check terrane_path_valid first. A broken path stays watched. Returns the watch's id; 0: failed. Call it, and the functions below,
 * from the thread that edits. */
TERRANE_API(uint64_t) terrane_world_watch(terrane_world* world, const terrane_path* path, terrane_error* error);
/* Fails if there is no such watch. */
TERRANE_API(terrane_code) terrane_world_unwatch(terrane_world* world, uint64_t watch, terrane_error* error);
TERRANE_API(uint32_t) terrane_world_watched(const terrane_world* world); /* the number of watches */
/* Lists the watches of paths that the last edit broke, by id. */
TERRANE_API(size_t) terrane_world_broken(const terrane_world* world, uint64_t* out, size_t capacity);

/* Writes the world as the bytes of a file and returns their number. `format` is "terrane", which includes the regions and what was
 * prepared, or the extension of a writable map format without its dot, such as "map" (MovingAI). Writes nothing if `capacity` is too small.
 * Returns 0 on failure. */
TERRANE_API(size_t) terrane_world_save(const terrane_world* world, const char* format, void* out, size_t capacity, terrane_error* error);
/* The same to a file, whose extension is the format. Replaces the file at once: after a crash the old one is intact. */
TERRANE_API(terrane_code) terrane_world_save_file(const terrane_world* world, const char* file, terrane_error* error);

/* --- Profiles ---------------------------------------------------------------------------------------------------------------------- */

/* The terrain costs of one agent type. Costs are in hundredths, 1 to 65000; 0 is blocked. */
typedef struct terrane_profile terrane_profile;

/* Creates a profile in which every terrain costs 1.00. */
TERRANE_API(terrane_profile*) terrane_profile_new(const char* name, terrane_error* error);
/* Creates a profile from a preset: person, deer, outlaw or walker. */
TERRANE_API(terrane_profile*) terrane_profile_preset(const char* name, terrane_error* error);
/* Parses a profile: one line per terrain with its cost, such as "trees 1.5", "water blocked", "otherwise 2". Error messages contain
 * `name`. */
TERRANE_API(terrane_profile*) terrane_profile_parse(const char* text, size_t size, const char* name, terrane_error* error);
TERRANE_API(void) terrane_profile_free(terrane_profile* profile);
/* Sets the cost of a terrain, given by name or letter, or of all terrains without a cost of their own (otherwise). The last call for a
 * terrain wins. Errors are reported by the functions that use the profile: a cost out of range, an allocation failure, or a terrain that
 * the world lacks (presets skip those). */
TERRANE_API(void) terrane_profile_cost(terrane_profile* profile, const char* terrain, uint32_t hundredths);
TERRANE_API(void) terrane_profile_otherwise(terrane_profile* profile, uint32_t hundredths);
/* Writes the cost of each terrain of a world, by terrain id, in hundredths; 0: blocked, or not in the catalogue. */
TERRANE_API(terrane_code)
terrane_profile_costs(const terrane_profile* profile, const terrane_world* world, uint32_t out[256], terrane_error* error);

/* --- Search methods ---------------------------------------------------------------------------------------------------------------- */

/* The methods on grids, by index. The strings have static lifetime; NULL if `i` is terrane_method_count() or more. */
TERRANE_API(uint32_t) terrane_method_count(void);
TERRANE_API(const char*) terrane_method_usage(uint32_t i);   /* "wastar:W" */
TERRANE_API(const char*) terrane_method_summary(uint32_t i); /* one line */
TERRANE_API(const char*) terrane_method_example(uint32_t i); /* a complete name */
/* Checks a name with its arguments. Fails for unknown methods and options. */
TERRANE_API(terrane_code) terrane_method_check(const char* name, terrane_error* error);
TERRANE_API(int32_t) terrane_method_prepares(const char* name); /* 1: needs terrane_prepare_begin; 0: does not; -1: no such method */

/* --- Paths ------------------------------------------------------------------------------------------------------------------------- */

/* Finds paths in one world: one query at a time, with scratch memory that is reused from query to query. */
typedef struct terrane_planner terrane_planner;

typedef int32_t terrane_status;
enum {
    TERRANE_NOT_ASKED = -1,            /* no query has run, or the call failed */
    TERRANE_FOUND = 0,                 /* a complete path */
    TERRANE_PARTIAL = 1,               /* a path to the reachable cell nearest to the goal, or the prefix that is ready */
    TERRANE_UNREACHABLE = 2,           /* start and goal are passable, but not connected */
    TERRANE_BLOCKED_START = 3,         /* for this profile */
    TERRANE_BLOCKED_GOAL = 4,          /* for this profile */
    TERRANE_OUTSIDE_MAP = 5,           /* start or goal */
    TERRANE_STALE = 6,                 /* a heuristic was built for another map version, profile or movement rule */
    TERRANE_NOT_PREPARED = 7,          /* the world has no tables for this method, such as regions of that sector size */
    TERRANE_BAD_PROFILE = 8,           /* the profile names a terrain that the catalogue lacks */
    TERRANE_BUDGET_SPENT = 9,          /* the expansion budget is spent; a sliced query may continue */
    TERRANE_OUT_OF_MEMORY = 10,        /* allocation failure; the planner stays usable */
    TERRANE_UNSUPPORTED_BOUND = 11,    /* the method cannot prove the requested suboptimality bound */
    TERRANE_UNSUPPORTED_COSTS = 12,    /* the method requires that all passable terrains on the map have one cost */
    TERRANE_UNSUPPORTED_MOVEMENT = 13, /* the method does not support this movement rule */
};
TERRANE_API(const char*) terrane_status_text(terrane_status status); /* "found"; static lifetime; NULL: no such status */

/* Movement rules. */
enum {
    TERRANE_EIGHT_NO_CORNER_CUTTING = 0, /* 8-connected; a diagonal step requires both orthogonal cells to be passable */
    TERRANE_EIGHT_CUT_CORNERS = 1,       /* 8-connected; a diagonal step requires only its end to be passable */
    TERRANE_FOUR = 2,                    /* 4-connected */
};

typedef struct terrane_find_options {
    uint32_t size;
    uint32_t movement; /* TERRANE_EIGHT_NO_CORNER_CUTTING, TERRANE_EIGHT_CUT_CORNERS or TERRANE_FOUR */
    char method[96];   /* "overlay:2+any_angle"; empty: what is prepared for the profile, otherwise regions:16 (astar without regions) */
    uint64_t max_expansions; /* TERRANE_BUDGET_SPENT when reached; 0: not given, no limit */
    double bound;            /* suboptimality bound, at least 1: the path is proven to cost at most bound * optimum. 0: none. Methods that
                                cannot prove it: TERRANE_UNSUPPORTED_BOUND */
    uint32_t nearest;        /* 1: if the goal is blocked or unreachable, find a path to the nearest reachable cell, with status
                                TERRANE_PARTIAL; requires regions */
    uint32_t fallback;       /* 1: if the method is not prepared, another one answers (terrane_path_method); 0: TERRANE_NOT_PREPARED */
} terrane_find_options;

TERRANE_API(terrane_planner*) terrane_planner_new(const terrane_world* world, terrane_error* error);
TERRANE_API(void) terrane_planner_free(terrane_planner* planner);

TERRANE_API(terrane_path*) terrane_path_new(terrane_error* error);
TERRANE_API(void) terrane_path_free(terrane_path* path);

/* Finds a path on the current version of the world and writes it to `path`, or the status if there is none. Fails for an unknown method or
 * movement rule, a bound between 0 and 1, and a profile that does not match the world. Cells may have any coordinates: outside the map, the
 * status is TERRANE_OUTSIDE_MAP. */
TERRANE_API(terrane_code)
terrane_find(terrane_planner* planner, terrane_cell from, terrane_cell to, const terrane_profile* profile,
             const terrane_find_options* options, terrane_path* path, terrane_error* error);

/* Begins a sliced query on the current version of the world and drops the previous one. Call terrane_run while it returns
 * TERRANE_BUDGET_SPENT, then terrane_take. With max_expansions the status may stay TERRANE_BUDGET_SPENT: stop when a taken path has that
 * many expansions. Invalid arguments fail as in terrane_find and leave the previous query unchanged. */
TERRANE_API(terrane_code)
terrane_begin(terrane_planner* planner, terrane_cell from, terrane_cell to, const terrane_profile* profile,
              const terrane_find_options* options, terrane_error* error);
/* Expands at most `budget` more nodes: 0 none, TERRANE_UNLIMITED as many as the query needs. The result does not depend on the slicing.
 * TERRANE_NOT_ASKED if no query was begun. */
TERRANE_API(terrane_status) terrane_run(terrane_planner* planner, uint32_t budget);
/* Lists the final prefix of the path: an agent can make its first move while the rest is searched for. */
TERRANE_API(size_t) terrane_ready(const terrane_planner* planner, terrane_cell* out, size_t capacity);
/* Copies the query's answer to `path`. Fails if no query was begun. */
TERRANE_API(terrane_code) terrane_take(const terrane_planner* planner, terrane_path* path, terrane_error* error);

/* Counts expansions per cell, from the next query on: adds 1 to the cell's entry of `heat`, which has width * height entries in row order.
 * Only methods that search cells count (astar, wastar, focal, nbs, dijkstra). `heat` must live until the next call of this function; NULL
 * stops counting at once. */
TERRANE_API(void) terrane_planner_heat(terrane_planner* planner, uint32_t* heat);
/* Records traces from the next query on (`on` 1), or stops (0). A trace is JSON for the posthoc visualiser: the last query of a method that
 * searches cells, up to 250,000 events. It is empty for other methods, and if start or goal is outside the map. */
TERRANE_API(void) terrane_planner_trace(terrane_planner* planner, uint32_t on);
TERRANE_API(size_t) terrane_planner_trace_text(const terrane_planner* planner, char* out, size_t capacity);

typedef struct terrane_path_info {
    uint32_t size;
    terrane_status status;
    uint64_t cost;
    double bound; /* proven suboptimality bound: cost <= bound * optimum; 1 for a path without cells */
    uint64_t expansions;
    uint64_t expansions_first; /* of these, until the first segment was ready to walk */
    uint64_t version;          /* of the world on which it was found */
    uint32_t cells;
    uint32_t first;           /* length of the prefix that was ready after expansions_first; all cells for methods that do not refine */
    uint32_t polyline_points; /* of methods with +any_angle */
    double polyline_cost;     /* of that polyline; 1.0 is a straight step over terrain of cost 1 */
} terrane_path_info;
/* The status is TERRANE_NOT_ASKED for NULL, which also fails, and for a path that no query has written. */
TERRANE_API(terrane_code) terrane_path_get_info(const terrane_path* path, terrane_path_info* out, terrane_error* error);
/* Lists the cells of the path, from start to goal. */
TERRANE_API(size_t) terrane_path_cells(const terrane_path* path, terrane_cell* out, size_t capacity);
/* The any-angle path of methods with +any_angle, from the centre of the start cell to that of the goal cell. */
TERRANE_API(size_t) terrane_path_polyline(const terrane_path* path, terrane_point* out, size_t capacity);
TERRANE_API(const char*) terrane_path_method(const terrane_path* path); /* the method that answered; valid until `path` is written again */
/* Returns 1 if no 32x32 tile that the path crosses has changed since it was found; otherwise 0. `world` is the world of the path. */
TERRANE_API(int32_t) terrane_path_valid(const terrane_path* path, const terrane_world* world);

/* --- Requests ---------------------------------------------------------------------------------------------------------------------- */

/* Answers many path requests by priority, within one budget per frame. It runs the most urgent request until it is answered; a more urgent
 * one that is added meanwhile pauses it. Among equal priorities, the oldest is first. Results depend only on the sequence of calls. */
typedef struct terrane_queue terrane_queue;

typedef struct terrane_queue_options {
    uint32_t size;
    uint32_t searches; /* the most searches in progress: the active one and paused ones. Beyond that, the least urgent one is dropped and
                          restarts later. 0: 5 */
} terrane_queue_options;
TERRANE_API(terrane_queue*)
terrane_queue_new(const terrane_world* world, const terrane_queue_options* options, terrane_error* error);
TERRANE_API(void) terrane_queue_free(terrane_queue* queue);

/* Adds a request, with the arguments of terrane_find; higher priorities are more urgent. Copies the profile's costs. Returns the request's
 * id; 0: failed. A queue has at most 2^20 requests, including those answered but not taken (TERRANE_TOO_LARGE). */
TERRANE_API(uint64_t)
terrane_queue_add(terrane_queue* queue, terrane_cell from, terrane_cell to, const terrane_profile* profile,
                  const terrane_find_options* options, int32_t priority, terrane_error* error);
/* Expands at most `budget` nodes for the waiting requests; TERRANE_UNLIMITED answers all of them. Returns the number of expansions. A slice
 * without expansions, such as for an unreachable goal, counts as one. A request is answered for the version of the world at which its
 * search began; check terrane_path_valid. After an allocation failure, the answer of the request is the status TERRANE_OUT_OF_MEMORY. */
TERRANE_API(uint64_t) terrane_queue_run(terrane_queue* queue, uint32_t budget);
TERRANE_API(uint32_t) terrane_queue_waiting(const terrane_queue* queue); /* requests not answered yet */

/* A request is known until it is taken or cancelled. */

/* TERRANE_BUDGET_SPENT until the request is answered, or if its max_expansions were reached; TERRANE_NOT_ASKED if it is unknown. */
TERRANE_API(terrane_status) terrane_queue_status(const terrane_queue* queue, uint64_t request);
TERRANE_API(int32_t) terrane_queue_done(const terrane_queue* queue, uint64_t request); /* 1: answered; 0: not yet, or unknown */
/* Lists the final prefix of the path, as terrane_ready. It is empty again if the search is dropped, and may then change. */
TERRANE_API(size_t) terrane_queue_ready(const terrane_queue* queue, uint64_t request, terrane_cell* out, size_t capacity);
/* Copies the answer to `path` and removes the request. Fails if it is not answered, or unknown. A call that fails keeps the request. */
TERRANE_API(terrane_code) terrane_queue_take(terrane_queue* queue, uint64_t request, terrane_path* path, terrane_error* error);
/* Removes a request, answered or not. Fails if it is unknown. */
TERRANE_API(terrane_code) terrane_queue_cancel(terrane_queue* queue, uint64_t request, terrane_error* error);
TERRANE_API(uint64_t) terrane_queue_bytes(const terrane_queue* queue); /* memory held: 1.3 KB per request, paths, scratch memory */

/* --- Nearest, one to many, floods -------------------------------------------------------------------------------------------------- */

#define TERRANE_NO_PATH 0xffffffffffffffffu /* the cost to a cell without a path */

/* These functions run Dijkstra's algorithm on the current version of the world, to completion. A planner holds the result of one of them,
 * beside its query: a call that succeeds, or that fails with TERRANE_NO_MEMORY, discards the planner's previous flood. */

/* Finds the nearest of several cells, by path cost, and writes the path to it. Ignores goals that are blocked or outside the map. If no
 * goal is left, the status is TERRANE_BLOCKED_GOAL, or TERRANE_OUTSIDE_MAP if all are outside. */
TERRANE_API(terrane_code)
terrane_find_nearest(terrane_planner* planner, terrane_cell from, const terrane_cell* goals, size_t count, const terrane_profile* profile,
                     uint32_t movement, terrane_path* path, terrane_error* error);
/* Finds the nearest cell of a terrain. The status is TERRANE_BLOCKED_GOAL if the terrain is blocked, and TERRANE_UNREACHABLE if the map has
 * none. Fails if the terrain is not in the catalogue. */
TERRANE_API(terrane_code)
terrane_find_nearest_terrain(terrane_planner* planner, terrane_cell from, uint32_t terrain, const terrane_profile* profile,
                             uint32_t movement, terrane_path* path, terrane_error* error);
/* Writes the cost of the cheapest path to each of `count` goals to `out`; TERRANE_NO_PATH if there is none. */
TERRANE_API(terrane_code)
terrane_find_costs(terrane_planner* planner, terrane_cell from, const terrane_cell* goals, size_t count, const terrane_profile* profile,
                   uint32_t movement, uint64_t* out, terrane_error* error);

/* Finds all cells whose cost from `from` is at most `max_cost`; 0: no limit. The planner keeps the result, and that version of the map. No
 * cell is reached from a start that is blocked or outside the map. */
TERRANE_API(terrane_code)
terrane_flood(terrane_planner* planner, terrane_cell from, uint64_t max_cost, const terrane_profile* profile, uint32_t movement,
              terrane_error* error);
/* The functions below read the planner's flood and fail if it has none. */
typedef struct terrane_reached_cell {
    terrane_cell cell;
    uint64_t cost;
} terrane_reached_cell;
/* Lists the reached cells by cost, then y, then x. Sorts them, unless `out` is NULL. */
TERRANE_API(size_t)
terrane_flood_cells(const terrane_planner* planner, terrane_reached_cell* out, size_t capacity, terrane_error* error);
/* Lists the cost of every cell of the map, in row order; TERRANE_NO_PATH if it is not reached. Takes 1 ns per cell. */
TERRANE_API(size_t) terrane_flood_costs(const terrane_planner* planner, uint64_t* out, size_t capacity, terrane_error* error);
/* Writes the path to a cell. The status is TERRANE_UNREACHABLE if it costs more than max_cost. */
TERRANE_API(terrane_code) terrane_flood_path(const terrane_planner* planner, terrane_cell to, terrane_path* path, terrane_error* error);

/* --- Preparation: overlay, minimal_memory, hpa, pra, cpd, dta:N+exact, methods with a heuristic ------------------------------------ */

/* Builds the tables of a method in slices. */
typedef struct terrane_preparation terrane_preparation;

typedef struct terrane_prepare_options {
    uint32_t size;
    uint32_t movement;
    char method[96];       /* a method with tables; empty: overlay:3. To look up or discard prepared data, empty selects any overlay */
    uint64_t max_bytes;    /* limit of the tables: terrane_prepare_install fails above it; 0: the method's own limit */
    uint32_t lower_bounds; /* overlay: appends +lower_bounds:N to the method; 0: nothing */
} terrane_prepare_options;
/* Begins to prepare a method for a profile, on the current version of the world. Fails for a method without tables and for a profile that
 * does not match the world. The world may be edited meanwhile. */
TERRANE_API(terrane_preparation*)
terrane_prepare_begin(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options,
                      terrane_error* error);
/* Runs for about budget x 0.2 us: 0 does nothing, TERRANE_UNLIMITED runs to completion. Returns 1 when finished, otherwise 0. Overlays and
 * path databases are sliced; other tables are built in one step. On allocation failure it returns 1, and terrane_prepare_install fails. */
TERRANE_API(int32_t) terrane_prepare_run(terrane_preparation* preparation, uint32_t budget);
TERRANE_API(double) terrane_prepare_progress(const terrane_preparation* preparation); /* 0 to 1 */
/* Moves finished tables into their world, which updates them in every edit from then on. Applies the edits since terrane_prepare_begin.
 * Fails for another world, an unfinished preparation, a second call, tables above max_bytes, and cpd on a map without passable cells. Call
 * it from the thread that edits. Free the preparation in any case. */
TERRANE_API(terrane_code) terrane_prepare_install(terrane_preparation* preparation, terrane_world* world, terrane_error* error);
TERRANE_API(void) terrane_prepare_free(terrane_preparation* preparation);
/* Returns the memory of prepared data in bytes; 0: nothing is prepared, or the call fails. */
TERRANE_API(uint64_t)
terrane_prepared_bytes(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options,
                       terrane_error* error);
/* Discards prepared data. Returns 1 if there was any; 0 if not, or if the call fails. Call it from the thread that edits. */
TERRANE_API(int32_t)
terrane_prepared_discard(terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options,
                         terrane_error* error);

/* Path databases as files, for maps whose databases take long to build. A file holds the data of a `cpd` method for one profile, movement
 * rule and map, without the map. */

/* Writes the database that is prepared for a profile as the bytes of a file and returns their number. `options` names its method: "cpd",
 * "cpd+small" and so on. Writes nothing if `capacity` is too small. Returns 0 on failure, and if nothing is prepared. */
TERRANE_API(size_t)
terrane_path_database_save(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options, void* out,
                           size_t capacity, terrane_error* error);
/* The same to a file. Replaces the file at once. */
TERRANE_API(terrane_code)
terrane_path_database_save_file(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options,
                                const char* file, terrane_error* error);
/* Installs a database from the bytes of a file, as terrane_prepare_install does. Fails unless it was built for this profile, movement rule
 * and the current map: install it before you edit the map. Any bytes are safe. Error messages contain `name`. */
TERRANE_API(terrane_code)
terrane_path_database_install(terrane_world* world, const terrane_profile* profile, uint32_t movement, const void* bytes, size_t size,
                              const char* name, terrane_error* error);
/* The same from a file, which stays open: rows are read when queries need them. Do not write to it; you may delete it. */
TERRANE_API(terrane_code)
terrane_path_database_load(terrane_world* world, const terrane_profile* profile, uint32_t movement, const char* file, terrane_error* error);

/* --- Explaining a path ------------------------------------------------------------------------------------------------------------- */

typedef struct terrane_share {
    uint32_t terrain;
    uint32_t cells; /* of the path */
    uint64_t cost;  /* half of each step's cost goes to each of its cells; the shares add up to the path's cost */
} terrane_share;
/* Lists the cost of a path by terrain, the most expensive first. Empty if the cells are not a legal path for this profile on the current
 * version of the world. */
TERRANE_API(size_t)
terrane_path_shares(const terrane_path* path, const terrane_world* world, const terrane_profile* profile, terrane_share* out,
                    size_t capacity, terrane_error* error);

/* Finds the cheapest path with a cell in `area`, to explain why a path avoids it. Exact. Searches from both ends until it has reached the
 * whole area or all reachable cells; takes 0.1 us per cell. TERRANE_UNREACHABLE: no path enters the area, which may be empty, blocked or
 * off the map. */
TERRANE_API(terrane_code)
terrane_find_through(terrane_planner* planner, terrane_cell from, terrane_cell to, terrane_rect area, const terrane_profile* profile,
                     uint32_t movement, terrane_path* path, terrane_error* error);

typedef struct terrane_obstacle {
    uint32_t size;
    terrane_status status;  /* of a plain query; TERRANE_FOUND: there is a path */
    uint64_t reached;       /* cells reachable from the start, including it */
    uint32_t blocked;       /* the fewest cells that must become passable, blocked ends included; exact */
    terrane_cell first;     /* the first of them on `path`; -1,-1 if there are none */
    uint32_t first_terrain; /* the terrain of `first`; 255 if there are none */
} terrane_obstacle;
/* Explains why there is no path: finds the fewest blocked cells between start and goal. `path` receives a path that is legal once they are
 * passable, with status TERRANE_PARTIAL and cost 0; the cheapest path if there is one; no cells if start or goal is outside the map. `path`
 * and `out` may be NULL. Searches all reachable cells. */
TERRANE_API(terrane_code)
terrane_find_obstacle(terrane_planner* planner, terrane_cell from, terrane_cell to, const terrane_profile* profile, uint32_t movement,
                      terrane_path* path, terrane_obstacle* out, terrane_error* error);

/* --- Inspecting the abstraction ---------------------------------------------------------------------------------------------------- */

typedef struct terrane_regions_info {
    uint32_t size;
    uint32_t sector;         /* cells a side */
    uint32_t regions, edges; /* an edge counts once */
    uint64_t bytes;
} terrane_regions_info;
/* The functions below read the terrain regions of one sector size. Regions are numbered from 0, sector by sector; an edit may renumber
 * them. If the world keeps no regions of that size, terrane_regions_get_info fails with TERRANE_UNKNOWN_NAME and the lists are empty. */
TERRANE_API(terrane_code)
terrane_regions_get_info(const terrane_world* world, uint32_t sector, terrane_regions_info* out, terrane_error* error);
/* The region of each cell, in row order. */
TERRANE_API(size_t) terrane_regions_labels(const terrane_world* world, uint32_t sector, uint32_t* out, size_t capacity);
typedef struct terrane_region {
    terrane_cell representative;
    uint32_t terrain;
    uint32_t cells;
} terrane_region;
/* The regions, by number. */
TERRANE_API(size_t) terrane_regions_nodes(const terrane_world* world, uint32_t sector, terrane_region* out, size_t capacity);
typedef struct terrane_region_edge {
    uint32_t a, b;     /* a < b */
    uint32_t diagonal; /* 1: the regions touch only at a corner */
} terrane_region_edge;
/* The edges between regions, each once. */
TERRANE_API(size_t) terrane_regions_edges(const terrane_world* world, uint32_t sector, terrane_region_edge* out, size_t capacity);
/* Lists the portals of a prepared overlay: the cells where paths cross from one cluster to the next. Empty if none is prepared. */
TERRANE_API(size_t)
terrane_overlay_portals(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options,
                        terrane_cell* out, size_t capacity, terrane_error* error);

/* --- Crowds ------------------------------------------------------------------------------------------------------------------------ */

/* Many agents in one world, moved tick by tick. No two agents ever share a cell or swap cells. */
typedef struct terrane_crowd terrane_crowd;

/* The methods for crowds, by index. The strings have static lifetime; NULL if `i` is terrane_crowd_method_count() or more. */
TERRANE_API(uint32_t) terrane_crowd_method_count(void);
TERRANE_API(const char*) terrane_crowd_method_usage(uint32_t i);
TERRANE_API(const char*) terrane_crowd_method_summary(uint32_t i);

typedef struct terrane_crowd_options {
    uint32_t size;
    uint32_t movement;
    char method[96];   /* empty: pibt */
    uint64_t seed;     /* 0: 1 */
    uint32_t lifelong; /* 1: an agent that arrives gets a new random goal */
    uint32_t reserved; /* 0 */
    uint64_t budget;   /* in expansions: of the whole plan for lacam, of each tick for swarm; 0: the method's default */
} terrane_crowd_options;
/* Creates a crowd without agents. `types` has the profile of each agent type, 1 to 65535 of them; they are copied. `world` must have
 * regions. It may be edited between ticks. Fails for a budget with a method that has none. */
TERRANE_API(terrane_crowd*)
terrane_crowd_new(const terrane_world* world, const terrane_profile* const* types, uint32_t type_count,
                  const terrane_crowd_options* options, terrane_error* error);
TERRANE_API(void) terrane_crowd_free(terrane_crowd* crowd);

/* Add, spawn, remove, goal and tick change a crowd. After an allocation failure in one of them, all agents are unchanged and the crowd
 * stays usable. The method's plans and learned data are lost: the next call replaces the method by a fresh one. Until then the counters of
 * the method are 0, and there are no reservations and no arrows. */

/* Adds an agent of a type (an index into `types`) and returns its id: 0, 1, 2 and so on. Fails with -1 if a cell is off the map, `at` is
 * blocked for the type or occupied, there is no such type, or the crowd has the maximum number of agents. */
TERRANE_API(int32_t) terrane_crowd_add(terrane_crowd* crowd, terrane_cell at, terrane_cell goal, uint32_t type, terrane_error* error);
enum { TERRANE_SPAWN_RANDOM = 0, TERRANE_SPAWN_SIDES = 1 };
/* Adds `agents` agents at random cells of the largest connected component for their type; types take turns. With TERRANE_SPAWN_SIDES they
 * start at the left and right sides of the map, half of them each, with goals on the other side. `seed` 0 is 1. Fails, adding none, if
 * there are too few cells or if the crowd has ever had an agent. */
TERRANE_API(terrane_code) terrane_crowd_spawn(terrane_crowd* crowd, uint32_t agents, uint32_t how, uint64_t seed, terrane_error* error);
/* Removes an agent, or sets its goal to any cell of the map. Fails for an agent that does not exist or was removed. */
TERRANE_API(terrane_code) terrane_crowd_remove(terrane_crowd* crowd, uint32_t agent, terrane_error* error);
TERRANE_API(terrane_code) terrane_crowd_goal(terrane_crowd* crowd, uint32_t agent, terrane_cell goal, terrane_error* error);
/* Advances the crowd by `ticks` ticks. If allocation fails, the completed ticks count (terrane_crowd_info has their number) and the others
 * do not run; in a lifelong crowd, agents that arrived in the last completed tick may get their next goal one tick late. */
TERRANE_API(terrane_code) terrane_crowd_tick(terrane_crowd* crowd, uint32_t ticks, terrane_error* error);

typedef struct terrane_crowd_info {
    uint32_t size;
    uint32_t ticks;                       /* so far */
    uint32_t agents, at_goal;             /* without removed agents */
    uint64_t arrivals;                    /* at all goals of all agents */
    uint64_t faults;                      /* ticks in which the method proposed a conflict, so that no agent moved */
    uint64_t cost;                        /* sum over all agents */
    uint64_t expansions, plans, failures; /* of the method: expansions, searches, searches without a result */
    uint64_t bytes;                       /* memory of the method */
} terrane_crowd_info;
TERRANE_API(terrane_code) terrane_crowd_get_info(const terrane_crowd* crowd, terrane_crowd_info* out, terrane_error* error);
typedef struct terrane_agent {
    terrane_cell at, goal; /* both -1,-1: removed */
    uint32_t type;
    uint32_t waiting; /* 1: it did not move in the last tick and is not at its goal */
} terrane_agent;
/* Lists all agents by id, including removed ones. */
TERRANE_API(size_t) terrane_crowd_agents(const terrane_crowd* crowd, terrane_agent* out, size_t capacity);
typedef struct terrane_reservation {
    terrane_cell cell;
    uint32_t tick; /* 0xffffffff: forever, from the agent's arrival on */
    uint32_t agent;
} terrane_reservation;
/* Lists the reservations of methods that make them (ca, whca, cpra), from the current tick on, by tick. The first of each agent is its
 * current cell. */
TERRANE_API(size_t) terrane_crowd_reservations(const terrane_crowd* crowd, terrane_reservation* out, size_t capacity);
typedef struct terrane_arrow {
    terrane_cell cell;
    float x, y; /* to the right and downwards; length 0 to 1 */
} terrane_arrow;
/* Lists the direction map of methods with +flow; only cells with a direction. */
TERRANE_API(size_t) terrane_crowd_arrows(const terrane_crowd* crowd, terrane_arrow* out, size_t capacity);

/* --- Weighted regions: convex polygons with costs; paths refract where the cost changes --------------------------------------------- */

/* A subdivision of the plane into convex polygons (regions), each with a cost per unit length. */
typedef struct terrane_subdivision terrane_subdivision;
/* A path over a subdivision, with the scratch memory of its search. */
typedef struct terrane_subdivision_path terrane_subdivision_path;

typedef struct terrane_subdivision_generator {
    uint32_t size;
    uint32_t regions;            /* 0: 24 */
    uint32_t min_cost, max_cost; /* integers; 0: 1 and 8 */
    uint32_t blocked;            /* percent of the regions */
    uint64_t seed;               /* 0: 1 */
    double width, height;        /* 0: 600 */
} terrane_subdivision_generator;
/* Generates the Voronoi cells of random points with random costs. */
TERRANE_API(terrane_subdivision*) terrane_subdivision_voronoi(const terrane_subdivision_generator* generator, terrane_error* error);
/* Parses Terrane's JSON format or GeoJSON (docs/weighted_regions.md). Error messages contain `name`, which may be NULL. */
TERRANE_API(terrane_subdivision*) terrane_subdivision_from_bytes(const void* json, size_t size, const char* name, terrane_error* error);
/* Converts the map of a world: a region is a convex part of connected cells of one cost. Cell (x, y) is the square from x,y to x+1,y+1, and
 * the cost is that of the profile divided by 100. Outlines are simplified by at most `tolerance` cells, without losing or joining regions;
 * 0: exact. Fails for a tolerance that is negative or not finite, a map of more than 8192 cells a side, and too many regions. */
TERRANE_API(terrane_subdivision*)
terrane_subdivision_from_world(const terrane_world* world, const terrane_profile* profile, double tolerance, terrane_error* error);
TERRANE_API(void) terrane_subdivision_free(terrane_subdivision* subdivision);
typedef struct terrane_subdivision_info {
    uint32_t size;
    uint32_t regions;
    double width, height;
    double x, y; /* the smallest coordinates; 0 if generated */
} terrane_subdivision_info;
TERRANE_API(terrane_code)
terrane_subdivision_get_info(const terrane_subdivision* subdivision, terrane_subdivision_info* out, terrane_error* error);
/* Lists the corners of a region; empty if there is no such region. */
TERRANE_API(size_t)
terrane_subdivision_polygon(const terrane_subdivision* subdivision, uint32_t region, terrane_point* out, size_t capacity);
TERRANE_API(double) terrane_subdivision_cost(const terrane_subdivision* subdivision, uint32_t region);          /* 0: blocked */
TERRANE_API(int32_t) terrane_subdivision_region_at(const terrane_subdivision* subdivision, double x, double y); /* -1: none */
/* Sets the cost of a region; 0: blocked. Takes constant time. Fails for a cost that is negative or not finite. */
TERRANE_API(terrane_code)
terrane_subdivision_set_cost(terrane_subdivision* subdivision, uint32_t region, double cost, terrane_error* error);

/* The methods for subdivisions, by index. The strings have static lifetime; NULL if `i` is terrane_subdivision_method_count() or more. */
TERRANE_API(uint32_t) terrane_subdivision_method_count(void);
TERRANE_API(const char*) terrane_subdivision_method_usage(uint32_t i);
TERRANE_API(const char*) terrane_subdivision_method_summary(uint32_t i);

TERRANE_API(terrane_subdivision_path*) terrane_subdivision_path_new(terrane_error* error);
TERRANE_API(void) terrane_subdivision_path_free(terrane_subdivision_path* path);
/* Finds a path and writes it to `path`, or the status if there is none. `method` NULL or empty: brep+proven. Fails for an unknown method,
 * one that needs too many squares or points for this subdivision, and points that are not finite. */
TERRANE_API(terrane_code)
terrane_subdivision_find(const terrane_subdivision* subdivision, terrane_point from, terrane_point to, const char* method,
                         terrane_subdivision_path* path, terrane_error* error);
typedef struct terrane_subdivision_path_info {
    uint32_t size;
    terrane_status status;
    double cost;
    double bound; /* proven suboptimality bound: cost <= bound * optimum; 0: nothing is proven */
    uint64_t expansions;
    uint32_t points;
} terrane_subdivision_path_info;
/* The status is TERRANE_NOT_ASKED for NULL, which also fails, and for a path that no query has written. */
TERRANE_API(terrane_code)
terrane_subdivision_path_get_info(const terrane_subdivision_path* path, terrane_subdivision_path_info* out, terrane_error* error);
/* Lists the points of the path, from start to goal. */
TERRANE_API(size_t) terrane_subdivision_path_points(const terrane_subdivision_path* path, terrane_point* out, size_t capacity);
typedef struct terrane_crossing {
    terrane_point at;
    terrane_point normal;        /* unit normal of the boundary, towards the side that the path enters; 0,0 at a corner */
    double cost_from, cost_to;   /* per unit length; along a boundary, of the cheaper side */
    double angle_from, angle_to; /* between path and normal in radians, 0 to pi/2 (along the boundary); 0 at a corner. The last bit may
                                    depend on the C library */
} terrane_crossing;
/* Lists the points where the path passes from one cost to another, in path order. By Snell's law, cost_from * sin(angle_from) ==
 * cost_to * sin(angle_to), to at least six digits with brep+newton and brep+proven. Paths of other methods satisfy it less accurately or
 * not at all. */
TERRANE_API(size_t) terrane_subdivision_path_crossings(const terrane_subdivision_path* path, terrane_crossing* out, size_t capacity);

/* --- Navigation meshes ------------------------------------------------------------------------------------------------------------- */

/* Detour navigation meshes with hierarchical path finding over their regions, and with obstacles that come and go. In builds without
 * navigation meshes (WebAssembly, or Recast was not found) all functions of this section fail with TERRANE_UNSUPPORTED.
 *
 * One thread at a time may change a mesh, and no other thread may use the mesh or its planners meanwhile. While no thread changes it, any
 * number of threads may read it and run a planner each.
 *
 * Recast and Detour's tile cache do not check their allocations: a failure there, in terrane_navmesh_build or terrane_navmesh_update, may
 * end the program. */

TERRANE_API(int32_t) terrane_navmesh_supported(void); /* 1: this build has navigation meshes */

/* In metres; y is up. */
typedef struct terrane_position {
    float x, y, z;
} terrane_position;

/* A mesh, its regions, and its obstacles if it was built for them. */
typedef struct terrane_navmesh terrane_navmesh;
/* Finds paths over one mesh: one query at a time, with scratch memory that is reused from query to query. */
typedef struct terrane_navmesh_planner terrane_navmesh_planner;
typedef struct terrane_navmesh_path terrane_navmesh_path;

/* Lengths are in metres and angles in degrees. A negative value of a field marked with - is 0. */
typedef struct terrane_navmesh_options {
    uint32_t size;
    uint32_t obstacles;       /* 1: obstacles can be added later. Then at most 255 voxels per side of a tile */
    uint32_t threads;         /* for building, at most 256; 0: one. The result does not depend on it */
    float cell_size;          /* side of a voxel along x and z; 0: 0.3 */
    float cell_height;        /* of a voxel along y; 0: 0.2 */
    float tile_size;          /* side of a tile, rounded to whole voxels; 8 to 1024 voxels; 0: 20 */
    float agent_height;       /* minimum clearance; 0: 2 */
    float agent_radius;       /* distance kept from obstacles and ledges; 0: 0.6; - */
    float agent_climb;        /* maximum step height; 0: 0.9; - */
    float agent_slope;        /* maximum slope; 0: 45; - */
    float edge_length;        /* longer edges along the outer border of the mesh are split; 0: 12; -, never */
    float edge_error;         /* maximum deviation of a contour, in voxels; 0: 1.3; - */
    uint32_t region_cells;    /* isolated regions of fewer voxels are removed; 0: 64 */
    uint32_t merge_cells;     /* regions of fewer voxels are merged with neighbours if possible; 0: 400 */
    uint32_t polygon_corners; /* maximum number of vertices of a polygon, 3 to 6; 0: 6 */
    uint32_t no_detail;       /* 1: no detail meshes for Detour; paths of this library do not use them */
    char default_area[36];    /* of triangles without an area; empty: ground */
} terrane_navmesh_options;
/* Builds a mesh from triangles with Recast. `triangles` has three vertex indices per triangle, anticlockwise seen from above. `areas` has
 * the area of each triangle, 255: blocked; NULL: all have the default area.
 *
 * Areas are the terrains of the standard catalogue, then those that `area_text` adds, at most 63. The text also sets flags, marks volumes
 * and adds off-mesh connections, one per line; NULL: nothing.
 *
 *   area mud 120 90 40                     name and colour
 *   flags mud 3                            of its polygons, 0 to 65535; others have 1
 *   volume mud -1 4  10 10  20 10  15 25   lowest and highest y, then x and z of each corner
 *   link mud 3 0 2  8 1.5 2  0.6 one_way   area, from, to, radius, one_way or two_way
 *
 * Fails if nothing is walkable, for invalid numbers, and for meshes that Detour cannot address (22 bits for tile and polygon). */
TERRANE_API(terrane_navmesh*)
terrane_navmesh_build(const terrane_position* vertices, size_t vertex_count, const uint32_t* triangles, size_t triangle_count,
                      const uint8_t* areas, const char* area_text, const terrane_navmesh_options* options, terrane_error* error);

typedef struct terrane_navmesh_params {
    uint32_t size;
    uint32_t max_tiles;    /* 1 to 65536 */
    uint32_t max_polygons; /* of a tile, 1 to 32768 */
    float tile_width;      /* along x, at least 0.01 */
    float tile_height;     /* along z, at least 0.01 */
    terrane_position origin;
} terrane_navmesh_params;
/* Creates a mesh without tiles, with the parameters of dtNavMesh. Its areas are those of terrane_navmesh_build. */
TERRANE_API(terrane_navmesh*)
terrane_navmesh_new(const terrane_navmesh_params* params, const char* area_text, terrane_error* error);
/* Reads the bytes of Terrane's file format for meshes. Any bytes are safe. Error messages contain `name`. */
TERRANE_API(terrane_navmesh*) terrane_navmesh_from_bytes(const void* bytes, size_t size, const char* name, terrane_error* error);
/* The same from a file. */
TERRANE_API(terrane_navmesh*) terrane_navmesh_load(const char* file, terrane_error* error);
TERRANE_API(void) terrane_navmesh_free(terrane_navmesh* navmesh);
/* Writes the mesh as the bytes of a file and returns their number. Obstacles are written as holes. Writes nothing if `capacity` is too
 * small. Returns 0 on failure: a mesh without tiles, or an allocation failure. */
TERRANE_API(size_t) terrane_navmesh_save(const terrane_navmesh* navmesh, void* out, size_t capacity, terrane_error* error);
/* The same to a file; atomic. */
TERRANE_API(terrane_code) terrane_navmesh_save_file(const terrane_navmesh* navmesh, const char* file, terrane_error* error);

typedef struct terrane_navmesh_info {
    uint32_t size;
    uint32_t tiles, polygons; /* polygons without off-mesh connections */
    uint32_t off_mesh_connections;
    uint32_t regions, edges;    /* an edge counts once per direction */
    uint32_t areas;             /* with a name */
    uint32_t obstacles;         /* including those that wait for terrane_navmesh_update */
    uint64_t bytes;             /* of tiles, regions and compressed voxels */
    uint64_t version;           /* increases with every change of a tile */
    terrane_position low, high; /* bounds of the polygons; 0 if there are none */
    terrane_position origin;    /* this and the following as in terrane_navmesh_params */
    float tile_width, tile_height;
    uint32_t max_tiles, max_polygons;
    uint32_t takes_obstacles; /* 1: it was built for obstacles */
} terrane_navmesh_info;
/* Takes time linear in the polygons. */
TERRANE_API(terrane_code) terrane_navmesh_get_info(const terrane_navmesh* navmesh, terrane_navmesh_info* out, terrane_error* error);
/* Reads the name and colour of an area. Fails if `area` has no name. */
TERRANE_API(terrane_code)
terrane_navmesh_get_area(const terrane_navmesh* navmesh, uint32_t area, terrane_terrain* out, terrane_error* error);

typedef struct terrane_navmesh_triangle {
    terrane_position a, b, c;
    uint32_t area;
} terrane_navmesh_triangle;
/* Lists the polygons as triangles, for drawing. */
TERRANE_API(size_t) terrane_navmesh_triangles(const terrane_navmesh* navmesh, terrane_navmesh_triangle* out, size_t capacity);

typedef struct terrane_navmesh_tile {
    int32_t x, y, layer;
    uint32_t bytes; /* of its data */
} terrane_navmesh_tile;
/* Lists the tiles, sorted by y, x and layer. */
TERRANE_API(size_t) terrane_navmesh_tiles(const terrane_navmesh* navmesh, terrane_navmesh_tile* out, size_t capacity);
/* Writes the data of a tile, as dtNavMesh::addTile takes it, and returns the number of bytes. Writes nothing if `capacity` is too small.
 * Returns 0 on failure, or if there is no such tile. */
TERRANE_API(size_t)
terrane_navmesh_tile_data(const terrane_navmesh* navmesh, int32_t x, int32_t y, int32_t layer, void* out, size_t capacity,
                          terrane_error* error);
/* Adds a tile of Detour's tile data, or removes one. Adding copies the data and checks every count and index: any bytes are safe. Fails if
 * there is a tile at the location of the new one, if all max_tiles are in use, and on meshes with obstacles, which build their tiles
 * themselves. `added` receives the location of the tile; it may be NULL. */
TERRANE_API(terrane_code)
terrane_navmesh_add_tile(terrane_navmesh* navmesh, const void* data, size_t size, terrane_navmesh_tile* added, terrane_error* error);
TERRANE_API(terrane_code)
terrane_navmesh_remove_tile(terrane_navmesh* navmesh, int32_t x, int32_t y, int32_t layer, terrane_error* error);

#define TERRANE_KEEP 0xffffffffu /* leaves the area, or the flags, as they are */
/* Sets the area (0 to 63) and the flags (0 to 65535) of all polygons and off-mesh connections that touch the box from `low` to `high`, and
 * writes their number to `polygons`, which may be NULL. No agent may enter polygons with flags 0. A tile that is rebuilt for an obstacle
 * gets the areas and flags of the build again. */
TERRANE_API(terrane_code)
terrane_navmesh_set_area(terrane_navmesh* navmesh, terrane_position low, terrane_position high, uint32_t area, uint32_t flags,
                         uint32_t* polygons, terrane_error* error);

/* Adds an obstacle to a mesh that was built for them, at most 4096 at a time, and returns its id, which is never reused; 0 on failure. The
 * mesh changes with the next terrane_navmesh_update. Agents keep their radius from obstacles and walk under them if the height suffices.
 * An obstacle may touch at most 8 tiles. */
TERRANE_API(uint32_t)
terrane_navmesh_add_cylinder(terrane_navmesh* navmesh, terrane_position foot, float radius, float height, terrane_error* error);
TERRANE_API(uint32_t)
terrane_navmesh_add_box(terrane_navmesh* navmesh, terrane_position low, terrane_position high, terrane_error* error);
TERRANE_API(terrane_code) terrane_navmesh_remove_obstacle(terrane_navmesh* navmesh, uint32_t obstacle, terrane_error* error);
/* Rebuilds up to `max_tiles` tiles that were touched by added or removed obstacles: 0 none, TERRANE_UNLIMITED all. The next call continues.
 * `rebuilt` receives their number; it may be NULL. After an allocation failure the tiles rebuilt so far remain: call it again. */
TERRANE_API(terrane_code)
terrane_navmesh_update(terrane_navmesh* navmesh, uint32_t max_tiles, uint32_t* rebuilt, terrane_error* error);
TERRANE_API(int32_t) terrane_navmesh_up_to_date(const terrane_navmesh* navmesh); /* 1: terrane_navmesh_update has nothing left to do */

/* The methods for meshes, by index. The strings have static lifetime; NULL if `i` is terrane_navmesh_method_count() or more. */
TERRANE_API(uint32_t) terrane_navmesh_method_count(void);
TERRANE_API(const char*) terrane_navmesh_method_usage(uint32_t i);
TERRANE_API(const char*) terrane_navmesh_method_summary(uint32_t i);

/* Which polygons an agent may enter, and at what cost. */
typedef struct terrane_navmesh_filter {
    uint32_t size;
    uint32_t include_flags; /* a polygon needs one of them; 0: 0xffff */
    uint32_t exclude_flags; /* a polygon must have none of them */
    uint32_t costs[64];     /* by area, per metre in hundredths, 1 to 65000; 0: 100 */
    uint32_t reserved;      /* 0 */
    uint64_t blocked;       /* bit i: area i is blocked, whatever its cost */
} terrane_navmesh_filter;
/* Writes the costs of a profile to a filter with all flags, by the names of the areas. Areas without a name are blocked. */
TERRANE_API(terrane_code)
terrane_navmesh_filter_of(const terrane_navmesh* navmesh, const terrane_profile* profile, terrane_navmesh_filter* out,
                          terrane_error* error);

typedef struct terrane_navmesh_find_options {
    uint32_t size;
    uint32_t nearest;         /* 1: if the goal is blocked or unreachable, find a path to the nearest reachable point: TERRANE_PARTIAL */
    char method[96];          /* empty: dta+portals */
    uint64_t max_expansions;  /* TERRANE_BUDGET_SPENT when reached; 0: no limit */
    terrane_position extents; /* maximum distance of start and goal from the mesh along each axis; 0: 2, 4, 2 */
    uint32_t crossings;       /* 1: a point at every polygon border, instead of only at turns */
} terrane_navmesh_find_options;

TERRANE_API(terrane_navmesh_planner*) terrane_navmesh_planner_new(const terrane_navmesh* navmesh, terrane_error* error);
TERRANE_API(void) terrane_navmesh_planner_free(terrane_navmesh_planner* planner);
TERRANE_API(terrane_navmesh_path*) terrane_navmesh_path_new(terrane_error* error);
TERRANE_API(void) terrane_navmesh_path_free(terrane_navmesh_path* path);

/* Finds a path and writes it to `path`, or the status if there is none. Start and goal are moved to the nearest polygon that passes the
 * filter; TERRANE_OUTSIDE_MAP if no polygon is within the extents. `filter` NULL: all polygons, at cost 1. Fails for an unknown method,
 * invalid filters, points that are not finite, and extents of more than a million tiles. */
TERRANE_API(terrane_code)
terrane_navmesh_find(terrane_navmesh_planner* planner, terrane_position from, terrane_position to, const terrane_navmesh_filter* filter,
                     const terrane_navmesh_find_options* options, terrane_navmesh_path* path, terrane_error* error);
/* A sliced query, as terrane_begin, terrane_run, terrane_ready and terrane_take. The status is TERRANE_STALE if the mesh has changed since
 * it was begun. Ready points lead to the end of the first segment; the final path crosses the same polygons, but may have other points. */
TERRANE_API(terrane_code)
terrane_navmesh_begin(terrane_navmesh_planner* planner, terrane_position from, terrane_position to, const terrane_navmesh_filter* filter,
                      const terrane_navmesh_find_options* options, terrane_error* error);
TERRANE_API(terrane_status) terrane_navmesh_run(terrane_navmesh_planner* planner, uint32_t budget);
TERRANE_API(size_t) terrane_navmesh_ready(const terrane_navmesh_planner* planner, terrane_position* out, size_t capacity);
TERRANE_API(terrane_code)
terrane_navmesh_take(const terrane_navmesh_planner* planner, terrane_navmesh_path* path, terrane_error* error);

typedef struct terrane_navmesh_path_info {
    uint32_t size;
    terrane_status status;
    double cost;   /* sum of length times the area's cost; 1 m at cost 100 costs 1 */
    double length; /* in metres */
    uint64_t expansions;
    uint64_t expansions_first; /* of these, until the first segment was ready */
    uint32_t points, polygons;
} terrane_navmesh_path_info;
/* The status is TERRANE_NOT_ASKED for NULL, which also fails, and for a path that no query has written. */
TERRANE_API(terrane_code)
terrane_navmesh_path_get_info(const terrane_navmesh_path* path, terrane_navmesh_path_info* out, terrane_error* error);
/* From start to goal, moved onto the mesh. */
TERRANE_API(size_t) terrane_navmesh_path_points(const terrane_navmesh_path* path, terrane_position* out, size_t capacity);
/* The polygons that the path crosses, in order, as dtPolyRef. */
TERRANE_API(size_t) terrane_navmesh_path_polygons(const terrane_navmesh_path* path, uint32_t* out, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
