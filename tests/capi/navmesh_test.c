/* Navigation meshes in C: a floor of 40x40 metres with a wall across it, which has two gaps. */
#include <math.h>

#include "check.h"

#define MISSING 77 /* the exit code of a test that skips */

static terrane_position at(float x, float y, float z) {
    const terrane_position made = {x, y, z};
    return made;
}

typedef struct level {
    terrane_position vertices[64];
    uint32_t triangles[96];
    uint32_t vertex_count, index_count;
} level;

static void quad(level* to, terrane_position a, terrane_position b, terrane_position c, terrane_position d) {
    const uint32_t first = to->vertex_count;
    const terrane_position corners[] = {a, b, c, d};
    const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    size_t i;
    for (i = 0; i < 4; ++i) to->vertices[to->vertex_count++] = corners[i];
    for (i = 0; i < 6; ++i) to->triangles[to->index_count++] = first + indices[i];
}

static void ground(level* to, float left, float near, float right, float far, float y) {
    quad(to, at(left, y, near), at(left, y, far), at(right, y, far), at(right, y, near));
}

/* A wall from z = near to z = far, too high to climb. */
static void wall(level* to, float near, float far) {
    const float left = 19.5f, right = 20.5f, high = 4;
    ground(to, left, near, right, far, high);
    quad(to, at(left, 0, near), at(left, high, near), at(right, high, near), at(right, 0, near));
    quad(to, at(left, 0, far), at(right, 0, far), at(right, high, far), at(left, high, far));
    quad(to, at(left, 0, near), at(left, 0, far), at(left, high, far), at(left, high, near));
    quad(to, at(right, 0, near), at(right, high, near), at(right, high, far), at(right, 0, far));
}

/* The gaps are z 26 to 30, which is a road, and z 34 to 38. */
static const char* const kRoad = "volume road -1 2  18 25  22 25  22 31  18 31\n";

static terrane_navmesh* build(const terrane_navmesh_options* options, terrane_error* error) {
    level all = {0};
    ground(&all, 0, 0, 40, 40, 0);
    wall(&all, 0, 26);
    wall(&all, 30, 34);
    wall(&all, 38, 40);
    return terrane_navmesh_build(all.vertices, all.vertex_count, all.triangles, all.index_count / 3, NULL, kRoad, options, error);
}

static terrane_navmesh_info info_of(const terrane_navmesh* navmesh) {
    terrane_navmesh_info info = {0};
    info.size = sizeof info;
    CHECK(terrane_navmesh_get_info(navmesh, &info, NULL) == TERRANE_OK);
    return info;
}

static terrane_navmesh_path_info path_info(const terrane_navmesh_path* path) {
    terrane_navmesh_path_info info = {0};
    info.size = sizeof info;
    CHECK(terrane_navmesh_path_get_info(path, &info, NULL) == TERRANE_OK);
    return info;
}

static terrane_navmesh_filter any_filter(void) {
    terrane_navmesh_filter filter = {0};
    filter.size = sizeof filter;
    return filter;
}

/* A path by a planner of its own. */
static terrane_navmesh_path_info ask(const terrane_navmesh* navmesh, terrane_position from, terrane_position to,
                                     const terrane_navmesh_filter* filter) {
    terrane_navmesh_planner* planner = terrane_navmesh_planner_new(navmesh, NULL);
    terrane_navmesh_path* path = terrane_navmesh_path_new(NULL);
    terrane_navmesh_path_info info;
    CHECK(terrane_navmesh_find(planner, from, to, filter, NULL, path, NULL) == TERRANE_OK);
    info = path_info(path);
    terrane_navmesh_planner_free(planner);
    terrane_navmesh_path_free(path);
    return info;
}

static terrane_navmesh_path_info across(const terrane_navmesh* navmesh) { return ask(navmesh, at(5, 0, 5), at(35, 0, 5), NULL); }

static int close_to(double value, double expected, double by) {
    if (fabs(value - expected) <= by) return 1;
    fprintf(stderr, "%f, expected %f\n", value, expected);
    return 0;
}

/* From 5,5 around the corners 18.9,26.6 and 21.1,26.6 of the wall and the agent's radius to 35,5; voxels have 0.3 metres. */
static const double kLength = 53.6;

static void test_info(void) {
    terrane_navmesh* navmesh = build(NULL, NULL);
    const terrane_navmesh_info info = info_of(navmesh);
    terrane_terrain area = {0};
    terrane_error error = no_error();
    terrane_navmesh_triangle* triangles;
    size_t i, count = terrane_navmesh_triangles(navmesh, NULL, 0);
    int roads = 0;
    CHECK(info.tiles == 4 && info.polygons > 8 && info.regions > 4 && info.edges >= info.regions && info.off_mesh_connections == 0);
    CHECK(info.bytes > 1000 && info.max_tiles >= 4 && info.tile_width > 19 && info.tile_width < 21 && info.areas == 19);
    CHECK(close_to(info.low.x, 0.6, 0.31) && close_to(info.high.z, 39.4, 0.31) && info.takes_obstacles == 0 && info.obstacles == 0);
    area.size = sizeof area;
    CHECK(terrane_navmesh_get_area(navmesh, ROAD, &area, NULL) == TERRANE_OK);
    CHECK_TEXT(area.name, "road");
    CHECK(terrane_navmesh_get_area(navmesh, 19, &area, &error) == TERRANE_BAD_VALUE && area.name[0] == 0);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "there is no area 19: the mesh has 19");
    REQUIRE(count > info.polygons);
    triangles = malloc(count * sizeof *triangles);
    CHECK(terrane_navmesh_triangles(navmesh, triangles, count) == count);
    for (i = 0; i < count; ++i) {
        const terrane_position p = triangles[i].a;
        roads += triangles[i].area == ROAD ? 1 : 0;
        CHECK(triangles[i].area != ROAD || (p.x > 17 && p.x < 23 && p.z > 24 && p.z < 32));
    }
    CHECK(roads > 0);
    free(triangles);
    terrane_navmesh_free(navmesh);
}

static void test_paths(void) {
    terrane_navmesh* navmesh = build(NULL, NULL);
    terrane_navmesh_filter filter = any_filter();
    terrane_navmesh_path_info info = across(navmesh);
    CHECK(info.status == TERRANE_FOUND && close_to(info.length, kLength, 0.8) && info.cost == info.length);
    CHECK(info.points >= 4 && info.polygons >= 3 && info.expansions >= info.expansions_first && info.expansions_first > 0);
    filter.costs[GROUND] = 150;
    info = ask(navmesh, at(2, 0, 2), at(2, 0, 18), &filter);
    CHECK(close_to(info.length, 16, 1e-4) && close_to(info.cost, 24, 1e-3));
    filter.costs[GROUND] = 0;
    filter.costs[ROAD] = 50; /* 4 of 20 metres */
    info = ask(navmesh, at(10, 0, 28), at(30, 0, 28), &filter);
    CHECK(close_to(info.length, 20, 0.01) && close_to(info.cost, 18, 0.3));
    filter.blocked = (uint64_t)1 << ROAD;
    info = ask(navmesh, at(5, 0, 5), at(35, 0, 5), &filter);
    CHECK(info.status == TERRANE_FOUND && info.length > kLength + 10);
    CHECK(ask(navmesh, at(20, 0, 28), at(35, 0, 5), &filter).status == TERRANE_FOUND); /* moved to polygons that are not blocked */
    filter.blocked = UINT64_MAX;
    CHECK(ask(navmesh, at(5, 0, 5), at(35, 0, 5), &filter).status == TERRANE_BLOCKED_START);
    filter = any_filter();
    filter.exclude_flags = 1;
    CHECK(ask(navmesh, at(5, 0, 5), at(35, 0, 5), &filter).status == TERRANE_BLOCKED_START);
    CHECK(ask(navmesh, at(5, 0, 5), at(350, 0, 5), NULL).status == TERRANE_OUTSIDE_MAP);
    CHECK(ask(navmesh, at(5, 0, 5), at(3e38f, -3e38f, 3e38f), NULL).status == TERRANE_OUTSIDE_MAP);
    terrane_navmesh_free(navmesh);
}

static void test_profiles(void) {
    terrane_navmesh* navmesh = build(NULL, NULL);
    terrane_profile* profile = terrane_profile_new("walker", NULL);
    terrane_navmesh_filter filter = any_filter();
    terrane_navmesh_path_info info;
    terrane_profile_cost(profile, "road", 0);
    terrane_profile_cost(profile, "ground", 200);
    CHECK(terrane_navmesh_filter_of(navmesh, profile, &filter, NULL) == TERRANE_OK);
    CHECK(filter.costs[GROUND] == 200 && (filter.blocked >> ROAD & 1) == 1 && (filter.blocked >> GROUND & 1) == 0);
    CHECK((filter.blocked >> 63) == 1 && (filter.blocked >> 19 & 1) == 1); /* areas without a name */
    info = ask(navmesh, at(5, 0, 5), at(35, 0, 5), &filter);
    CHECK(info.status == TERRANE_FOUND && info.length > kLength + 10 && close_to(info.cost, 2 * info.length, 1e-6));
    terrane_profile_cost(profile, "no_such_area", 100);
    CHECK(terrane_navmesh_filter_of(navmesh, profile, &filter, NULL) == TERRANE_BAD_VALUE ||
          terrane_navmesh_filter_of(navmesh, profile, &filter, NULL) == TERRANE_UNKNOWN_NAME);
    CHECK(filter.costs[GROUND] == 200);
    terrane_profile_free(profile);
    terrane_navmesh_free(navmesh);
}

/* Slices find the same path; the planner keeps the mesh alive; points and polygons are listed. */
static void test_slices(void) {
    terrane_navmesh* navmesh = build(NULL, NULL);
    terrane_navmesh_planner* planner = terrane_navmesh_planner_new(navmesh, NULL);
    terrane_navmesh_path *whole = terrane_navmesh_path_new(NULL), *sliced = terrane_navmesh_path_new(NULL);
    terrane_navmesh_find_options options = {0};
    terrane_position points[64], ready[64];
    uint32_t polygons[64];
    uint32_t slices = 0, i;
    size_t first = 0;
    terrane_navmesh_path_info a, b;
    options.size = sizeof options;
    CHECK(terrane_navmesh_run(planner, 5) == TERRANE_NOT_ASKED && terrane_navmesh_take(planner, sliced, NULL) == TERRANE_BAD_VALUE);
    CHECK(path_info(sliced).status == TERRANE_NOT_ASKED);
    CHECK(terrane_navmesh_find(planner, at(5, 0, 5), at(35, 0, 5), NULL, NULL, whole, NULL) == TERRANE_OK);
    CHECK(terrane_navmesh_begin(planner, at(5, 0, 5), at(35, 0, 5), NULL, &options, NULL) == TERRANE_OK);
    terrane_navmesh_free(navmesh);
    CHECK(terrane_navmesh_run(planner, 0) == TERRANE_BUDGET_SPENT && terrane_navmesh_ready(planner, NULL, 0) == 0);
    while (terrane_navmesh_run(planner, 1) == TERRANE_BUDGET_SPENT && slices < 10000) {
        if (first == 0) first = terrane_navmesh_ready(planner, ready, 64);
        ++slices;
    }
    CHECK(slices > 2 && terrane_navmesh_take(planner, sliced, NULL) == TERRANE_OK);
    a = path_info(whole);
    b = path_info(sliced);
    CHECK(a.cost == b.cost && a.points == b.points && a.expansions == b.expansions && b.expansions >= slices);
    CHECK(terrane_navmesh_path_points(sliced, points, 64) == b.points && terrane_navmesh_path_polygons(sliced, polygons, 64) == b.polygons);
    CHECK(close_to(points[0].x, 5, 1e-4) && close_to(points[0].z, 5, 1e-4) && close_to(points[b.points - 1].x, 35, 1e-4));
    CHECK(first == 0 || (first >= 2 && close_to(ready[0].x, 5, 1e-4)));
    for (i = 0; i + 1 < b.points; ++i) CHECK(points[i].x <= points[i + 1].x + 1e-4f);
    options.crossings = 1;
    CHECK(terrane_navmesh_find(planner, at(5, 0, 5), at(35, 0, 5), NULL, &options, sliced, NULL) == TERRANE_OK);
    CHECK(path_info(sliced).points >= b.points && close_to(path_info(sliced).length, b.length, 1e-3));
    strcpy(options.method, "dta");
    CHECK(terrane_navmesh_find(planner, at(5, 0, 5), at(35, 0, 5), NULL, &options, sliced, NULL) == TERRANE_OK);
    CHECK(path_info(sliced).length > kLength - 1 && path_info(sliced).length < 1.5 * kLength); /* from region centre to region centre */
    options.max_expansions = 2;
    CHECK(terrane_navmesh_find(planner, at(5, 0, 5), at(35, 0, 5), NULL, &options, sliced, NULL) == TERRANE_OK);
    CHECK(path_info(sliced).status == TERRANE_BUDGET_SPENT && path_info(sliced).expansions == 2);
    terrane_navmesh_planner_free(planner);
    terrane_navmesh_path_free(whole);
    terrane_navmesh_path_free(sliced);
}

static void test_obstacles(void) {
    terrane_navmesh_options options = {0};
    terrane_navmesh* navmesh;
    terrane_error error = no_error();
    uint32_t first, second, cart, tiles = 99;
    double open;
    options.size = sizeof options;
    options.obstacles = 1;
    navmesh = build(&options, NULL);
    REQUIRE(navmesh != NULL);
    CHECK(info_of(navmesh).takes_obstacles == 1 && terrane_navmesh_up_to_date(navmesh) == 1);
    open = across(navmesh).length;
    CHECK(close_to(open, kLength, 0.8));
    first = terrane_navmesh_add_box(navmesh, at(19, 0, 25), at(21, 2, 31), NULL);
    CHECK(first != 0 && info_of(navmesh).obstacles == 1 && terrane_navmesh_up_to_date(navmesh) == 0);
    CHECK(across(navmesh).length == open); /* until the update */
    CHECK(terrane_navmesh_update(navmesh, 0, &tiles, NULL) == TERRANE_OK && tiles == 0 && terrane_navmesh_up_to_date(navmesh) == 0);
    CHECK(terrane_navmesh_update(navmesh, 1, &tiles, NULL) == TERRANE_OK && tiles == 1);
    CHECK(terrane_navmesh_update(navmesh, TERRANE_UNLIMITED, &tiles, NULL) == TERRANE_OK && tiles >= 1);
    CHECK(terrane_navmesh_up_to_date(navmesh) == 1 && across(navmesh).status == TERRANE_FOUND && across(navmesh).length > open + 10);
    second = terrane_navmesh_add_cylinder(navmesh, at(20, 0, 36), 2.5f, 2, NULL);
    CHECK(second > first && terrane_navmesh_update(navmesh, TERRANE_UNLIMITED, NULL, NULL) == TERRANE_OK);
    CHECK(across(navmesh).status == TERRANE_UNREACHABLE);
    CHECK(terrane_navmesh_remove_obstacle(navmesh, first, NULL) == TERRANE_OK);
    CHECK(terrane_navmesh_remove_obstacle(navmesh, first, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "there is no obstacle 1");
    CHECK(terrane_navmesh_update(navmesh, TERRANE_UNLIMITED, NULL, NULL) == TERRANE_OK && across(navmesh).length == open);
    CHECK(terrane_navmesh_add_cylinder(navmesh, at(20, 0, 36), -1, 2, &error) == 0);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "positive radius");
    CHECK(terrane_navmesh_add_box(navmesh, at(0, 0, 0), at((float)NAN, 1, 1), NULL) == 0);
    CHECK(terrane_navmesh_remove_tile(navmesh, 0, 0, 0, &error) == TERRANE_UNSUPPORTED);
    CHECK_REFUSED(error, TERRANE_UNSUPPORTED, "builds its tiles itself");
    terrane_navmesh_free(navmesh);

    navmesh = build(NULL, NULL);
    cart = terrane_navmesh_add_box(navmesh, at(19, 0, 25), at(21, 2, 31), &error);
    CHECK(cart == 0 && terrane_navmesh_up_to_date(navmesh) == 1);
    CHECK_REFUSED(error, TERRANE_UNSUPPORTED, "takes no obstacles");
    CHECK(terrane_navmesh_update(navmesh, 1, NULL, NULL) == TERRANE_UNSUPPORTED);
    CHECK(terrane_navmesh_remove_obstacle(navmesh, 1, NULL) == TERRANE_UNSUPPORTED);
    terrane_navmesh_free(navmesh);
}

/* A changed area changes the route; the planner of the mesh sees it. */
static void test_areas_change(void) {
    terrane_navmesh* navmesh = build(NULL, NULL);
    terrane_navmesh_filter filter = any_filter();
    const uint64_t version = info_of(navmesh).version;
    const double open = across(navmesh).length;
    const terrane_position low = at(19, -1, 27), high = at(21, 1, 29);
    terrane_error error = no_error();
    uint32_t polygons = 99;
    filter.costs[SWAMP] = 2000;
    CHECK(ask(navmesh, at(5, 0, 5), at(35, 0, 5), &filter).length == open);
    CHECK(terrane_navmesh_set_area(navmesh, low, high, SWAMP, TERRANE_KEEP, &polygons, NULL) == TERRANE_OK);
    CHECK(polygons >= 1 && polygons < 10 && info_of(navmesh).version > version);
    CHECK(ask(navmesh, at(5, 0, 5), at(35, 0, 5), &filter).length > open + 10);
    CHECK(close_to(across(navmesh).length, open, 0.01));
    CHECK(terrane_navmesh_set_area(navmesh, low, high, ROAD, 4, &polygons, NULL) == TERRANE_OK && polygons >= 1);
    filter.exclude_flags = 4;
    CHECK(ask(navmesh, at(5, 0, 5), at(35, 0, 5), &filter).length > open + 10);
    CHECK(terrane_navmesh_set_area(navmesh, low, high, TERRANE_KEEP, 0, NULL, NULL) == TERRANE_OK);
    CHECK(across(navmesh).length > open + 10); /* no agent may enter flags 0 */
    CHECK(terrane_navmesh_set_area(navmesh, at(0, 50, 0), at(40, 60, 40), SWAMP, 1, &polygons, NULL) == TERRANE_OK && polygons == 0);
    CHECK(terrane_navmesh_set_area(navmesh, low, high, 64, 1, NULL, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "invalid area");
    CHECK(terrane_navmesh_set_area(navmesh, low, high, 1, 65536, NULL, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_navmesh_set_area(navmesh, high, low, 1, 1, NULL, NULL) == TERRANE_BAD_VALUE);
    terrane_navmesh_free(navmesh);
}

static void* saved(const terrane_navmesh* navmesh, size_t* size) {
    void* bytes;
    *size = terrane_navmesh_save(navmesh, NULL, 0, NULL);
    REQUIRE(*size > 1000);
    bytes = malloc(*size);
    CHECK(terrane_navmesh_save(navmesh, bytes, *size, NULL) == *size);
    return bytes;
}

static void test_files(void) {
    const char* file = "terrane_navmesh_test.navmesh";
    terrane_navmesh *navmesh = build(NULL, NULL), *copy, *loaded;
    terrane_error error = no_error();
    size_t size, again;
    unsigned char* bytes = saved(navmesh, &size);
    unsigned char* more;
    copy = terrane_navmesh_from_bytes(bytes, size, "copy", NULL);
    REQUIRE(copy != NULL);
    CHECK(across(copy).cost == across(navmesh).cost && info_of(copy).polygons == info_of(navmesh).polygons);
    CHECK(terrane_navmesh_save_file(copy, file, NULL) == TERRANE_OK);
    loaded = terrane_navmesh_load(file, NULL);
    remove(file);
    more = saved(loaded, &again);
    CHECK(again == size && memcmp(bytes, more, size) == 0);
    CHECK(terrane_navmesh_load(file, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_CANNOT_OPEN, file);
    bytes[size / 2] ^= 1;
    CHECK(terrane_navmesh_from_bytes(bytes, size, "copy", &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "copy");
    CHECK(terrane_navmesh_from_bytes(bytes, 5, "copy", &error) == NULL);
    CHECK_REFUSED(error, TERRANE_TRUNCATED, "magic bytes");
    free(bytes);
    free(more);
    terrane_navmesh_free(navmesh);
    terrane_navmesh_free(copy);
    terrane_navmesh_free(loaded);
}

static terrane_navmesh* empty_like(const terrane_navmesh* navmesh, uint32_t max_tiles) {
    const terrane_navmesh_info info = info_of(navmesh);
    terrane_navmesh_params params = {0};
    params.size = sizeof params;
    params.max_tiles = max_tiles;
    params.max_polygons = info.max_polygons;
    params.tile_width = info.tile_width;
    params.tile_height = info.tile_height;
    params.origin = info.origin;
    return terrane_navmesh_new(&params, NULL, NULL);
}

/* Tiles go one by one from one mesh into another. */
static void test_tiles(void) {
    terrane_navmesh *navmesh = build(NULL, NULL), *other = empty_like(navmesh, 4), *small = empty_like(navmesh, 1);
    terrane_navmesh_tile tiles[4], added;
    terrane_navmesh_planner* planner;
    terrane_navmesh_path* path = terrane_navmesh_path_new(NULL);
    terrane_error error = no_error();
    unsigned char* data[4];
    double open;
    size_t i;
    REQUIRE(other != NULL && small != NULL && terrane_navmesh_tiles(navmesh, tiles, 4) == 4);
    CHECK(across(other).status == TERRANE_OUTSIDE_MAP && info_of(other).tiles == 0);
    CHECK(terrane_navmesh_save(other, NULL, 0, &error) == 0);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "no tiles");
    CHECK(terrane_navmesh_save_file(other, "never_written", NULL) == TERRANE_BAD_VALUE);
    for (i = 0; i < 4; ++i) {
        const terrane_navmesh_tile tile = tiles[i];
        data[i] = malloc(tile.bytes);
        CHECK(terrane_navmesh_tile_data(navmesh, tile.x, tile.y, tile.layer, data[i], tile.bytes, NULL) == tile.bytes);
        CHECK(terrane_navmesh_add_tile(other, data[i], tile.bytes, &added, NULL) == TERRANE_OK);
        CHECK(added.x == tile.x && added.y == tile.y && added.layer == tile.layer && added.bytes == tile.bytes);
        CHECK(terrane_navmesh_add_tile(small, data[i], tile.bytes, NULL, &error) == (i == 0 ? TERRANE_OK : TERRANE_TOO_LARGE));
    }
    CHECK_REFUSED(error, TERRANE_TOO_LARGE, "no free tile slot");
    open = across(navmesh).cost;
    CHECK(across(other).cost == open && info_of(other).polygons == info_of(navmesh).polygons);
    CHECK(terrane_navmesh_add_tile(other, data[2], tiles[2].bytes, NULL, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "there already is a tile at 0,1, layer 0");

    planner = terrane_navmesh_planner_new(other, NULL);
    CHECK(terrane_navmesh_begin(planner, at(5, 0, 5), at(35, 0, 5), NULL, NULL, NULL) == TERRANE_OK);
    CHECK(terrane_navmesh_remove_tile(other, 0, 1, 0, NULL) == TERRANE_OK); /* a gap cannot be reached any more */
    CHECK(terrane_navmesh_run(planner, 100) == TERRANE_STALE);
    CHECK(terrane_navmesh_find(planner, at(5, 0, 5), at(35, 0, 5), NULL, NULL, path, NULL) == TERRANE_OK);
    CHECK(path_info(path).status == TERRANE_UNREACHABLE);
    CHECK(terrane_navmesh_remove_tile(other, 0, 1, 0, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "there is no tile at 0,1, layer 0");
    CHECK(terrane_navmesh_tile_data(other, 0, 1, 0, NULL, 0, &error) == 0 && error.code == TERRANE_BAD_VALUE);
    data[2][200] ^= 0x40; /* may be accepted or not */
    terrane_navmesh_add_tile(other, data[2], tiles[2].bytes, NULL, NULL);
    terrane_navmesh_remove_tile(other, 0, 1, 0, NULL);
    data[2][200] ^= 0x40;
    CHECK(terrane_navmesh_add_tile(other, data[2], tiles[2].bytes - 4, NULL, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "does not match its data");
    CHECK(terrane_navmesh_add_tile(other, data[2], tiles[2].bytes, NULL, NULL) == TERRANE_OK && across(other).cost == open);
    for (i = 0; i < 4; ++i) free(data[i]);
    terrane_navmesh_free(navmesh);
    terrane_navmesh_free(small);
    terrane_navmesh_free(other);
    CHECK(terrane_navmesh_find(planner, at(5, 0, 5), at(35, 0, 5), NULL, NULL, path, NULL) == TERRANE_OK); /* it keeps the mesh alive */
    CHECK(path_info(path).cost == open);
    terrane_navmesh_planner_free(planner);
    terrane_navmesh_path_free(path);
}

static void test_what_is_refused(void) {
    terrane_navmesh* navmesh = build(NULL, NULL);
    terrane_navmesh_planner* planner = terrane_navmesh_planner_new(navmesh, NULL);
    terrane_navmesh_path* path = terrane_navmesh_path_new(NULL);
    terrane_navmesh_options options = {0};
    terrane_navmesh_params params = {sizeof params, 4, 64, 20, 20, {0, 0, 0}};
    terrane_navmesh_filter filter = any_filter();
    terrane_navmesh_find_options with = {0};
    terrane_error error = no_error();
    const terrane_position corners[] = {{0, 0, 0}, {0, 0, 9}, {9, 0, 9}};
    const uint32_t corner_indices[] = {0, 1, 2}, wrong_indices[] = {0, 1, 7};
    const uint8_t no_area[] = {77}, blocked[] = {255};
    options.size = sizeof options;
    options.cell_size = -1;
    CHECK(build(&options, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "cell_size");
    options.cell_size = 0;
    strcpy(options.default_area, "nowhere");
    CHECK(build(&options, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_UNKNOWN_NAME, "nowhere");
    CHECK(terrane_navmesh_build(corners, 3, wrong_indices, 1, NULL, NULL, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "vertex index");
    CHECK(terrane_navmesh_build(corners, 3, corner_indices, 1, no_area, NULL, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "not in the catalogue");
    CHECK(terrane_navmesh_build(corners, 3, corner_indices, 1, blocked, NULL, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "no walkable surface");
    CHECK(terrane_navmesh_build(corners, 3, corner_indices, 1, NULL, "area mud\n", NULL, &error) == NULL && error.line == 1);
    CHECK(terrane_navmesh_build(corners, 3, corner_indices, SIZE_MAX / 4, NULL, NULL, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_TOO_LARGE, "triangles");
    params.max_tiles = 65536;
    params.max_polygons = 128;
    CHECK(terrane_navmesh_new(&params, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "22 bits");
    params.tile_width = 0;
    CHECK(terrane_navmesh_new(&params, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "invalid mesh parameters");
    CHECK(terrane_navmesh_find(planner, at((float)NAN, 0, 0), at(1, 0, 1), NULL, NULL, path, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "finite");
    filter.costs[3] = 65001;
    CHECK(terrane_navmesh_find(planner, at(1, 0, 1), at(1, 0, 1), &filter, NULL, path, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "cost of area 3");
    filter.costs[3] = 0;
    filter.include_flags = 65536;
    CHECK(terrane_navmesh_find(planner, at(1, 0, 1), at(1, 0, 1), &filter, NULL, path, NULL) == TERRANE_BAD_VALUE);
    with.size = sizeof with;
    with.extents.x = with.extents.z = 1e9f;
    CHECK(terrane_navmesh_find(planner, at(1, 0, 1), at(1, 0, 1), NULL, &with, path, &error) == TERRANE_TOO_LARGE);
    CHECK_REFUSED(error, TERRANE_TOO_LARGE, "million tiles");
    with.extents.x = -1;
    CHECK(terrane_navmesh_find(planner, at(1, 0, 1), at(1, 0, 1), NULL, &with, path, NULL) == TERRANE_BAD_VALUE);
    with.extents.x = with.extents.z = 0;
    strcpy(with.method, "astar");
    CHECK(terrane_navmesh_find(planner, at(1, 0, 1), at(1, 0, 1), NULL, &with, path, &error) == TERRANE_UNKNOWN_NAME);
    CHECK(path_info(path).status == TERRANE_NOT_ASKED); /* failed calls left it unchanged */
    terrane_navmesh_free(navmesh);
    terrane_navmesh_planner_free(planner);
    terrane_navmesh_path_free(path);
}

static void test_methods(void) {
    const uint32_t count = terrane_navmesh_method_count();
    uint32_t i;
    CHECK(count >= 1);
    for (i = 0; i < count; ++i) CHECK(terrane_navmesh_method_usage(i) != NULL && terrane_navmesh_method_summary(i) != NULL);
    CHECK(terrane_navmesh_method_usage(count) == NULL && terrane_navmesh_method_summary(count) == NULL);
}

static void test_a_build_without_them(void) {
    terrane_error error = no_error();
    CHECK(build(NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_UNSUPPORTED, "this build has no navigation meshes");
    CHECK(terrane_navmesh_path_new(NULL) == NULL && terrane_navmesh_method_count() == 0);
}

int main(void) {
    if (!terrane_navmesh_supported()) {
        test_a_build_without_them();
        puts("skipped: this build has no navigation meshes");
        return check_failures == 0 ? MISSING : 1;
    }
    test_methods();
    test_info();
    test_paths();
    test_profiles();
    test_slices();
    test_obstacles();
    test_areas_change();
    test_files();
    test_tiles();
    test_what_is_refused();
    return check_failures == 0 ? 0 : 1;
}
