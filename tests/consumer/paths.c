/* Paths from plain C: prints the version of the library that runs. */
#include <stdio.h>
#include <terrane_c.h>

int main(void) {
    const terrane_generator maze = {.size = sizeof maze, .kind = TERRANE_MAZE, .width = 33, .height = 33};
    terrane_world* world = terrane_world_generate(&maze, NULL, NULL);
    terrane_profile* walker = terrane_profile_preset("walker", NULL);
    terrane_planner* planner = terrane_planner_new(world, NULL);
    terrane_path* path = terrane_path_new(NULL);
    terrane_path_info info = {.size = sizeof info};
    const terrane_code code = terrane_find(planner, (terrane_cell){1, 1}, (terrane_cell){31, 31}, walker, NULL, path, NULL);
    terrane_path_get_info(path, &info, NULL);
    puts(terrane_version());
    terrane_path_free(path);
    terrane_planner_free(planner);
    terrane_profile_free(walker);
    terrane_world_free(world);
    return terrane_abi() == TERRANE_ABI && code == TERRANE_OK && info.status == TERRANE_FOUND && info.cells > 60 ? 0 : 1;
}
