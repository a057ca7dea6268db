#include "terrane/crowd/crowd_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "crowd/drawn_crowd.h"

namespace terrane {
namespace {

using test::DrawnCrowd;

class Nothing : public CrowdMethod {
public:
    void plan(const Crowd&, std::span<CellId>) override {}
    CrowdWork work() const override { return {}; }
    size_t bytes() const override { return 0; }
};

// Two components; the right one is larger.
constexpr const char* kTwoComponents = R"(
    ..#.....
    ..#..9..
    ..#.....)";

TEST(CrowdScene, FindsTheLargestComponent) {
    DrawnCrowd drawn(kTwoComponents);
    const auto cells = largest_component(drawn.world().snapshot(), {drawn.world().grid(), drawn.costs(), Movement::kEightNoCornerCutting});
    EXPECT_EQ(cells.size(), 15u);
    EXPECT_TRUE(std::ranges::all_of(cells, [](Cell c) { return c.x >= 3; }));
    CostTable all_blocked;
    EXPECT_TRUE(largest_component(drawn.world().snapshot(), {drawn.world().grid(), all_blocked, Movement::kEightNoCornerCutting}).empty());
}

TEST(CrowdScene, RandomPlacesAreDistinctAndReachable) {
    DrawnCrowd drawn(kTwoComponents);
    const std::vector<CostTable> types{drawn.costs(), drawn.costs()};
    for (uint64_t seed = 0; seed < 20; ++seed) {
        const auto places = random_places(drawn.world().snapshot(), types, Movement::kFour, 15, seed);
        ASSERT_TRUE(places.has_value());
        std::set<std::pair<int32_t, int32_t>> starts, goals;
        for (size_t i = 0; i < places->size(); ++i) {
            const CrowdPlace& place = (*places)[i];
            EXPECT_EQ(place.type, i % 2);
            EXPECT_GE(std::min(place.start.x, place.goal.x), 3);
            starts.insert({place.start.x, place.start.y});
            goals.insert({place.goal.x, place.goal.y});
        }
        EXPECT_EQ(starts.size(), 15u);
        EXPECT_EQ(goals.size(), 15u);
        EXPECT_EQ(*places, *random_places(drawn.world().snapshot(), types, Movement::kFour, 15, seed));
    }
}

TEST(CrowdScene, ReportsHowManyAgentsFit) {
    DrawnCrowd drawn(kTwoComponents);
    const std::vector<CostTable> types{drawn.costs()};
    const auto places = random_places(drawn.world().snapshot(), types, Movement::kFour, 16, 1);
    ASSERT_FALSE(places.has_value());
    EXPECT_EQ(places.error().reason, "too many agents: 16 requested, there is room for 15");
}

TEST(CrowdScene, SidesSwapPlaces) {
    World world(TerrainGrid(64, 8, Terrain{1}, test::digit_catalogue()));
    const std::vector<CostTable> types{test::digit_profile().compile(world.grid().catalogue()).value()};
    const auto places = opposite_sides(world.snapshot(), types, Movement::kEightNoCornerCutting, 40, 3);
    ASSERT_TRUE(places.has_value());
    for (size_t i = 0; i < 40; ++i) {
        const auto [start, goal, type] = (*places)[i];
        EXPECT_TRUE(i % 2 == 0 ? start.x < 8 && goal.x >= 56 : start.x >= 56 && goal.x < 8);
    }
    EXPECT_FALSE(opposite_sides(world.snapshot(), types, Movement::kEightNoCornerCutting, 129, 3).has_value());
}

Problem problem(Cell start, Cell goal) {
    Problem result;
    result.start = start;
    result.goal = goal;
    return result;
}

TEST(CrowdScene, PlacesOfAScenario) {
    DrawnCrowd drawn(kTwoComponents);
    const std::vector<CostTable> types{drawn.costs()};
    const auto places = [&](std::vector<Problem> problems, size_t agents) {
        return scenario_places(drawn.world().snapshot(), types, {std::move(problems)}, agents);
    };
    const Problem first = problem({0, 0}, {1, 1}), second = problem({3, 0}, {4, 1});
    EXPECT_EQ(places({first, second}, 0)->size(), 2u);
    EXPECT_EQ(places({first, second}, 1)->size(), 1u);
    EXPECT_EQ(places({first}, 2).error().reason, "too many agents: 2 requested, the scenario has 1 problems");
    EXPECT_EQ(places({problem({9, 0}, {1, 1})}, 0).error().reason, "scenario problem 1: start or goal is off the map");
    EXPECT_EQ(places({first, problem({2, 0}, {1, 1})}, 0).error().reason, "scenario problem 2: start is blocked for its agent type");
    EXPECT_EQ(places({problem({1, 0}, {2, 1})}, 0).error().reason, "scenario problem 1: goal is blocked for its agent type");
    EXPECT_EQ(places({first, problem({0, 0}, {4, 1})}, 0).error().reason, "scenario problem 2: start is taken by an earlier problem");
    EXPECT_EQ(places({first, problem({0, 1}, {1, 1})}, 0).error().reason, "scenario problem 2: goal is taken by an earlier problem");
}

TEST(CrowdScene, GoalsAreNotDrawnWhereTheWorldIsNowBlocked) {
    DrawnCrowd drawn("a.....");
    Crowd crowd = drawn.crowd(std::make_unique<Nothing>());
    RandomGoals goals(crowd, 5);
    EXPECT_TRUE(goals.has_any(0));
    drawn.world().fill({{0, 0}, {5, 1}}, Terrain{0});
    crowd.tick();
    for (int i = 0; i < 50; ++i) EXPECT_EQ(goals.next(crowd, 0), (Cell{5, 0}));
    drawn.world().fill({{0, 0}, {6, 1}}, Terrain{0});
    crowd.tick();
    EXPECT_FALSE(RandomGoals(crowd, 5).has_any(0));
}

}  // namespace
}  // namespace terrane
