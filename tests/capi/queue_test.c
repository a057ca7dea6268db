/* Request queues in C: the answers are those of terrane_find, whatever the budgets, priorities and number of searches. */
#include "random_map.h"

static terrane_queue* new_queue(const terrane_world* world, uint32_t searches) {
    terrane_queue_options options = {0};
    terrane_queue* queue;
    options.size = sizeof options;
    options.searches = searches;
    queue = terrane_queue_new(world, &options, NULL);
    REQUIRE(queue != NULL);
    return queue;
}

/* Whether two paths are equal in all that a caller sees. */
static int same_path(const terrane_path* a, const terrane_path* b) {
    static terrane_cell cells[2][4096];
    const terrane_path_info i = info_of(a), j = info_of(b);
    const size_t count = terrane_path_cells(a, cells[0], 4096);
    terrane_path_cells(b, cells[1], 4096);
    return i.status == j.status && i.cost == j.cost && i.bound == j.bound && i.expansions == j.expansions &&
           i.expansions_first == j.expansions_first && i.version == j.version && i.cells == j.cells && i.first == j.first &&
           strcmp(terrane_path_method(a), terrane_path_method(b)) == 0 && memcmp(cells[0], cells[1], count * sizeof cells[0][0]) == 0;
}

enum { REQUESTS = 24, SIDE = 70 };

static void answers_are_those_of_find(void) {
    static const char* const kMethods[] = {"astar", "", "dta:16+trim+smooth", "wastar:2"};
    static const uint32_t kBudgets[] = {1, 37, TERRANE_UNLIMITED};
    uint32_t random = 11, round, i, found = 0;
    terrane_profile* profile = terrain_profile();
    terrane_world* world = random_world(SIDE, SIDE, &random);
    terrane_planner* planner = terrane_planner_new(world, NULL);
    terrane_path *path = terrane_path_new(NULL), *taken = terrane_path_new(NULL);
    for (round = 0; round < 9; ++round) {
        terrane_queue* queue = new_queue(world, round % 3);
        terrane_cell ends[REQUESTS][2];
        terrane_find_options options[REQUESTS];
        uint64_t ids[REQUESTS];
        for (i = 0; i < REQUESTS; ++i) {
            ends[i][0] = random_cell(&random, SIDE, SIDE);
            ends[i][1] = random_cell(&random, SIDE, SIDE);
            options[i] = by(kMethods[i % 4]);
            options[i].movement = i % 3;
            options[i].nearest = i % 5 == 0;
            ids[i] = terrane_queue_add(queue, ends[i][0], ends[i][1], profile, &options[i], (int32_t)random_below(&random, 5) - 2, NULL);
            CHECK(ids[i] != 0);
            if (i % 6 == 0) terrane_queue_run(queue, 50); /* some searches begin, and are paused by the next requests */
        }
        while (terrane_queue_waiting(queue) > 0) {
            const uint64_t spent = terrane_queue_run(queue, kBudgets[round / 3]);
            CHECK(spent > 0 && (kBudgets[round / 3] == TERRANE_UNLIMITED || spent <= kBudgets[round / 3]));
        }
        CHECK(terrane_queue_run(queue, TERRANE_UNLIMITED) == 0);
        for (i = 0; i < REQUESTS; ++i) {
            CHECK(terrane_find(planner, ends[i][0], ends[i][1], profile, &options[i], path, NULL) == TERRANE_OK);
            CHECK(terrane_queue_done(queue, ids[i]) == 1 && terrane_queue_status(queue, ids[i]) == info_of(path).status);
            if (info_of(path).status == TERRANE_FOUND) CHECK(terrane_queue_ready(queue, ids[i], NULL, 0) == info_of(path).cells);
            CHECK(terrane_queue_take(queue, ids[i], taken, NULL) == TERRANE_OK);
            CHECK(same_path(path, taken));
            CHECK(terrane_path_valid(taken, world) == 1);
            found += info_of(path).status == TERRANE_FOUND ? 1 : 0;
        }
        terrane_queue_free(queue);
    }
    CHECK(found > 50);
    terrane_path_free(taken);
    terrane_path_free(path);
    terrane_planner_free(planner);
    terrane_world_free(world);
    terrane_profile_free(profile);
}

static void the_most_urgent_comes_first_then_the_oldest(void) {
    enum { COUNT = 5 };
    static const int32_t kPriorities[COUNT] = {-1, 0, 0, 2147483647, 0};
    static const int kExpected[COUNT] = {3, 1, 2, 4, 0};
    terrane_world* world = drawn_world(40, "........................................", NULL);
    terrane_profile* profile = obstacle_profile();
    terrane_queue* queue = terrane_queue_new(world, NULL, NULL);
    uint64_t ids[COUNT];
    int order[COUNT], answered = 0, seen[COUNT] = {0}, i;
    for (i = 0; i < COUNT; ++i) ids[i] = terrane_queue_add(queue, cell(0, 0), cell(39, 0), profile, NULL, kPriorities[i], NULL);
    CHECK(terrane_queue_waiting(queue) == COUNT);
    while (terrane_queue_waiting(queue) > 0) {
        CHECK(terrane_queue_run(queue, 1) == 1);
        for (i = 0; i < COUNT; ++i) {
            if (seen[i] || !terrane_queue_done(queue, ids[i])) continue;
            seen[i] = 1;
            order[answered++] = i;
        }
    }
    REQUIRE(answered == COUNT);
    for (i = 0; i < COUNT; ++i) CHECK(order[i] == kExpected[i]);
    terrane_queue_free(queue);
    terrane_profile_free(profile);
    terrane_world_free(world);
}

static void only_known_requests_have_answers(void) {
    terrane_world* world = drawn_world(40, "........................................", NULL);
    terrane_profile* profile = obstacle_profile();
    terrane_queue* queue = terrane_queue_new(world, NULL, NULL);
    terrane_path* path = terrane_path_new(NULL);
    terrane_error error = no_error();
    const terrane_find_options options = by("astar");
    uint64_t first, second, third;
    const uint64_t bytes = terrane_queue_bytes(queue);
    first = terrane_queue_add(queue, cell(0, 0), cell(39, 0), profile, &options, 0, NULL);
    second = terrane_queue_add(queue, cell(0, 0), cell(39, 0), profile, &options, 0, NULL);
    third = terrane_queue_add(queue, cell(0, 0), cell(-1, 0), profile, &options, 0, NULL);
    CHECK(terrane_queue_bytes(queue) > bytes);
    CHECK(terrane_queue_run(queue, 0) == 0 && terrane_queue_run(queue, 5) == 5);
    CHECK(terrane_queue_done(queue, first) == 0 && terrane_queue_status(queue, first) == TERRANE_BUDGET_SPENT);
    CHECK(terrane_queue_take(queue, first, path, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "not answered yet");
    CHECK(info_of(path).status == TERRANE_NOT_ASKED);
    CHECK(terrane_queue_cancel(queue, first, NULL) == TERRANE_OK); /* during its search */
    CHECK(terrane_queue_waiting(queue) == 2);
    CHECK(terrane_queue_run(queue, TERRANE_UNLIMITED) > 0);
    CHECK(terrane_queue_status(queue, second) == TERRANE_FOUND && terrane_queue_ready(queue, second, NULL, 0) == 40);
    CHECK(terrane_queue_status(queue, third) == TERRANE_OUTSIDE_MAP && terrane_queue_ready(queue, third, NULL, 0) == 0);
    CHECK(terrane_queue_take(queue, second, path, NULL) == TERRANE_OK && info_of(path).cells == 40 && info_of(path).first == 40);
    CHECK(terrane_queue_cancel(queue, third, NULL) == TERRANE_OK); /* answered */
    error = no_error();
    CHECK(terrane_queue_cancel(queue, third, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "no request");
    error = no_error();
    CHECK(terrane_queue_take(queue, second, path, &error) == TERRANE_BAD_VALUE && info_of(path).cells == 40);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "no request");
    CHECK(terrane_queue_status(queue, second) == TERRANE_NOT_ASKED && terrane_queue_done(queue, second) == 0);
    CHECK(terrane_queue_status(queue, 0) == TERRANE_NOT_ASKED && terrane_queue_ready(queue, 0, NULL, 0) == 0);
    CHECK(terrane_queue_status(queue, UINT64_MAX) == TERRANE_NOT_ASKED);
    terrane_path_free(path);
    terrane_queue_free(queue);
    terrane_profile_free(profile);
    terrane_world_free(world);
}

static void invalid_requests_are_refused(void) {
    terrane_world* world = drawn_world(4, "....", NULL);
    terrane_profile *profile = obstacle_profile(), *strange = terrane_profile_new("strange", NULL);
    terrane_queue* queue = terrane_queue_new(world, NULL, NULL);
    terrane_error error = no_error();
    terrane_find_options options = by("nonsense");
    terrane_profile_cost(strange, "no_such_terrain", 100);
    CHECK(terrane_queue_add(queue, cell(0, 0), cell(3, 0), profile, &options, 0, &error) == 0 && error.code == TERRANE_UNKNOWN_NAME);
    options = by("astar");
    options.bound = 0.5;
    CHECK(terrane_queue_add(queue, cell(0, 0), cell(3, 0), profile, &options, 0, &error) == 0);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "bound");
    options = by("astar");
    options.movement = 3;
    CHECK(terrane_queue_add(queue, cell(0, 0), cell(3, 0), profile, &options, 0, &error) == 0);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "movement");
    CHECK(terrane_queue_add(queue, cell(0, 0), cell(3, 0), strange, NULL, 0, &error) == 0 && error.code == TERRANE_UNKNOWN_NAME);
    CHECK(terrane_queue_waiting(queue) == 0);
    terrane_queue_free(queue);
    terrane_profile_free(strange);
    terrane_profile_free(profile);
    terrane_world_free(world);
}

/* A request is answered for the version at which its search began, and max_expansions are its own. */
static void edits_and_limits(void) {
    terrane_world* world = drawn_world(40, "........................................", NULL);
    terrane_profile* profile = obstacle_profile();
    terrane_queue* queue = terrane_queue_new(world, NULL, NULL);
    terrane_path* path = terrane_path_new(NULL);
    terrane_find_options options = by("astar");
    const uint64_t begun = terrane_queue_add(queue, cell(0, 0), cell(39, 0), profile, &options, 1, NULL);
    const uint64_t waits = terrane_queue_add(queue, cell(0, 0), cell(39, 0), profile, &options, 0, NULL);
    uint64_t limited;
    CHECK(terrane_queue_run(queue, 3) == 3);
    CHECK(terrane_world_fill(world, rect(20, 0, 1, 1), BLACK, NULL, NULL) == TERRANE_OK);
    options.max_expansions = 5;
    limited = terrane_queue_add(queue, cell(0, 0), cell(19, 0), profile, &options, 0, NULL);
    CHECK(terrane_queue_run(queue, TERRANE_UNLIMITED) > 0 && terrane_queue_waiting(queue) == 0);
    CHECK(terrane_queue_take(queue, begun, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_FOUND && info_of(path).version == 0 && terrane_path_valid(path, world) == 0);
    CHECK(terrane_queue_take(queue, waits, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_UNREACHABLE && info_of(path).version == 1);
    CHECK(terrane_queue_done(queue, limited) == 1 && terrane_queue_status(queue, limited) == TERRANE_BUDGET_SPENT);
    CHECK(terrane_queue_take(queue, limited, path, NULL) == TERRANE_OK);
    CHECK(info_of(path).status == TERRANE_BUDGET_SPENT && info_of(path).expansions == 5);
    terrane_path_free(path);
    terrane_queue_free(queue);
    terrane_profile_free(profile);
    terrane_world_free(world);
}

static void a_queue_keeps_its_world_alive(void) {
    terrane_world* world = drawn_world(4, "....", NULL);
    terrane_profile* profile = obstacle_profile();
    terrane_queue* queue = terrane_queue_new(world, NULL, NULL);
    const uint64_t id = terrane_queue_add(queue, cell(0, 0), cell(3, 0), profile, NULL, 0, NULL);
    terrane_profile_free(profile);
    terrane_world_free(world);
    CHECK(terrane_queue_run(queue, TERRANE_UNLIMITED) > 0 && terrane_queue_status(queue, id) == TERRANE_FOUND);
    terrane_queue_free(queue);
}

int main(void) {
    answers_are_those_of_find();
    the_most_urgent_comes_first_then_the_oldest();
    only_known_requests_have_answers();
    invalid_requests_are_refused();
    edits_and_limits();
    a_queue_keeps_its_world_alive();
    return check_failures == 0 ? 0 : 1;
}
