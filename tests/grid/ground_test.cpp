#include "terrane/grid/ground.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "support/contract.h"
#include "support/scene.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/grid_search/lower_bound_table.h"
#include "terrane/hpa/entrance_graph.h"
#include "terrane/overlay/portal_overlay.h"

namespace terrane::test {
namespace {

TEST(Ground, LegalMovesAreTheStepsThatCanBeTaken) {
    Rng rng(21);
    for (int i = 0; i < 30; ++i) {
        const RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        for (const MovementRule& rule : movement_rules()) {
            const Ground ground(grid, world.costs, rule.movement);
            for (int32_t y = 0; y < grid.height(); ++y) {
                for (int32_t x = 0; x < grid.width(); ++x) {
                    uint32_t moves = 0;
                    for (Move m = 0; m < 8; ++m) {
                        const Cell to{x + kMoves[m].x, y + kMoves[m].y};
                        moves |= (ground.can_step({x, y}, to) ? 1u : 0u) << m;
                        const bool costs_something = ground.step_cost({x, y}, to) != kInfiniteCost;
                        ASSERT_EQ(costs_something, ground.passable(Cell{x, y}) && ground.can_step({x, y}, to));
                    }
                    ASSERT_EQ(ground.legal_moves(grid.layout().id({x, y})), moves) << rule.name << " at " << x << "," << y;
                }
            }
        }
    }
}

TEST(Ground, EveryNamedRuleIsFoundByItsNumber) {
    for (const MovementRule& rule : movement_rules()) {
        EXPECT_EQ(&rule_of(rule.movement), &rule);
        EXPECT_STREQ(to_string(rule.movement), rule.name);
    }
    EXPECT_STREQ(to_string(Movement::kCustom), "custom");
}

TEST(Ground, EndsAreCheckedInTheOrderMapStartGoal) {
    const Scene s = scene(".#\n..");
    const CostTable costs = s.profile.compile(s.grid.snapshot().catalogue()).value();
    const Ground ground(s.grid.snapshot(), costs, Movement::kEightNoCornerCutting);
    EXPECT_EQ(ground.check_ends({0, 0}, {1, 1}), Status::kFound);
    EXPECT_EQ(ground.check_ends({1, 0}, {1, 1}), Status::kBlockedStart);
    EXPECT_EQ(ground.check_ends({0, 0}, {1, 0}), Status::kBlockedGoal);
    EXPECT_EQ(ground.check_ends({1, 0}, {2, 0}), Status::kOutsideMap);
    EXPECT_EQ(Ground().check_ends({0, 0}, {0, 0}), Status::kOutsideMap);
}

TEST(Ground, AnotherVersionOfTheMapKeepsTheAgent) {
    Scene s = scene("..\n..");
    const CostTable costs = s.profile.compile(s.grid.snapshot().catalogue()).value();
    const Ground before(s.grid.snapshot(), costs, Movement::kFour);
    s.grid.set({1, 0}, "wall").value();
    const Ground after = before.on(s.grid.snapshot());
    EXPECT_TRUE(after.same_agent(before));
    EXPECT_FALSE(after.same_as(before));
    EXPECT_TRUE(before.passable(Cell{1, 0}));
    EXPECT_FALSE(after.passable(Cell{1, 0}));
}

// A custom movement rule: the knight of chess. 2203 is the length of sqrt(5) cells, rounded up. A step changes a coordinate by at most
// two.
constexpr std::array<MoveStep, 8> kKnightSteps = {{{{1, -2}, 2203},
                                                   {{2, -1}, 2203},
                                                   {{2, 1}, 2203},
                                                   {{1, 2}, 2203},
                                                   {{-1, 2}, 2203},
                                                   {{-2, 1}, 2203},
                                                   {{-2, -1}, 2203},
                                                   {{-1, -2}, 2203}}};
constexpr MovementRule kKnight{Movement::kCustom, "knight", kKnightSteps, 2203 / 2, 0};

// The cost from `start` to every cell, by relaxation until nothing changes.
std::vector<Cost> knight_costs(const GridSnapshot& grid, const CostTable& costs, Cell start) {
    const auto at = [&](Cell c) { return static_cast<size_t>(c.y * grid.width() + c.x); };
    std::vector<Cost> best(static_cast<size_t>(grid.width() * grid.height()), kInfiniteCost);
    std::deque<Cell> queue{start};
    best[at(start)] = 0;
    while (!queue.empty()) {
        const Cell c = queue.front();
        queue.pop_front();
        for (const auto& [dx, dy] : {std::pair{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}}) {
            const Cell to{c.x + dx, c.y + dy};
            if (!grid.layout().contains(to) || !costs.passable(grid.at(to))) continue;
            const Cost cost = best[at(c)] + Cost{2203} * (costs.hundredths(grid.at(c)) + costs.hundredths(grid.at(to)));
            if (cost >= best[at(to)]) continue;
            best[at(to)] = cost;
            queue.push_back(to);
        }
    }
    return best;
}

TEST(Ground, CustomRulesAreSearchedOptimally) {
    Rng rng(7);
    GridSearch search;
    Path path;
    int found = 0, none = 0;
    for (int i = 0; i < 60; ++i) {
        const RandomWorld world = random_world(rng, 40);
        const GridSnapshot grid = world.grid.snapshot();
        const Ground ground(grid, world.costs, kKnight);
        const Cell start = random_cell(rng, grid);
        if (!ground.passable(start)) continue;
        const std::vector<Cost> best = knight_costs(grid, world.costs, start);
        for (int k = 0; k < 5; ++k) {
            const Cell goal = random_cell(rng, grid);
            if (!ground.passable(goal)) continue;
            search.begin(ground, start, goal);
            search.run();
            search.path(path);
            const Cost cost = best[static_cast<size_t>(goal.y * grid.width() + goal.x)];
            ASSERT_EQ(path.status == Status::kFound, cost != kInfiniteCost);
            if (path.status == Status::kFound) {
                ASSERT_EQ(path.cost, cost);
                ASSERT_EQ(path_cost(ground, path.cells), cost) << "legal";
                ASSERT_LE(ground.octile_bound(start, goal), cost);
            }
            ++(path.status == Status::kFound ? found : none);
        }
    }
    EXPECT_GT(found, 50);
    EXPECT_GT(none, 5);
}

TEST(Ground, MethodsThatPrecomputeRefuseCustomRules) {
    const TerrainGrid board(8, 8, Terrain{6});
    const Ground ground(board.snapshot(), Profile().compile(board.snapshot().catalogue()).value(), kKnight);
    EXPECT_BROKEN(PortalOverlay::build(ground), "kCustom");
    EXPECT_BROKEN(EntranceGraph::build(ground), "kCustom");
    EXPECT_BROKEN(LowerBoundTable::build(ground), "kCustom");
    EXPECT_BROKEN(Ground(board.snapshot(), ground.costs(), Movement::kCustom), "kCustom");
}

TEST(Ground, AKnightCrossesAChessboardInSixMoves) {
    const TerrainGrid board(8, 8, Terrain{6});
    const CostTable costs = Profile().compile(board.snapshot().catalogue()).value();
    GridSearch search;
    Path path;
    search.begin(Ground(board.snapshot(), costs, kKnight), {0, 0}, {7, 7});
    search.run();
    search.path(path);
    EXPECT_EQ(path.cells.size(), 7u);
}

}  // namespace
}  // namespace terrane::test
