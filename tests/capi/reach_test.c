/* Nearest cells, costs to many goals and floods in C, against A* and drawn maps. */
#include "random_map.h"

enum { WIDTH = 37, HEIGHT = 19, CELLS = WIDTH * HEIGHT, GOALS = 12 };

static int same_cell(terrane_cell a, terrane_cell b) { return a.x == b.x && a.y == b.y; }
static terrane_cell last_cell(const terrane_path* path) {
    static terrane_cell cells[CELLS];
    const size_t count = terrane_path_cells(path, cells, CELLS);
    return count == 0 ? cell(-9, -9) : cells[count - 1];
}

static void nearest_and_costs_are_those_of_astar(void) {
    uint32_t random = 3, round, movement, i, found = 0;
    terrane_profile* profile = terrain_profile();
    for (round = 0; round < 40; ++round) {
        terrane_world* world = random_world(WIDTH, HEIGHT, &random);
        terrane_planner* planner = terrane_planner_new(world, NULL);
        terrane_path* path = terrane_path_new(NULL);
        const terrane_cell from = random_cell(&random, WIDTH, HEIGHT);
        terrane_cell goals[GOALS];
        const uint32_t count = random_below(&random, GOALS + 1);
        for (i = 0; i < count; ++i) goals[i] = random_cell(&random, WIDTH, HEIGHT);
        if (count > 3) goals[1] = goals[3];
        for (movement = 0; movement < 3; ++movement) {
            uint64_t costs[GOALS], least = TERRANE_NO_PATH;
            terrane_path_info info;
            CHECK(terrane_find_costs(planner, from, goals, count, profile, movement, costs, NULL) == TERRANE_OK);
            CHECK(terrane_find_nearest(planner, from, goals, count, profile, movement, path, NULL) == TERRANE_OK);
            info = info_of(path);
            for (i = 0; i < count; ++i) {
                CHECK(costs[i] == astar_cost(planner, from, goals[i], profile, movement));
                if (costs[i] < least) least = costs[i];
            }
            CHECK((info.status == TERRANE_FOUND) == (least != TERRANE_NO_PATH));
            if (info.status != TERRANE_FOUND) {
                CHECK(info.cells == 0 && info.cost == 0);
                continue;
            }
            ++found;
            for (i = 0; i < count && !(same_cell(goals[i], last_cell(path)) && costs[i] == least);) ++i;
            CHECK(i < count && info.cost == least && info.bound == 1 && info.first == info.cells && info.version == 0);
            CHECK(info.expansions_first == info.expansions);
            CHECK_TEXT(terrane_path_method(path), "dijkstra");
            CHECK(terrane_path_shares(path, world, profile, NULL, 0, NULL) > 0 || movement == TERRANE_EIGHT_CUT_CORNERS); /* legal */
        }
        terrane_path_free(path);
        terrane_planner_free(planner);
        terrane_world_free(world);
    }
    CHECK(found > 30);
    terrane_profile_free(profile);
}

static void the_nearest_cell_of_a_terrain(void) {
    uint32_t random = 5, round;
    terrane_profile* profile = terrain_profile();
    for (round = 0; round < 20; ++round) {
        terrane_world* world = random_world(WIDTH, HEIGHT, &random);
        terrane_planner* planner = terrane_planner_new(world, NULL);
        terrane_path* path = terrane_path_new(NULL);
        const terrane_cell from = random_cell(&random, WIDTH, HEIGHT);
        uint8_t cells[CELLS];
        uint64_t least = TERRANE_NO_PATH;
        size_t i;
        REQUIRE(terrane_world_fill(world, rect(0, 0, WIDTH, HEIGHT - 7), GROUND, NULL, NULL) == TERRANE_OK); /* swamp is far */
        terrane_world_read(world, rect(0, 0, WIDTH, HEIGHT), cells, CELLS);
        for (i = 0; i < CELLS; ++i) {
            if (cells[i] == SWAMP) {
                const uint64_t cost = astar_cost(planner, from, cell((int32_t)i % WIDTH, (int32_t)i / WIDTH), profile, 0);
                if (cost < least) least = cost;
            }
        }
        CHECK(terrane_find_nearest_terrain(planner, from, SWAMP, profile, 0, path, NULL) == TERRANE_OK);
        CHECK((info_of(path).status == TERRANE_FOUND) == (least != TERRANE_NO_PATH));
        if (least != TERRANE_NO_PATH) CHECK(info_of(path).cost == least);
        terrane_path_free(path);
        terrane_planner_free(planner);
        terrane_world_free(world);
    }
    terrane_profile_free(profile);
}

/* Whether both lists of a flood agree, and agree with A* where `check` says so. Returns the number of reached cells. */
static size_t check_flood(terrane_planner* planner, terrane_cell from, uint64_t max_cost, const terrane_profile* profile,
                          uint32_t movement) {
    static terrane_reached_cell reached[CELLS];
    static uint64_t costs[CELLS];
    size_t count, i, finite = 0;
    terrane_path* path = terrane_path_new(NULL);
    CHECK(terrane_flood(planner, from, max_cost, profile, movement, NULL) == TERRANE_OK);
    count = terrane_flood_cells(planner, NULL, 0, NULL);
    CHECK(terrane_flood_cells(planner, reached, CELLS, NULL) == count);
    CHECK(terrane_flood_costs(planner, NULL, 0, NULL) == CELLS && terrane_flood_costs(planner, costs, CELLS, NULL) == CELLS);
    for (i = 0; i < CELLS; ++i) {
        const terrane_cell to = cell((int32_t)i % WIDTH, (int32_t)i / WIDTH);
        const uint64_t cost = astar_cost(planner, from, to, profile, movement);
        const int within = cost != TERRANE_NO_PATH && (max_cost == 0 || cost <= max_cost);
        CHECK(costs[i] == (within ? cost : TERRANE_NO_PATH));
        finite += costs[i] == TERRANE_NO_PATH ? 0 : 1;
        CHECK(terrane_flood_path(planner, to, path, NULL) == TERRANE_OK);
        CHECK((info_of(path).status == TERRANE_FOUND) == within);
        if (within) CHECK(info_of(path).cost == cost && same_cell(last_cell(path), to));
    }
    CHECK(finite == count);
    for (i = 0; i < count; ++i) {
        const terrane_cell c = reached[i].cell;
        CHECK(costs[c.y * WIDTH + c.x] == reached[i].cost);
        if (i == 0) continue;
        CHECK(reached[i - 1].cost < reached[i].cost || (reached[i - 1].cost == reached[i].cost && reached[i - 1].cell.y <= c.y));
    }
    terrane_path_free(path);
    return count;
}

static void floods_are_those_of_astar(void) {
    uint32_t random = 7, round;
    size_t reached = 0;
    terrane_profile* profile = terrain_profile();
    for (round = 0; round < 12; ++round) {
        terrane_world* world = random_world(WIDTH, HEIGHT, &random);
        terrane_planner* planner = terrane_planner_new(world, NULL);
        const uint64_t max_cost = round % 3 == 0 ? 0 : (uint64_t)random_below(&random, 30) * TERRANE_COST_PER_UNIT + round % 2;
        reached += check_flood(planner, random_cell(&random, WIDTH, HEIGHT), max_cost, profile, round % 3);
        terrane_planner_free(planner);
        terrane_world_free(world);
    }
    CHECK(reached > 500);
    terrane_profile_free(profile);
}

static void a_drawn_flood(void) {
    const uint64_t u = TERRANE_COST_PER_UNIT, none = TERRANE_NO_PATH;
    const uint64_t expected[10] = {0, u, 2 * u, none, none, u, none, 3 * u, none, none};
    terrane_world* world = drawn_world(5,
                                       "...#."
                                       ".#.#.",
                                       NULL);
    terrane_profile* profile = obstacle_profile();
    terrane_planner* planner = terrane_planner_new(world, NULL);
    terrane_path* path = terrane_path_new(NULL);
    terrane_reached_cell reached[5];
    uint64_t costs[10];
    CHECK(terrane_flood(planner, cell(0, 0), 0, profile, TERRANE_FOUR, NULL) == TERRANE_OK);
    CHECK(terrane_flood_costs(planner, costs, 10, NULL) == 10 && memcmp(costs, expected, sizeof costs) == 0);
    costs[4] = 77;
    CHECK(terrane_flood_costs(planner, costs, 4, NULL) == 10 && costs[3] == none && costs[4] == 77);
    reached[1].cost = 77;
    CHECK(terrane_flood_cells(planner, reached, 1, NULL) == 5 && same_cell(reached[0].cell, cell(0, 0)) && reached[1].cost == 77);
    CHECK(terrane_flood_cells(planner, reached, 5, NULL) == 5);
    CHECK(same_cell(reached[1].cell, cell(1, 0)) && same_cell(reached[2].cell, cell(0, 1)) && reached[2].cost == u); /* by y */
    CHECK(same_cell(reached[4].cell, cell(2, 1)) && reached[4].cost == 3 * u);
    CHECK(terrane_flood_path(planner, cell(2, 1), path, NULL) == TERRANE_OK && info_of(path).cells == 4);
    CHECK(terrane_flood_path(planner, cell(1, 1), path, NULL) == TERRANE_OK && info_of(path).status == TERRANE_BLOCKED_GOAL);
    CHECK(terrane_flood_path(planner, cell(4, 1), path, NULL) == TERRANE_OK && info_of(path).status == TERRANE_UNREACHABLE);
    CHECK(terrane_flood_path(planner, cell(4, 2), path, NULL) == TERRANE_OK && info_of(path).status == TERRANE_OUTSIDE_MAP);
    CHECK(terrane_flood(planner, cell(0, 0), u, profile, TERRANE_FOUR, NULL) == TERRANE_OK);
    CHECK(terrane_flood_cells(planner, NULL, 0, NULL) == 3);
    /* The flood keeps its version. */
    CHECK(terrane_world_fill(world, rect(0, 0, 5, 2), BLACK, NULL, NULL) == TERRANE_OK);
    CHECK(terrane_flood_costs(planner, costs, 10, NULL) == 10 && costs[1] == u && costs[2] == none);
    CHECK(terrane_flood_path(planner, cell(1, 0), path, NULL) == TERRANE_OK && info_of(path).status == TERRANE_FOUND);
    CHECK(info_of(path).version == 0 && terrane_path_valid(path, world) == 0);
    terrane_path_free(path);
    terrane_planner_free(planner);
    terrane_profile_free(profile);
    terrane_world_free(world);
}

static void statuses_and_failures(void) {
    const terrane_cell goals[3] = {{2, 0}, {9, 9}, {4, 0}};
    terrane_world* world = drawn_world(5, "..#.s", NULL);
    terrane_profile* profile = obstacle_profile();
    terrane_planner* planner = terrane_planner_new(world, NULL);
    terrane_path* path = terrane_path_new(NULL);
    terrane_error error = no_error();
    uint64_t costs[3] = {1, 2, 3};
    CHECK(terrane_find_nearest(planner, cell(0, 0), goals, 3, profile, 0, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_UNREACHABLE);
    CHECK(terrane_find_nearest(planner, cell(0, 0), goals, 2, profile, 0, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_BLOCKED_GOAL);
    CHECK(terrane_find_nearest(planner, cell(0, 0), goals + 1, 1, profile, 0, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_OUTSIDE_MAP);
    CHECK(terrane_find_nearest(planner, cell(0, 0), NULL, 0, profile, 0, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_OUTSIDE_MAP);
    CHECK(terrane_find_nearest(planner, cell(2, 0), goals, 3, profile, 0, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_BLOCKED_START);
    CHECK(terrane_find_nearest_terrain(planner, cell(3, 0), SWAMP, profile, 0, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_FOUND && info_of(path).cells == 2);
    CHECK(terrane_find_nearest_terrain(planner, cell(0, 0), SWAMP, profile, 0, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_UNREACHABLE);
    CHECK(terrane_find_nearest_terrain(planner, cell(0, 0), ROAD, profile, 0, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_UNREACHABLE);
    CHECK(terrane_find_nearest_terrain(planner, cell(0, 0), BLACK, profile, 0, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_BLOCKED_GOAL);
    CHECK(terrane_find_nearest_terrain(planner, cell(0, 0), 255, profile, 0, path, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "no terrain 255");
    CHECK(info_of(path).status == TERRANE_BLOCKED_GOAL); /* unchanged */
    CHECK(terrane_find_costs(planner, cell(0, 0), goals, 3, profile, 3, costs, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "movement");
    CHECK(costs[0] == 1 && costs[2] == 3);
    CHECK(terrane_find_costs(planner, cell(2, 0), goals, 3, profile, 0, costs, NULL) == TERRANE_OK); /* blocked start */
    CHECK(costs[0] == TERRANE_NO_PATH && costs[1] == TERRANE_NO_PATH && costs[2] == TERRANE_NO_PATH);
    CHECK(terrane_find_costs(planner, cell(0, 0), NULL, 0, profile, 0, NULL, NULL) == TERRANE_OK);

    CHECK(terrane_flood_costs(planner, costs, 3, &error) == 0);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "no flood");
    CHECK(terrane_flood_cells(planner, NULL, 0, NULL) == 0 && terrane_flood_path(planner, cell(0, 0), path, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_flood(planner, cell(0, 0), 0, profile, 0, NULL) == TERRANE_OK && terrane_flood_cells(planner, NULL, 0, NULL) == 2);
    CHECK(terrane_flood(planner, cell(0, 0), 0, profile, 7, NULL) == TERRANE_BAD_VALUE); /* keeps the last one */
    CHECK(terrane_find(planner, cell(0, 0), cell(1, 0), profile, NULL, path, NULL) == TERRANE_OK);
    CHECK(terrane_flood_cells(planner, NULL, 0, NULL) == 2);
    CHECK(terrane_find_costs(planner, cell(0, 0), NULL, 0, profile, 0, NULL, NULL) == TERRANE_OK); /* discards it */
    CHECK(terrane_flood_cells(planner, NULL, 0, NULL) == 0);
    CHECK(terrane_flood(planner, cell(2, 0), 0, profile, 0, NULL) == TERRANE_OK); /* blocked start */
    CHECK(terrane_flood_cells(planner, NULL, 0, NULL) == 0 && terrane_flood_costs(planner, costs, 3, NULL) == 5);
    CHECK(costs[0] == TERRANE_NO_PATH && costs[2] == TERRANE_NO_PATH);
    CHECK(terrane_flood_path(planner, cell(0, 0), path, NULL) == TERRANE_OK && info_of(path).status == TERRANE_BLOCKED_START);
    terrane_path_free(path);
    terrane_planner_free(planner);
    terrane_profile_free(profile);
    terrane_world_free(world);
}

/* The scratch memory comes from the allocator of the world and goes back there. */
typedef struct heap {
    size_t bytes;
} heap;
static void* TERRANE_CALL allocate(void* user, size_t bytes, size_t alignment) {
    ((heap*)user)->bytes += bytes;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
static void TERRANE_CALL deallocate(void* user, void* pointer, size_t bytes, size_t alignment) {
    (void)alignment;
    ((heap*)user)->bytes -= bytes;
    free(pointer);
}
static void scratch_memory_is_that_of_the_world(void) {
    heap h = {0};
    terrane_world_options options = {0};
    terrane_generator rooms = {0};
    terrane_world* world;
    terrane_planner* planner;
    terrane_profile* profile = terrane_profile_new(NULL, NULL);
    size_t before;
    options.size = sizeof options;
    options.allocate = allocate;
    options.deallocate = deallocate;
    options.user = &h;
    rooms.size = sizeof rooms;
    rooms.kind = TERRANE_ROOMS;
    rooms.width = rooms.height = 128;
    world = terrane_world_generate(&rooms, &options, NULL);
    planner = terrane_planner_new(world, NULL);
    REQUIRE(planner != NULL);
    before = h.bytes;
    CHECK(terrane_flood(planner, cell(0, 0), 0, profile, 0, NULL) == TERRANE_OK);
    CHECK(terrane_flood_cells(planner, NULL, 0, NULL) == 128 * 128 && h.bytes > before + 4 * 128 * 128);
    terrane_world_free(world);
    terrane_planner_free(planner); /* the last owner of the world */
    terrane_profile_free(profile);
    CHECK(h.bytes == 0);
}

int main(void) {
    nearest_and_costs_are_those_of_astar();
    the_nearest_cell_of_a_terrain();
    floods_are_those_of_astar();
    a_drawn_flood();
    statuses_and_failures();
    scratch_memory_is_that_of_the_world();
    return check_failures == 0 ? 0 : 1;
}
