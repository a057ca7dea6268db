/* Paths in C. */
#include "check.h"

static terrane_path_info info_of(const terrane_path* path) {
    terrane_path_info info = {0};
    info.size = sizeof info;
    terrane_path_get_info(path, &info, NULL);
    return info;
}

/* A map with a wall that has a gap at the bottom, a planner and a path. */
typedef struct fixture {
    terrane_world* world;
    terrane_profile* profile;
    terrane_planner* planner;
    terrane_path* path;
} fixture;

static fixture set_up(void) {
    fixture b;
    b.world = drawn_world(7,
                          "...#..."
                          "...#..."
                          "...#..."
                          ".......",
                          NULL);
    b.profile = obstacle_profile();
    b.planner = terrane_planner_new(b.world, NULL);
    b.path = terrane_path_new(NULL);
    REQUIRE(b.world != NULL && b.profile != NULL && b.planner != NULL && b.path != NULL);
    return b;
}

static void tear_down(fixture b) {
    terrane_path_free(b.path);
    terrane_planner_free(b.planner);
    terrane_profile_free(b.profile);
    terrane_world_free(b.world);
}

static void test_found(void) {
    fixture b = set_up();
    terrane_cell cells[16];
    CHECK(info_of(b.path).cells == 0 && info_of(b.path).status == TERRANE_NOT_ASKED &&
          terrane_run(b.planner, TERRANE_UNLIMITED) == TERRANE_NOT_ASKED);
    CHECK(terrane_find(b.planner, cell(0, 3), cell(3, 3), b.profile, NULL, b.path, NULL) == TERRANE_OK);
    CHECK(info_of(b.path).status == TERRANE_FOUND && info_of(b.path).cost == 3 * TERRANE_COST_PER_UNIT && info_of(b.path).cells == 4);
    CHECK(info_of(b.path).first > 0 && info_of(b.path).first <= 4 && info_of(b.path).polyline_points == 0);
    cells[2].x = 77;
    CHECK(terrane_path_cells(b.path, cells, 2) == 4 && cells[0].x == 0 && cells[0].y == 3 && cells[1].x == 1 && cells[2].x == 77);
    CHECK(terrane_path_cells(b.path, NULL, 0) == 4);
    CHECK(terrane_find(b.planner, cell(2, 2), cell(2, 2), b.profile, NULL, b.path, NULL) == TERRANE_OK);
    CHECK(info_of(b.path).status == TERRANE_FOUND && info_of(b.path).cost == 0 && info_of(b.path).cells == 1);
    tear_down(b);
}

static void test_not_found(void) {
    fixture b = set_up();
    terrane_find_options options = by("astar");
    CHECK(terrane_find(b.planner, cell(3, 0), cell(0, 0), b.profile, NULL, b.path, NULL) == TERRANE_OK);
    CHECK(info_of(b.path).status == TERRANE_BLOCKED_START);
    CHECK(terrane_find(b.planner, cell(0, 0), cell(3, 0), b.profile, NULL, b.path, NULL) == TERRANE_OK);
    CHECK(info_of(b.path).status == TERRANE_BLOCKED_GOAL && terrane_path_cells(b.path, NULL, 0) == 0);
    CHECK(terrane_find(b.planner, cell(0, 0), cell(7, 0), b.profile, NULL, b.path, NULL) == TERRANE_OK);
    CHECK(info_of(b.path).status == TERRANE_OUTSIDE_MAP);
    CHECK(terrane_find(b.planner, cell(-2147483647 - 1, 2147483647), cell(0, 0), b.profile, &options, b.path, NULL) == TERRANE_OK);
    CHECK(info_of(b.path).status == TERRANE_OUTSIDE_MAP);
    terrane_world_fill(b.world, rect(3, 0, 1, 4), BLACK, NULL, NULL);
    CHECK(terrane_find(b.planner, cell(0, 0), cell(6, 0), b.profile, NULL, b.path, NULL) == TERRANE_OK);
    CHECK(info_of(b.path).status == TERRANE_UNREACHABLE);
    options.nearest = 1;
    CHECK(terrane_find(b.planner, cell(0, 0), cell(6, 0), b.profile, &options, b.path, NULL) == TERRANE_OK);
    CHECK(info_of(b.path).status == TERRANE_PARTIAL && info_of(b.path).cells == 3);
    options.nearest = 0;
    options.max_expansions = 1;
    CHECK(terrane_find(b.planner, cell(0, 0), cell(0, 3), b.profile, &options, b.path, NULL) == TERRANE_OK);
    CHECK(info_of(b.path).status == TERRANE_BUDGET_SPENT);
    tear_down(b);
}

static void test_what_is_refused(void) {
    fixture b = set_up();
    terrane_find_options options = by("bird");
    terrane_error error = no_error();
    terrane_profile* strange = terrane_profile_new(NULL, NULL);
    terrane_profile_cost(strange, "cheese", 0);
    CHECK(terrane_find(b.planner, cell(0, 3), cell(3, 3), b.profile, NULL, b.path, NULL) == TERRANE_OK);
    CHECK(terrane_find(b.planner, cell(0, 0), cell(1, 0), b.profile, &options, b.path, &error) == TERRANE_UNKNOWN_NAME);
    CHECK_REFUSED(error, TERRANE_UNKNOWN_NAME, "bird");
    memset(options.method, 'a', sizeof options.method); /* not terminated */
    CHECK(terrane_find(b.planner, cell(0, 0), cell(1, 0), b.profile, &options, b.path, &error) == TERRANE_UNKNOWN_NAME);
    options = by("astar");
    options.movement = 77;
    CHECK(terrane_find(b.planner, cell(0, 0), cell(1, 0), b.profile, &options, b.path, NULL) == TERRANE_BAD_VALUE);
    options.movement = 0;
    options.bound = 0.5;
    CHECK(terrane_begin(b.planner, cell(0, 0), cell(1, 0), b.profile, &options, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_find(b.planner, cell(0, 0), cell(1, 0), strange, NULL, b.path, &error) == TERRANE_UNKNOWN_NAME);
    CHECK(terrane_find(NULL, cell(0, 0), cell(1, 0), b.profile, NULL, b.path, NULL) != TERRANE_OK);
    CHECK(terrane_find(b.planner, cell(0, 0), cell(1, 0), NULL, NULL, b.path, NULL) != TERRANE_OK);
    CHECK(terrane_find(b.planner, cell(0, 0), cell(1, 0), b.profile, NULL, NULL, NULL) != TERRANE_OK);
    CHECK(terrane_begin(NULL, cell(0, 0), cell(1, 0), b.profile, NULL, NULL) != TERRANE_OK);
    CHECK(info_of(b.path).cells == 4); /* unchanged */
    CHECK(terrane_planner_new(NULL, NULL) == NULL);
    terrane_profile_free(strange);
    tear_down(b);
}

/* The result does not depend on the slicing, and ready cells do not change. */
static void test_slices(void) {
    static const char* const methods[] = {"astar", "nbs", "dta:16", "dta:16+smooth", ""};
    fixture b = set_up();
    terrane_path* whole = terrane_path_new(NULL);
    size_t m;
    for (m = 0; m < 5; ++m) {
        const terrane_find_options options = by(methods[m]);
        terrane_cell ready[32], cells[32];
        size_t known = 0, count;
        int runs = 0;
        CHECK(terrane_find(b.planner, cell(0, 0), cell(6, 0), b.profile, &options, whole, NULL) == TERRANE_OK);
        CHECK(terrane_begin(b.planner, cell(0, 0), cell(6, 0), b.profile, &options, NULL) == TERRANE_OK);
        while (terrane_run(b.planner, 1) == TERRANE_BUDGET_SPENT && ++runs < 1000) known = terrane_ready(b.planner, ready, 32);
        CHECK(terrane_run(b.planner, TERRANE_UNLIMITED) == TERRANE_FOUND); /* final */
        terrane_take(b.planner, b.path, NULL);
        count = terrane_path_cells(b.path, cells, 32);
        REQUIRE(count == terrane_path_cells(whole, NULL, 0) && count <= 32 && known <= count);
        CHECK(memcmp(ready, cells, known * sizeof cells[0]) == 0);
        CHECK(info_of(b.path).cost == info_of(whole).cost && info_of(b.path).expansions == info_of(whole).expansions);
        CHECK(terrane_ready(b.planner, NULL, 0) == count);
    }
    CHECK(terrane_run(NULL, 5) == TERRANE_NOT_ASKED && terrane_ready(NULL, NULL, 0) == 0);
    CHECK(terrane_take(NULL, b.path, NULL) == TERRANE_BAD_VALUE && terrane_take(b.planner, NULL, NULL) == TERRANE_BAD_VALUE);
    terrane_path_free(whole);
    tear_down(b);
}

/* The cost of a path by each movement rule. */
static void test_movement(void) {
    fixture b = set_up();
    static const uint64_t costs[3] = {2 * 1393 * 200 + 1 * 985 * 200, 2 * 1393 * 200 + 1 * 985 * 200, 5 * 985 * 200};
    uint32_t movement;
    for (movement = 0; movement < 3; ++movement) {
        terrane_find_options options = by("astar");
        options.movement = movement;
        CHECK(terrane_find(b.planner, cell(0, 0), cell(2, 3), b.profile, &options, b.path, NULL) == TERRANE_OK);
        CHECK(info_of(b.path).cost == costs[movement] && info_of(b.path).bound == 1);
    }
    tear_down(b);
}

static void test_any_angle_path(void) {
    fixture b = set_up();
    const terrane_find_options options = by("astar+any_angle");
    terrane_point polyline[8];
    CHECK(terrane_find(b.planner, cell(0, 0), cell(2, 3), b.profile, &options, b.path, NULL) == TERRANE_OK);
    REQUIRE(info_of(b.path).polyline_points >= 2 && info_of(b.path).polyline_points <= 8);
    CHECK(terrane_path_polyline(b.path, polyline, 8) == info_of(b.path).polyline_points &&
          terrane_path_polyline(b.path, NULL, 0) == info_of(b.path).polyline_points);
    CHECK(polyline[0].x == 0.5 && polyline[0].y == 0.5 && info_of(b.path).polyline_cost > 0);
    tear_down(b);
}

static void test_validity(void) {
    fixture b = set_up();
    CHECK(terrane_find(b.planner, cell(0, 3), cell(6, 3), b.profile, NULL, b.path, NULL) == TERRANE_OK);
    CHECK(terrane_path_valid(b.path, b.world) == 1);
    terrane_world_fill(b.world, rect(4, 3, 1, 1), BLACK, NULL, NULL);
    CHECK(terrane_path_valid(b.path, b.world) == 0);
    CHECK(strcmp(terrane_path_method(b.path), "") != 0);
    CHECK(terrane_path_valid(NULL, b.world) == 0 && terrane_path_valid(b.path, NULL) == 0);
    tear_down(b);
}

static void test_heat_and_trace(void) {
    fixture b = set_up();
    const terrane_find_options options = by("dijkstra");
    uint32_t heat[7 * 4] = {0};
    uint64_t sum = 0;
    size_t i, length;
    char* text;
    CHECK(terrane_planner_trace_text(b.planner, NULL, 0) == 0);
    terrane_planner_heat(b.planner, heat);
    terrane_planner_trace(b.planner, 1);
    CHECK(terrane_find(b.planner, cell(0, 0), cell(6, 0), b.profile, &options, b.path, NULL) == TERRANE_OK);
    for (i = 0; i < 7 * 4; ++i) sum += heat[i];
    CHECK(sum == info_of(b.path).expansions && heat[0] == 1 && heat[3] == 0);
    length = terrane_planner_trace_text(b.planner, NULL, 0);
    REQUIRE(length > 100);
    text = malloc(length + 1);
    text[length] = 0;
    CHECK(terrane_planner_trace_text(b.planner, text, length) == length && strstr(text, "expand") != NULL);
    text[10] = 77;
    CHECK(terrane_planner_trace_text(b.planner, text, 10) == length && text[10] == 77);
    free(text);
    terrane_planner_heat(b.planner, NULL);
    terrane_planner_trace(b.planner, 0);
    CHECK(terrane_find(b.planner, cell(0, 0), cell(6, 0), b.profile, &options, b.path, NULL) == TERRANE_OK);
    CHECK(terrane_planner_trace_text(b.planner, NULL, 0) == 0);
    terrane_planner_heat(NULL, heat);
    terrane_planner_trace(NULL, 1);
    CHECK(terrane_planner_trace_text(NULL, NULL, 0) == 0);
    tear_down(b);
}

static void test_texts(void) {
    CHECK_TEXT(terrane_status_text(TERRANE_FOUND), "found");
    CHECK_TEXT(terrane_status_text(TERRANE_NOT_ASKED), "not asked");
    CHECK(terrane_status_text(TERRANE_BUDGET_SPENT) != NULL && terrane_status_text(TERRANE_UNSUPPORTED_MOVEMENT + 1) == NULL &&
          terrane_status_text(-2) == NULL);
}

static void test_nothing(void) {
    fixture b = set_up();
    CHECK(info_of(NULL).cells == 0 && info_of(NULL).status == TERRANE_NOT_ASKED);
    CHECK(terrane_path_cells(NULL, NULL, 0) == 0 && terrane_path_polyline(NULL, NULL, 0) == 0);
    terrane_path_free(NULL);
    terrane_planner_free(NULL);
    tear_down(b);
}

int main(void) {
    test_found();
    test_not_found();
    test_what_is_refused();
    test_slices();
    test_movement();
    test_any_angle_path();
    test_validity();
    test_heat_and_trace();
    test_texts();
    test_nothing();
    return check_failures == 0 ? 0 : 1;
}
