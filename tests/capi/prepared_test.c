/* Preparation of methods in C. */
#include "check.h"

static terrane_prepare_options prepare_by(const char* method) {
    terrane_prepare_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    strncpy(options.method, method, sizeof options.method - 1);
    return options;
}

static terrane_path_info answer(terrane_planner* planner, const terrane_profile* profile, const char* method) {
    terrane_find_options options = {0};
    terrane_path_info info = {0};
    terrane_path* path = terrane_path_new(NULL);
    options.size = sizeof options;
    info.size = sizeof info;
    strncpy(options.method, method, sizeof options.method - 1);
    CHECK(terrane_find(planner, cell(3, 3), cell(90, 60), profile, &options, path, NULL) == TERRANE_OK);
    terrane_path_get_info(path, &info, NULL);
    terrane_path_free(path);
    return info;
}

static terrane_world* island(void) {
    const terrane_generator generator = {sizeof generator, TERRANE_VORONOI, 96, 64, 3, 40, 6};
    return terrane_world_generate(&generator, NULL, NULL);
}

static void prepare_now(terrane_world* world, const terrane_profile* profile, const char* method) {
    const terrane_prepare_options options = prepare_by(method);
    terrane_preparation* preparation = terrane_prepare_begin(world, profile, &options, NULL);
    REQUIRE(preparation != NULL);
    CHECK(terrane_prepare_run(preparation, TERRANE_UNLIMITED) == 1);
    CHECK(terrane_prepare_install(preparation, world, NULL) == TERRANE_OK);
    terrane_prepare_free(preparation);
}

/* Exact edge costs are prepared like other tables and updated by edits. */
static void test_exact_edge_costs(const terrane_profile* profile) {
    terrane_world* world = island();
    terrane_planner* planner = terrane_planner_new(world, NULL);
    uint64_t before;
    CHECK(answer(planner, profile, "dta:16+exact").status == TERRANE_NOT_PREPARED);
    prepare_now(world, profile, "dta:16+exact");
    before = answer(planner, profile, "dta:16+exact").cost;
    CHECK(answer(planner, profile, "dta:16+exact").status == TERRANE_FOUND && before >= answer(planner, profile, "astar").cost);
    terrane_world_fill(world, rect(40, 0, 2, 40), BLACK, NULL, NULL);
    CHECK(answer(planner, profile, "dta:16+exact").status == TERRANE_FOUND && answer(planner, profile, "dta:16+exact").cost != before);
    CHECK(answer(planner, profile, "dta:32+exact").status == TERRANE_NOT_PREPARED); /* no such regions */
    terrane_planner_free(planner);
    terrane_world_free(world);
}

/* Each method: prepared in slices, installed after an edit, used and discarded. */
static void test_every_method(const terrane_profile* profile) {
    static const char* const methods[] = {"overlay:2", "minimal_memory:16", "hpa:16", "pra:inf", "cpd"};
    size_t m;
    for (m = 0; m < 5; ++m) {
        terrane_world* world = island();
        terrane_planner* planner = terrane_planner_new(world, NULL);
        const terrane_prepare_options options = prepare_by(methods[m]);
        const uint64_t optimal = answer(planner, profile, "astar").cost;
        terrane_preparation* preparation = terrane_prepare_begin(world, profile, &options, NULL);
        double before = 0;
        REQUIRE(preparation != NULL);
        CHECK(terrane_prepared_bytes(world, profile, &options, NULL) == 0);
        CHECK(answer(planner, profile, methods[m]).status == TERRANE_NOT_PREPARED);
        while (terrane_prepare_run(preparation, 1000) == 0) {
            const double now = terrane_prepare_progress(preparation);
            CHECK(now >= before && now <= 1);
            before = now;
        }
        CHECK(terrane_prepare_progress(preparation) == 1 && terrane_prepare_run(preparation, TERRANE_UNLIMITED) == 1);
        terrane_world_fill(world, rect(40, 0, 2, 40), TREES, NULL, NULL); /* meanwhile */
        CHECK(terrane_prepare_install(preparation, world, NULL) == TERRANE_OK);
        CHECK(terrane_prepare_install(preparation, world, NULL) != TERRANE_OK); /* only once */
        CHECK(terrane_prepare_run(preparation, 5) == 1);
        terrane_prepare_free(preparation);
        CHECK(terrane_prepared_bytes(world, profile, &options, NULL) > 0);
        CHECK(answer(planner, profile, methods[m]).status == TERRANE_FOUND && answer(planner, profile, methods[m]).cost * 2 >= optimal);
        CHECK(terrane_prepared_discard(world, profile, &options, NULL) == 1 &&
              terrane_prepared_discard(world, profile, &options, NULL) == 0);
        CHECK(terrane_prepared_bytes(world, profile, &options, NULL) == 0);
        terrane_planner_free(planner);
        terrane_world_free(world);
    }
}

static void test_portals_and_bounds(const terrane_profile* profile) {
    terrane_world* world = island();
    terrane_planner* planner = terrane_planner_new(world, NULL);
    terrane_prepare_options options = prepare_by("");
    terrane_preparation* preparation;
    terrane_cell* portals;
    size_t count, i;
    options.lower_bounds = 8;
    CHECK(terrane_overlay_portals(world, profile, NULL, NULL, 0, NULL) == 0);
    preparation = terrane_prepare_begin(world, profile, &options, NULL);
    CHECK(terrane_prepare_run(preparation, TERRANE_UNLIMITED) == 1 && terrane_prepare_install(preparation, world, NULL) == TERRANE_OK);
    terrane_prepare_free(preparation);
    count = terrane_overlay_portals(world, profile, &options, NULL, 0, NULL);
    REQUIRE(count > 10);
    portals = malloc((count + 1) * sizeof *portals);
    portals[count].x = 77;
    CHECK(terrane_overlay_portals(world, profile, NULL, portals, count + 1, NULL) == count && portals[count].x == 77);
    for (i = 0; i < count; ++i) CHECK(portals[i].x >= 0 && portals[i].x < 96 && portals[i].y >= 0 && portals[i].y < 64);
    free(portals);
    CHECK(answer(planner, profile, "").bound >= 1 && answer(planner, profile, "overlay:3").cost == answer(planner, profile, "").cost);
    CHECK(terrane_overlay_portals(NULL, profile, NULL, NULL, 0, NULL) == 0 &&
          terrane_overlay_portals(world, NULL, NULL, NULL, 0, NULL) == 0);
    terrane_planner_free(planner);
    terrane_world_free(world);
}

/* A database is saved and installed in another world with the same map, from bytes and from a file. */
static void test_path_databases(const terrane_profile* profile) {
    const char* file = "terrane_prepared_test.cpd";
    const terrane_prepare_options options = prepare_by("cpd");
    terrane_error error = no_error();
    terrane_world *world = island(), *other = island();
    terrane_planner *planner = terrane_planner_new(world, NULL), *elsewhere = terrane_planner_new(other, NULL);
    size_t size;
    char* bytes;
    CHECK(terrane_path_database_save(world, profile, &options, NULL, 0, &error) == 0);
    CHECK_REFUSED(error, TERRANE_UNSUPPORTED, "no path database is prepared");
    prepare_now(world, profile, "cpd");
    size = terrane_path_database_save(world, profile, &options, NULL, 0, NULL);
    REQUIRE(size > 1000);
    bytes = malloc(size);
    CHECK(terrane_path_database_save(world, profile, &options, bytes, size, NULL) == size);
    CHECK(terrane_path_database_install(other, profile, 0, bytes, size, "bytes", &error) == TERRANE_OK);
    CHECK(answer(elsewhere, profile, "cpd").cost == answer(planner, profile, "cpd").cost);
    CHECK(terrane_prepared_discard(other, profile, &options, NULL) == 1);
    CHECK(terrane_path_database_save_file(world, profile, &options, file, NULL) == TERRANE_OK);
    CHECK(terrane_path_database_load(other, profile, 0, file, NULL) == TERRANE_OK);
    remove(file);
    CHECK(answer(elsewhere, profile, "cpd").cost == answer(planner, profile, "cpd").cost);
    CHECK(terrane_path_database_load(other, profile, 0, file, &error) == TERRANE_CANNOT_OPEN);
    CHECK_REFUSED(error, TERRANE_CANNOT_OPEN, file);
    CHECK(terrane_path_database_install(other, profile, 2, bytes, size, "bytes", &error) != TERRANE_OK); /* another movement rule */
    bytes[size / 2] ^= 1;
    CHECK(terrane_path_database_install(other, profile, 0, bytes, size, "bytes", &error) != TERRANE_OK);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "bytes");
    bytes[size / 2] ^= 1;
    terrane_world_fill(other, rect(40, 0, 2, 40), BLACK, NULL, NULL);
    CHECK(terrane_path_database_install(other, profile, 0, bytes, size, "bytes", &error) != TERRANE_OK); /* another map */
    CHECK(terrane_path_database_install(NULL, profile, 0, bytes, size, NULL, NULL) != TERRANE_OK);
    CHECK(terrane_path_database_install(other, profile, 0, NULL, size, NULL, NULL) != TERRANE_OK);
    CHECK(terrane_path_database_load(other, profile, 0, NULL, NULL) != TERRANE_OK);
    CHECK(terrane_path_database_save_file(world, profile, &options, NULL, NULL) != TERRANE_OK);
    CHECK(terrane_path_database_save_file(world, profile, &options, "no_such_folder/x.cpd", &error) != TERRANE_OK);
    free(bytes);
    terrane_planner_free(planner);
    terrane_planner_free(elsewhere);
    terrane_world_free(world);
    terrane_world_free(other);
}

/* A loaded world answers by the methods that were prepared in the saved one. */
static void test_saved_worlds(const terrane_profile* profile) {
    const char* file = "terrane_prepared_test.terrane";
    const char* map = "terrane_prepared_test.map";
    terrane_error error = no_error();
    terrane_world *world = island(), *loaded;
    terrane_planner *planner = terrane_planner_new(world, NULL), *again;
    prepare_now(world, profile, "overlay:2");
    prepare_now(world, profile, "cpd");
    CHECK(terrane_world_save_file(world, file, NULL) == TERRANE_OK);
    loaded = terrane_world_load(file, NULL, NULL);
    REQUIRE(loaded != NULL);
    again = terrane_planner_new(loaded, NULL);
    CHECK(answer(again, profile, "overlay:2").cost == answer(planner, profile, "overlay:2").cost);
    CHECK(answer(again, profile, "cpd").expansions == answer(planner, profile, "cpd").expansions);
    CHECK(terrane_world_save_file(world, map, NULL) == TERRANE_OK);
    terrane_planner_free(again);
    terrane_world_free(loaded);
    loaded = terrane_world_load(map, NULL, NULL);
    again = terrane_planner_new(loaded, NULL);
    CHECK(answer(again, profile, "astar").cost == answer(planner, profile, "astar").cost);
    CHECK(answer(again, profile, "overlay:2").status == TERRANE_NOT_PREPARED);
    remove(file);
    remove(map);
    CHECK(terrane_world_load(file, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_CANNOT_OPEN, file);
    CHECK(terrane_world_load(NULL, NULL, &error) == NULL && terrane_world_save_file(world, NULL, NULL) != TERRANE_OK);
    CHECK(terrane_world_save_file(world, "terrane_prepared_test.doc", &error) != TERRANE_OK);
    CHECK(terrane_world_save_file(NULL, file, NULL) != TERRANE_OK);
    terrane_planner_free(again);
    terrane_planner_free(planner);
    terrane_world_free(loaded);
    terrane_world_free(world);
}

static void test_what_is_refused(const terrane_profile* profile) {
    terrane_world* world = island();
    terrane_world* other = island();
    terrane_prepare_options options = prepare_by("astar");
    terrane_error error = no_error();
    terrane_profile* strange = terrane_profile_new(NULL, NULL);
    terrane_preparation* preparation;
    terrane_profile_cost(strange, "cheese", 3);
    CHECK(terrane_prepare_begin(world, profile, &options, &error) == NULL && error.code != TERRANE_OK);
    options = prepare_by("bird");
    CHECK(terrane_prepare_begin(world, profile, &options, &error) == NULL && error.code == TERRANE_UNKNOWN_NAME);
    CHECK(terrane_prepared_bytes(world, profile, &options, NULL) == 0 && terrane_prepared_discard(world, profile, &options, NULL) == 0);
    options = prepare_by("overlay:2");
    options.movement = 9;
    CHECK(terrane_prepare_begin(world, profile, &options, NULL) == NULL);
    options.movement = 0;
    options.lower_bounds = 0xffffffffu;
    CHECK(terrane_prepare_begin(world, profile, &options, NULL) == NULL);
    options.lower_bounds = 0;
    CHECK(terrane_prepare_begin(world, strange, &options, &error) == NULL && error.code == TERRANE_UNKNOWN_NAME);
    CHECK(terrane_prepare_begin(NULL, profile, &options, NULL) == NULL && terrane_prepare_begin(world, NULL, &options, NULL) == NULL);
    options.max_bytes = 1;
    preparation = terrane_prepare_begin(world, profile, &options, NULL);
    if (preparation != NULL) {
        terrane_prepare_run(preparation, TERRANE_UNLIMITED);
        CHECK(terrane_prepare_install(preparation, world, &error) == TERRANE_TOO_LARGE);
    }
    terrane_prepare_free(preparation);
    preparation = terrane_prepare_begin(world, profile, NULL, NULL);
    CHECK(terrane_prepare_install(preparation, world, &error) != TERRANE_OK); /* not finished */
    CHECK(terrane_prepare_run(preparation, TERRANE_UNLIMITED) == 1);
    CHECK(terrane_prepare_install(preparation, other, &error) != TERRANE_OK); /* another world */
    CHECK(terrane_prepare_install(preparation, NULL, NULL) != TERRANE_OK && terrane_prepare_install(NULL, world, NULL) != TERRANE_OK);
    CHECK(terrane_prepare_install(preparation, world, NULL) == TERRANE_OK);
    terrane_prepare_free(preparation);
    terrane_prepare_free(NULL);
    CHECK(terrane_prepared_bytes(NULL, profile, NULL, NULL) == 0 && terrane_prepared_discard(NULL, profile, NULL, NULL) == 0);
    CHECK(terrane_prepared_bytes(world, NULL, NULL, NULL) == 0 && terrane_prepared_bytes(world, strange, NULL, NULL) == 0);
    (void)terrane_prepare_run(NULL, 1);
    (void)terrane_prepare_progress(NULL);
    terrane_profile_free(strange);
    terrane_world_free(other);
    terrane_world_free(world);
}

int main(void) {
    terrane_profile* profile = terrane_profile_preset("deer", NULL);
    test_every_method(profile);
    test_exact_edge_costs(profile);
    test_portals_and_bounds(profile);
    test_path_databases(profile);
    test_saved_worlds(profile);
    test_what_is_refused(profile);
    terrane_profile_free(profile);
    return check_failures == 0 ? 0 : 1;
}
