/* Random maps and numbers for tests in plain C; the same on every machine. */
#ifndef TERRANE_TESTS_CAPI_RANDOM_MAP_H
#define TERRANE_TESTS_CAPI_RANDOM_MAP_H

#include "check.h"

/* A number from 0 to below - 1. */
static inline uint32_t random_below(uint32_t* state, uint32_t below) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* A cell of the map, or sometimes one outside it. */
static inline terrane_cell random_cell(uint32_t* state, int32_t width, int32_t height) {
    const int32_t x = (int32_t)random_below(state, (uint32_t)width + 2) - 1;
    const int32_t y = (int32_t)random_below(state, (uint32_t)height);
    return cell(x, random_below(state, 20) == 0 ? y - height : y);
}

/* A quarter of the cells are black; the others are ground, trees, swamp and road. */
static inline terrane_world* random_world(int32_t width, int32_t height, uint32_t* state) {
    static const uint8_t kTerrains[] = {BLACK, BLACK, GROUND, GROUND, GROUND, TREES, SWAMP, ROAD};
    const size_t cells = (size_t)width * (size_t)height;
    uint8_t* ids = malloc(cells);
    terrane_world* world;
    size_t i;
    for (i = 0; i < cells; ++i) ids[i] = kTerrains[random_below(state, sizeof kTerrains)];
    world = terrane_world_from_cells(width, height, ids, NULL, 0, NULL, NULL);
    free(ids);
    return world;
}

/* Black is blocked; trees cost 3, swamp 7.5, road 0.5. */
static inline terrane_profile* terrain_profile(void) {
    terrane_profile* profile = obstacle_profile();
    terrane_profile_cost(profile, "trees", 300);
    terrane_profile_cost(profile, "swamp", 750);
    terrane_profile_cost(profile, "road", 50);
    return profile;
}

static inline terrane_path_info info_of(const terrane_path* path) {
    terrane_path_info info;
    memset(&info, 0, sizeof info);
    info.size = sizeof info;
    terrane_path_get_info(path, &info, NULL);
    return info;
}

/* The cost of the cheapest path by A*; TERRANE_NO_PATH if there is none. */
static inline uint64_t astar_cost(terrane_planner* planner, terrane_cell from, terrane_cell to, const terrane_profile* profile,
                                  uint32_t movement) {
    terrane_find_options options = by("astar");
    terrane_path* path = terrane_path_new(NULL);
    uint64_t cost;
    options.movement = movement;
    CHECK(terrane_find(planner, from, to, profile, &options, path, NULL) == TERRANE_OK);
    cost = info_of(path).status == TERRANE_FOUND ? info_of(path).cost : TERRANE_NO_PATH;
    terrane_path_free(path);
    return cost;
}

#endif
