/* Contracts of all functions: NULL arguments, and structs with a wrong size. */
#include "check.h"

typedef struct row {
    const char* call;
    int ok;
} row;
#define ROW(condition) \
    { #condition, (condition) ? 1 : 0 }

static void check_rows(const row* rows, size_t count) {
    size_t i;
    for (i = 0; i < count; ++i) check_that(rows[i].ok, rows[i].call, __FILE__, __LINE__);
}
#define CHECK_ROWS(rows) check_rows((rows), sizeof(rows) / sizeof((rows)[0]))

static terrane_world* world;
static terrane_profile* profile;
static terrane_planner* planner;
static terrane_queue* queue;
static terrane_path* path;
static terrane_crowd* crowd;
static terrane_subdivision* subdivision;
static terrane_subdivision_path* subdivision_path;

static void set_up(void) {
    const terrane_profile* type;
    world = drawn_world(4, "....#...", NULL);
    type = profile = obstacle_profile();
    planner = terrane_planner_new(world, NULL);
    path = terrane_path_new(NULL);
    queue = terrane_queue_new(world, NULL, NULL);
    crowd = terrane_crowd_new(world, &type, 1, NULL, NULL);
    subdivision = terrane_subdivision_voronoi(NULL, NULL);
    subdivision_path = terrane_subdivision_path_new(NULL);
    REQUIRE(world && profile && planner && path && queue && crowd && subdivision && subdivision_path);
}

/* Functions without a result ignore NULL. The test is that they return. */
static void test_null_returns(void) {
    terrane_world_free(NULL);
    terrane_profile_free(NULL);
    terrane_planner_free(NULL);
    terrane_path_free(NULL);
    terrane_queue_free(NULL);
    terrane_prepare_free(NULL);
    terrane_crowd_free(NULL);
    terrane_subdivision_free(NULL);
    terrane_subdivision_path_free(NULL);
    terrane_navmesh_free(NULL);
    terrane_navmesh_planner_free(NULL);
    terrane_navmesh_path_free(NULL);
    terrane_profile_cost(NULL, "trees", 1);
    terrane_profile_otherwise(NULL, 1);
    terrane_planner_heat(NULL, NULL);
    terrane_planner_trace(NULL, 1);
}

static void test_null(void) {
    const terrane_cell c = {0, 0};
    const terrane_point p = {1, 1};
    const terrane_rect r = {0, 0, 1, 1};
    uint32_t costs[256];
    uint64_t cost;
    const row rows[] = {
        ROW(terrane_world_from_cells(2, 2, NULL, NULL, 0, NULL, NULL) == NULL),
        ROW(terrane_world_from_bytes(NULL, 3, NULL, NULL, NULL) == NULL),
        ROW(terrane_world_load(NULL, NULL, NULL) == NULL),
        ROW(terrane_world_from_pixels(2, 2, NULL, 0, NULL, NULL) == NULL),
        ROW(terrane_world_copy(NULL, NULL, NULL) == NULL),
        ROW(terrane_world_get_info(NULL, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_world_get_info(world, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_world_get_terrain(NULL, 0, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_world_get_terrain(world, 0, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_world_find_terrain(NULL, "trees") == -1),
        ROW(terrane_world_find_terrain(world, NULL) == -1),
        ROW(terrane_world_read(NULL, r, NULL, 0) == 0),
        ROW(terrane_world_read(world, r, NULL, 9) == 1),
        ROW(terrane_world_fill(NULL, r, 0, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_world_apply(NULL, NULL, 0, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_world_apply(world, NULL, 1, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_world_repaired(NULL, NULL, 0) == 0),
        ROW(terrane_world_watch(NULL, path, NULL) == 0),
        ROW(terrane_world_watch(world, NULL, NULL) == 0),
        ROW(terrane_world_unwatch(NULL, 1, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_world_watched(NULL) == 0),
        ROW(terrane_world_broken(NULL, NULL, 0) == 0),
        ROW(terrane_world_save(NULL, "map", NULL, 0, NULL) == 0),
        ROW(terrane_world_save_file(NULL, "x.map", NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_world_save_file(world, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_profile_preset(NULL, NULL) == NULL),
        ROW(terrane_profile_parse(NULL, 3, NULL, NULL) == NULL),
        ROW(terrane_profile_costs(NULL, world, costs, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_profile_costs(profile, NULL, costs, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_profile_costs(profile, world, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_method_check(NULL, NULL) == TERRANE_UNKNOWN_NAME),
        ROW(terrane_method_prepares(NULL) == -1),
        ROW(terrane_planner_new(NULL, NULL) == NULL),
        ROW(terrane_find(NULL, c, c, profile, NULL, path, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find(planner, c, c, NULL, NULL, path, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find(planner, c, c, profile, NULL, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_begin(NULL, c, c, profile, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_begin(planner, c, c, NULL, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_run(NULL, 0) == TERRANE_NOT_ASKED),
        ROW(terrane_take(NULL, path, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_take(planner, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_ready(NULL, NULL, 0) == 0),
        ROW(terrane_planner_trace_text(NULL, NULL, 0) == 0),
        ROW(terrane_path_get_info(NULL, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_path_get_info(path, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_path_cells(NULL, NULL, 0) == 0),
        ROW(terrane_path_polyline(NULL, NULL, 0) == 0),
        ROW(terrane_path_method(NULL) == NULL),
        ROW(terrane_path_valid(NULL, world) == 0),
        ROW(terrane_path_valid(path, NULL) == 0),
        ROW(terrane_queue_new(NULL, NULL, NULL) == NULL),
        ROW(terrane_queue_add(NULL, c, c, profile, NULL, 0, NULL) == 0),
        ROW(terrane_queue_add(queue, c, c, NULL, NULL, 0, NULL) == 0),
        ROW(terrane_queue_run(NULL, TERRANE_UNLIMITED) == 0),
        ROW(terrane_queue_waiting(NULL) == 0),
        ROW(terrane_queue_status(NULL, 1) == TERRANE_NOT_ASKED),
        ROW(terrane_queue_done(NULL, 1) == 0),
        ROW(terrane_queue_ready(NULL, 1, NULL, 0) == 0),
        ROW(terrane_queue_take(NULL, 1, path, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_queue_take(queue, 1, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_queue_cancel(NULL, 1, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_queue_bytes(NULL) == 0),
        ROW(terrane_find_nearest(NULL, c, &c, 1, profile, 0, path, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_nearest(planner, c, NULL, 1, profile, 0, path, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_nearest(planner, c, &c, 1, NULL, 0, path, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_nearest(planner, c, &c, 1, profile, 0, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_nearest_terrain(NULL, c, 5, profile, 0, path, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_nearest_terrain(planner, c, 5, NULL, 0, path, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_nearest_terrain(planner, c, 5, profile, 0, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_costs(NULL, c, &c, 1, profile, 0, &cost, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_costs(planner, c, NULL, 1, profile, 0, &cost, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_costs(planner, c, &c, 1, NULL, 0, &cost, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_costs(planner, c, &c, 1, profile, 0, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_flood(NULL, c, 0, profile, 0, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_flood(planner, c, 0, NULL, 0, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_flood_cells(NULL, NULL, 0, NULL) == 0),
        ROW(terrane_flood_costs(NULL, NULL, 0, NULL) == 0),
        ROW(terrane_flood_path(NULL, c, path, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_flood_path(planner, c, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_prepare_begin(NULL, profile, NULL, NULL) == NULL),
        ROW(terrane_prepare_begin(world, NULL, NULL, NULL) == NULL),
        ROW(terrane_prepare_run(NULL, TERRANE_UNLIMITED) == 1), /* so that a loop until it is finished ends */
        ROW(terrane_prepare_progress(NULL) == 0),
        ROW(terrane_prepare_install(NULL, world, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_prepared_bytes(NULL, profile, NULL, NULL) == 0),
        ROW(terrane_prepared_bytes(world, NULL, NULL, NULL) == 0),
        ROW(terrane_prepared_discard(NULL, profile, NULL, NULL) == 0),
        ROW(terrane_prepared_discard(world, NULL, NULL, NULL) == 0),
        ROW(terrane_path_database_save(NULL, profile, NULL, NULL, 0, NULL) == 0),
        ROW(terrane_path_database_save(world, NULL, NULL, NULL, 0, NULL) == 0),
        ROW(terrane_path_database_save_file(NULL, profile, NULL, "x", NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_path_database_save_file(world, NULL, NULL, "x", NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_path_database_save_file(world, profile, NULL, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_path_database_install(NULL, profile, 0, NULL, 0, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_path_database_install(world, NULL, 0, NULL, 0, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_path_database_install(world, profile, 0, NULL, 1, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_path_database_load(NULL, profile, 0, "x", NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_path_database_load(world, NULL, 0, "x", NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_path_database_load(world, profile, 0, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_path_shares(NULL, world, profile, NULL, 0, NULL) == 0),
        ROW(terrane_path_shares(path, NULL, profile, NULL, 0, NULL) == 0),
        ROW(terrane_path_shares(path, world, NULL, NULL, 0, NULL) == 0),
        ROW(terrane_find_through(NULL, c, c, r, profile, 0, path, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_through(planner, c, c, r, NULL, 0, path, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_through(planner, c, c, r, profile, 0, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_obstacle(NULL, c, c, profile, 0, NULL, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_find_obstacle(planner, c, c, NULL, 0, NULL, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_regions_get_info(NULL, 16, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_regions_get_info(world, 16, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_regions_labels(NULL, 16, NULL, 0) == 0),
        ROW(terrane_regions_nodes(NULL, 16, NULL, 0) == 0),
        ROW(terrane_regions_edges(NULL, 16, NULL, 0) == 0),
        ROW(terrane_overlay_portals(NULL, profile, NULL, NULL, 0, NULL) == 0),
        ROW(terrane_crowd_new(NULL, NULL, 0, NULL, NULL) == NULL),
        ROW(terrane_crowd_new(world, NULL, 1, NULL, NULL) == NULL),
        ROW(terrane_crowd_add(NULL, c, c, 0, NULL) == -1),
        ROW(terrane_crowd_spawn(NULL, 1, 0, 1, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_crowd_remove(NULL, 0, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_crowd_goal(NULL, 0, c, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_crowd_tick(NULL, 1, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_crowd_get_info(NULL, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_crowd_get_info(crowd, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_crowd_agents(NULL, NULL, 0) == 0),
        ROW(terrane_crowd_reservations(NULL, NULL, 0) == 0),
        ROW(terrane_crowd_arrows(NULL, NULL, 0) == 0),
        ROW(terrane_subdivision_from_bytes(NULL, 3, NULL, NULL) == NULL),
        ROW(terrane_subdivision_from_world(NULL, profile, 0, NULL) == NULL),
        ROW(terrane_subdivision_from_world(world, NULL, 0, NULL) == NULL),
        ROW(terrane_subdivision_get_info(NULL, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_subdivision_get_info(subdivision, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_subdivision_polygon(NULL, 0, NULL, 0) == 0),
        ROW(terrane_subdivision_cost(NULL, 0) == 0),
        ROW(terrane_subdivision_region_at(NULL, 1, 1) == -1),
        ROW(terrane_subdivision_set_cost(NULL, 0, 1, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_subdivision_find(NULL, p, p, NULL, subdivision_path, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_subdivision_find(subdivision, p, p, NULL, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_subdivision_path_get_info(NULL, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_subdivision_path_get_info(subdivision_path, NULL, NULL) == TERRANE_BAD_VALUE),
        ROW(terrane_subdivision_path_points(NULL, NULL, 0) == 0),
        ROW(terrane_subdivision_path_crossings(NULL, NULL, 0) == 0),
    };
    terrane_world* island = terrane_world_generate(NULL, NULL, NULL); /* NULL options: defaults */
    terrane_profile* nameless = terrane_profile_new(NULL, NULL);
    CHECK(island != NULL && nameless != NULL);
    terrane_world_free(island);
    terrane_profile_free(nameless);
    CHECK_ROWS(rows);
}

/* A size that is 0, too small or too large fails with the struct's name. */
static void test_sizes_of_options(void) {
    static const uint32_t wrong[] = {0, 4, 1u << 20};
    const terrane_cell c = {0, 0};
    const terrane_profile* type = profile;
    size_t i;
    for (i = 0; i < 3; ++i) {
        terrane_world_options world_options = {0};
        terrane_generator generator = {0};
        terrane_find_options find_options = {0};
        terrane_prepare_options prepare_options = {0};
        terrane_queue_options queue_options = {0};
        terrane_crowd_options crowd_options = {0};
        terrane_subdivision_generator subdivision_generator = {0};
        terrane_terrain terrain = {0};
        const uint8_t cells[1] = {0};
        terrane_error error = no_error();
        world_options.size = generator.size = find_options.size = prepare_options.size = wrong[i];
        queue_options.size = crowd_options.size = subdivision_generator.size = terrain.size = wrong[i];
        CHECK(terrane_world_copy(world, &world_options, &error) == NULL);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_world_options)");
        CHECK(terrane_world_generate(&generator, NULL, &error) == NULL);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_generator)");
        CHECK(terrane_find(planner, c, c, profile, &find_options, path, &error) == TERRANE_BAD_VALUE);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_find_options)");
        CHECK(terrane_prepare_begin(world, profile, &prepare_options, &error) == NULL);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_prepare_options)");
        CHECK(terrane_queue_new(world, &queue_options, &error) == NULL);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_queue_options)");
        CHECK(terrane_queue_add(queue, c, c, profile, &find_options, 0, &error) == 0);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_find_options)");
        CHECK(terrane_crowd_new(world, &type, 1, &crowd_options, &error) == NULL);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_crowd_options)");
        CHECK(terrane_subdivision_voronoi(&subdivision_generator, &error) == NULL);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_subdivision_generator)");
        CHECK(terrane_world_from_cells(1, 1, cells, &terrain, 1, NULL, &error) == NULL);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_terrain)");
    }
}

static void test_sizes_of_answers(void) {
    terrane_world_info world_info = {0};
    terrane_terrain terrain = {0};
    terrane_edit edit = {0};
    terrane_path_info path_info = {0};
    terrane_obstacle obstacle = {0};
    terrane_regions_info regions = {0};
    terrane_crowd_info crowd_info = {0};
    terrane_subdivision_info subdivision_info = {0};
    terrane_subdivision_path_info subdivision_path_info = {0};
    terrane_error error = no_error(), forgotten = {0};
    const uint64_t version = 0;
    CHECK(terrane_world_get_info(world, &world_info, &error) == TERRANE_BAD_VALUE && world_info.width == 0);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "terrane_world_info.size is 0: set it to sizeof(terrane_world_info)");
    CHECK(terrane_world_get_terrain(world, 0, &terrain, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_regions_get_info(world, 16, &regions, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_crowd_get_info(crowd, &crowd_info, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_subdivision_get_info(subdivision, &subdivision_info, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_world_fill(world, rect(0, 0, 1, 1), TREES, &edit, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_edit)");
    world_info.size = sizeof world_info;
    CHECK(terrane_world_get_info(world, &world_info, NULL) == TERRANE_OK && world_info.version == version); /* unchanged */
    CHECK(terrane_find_obstacle(planner, cell(0, 0), cell(3, 0), profile, 0, NULL, &obstacle, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_obstacle)");
    CHECK(obstacle.status == TERRANE_NOT_ASKED);
    CHECK(terrane_path_get_info(path, &path_info, NULL) == TERRANE_BAD_VALUE && path_info.status == TERRANE_NOT_ASKED);
    CHECK(terrane_subdivision_path_get_info(subdivision_path, &subdivision_path_info, NULL) == TERRANE_BAD_VALUE &&
          subdivision_path_info.status == TERRANE_NOT_ASKED);
    CHECK(terrane_method_check("bird", &forgotten) == TERRANE_UNKNOWN_NAME); /* errors are filled in despite a wrong size */
    CHECK(forgotten.code == TERRANE_UNKNOWN_NAME && strstr(forgotten.message, "bird") != NULL);
}

/* A caller with a later, larger struct: the fields that this version lacks are ignored, and not written. */
static void test_larger_structs(void) {
    struct later_info {
        terrane_world_info info;
        uint64_t later;
    } later = {{0}, 77};
    struct later_options {
        terrane_world_options options;
        uint64_t later;
    } options = {{0}, 77};
    terrane_world* copy;
    later.info.size = sizeof later;
    options.options.size = sizeof options;
    copy = terrane_world_copy(world, &options.options, NULL);
    CHECK(terrane_world_get_info(copy, &later.info, NULL) == TERRANE_OK);
    CHECK(later.info.width == 4 && later.info.size == sizeof later && later.later == 77);
    terrane_world_free(copy);
}

/* A path does not read as found before a query has found it, nor after a failed call. */
static void test_no_query_reads_as_not_asked(void) {
    terrane_path_info info = {0};
    terrane_subdivision_path_info subdivision_info = {0};
    terrane_path* fresh = terrane_path_new(NULL);
    terrane_find_options options = by("nonsense");
    terrane_error error = no_error();
    info.size = sizeof info;
    subdivision_info.size = sizeof subdivision_info;
    CHECK(terrane_run(planner, TERRANE_UNLIMITED) == TERRANE_NOT_ASKED);
    CHECK(terrane_take(planner, fresh, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "terrane_begin");
    CHECK(terrane_path_get_info(fresh, &info, NULL) == TERRANE_OK && info.status == TERRANE_NOT_ASKED && info.cells == 0);
    CHECK(terrane_find(planner, cell(0, 0), cell(3, 0), profile, &options, fresh, NULL) == TERRANE_UNKNOWN_NAME);
    CHECK(terrane_path_get_info(fresh, &info, NULL) == TERRANE_OK && info.status == TERRANE_NOT_ASKED);
    CHECK(terrane_find(planner, cell(0, 0), cell(3, 0), profile, NULL, fresh, NULL) == TERRANE_OK);
    CHECK(terrane_path_get_info(fresh, &info, NULL) == TERRANE_OK && info.status == TERRANE_FOUND && info.cells == 4);
    CHECK(terrane_subdivision_path_get_info(subdivision_path, &subdivision_info, NULL) == TERRANE_OK &&
          subdivision_info.status == TERRANE_NOT_ASKED);
    terrane_path_free(fresh);
}

/* The reasons of failed calls to a crowd. */
static void test_reasons_of_crowds(void) {
    terrane_error error = no_error();
    CHECK(terrane_crowd_add(crowd, cell(-1, 0), cell(0, 0), 0, &error) == -1);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "start is outside");
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(0, 9), 0, &error) == -1);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "goal is outside");
    CHECK(terrane_crowd_add(crowd, cell(0, 1), cell(0, 0), 0, &error) == -1);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "blocked");
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(1, 0), 7, &error) == -1);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "type 7");
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(1, 0), 0, &error) == 0);
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(1, 0), 0, &error) == -1);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "another agent");
    CHECK(terrane_crowd_remove(crowd, 5, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "no agent 5");
    CHECK(terrane_crowd_goal(crowd, 5, cell(0, 0), &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "no agent 5");
    CHECK(terrane_crowd_goal(crowd, 0, cell(9, 9), &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "goal is outside");
}

/* Other calls that had no reason in version 1. */
static void test_reasons(void) {
    terrane_error error = no_error();
    terrane_regions_info regions = {.size = sizeof regions};
    terrane_terrain terrain = {.size = sizeof terrain};
    terrane_prepare_options nothing = {.size = sizeof nothing, .method = "astar"};
    CHECK(terrane_profile_preset("cat", &error) == NULL);
    CHECK_REFUSED(error, TERRANE_UNKNOWN_NAME, "'cat': expected person, deer");
    CHECK(terrane_planner_new(NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "NULL");
    CHECK(terrane_world_get_terrain(world, 200, &terrain, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "no terrain 200");
    CHECK(terrane_regions_get_info(world, 99, &regions, &error) == TERRANE_UNKNOWN_NAME);
    CHECK_REFUSED(error, TERRANE_UNKNOWN_NAME, "99");
    CHECK(terrane_prepared_bytes(world, profile, &nothing, &error) == 0);
    CHECK_REFUSED(error, TERRANE_UNSUPPORTED, "nothing to prepare");
    CHECK(terrane_prepared_discard(world, profile, &nothing, &error) == 0);
    CHECK_REFUSED(error, TERRANE_UNSUPPORTED, "nothing to prepare");
}

/* A handle keeps what it was created from alive: the world is freed first, and is used afterwards. */
static void test_any_order_of_freeing(void) {
    terrane_world* first = drawn_world(4, "....#...", NULL);
    const terrane_profile* type = profile;
    terrane_planner* lent = terrane_planner_new(first, NULL);
    terrane_crowd* agents = terrane_crowd_new(first, &type, 1, NULL, NULL);
    terrane_preparation* preparation = terrane_prepare_begin(first, profile, NULL, NULL);
    terrane_path* found = terrane_path_new(NULL);
    terrane_path_info info = {.size = sizeof info};
    REQUIRE(first && lent && agents && preparation && found);
    terrane_world_free(first);
    CHECK(terrane_find(lent, cell(0, 0), cell(3, 0), profile, NULL, found, NULL) == TERRANE_OK);
    CHECK(terrane_path_get_info(found, &info, NULL) == TERRANE_OK && info.cells == 4);
    CHECK(terrane_crowd_add(agents, cell(0, 0), cell(3, 0), 0, NULL) == 0);
    CHECK(terrane_crowd_tick(agents, 3, NULL) == TERRANE_OK);
    CHECK(terrane_prepare_run(preparation, TERRANE_UNLIMITED) == 1);
    terrane_planner_free(lent);
    terrane_prepare_free(preparation);
    terrane_crowd_free(agents);
    terrane_path_free(found);
}

static void test_points_that_are_not_finite(void) {
    const double zero = 0;
    const terrane_point here = {1, 1}, nowhere = {zero / zero, 1};
    CHECK(terrane_subdivision_region_at(subdivision, nowhere.x, 1) == -1);
    CHECK(terrane_subdivision_find(subdivision, nowhere, here, NULL, subdivision_path, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_subdivision_find(subdivision, here, nowhere, NULL, subdivision_path, NULL) == TERRANE_BAD_VALUE);
}

/* In a build without navigation meshes every call fails with TERRANE_UNSUPPORTED. */
static void test_null_navmeshes(void) {
    const terrane_code bad = terrane_navmesh_supported() ? TERRANE_BAD_VALUE : TERRANE_UNSUPPORTED;
    const terrane_position p = {1, 1, 1};
    const terrane_navmesh_params params = {sizeof params, 4, 64, 20, 20, {0, 0, 0}};
    terrane_navmesh* navmesh = terrane_navmesh_new(&params, NULL, NULL);
    terrane_navmesh_planner* queries = terrane_navmesh_planner_new(navmesh, NULL);
    terrane_navmesh_path* way = terrane_navmesh_path_new(NULL);
    const row rows[] = {
        ROW(terrane_navmesh_build(NULL, 3, NULL, 1, NULL, NULL, NULL, NULL) == NULL),
        ROW(terrane_navmesh_build(&p, 1, NULL, 1, NULL, NULL, NULL, NULL) == NULL),
        ROW(terrane_navmesh_new(NULL, NULL, NULL) == NULL),
        ROW(terrane_navmesh_from_bytes(NULL, 3, NULL, NULL) == NULL),
        ROW(terrane_navmesh_load(NULL, NULL) == NULL),
        ROW(terrane_navmesh_save(NULL, NULL, 0, NULL) == 0),
        ROW(terrane_navmesh_save_file(NULL, "file", NULL) == bad),
        ROW(terrane_navmesh_save_file(navmesh, NULL, NULL) == bad),
        ROW(terrane_navmesh_get_info(NULL, NULL, NULL) == bad),
        ROW(terrane_navmesh_get_info(navmesh, NULL, NULL) == bad),
        ROW(terrane_navmesh_get_area(NULL, 0, NULL, NULL) == bad),
        ROW(terrane_navmesh_get_area(navmesh, 0, NULL, NULL) == bad),
        ROW(terrane_navmesh_triangles(NULL, NULL, 0) == 0),
        ROW(terrane_navmesh_tiles(NULL, NULL, 0) == 0),
        ROW(terrane_navmesh_tile_data(NULL, 0, 0, 0, NULL, 0, NULL) == 0),
        ROW(terrane_navmesh_add_tile(NULL, NULL, 0, NULL, NULL) == bad),
        ROW(terrane_navmesh_add_tile(navmesh, NULL, 3, NULL, NULL) == bad),
        ROW(terrane_navmesh_add_tile(navmesh, NULL, 0, NULL, NULL) == bad),
        ROW(terrane_navmesh_remove_tile(NULL, 0, 0, 0, NULL) == bad),
        ROW(terrane_navmesh_set_area(NULL, p, p, 0, 0, NULL, NULL) == bad),
        ROW(terrane_navmesh_add_cylinder(NULL, p, 1, 1, NULL) == 0),
        ROW(terrane_navmesh_add_box(NULL, p, p, NULL) == 0),
        ROW(terrane_navmesh_remove_obstacle(NULL, 1, NULL) == bad),
        ROW(terrane_navmesh_update(NULL, 1, NULL, NULL) == bad),
        ROW(terrane_navmesh_up_to_date(NULL) == 0),
        ROW(terrane_navmesh_filter_of(NULL, profile, NULL, NULL) == bad),
        ROW(terrane_navmesh_filter_of(navmesh, NULL, NULL, NULL) == bad),
        ROW(terrane_navmesh_planner_new(NULL, NULL) == NULL),
        ROW(terrane_navmesh_find(NULL, p, p, NULL, NULL, way, NULL) == bad),
        ROW(terrane_navmesh_find(queries, p, p, NULL, NULL, NULL, NULL) == bad),
        ROW(terrane_navmesh_begin(NULL, p, p, NULL, NULL, NULL) == bad),
        ROW(terrane_navmesh_run(NULL, 1) == TERRANE_NOT_ASKED),
        ROW(terrane_navmesh_ready(NULL, NULL, 0) == 0),
        ROW(terrane_navmesh_take(NULL, way, NULL) == bad),
        ROW(terrane_navmesh_take(queries, NULL, NULL) == bad),
        ROW(terrane_navmesh_path_get_info(NULL, NULL, NULL) == bad),
        ROW(terrane_navmesh_path_get_info(way, NULL, NULL) == bad),
        ROW(terrane_navmesh_path_points(NULL, NULL, 0) == 0),
        ROW(terrane_navmesh_path_polygons(NULL, NULL, 0) == 0),
    };
    CHECK_ROWS(rows);
    terrane_navmesh_free(navmesh);
    terrane_navmesh_planner_free(queries);
    terrane_navmesh_path_free(way);
}

static void test_sizes_of_navmeshes(void) {
    static const uint32_t wrong[] = {0, 4, 1u << 20};
    const terrane_position corners[] = {{0, 0, 0}, {0, 0, 9}, {9, 0, 9}};
    const uint32_t indices[] = {0, 1, 2};
    const terrane_position p = {1, 1, 1};
    terrane_navmesh* navmesh = terrane_navmesh_build(corners, 3, indices, 1, NULL, NULL, NULL, NULL);
    terrane_navmesh_planner* queries = terrane_navmesh_planner_new(navmesh, NULL);
    terrane_navmesh_path* way = terrane_navmesh_path_new(NULL);
    size_t i;
    if (!terrane_navmesh_supported()) return;
    for (i = 0; i < 3; ++i) {
        terrane_navmesh_options options = {0};
        terrane_navmesh_params params = {0};
        terrane_navmesh_filter filter = {0};
        terrane_navmesh_find_options find = {0};
        terrane_navmesh_info info = {0};
        terrane_navmesh_path_info path_info = {0};
        terrane_error error = no_error();
        options.size = params.size = filter.size = find.size = info.size = path_info.size = wrong[i];
        CHECK(terrane_navmesh_build(corners, 3, indices, 1, NULL, NULL, &options, &error) == NULL);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_navmesh_options)");
        CHECK(terrane_navmesh_new(&params, NULL, &error) == NULL);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_navmesh_params)");
        CHECK(terrane_navmesh_find(queries, p, p, &filter, NULL, way, &error) == TERRANE_BAD_VALUE);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_navmesh_filter)");
        CHECK(terrane_navmesh_find(queries, p, p, NULL, &find, way, &error) == TERRANE_BAD_VALUE);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_navmesh_find_options)");
        CHECK(terrane_navmesh_filter_of(navmesh, profile, &filter, &error) == TERRANE_BAD_VALUE && filter.blocked == 0);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_navmesh_filter)");
        CHECK(terrane_navmesh_get_info(navmesh, &info, &error) == TERRANE_BAD_VALUE && info.tiles == 0);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_navmesh_info)");
        CHECK(terrane_navmesh_path_get_info(way, &path_info, &error) == TERRANE_BAD_VALUE && path_info.status == TERRANE_NOT_ASKED);
        CHECK_REFUSED(error, TERRANE_BAD_VALUE, "sizeof(terrane_navmesh_path_info)");
    }
    terrane_navmesh_free(navmesh);
    terrane_navmesh_planner_free(queries);
    terrane_navmesh_path_free(way);
}

int main(void) {
    set_up();
    test_null_returns();
    test_null();
    test_null_navmeshes();
    test_sizes_of_navmeshes();
    test_sizes_of_options();
    test_sizes_of_answers();
    test_larger_structs();
    test_no_query_reads_as_not_asked();
    test_reasons_of_crowds();
    test_reasons();
    test_any_order_of_freeing();
    test_points_that_are_not_finite();
    terrane_subdivision_path_free(subdivision_path);
    terrane_subdivision_free(subdivision);
    terrane_crowd_free(crowd);
    terrane_queue_free(queue);
    terrane_path_free(path);
    terrane_planner_free(planner);
    terrane_profile_free(profile);
    terrane_world_free(world);
    return check_failures == 0 ? 0 : 1;
}
