// The method of hub_method.cpp through the C interface.
#include <gtest/gtest.h>

#include <cstring>

#include "terrane_c.h"

namespace {

TEST(HubMethodInC, IsPreparedAndAnswers) {
    terrane_generator generator{};
    generator.size = sizeof generator;
    generator.kind = TERRANE_VORONOI;
    generator.width = 96;
    generator.height = 64;
    generator.seed = 3;
    generator.detail = 40;
    generator.terrains = 6;
    terrane_world* world = terrane_world_generate(&generator, nullptr, nullptr);
    ASSERT_NE(world, nullptr);
    terrane_profile* profile = terrane_profile_preset("person", nullptr);
    terrane_planner* planner = terrane_planner_new(world, nullptr);
    terrane_path* path = terrane_path_new(nullptr);
    EXPECT_STREQ(terrane_method_usage(terrane_method_count() - 1), "hub");
    EXPECT_EQ(terrane_method_prepares("hub"), 1);

    terrane_find_options find{};
    find.size = sizeof find;
    std::strcpy(find.method, "hub");
    terrane_path_info info{};
    info.size = sizeof info;
    const auto ask = [&] {
        EXPECT_EQ(terrane_find(planner, {5, 5}, {90, 60}, profile, &find, path, nullptr), TERRANE_OK);
        EXPECT_EQ(terrane_path_get_info(path, &info, nullptr), TERRANE_OK);
        return info.status;
    };
    EXPECT_EQ(ask(), TERRANE_NOT_PREPARED);
    find.fallback = 1;
    EXPECT_EQ(ask(), TERRANE_FOUND);
    EXPECT_STREQ(terrane_path_method(path), "regions:16");

    terrane_prepare_options prepare{};
    prepare.size = sizeof prepare;
    std::strcpy(prepare.method, "hub");
    terrane_preparation* preparation = terrane_prepare_begin(world, profile, &prepare, nullptr);
    ASSERT_NE(preparation, nullptr);
    EXPECT_EQ(terrane_prepare_run(preparation, TERRANE_UNLIMITED), 1);
    EXPECT_EQ(terrane_prepare_install(preparation, world, nullptr), TERRANE_OK);
    EXPECT_EQ(ask(), TERRANE_FOUND);
    EXPECT_STREQ(terrane_path_method(path), "hub");
    EXPECT_GT(terrane_prepared_bytes(world, profile, &prepare, nullptr), 0u);

    terrane_prepare_free(preparation);
    terrane_path_free(path);
    terrane_planner_free(planner);
    terrane_profile_free(profile);
    terrane_world_free(world);
}

}  // namespace
