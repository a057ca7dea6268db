#include <gtest/gtest.h>

#include "support/scene.h"

namespace terrane::test {
namespace {

TEST(Movement, StepCostsFollowTheRule) {
    const Scene s = scene(R"(.#3
                             ..5
                             9.1)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const auto step = [&](Movement m, Cell a, Cell b) { return step_cost(grid, costs, m, a, b); };
    EXPECT_EQ(step(Movement::kEight, {2, 0}, {2, 1}), kStraight * 800);
    EXPECT_EQ(step(Movement::kEight, {1, 2}, {2, 1}), kDiagonal * 600);
    EXPECT_EQ(step(Movement::kEight, {0, 0}, {1, 1}), kInfiniteCost);  // squeezes past the wall
    EXPECT_EQ(step(Movement::kCutting, {0, 0}, {1, 1}), kDiagonal * 200);
    EXPECT_EQ(step(Movement::kFour, {1, 2}, {2, 1}), kInfiniteCost);
    EXPECT_EQ(step(Movement::kEight, {0, 0}, {1, 0}), kInfiniteCost);   // into the wall
    EXPECT_EQ(step(Movement::kEight, {0, 0}, {0, 0}), kInfiniteCost);   // no step
    EXPECT_EQ(step(Movement::kEight, {0, 0}, {0, 2}), kInfiniteCost);   // two
    EXPECT_EQ(step(Movement::kEight, {0, 0}, {-1, 0}), kInfiniteCost);  // off the map
}

// Every edge that a graph offers is the step_cost of that step, and none is missing: tile borders, map borders, all rules.
template <class V>
void check_graph(const RandomWorld& world, Movement movement) {
    const GridSnapshot grid = world.grid.snapshot();
    const GridGraph<V> graph(grid, world.costs, movement);
    struct Label {
        V g;
        Move via;
    };
    for (int32_t y = 0; y < grid.height(); ++y) {
        for (int32_t x = 0; x < grid.width(); ++x) {
            if (!world.costs.passable(grid.at(Cell{x, y}))) continue;
            int edges = 0, legal = 0;
            graph.expand(grid.layout().id({x, y}), Label{1000, kNoMove}, [&](CellId to, V g, Move move) {
                ++edges;
                const Cell c = grid.layout().cell(to);
                EXPECT_EQ((g - 1000) * uint64_t{world.costs.divisor}, step_cost(grid, world.costs, movement, {x, y}, c));
                EXPECT_EQ(graph.origin(to, move), grid.layout().id({x, y}));
            });
            for (const Cell m : kMoves) legal += step_cost(grid, world.costs, movement, {x, y}, {x + m.x, y + m.y}) != kInfiniteCost;
            ASSERT_EQ(edges, legal);
        }
    }
}

TEST(GridGraph, OffersExactlyTheLegalSteps) {
    Rng rng(11);
    for (int i = 0; i < 12; ++i) {
        const RandomWorld world = random_world(rng);
        check_graph<uint32_t>(world, Movement::kEight);
        check_graph<uint64_t>(world, Movement::kCutting);
        check_graph<uint32_t>(world, Movement::kFour);
    }
}

// A cell reached by a move leaves out only steps to cells that its parent reaches at least as cheaply, straight.
TEST(GridGraph, LeavesOutOnlyWhatTheParentReachesAsWell) {
    const Scene s = scene(R"(11111
                             11111
                             11111
                             11111
                             11111)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const GridGraph<uint32_t> graph(grid, costs, Movement::kEight);
    const CellId middle = grid.layout().id({2, 2});
    struct Label {
        uint32_t g;
        Move via;
    };
    for (Move via = 0; via < 8; ++via) {
        const Cell parent = grid.layout().cell(graph.origin(middle, via));
        std::vector<bool> offered(8);
        graph.expand(middle, Label{0, via}, [&](CellId, uint32_t, Move move) { offered[move] = true; });
        for (Move m = 0; m < 8; ++m) {
            const int away = std::abs(2 + kMoves[m].x - parent.x) + std::abs(2 + kMoves[m].y - parent.y);
            EXPECT_EQ(offered[m], away > 1) << int{via} << " then " << int{m};
        }
    }
}

TEST(GridBounds, NoOptimalPathIsDearer) {
    Rng rng(5);
    for (int i = 0; i < 40; ++i) {
        const RandomWorld world = random_world(rng, 20);
        const GridSnapshot grid = world.grid.snapshot();
        const GridBounds bounds = grid_bounds(grid, world.costs);
        const oracle::Map map = to_oracle(grid, world.costs);
        for (int s = 0; s < 5; ++s) {
            const Cell c = random_cell(rng, grid);
            for (const double d : oracle::distances(map, c.x, c.y, to_oracle(world.movement))) {
                if (d == oracle::kFar) continue;
                ASSERT_LE(d, to_real(bounds.longest_path * world.costs.divisor) * (1 + 1e-6));
            }
        }
        ASSERT_LE(bounds.longest_path, bounds.any_path);
    }
}

TEST(PathCost, OfIllegalPathsIsInfinite) {
    const Scene s = scene(R"(S.#
                             ..G)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const auto cost = [&](std::vector<Cell> cells) { return path_cost(grid, costs, Movement::kEight, cells); };
    EXPECT_EQ(cost({}), 0u);
    EXPECT_EQ(cost({{0, 0}}), 0u);
    EXPECT_EQ(cost({{2, 0}}), kInfiniteCost);
    EXPECT_EQ(cost({{0, 0}, {1, 1}, {2, 1}}), (kDiagonal + kStraight) * 200);
    EXPECT_EQ(cost({{1, 0}, {2, 1}}), kInfiniteCost);
    EXPECT_DOUBLE_EQ(exact_cost(grid, costs, std::vector<Cell>{{0, 0}, {1, 1}, {2, 1}}), std::sqrt(2.0) + 1);
}

}  // namespace
}  // namespace terrane::test
