/* Weighted regions in C. */
#include <math.h>

#include "check.h"

static const char* const kTwoSquares =
    "{\"vertices\": [[-1, 0], [1, 0], [1, 2], [-1, 2], [3, 0], [3, 2]],"
    " \"polygons\": [{\"corners\": [0, 1, 2, 3], \"cost\": 1}, {\"corners\": [1, 4, 5, 2], \"cost\": 2}]}";

static terrane_subdivision* two_squares(void) { return terrane_subdivision_from_bytes(kTwoSquares, strlen(kTwoSquares), NULL, NULL); }

static terrane_subdivision_path_info info_of(const terrane_subdivision_path* path) {
    terrane_subdivision_path_info info = {0};
    info.size = sizeof info;
    terrane_subdivision_path_get_info(path, &info, NULL);
    return info;
}

static terrane_subdivision_info subdivision_info(const terrane_subdivision* subdivision) {
    terrane_subdivision_info info = {0};
    info.size = sizeof info;
    terrane_subdivision_get_info(subdivision, &info, NULL);
    return info;
}

static void test_methods(void) {
    const uint32_t count = terrane_subdivision_method_count();
    uint32_t i;
    CHECK(count >= 5);
    for (i = 0; i < count; ++i) CHECK(terrane_subdivision_method_usage(i) != NULL && terrane_subdivision_method_summary(i) != NULL);
    CHECK(terrane_subdivision_method_usage(count) == NULL && terrane_subdivision_method_summary(count) == NULL);
}

static void test_generated(void) {
    terrane_subdivision_generator options = {sizeof options, 50, 2, 3, 20, 7, 600, 300};
    terrane_subdivision* defaults = terrane_subdivision_voronoi(NULL, NULL);
    terrane_subdivision* chosen = terrane_subdivision_voronoi(&options, NULL);
    uint32_t i, blocked = 0;
    REQUIRE(defaults != NULL && chosen != NULL);
    CHECK(subdivision_info(defaults).regions == 24 && subdivision_info(defaults).width == 600 && subdivision_info(defaults).height == 600);
    CHECK(subdivision_info(defaults).x == 0 && subdivision_info(defaults).y == 0);
    CHECK(subdivision_info(chosen).regions == 50 && subdivision_info(chosen).width == 600 && subdivision_info(chosen).height == 300);
    for (i = 0; i < 50; ++i) {
        const double cost = terrane_subdivision_cost(chosen, i);
        blocked += cost == 0 ? 1 : 0;
        CHECK(cost == 0 || cost == 2 || cost == 3);
        CHECK(terrane_subdivision_polygon(chosen, i, NULL, 0) >= 3);
    }
    CHECK(blocked > 2 && blocked < 25);
    terrane_subdivision_free(defaults);
    terrane_subdivision_free(chosen);
}

/* A road of cost 1 through trees of cost 3, and water: the path crosses the trees straight, from the road's end at x 3. */
static void test_from_a_world(void) {
    terrane_world* world = drawn_world(6,
                                       "tttttt"
                                       "rrrttt"
                                       "tttttt"
                                       "wwwwww",
                                       NULL);
    terrane_profile* profile = terrane_profile_new("test", NULL);
    terrane_subdivision_path* path = terrane_subdivision_path_new(NULL);
    terrane_subdivision* subdivision;
    terrane_error error = no_error();
    terrane_profile_cost(profile, "trees", 300);
    terrane_profile_cost(profile, "deep_water", 0);
    subdivision = terrane_subdivision_from_world(world, profile, 0, NULL);
    REQUIRE(subdivision != NULL);
    CHECK(subdivision_info(subdivision).width == 6 && subdivision_info(subdivision).height == 4);
    CHECK(terrane_subdivision_cost(subdivision, (uint32_t)terrane_subdivision_region_at(subdivision, 1.5, 1.5)) == 1);
    CHECK(terrane_subdivision_cost(subdivision, (uint32_t)terrane_subdivision_region_at(subdivision, 4.5, 1.5)) == 3);
    CHECK(terrane_subdivision_cost(subdivision, (uint32_t)terrane_subdivision_region_at(subdivision, 4.5, 3.5)) == 0);
    CHECK(terrane_subdivision_find(subdivision, point(0.5, 1.5), point(5.5, 1.5), NULL, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_FOUND && fabs(info_of(path).cost - (2.5 + 3 * 2.5)) < 1e-6);
    CHECK(terrane_subdivision_find(subdivision, point(0.5, 1.5), point(0.5, 3.5), NULL, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_BLOCKED_GOAL);
    CHECK(terrane_subdivision_from_world(world, profile, -1, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "tolerance");
    terrane_profile_cost(profile, "no_such_terrain", 100);
    CHECK(terrane_subdivision_from_world(world, profile, 0, &error) == NULL && error.message[0] != 0);
    terrane_world_free(world);
    terrane_profile_free(profile);
    terrane_subdivision_free(subdivision);
    terrane_subdivision_path_free(path);
}

static void test_what_is_refused(void) {
    terrane_subdivision_generator options = {sizeof options, 200000, 0, 0, 0, 0, 0, 0};
    terrane_error error = no_error();
    CHECK(terrane_subdivision_voronoi(&options, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_TOO_LARGE, "100000");
    options.regions = 5;
    options.width = -3;
    CHECK(terrane_subdivision_voronoi(&options, &error) == NULL && error.code == TERRANE_BAD_VALUE);
    options.width = NAN;
    CHECK(terrane_subdivision_voronoi(&options, NULL) == NULL);
    options.width = 0;
    options.min_cost = 9;
    CHECK(terrane_subdivision_voronoi(&options, &error) == NULL && error.code == TERRANE_BAD_VALUE);
    options.min_cost = 0;
    options.blocked = 101;
    CHECK(terrane_subdivision_voronoi(&options, &error) == NULL && error.code == TERRANE_BAD_VALUE);
    CHECK(terrane_subdivision_from_bytes("{", 1, "hills.json", &error) == NULL);
    CHECK(error.code != TERRANE_OK && strstr(error.message, "hills.json") != NULL);
    CHECK(terrane_subdivision_from_bytes(NULL, 0, NULL, NULL) == NULL);
    CHECK(terrane_subdivision_from_bytes(NULL, 5, NULL, NULL) == NULL);
}

static void test_nothing_given(void) {
    terrane_error error = no_error();
    terrane_subdivision_path* path = terrane_subdivision_path_new(NULL);
    terrane_subdivision_free(NULL);
    terrane_subdivision_path_free(NULL);
    CHECK(subdivision_info(NULL).regions == 0);
    CHECK(terrane_subdivision_polygon(NULL, 0, NULL, 0) == 0 && terrane_subdivision_cost(NULL, 0) == 0 &&
          terrane_subdivision_region_at(NULL, 0, 0) == -1);
    CHECK(terrane_subdivision_set_cost(NULL, 0, 1, &error) == TERRANE_BAD_VALUE);
    CHECK(terrane_subdivision_find(NULL, point(0, 0), point(1, 1), NULL, path, NULL) == TERRANE_BAD_VALUE);
    CHECK(info_of(NULL).points == 0 && terrane_subdivision_path_points(NULL, NULL, 0) == 0 &&
          terrane_subdivision_path_crossings(NULL, NULL, 0) == 0);
    CHECK(info_of(path).status != TERRANE_FOUND && info_of(path).points == 0); /* no query has run */
    terrane_subdivision_path_free(path);
}

static void test_regions(void) {
    terrane_subdivision* subdivision = two_squares();
    terrane_point corners[4];
    REQUIRE(subdivision != NULL);
    CHECK(subdivision_info(subdivision).regions == 2 && subdivision_info(subdivision).x == -1 && subdivision_info(subdivision).width == 4 &&
          subdivision_info(subdivision).height == 2);
    corners[2].x = 77;
    CHECK(terrane_subdivision_polygon(subdivision, 1, corners, 2) == 4);
    CHECK(corners[0].x == 1 && corners[0].y == 0 && corners[1].x == 3 && corners[2].x == 77);
    CHECK(terrane_subdivision_polygon(subdivision, 2, corners, 4) == 0);
    CHECK(terrane_subdivision_cost(subdivision, 1) == 2 && terrane_subdivision_cost(subdivision, 2) == 0);
    CHECK(terrane_subdivision_region_at(subdivision, 0, 1) == 0 && terrane_subdivision_region_at(subdivision, 2, 1) == 1);
    CHECK(terrane_subdivision_region_at(subdivision, 4, 1) == -1 && terrane_subdivision_region_at(subdivision, NAN, 1) == -1);
    terrane_subdivision_free(subdivision);
}

static void test_costs_can_be_set(void) {
    terrane_subdivision* subdivision = two_squares();
    terrane_subdivision_path* path = terrane_subdivision_path_new(NULL);
    terrane_error error = no_error();
    CHECK(terrane_subdivision_set_cost(subdivision, 1, 0.25, NULL) == TERRANE_OK && terrane_subdivision_cost(subdivision, 1) == 0.25);
    CHECK(terrane_subdivision_find(subdivision, point(0, 1), point(2, 1), "brep+newton", path, NULL) == TERRANE_OK);
    CHECK(fabs(info_of(path).cost - 1.25) < 1e-12);
    CHECK(terrane_subdivision_set_cost(subdivision, 1, -1, &error) == TERRANE_BAD_VALUE &&
          terrane_subdivision_set_cost(subdivision, 1, NAN, NULL) != TERRANE_OK);
    CHECK(terrane_subdivision_set_cost(subdivision, 1, INFINITY, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_subdivision_set_cost(subdivision, 2, 1, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "region 2");
    CHECK(terrane_subdivision_cost(subdivision, 1) == 0.25);
    CHECK(terrane_subdivision_set_cost(subdivision, 1, 0, NULL) == TERRANE_OK && terrane_subdivision_cost(subdivision, 1) == 0);
    CHECK(terrane_subdivision_find(subdivision, point(0, 1), point(2, 1), "", path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_BLOCKED_GOAL && info_of(path).points == 0 && info_of(path).bound == 0);
    CHECK(terrane_subdivision_path_crossings(path, NULL, 0) == 0);
    terrane_subdivision_path_free(path);
    terrane_subdivision_free(subdivision);
}

static void test_paths(void) {
    terrane_subdivision* subdivision = two_squares();
    terrane_subdivision_path* path = terrane_subdivision_path_new(NULL);
    terrane_error error = no_error();
    terrane_point points[8];
    CHECK(terrane_subdivision_find(subdivision, point(0, 1), point(2, 1), NULL, path, &error) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_FOUND && fabs(info_of(path).cost - 3) < 1e-12);
    CHECK(info_of(path).bound >= 1 && info_of(path).bound < 1.00001);
    CHECK(info_of(path).points >= 2 && info_of(path).points <= 8);
    CHECK(terrane_subdivision_path_points(path, NULL, 0) == info_of(path).points);
    points[1].x = 77;
    CHECK(terrane_subdivision_path_points(path, points, 1) == info_of(path).points && points[0].x == 0 && points[1].x == 77);
    CHECK(terrane_subdivision_find(subdivision, point(0, 1), point(0, 1), NULL, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_FOUND && info_of(path).cost == 0 && info_of(path).bound == 1);
    CHECK(terrane_subdivision_find(subdivision, point(0, 1), point(9, 1), NULL, path, NULL) == TERRANE_OK &&
          info_of(path).status == TERRANE_OUTSIDE_MAP);
    CHECK(terrane_subdivision_find(subdivision, point(0, 1), point(2, 1), NULL, path, NULL) == TERRANE_OK);
    CHECK(terrane_subdivision_find(subdivision, point(0, 1), point(2, 1), "walk", path, &error) == TERRANE_UNKNOWN_NAME);
    CHECK_REFUSED(error, TERRANE_UNKNOWN_NAME, "brep");
    CHECK(terrane_subdivision_find(subdivision, point(0, 1), point(2, 1), "grid:0.00001", path, &error) == TERRANE_TOO_LARGE);
    CHECK(terrane_subdivision_find(subdivision, point(0, 1), point(2, 1), NULL, NULL, NULL) == TERRANE_BAD_VALUE);
    CHECK(info_of(path).status == TERRANE_FOUND && fabs(info_of(path).cost - 3) < 1e-12); /* unchanged */
    terrane_subdivision_path_free(path);
    terrane_subdivision_free(subdivision);
}

/* Crossings satisfy Snell's law while costs change. */
static void test_snell(void) {
    terrane_subdivision* subdivision = terrane_subdivision_voronoi(NULL, NULL);
    terrane_subdivision_path* path = terrane_subdivision_path_new(NULL);
    terrane_crossing crossings[64];
    size_t bends = 0;
    int step;
    for (step = 1; step <= 40; ++step) {
        size_t count, i;
        CHECK(terrane_subdivision_set_cost(subdivision, (uint32_t)step % 24, 0.25 * step, NULL) == TERRANE_OK);
        CHECK(terrane_subdivision_find(subdivision, point(12, 18), point(588, 570), NULL, path, NULL) == TERRANE_OK);
        count = terrane_subdivision_path_crossings(path, crossings, 64);
        REQUIRE(count <= 64);
        for (i = 0; i < count; ++i) {
            const terrane_crossing* c = &crossings[i];
            CHECK(c->cost_from != c->cost_to && (i == 0 || crossings[i - 1].cost_to == c->cost_from));
            if (c->normal.x == 0 && c->normal.y == 0) continue;
            CHECK(fabs(c->cost_from * sin(c->angle_from) - c->cost_to * sin(c->angle_to)) < 1e-6);
            CHECK(fabs(c->normal.x * c->normal.x + c->normal.y * c->normal.y - 1) < 1e-12);
            ++bends;
        }
        if (count > 0) CHECK(terrane_subdivision_path_crossings(path, crossings, 1) == count);
    }
    CHECK(bends > 100);
    terrane_subdivision_path_free(path);
    terrane_subdivision_free(subdivision);
}

int main(void) {
    terrane_error error = no_error();
    terrane_subdivision_free(terrane_subdivision_from_bytes("{}", 2, NULL, &error));
    if (error.code == TERRANE_UNSUPPORTED) return printf("skipped: a build without JSON\n"), 77;
    test_methods();
    test_generated();
    test_from_a_world();
    test_what_is_refused();
    test_nothing_given();
    test_regions();
    test_costs_can_be_set();
    test_paths();
    test_snell();
    return check_failures == 0 ? 0 : 1;
}
