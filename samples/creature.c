/* Terrane in C: a map from an array, a profile, a path, an edit. The interface is one header, capi/terrane_c.h. */
#include <stdio.h>

#include "terrane_c.h"

enum { kSide = 64 };

static terrane_path_info find(terrane_planner* planner, const terrane_profile* profile, terrane_path* path) {
    terrane_path_info info = {.size = sizeof info};
    terrane_error error = {.size = sizeof error};
    if (terrane_find(planner, (terrane_cell){2, 32}, (terrane_cell){61, 32}, profile, NULL, path, &error) != TERRANE_OK) {
        fprintf(stderr, "%s\n", error.message);
    }
    terrane_path_get_info(path, &info, NULL);
    printf("%s: %u cells, cost %.2f\n", terrane_status_text(info.status), info.cells, (double)info.cost / TERRANE_COST_PER_UNIT);
    return info;
}

int main(void) {
    const terrane_terrain terrains[] = {{.size = sizeof(terrane_terrain), .name = "meadow", .letter = '.'},
                                        {.size = sizeof(terrane_terrain), .name = "river", .letter = '~'},
                                        {.size = sizeof(terrane_terrain), .name = "bridge", .letter = '='}};
    static uint8_t cells[kSide * kSide]; /* meadow, with a river from top to bottom and a bridge near its upper end */
    for (int y = 0; y < kSide; ++y) cells[y * kSide + 30] = cells[y * kSide + 31] = y == 4 ? 2 : 1;

    terrane_error error = {.size = sizeof error};
    terrane_world* world = terrane_world_from_cells(kSide, kSide, cells, terrains, 3, NULL, &error);
    if (world == NULL) return fprintf(stderr, "%s\n", error.message), 2;
    terrane_profile* sheep = terrane_profile_new("sheep", NULL);
    terrane_profile_cost(sheep, "river", 0); /* blocked */
    terrane_planner* planner = terrane_planner_new(world, NULL);
    terrane_path* path = terrane_path_new(NULL);

    const terrane_path_info around = find(planner, sheep, path);
    terrane_world_fill(world, (terrane_rect){30, 32, 2, 1}, 2, NULL, NULL); /* a bridge on the straight line to the goal */
    const int still_valid = terrane_path_valid(path, world);
    const terrane_path_info ahead = find(planner, sheep, path);
    printf("the old path was %s by the new bridge; the new one is %.0f%% shorter\n", still_valid ? "not touched" : "touched",
           100 - 100 * (double)ahead.cost / (double)around.cost);

    terrane_path_free(path);
    terrane_planner_free(planner);
    terrane_profile_free(sheep);
    terrane_world_free(world);
    return around.status == TERRANE_FOUND && ahead.status == TERRANE_FOUND && ahead.cost < around.cost ? 0 : 1;
}
