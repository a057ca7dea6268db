/* Crowds, through the C interface. */
#include "check.h"

static terrane_crowd* crowd_of(const terrane_world* world, const terrane_profile* kind, const char* method, uint32_t life_long) {
    terrane_crowd_options options = {sizeof options, TERRANE_EIGHT, "", 0, life_long};
    strncpy(options.method, method, sizeof options.method - 1);
    return terrane_crowd_new(world, &kind, 1, &options, NULL);
}

static terrane_crowd_info info_of(const terrane_crowd* crowd) {
    terrane_crowd_info info = {0};
    info.size = sizeof info;
    terrane_crowd_get_info(crowd, &info);
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

static void test_what_is_refused(const terrane_world* world, const terrane_profile* kind) {
    terrane_world_options bare = {.size = sizeof bare, .no_regions = 1};
    terrane_world* without_regions = drawn_world(4, "....", &bare);
    terrane_crowd_options options = {sizeof options, TERRANE_EIGHT, "walk", 0, 0};
    terrane_profile* strange = terrane_profile_new("strange");
    const terrane_profile* kinds[2] = {kind, NULL};
    terrane_error error = no_error();
    terrane_profile_cost(strange, "cheese", 200);
    CHECK(terrane_crowd_new(world, kinds, 1, &options, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_UNKNOWN_NAME, "whca:W");
    options.method[0] = 0;
    options.movement = 3;
    CHECK(terrane_crowd_new(world, kinds, 1, &options, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "movement");
    CHECK(terrane_crowd_new(world, kinds, 2, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "kind 1");
    CHECK(terrane_crowd_new(world, kinds, 0, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "1 to 65535");
    CHECK(terrane_crowd_new(world, kinds, 65536, NULL, NULL) == NULL);
    CHECK(terrane_crowd_new(world, NULL, 1, NULL, NULL) == NULL);
    CHECK(terrane_crowd_new(NULL, kinds, 1, NULL, NULL) == NULL);
    kinds[0] = strange;
    CHECK(terrane_crowd_new(world, kinds, 1, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_UNKNOWN_NAME, "cheese");
    kinds[0] = kind;
    CHECK(terrane_crowd_new(without_regions, kinds, 1, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_UNSUPPORTED, "regions");
    terrane_profile_free(strange);
    terrane_world_free(without_regions);
}

static void test_no_crowd(void) {
    terrane_crowd_info info = info_of(NULL);
    CHECK(info.agents == 0 && info.size == sizeof info);
    terrane_crowd_tick(NULL, 3);
    terrane_crowd_free(NULL);
    CHECK(terrane_crowd_add(NULL, cell(0, 0), cell(0, 0), 0) == -1);
    CHECK(terrane_crowd_spawn(NULL, 1, 0, 0, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_crowd_remove(NULL, 0) == 0 && terrane_crowd_goal(NULL, 0, cell(0, 0)) == 0);
    CHECK(terrane_crowd_agents(NULL, NULL, 0) == 0);
    CHECK(terrane_crowd_reservations(NULL, NULL, 0) == 0 && terrane_crowd_arrows(NULL, NULL, 0) == 0);
}

/* Two that change places in a corridor with a bay, by every method that can. */
static void test_agents_arrive(const terrane_profile* kind) {
    static const char* const methods[] = {"ca", "whca:8", "cpra:8", "pibt", "pibt+flow", "lacam", "swarm", ""};
    size_t i;
    for (i = 0; i < sizeof methods / sizeof methods[0]; ++i) {
        terrane_world* world = drawn_world(9,
                                           ".................."
                                           "..................",
                                           NULL);
        terrane_crowd* crowd = crowd_of(world, kind, methods[i], 0);
        terrane_agent agents[3];
        REQUIRE(crowd != NULL);
        CHECK(terrane_crowd_add(crowd, cell(0, 1), cell(8, 1), 0) == 0);
        CHECK(terrane_crowd_add(crowd, cell(8, 1), cell(0, 1), 0) == 1);
        terrane_crowd_tick(crowd, 0);
        CHECK(info_of(crowd).ticks == 0 && info_of(crowd).agents == 2 && info_of(crowd).at_goal == 0);
        terrane_crowd_tick(crowd, 30);
        CHECK(info_of(crowd).ticks == 30 && info_of(crowd).faults == 0 && info_of(crowd).at_goal == 2 && info_of(crowd).arrivals >= 2);
        CHECK(info_of(crowd).cost >= 16ull * TERRANE_COST_PER_UNIT && info_of(crowd).bytes > 0 && info_of(crowd).code == TERRANE_OK);
        memset(agents, 77, sizeof agents);
        CHECK(terrane_crowd_agents(crowd, agents, 3) == 2);
        CHECK(agents[0].at.x == 8 && agents[0].at.y == 1 && agents[0].goal.x == 8 && agents[0].kind == 0 && agents[0].waiting == 0);
        CHECK(agents[1].at.x == 0 && agents[1].waiting == 0);
        CHECK(agents[2].kind == 0x4d4d4d4d);
        terrane_crowd_free(crowd);
        terrane_world_free(world);
    }
}

static void test_who_comes_and_goes(const terrane_profile* kind) {
    terrane_world* world = drawn_world(5,
                                       ".#..."
                                       ".....",
                                       NULL);
    terrane_crowd* crowd = crowd_of(world, kind, "pibt", 0);
    terrane_agent agents[2];
    CHECK(terrane_crowd_add(crowd, cell(1, 0), cell(0, 0), 0) == -1);  /* blocked */
    CHECK(terrane_crowd_add(crowd, cell(-1, 0), cell(0, 0), 0) == -1); /* off the map */
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(5, 0), 0) == -1);  /* its goal is */
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(4, 0), 1) == -1);  /* no such kind */
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(1, 0), 0) == 0);   /* a blocked goal will do */
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(4, 0), 0) == -1);  /* taken */
    CHECK(terrane_crowd_goal(crowd, 0, cell(4, 0)) == 1);
    CHECK(terrane_crowd_goal(crowd, 0, cell(4, 2)) == 0 && terrane_crowd_goal(crowd, 1, cell(4, 0)) == 0);
    terrane_crowd_tick(crowd, 10);
    CHECK(info_of(crowd).at_goal == 1);
    CHECK(terrane_crowd_agents(crowd, NULL, 0) == 1);
    CHECK(terrane_crowd_remove(crowd, 0) == 1 && terrane_crowd_remove(crowd, 0) == 0 && terrane_crowd_remove(crowd, 7) == 0);
    CHECK(terrane_crowd_agents(crowd, agents, 2) == 1);
    CHECK(agents[0].at.x == -1 && agents[0].at.y == -1 && agents[0].goal.x == -1);
    CHECK(info_of(crowd).agents == 0);
    CHECK(terrane_crowd_spawn(crowd, 1, TERRANE_SPAWN_RANDOM, 0, NULL) == TERRANE_UNSUPPORTED); /* it has had agents */
    terrane_crowd_free(crowd);
    terrane_world_free(world);
}

/* An agent that is shut in waits, and goes on when the wall is opened. */
static void test_edits_between_ticks(const terrane_profile* kind) {
    static const char* const methods[] = {"replan", "ca", "whca:8", "whca:8,1", "cpra:8", "pibt", "lacam", "swarm"};
    size_t i;
    for (i = 0; i < sizeof methods / sizeof methods[0]; ++i) {
        terrane_world* world = drawn_world(7,
                                           "...#..."
                                           "...#...",
                                           NULL);
        terrane_crowd* crowd = crowd_of(world, kind, methods[i], 0);
        terrane_agent agent;
        CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(6, 0), 0) == 0);
        terrane_crowd_tick(crowd, 12);
        CHECK(info_of(crowd).at_goal == 0);
        CHECK(terrane_crowd_agents(crowd, &agent, 1) == 1 && agent.at.x < 3);
        CHECK(terrane_world_fill(world, rect(3, 0, 1, 1), GROUND, NULL, NULL) == TERRANE_OK);
        terrane_crowd_tick(crowd, 90);
        CHECK(info_of(crowd).at_goal == 1 && info_of(crowd).faults == 0);
        terrane_crowd_free(crowd);
        terrane_world_free(world);
    }
}

static void test_spawning(const terrane_profile* kind) {
    terrane_world* world = drawn_world(16, "................................................................", NULL);
    terrane_crowd* crowd = crowd_of(world, kind, "", 0);
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
    crowd = crowd_of(world, kind, "", 0);
    CHECK(terrane_crowd_spawn(crowd, 64, TERRANE_SPAWN_RANDOM, 7, NULL) == TERRANE_OK);
    CHECK(info_of(crowd).agents == 64);
    terrane_crowd_free(crowd);
    terrane_world_free(world);
}

static void test_kinds_take_turns(const terrane_profile* kind) {
    terrane_world* world = drawn_world(8, "........", NULL);
    const terrane_profile* kinds[2] = {kind, kind};
    terrane_crowd* crowd = terrane_crowd_new(world, kinds, 2, NULL, NULL);
    terrane_agent agents[4];
    uint32_t i;
    CHECK(terrane_crowd_spawn(crowd, 4, TERRANE_SPAWN_RANDOM, 3, NULL) == TERRANE_OK);
    CHECK(terrane_crowd_agents(crowd, agents, 4) == 4);
    for (i = 0; i < 4; ++i) CHECK(agents[i].kind == i % 2);
    terrane_crowd_free(crowd);
    terrane_world_free(world);
}

/* Whoever arrives goes on; and where all is blocked when the crowd is made, there is nowhere to go on to. */
static void test_life_long(const terrane_profile* kind) {
    terrane_world* world = drawn_world(8, "................................", NULL);
    terrane_world* walls = drawn_world(2, "##", NULL);
    terrane_crowd* crowd = crowd_of(world, kind, "pibt", 1);
    terrane_crowd* again = crowd_of(world, kind, "pibt", 1);
    terrane_agent agents[4], others[4];
    CHECK(terrane_crowd_spawn(crowd, 4, TERRANE_SPAWN_RANDOM, 5, NULL) == TERRANE_OK);
    CHECK(terrane_crowd_spawn(again, 4, TERRANE_SPAWN_RANDOM, 5, NULL) == TERRANE_OK);
    terrane_crowd_tick(crowd, 200);
    for (int i = 0; i < 200; ++i) terrane_crowd_tick(again, 1);
    CHECK(info_of(crowd).arrivals > 40);
    CHECK(terrane_crowd_agents(crowd, agents, 4) == 4 && terrane_crowd_agents(again, others, 4) == 4);
    CHECK(memcmp(agents, others, sizeof agents) == 0);
    terrane_crowd_free(again);
    terrane_crowd_free(crowd);
    crowd = crowd_of(walls, kind, "pibt", 1);
    terrane_world_fill(walls, rect(0, 0, 2, 1), GROUND, NULL, NULL);
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(1, 0), 0) == 0);
    terrane_crowd_tick(crowd, 5);
    CHECK(info_of(crowd).at_goal == 1 && info_of(crowd).arrivals == 1);
    terrane_crowd_free(crowd);
    terrane_world_free(walls);
    terrane_world_free(world);
}

/* Behind one that does not move, in a corridor. */
static void test_who_waits(const terrane_profile* kind) {
    terrane_world* world = drawn_world(5, ".....", NULL);
    terrane_crowd* crowd = crowd_of(world, kind, "replan", 0);
    terrane_agent agents[2];
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(4, 0), 0) == 0);
    CHECK(terrane_crowd_add(crowd, cell(2, 0), cell(2, 0), 0) == 1);
    terrane_crowd_tick(crowd, 1);
    CHECK(terrane_crowd_agents(crowd, agents, 2) == 2 && agents[0].waiting == 0 && agents[0].at.x == 1);
    terrane_crowd_tick(crowd, 1);
    CHECK(terrane_crowd_agents(crowd, agents, 1) == 2 && agents[0].waiting == 1 && agents[0].at.x == 1);
    terrane_crowd_free(crowd);
    terrane_world_free(world);
}

static void test_reservations(const terrane_profile* kind) {
    terrane_world* world = drawn_world(12, "............", NULL);
    terrane_crowd* crowd = crowd_of(world, kind, "whca:8", 0);
    terrane_reservation some[64];
    size_t count, i;
    CHECK(terrane_crowd_reservations(crowd, some, 64) == 0); /* before the first tick */
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(11, 0), 0) == 0);
    terrane_crowd_tick(crowd, 2);
    count = terrane_crowd_reservations(crowd, some, 64);
    REQUIRE(count >= 2 && count <= 64);
    for (i = 0; i < count; ++i) CHECK(some[i].agent == 0 && some[i].tick == 2 + i && some[i].cell.x == (int32_t)(2 + i));
    some[1].agent = 77;
    CHECK(terrane_crowd_reservations(crowd, some, 1) == count && some[1].agent == 77);
    CHECK(terrane_crowd_reservations(crowd, NULL, 0) == count && terrane_crowd_arrows(crowd, NULL, 0) == 0);
    terrane_crowd_free(crowd);
    crowd = crowd_of(world, kind, "ca", 0);
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(3, 0), 0) == 0);
    terrane_crowd_tick(crowd, 1);
    count = terrane_crowd_reservations(crowd, some, 64);
    REQUIRE(count == 4); /* three steps, and its goal for ever */
    CHECK(some[3].tick == 0xffffffffu && some[3].cell.x == 3);
    terrane_crowd_free(crowd);
    terrane_world_free(world);
}

static void test_arrows(const terrane_profile* kind) {
    terrane_world* world = drawn_world(12, "............", NULL);
    terrane_crowd* crowd = crowd_of(world, kind, "whca:8+flow", 0);
    terrane_arrow arrows[12];
    CHECK(terrane_crowd_arrows(crowd, arrows, 12) == 0);
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(11, 0), 0) == 0);
    terrane_crowd_tick(crowd, 3);
    CHECK(terrane_crowd_arrows(crowd, NULL, 0) == 3);
    CHECK(terrane_crowd_arrows(crowd, arrows, 12) == 3);
    CHECK(arrows[0].cell.x == 0 && arrows[2].cell.x == 2 && arrows[2].cell.y == 0);
    CHECK(arrows[2].x > 0.2f && arrows[2].x <= 1.0f && arrows[2].y == 0.0f && arrows[0].x < arrows[2].x);
    terrane_crowd_free(crowd);
    terrane_world_free(world);
}

/* A caller of a version with fewer fields: no more is written. */
static void test_smaller_structs(const terrane_world* world, const terrane_profile* kind) {
    terrane_crowd* crowd = terrane_crowd_new(world, &kind, 1, NULL, NULL);
    terrane_crowd_info info;
    REQUIRE(crowd != NULL);
    CHECK(terrane_crowd_add(crowd, cell(0, 0), cell(0, 0), 0) == 0);
    memset(&info, 77, sizeof info);
    info.size = offsetof(terrane_crowd_info, code);
    CHECK(terrane_crowd_get_info(crowd, &info) == TERRANE_OK);
    CHECK(info.size == offsetof(terrane_crowd_info, code) && info.agents == 1 && info.code == 0x4d4d4d4d);
    terrane_crowd_free(crowd);
}

int main(void) {
    terrane_profile* kind = wall_profile();
    terrane_world* world = drawn_world(4, "........", NULL);
    test_methods();
    test_what_is_refused(world, kind);
    test_no_crowd();
    test_agents_arrive(kind);
    test_who_comes_and_goes(kind);
    test_edits_between_ticks(kind);
    test_spawning(kind);
    test_kinds_take_turns(kind);
    test_life_long(kind);
    test_who_waits(kind);
    test_reservations(kind);
    test_arrows(kind);
    test_smaller_structs(world, kind);
    terrane_world_free(world);
    terrane_profile_free(kind);
    return check_failures == 0 ? 0 : 1;
}
