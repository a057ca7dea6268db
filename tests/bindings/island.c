/* The same program in every language: an island, a path for a deer, a failed call. All must print the same (tests/bindings/run). */
#include <inttypes.h>
#include <stdio.h>
#include <terrane_c.h>

int main(void) {
    const terrane_generator island = {.size = sizeof island, .width = 256, .height = 256, .seed = 7};
    terrane_error error = {.size = sizeof error};
    terrane_world* world = terrane_world_generate(&island, NULL, &error);
    if (world == NULL) return fprintf(stderr, "%s\n", error.message), 1;
    terrane_world_info map = {.size = sizeof map};
    terrane_world_get_info(world, &map, NULL);
    printf("map: checksum %" PRIu64 "\n", map.checksum);

    terrane_profile* deer = terrane_profile_preset("deer", NULL);
    terrane_planner* planner = terrane_planner_new(world, NULL);
    terrane_path* path = terrane_path_new(NULL);
    const terrane_find_options options = {.size = sizeof options, .method = "astar"};
    terrane_find(planner, (terrane_cell){60, 140}, (terrane_cell){180, 130}, deer, &options, path, NULL);
    terrane_path_info info = {.size = sizeof info};
    terrane_path_get_info(path, &info, NULL);
    static terrane_cell cells[65536];
    const size_t count = terrane_path_cells(path, cells, 65536);
    uint32_t sum = 0;
    for (size_t i = 0; i < count; ++i) sum = sum * 31 + (uint32_t)(cells[i].x * 256 + cells[i].y);
    printf("%s by %s: %zu cells, cost %" PRIu64 ", checksum %" PRIu32 "\n", terrane_status_text(info.status), terrane_path_method(path),
           count, info.cost, sum);

    terrane_profile* moose = terrane_profile_preset("moose", &error);
    printf("%s, code %d: %s\n", moose == NULL ? "no profile" : "a profile", (int)error.code, error.message);
    terrane_path_free(path);
    terrane_planner_free(planner);
    terrane_profile_free(deer);
    terrane_world_free(world);
    return 0;
}
