/* Watched paths in C: every edit reports exactly the paths on whose cells it changed the map. */
#include "random_map.h"

enum { SIDE = 48, PATHS = 30, LENGTH = 400, EDITS = 6 };

typedef struct watched {
    terrane_path* path;
    uint64_t id;
} watched;

static int lists(const uint64_t* ids, size_t count, uint64_t id) {
    size_t i;
    for (i = 0; i < count && ids[i] != id;) ++i;
    return i < count;
}

/* Whether a cell is on the path or beside one of its diagonal steps. */
static int touches(const terrane_path* path, terrane_cell at) {
    static terrane_cell cells[LENGTH];
    const size_t count = terrane_path_cells(path, cells, LENGTH);
    size_t i;
    REQUIRE(count <= LENGTH);
    for (i = 0; i < count; ++i) {
        if (cells[i].x == at.x && cells[i].y == at.y) return 1;
        if (i == 0) continue;
        if (cells[i - 1].x == at.x && cells[i].y == at.y) return 1;
        if (cells[i].x == at.x && cells[i - 1].y == at.y) return 1;
    }
    return 0;
}

/* Finds a path of more than 20 cells and watches it. */
static void find_and_watch(watched* w, terrane_world* world, terrane_planner* planner, const terrane_profile* profile, uint32_t* random) {
    do {
        const terrane_cell from = random_cell(random, SIDE, SIDE), to = random_cell(random, SIDE, SIDE);
        REQUIRE(terrane_find(planner, from, to, profile, NULL, w->path, NULL) == TERRANE_OK);
    } while (info_of(w->path).cells <= 20);
    w->id = terrane_world_watch(world, w->path, NULL);
    CHECK(w->id != 0);
}

static void edits_report_the_paths_that_they_break(void) {
    uint32_t random = 21, step, i, breaks = 0;
    terrane_profile* profile = terrain_profile();
    terrane_world* world = random_world(SIDE, SIDE, &random);
    terrane_planner* planner = terrane_planner_new(world, NULL);
    watched all[PATHS];
    for (i = 0; i < PATHS; ++i) {
        all[i].path = terrane_path_new(NULL);
        find_and_watch(&all[i], world, planner, profile, &random);
    }
    CHECK(terrane_world_watched(world) == PATHS);
    for (step = 0; step < 300; ++step) {
        terrane_cell_edit edits[EDITS];
        terrane_edit done = {0};
        uint64_t broken[PATHS];
        uint8_t before[EDITS], after[EDITS];
        size_t count, expected = 0, e;
        done.size = sizeof done;
        for (e = 0; e < EDITS; ++e) {
            const terrane_cell at = random_cell(&random, SIDE, SIDE);
            edits[e].x = at.x;
            edits[e].y = at.y;
            edits[e].terrain = random_below(&random, 3) == 0 ? BLACK : GROUND;
            terrane_world_read(world, rect(at.x, at.y, 1, 1), &before[e], 1);
        }
        CHECK(terrane_world_apply(world, edits, EDITS, &done, NULL) == TERRANE_OK);
        for (e = 0; e < EDITS; ++e) terrane_world_read(world, rect(edits[e].x, edits[e].y, 1, 1), &after[e], 1);
        count = terrane_world_broken(world, broken, PATHS);
        CHECK(count == done.broken && count == terrane_world_broken(world, NULL, 0));
        for (i = 1; i < count; ++i) CHECK(broken[i - 1] < broken[i]);
        for (i = 0; i < PATHS; ++i) {
            int hit = 0;
            for (e = 0; e < EDITS; ++e) {
                hit = hit || (before[e] != after[e] && touches(all[i].path, cell(edits[e].x, edits[e].y)));
            }
            CHECK(lists(broken, count, all[i].id) == hit);
            expected += hit ? 1 : 0;
            if (!hit) continue;
            CHECK(terrane_path_valid(all[i].path, world) == 0);
            CHECK(terrane_world_unwatch(world, all[i].id, NULL) == TERRANE_OK);
            find_and_watch(&all[i], world, planner, profile, &random); /* a new path in its place */
        }
        CHECK(expected == count);
        breaks += (uint32_t)count;
        CHECK(terrane_world_watched(world) == PATHS);
    }
    CHECK(breaks > 300);
    for (i = 0; i < PATHS; ++i) {
        CHECK(terrane_world_unwatch(world, all[i].id, NULL) == TERRANE_OK);
        terrane_path_free(all[i].path);
    }
    CHECK(terrane_world_watched(world) == 0);
    terrane_planner_free(planner);
    terrane_world_free(world);
    terrane_profile_free(profile);
}

static void the_last_edit_counts(void) {
    terrane_world* world = drawn_world(5, "..........", NULL);
    terrane_profile* profile = obstacle_profile();
    terrane_planner* planner = terrane_planner_new(world, NULL);
    terrane_path *path = terrane_path_new(NULL), *empty = terrane_path_new(NULL);
    terrane_error error = no_error();
    terrane_edit done = {0};
    uint64_t first, second, none, broken[2] = {0, 77};
    done.size = sizeof done;
    CHECK(terrane_find(planner, cell(0, 0), cell(4, 0), profile, NULL, path, NULL) == TERRANE_OK);
    CHECK(terrane_world_fill(world, rect(2, 0, 1, 1), TREES, NULL, NULL) == TERRANE_OK);
    first = terrane_world_watch(world, path, NULL); /* after an edit of its cells: not reported */
    second = terrane_world_watch(world, path, NULL);
    none = terrane_world_watch(world, empty, NULL);
    CHECK(first != 0 && second > first && none != 0 && terrane_world_watched(world) == 3);
    CHECK(terrane_path_valid(path, world) == 0 && terrane_world_broken(world, NULL, 0) == 0);
    terrane_path_free(path); /* watches are copies */
    CHECK(terrane_world_fill(world, rect(0, 0, 5, 2), SWAMP, &done, NULL) == TERRANE_OK && done.broken == 2);
    CHECK(terrane_world_broken(world, broken, 1) == 2 && broken[0] == first && broken[1] == 77);
    CHECK(terrane_world_broken(world, broken, 2) == 2 && broken[1] == second);
    CHECK(terrane_world_fill(world, rect(0, 0, 1, 1), 99, &done, NULL) == TERRANE_BAD_VALUE); /* fails: changes nothing */
    CHECK(terrane_world_broken(world, NULL, 0) == 2);
    CHECK(terrane_world_unwatch(world, second, NULL) == TERRANE_OK);
    CHECK(terrane_world_fill(world, rect(0, 0, 5, 2), SWAMP, &done, NULL) == TERRANE_OK && done.broken == 0); /* the same terrain */
    CHECK(terrane_world_broken(world, NULL, 0) == 0);
    CHECK(terrane_world_fill(world, rect(4, 0, 1, 1), ROAD, &done, NULL) == TERRANE_OK && done.broken == 1); /* again */
    CHECK(terrane_world_unwatch(world, second, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "no watch");
    CHECK(terrane_world_unwatch(world, 0, NULL) == TERRANE_BAD_VALUE && terrane_world_unwatch(world, UINT64_MAX, NULL) != TERRANE_OK);
    CHECK(terrane_world_unwatch(world, first, NULL) == TERRANE_OK && terrane_world_unwatch(world, none, NULL) == TERRANE_OK);
    terrane_path_free(empty);
    terrane_planner_free(planner);
    terrane_profile_free(profile);
    terrane_world_free(world);
}

int main(void) {
    edits_report_the_paths_that_they_break();
    the_last_edit_counts();
    return check_failures == 0 ? 0 : 1;
}
