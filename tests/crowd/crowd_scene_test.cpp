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

// Two parts; the right one is the larger.
constexpr const char* kParts = R"(
    ..#.....
    ..#..9..
    ..#.....)";

TEST(CrowdScene, TheLargestPart) {
    DrawnCrowd drawn(kParts);
    const auto cells = largest_part(drawn.world().snapshot(), {drawn.world().grid(), drawn.costs(), Movement::kEight});
    EXPECT_EQ(cells.size(), 15u);
    EXPECT_TRUE(std::ranges::all_of(cells, [](Cell c) { return c.x >= 3; }));
    CostTable nowhere;
    EXPECT_TRUE(largest_part(drawn.world().snapshot(), {drawn.world().grid(), nowhere, Movement::kEight}).empty());
}

TEST(CrowdScene, RandomPlacesAreDistinctAndInReach) {
    DrawnCrowd drawn(kParts);
    const std::vector<CostTable> kinds{drawn.costs(), drawn.costs()};
    for (uint64_t seed = 0; seed < 20; ++seed) {
        const auto places = random_places(drawn.world().snapshot(), kinds, Movement::kFour, 15, seed);
        ASSERT_TRUE(places.has_value());
        std::set<std::pair<int32_t, int32_t>> starts, goals;
        for (size_t i = 0; i < places->size(); ++i) {
            const CrowdPlace& place = (*places)[i];
            EXPECT_EQ(place.kind, i % 2);
            EXPECT_GE(std::min(place.start.x, place.goal.x), 3);
            starts.insert({place.start.x, place.start.y});
            goals.insert({place.goal.x, place.goal.y});
        }
        EXPECT_EQ(starts.size(), 15u);
        EXPECT_EQ(goals.size(), 15u);
        EXPECT_EQ(*places, *random_places(drawn.world().snapshot(), kinds, Movement::kFour, 15, seed));
    }
}

TEST(CrowdScene, SaysHowManyThereIsRoomFor) {
    DrawnCrowd drawn(kParts);
    const std::vector<CostTable> kinds{drawn.costs()};
    const auto places = random_places(drawn.world().snapshot(), kinds, Movement::kFour, 16, 1);
    ASSERT_FALSE(places.has_value());
    EXPECT_EQ(places.error().reason, "there is room for 15 agents, not for 16");
}

TEST(CrowdScene, SidesSwapPlaces) {
    World world(TerrainGrid(64, 8, Terrain{1}, test::digit_catalogue()));
    const std::vector<CostTable> kinds{test::digit_profile().compile(world.grid().catalogue()).value()};
    const auto places = opposite_sides(world.snapshot(), kinds, Movement::kEight, 40, 3);
    ASSERT_TRUE(places.has_value());
    for (size_t i = 0; i < 40; ++i) {
        const auto [start, goal, kind] = (*places)[i];
        EXPECT_TRUE(i % 2 == 0 ? start.x < 8 && goal.x >= 56 : start.x >= 56 && goal.x < 8);
    }
    EXPECT_FALSE(opposite_sides(world.snapshot(), kinds, Movement::kEight, 129, 3).has_value());
}

Problem problem(Cell start, Cell goal) {
    Problem result;
    result.start = start;
    result.goal = goal;
    return result;
}

TEST(CrowdScene, PlacesOfAScenario) {
    DrawnCrowd drawn(kParts);
    const std::vector<CostTable> kinds{drawn.costs()};
    const auto places = [&](std::vector<Problem> problems, size_t agents) {
        return scenario_places(drawn.world().snapshot(), kinds, {std::move(problems)}, agents);
    };
    const Problem first = problem({0, 0}, {1, 1}), second = problem({3, 0}, {4, 1});
    EXPECT_EQ(places({first, second}, 0)->size(), 2u);
    EXPECT_EQ(places({first, second}, 1)->size(), 1u);
    EXPECT_EQ(places({first}, 2).error().reason, "the scenario has 1 problems, not 2");
    EXPECT_EQ(places({problem({9, 0}, {1, 1})}, 0).error().reason, "problem 1 of the scenario: is not on the map");
    EXPECT_EQ(places({first, problem({2, 0}, {1, 1})}, 0).error().reason, "problem 2 of the scenario: begins where the map is blocked");
    EXPECT_EQ(places({problem({1, 0}, {2, 1})}, 0).error().reason, "problem 1 of the scenario: its goal is blocked");
    EXPECT_EQ(places({first, problem({0, 0}, {4, 1})}, 0).error().reason, "problem 2 of the scenario: begins where another one does");
    EXPECT_EQ(places({first, problem({0, 1}, {1, 1})}, 0).error().reason, "problem 2 of the scenario: has the goal of another one");
}

TEST(CrowdScene, GoalsAreNotDrawnWhereTheWorldIsNowBlocked) {
    DrawnCrowd drawn("a.....");
    Crowd crowd = drawn.crowd(std::make_unique<Nothing>());
    RandomGoals goals(crowd, 5);
    EXPECT_TRUE(goals.has_any(0));
    drawn.world().fill({0, 0, 5, 1}, Terrain{0});
    crowd.tick();
    for (int i = 0; i < 50; ++i) EXPECT_EQ(goals.next(crowd, 0), (Cell{5, 0}));
    drawn.world().fill({0, 0, 6, 1}, Terrain{0});
    crowd.tick();
    EXPECT_FALSE(RandomGoals(crowd, 5).has_any(0));
}

}  // namespace
}  // namespace terrane
