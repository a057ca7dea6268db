/* Terrane for C, and for every language that can call C: worlds, creatures, edits, paths, crowds, open terrain.
 *
 *   terrane_world* world = terrane_world_from_bytes(bytes, size, "island.map", NULL, NULL);
 *   terrane_profile* deer = terrane_profile_preset("deer");
 *   terrane_planner* planner = terrane_planner_new(world);
 *   terrane_path* path = terrane_path_new();
 *   terrane_find(planner, (terrane_cell){120, 80}, (terrane_cell){1900, 1500}, deer, NULL, path, NULL);
 *
 * Handles are opaque; each has one function that frees it, which takes NULL too. What a handle was made from must outlive it, where
 * that is said. NULL for any other handle, or for a list that is not empty, is refused (TERRANE_BAD_VALUE), or, by a function that cannot
 * refuse, answered with 0, NULL or a struct of zeros. NULL for a text is the empty text.
 *
 * Structs begin with `size`, which the caller sets to sizeof: a later version may have more fields at the end, and reads and writes no
 * more than the caller has. A `size` that is 0, or that no version of the struct has, is refused with TERRANE_BAD_VALUE; of a struct that
 * is written, the fields then get zeros, and a status TERRANE_NOT_ASKED. Only terrane_error is written all the same. Zero in any other
 * field of an options struct means the usual; NULL for the struct means the usual for all. Texts in structs end with 0, or with the array.
 *
 * What can go wrong: a function returns TERRANE_OK or another terrane_code, or NULL in place of a handle; then nothing was changed, and
 * `error`, where it is not NULL, says why. That a path was not found is no error: terrane_path_info has the status.
 *
 * Lists and texts are copied into the caller's memory: a function takes room for `capacity` elements, writes as many as there are and
 * fit, and returns how many there are. Where `out` is NULL, nothing is written.
 *
 * Nothing throws, nothing reads a clock, nothing is kept between calls but in handles.
 *
 * Memory that cannot be had is TERRANE_NO_MEMORY (NULL in place of a handle, 0 in place of a list or a text), and all is as it was; for a
 * query that ran in slices, the status TERRANE_OUT_OF_MEMORY; for a crowd, the code of terrane_crowd_info. It ends the program in a build
 * without exceptions, such as that for browsers: terrane_memory_can_fail() tells.
 *
 * Threads: different handles may be used by different threads at once, except that one thread at a time edits a world, and that each
 * planner, path, crowd, field and preparation is used by one thread at a time. Planners may work while their world is edited.
 *
 * Coordinates: x to the right, y downwards, from 0. Costs of a path are in the library's units: a straight step costs 985 times the sum of
 * its two cells' costs in hundredths; divide by TERRANE_COST_PER_UNIT for lengths as benchmarks print them. */
#ifndef TERRANE_C_H
#define TERRANE_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define TERRANE_API
#else
#define TERRANE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- All of it ------------------------------------------------------------------------------------------------------------------- */

#define TERRANE_ABI 2                /* goes up when something here changes its meaning; not when something is added */
#define TERRANE_COST_PER_UNIT 197000 /* 985 * 200: a straight step between cells of cost 1 */

TERRANE_API uint32_t terrane_abi(void);            /* of the library that runs: to be compared with TERRANE_ABI */
TERRANE_API const char* terrane_version(void);     /* "0.1.0" */
TERRANE_API int32_t terrane_memory_can_fail(void); /* 1: that is an answer; 0: it ends the program */

typedef int32_t terrane_code;
enum {
    TERRANE_OK = 0,
    TERRANE_CANNOT_OPEN = 1,
    TERRANE_BAD_HEADER = 2,
    TERRANE_BAD_VALUE = 3,
    TERRANE_BAD_LETTER = 4,
    TERRANE_TRUNCATED = 5,
    TERRANE_TRAILING = 6,
    TERRANE_TOO_LARGE = 7,
    TERRANE_UNKNOWN_NAME = 8,
    TERRANE_UNSUPPORTED = 9,
    TERRANE_CANCELLED = 10,
    TERRANE_NO_MEMORY = 11,
};

typedef struct terrane_error {
    uint32_t size;
    terrane_code code;
    uint32_t line;     /* of the text to blame; 0 for none */
    char message[500]; /* with file and line; ends with 0, cut where it is longer */
} terrane_error;

typedef struct terrane_cell {
    int32_t x, y;
} terrane_cell;
typedef struct terrane_point {
    double x, y;
} terrane_point;
typedef struct terrane_rect {
    int32_t x, y, width, height;
} terrane_rect;

/* --- Worlds ---------------------------------------------------------------------------------------------------------------------- */

typedef struct terrane_world terrane_world;

typedef struct terrane_world_options {
    uint32_t size;
    uint32_t threads;    /* to build with, at most 256; 0: one */
    uint32_t sectors[4]; /* sizes of sectors to keep regions for (dta:N), 4 to 128, once each; 0: no more. None of them: 16 alone */
    uint32_t no_regions; /* 1: keep no regions at all */

    /* Where the world's memory comes from: both, or NULL for both. All that it, its planners and what is prepared for it keep is taken by
     * `allocate` and given back by `deallocate`, with the same `bytes` (at least 1) and `alignment` (a power of two); handles, texts, files
     * while they are read, the cells of paths and path databases (cpd) are not. When the world is freed, and all that was made from it, so
     * is everything. Called from whichever thread edits, queries or frees, from several at once where there are several, or `threads` are:
     * then they must be safe for threads. They must not call back into the library. `allocate` may return NULL. */
    void* (*allocate)(void* user, size_t bytes, size_t alignment);
    void (*deallocate)(void* user, void* pointer, size_t bytes, size_t alignment);
    void* user; /* for them */
} terrane_world_options;

typedef struct terrane_terrain {
    uint32_t size;
    char name[33]; /* of a-z, 0-9 and _ */
    char letter;   /* of .map files; 0: none */
    uint8_t r, g, b;
} terrane_terrain;

/* Maps have 1 to 32768 cells a side; with addresses of 32 bits, as in a browser, at most 2^26 cells in all.
 *
 * `cells` are width * height numbers of terrains, by rows. Terrains, at most 255, all have the `size` of the first; 0 of them: the standard
 * catalogue (terrane_world_get_terrain tells). Refused: names or letters given twice or malformed, cells that are none of the terrains. */
TERRANE_API terrane_world* terrane_world_from_cells(int32_t width, int32_t height, const uint8_t* cells, const terrane_terrain* terrains,
                                                    uint32_t terrain_count, const terrane_world_options* options, terrane_error* error);
/* A file's content, of any map format that the build can read: .map, .terrane, Tiled's JSON (and TMX, PNG where their libraries were
 * found). How it begins decides the format, or else the extension of `name`, which is also for messages. Regions saved with it are used
 * where they fit the options. A PNG is read as terrane_world_from_pixels does. Any bytes at all may be given: what is malformed is refused,
 * with the line. */
TERRANE_API terrane_world* terrane_world_from_bytes(const void* bytes, size_t size, const char* name, const terrane_world_options* options,
                                                    terrane_error* error);
/* The map formats that terrane_world_from_bytes knows. The texts have static lifetime; NULL from terrane_map_format_count() on. */
TERRANE_API uint32_t terrane_map_format_count(void);
TERRANE_API const char* terrane_map_format_name(uint32_t i);       /* "Tiled map" */
TERRANE_API const char* terrane_map_format_extensions(uint32_t i); /* ".tmx .tmj .json" */
TERRANE_API const char* terrane_map_format_summary(uint32_t i);    /* one line */
TERRANE_API const char* terrane_map_format_missing(uint32_t i);    /* libraries that this build lacks for it: "libpng"; "" for none */
/* A picture by the standard palette: each pixel the terrain whose colour is nearest (ties: the first), `black` where it is fully
 * transparent; areas of fewer than `merge` cells are merged into their neighbours (0: none). `rgba` has 4 bytes a pixel, by rows. 10 to 50
 * ns a pixel, the latter where no two have the same colour. */
TERRANE_API terrane_world* terrane_world_from_pixels(int32_t width, int32_t height, const uint8_t* rgba, uint32_t merge,
                                                     const terrane_world_options* options, terrane_error* error);

enum { TERRANE_ISLAND = 0, TERRANE_ROOMS = 1, TERRANE_MAZE = 2, TERRANE_RANDOM = 3, TERRANE_SCATTER = 4, TERRANE_VORONOI = 5 };
typedef struct terrane_generator {
    uint32_t size;
    uint32_t kind;
    int32_t width, height; /* 0: 1024 for islands, 512 for the others */
    uint64_t seed;         /* as it is: 0 is one, too */
    int32_t detail;        /* island: side of a polygon; rooms: of a room; maze: of a corridor; random: walls in percent; voronoi: sites */
    int32_t terrains;      /* scatter and voronoi: how many, 1 to 16; 0: 8 */
} terrane_generator;
TERRANE_API terrane_world* terrane_world_generate(const terrane_generator* generator, const terrane_world_options* options,
                                                  terrane_error* error);

/* The same map in a world of its own, with other options; nothing that was prepared. */
TERRANE_API terrane_world* terrane_world_copy(const terrane_world* world, const terrane_world_options* options, terrane_error* error);
TERRANE_API void terrane_world_free(terrane_world* world);

typedef struct terrane_world_info {
    uint32_t size;
    int32_t width, height;
    uint32_t terrains;
    uint64_t version;  /* 0 at first; one more with every edit that changed a cell */
    uint64_t bytes;    /* of everything that it keeps */
    uint64_t checksum; /* of the map's size and cells alone; 0.3 ns a cell */
} terrane_world_info;
TERRANE_API terrane_code terrane_world_get_info(const terrane_world* world, terrane_world_info* out);
TERRANE_API terrane_code terrane_world_get_terrain(const terrane_world* world, uint32_t terrain, terrane_terrain* out);
TERRANE_API int32_t terrane_world_find_terrain(const terrane_world* world, const char* name); /* -1: none of that name */
/* The cells of a rectangle, by rows; those outside the map are 255. Returns their number: 0 where a side is not positive. */
TERRANE_API size_t terrane_world_read(const terrane_world* world, terrane_rect rect, uint8_t* out, size_t capacity);

typedef struct terrane_cell_edit {
    int32_t x, y;
    uint32_t terrain;
} terrane_cell_edit;
typedef struct terrane_edit {
    uint32_t size;
    uint32_t cells;   /* that have another terrain now */
    uint32_t sectors; /* whose regions changed, of all sizes of sectors together */
    uint32_t joined;  /* besides those: whose edges to them changed */
    uint64_t version;
} terrane_edit;
/* `out` may be NULL. Cells outside the map are passed over; the last edit of a cell wins; an unknown terrain refuses all of it. */
TERRANE_API terrane_code terrane_world_fill(terrane_world* world, terrane_rect rect, uint32_t terrain, terrane_edit* out,
                                            terrane_error* error);
TERRANE_API terrane_code terrane_world_apply(terrane_world* world, const terrane_cell_edit* edits, size_t count, terrane_edit* out,
                                             terrane_error* error);
/* The sectors of the first size whose regions or edges the last edit changed. */
TERRANE_API size_t terrane_world_repaired(const terrane_world* world, terrane_rect* out, size_t capacity);

/* The world as a file: "map" (MovingAI) or "terrane" (with its regions). 0: refused. Nothing at all is written where it does not fit. */
TERRANE_API size_t terrane_world_save(const terrane_world* world, const char* format, void* out, size_t capacity, terrane_error* error);

/* --- Creatures ------------------------------------------------------------------------------------------------------------------- */

typedef struct terrane_profile terrane_profile;

/* All terrain costs 1 until told otherwise. Costs are in hundredths, 1 to 65000; 0: blocked. A terrain is given by its name or its letter;
 * given twice, the last counts. One that a world does not know, a cost out of range, or one that there was no memory for, is refused by
 * what uses the profile (presets pass over what a world does not know). */
TERRANE_API terrane_profile* terrane_profile_new(const char* name);
TERRANE_API terrane_profile* terrane_profile_preset(const char* name); /* person, deer, outlaw, walker; NULL: there is none */
/* From a file's content: a line for each terrain and its cost, as in "trees 1.5", "water blocked", "otherwise 2". `name` is for
 * messages. */
TERRANE_API terrane_profile* terrane_profile_parse(const char* text, size_t size, const char* name, terrane_error* error);
TERRANE_API void terrane_profile_free(terrane_profile* profile);
TERRANE_API void terrane_profile_cost(terrane_profile* profile, const char* terrain, uint32_t hundredths);
TERRANE_API void terrane_profile_otherwise(terrane_profile* profile, uint32_t hundredths);
/* What each terrain of a world costs it, in hundredths; 0 is blocked, or no terrain. */
TERRANE_API terrane_code terrane_profile_costs(const terrane_profile* profile, const terrane_world* world, uint32_t out[256],
                                               terrane_error* error);

/* --- Methods by name ------------------------------------------------------------------------------------------------------------- */

TERRANE_API uint32_t terrane_method_count(void);
/* Of a method; the texts live for ever. NULL from terrane_method_count() on. */
TERRANE_API const char* terrane_method_usage(uint32_t i);   /* "wastar:W" */
TERRANE_API const char* terrane_method_summary(uint32_t i); /* one line */
TERRANE_API const char* terrane_method_example(uint32_t i); /* a name that can be used */
TERRANE_API terrane_code terrane_method_check(const char* name, terrane_error* error);
TERRANE_API int32_t terrane_method_prepares(const char* name); /* 1: has something to prepare; 0: has not; -1: no such method */

/* --- Paths ----------------------------------------------------------------------------------------------------------------------- */

typedef struct terrane_path terrane_path;
typedef struct terrane_planner terrane_planner;

typedef int32_t terrane_status;
enum {
    TERRANE_NOT_ASKED = -1, /* no query has run: none was begun, or the call was refused */
    TERRANE_FOUND = 0,
    TERRANE_PARTIAL = 1,
    TERRANE_UNREACHABLE = 2,
    TERRANE_BLOCKED_START = 3,
    TERRANE_BLOCKED_GOAL = 4,
    TERRANE_OUTSIDE_MAP = 5,
    TERRANE_STALE = 6,
    TERRANE_NOT_PREPARED = 7,
    TERRANE_BAD_PROFILE = 8,
    TERRANE_BUDGET_SPENT = 9,
    TERRANE_OUT_OF_MEMORY = 10,
    TERRANE_UNSUPPORTED_BOUND = 11, /* the method cannot prove the bound that was asked for */
};
TERRANE_API const char* terrane_status_text(terrane_status status); /* "found"; NULL: no such status */

enum { TERRANE_EIGHT = 0, TERRANE_EIGHT_CUTTING = 1, TERRANE_FOUR = 2 }; /* movement */

typedef struct terrane_find_options {
    uint32_t size;
    uint32_t movement;
    char method[96];         /* as the command line takes it; empty: what is prepared for the profile, else dta (astar without regions) */
    uint64_t max_expansions; /* then the status is TERRANE_BUDGET_SPENT; 0: no limit */
    double bound;            /* proven to cost at most so many times the optimum, 1 or more; 0: not asked for. Methods that cannot prove it:
                                TERRANE_UNSUPPORTED_BOUND */
    uint32_t nearest;        /* 1: as far as one gets, where the goal cannot be reached, with TERRANE_PARTIAL; needs regions */
    uint32_t fallback; /* 1: where the method is not prepared, another one answers (terrane_path_method) instead of TERRANE_NOT_PREPARED */
} terrane_find_options;

/* `world` must outlive it. */
TERRANE_API terrane_planner* terrane_planner_new(const terrane_world* world);
TERRANE_API void terrane_planner_free(terrane_planner* planner);

TERRANE_API terrane_path* terrane_path_new(void);
TERRANE_API void terrane_path_free(terrane_path* path);

/* Finds a path on the world as it is now. Refused: an unknown method or movement, a bound below 1, a profile that does not fit the world.
 * Cells may be anywhere: TERRANE_OUTSIDE_MAP. */
TERRANE_API terrane_code terrane_find(terrane_planner* planner, terrane_cell from, terrane_cell to, const terrane_profile* profile,
                                      const terrane_find_options* options, terrane_path* path, terrane_error* error);

/* The same in slices: begin, run until the status is another than TERRANE_BUDGET_SPENT, take. With max_expansions it may stay that: stop
 * when a taken path has so many expansions. A refused begin leaves the query before it as it was. */
TERRANE_API terrane_code terrane_begin(terrane_planner* planner, terrane_cell from, terrane_cell to, const terrane_profile* profile,
                                       const terrane_find_options* options, terrane_error* error);
/* TERRANE_NOT_ASKED of NULL, and where no query was begun; terrane_take then leaves `path` as it was. */
TERRANE_API terrane_status terrane_run(terrane_planner* planner, uint32_t budget);                    /* expansions; 0: to the end */
TERRANE_API size_t terrane_ready(const terrane_planner* planner, terrane_cell* out, size_t capacity); /* cells that will not change */
TERRANE_API void terrane_take(const terrane_planner* planner, terrane_path* path);

/* From the next query on, those of methods that search cells (astar, wastar, focal, nbs, dijkstra) add one to `heat` for each expansion of
 * a cell: width * height numbers by rows, that must live until the next call of this. NULL: no more, at once. */
TERRANE_API void terrane_planner_heat(terrane_planner* planner, uint32_t* heat);
/* From the next query on (on: 1), the last query's search is kept as a posthoc trace, to be read as text (JSON): of methods that search
 * cells, and up to 250,000 events. Empty for others, and for ends off the map. */
TERRANE_API void terrane_planner_trace(terrane_planner* planner, uint32_t on);
TERRANE_API size_t terrane_planner_trace_text(const terrane_planner* planner, char* out, size_t capacity);

typedef struct terrane_path_info {
    uint32_t size;
    terrane_status status;
    uint64_t cost;
    double bound; /* proven: cost <= bound * the optimal cost; 1 where there are no cells */
    uint64_t expansions;
    uint64_t expansions_first; /* before the first segment could be walked */
    uint64_t version;          /* of the world that it was found on */
    uint32_t cells;
    uint32_t first; /* of them: what could be walked after expansions_first; all of them where a method finds paths in one piece */
    uint32_t line;  /* points of the line that +refract makes */
    double line_cost;
} terrane_path_info;
/* Of NULL, which is refused, and of a path that nothing was put into yet: TERRANE_NOT_ASKED, without cells. A refused query leaves its path
 * as it was. */
TERRANE_API terrane_code terrane_path_get_info(const terrane_path* path, terrane_path_info* out);
TERRANE_API size_t terrane_path_cells(const terrane_path* path, terrane_cell* out, size_t capacity);
TERRANE_API size_t terrane_path_line(const terrane_path* path, terrane_point* out, size_t capacity);
TERRANE_API const char* terrane_path_method(const terrane_path* path); /* the method that answered; lives until the path is used again */
TERRANE_API int32_t terrane_path_valid(const terrane_path* path, const terrane_world* world); /* 0: something near it changed since */

/* --- Prepared methods: overlay, mm, hpa, pra, cpd, dta:N+exact, methods with a heuristic -------------------------------------------- */

typedef struct terrane_preparation terrane_preparation;

typedef struct terrane_prepare_options {
    uint32_t size;
    uint32_t movement;
    char method[96];       /* one that prepares something; empty: overlay:2; for what is prepared already, any overlay */
    uint64_t max_bytes;    /* of the tables; more is refused when they are kept; 0: the method's own limit */
    uint32_t certificates; /* overlay: as +certificates:N of the method; 0: as the method says */
} terrane_prepare_options;
/* Refused: a method that prepares nothing, a profile that does not fit. The world may be edited meanwhile, and must outlive it. */
TERRANE_API terrane_preparation* terrane_prepare_begin(const terrane_world* world, const terrane_profile* profile,
                                                       const terrane_prepare_options* options, terrane_error* error);
/* Works on, for about `budget` times 0.2 us (0: to the end); 1: done, and 0 until then. Only overlays and path databases come in slices.
 * Done, too, where memory ran out: keeping it is refused then. */
TERRANE_API int32_t terrane_prepare_run(terrane_preparation* preparation, uint32_t budget);
TERRANE_API double terrane_prepare_progress(const terrane_preparation* preparation); /* 0 to 1 */
/* Gives it to the world that it was begun for, which keeps it up to date from then on. Refused: another world, one that is not done, a
 * second time; what takes more than max_bytes; cpd where no cell is passable. The preparation must be freed all the same. */
TERRANE_API terrane_code terrane_prepare_keep(terrane_preparation* preparation, terrane_world* world, terrane_error* error);
TERRANE_API void terrane_prepare_free(terrane_preparation* preparation);
/* Bytes that the world keeps for it; 0: nothing is prepared. forget: 1 where something was. */
TERRANE_API uint64_t terrane_prepared_bytes(const terrane_world* world, const terrane_profile* profile,
                                            const terrane_prepare_options* options);
TERRANE_API int32_t terrane_prepared_forget(terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options);

/* --- Questions about a path --------------------------------------------------------------------------------------------------------- */

typedef struct terrane_share {
    uint32_t terrain;
    uint32_t cells;
    uint64_t cost; /* each step's is shared out: half to each of its cells' terrain. The sum is the path's */
} terrane_share;
/* Where a path walks: its terrains, the dearest first. None where it is no path for this profile in this world, as it is now. */
TERRANE_API size_t terrane_path_shares(const terrane_path* path, const terrane_world* world, const terrane_profile* profile,
                                       terrane_share* out, size_t capacity);

/* Why a path avoids an area: the cheapest path that enters it. Exact; searches from both ends until all of the area is reached, or all that
 * can be (0.1 us a cell). Unreachable: no path enters it, which may be empty or off the map. */
TERRANE_API terrane_code terrane_find_through(terrane_planner* planner, terrane_cell from, terrane_cell to, terrane_rect area,
                                              const terrane_profile* profile, uint32_t movement, terrane_path* path, terrane_error* error);

typedef struct terrane_obstacle {
    uint32_t size;
    terrane_status status;  /* of the query: what is wrong with it; TERRANE_FOUND: nothing is */
    uint64_t reached;       /* cells that can be reached from the start, with itself */
    uint32_t blocked;       /* the fewest cells that would have to be opened, blocked ends included; exact */
    terrane_cell first;     /* the first of them on the way, -1,-1 where there are none, */
    uint32_t first_terrain; /* and what it is; 255 where there are none */
} terrane_obstacle;
/* Why there is no path: `path` gets one that is legal but for the fewest blocked cells, with status TERRANE_PARTIAL and cost 0; `out` says
 * what is in the way. Where nothing is, the cheapest path; off the map, none. `path` and `out` may be NULL. Searches all that can be
 * reached. */
TERRANE_API terrane_code terrane_find_obstacle(terrane_planner* planner, terrane_cell from, terrane_cell to, const terrane_profile* profile,
                                               uint32_t movement, terrane_path* path, terrane_obstacle* out, terrane_error* error);

/* --- What the world keeps, to be looked at ------------------------------------------------------------------------------------------- */

typedef struct terrane_regions_info {
    uint32_t size;
    uint32_t sector;         /* cells a side */
    uint32_t regions, edges; /* an edge counts once */
    uint64_t bytes;
} terrane_regions_info;
/* Regions of one of the world's sizes of sectors; TERRANE_UNKNOWN_NAME, and empty lists, where it keeps none of that size. Regions are
 * numbered from 0, sector by sector; an edit may give them other numbers. */
TERRANE_API terrane_code terrane_regions_get_info(const terrane_world* world, uint32_t sector, terrane_regions_info* out);
/* The region of each cell, by rows. */
TERRANE_API size_t terrane_regions_labels(const terrane_world* world, uint32_t sector, uint32_t* out, size_t capacity);
typedef struct terrane_region {
    terrane_cell representative;
    uint32_t terrain;
    uint32_t cells;
} terrane_region;
TERRANE_API size_t terrane_regions_nodes(const terrane_world* world, uint32_t sector, terrane_region* out, size_t capacity);
typedef struct terrane_region_edge {
    uint32_t a, b;     /* a < b */
    uint32_t diagonal; /* 1: joined across a corner only */
} terrane_region_edge;
TERRANE_API size_t terrane_regions_edges(const terrane_world* world, uint32_t sector, terrane_region_edge* out, size_t capacity);
/* The portals of a prepared overlay: where routes cross from one window to the next. None where none is prepared. */
TERRANE_API size_t terrane_overlay_portals(const terrane_world* world, const terrane_profile* profile,
                                           const terrane_prepare_options* options, terrane_cell* out, size_t capacity);

/* --- Crowds -------------------------------------------------------------------------------------------------------------------------- */

typedef struct terrane_crowd terrane_crowd;

TERRANE_API uint32_t terrane_crowd_method_count(void);
TERRANE_API const char* terrane_crowd_method_usage(uint32_t i);
TERRANE_API const char* terrane_crowd_method_summary(uint32_t i);

typedef struct terrane_crowd_options {
    uint32_t size;
    uint32_t movement;
    char method[96];    /* empty: pibt */
    uint64_t seed;      /* 0: 1 */
    uint32_t life_long; /* 1: who arrives gets another goal at random */
} terrane_crowd_options;
/* `world` must outlive it and keep regions; profiles are copied. At least one, at most 65535. The world may be edited between ticks. */
TERRANE_API terrane_crowd* terrane_crowd_new(const terrane_world* world, const terrane_profile* const* kinds, uint32_t kind_count,
                                             const terrane_crowd_options* options, terrane_error* error);
TERRANE_API void terrane_crowd_free(terrane_crowd* crowd);
/* Where there is no memory for one of the five calls below, terrane_crowd_info has the code TERRANE_NO_MEMORY, and the crowd is as it was
 * and may be used on: nobody has come, gone or moved. What its method has planned and learned is lost; the next call makes a new one of it,
 * to which all agents are new. Until then terrane_crowd_info has 0 for what the method did, and there are no reservations and no arrows. */
/* The agent's number; -1, and nothing is done: off the map, blocked, taken, no such kind, no memory. terrane_crowd_last_error says which.
 */
TERRANE_API int32_t terrane_crowd_add(terrane_crowd* crowd, terrane_cell at, terrane_cell goal, uint32_t kind);
enum { TERRANE_SPAWN_RANDOM = 0, TERRANE_SPAWN_SIDES = 1 };
/* Agents in the largest part of the map that their kind can walk on, kinds in turn; on opposite sides, half of them from the left to the
 * right. Refused, all of them: more than there is room for. Only into a crowd that has had none yet. A seed of 0 is 1. */
TERRANE_API terrane_code terrane_crowd_spawn(terrane_crowd* crowd, uint32_t agents, uint32_t how, uint64_t seed, terrane_error* error);
TERRANE_API int32_t terrane_crowd_remove(terrane_crowd* crowd, uint32_t agent);                  /* 0: there is none, or no memory */
TERRANE_API int32_t terrane_crowd_goal(terrane_crowd* crowd, uint32_t agent, terrane_cell goal); /* 0: no agent, off the map, no memory */
/* Where memory runs out, the ticks before that have passed (terrane_crowd_info has how many), and no other; in a life-long crowd, who has
 * arrived in the last of them may get the next goal a tick late. */
TERRANE_API void terrane_crowd_tick(terrane_crowd* crowd, uint32_t ticks);

/* Why the last add, spawn, remove, goal or tick was refused: its code, TERRANE_OK where it was not. */
TERRANE_API terrane_code terrane_crowd_last_error(const terrane_crowd* crowd, terrane_error* error);

typedef struct terrane_crowd_info {
    uint32_t size;
    uint32_t ticks;
    uint32_t agents, at_goal;
    uint64_t arrivals;
    uint64_t faults; /* ticks in which a proposal was refused: collisions that did not happen */
    uint64_t cost;   /* of all agents */
    uint64_t expansions, plans, failures;
    uint64_t bytes;
    terrane_code code; /* of the last add, spawn, remove, goal or tick: as terrane_crowd_last_error */
} terrane_crowd_info;
TERRANE_API terrane_code terrane_crowd_get_info(const terrane_crowd* crowd, terrane_crowd_info* out);
typedef struct terrane_agent {
    terrane_cell at, goal; /* both -1,-1: it left */
    uint32_t kind;
    uint32_t waiting; /* 1: it stayed where it was in the last tick, and is not at its goal */
} terrane_agent;
/* By number, those who left included. */
TERRANE_API size_t terrane_crowd_agents(const terrane_crowd* crowd, terrane_agent* out, size_t capacity);
typedef struct terrane_reservation {
    terrane_cell cell;
    uint32_t tick; /* 0xffffffff: for ever, from when it gets there */
    uint32_t agent;
} terrane_reservation;
/* Of methods that reserve (ca, whca, cpra): from this tick on, by ticks. Where an agent stands now is the first of its own. */
TERRANE_API size_t terrane_crowd_reservations(const terrane_crowd* crowd, terrane_reservation* out, size_t capacity);
typedef struct terrane_arrow {
    terrane_cell cell;
    float x, y; /* to the right and downwards; of length 0 to 1 */
} terrane_arrow;
/* Of the direction map, for methods with +flow; cells with an arrow only. */
TERRANE_API size_t terrane_crowd_arrows(const terrane_crowd* crowd, terrane_arrow* out, size_t capacity);

/* --- Open terrain: convex regions with costs, paths that bend where the cost changes ------------------------------------------------ */

typedef struct terrane_field terrane_field;
typedef struct terrane_field_path terrane_field_path;

typedef struct terrane_field_generator {
    uint32_t size;
    uint32_t regions;            /* 0: 24 */
    uint32_t min_cost, max_cost; /* whole numbers; 0: 1 and 8 */
    uint32_t blocked;            /* percent */
    uint64_t seed;               /* 0: 1 */
    double width, height;        /* 0: 1000 */
} terrane_field_generator;
TERRANE_API terrane_field* terrane_field_voronoi(const terrane_field_generator* generator, terrane_error* error);
/* Our own form of JSON, or GeoJSON: docs/openfield.md. `name` is for messages, and may be NULL. */
TERRANE_API terrane_field* terrane_field_from_bytes(const void* json, size_t size, const char* name, terrane_error* error);
TERRANE_API void terrane_field_free(terrane_field* field);
typedef struct terrane_field_info {
    uint32_t size;
    uint32_t regions;
    double width, height;
    double x, y; /* the least of both in the field; 0 for what was generated */
} terrane_field_info;
TERRANE_API terrane_code terrane_field_get_info(const terrane_field* field, terrane_field_info* out);
TERRANE_API size_t terrane_field_polygon(const terrane_field* field, uint32_t region, terrane_point* out, size_t capacity);
TERRANE_API double terrane_field_cost(const terrane_field* field, uint32_t region);          /* 0: blocked */
TERRANE_API int32_t terrane_field_region_at(const terrane_field* field, double x, double y); /* -1: none */
/* Takes no time, however large the field. 0: blocked. Refused: a cost that is negative or not finite. */
TERRANE_API terrane_code terrane_field_set_cost(terrane_field* field, uint32_t region, double cost, terrane_error* error);

TERRANE_API uint32_t terrane_field_method_count(void);
TERRANE_API const char* terrane_field_method_usage(uint32_t i);
TERRANE_API const char* terrane_field_method_summary(uint32_t i);

TERRANE_API terrane_field_path* terrane_field_path_new(void);
TERRANE_API void terrane_field_path_free(terrane_field_path* path);
/* `method` NULL or empty: brep+proven. Refused: an unknown method, one whose squares or points would be too many. */
TERRANE_API terrane_code terrane_field_find(const terrane_field* field, terrane_point from, terrane_point to, const char* method,
                                            terrane_field_path* path, terrane_error* error);
typedef struct terrane_field_path_info {
    uint32_t size;
    terrane_status status;
    double cost;
    double bound; /* proven: cost <= bound * the optimal cost; 0 where nothing is proven */
    uint64_t expansions;
    uint32_t points;
} terrane_field_path_info;
TERRANE_API terrane_code terrane_field_path_get_info(const terrane_field_path* path, terrane_field_path_info* out);
TERRANE_API size_t terrane_field_path_points(const terrane_field_path* path, terrane_point* out, size_t capacity);
typedef struct terrane_crossing {
    terrane_point at;
    terrane_point normal;      /* of the border, of length 1, to the side that the path goes to; 0,0 at a corner, and the angles 0 */
    double cost_from, cost_to; /* along a border, that of the cheaper side */
    /* between path and normal, in radians, 0 to pi/2, which is along the border; their last bit may differ from one C library to another */
    double angle_from, angle_to;
} terrane_crossing;
/* Where the path passes from one cost to another, in its order. By Snell's law cost_from * sin(angle_from) == cost_to * sin(angle_to), to
 * six digits and more with brep+newton and brep+proven; other methods' paths bend elsewhere, or not at all. */
TERRANE_API size_t terrane_field_path_crossings(const terrane_field_path* path, terrane_crossing* out, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
