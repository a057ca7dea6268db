/* The interface of an entry in the dynamic track of the Grid-Based Path Planning Competition: the names, layouts and rules of Entry.h in
 * the competition's start kit (github.com/gppc-dev/startkit-dynamic), with our comments.
 *
 * The harness preprocesses the first map in one process (gppc_preprocess_init_map) and queries in another one (gppc_search_init, then
 * changes and queries in turn, then gppc_free_data). Only the file is passed between the two. One thread at a time. */
#ifndef TERRANE_SAMPLES_GPPC_H
#define TERRANE_SAMPLES_GPPC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPPC_API __attribute__((visibility("default")))

/* x to the right, y downwards, from the upper left cell. */
struct gppc_point {
    uint16_t x;
    uint16_t y;
};

/* A rectangle of cells: a whole map, or a change. Cell (x, y) is bit i % 8, from the least significant, of bitarray[i / 8] with
 * i = y * width + x, without padding between rows; 1 is passable. `pos` is the position of its upper left cell on the map. The bits stay
 * valid until gppc_free_data has returned. */
struct gppc_patch {
    const uint8_t* bitarray;
    uint16_t width;
    uint16_t height;
    struct gppc_point pos;
};

/* A path, or a segment of one: points, each connected to the next by one straight or diagonal line of legal steps. The first segment begins
 * at the start, each further one continues after the last point of the previous one, and the last one ends at the goal. Two points if start
 * and goal are equal. `incomplete` 1: call again for the next segment. Length 0: there is no path (`incomplete` is 0, and earlier segments
 * are void). The entry owns the points; they are valid until its next call. */
struct gppc_path {
    const struct gppc_point* path;
    uint32_t length;
    uint8_t incomplete;
};

/* Preprocesses the first map, without a time limit, and writes the result to the file. */
GPPC_API void gppc_preprocess_init_map(struct gppc_patch init_map, const char* preprocess_filename);

/* Loads the same map and the file in another process. The result is passed to the calls below. */
GPPC_API void* gppc_search_init(struct gppc_patch active_map, const char* preprocess_filename);

/* Replaces the cells that each patch covers, in order. Patches are inside the map. */
GPPC_API void gppc_map_change(void* data, const struct gppc_patch* changes, uint32_t changes_length);

/* Returns the next segment of the path from start to goal on the current map. */
GPPC_API struct gppc_path gppc_get_path(void* data, struct gppc_point start, struct gppc_point goal);

GPPC_API void gppc_free_data(void* data);

/* Returns the name of the entry; part of the file name. */
GPPC_API const char* gppc_get_name(void);

#ifdef __cplusplus
}
#endif

#endif
