#include <gtest/gtest.h>

#include <vector>

#include "crowd/crowd_ground.h"
#include "crowd/lacam/sipp.h"

namespace terrane {
namespace {

// A corridor of terrain with cost 650 from (0, 0) to the goal at x = kGoal, and a detour around its last 400 cells that is 600 cells
// longer. Another agent stands in the corridor at x = kOther for so long that passing it takes 3,000 waits, then steps into a niche.
constexpr int32_t kGoal = 11500, kFork = 11100, kOther = 11300, kDepth = 300;

TerrainGrid corridor_and_detour() {
    const Terrain wall = *Catalogue::octile().find("wall"), open = *Catalogue::octile().find("ground");
    TerrainGrid grid(kGoal + 1, kDepth + 1, wall, Catalogue::octile());
    grid.fill({{0, 0}, {kGoal + 1, 1}}, open);
    grid.fill({{kFork, 0}, {1, kDepth + 1}}, open);
    grid.fill({{kFork, kDepth}, {kGoal + 1 - kFork, 1}}, open);
    grid.fill({{kGoal, 0}, {1, kDepth + 1}}, open);
    grid.fill({{kOther, 1}, {1, 1}}, open);
    return grid;
}

struct Corridor {
    TerrainGrid grid = corridor_and_detour();
    GridSnapshot map = grid.snapshot();
    AgentType type{Profile("slow").cost("ground", 650).otherwise_blocked().compile(Catalogue::octile()).value()};
    CrowdGround ground{map, {&type, 1}, Movement::kFour};
    GoalFields fields{ground};
    SafeIntervals intervals{ground.size()};

    Spot spot(int32_t x, int32_t y) const { return ground.spot(map.layout().id({x, y})); }
    Walker walker(Spot goal, Spot from) {
        const FieldRequest request{goal, 0, from};
        return {goal, fields.take({&request, 1})[0], 0, true};
    }
};

TEST(Sipp, KeysOfExpensivePathsDoNotWrap) {
    Corridor c;
    const Spot start = c.spot(0, 0);
    const Walker walker = c.walker(c.spot(kGoal, 0), start);
    std::vector<SpotPath> paths{SpotPath(kFork + 3000, c.spot(kOther, 0))};
    paths[0].push_back(c.spot(kOther, 1));
    c.intervals.add(0, paths[0]);
    Sipp search(c.ground, c.fields);
    SpotPath path;
    ASSERT_EQ(search.find(walker, paths, c.intervals, start, kInfiniteCost, 1'000'000, path), Status::kFound);
    EXPECT_EQ(path.size() - 1, size_t{kGoal + 2 * kDepth});  // the detour, not 3,000 waits
}

TEST(Sipp, PathsAboveTheLargestCostAreRefused) {
    Corridor c;
    const Spot start = c.spot(0, 0);
    const Walker walker = c.walker(c.spot(kGoal, 0), start);
    const std::vector<SpotPath> none;
    Sipp search(c.ground, c.fields);
    SpotPath path;
    const Cost step = c.ground.uniform_step(0);
    EXPECT_EQ(step * kGoal, c.fields.distance(walker.field, start));
    EXPECT_EQ(search.find(walker, none, c.intervals, start, step * kGoal - 1, 1'000'000, path), Status::kUnreachable);
    EXPECT_EQ(search.find(walker, none, c.intervals, start, step * kGoal, 1'000'000, path), Status::kFound);
    EXPECT_GE(Sipp::kMaxCost, step * kGoal);
    EXPECT_LT(Sipp::kMaxCost, step * (kGoal + 1000));
}

// An agent that leaves the goal after more ticks than fit a key.
TEST(Sipp, AGoalThatIsTakenForTooLongIsUnreachable) {
    Corridor c;
    const Spot start = c.spot(kGoal - 2, 0);
    const Walker walker = c.walker(c.spot(kGoal, 0), start);
    std::vector<SpotPath> paths{SpotPath(size_t{Sipp::kMaxTicks} + 2, c.spot(kGoal, 0))};
    paths[0].push_back(c.spot(kGoal, 1));
    c.intervals.add(0, paths[0]);
    Sipp search(c.ground, c.fields);
    SpotPath path;
    EXPECT_EQ(search.find(walker, paths, c.intervals, start, kInfiniteCost, 1'000'000, path), Status::kUnreachable);
    EXPECT_EQ(search.expansions(), 0u);
}

}  // namespace
}  // namespace terrane
