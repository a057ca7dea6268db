// Tests the basis of the benches on changed maps: the reference search that checks answers, and the paper's obstacles.
#include "bench/cpd_experiment.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/scenes.h"
#include "support/scene.h"

namespace terrane {
namespace {

CpdScene drawn(std::string_view drawing) {
    const test::Scene s = test::scene(drawing);
    const GridSnapshot grid = s.grid.snapshot();
    return {"drawn", "map", grid, s.profile.compile(grid.catalogue()).value(), 0, {{s.start, s.goal}}};
}

CpdScene empty_scene(int32_t side) {
    const TerrainGrid grid(side, side, Terrain{1}, test::digit_catalogue());
    return {"field", "map", grid.snapshot(), test::digit_profile().compile(test::digit_catalogue()).value(), 0, {}};
}

size_t blocked_cells(const CpdInstance& instance) { return instance.now.count(0); }

TEST(ChangedMap, AgreesWithTheOracle) {
    Rng rng(5);
    for (int i = 0; i < 60; ++i) {
        const test::RandomWorld before = test::random_world(rng, 30);
        TerrainGrid after = editable(before.grid.snapshot());
        for (int e = 0; e < 20; ++e) {
            const Cell c = test::random_cell(rng, after.snapshot());
            after.set(c, static_cast<Terrain>(rng.below(8)));
        }
        ChangedMap map({before.grid.snapshot(), before.costs, before.movement}, true);
        map.set_now(after.snapshot());
        const Cell start = test::random_cell(rng, after.snapshot());
        const auto best =
            oracle::distances(test::to_oracle(after.snapshot(), before.costs), start.x, start.y, test::to_oracle(before.movement));
        std::vector<Cell> path;
        for (int32_t y = 0; y < after.height(); y += 3) {
            for (int32_t x = 0; x < after.width(); x += 2) {
                const double expected = best[static_cast<size_t>(y) * static_cast<size_t>(after.width()) + static_cast<size_t>(x)];
                const uint64_t cost = map.find(start, {x, y}, path);
                ASSERT_EQ(cost == kNoPath, expected == oracle::kFar);
                if (cost == kNoPath) continue;
                EXPECT_NEAR(to_real(cost * before.costs.divisor), expected, 1e-6 * (1 + expected));
                uint64_t sum = 0;
                for (size_t j = 1; j < path.size(); ++j) sum += map.step(path[j - 1], path[j]);
                EXPECT_EQ(sum, cost);
                map.flood(start);
                EXPECT_EQ(map.cost_to({x, y}), cost);
            }
        }
    }
}

TEST(ChangedMap, CutsTheCornersOfNewObstaclesOnly) {
    const CpdScene scene = drawn(R"(S.#
                                    ...
                                    #.G)");
    TerrainGrid grid = editable(scene.grid);
    grid.set({1, 0}, Terrain{0});
    for (const bool strict : {false, true}) {
        ChangedMap map({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, strict);
        EXPECT_NE(map.step({0, 0}, {1, 1}), 0u);
        map.set_now(grid.snapshot());
        EXPECT_EQ(map.step({0, 0}, {1, 1}) == 0, strict);
        EXPECT_EQ(map.step({0, 1}, {1, 2}), 0u) << "an original obstacle is at the corner";
        EXPECT_EQ(map.step({0, 1}, {1, 0}), 0u) << "blocked";
        EXPECT_EQ(map.step({0, 0}, {2, 2}), 0u) << "not one step";
    }
}

TEST(ChangedMap, BallsDoNotReachBehindObstacles) {
    const CpdScene scene = drawn(R"(.....
                                    #####
                                    S...G)");
    const ChangedMap map({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, false);
    EXPECT_EQ(map.ball({2, 2}, 0).size(), 1u);
    EXPECT_EQ(map.ball({2, 2}, 1).size(), 3u);
    EXPECT_EQ(map.ball({2, 2}, 9).size(), 5u);
}

TEST(CpdExperiment, FirstObstaclesCutEveryOptimalPath) {
    const CpdScene scene = empty_scene(60);
    for (const Ball ball : {Ball::kHops, Ball::kEuclid}) {
        const auto instance = place_obstacles(scene, {{2, 10}, {57, 30}}, 0, ball);
        ASSERT_TRUE(instance.has_value());
        EXPECT_GT(instance->optimal, instance->original);
        EXPECT_GE(instance->obstacles, 1u);
        ChangedMap map({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, false);
        map.set_now(instance->now);
        std::vector<Cell> path;
        EXPECT_EQ(map.find(instance->start, instance->goal, path), instance->optimal);
    }
}

// 48 steps give a radius of 3. Without obstacles, hops give a square and Euclidean distance a disc.
TEST(CpdExperiment, BallsHaveASixteenthOfThePathAsRadius) {
    const CpdScene scene = empty_scene(60);
    const std::pair<Cell, Cell> straight{{5, 30}, {53, 30}};
    const auto hops = place_obstacles(scene, straight, 0, Ball::kHops), disc = place_obstacles(scene, straight, 0, Ball::kEuclid);
    ASSERT_TRUE(hops && disc);
    EXPECT_EQ(hops->obstacles, 1u);
    EXPECT_EQ(blocked_cells(*hops), 49u);
    EXPECT_EQ(blocked_cells(*disc), 29u);
    EXPECT_FALSE(scene.costs.passable(hops->now.at(Cell{5 + 36, 30})));
}

TEST(CpdExperiment, SecondObstaclesAreAddedUntilThePathIsCostlyEnough) {
    const CpdScene scene = empty_scene(60);
    const auto once = place_obstacles(scene, {{5, 30}, {53, 30}}, 0, Ball::kHops),
               often = place_obstacles(scene, {{5, 30}, {53, 30}}, 15, Ball::kHops);
    ASSERT_TRUE(once && often);
    EXPECT_LE(once->optimal * 100, once->original * 115);
    EXPECT_GT(often->optimal * 100, often->original * 115);
    EXPECT_GT(often->obstacles, once->obstacles);
    EXPECT_TRUE(scene.costs.passable(often->now.at(often->start)));
    EXPECT_TRUE(scene.costs.passable(often->now.at(often->goal)));
}

TEST(CpdExperiment, DropsUnsolvableProblems) {
    const CpdScene corridor = drawn("S......G");
    EXPECT_FALSE(place_obstacles(corridor, corridor.problems[0], 0, Ball::kHops));
    const CpdScene neighbours = drawn("SG");
    EXPECT_FALSE(place_obstacles(neighbours, neighbours.problems[0], 0, Ball::kHops));
    const CpdScene apart = drawn("S#G");
    EXPECT_FALSE(place_obstacles(apart, apart.problems[0], 0, Ball::kHops));
}

TEST(CpdExperiment, OwnMapsHaveSolvableProblems) {
    const auto scenes = cpd_scenes({}, {1, 5, 4000, 32});
    ASSERT_TRUE(scenes);
    for (const CpdScene& scene : *scenes) {
        EXPECT_FALSE(scene.costs.passable(scene.wall));
        ASSERT_EQ(scene.problems.size(), 5u);
        ChangedMap map({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, true);
        std::vector<Cell> path;
        for (const auto& [start, goal] : scene.problems) EXPECT_NE(map.find(start, goal, path), kNoPath);
    }
}

}  // namespace
}  // namespace terrane
