/* What an entry of the Grid-Based Path Planning Competition's dynamic track exports, after the public description of that interface: the
 * same names, layouts and rules as the Entry.h of the competition's start kit (github.com/gppc-dev/startkit-dynamic), in our words.
 *
 * The harness preprocesses the first map in one process (gppc_preprocess_init_map) and asks in another (gppc_search_init, then changes and
 * queries in turns, then gppc_free_data). Nothing passes between the two but the file. One thread. */
#ifndef TERRANE_SAMPLES_GPPC_H
#define TERRANE_SAMPLES_GPPC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPPC_API __attribute__((visibility("default")))

/* x to the right, y downwards, from the upper left. */
struct gppc_point {
    uint16_t x;
    uint16_t y;
};

/* A rectangle of cells: a whole map, or a change of one. Cell (x, y) of it is bit i % 8, counted from the least, of bitarray[i / 8] with
 * i = y * width + x: 1 where one can walk, 0 where not; rows follow each other without a gap. `pos` is where its upper left cell belongs on
 * the map. The bits stay where they are until gppc_free_data has returned. */
struct gppc_patch {
    const uint8_t* bitarray;
    uint16_t width;
    uint16_t height;
    struct gppc_point pos;
};

/* A path, or a piece of one: points such that each two neighbours are joined by one straight or one diagonal line of legal steps. The first
 * piece begins at the start, each further one goes on after the last point of the one before, the last ends at the goal; start and goal
 * that are the same take two points. `incomplete`: 1 asks to be called again for the next piece. A length of 0 says that there is no path
 * (then `incomplete` is 0, and pieces handed out before do not count). The points belong to the entry, and stay until its next call. */
struct gppc_path {
    const struct gppc_point* path;
    uint32_t length;
    uint8_t incomplete;
};

/* Works on the first map for as long as it likes, and leaves what it wants to keep in that file. */
GPPC_API void gppc_preprocess_init_map(struct gppc_patch init_map, const char* preprocess_filename);

/* The same map and the file, in another process. What it returns is handed to the calls below. */
GPPC_API void* gppc_search_init(struct gppc_patch active_map, const char* preprocess_filename);

/* Each patch, in turn, replaces the cells that it covers, all of them on the map. */
GPPC_API void gppc_map_change(void* data, const struct gppc_patch* changes, uint32_t changes_length);

/* The next piece of the path from start to goal, on the map as it is. */
GPPC_API struct gppc_path gppc_get_path(void* data, struct gppc_point start, struct gppc_point goal);

GPPC_API void gppc_free_data(void* data);

/* Becomes part of the name of the file. */
GPPC_API const char* gppc_get_name(void);

#ifdef __cplusplus
}
#endif

#endif
