#include <gtest/gtest.h>

#include <limits>

#include "support/scene.h"

namespace terrane::test {
namespace {

TEST(Movement, StepCostsFollowTheRule) {
    const Scene s = scene(R"(.#3
                             ..5
                             9.1)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const auto step = [&](Movement m, Cell a, Cell b) { return Ground(grid, costs, m).step_cost(a, b); };
    EXPECT_EQ(step(Movement::kEightNoCornerCutting, {2, 0}, {2, 1}), kStraight * 800);
    EXPECT_EQ(step(Movement::kEightNoCornerCutting, {1, 2}, {2, 1}), kDiagonal * 600);
    EXPECT_EQ(step(Movement::kEightNoCornerCutting, {0, 0}, {1, 1}), kInfiniteCost);  // cuts a corner
    EXPECT_EQ(step(Movement::kEightCutCorners, {0, 0}, {1, 1}), kDiagonal * 200);
    EXPECT_EQ(step(Movement::kFour, {1, 2}, {2, 1}), kInfiniteCost);
    EXPECT_EQ(step(Movement::kEightNoCornerCutting, {0, 0}, {1, 0}), kInfiniteCost);   // into the wall
    EXPECT_EQ(step(Movement::kEightNoCornerCutting, {0, 0}, {0, 0}), kInfiniteCost);   // not a step
    EXPECT_EQ(step(Movement::kEightNoCornerCutting, {0, 0}, {0, 2}), kInfiniteCost);   // two steps
    EXPECT_EQ(step(Movement::kEightNoCornerCutting, {0, 0}, {-1, 0}), kInfiniteCost);  // off the map
}

// The difference of the coordinates overflows 32 bits; UndefinedBehaviorSanitizer checks that it is computed in 64.
TEST(Movement, AStepBetweenCellsThatAreFarApartCostsInfinity) {
    const TerrainGrid grid(8, 8, Terrain{6});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    constexpr int32_t kLeast = std::numeric_limits<int32_t>::min(), kMost = std::numeric_limits<int32_t>::max();
    for (const Cell far : {Cell{kLeast, 3}, Cell{kMost, 3}, Cell{3, kLeast}, Cell{3, kMost}, Cell{kLeast, kMost}}) {
        EXPECT_EQ(Ground(grid.snapshot(), costs, Movement::kEightNoCornerCutting).step_cost(far, {3, 3}), kInfiniteCost);
        EXPECT_EQ(Ground(grid.snapshot(), costs, Movement::kEightNoCornerCutting).step_cost({3, 3}, far), kInfiniteCost);
    }
    EXPECT_EQ(Ground(grid.snapshot(), costs, Movement::kEightNoCornerCutting).step_cost({kMost, 3}, {kLeast, 3}), kInfiniteCost);
}

// Every edge of the graph costs step_cost() of that step, and no legal step is missing: at tile borders, at map borders, for all rules.
template <class V>
void check_graph(const RandomWorld& world, Movement movement) {
    const GridSnapshot grid = world.grid.snapshot();
    const GridGraph<V> graph({grid, world.costs, movement});
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
                EXPECT_EQ((g - 1000) * uint64_t{world.costs.divisor}, Ground(grid, world.costs, movement).step_cost({x, y}, c));
                EXPECT_EQ(graph.origin(to, move), grid.layout().id({x, y}));
            });
            for (const Cell m : kMoves) legal += Ground(grid, world.costs, movement).step_cost({x, y}, {x + m.x, y + m.y}) != kInfiniteCost;
            ASSERT_EQ(edges, legal);
        }
    }
}

TEST(GridGraph, OffersExactlyTheLegalSteps) {
    Rng rng(11);
    for (int i = 0; i < 12; ++i) {
        const RandomWorld world = random_world(rng);
        check_graph<uint32_t>(world, Movement::kEightNoCornerCutting);
        check_graph<uint64_t>(world, Movement::kEightCutCorners);
        check_graph<uint32_t>(world, Movement::kFour);
    }
}

// Whether a level omits the step from `n` to `to`, after one from `parent` to `n`, where all terrain is the same.
bool omits(Pruning pruning, Cell parent, Cell n, Cell to) {
    const MovementRule& rule = rule_of(Movement::kEightNoCornerCutting);
    const uint64_t best = octile_length(rule, parent, to), first = octile_length(rule, parent, n), second = octile_length(rule, n, to);
    if (std::abs(to.x - parent.x) <= 1 && std::abs(to.y - parent.y) <= 1) return true;
    if (pruning == Pruning::kLabelled) return false;
    return best < first + second || (pruning == Pruning::kCanonical && first < second);
}

TEST(GridGraph, OmitsSuccessorsOfUniformCellsByLevel) {
    const Scene s = scene(R"(11111
                             11111
                             11111
                             11111
                             11111)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const Cell middle{2, 2};
    for (const Pruning pruning : {Pruning::kLabelled, Pruning::kDominated, Pruning::kCanonical}) {
        const GridGraph<uint32_t> graph({grid, costs, Movement::kEightNoCornerCutting}, pruning);
        for (Move via = 0; via < 8; ++via) {
            const Cell parent = grid.layout().cell(graph.origin(grid.layout().id(middle), via));
            std::vector<bool> offered(8);
            graph.expand(grid.layout().id(middle), PlainLabel<GridGraph<uint32_t>>{0, via},
                         [&](CellId, uint32_t, Move move) { offered[move] = true; });
            for (Move m = 0; m < 8; ++m) {
                const Cell to{middle.x + kMoves[m].x, middle.y + kMoves[m].y};
                EXPECT_EQ(offered[m], !omits(pruning, parent, middle, to)) << int(pruning) << ": " << int{via} << " then " << int{m};
            }
        }
    }
}

// One cell differs: no level omits more than the steps that the parent dominates by a straight step.
TEST(GridGraph, OmitsOnlySuccessorsThatTheParentDominatesWhereACellDiffers) {
    for (const Cell other : kMoves) {
        TerrainGrid grid(5, 5, Terrain{5});
        grid.set({2 + other.x, 2 + other.y}, Terrain{6});
        const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
        const GridGraph<uint32_t> graph({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, Pruning::kCanonical);
        const GridLayout layout = grid.snapshot().layout();
        for (Move via = 0; via < 8; ++via) {
            const Cell parent = layout.cell(graph.origin(layout.id({2, 2}), via));
            std::vector<bool> offered(8);
            graph.expand(layout.id({2, 2}), PlainLabel<GridGraph<uint32_t>>{0, via},
                         [&](CellId, uint32_t, Move move) { offered[move] = true; });
            for (Move m = 0; m < 8; ++m) {
                const int away = std::abs(2 + kMoves[m].x - parent.x) + std::abs(2 + kMoves[m].y - parent.y);
                EXPECT_EQ(offered[m], away > 1) << int{via} << " then " << int{m};
            }
        }
    }
}

TEST(GridBounds, NoOptimalPathCostsMore) {
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
                ASSERT_LE(d, to_real(bounds.max_optimal_cost * world.costs.divisor) * (1 + 1e-6));
            }
        }
        ASSERT_LE(bounds.max_optimal_cost, bounds.max_simple_cost);
    }
}

TEST(GridBounds, AreThoseOfTheCells) {
    Rng rng(6);
    for (int i = 0; i < 60; ++i) {
        const RandomWorld world = random_world(rng, 12);
        const GridSnapshot grid = world.grid.snapshot();
        uint32_t cheapest = kInfinite<uint32_t>, most_expensive = 0;
        uint64_t mass = 0;
        bool any_blocked = false;
        for (const Terrain t : grid.cells()) {
            const uint32_t cost = world.costs.cost[t];
            any_blocked = any_blocked || cost == 0;
            cheapest = cost == 0 ? cheapest : std::min(cheapest, cost);
            most_expensive = std::max(most_expensive, cost);
            mass += cost;
        }
        const GridBounds bounds = grid_bounds(grid, world.costs);
        ASSERT_EQ(bounds.cheapest, most_expensive == 0 ? 0 : cheapest);
        ASSERT_EQ(bounds.most_expensive, most_expensive);
        ASSERT_EQ(bounds.max_simple_cost, 2 * kDiagonal * mass);
        const uint64_t straight = static_cast<uint64_t>(grid.width() + grid.height()) * 2 * kDiagonal * most_expensive;
        ASSERT_EQ(bounds.max_optimal_cost, any_blocked ? bounds.max_simple_cost : std::min(bounds.max_simple_cost, straight));
    }
}

TEST(PathCost, IsTheSumOfTheStepsWhateverTheCells) {
    Rng rng(7);
    int infinite = 0;
    for (int i = 0; i < 4000; ++i) {
        const RandomWorld world = random_world(rng, 9);
        const GridSnapshot grid = world.grid.snapshot();
        std::vector<Cell> cells = {random_cell(rng, grid)};
        for (uint32_t n = rng.below(4); n > 0; --n) {
            const auto step = [&] { return rng.chance(1, 30) ? 2 : rng.between(-1, 1); };
            cells.push_back({cells.back().x + step(), cells.back().y + step()});
        }
        Cost sum = world.costs.passable(grid.at(cells[0])) ? 0 : kInfiniteCost;
        for (size_t c = 1; c < cells.size() && sum != kInfiniteCost; ++c) {
            const Cost step = Ground(grid, world.costs, world.movement).step_cost(cells[c - 1], cells[c]);
            sum = step == kInfiniteCost ? step : sum + step;
        }
        ASSERT_EQ(path_cost({grid, world.costs, world.movement}, cells), sum);
        infinite += sum == kInfiniteCost;
    }
    EXPECT_GT(infinite, 1000);
    EXPECT_LT(infinite, 3000);
}

// Tiles are 32 cells wide. The diagonal path passes the corner where four tiles meet; edits in other tiles do not matter.
TEST(Path, StaysValidUntilOneOfItsTilesOrOfTheCornersThatItPassesChanges) {
    const auto still_valid = [](Path path, Cell edited) {
        TerrainGrid grid(128, 128, 5);
        path.version = grid.snapshot().version();
        EXPECT_TRUE(path.still_valid(grid.snapshot()));
        grid.set(edited, 6);
        return path.still_valid(grid.snapshot());
    };
    Path diagonal, straight, line, outside;
    diagonal.cells = {{31, 31}, {32, 32}, {32, 33}};
    straight.cells = {{31, 31}, {32, 31}, {32, 32}, {32, 33}};
    line.cells = {{1, 1}};
    line.polyline = {{2.5, 2.5}, {2.5, 80.5}, {-9, 80.5}};
    for (int32_t ty = 0; ty < 4; ++ty) {
        for (int32_t tx = 0; tx < 4; ++tx) {
            const Cell edited = {tx * 32 + 7, ty * 32 + 9};
            EXPECT_EQ(still_valid(diagonal, edited), tx > 1 || ty > 1) << tx << " " << ty;
            EXPECT_EQ(still_valid(straight, edited), tx > 1 || ty > 1 || (tx == 0 && ty == 1)) << tx << " " << ty;
            EXPECT_EQ(still_valid(line, edited), tx > 0 || ty > 2) << tx << " " << ty;
        }
    }
    outside.cells = {{0, 0}, {0, -1}};
    EXPECT_FALSE(outside.still_valid(TerrainGrid(8, 8, 5).snapshot()));
}

TEST(Movement, EveryOneHasAName) {
    EXPECT_STREQ(to_string(Movement::kEightNoCornerCutting), "eight");
    EXPECT_STREQ(to_string(Movement::kEightCutCorners), "cutting");
    EXPECT_STREQ(to_string(Movement::kFour), "four");
    EXPECT_STREQ(to_string(static_cast<Movement>(77)), "unknown");
}

TEST(PathCost, OfIllegalPathsIsInfinite) {
    const Scene s = scene(R"(S.#
                             ..G)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const auto cost = [&](std::vector<Cell> cells) { return path_cost({grid, costs, Movement::kEightNoCornerCutting}, cells); };
    EXPECT_EQ(cost({}), 0u);
    EXPECT_EQ(cost({{0, 0}}), 0u);
    EXPECT_EQ(cost({{2, 0}}), kInfiniteCost);
    EXPECT_EQ(cost({{0, 0}, {1, 1}, {2, 1}}), (kDiagonal + kStraight) * 200);
    EXPECT_EQ(cost({{1, 0}, {2, 1}}), kInfiniteCost);
    EXPECT_DOUBLE_EQ(exact_cost(grid, costs, std::vector<Cell>{{0, 0}, {1, 1}, {2, 1}}), std::sqrt(2.0) + 1);
}

}  // namespace
}  // namespace terrane::test
