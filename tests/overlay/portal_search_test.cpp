#include "terrane/overlay/portal_search.h"

#include <gtest/gtest.h>

#include "support/scene.h"
#include "terrane/grid/path.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {
namespace {

// The expansions of A* before the search over portals begins.
constexpr uint64_t kCellsFirst = 4000;

struct SearchAnswer {
    Status status;
    std::vector<Cell> cells;
    Cost cost;
    uint64_t expansions, expansions_first;
    bool optimal;
    friend bool operator==(const SearchAnswer&, const SearchAnswer&) = default;
};

SearchAnswer answer_of(const PortalSearch& search, Status status) {
    const bool found = status == Status::kFound;
    return {status,
            found ? search.cells() : std::vector<Cell>(),
            found ? search.cost() : kInfiniteCost,
            search.expansions(),
            search.expansions_first(),
            search.optimal()};
}

// In slices, the cells so far must be a prefix of the answer.
SearchAnswer run_in_slices(PortalSearch& search, uint64_t slice = kUnlimited) {
    std::vector<Cell> ready;
    Status status;
    while ((status = search.run(slice)) == Status::kBudgetSpent) ready = search.cells();
    EXPECT_TRUE(status != Status::kFound ||
                (ready.size() <= search.cells().size() && std::equal(ready.begin(), ready.end(), search.cells().begin())));
    return answer_of(search, status);
}

double optimum(const test::RandomWorld& world, Cell start, Cell goal) {
    const oracle::Map map = test::to_oracle(world.grid.snapshot(), world.costs);
    return oracle::distances(map, start.x, start.y, test::to_oracle(world.movement))[static_cast<size_t>(goal.y * map.width + goal.x)];
}

Cell at_most(int32_t cells, Cell from, Rng& rng, const GridSnapshot& grid) {
    const auto along = [&](int32_t at, int32_t end) { return rng.between(std::max(0, at - cells), std::min(end - 1, at + cells)); };
    const int32_t x = along(from.x, grid.width());
    return {x, along(from.y, grid.height())};
}

TEST(PortalSearch, PathsBetweenNearEndsAreOptimal) {
    Rng rng(51);
    PortalSearch search;
    PortalTree tree;
    int found = 0, none = 0, sliced_differently = 0;
    for (int i = 0; i < 120; ++i) {
        const test::RandomWorld world = test::random_world(rng, 150);
        const GridSnapshot grid = world.grid.snapshot();
        const Ground ground(grid, world.costs, world.movement);
        const PortalOverlay overlay = PortalOverlay::build(ground, {1 + rng.below(3), rng.below(2) * 8, 1});
        for (int q = 0; q < 4; ++q) {
            const Cell start = test::random_cell(rng, grid), goal = at_most(40, start, rng, grid);
            if (!ground.passable(start) || !ground.passable(goal)) continue;
            const double best = optimum(world, start, goal);
            search.begin(overlay, start, goal);
            const SearchAnswer whole = run_in_slices(search);
            ASSERT_EQ(whole.status, best == oracle::kFar ? Status::kUnreachable : Status::kFound);
            search.begin(overlay, start, goal);
            ASSERT_EQ(run_in_slices(search, 1 + rng.below(500)), whole);
            tree.begin(overlay, goal);
            search.begin(tree, start);
            const SearchAnswer by_tree = run_in_slices(search);
            ASSERT_EQ(by_tree.cost, whole.cost);
            (whole.status == Status::kFound ? found : none) += 1;
            if (whole.status != Status::kFound) continue;
            sliced_differently += whole.expansions > 500 ? 1 : 0;
            ASSERT_TRUE(whole.optimal);
            ASSERT_EQ(whole.cost, path_cost(ground, whole.cells));
            ASSERT_NEAR(to_real(whole.cost), best, best * 1e-6);
        }
    }
    EXPECT_GT(found, 150);
    EXPECT_GT(none, 8);
    EXPECT_GT(sliced_differently, 20);
}

// A wall from the north edge to `gap` cells before the south edge, between two near cells in the north.
struct WalledMap {
    explicit WalledMap(int32_t side, int32_t gap) : grid(side, side, Terrain{1}, test::digit_catalogue()) {
        grid.fill({{side / 2, 0}, {1, side - gap}}, Terrain{0});
        start = {side / 2 - 4, 3};
        goal = {side / 2 + 5, 2};
    }
    Ground ground() const {
        return {grid.snapshot(), test::digit_profile().compile(grid.snapshot().catalogue()).value(), Movement::kEightNoCornerCutting};
    }
    TerrainGrid grid;
    Cell start, goal;
};

TEST(PortalSearch, ProvesThePathOverPortalsWhereNearEndsAreFarApartByPath) {
    const WalledMap map(150, 2);
    const PortalOverlay overlay = PortalOverlay::build(map.ground());
    GridSearch cells;
    cells.begin(map.ground(), map.start, map.goal);
    cells.run();
    Path best;
    cells.path(best);
    PortalSearch search;
    search.begin(overlay, map.start, map.goal);
    const SearchAnswer whole = run_in_slices(search);
    EXPECT_TRUE(whole.optimal);
    EXPECT_EQ(whole.cost, best.cost);
    EXPECT_GT(best.expansions, kCellsFirst);
    EXPECT_LE(whole.expansions, best.expansions + 300);  // those over portals
    for (const uint64_t slice : {1, 3, 1000, 4000}) {
        search.begin(overlay, map.start, map.goal);
        EXPECT_EQ(run_in_slices(search, slice), whole) << slice;
    }
    search.begin(overlay, map.start, map.goal);
    EXPECT_EQ(search.run(kCellsFirst), Status::kBudgetSpent);
    EXPECT_EQ(search.finish_early(), Status::kBudgetSpent) << "there is no path so far";
    EXPECT_EQ(search.run(1000), Status::kBudgetSpent);
    EXPECT_TRUE(search.cells().empty()) << "not final";
    EXPECT_EQ(search.finish_early(), Status::kFound);
    EXPECT_EQ(search.cost(), path_cost(map.ground(), search.cells()));
    EXPECT_GE(search.cost(), best.cost);
    EXPECT_FALSE(search.optimal());
}

// On a large map, A* would expand half of it.
TEST(PortalSearch, GivesUpTheProofOfAVeryLongDetour) {
    const WalledMap map(600, 2);
    const PortalOverlay overlay = PortalOverlay::build(map.ground());
    PortalSearch search;
    search.begin(overlay, map.start, map.goal);
    const SearchAnswer whole = run_in_slices(search);
    EXPECT_EQ(whole.status, Status::kFound);
    EXPECT_FALSE(whole.optimal);
    EXPECT_EQ(whole.cost, path_cost(map.ground(), whole.cells));
    EXPECT_LT(whole.expansions, 68000u);
    search.begin(overlay, map.start, map.goal);
    EXPECT_EQ(run_in_slices(search, 999), whole);

    GridSearch cells;
    cells.begin(map.ground(), map.start, map.goal);
    cells.run();
    Path best;
    cells.path(best);
    EXPECT_GT(best.expansions, 100000u);
    EXPECT_EQ(search.improve(search.cost(), 7), Status::kBudgetSpent);
    const Status improved = search.improve(search.cost(), kUnlimited);
    EXPECT_EQ(improved, best.cost < whole.cost ? Status::kFound : Status::kUnreachable);
    EXPECT_TRUE(search.optimal());
    EXPECT_EQ(search.cost(), best.cost);
    EXPECT_LE(search.expansions(), best.expansions + 2000);
}

// 60 columns apart: A* runs for a few hundred expansions, then the portals answer.
TEST(PortalSearch, AStarFindsEasyPathsBeyondNearEnds) {
    TerrainGrid grid(200, 200, Terrain{1}, test::digit_catalogue());
    grid.fill({{100, 98}, {1, 3}}, Terrain{0});
    const CostTable costs = test::digit_profile().compile(grid.snapshot().catalogue()).value();
    const Ground open(grid.snapshot(), costs, Movement::kEightNoCornerCutting);
    PortalSearch search;
    const PortalOverlay overlay = PortalOverlay::build(open);
    search.begin(overlay, {70, 99}, {130, 103});
    const SearchAnswer easy = run_in_slices(search);
    EXPECT_TRUE(easy.optimal);
    EXPECT_EQ(search.crossings(), 0u);
    search.begin(overlay, {70, 99}, {130, 103});
    EXPECT_EQ(run_in_slices(search, 1), easy);

    grid.fill({{100, 20}, {1, 160}}, Terrain{0});
    const Ground walled(grid.snapshot(), costs, Movement::kEightNoCornerCutting);
    const PortalOverlay around = PortalOverlay::build(walled);
    search.begin(around, {70, 99}, {130, 103});
    const SearchAnswer far = run_in_slices(search);
    EXPECT_EQ(far.status, Status::kFound);
    EXPECT_FALSE(far.optimal);
    EXPECT_GT(search.crossings(), 0u);
    EXPECT_LT(far.expansions, 1000u);
    search.begin(around, {70, 99}, {130, 103});
    EXPECT_EQ(run_in_slices(search, 7), far);
}

TEST(PortalSearch, ImprovesAnyPathToTheOptimumWithNoMoreCellsThanAStar) {
    Rng rng(52);
    PortalSearch search;
    GridSearch cells;
    int improved = 0, proven = 0;
    for (int i = 0; i < 60; ++i) {
        const test::RandomWorld world = test::random_world(rng, 200);
        const Ground ground(world.grid.snapshot(), world.costs, world.movement);
        const PortalOverlay overlay = PortalOverlay::build(ground);
        for (int q = 0; q < 4; ++q) {
            const Cell start = test::random_cell(rng, ground.grid()), goal = test::random_cell(rng, ground.grid());
            if (!ground.passable(start) || !ground.passable(goal)) continue;
            search.begin(overlay, start, goal);
            if (run_in_slices(search).status != Status::kFound || search.optimal()) continue;
            cells.begin(ground, start, goal);
            ASSERT_EQ(cells.run(), Status::kFound);
            Path best;
            cells.path(best);
            const uint64_t before = search.expansions(), first = search.expansions_first();
            const Cost incumbent = search.cost();
            Status status;
            while ((status = search.improve(incumbent, 100)) == Status::kBudgetSpent) {
            }
            ASSERT_EQ(status, best.cost < incumbent ? Status::kFound : Status::kUnreachable);
            ASSERT_EQ(search.cost(), best.cost);
            ASSERT_LE(search.expansions() - before, best.expansions);
            ASSERT_EQ(search.expansions_first(), first);
            (status == Status::kFound ? improved : proven) += 1;
        }
    }
    EXPECT_GT(improved, 20);
    EXPECT_GT(proven, 3);
}

}  // namespace
}  // namespace terrane
