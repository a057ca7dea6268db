/* Explaining paths and inspecting the abstraction in C. */
#include "check.h"

static terrane_path_info info_of(const terrane_path* path) {
    terrane_path_info info = {0};
    info.size = sizeof info;
    terrane_path_get_info(path, &info, NULL);
    return info;
}

static void test_shares(void) {
    terrane_world* world = drawn_world(6, "..tt..", NULL);
    terrane_profile* profile = terrane_profile_new(NULL, NULL);
    terrane_planner* planner = terrane_planner_new(world, NULL);
    terrane_path* path = terrane_path_new(NULL);
    terrane_share shares[4];
    CHECK(terrane_path_shares(path, world, profile, shares, 4, NULL) == 0);
    terrane_profile_cost(profile, "trees", 300);
    CHECK(terrane_find(planner, cell(0, 0), cell(5, 0), profile, NULL, path, NULL) == TERRANE_OK);
    CHECK(terrane_path_shares(path, world, profile, shares, 4, NULL) == 2);
    CHECK(shares[0].terrain == TREES && shares[0].cells == 2 && shares[1].terrain == GROUND && shares[1].cells == 4);
    CHECK(shares[0].cost == 985 * 300 * 4 && shares[0].cost + shares[1].cost == info_of(path).cost); /* four half steps */
    shares[1].cells = 77;
    CHECK(terrane_path_shares(path, world, profile, shares, 1, NULL) == 2 && shares[1].cells == 77);
    CHECK(terrane_path_shares(path, world, profile, NULL, 0, NULL) == 2);
    CHECK(terrane_path_shares(NULL, world, profile, NULL, 0, NULL) == 0 && terrane_path_shares(path, NULL, profile, NULL, 0, NULL) == 0);
    CHECK(terrane_path_shares(path, world, NULL, NULL, 0, NULL) == 0);
    terrane_path_free(path);
    terrane_planner_free(planner);
    terrane_profile_free(profile);
    terrane_world_free(world);
}

static void test_through_an_area(void) {
    terrane_world* world = drawn_world(5,
                                       "....."
                                       ".ttt."
                                       ".....",
                                       NULL);
    terrane_profile* profile = terrane_profile_new(NULL, NULL);
    terrane_planner* planner = terrane_planner_new(world, NULL);
    terrane_path* path = terrane_path_new(NULL);
    terrane_error error = no_error();
    terrane_cell cells[16];
    size_t i, count, inside = 0;
    terrane_profile_cost(profile, "trees", 900);
    terrane_profile_cost(profile, "black", 0);
    CHECK(terrane_find_through(planner, cell(0, 0), cell(4, 0), rect(2, 1, 1, 1), profile, TERRANE_FOUR, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_FOUND);
    count = terrane_path_cells(path, cells, 16);
    REQUIRE(count == 7);
    for (i = 0; i < count; ++i) inside += cells[i].x == 2 && cells[i].y == 1 ? 1 : 0;
    CHECK(inside == 1 && cells[0].x == 0 && cells[6].x == 4);
    CHECK(info_of(path).cost == 985ull * (4 * 200 + 2 * 1000));
    CHECK(terrane_find_through(planner, cell(0, 0), cell(4, 0), rect(-9, -9, 2147483647, 2147483647), profile, 0, path, NULL) ==
          TERRANE_OK);
    CHECK(info_of(path).cost == 4ull * TERRANE_COST_PER_UNIT); /* start and goal are in the area */
    CHECK(terrane_find_through(planner, cell(0, 0), cell(4, 0), rect(7, 7, 2, 2), profile, 0, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_UNREACHABLE);
    CHECK(terrane_find_through(planner, cell(0, 9), cell(4, 0), rect(0, 0, 2, 2), profile, 0, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_OUTSIDE_MAP);
    CHECK(terrane_find_through(planner, cell(0, 0), cell(4, 0), rect(0, 0, 2, 2), profile, 3, path, &error) == TERRANE_BAD_VALUE);
    CHECK(terrane_find_through(NULL, cell(0, 0), cell(4, 0), rect(0, 0, 2, 2), profile, 0, path, NULL) != TERRANE_OK);
    CHECK(terrane_find_through(planner, cell(0, 0), cell(4, 0), rect(0, 0, 2, 2), NULL, 0, path, NULL) != TERRANE_OK);
    CHECK(terrane_find_through(planner, cell(0, 0), cell(4, 0), rect(0, 0, 2, 2), profile, 0, NULL, NULL) != TERRANE_OK);
    terrane_path_free(path);
    terrane_planner_free(planner);
    terrane_profile_free(profile);
    terrane_world_free(world);
}

static void test_obstacles(void) {
    terrane_world* world = drawn_world(7,
                                       "..#.##."
                                       "..#.##.",
                                       NULL);
    terrane_profile* profile = obstacle_profile();
    terrane_planner* planner = terrane_planner_new(world, NULL);
    terrane_path* path = terrane_path_new(NULL);
    terrane_obstacle obstacle = {0};
    obstacle.size = sizeof obstacle;
    CHECK(terrane_find_obstacle(planner, cell(0, 0), cell(6, 0), profile, 0, path, &obstacle, NULL) == TERRANE_OK);
    CHECK(obstacle.status == TERRANE_UNREACHABLE && obstacle.reached == 4 && obstacle.blocked == 3);
    CHECK(obstacle.first.x == 2 && obstacle.first_terrain == BLACK);
    CHECK(info_of(path).status == TERRANE_PARTIAL && info_of(path).cells == 7);
    CHECK(terrane_find_obstacle(planner, cell(0, 0), cell(2, 0), profile, 0, path, &obstacle, NULL) == TERRANE_OK);
    CHECK(obstacle.status == TERRANE_BLOCKED_GOAL && obstacle.blocked == 1);
    CHECK(terrane_find_obstacle(planner, cell(0, 0), cell(1, 1), profile, 0, path, &obstacle, NULL) == TERRANE_OK);
    CHECK(obstacle.status == TERRANE_FOUND && obstacle.blocked == 0);
    CHECK(terrane_find_obstacle(planner, cell(0, 0), cell(70, 0), profile, 0, path, &obstacle, NULL) == TERRANE_OK);
    CHECK(obstacle.status == TERRANE_OUTSIDE_MAP);
    CHECK(terrane_find_obstacle(planner, cell(0, 0), cell(6, 0), profile, 9, path, &obstacle, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_find_obstacle(NULL, cell(0, 0), cell(6, 0), profile, 0, path, &obstacle, NULL) != TERRANE_OK);
    CHECK(terrane_find_obstacle(planner, cell(0, 0), cell(6, 0), NULL, 0, path, &obstacle, NULL) != TERRANE_OK);
    (void)terrane_find_obstacle(planner, cell(0, 0), cell(6, 0), profile, 0, path, NULL, NULL);
    terrane_path_free(path);
    terrane_planner_free(planner);
    terrane_profile_free(profile);
    terrane_world_free(world);
}

/* Two sectors: one with two regions, one with one. */
static void test_regions(void) {
    terrane_world_options options = {.size = sizeof options, .sectors = {4}};
    terrane_world* world = drawn_world(8,
                                       "..tt...."
                                       "..tt....",
                                       &options);
    terrane_regions_info info = {0};
    uint32_t labels[16];
    terrane_region nodes[3];
    terrane_region_edge edges[3];
    REQUIRE(world != NULL);
    info.size = sizeof info;
    CHECK(terrane_regions_get_info(world, 4, &info, NULL) == TERRANE_OK);
    CHECK(info.sector == 4 && info.regions == 3 && info.edges == 2 && info.bytes > 0);
    CHECK(terrane_regions_labels(world, 4, labels, 16) == 16 && labels[0] == labels[1] && labels[0] != labels[2] && labels[4] == 2);
    CHECK(terrane_regions_labels(world, 4, NULL, 0) == 16);
    labels[5] = 77;
    CHECK(terrane_regions_labels(world, 4, labels, 5) == 16 && labels[5] == 77);
    CHECK(terrane_regions_nodes(world, 4, nodes, 3) == 3);
    CHECK(nodes[labels[2]].terrain == TREES && nodes[labels[2]].cells == 4 && nodes[2].terrain == GROUND && nodes[2].cells == 8);
    CHECK(nodes[2].representative.x >= 4);
    CHECK(terrane_regions_edges(world, 4, edges, 3) == 2 && edges[0].a < edges[0].b && edges[0].diagonal == 0);
    CHECK(terrane_regions_nodes(world, 4, NULL, 0) == 3 && terrane_regions_edges(world, 4, NULL, 0) == 2);
    CHECK(terrane_regions_labels(world, 16, labels, 16) == 0 && terrane_regions_nodes(world, 5, nodes, 3) == 0);
    CHECK(terrane_regions_edges(world, 0, edges, 3) == 0 &&
          terrane_regions_get_info(world, 0xffffffffu, &info, NULL) == TERRANE_UNKNOWN_NAME);
    CHECK(terrane_regions_get_info(NULL, 4, &info, NULL) != TERRANE_OK && terrane_regions_labels(NULL, 4, NULL, 0) == 0);
    terrane_world_free(world);
}

int main(void) {
    test_shares();
    test_through_an_area();
    test_obstacles();
    test_regions();
    return check_failures == 0 ? 0 : 1;
}
