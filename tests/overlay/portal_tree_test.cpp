#include "terrane/overlay/portal_tree.h"

#include <gtest/gtest.h>

#include "overlay/cluster_field.h"
#include "overlay/portal_graph.h"
#include "support/scene.h"
#include "terrane/grid/path.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/overlay/portal_search.h"

namespace terrane {
namespace {

using detail::kNoPath;
using detail::OverlayData;
using detail::PortalGraph;

constexpr PortalSearchOptions kByPortals = {.optimise_crossings = false};

// In the overlay's units.
uint64_t field_cost(const OverlayData& data, const std::vector<Cell>& cells) {
    const auto cost = [&](Cell c) -> uint64_t { return data.table_costs.cost[data.ground.grid().at(c)]; };
    uint64_t sum = 0;
    for (size_t i = 1; i < cells.size(); ++i) {
        const bool straight = cells[i].x == cells[i - 1].x || cells[i].y == cells[i - 1].y;
        sum += (straight ? detail::kFieldStraight : detail::kFieldDiagonal) * (cost(cells[i - 1]) + cost(cells[i]));
    }
    return sum;
}

bool near(Cell a, Cell b) { return std::abs(a.x - b.x) <= 40 && std::abs(a.y - b.y) <= 40; }

Cell random_passable(Rng& rng, const GridSnapshot& grid, const CostTable& costs) {
    for (int i = 0; i < 1000; ++i) {
        const Cell c = test::random_cell(rng, grid);
        if (costs.passable(grid.at(c))) return c;
    }
    return {-1, -1};
}

// The nearest cell to the west on a border between two clusters, if there is one.
Cell onto_border(Cell c, const GridSnapshot& grid) {
    const int32_t x = c.x / kClusterStep * kClusterStep;
    return x > 0 && x < grid.width() ? Cell{x, c.y} : c;
}

struct Answer {
    Status status;
    std::vector<Cell> cells;
    friend bool operator==(const Answer&, const Answer&) = default;
};

Answer follow_tree(PortalSearch& search, PortalTree& tree, Cell start, const PortalSearchOptions& options = {},
                   uint64_t slice = kUnlimited) {
    search.begin(tree, start, options);
    Status status = search.run(slice);
    while (status == Status::kBudgetSpent) status = search.run(slice);
    return {status, status == Status::kFound ? search.cells() : std::vector<Cell>()};
}

Answer run_search(PortalSearch& search, const PortalOverlay& overlay, Cell start, Cell goal, const PortalSearchOptions& options = {}) {
    search.begin(overlay, start, goal, options);
    const Status status = search.run();
    return {status, status == Status::kFound ? search.cells() : std::vector<Cell>()};
}

// The tree's path is legal, connects start and goal, and over portals costs no more than that of a search.
void expect_as_good(const PortalOverlay& overlay, PortalSearch& search, PortalTree& tree, Cell start) {
    const OverlayData& data = overlay.data();
    const Answer alone = run_search(search, overlay, start, tree.goal(), kByPortals);
    const Answer shared = follow_tree(search, tree, start, kByPortals);
    ASSERT_EQ(shared.status, alone.status);
    if (shared.status != Status::kFound) return;
    ASSERT_EQ(shared.cells.front(), start);
    ASSERT_EQ(shared.cells.back(), tree.goal());
    ASSERT_NE(path_cost(data.ground, shared.cells), kInfiniteCost);
    if (!near(start, tree.goal())) {
        ASSERT_LE(field_cost(data, shared.cells), field_cost(data, alone.cells));
    }
    const Answer moved = follow_tree(search, tree, start);
    ASSERT_EQ(moved.status, Status::kFound);
    ASSERT_EQ(moved.cells.front(), start);
    ASSERT_EQ(moved.cells.back(), tree.goal());
    ASSERT_NE(path_cost(data.ground, moved.cells), kInfiniteCost);
    if (!near(start, tree.goal())) {
        ASSERT_LE(field_cost(data, moved.cells), field_cost(data, shared.cells));
    }
}

TEST(PortalTree, PathsAreAsGoodAsSearchedOnes) {
    Rng rng(11);
    PortalSearch search;
    PortalTree tree;
    int far = 0;
    for (int i = 0; i < 100; ++i) {
        const test::RandomWorld world = test::random_world(rng, 150);
        const GridSnapshot grid = world.grid.snapshot();
        const uint32_t portals_per_side = 1 + rng.below(4);
        const PortalOverlay overlay = PortalOverlay::build({grid, world.costs, world.movement}, {portals_per_side, rng.below(3) * 8, 1});
        const Cell somewhere = random_passable(rng, grid, world.costs);
        if (somewhere.x < 0) continue;
        const Cell border = onto_border(somewhere, grid);
        for (const Cell goal : {somewhere, border}) {
            if (!world.costs.passable(grid.at(goal))) continue;
            tree.begin(overlay, goal);
            for (int q = 0; q < 12; ++q) {
                const Cell c = random_passable(rng, grid, world.costs);
                const Cell start = q % 3 == 0 ? onto_border(c, grid) : c;
                if (!world.costs.passable(grid.at(start))) continue;
                SCOPED_TRACE(testing::Message() << "world " << i << " query " << q);
                expect_as_good(overlay, search, tree, start);
                if (HasFatalFailure()) return;
                far += near(start, goal) ? 0 : 1;
            }
            expect_as_good(overlay, search, tree, goal);
            if (HasFatalFailure()) return;
        }
    }
    EXPECT_GT(far, 400);
}

// Each portal's distance is the least over its clusters' portals and over the goal's legs.
TEST(PortalTree, DistancesAreThoseOfTheTables) {
    const GridSnapshot grid = generate_island({.width = 200, .height = 160, .seed = 3}).value().snapshot();
    const CostTable costs = Profile::preset("person")->compile(grid.catalogue()).value();
    const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting}, {2, 8, 1});
    const OverlayData& data = overlay.data();
    Rng rng(2);
    PortalTree tree;
    const Cell goal = random_passable(rng, grid, costs);
    tree.begin(overlay, goal);
    EXPECT_FALSE(tree.run(5));
    EXPECT_EQ(tree.expansions(), 5u);
    EXPECT_TRUE(tree.run());
    EXPECT_EQ(tree.settled_radius(), kInfinite<uint64_t>);
    uint64_t known = 0, last = 0;
    for (uint32_t w = 0; w < data.cluster_count(); ++w) {
        PortalGraph::for_each_portal(data, w, [&](PortalId a, uint32_t i) {
            if (tree.distance(a) == kInfinite<uint64_t>) return;
            ++known;
            const PortalTree::Step step = tree.step(a);
            last += step.next == kNoPortal ? 1 : 0;
            PortalGraph::for_each_portal(data, w, [&](PortalId b, uint32_t j) {
                if (b == a || data.table(w).row(i)[j] == kNoPath) return;
                ASSERT_LE(tree.distance(b), tree.distance(a) + data.table(w).row(i)[j]);
                if (step.next == b && step.cluster == w) {
                    ASSERT_EQ(tree.distance(a), tree.distance(b) + data.table(w).row(i)[j]);
                }
            });
        });
    }
    EXPECT_GT(known, 100u);
    EXPECT_GT(last, 0u);
    EXPECT_GE(tree.bytes(), known / 2 * 16);
}

TEST(PortalTree, InSlicesAndFromNearToFarIsTheSame) {
    const GridSnapshot grid = generate_island({.width = 256, .height = 200, .seed = 5}).value().snapshot();
    const CostTable costs = Profile::preset("deer")->compile(grid.catalogue()).value();
    const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting});
    PortalSearch search;
    PortalTree grown, whole;
    Rng rng(6);
    for (int i = 0; i < 12; ++i) {
        const Cell goal = random_passable(rng, grid, costs);
        grown.begin(overlay, goal);
        whole.begin(overlay, goal);
        whole.run();
        for (int q = 0; q < 12; ++q) {
            const Cell start = random_passable(rng, grid, costs);
            const Answer all = follow_tree(search, whole, start);
            PortalTree fresh;
            fresh.begin(overlay, goal);
            ASSERT_EQ(follow_tree(search, fresh, start, {}, 1), all);
            if (!near(start, goal)) {
                ASSERT_GT(search.expansions(), 0u);
            }
            ASSERT_EQ(follow_tree(search, grown, start), all);
            ASSERT_LE(grown.expansions(), whole.expansions());
        }
    }
}

TEST(PortalTree, AsksForNoMoreThanItNeeds) {
    const GridSnapshot grid = TerrainGrid(800, 800, Terrain{1}).snapshot();
    const CostTable costs = Profile().compile(grid.catalogue()).value();
    const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting}, {2, 0, 1});
    PortalTree tree;
    PortalSearch search;
    tree.begin(overlay, {400, 400});
    ASSERT_EQ(follow_tree(search, tree, {300, 400}).status, Status::kFound);
    const uint64_t once = tree.expansions();
    EXPECT_GT(once, 0u);
    EXPECT_LT(once, overlay.portal_count() / 4);
    ASSERT_EQ(follow_tree(search, tree, {310, 405}).status, Status::kFound);
    EXPECT_EQ(tree.expansions(), once);
}

TEST(PortalTree, StartsAgainAfterEdits) {
    Rng rng(8);
    PortalSearch search;
    PortalTree tree;
    for (int w = 0; w < 12; ++w) {
        test::RandomWorld world = test::random_world(rng, 120);
        PortalOverlay overlay = PortalOverlay::build({world.grid.snapshot(), world.costs, world.movement}, {2, 8, 1});
        for (int e = 0; e < 12; ++e) {
            const Cell c = test::random_cell(rng, world.grid.snapshot());
            const int32_t side = rng.between(1, 40);
            const EditResult edit = world.grid.fill({c, {side, side}}, static_cast<Terrain>(rng.below(6)));
            const Cell goal = random_passable(rng, edit.after, world.costs);
            overlay = *overlay.updated(edit);
            if (goal.x < 0) continue;
            tree.begin(overlay, goal);
            for (int q = 0; q < 6; ++q) expect_as_good(overlay, search, tree, random_passable(rng, edit.after, world.costs));
            if (HasFatalFailure()) return;
        }
    }
}

// The tree keeps its overlay alive.
TEST(PortalTree, HoldsOnToItsOverlay) {
    TerrainGrid grid(200, 80, Terrain{1});
    const CostTable costs = Profile().blocked("lava").compile(grid.snapshot().catalogue()).value();
    std::optional<PortalOverlay> overlay = PortalOverlay::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting});
    PortalTree tree;
    tree.begin(*overlay, {190, 70});
    overlay = overlay->updated(grid.fill({{96, 0}, {1, 80}}, *grid.snapshot().catalogue().find("lava")));
    PortalSearch search;
    EXPECT_EQ(follow_tree(search, tree, {5, 5}).status, Status::kFound);
    PortalTree moved = std::move(tree);
    EXPECT_EQ(follow_tree(search, moved, {5, 5}).status, Status::kFound);
    moved.begin(*overlay, {190, 70});
    EXPECT_EQ(follow_tree(search, moved, {5, 5}).status, Status::kUnreachable);
    EXPECT_EQ(follow_tree(search, moved, {150, 5}).status, Status::kFound);
}

TEST(PortalTree, OneCellAndOneCluster) {
    for (const int32_t side : {1, 2, 33, 34}) {
        const GridSnapshot grid = TerrainGrid(side, side, Terrain{1}).snapshot();
        const CostTable costs = Profile().compile(grid.catalogue()).value();
        const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting});
        PortalTree tree;
        tree.begin(overlay, {side - 1, side - 1});
        PortalSearch search;
        const Answer answer = follow_tree(search, tree, {0, 0}, {}, 1);
        ASSERT_EQ(answer.status, Status::kFound) << side;
        EXPECT_EQ(answer.cells, run_search(search, overlay, {0, 0}, {side - 1, side - 1}).cells) << side;
        EXPECT_EQ(follow_tree(search, tree, {side - 1, side - 1}).cells, (std::vector<Cell>{{side - 1, side - 1}})) << side;
    }
}

}  // namespace
}  // namespace terrane
