/* Profiles and method names in C. */
#include "check.h"

static void test_costs(const terrane_world* world) {
    terrane_profile* profile = terrane_profile_new("mole", NULL);
    uint32_t costs[256];
    terrane_error error = no_error();
    CHECK(terrane_profile_costs(profile, world, costs, NULL) == TERRANE_OK);
    CHECK(costs[GROUND] == 100 && costs[BLACK] == 100 && costs[254] == 0 && costs[255] == 0);
    terrane_profile_cost(profile, "black", 0);
    terrane_profile_cost(profile, "trees", 65000);
    terrane_profile_cost(profile, "road", 1);
    terrane_profile_otherwise(profile, 250);
    CHECK(terrane_profile_costs(profile, world, costs, NULL) == TERRANE_OK);
    CHECK(costs[GROUND] == 250 && costs[BLACK] == 0 && costs[TREES] == 65000 && costs[ROAD] == 1);
    terrane_profile_cost(profile, "trees", 100);
    terrane_profile_otherwise(profile, 0);
    CHECK(terrane_profile_costs(profile, world, costs, NULL) == TERRANE_OK && costs[TREES] == 100 && costs[GROUND] == 0);
    terrane_profile_cost(profile, "cheese", 100);
    CHECK(terrane_profile_costs(profile, world, costs, &error) == TERRANE_UNKNOWN_NAME);
    CHECK_REFUSED(error, TERRANE_UNKNOWN_NAME, "cheese");
    terrane_profile_free(profile);
}

static void test_costs_out_of_range(const terrane_world* world) {
    terrane_profile* expensive = terrane_profile_new("expensive", NULL);
    terrane_profile* otherwise = terrane_profile_new(NULL, NULL);
    uint32_t costs[256];
    terrane_error error = no_error();
    terrane_profile_cost(expensive, "trees", 65001);
    terrane_profile_otherwise(otherwise, 0xffffffffu);
    CHECK(terrane_profile_costs(expensive, world, costs, &error) == TERRANE_BAD_VALUE);
    CHECK(terrane_profile_costs(otherwise, world, costs, NULL) == TERRANE_BAD_VALUE);
    terrane_profile_free(expensive);
    terrane_profile_free(otherwise);
}

static void test_presets(const terrane_world* world) {
    static const char* const names[] = {"person", "deer", "outlaw", "walker"};
    uint32_t costs[256];
    size_t i;
    for (i = 0; i < 4; ++i) {
        terrane_profile* preset = terrane_profile_preset(names[i], NULL);
        REQUIRE(preset != NULL);
        CHECK(terrane_profile_costs(preset, world, costs, NULL) == TERRANE_OK && costs[BLACK] == 0);
        terrane_profile_free(preset);
    }
    CHECK(terrane_profile_preset("wolf", NULL) == NULL && terrane_profile_preset(NULL, NULL) == NULL &&
          terrane_profile_preset("", NULL) == NULL);
}

static void test_parsing(const terrane_world* world) {
    const char* text = "trees 1.5\nroad blocked\notherwise 3\n";
    const char* wrong = "trees 1.5\nroad much\n";
    terrane_error error = no_error();
    terrane_profile* profile = terrane_profile_parse(text, strlen(text), "elf.txt", &error);
    uint32_t costs[256];
    REQUIRE(profile != NULL);
    CHECK(terrane_profile_costs(profile, world, costs, NULL) == TERRANE_OK);
    CHECK(costs[TREES] == 150 && costs[ROAD] == 0 && costs[GROUND] == 300);
    CHECK(terrane_profile_parse(wrong, strlen(wrong), "elf.txt", &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "elf.txt:2");
    CHECK(error.line == 2);
    CHECK(terrane_profile_parse(NULL, 3, NULL, NULL) == NULL);
    terrane_profile_free(profile);
    profile = terrane_profile_parse(NULL, 0, NULL, NULL); /* an empty text: all terrain costs 1 */
    CHECK(profile != NULL && terrane_profile_costs(profile, world, costs, NULL) == TERRANE_OK && costs[GROUND] == 100);
    terrane_profile_free(profile);
}

static void test_nothing_given(const terrane_world* world) {
    terrane_profile* profile = terrane_profile_new("", NULL);
    uint32_t costs[256];
    terrane_profile_free(NULL);
    terrane_profile_cost(NULL, "trees", 3);
    terrane_profile_otherwise(NULL, 3);
    CHECK(terrane_profile_costs(NULL, world, costs, NULL) != TERRANE_OK && terrane_profile_costs(profile, NULL, costs, NULL) != TERRANE_OK);
    CHECK(terrane_profile_costs(profile, world, NULL, NULL) != TERRANE_OK);
    terrane_profile_cost(profile, NULL, 3);
    CHECK(terrane_profile_costs(profile, world, costs, NULL) != TERRANE_OK); /* no terrain has an empty name */
    terrane_profile_free(profile);
}

static void test_methods(void) {
    const uint32_t count = terrane_method_count();
    terrane_error error = no_error();
    uint32_t i;
    CHECK(count >= 11);
    for (i = 0; i < count; ++i) {
        CHECK(terrane_method_usage(i) != NULL && terrane_method_summary(i) != NULL);
        CHECK(terrane_method_check(terrane_method_example(i), &error) == TERRANE_OK);
        CHECK(terrane_method_prepares(terrane_method_example(i)) >= 0);
    }
    CHECK(terrane_method_usage(count) == NULL && terrane_method_summary(count) == NULL && terrane_method_example(0xffffffffu) == NULL);
    CHECK(terrane_method_prepares("overlay:2") == 1 && terrane_method_prepares("cpd") == 1 &&
          terrane_method_prepares("minimal_memory:16") == 1);
    CHECK(terrane_method_prepares("astar") == 0 && terrane_method_prepares("dta:16") == 0);
    CHECK(terrane_method_prepares("bird") == -1 && terrane_method_prepares(NULL) == -1);
    CHECK(terrane_method_check("bird", &error) == TERRANE_UNKNOWN_NAME);
    CHECK_REFUSED(error, TERRANE_UNKNOWN_NAME, "astar");
    CHECK(terrane_method_check("wastar:0.5", &error) == TERRANE_BAD_VALUE);
    CHECK(terrane_method_check(NULL, NULL) != TERRANE_OK);
}

int main(void) {
    terrane_world* world = drawn_world(2, "..", NULL);
    test_costs(world);
    test_costs_out_of_range(world);
    test_presets(world);
    test_parsing(world);
    test_nothing_given(world);
    test_methods();
    terrane_world_free(world);
    return check_failures == 0 ? 0 : 1;
}
