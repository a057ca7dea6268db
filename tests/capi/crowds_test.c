/* Crowds in C. */
#include "check.h"

static terrane_crowd* crowd_of(const terrane_world* world, const terrane_profile* type, const char* method, uint32_t lifelong) {
    terrane_crowd_options options = {sizeof options, TERRANE_EIGHT_NO_CORNER_CUTTING, "", 0, lifelong, 0, 0};
    strncpy(options.method, method, sizeof options.method - 1);
    return terrane_crowd_new(world, &type, 1, &options, NULL);
}

static terrane_crowd_info info_of(const terrane_crowd* crowd) {
    terrane_crowd_info info = {0};
    info.size = sizeof info;
    terrane_crowd_get_info(crowd, &info, NULL);
    return info;
}

static void test_methods(void) {
    const uint32_t count = terrane_crowd_method_count();
    uint32_t i;
    CHECK(count >= 8);
    for (i = 0; i < count; ++i) CHECK(terrane_crowd_method_usage(i) != NULL && terrane_crowd_method_summary(i) != NULL);
    CHECK(terrane_crowd_method_usage(count) == NULL);
    CHECK(terrane_crowd_method_summary(0xffffffffu) == NULL);
}

static void test_what_is_refused(const terrane_world* world, const terrane_profile* type) {
    terrane_world_options bare = {.size = sizeof bare, .no_regions = 1};
    terrane_world* without_regions = drawn_world(4, "....", &bare);
    terrane_crowd_options options = {sizeof options, TERRANE_EIGHT_NO_CORNER_CUTTING, "walk", 0, 0, 0, 0};
    terrane_profile* strange = terrane_profile_new("strange", NULL);
    const terrane_profile* types[2] = {type, NULL};
    terrane_error error = no_error();
    terrane_profile_cost(strange, "cheese", 200);
    CHECK(terrane_crowd_new(world, types, 1, &options, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_UNKNOWN_NAME, "whca:W");
    options.method[0] = 0;
    options.movement = 3;
    CHECK(terrane_crowd_new(world, types, 1, &options, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "movement");
    CHECK(terrane_crowd_new(world, types, 2, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "type 1");
    CHECK(terrane_crowd_new(world, types, 0, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "1 to 65535");
    CHECK(terrane_crowd_new(world, types, 65536, NULL, NULL) == NULL);
    CHECK(terrane_crowd_new(world, NULL, 1, NULL, NULL) == NULL);
    CHECK(terrane_crowd_new(NULL, types, 1, NULL, NULL) == NULL);
    types[0] = strange;
    CHECK(terrane_crowd_new(world, types, 1, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_UNKNOWN_NAME, "cheese");
    types[0] = type;
    CHECK(terrane_crowd_new(without_regions, types, 1, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_UNSUPPORTED, "regions");
    terrane_profile_free(strange);
    terrane_world_free(without_regions);
}

static uint64_t expansions_of_first_tick(const terrane_world* world, const terrane_profile* type, uint64_t budget) {
    terrane_crowd_options options = {sizeof options, TERRANE_EIGHT_NO_CORNER_CUTTING, "swarm", 0, 0, 0, budget};
    terrane_crowd* crowd = terrane_crowd_new(world, &type, 1, &options, NULL);
    uint64_t expansions;
    CHECK(terrane_crowd_spawn(crowd, 100, TERRANE_SPAWN_RANDOM, 3, NULL) == TERRANE_OK);
    CHECK(terrane_crowd_tick(crowd, 1, NULL) == TERRANE_OK);
    expansions = info_of(crowd).expansions;
    terrane_crowd_free(crowd);
    return expansions;
}

static void test_budgets(void) {
    terrane_profile* walker = terrane_profile_preset("walker", NULL);
    const terrane_profile* type = walker;
    const terrane_generator rooms = {sizeof rooms, TERRANE_ROOMS, 64, 64, 3, 0, 0};
    terrane_world* world = terrane_world_generate(&rooms, NULL, NULL);
    const terrane_crowd_options options = {sizeof options, TERRANE_EIGHT_NO_CORNER_CUTTING, "pibt", 0, 0, 0, 5};
    terrane_error error = no_error();
    const uint64_t few = expansions_of_first_tick(world, type, 100), many = expansions_of_first_tick(world, type, 1000);
    CHECK(few > 0 && few <= 100 && many > few && many <= 1000);
    CHECK(few == expansions_of_first_tick(world, type, 100));
    CHECK(expansions_of_first_tick(world, type, 0) > 1000);
    CHECK(expansions_of_first_tick(world, type, 0) == expansions_of_first_tick(world, type, 20000));
    CHECK(terrane_crowd_new(world, &type, 1, &options, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "'pibt' has no budget: these methods have one: lacam, swarm");
    terrane_profile_free(walker);
    terrane_world_free(world);
}

static void test_no_crowd(void) {
    terrane_crowd_info info = info_of(NULL);
    CHECK(info.agents == 0 && info.size == sizeof info);
    CHECK(terrane_crowd_tick(NULL, 3, NULL) == TERRANE_BAD_VALUE);
    terrane_crowd_free(NULL);
    CHECK(terrane_crowd_add(NULL, cell(0, 0), cell(0, 0), 0, NULL) == -1);
    CHECK(terrane_crowd_spawn(NULL, 1, 0, 0, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_crowd_remove(NULL, 0, NULL) == TERRANE_BAD_VALUE && terrane_crowd_goal(NULL, 0, cell(0, 0), NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_crowd_agents(NULL, NULL, 0) == 0);
    CHECK(terrane_crowd_reservations(NULL, NULL, 0) == 0 && terrane_crowd_arrows(NULL, NULL, 0) == 0);
}

/* Two agents exchange places, with every method that can solve it. */
static void test_agents_arrive(const terrane_profile* type) {
    static const char* const methods[] = {"ca", "whca:8", "cpra:8", "pibt", "pibt+flow", "lacam", "swarm", ""};
    size_t i;
    for (i = 0; i < sizeof methods / sizeof methods[0]; ++i) {
        terrane_world* world = drawn_world(9,
                                           ".................."
                                           "..................",
                                           NULL);
        terrane_crowd* crowd = crowd_of(world, type, methods[i], 0);
        terrane_agent agents[3];
        REQUIRE(crowd != NULL);
        CHECK(terrane_crowd_add(crowd, cell(0, 1), cell(8, 1), 0, NULL) == 0);
        CHECK(terrane_crowd_add(crowd, cell(8, 1), cell(0, 1), 0, NULL) == 1);
        terrane_crowd_tick(crowd, 0, NULL);
        CHECK(info_of(crowd).ticks == 0 && info_of(crowd).agents == 2 && info_of(crowd).at_goal == 0);
        terrane_crowd_tick(crowd, 30, NULL);
        CHECK(info_of(crowd).ticks == 30 && info_of(crowd).faults == 0 && info_of(crowd).at_goal == 2 && info_of(crowd).arrivals >= 2);
        CHECK(info_of(crowd).cost >= 16ull * TERRANE_COST_PER_UNIT && info_of(crowd).bytes > 0);
        memset(agents, 77, sizeof agents);
        CHECK(terrane_crowd_agents(crowd, agents, 3) == 2);
        CHECK(agents[0].at.x == 8 && agents[0].at.y == 1 && agents[0].goal.x == 8 && agents[0].type == 0 && agents[0].waiting == 0);
        CHECK(agents[1].at.x == 0 && agents[1].waiting == 0);
        CHECK(agents[2].type == 0x4d4d4d4d);
        terrane_crowd_free(crowd);
        terrane_world_free(world);
    }
}

static void test_agents_are_added_and_removed(const terrane_profile* type) {
    terrane_world* world = drawn_world(5,
                                       ".#..."
                                       ".....",
                                       NULL);
    terrane_crowd* crowd = crowd_of(world, type, "pibt", 0);
    terrane_agent agents[2];
    CHECK(terrane_crowd_add(crowd, cell(1, 0), cell(0, 0), 0, NULL) == -1);  /* blocked */
    CHECK(terrane_crowd_add(crowd, cell(-1, 0), cell(0, 0), 0, NULL) == -1); /* off the map */
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(5, 0), 0, NULL) == -1);  /* goal off the map */
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(4, 0), 1, NULL) == -1);  /* no such type */
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(1, 0), 0, NULL) == 0);   /* a blocked goal is legal */
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(4, 0), 0, NULL) == -1);  /* occupied */
    CHECK(terrane_crowd_goal(crowd, 0, cell(4, 0), NULL) == TERRANE_OK);
    CHECK(terrane_crowd_goal(crowd, 0, cell(4, 2), NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_crowd_goal(crowd, 1, cell(4, 0), NULL) == TERRANE_BAD_VALUE);
    terrane_crowd_tick(crowd, 10, NULL);
    CHECK(info_of(crowd).at_goal == 1);
    CHECK(terrane_crowd_agents(crowd, NULL, 0) == 1);
    CHECK(terrane_crowd_remove(crowd, 0, NULL) == TERRANE_OK && terrane_crowd_remove(crowd, 0, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_crowd_remove(crowd, 7, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_crowd_agents(crowd, agents, 2) == 1);
    CHECK(agents[0].at.x == -1 && agents[0].at.y == -1 && agents[0].goal.x == -1);
    CHECK(info_of(crowd).agents == 0);
    CHECK(terrane_crowd_spawn(crowd, 1, TERRANE_SPAWN_RANDOM, 0, NULL) == TERRANE_UNSUPPORTED); /* it has had agents */
    terrane_crowd_free(crowd);
    terrane_world_free(world);
}

/* An agent whose goal is unreachable arrives after an edit opens a path. */
static void test_edits_between_ticks(const terrane_profile* type) {
    static const char* const methods[] = {"replan", "ca", "whca:8", "whca:8,1", "cpra:8", "pibt", "lacam", "swarm"};
    size_t i;
    for (i = 0; i < sizeof methods / sizeof methods[0]; ++i) {
        terrane_world* world = drawn_world(7,
                                           "...#..."
                                           "...#...",
                                           NULL);
        terrane_crowd* crowd = crowd_of(world, type, methods[i], 0);
        terrane_agent agent;
        CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(6, 0), 0, NULL) == 0);
        terrane_crowd_tick(crowd, 12, NULL);
        CHECK(info_of(crowd).at_goal == 0);
        CHECK(terrane_crowd_agents(crowd, &agent, 1) == 1 && agent.at.x < 3);
        CHECK(terrane_world_fill(world, rect(3, 0, 1, 1), GROUND, NULL, NULL) == TERRANE_OK);
        terrane_crowd_tick(crowd, 90, NULL);
        CHECK(info_of(crowd).at_goal == 1 && info_of(crowd).faults == 0);
        terrane_crowd_free(crowd);
        terrane_world_free(world);
    }
}

static void test_spawning(const terrane_profile* type) {
    terrane_world* world = drawn_world(16, "................................................................", NULL);
    terrane_crowd* crowd = crowd_of(world, type, "", 0);
    terrane_agent agents[16];
    terrane_error error = no_error();
    size_t i;
    CHECK(terrane_crowd_spawn(crowd, 65, TERRANE_SPAWN_RANDOM, 7, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "room for 64");
    CHECK(terrane_crowd_spawn(crowd, 0xffffffffu, TERRANE_SPAWN_RANDOM, 7, &error) == TERRANE_TOO_LARGE);
    CHECK(terrane_crowd_spawn(crowd, 1, 2, 7, &error) == TERRANE_BAD_VALUE);
    CHECK(info_of(crowd).agents == 0);
    CHECK(terrane_crowd_spawn(crowd, 16, TERRANE_SPAWN_SIDES, 0, NULL) == TERRANE_OK);
    CHECK(terrane_crowd_agents(crowd, agents, 16) == 16);
    for (i = 0; i < 16; ++i) {
        CHECK(agents[i].at.x < 2 ? agents[i].goal.x >= 14 : agents[i].at.x >= 14 && agents[i].goal.x < 2);
        CHECK(agents[i].waiting == 0);
    }
    terrane_crowd_free(crowd);
    crowd = crowd_of(world, type, "", 0);
    CHECK(terrane_crowd_spawn(crowd, 64, TERRANE_SPAWN_RANDOM, 7, NULL) == TERRANE_OK);
    CHECK(info_of(crowd).agents == 64);
    terrane_crowd_free(crowd);
    terrane_world_free(world);
}

static void test_types_take_turns(const terrane_profile* type) {
    terrane_world* world = drawn_world(8, "........", NULL);
    const terrane_profile* types[2] = {type, type};
    terrane_crowd* crowd = terrane_crowd_new(world, types, 2, NULL, NULL);
    terrane_agent agents[4];
    uint32_t i;
    CHECK(terrane_crowd_spawn(crowd, 4, TERRANE_SPAWN_RANDOM, 3, NULL) == TERRANE_OK);
    CHECK(terrane_crowd_agents(crowd, agents, 4) == 4);
    for (i = 0; i < 4; ++i) CHECK(agents[i].type == i % 2);
    terrane_crowd_free(crowd);
    terrane_world_free(world);
}

/* Agents that arrive get new goals. If all cells are blocked when the crowd is created, there are none. */
static void test_lifelong(const terrane_profile* type) {
    terrane_world* world = drawn_world(8, "................................", NULL);
    terrane_world* blocked = drawn_world(2, "##", NULL);
    terrane_crowd* crowd = crowd_of(world, type, "pibt", 1);
    terrane_crowd* again = crowd_of(world, type, "pibt", 1);
    terrane_agent agents[4], others[4];
    CHECK(terrane_crowd_spawn(crowd, 4, TERRANE_SPAWN_RANDOM, 5, NULL) == TERRANE_OK);
    CHECK(terrane_crowd_spawn(again, 4, TERRANE_SPAWN_RANDOM, 5, NULL) == TERRANE_OK);
    terrane_crowd_tick(crowd, 200, NULL);
    for (int i = 0; i < 200; ++i) terrane_crowd_tick(again, 1, NULL);
    CHECK(info_of(crowd).arrivals > 40);
    CHECK(terrane_crowd_agents(crowd, agents, 4) == 4 && terrane_crowd_agents(again, others, 4) == 4);
    CHECK(memcmp(agents, others, sizeof agents) == 0);
    terrane_crowd_free(again);
    terrane_crowd_free(crowd);
    crowd = crowd_of(blocked, type, "pibt", 1);
    terrane_world_fill(blocked, rect(0, 0, 2, 1), GROUND, NULL, NULL);
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(1, 0), 0, NULL) == 0);
    terrane_crowd_tick(crowd, 5, NULL);
    CHECK(info_of(crowd).at_goal == 1 && info_of(crowd).arrivals == 1);
    terrane_crowd_free(crowd);
    terrane_world_free(blocked);
    terrane_world_free(world);
}

/* An agent behind another one that does not move, in a corridor. */
static void test_waiting_agents(const terrane_profile* type) {
    terrane_world* world = drawn_world(5, ".....", NULL);
    terrane_crowd* crowd = crowd_of(world, type, "replan", 0);
    terrane_agent agents[2];
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(4, 0), 0, NULL) == 0);
    CHECK(terrane_crowd_add(crowd, cell(2, 0), cell(2, 0), 0, NULL) == 1);
    terrane_crowd_tick(crowd, 1, NULL);
    CHECK(terrane_crowd_agents(crowd, agents, 2) == 2 && agents[0].waiting == 0 && agents[0].at.x == 1);
    terrane_crowd_tick(crowd, 1, NULL);
    CHECK(terrane_crowd_agents(crowd, agents, 1) == 2 && agents[0].waiting == 1 && agents[0].at.x == 1);
    terrane_crowd_free(crowd);
    terrane_world_free(world);
}

static void test_reservations(const terrane_profile* type) {
    terrane_world* world = drawn_world(12, "............", NULL);
    terrane_crowd* crowd = crowd_of(world, type, "whca:8", 0);
    terrane_reservation some[64];
    size_t count, i;
    CHECK(terrane_crowd_reservations(crowd, some, 64) == 0); /* before the first tick */
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(11, 0), 0, NULL) == 0);
    terrane_crowd_tick(crowd, 2, NULL);
    count = terrane_crowd_reservations(crowd, some, 64);
    REQUIRE(count >= 2 && count <= 64);
    for (i = 0; i < count; ++i) CHECK(some[i].agent == 0 && some[i].tick == 2 + i && some[i].cell.x == (int32_t)(2 + i));
    some[1].agent = 77;
    CHECK(terrane_crowd_reservations(crowd, some, 1) == count && some[1].agent == 77);
    CHECK(terrane_crowd_reservations(crowd, NULL, 0) == count && terrane_crowd_arrows(crowd, NULL, 0) == 0);
    terrane_crowd_free(crowd);
    crowd = crowd_of(world, type, "ca", 0);
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(3, 0), 0, NULL) == 0);
    terrane_crowd_tick(crowd, 1, NULL);
    count = terrane_crowd_reservations(crowd, some, 64);
    REQUIRE(count == 4); /* three steps, and the goal forever */
    CHECK(some[3].tick == 0xffffffffu && some[3].cell.x == 3);
    terrane_crowd_free(crowd);
    terrane_world_free(world);
}

static void test_arrows(const terrane_profile* type) {
    terrane_world* world = drawn_world(12, "............", NULL);
    terrane_crowd* crowd = crowd_of(world, type, "whca:8+flow", 0);
    terrane_arrow arrows[12];
    CHECK(terrane_crowd_arrows(crowd, arrows, 12) == 0);
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(11, 0), 0, NULL) == 0);
    terrane_crowd_tick(crowd, 3, NULL);
    CHECK(terrane_crowd_arrows(crowd, NULL, 0) == 3);
    CHECK(terrane_crowd_arrows(crowd, arrows, 12) == 3);
    CHECK(arrows[0].cell.x == 0 && arrows[2].cell.x == 2 && arrows[2].cell.y == 0);
    CHECK(arrows[2].x > 0.2f && arrows[2].x <= 1.0f && arrows[2].y == 0.0f && arrows[0].x < arrows[2].x);
    terrane_crowd_free(crowd);
    terrane_world_free(world);
}

int main(void) {
    terrane_profile* type = obstacle_profile();
    terrane_world* world = drawn_world(4, "........", NULL);
    test_methods();
    test_what_is_refused(world, type);
    test_budgets();
    test_no_crowd();
    test_agents_arrive(type);
    test_agents_are_added_and_removed(type);
    test_edits_between_ticks(type);
    test_spawning(type);
    test_types_take_turns(type);
    test_lifelong(type);
    test_waiting_agents(type);
    test_reservations(type);
    test_arrows(type);
    terrane_world_free(world);
    terrane_profile_free(type);
    return check_failures == 0 ? 0 : 1;
}
