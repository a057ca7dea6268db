#include "terrane/portal_overlay.h"

#include <gtest/gtest.h>

#include <cstring>

#include "abstraction/portal_graph.h"
#include "abstraction/window_field.h"
#include "support/scene.h"
#include "terrane/grid_search.h"
#include "terrane/mapgen.h"
#include "terrane/path.h"
#include "terrane/portal_search.h"

namespace terrane {
namespace {

using detail::kNoWay;
using detail::OverlayRoot;

// Optimal costs from one cell, in Cost units; kInfiniteCost where there is no way.
class Optimal {
public:
    Optimal(const GridSnapshot& grid, const CostTable& costs, Movement movement, Cell start) {
        SearchOptions options;
        options.movement = movement;
        search_.begin_flood(grid, costs, start, kInfiniteCost, options);
        search_.run();
    }
    Cost to(Cell goal) const { return search_.cost_to(goal); }

private:
    GridSearch search_;
};

// Every potential differs from every other of its window by no more than their distance.
void expect_feasible(const PortalOverlay& overlay) {
    const OverlayRoot& root = overlay.root();
    const uint32_t lanes = root.options.landmarks;
    const auto number = [&](PortalId id, uint32_t lane) -> int64_t { return root.potential(id)[lane]; };
    for (uint32_t w = 0; w < root.window_count(); ++w) {
        const detail::PortalTable table = root.table(w);
        detail::PortalGraph::for_each_portal(root, w, [&](PortalId a, uint32_t i) {
            detail::PortalGraph::for_each_portal(root, w, [&](PortalId b, uint32_t j) {
                const int64_t d = table.row(i)[j];
                if (d == kNoWay) return;
                for (uint32_t lane = 0; lane < lanes; ++lane) ASSERT_LE(number(a, lane), number(b, lane) + d);
            });
        });
    }
}

// The same lines, portals and tables; landmarks may differ.
void expect_same_tables(const PortalOverlay& a, const PortalOverlay& b) {
    const OverlayRoot &x = a.root(), &y = b.root();
    ASSERT_EQ(x.shift, y.shift);
    ASSERT_EQ(x.portals, y.portals);
    for (uint32_t s = 0; s < x.segment_count(); ++s) ASSERT_EQ(x.segments[s]->portals, y.segments[s]->portals) << s;
    for (uint32_t w = 0; w < x.window_count(); ++w) {
        ASSERT_EQ(x.table(w).bytes(), y.table(w).bytes()) << w;
        ASSERT_EQ(std::memcmp(x.tables[w].get(), y.tables[w].get(), x.table(w).bytes()), 0) << w;
        const detail::WindowRecord &one = *x.windows[w], &two = *y.windows[w];
        ASSERT_EQ(one.uniform_cost, two.uniform_cost) << w;
        if (one.guide == nullptr || two.guide == nullptr) continue;  // as many are kept as there was room for when it was built
        ASSERT_EQ(one.guide->moves, two.guide->moves) << w;
        ASSERT_EQ(one.guide->narrow, two.guide->narrow) << w;
        ASSERT_EQ(one.guide->wide, two.guide->wide) << w;
    }
}

TEST(WindowField, HoldsTheDistancesInsideTheWindow) {
    Rng rng(3);
    detail::WindowCosts costs;
    detail::Field<int16_t> narrow;
    detail::Field<int32_t> wide;
    int narrows = 0, wides = 0;
    for (int i = 0; i < 200; ++i) {
        const test::RandomWorld world = test::random_world(rng, 33);
        const GridSnapshot grid = world.grid.snapshot();
        costs.read(grid, world.costs, world.movement, grid.layout().rect());
        if (costs.uniform()) continue;
        std::vector<detail::WindowCell> targets;
        for (uint32_t c = 0; c < costs.cells(); c += 7) {
            if (costs.cost(c) != 0) targets.push_back(c);
        }
        if (targets.empty()) continue;
        // The oracle's steps are 1 and sqrt 2: the same ways, measured by the field's 29 and 41.
        const bool fits = detail::make_field(costs, targets, narrow);
        ASSERT_TRUE(detail::make_field(costs, targets, wide));
        (fits ? narrows : wides) += 1;
        const auto width = static_cast<uint32_t>(grid.width());
        const Cell target{static_cast<int32_t>(targets[0] % width), static_cast<int32_t>(targets[0] / width)};
        const auto best = oracle::distances(test::to_oracle(grid, world.costs), target.x, target.y, test::to_oracle(world.movement));
        const double unit = 2.0 * detail::kFieldStraight * 100 / world.costs.divisor;
        for (uint32_t c = 0; c < costs.cells(); ++c) {
            const uint32_t value = wide.distance(c, 0);
            if (fits) {
                ASSERT_EQ(narrow.distance(c, 0), value);
            }
            if (best[c] == oracle::kFar) {
                ASSERT_EQ(value, kNoWay);
            } else {
                ASSERT_LE(value, best[c] * unit * 1.0001 + 1);
                ASSERT_GE(value, best[c] * unit * 0.9995 - 1);
            }
        }
    }
    EXPECT_GT(narrows, 10);
    EXPECT_GT(wides, 10);
}

TEST(PortalOverlay, FindsAWayIfAndOnlyIfThereIsOne) {
    Rng rng(4);
    PortalSearch search;
    int found = 0, none = 0;
    for (int i = 0; i < 150; ++i) {
        const test::RandomWorld world = test::random_world(rng, 140);
        const GridSnapshot grid = world.grid.snapshot();
        const uint32_t slots = 1 + rng.below(4);
        const PortalOverlay overlay = PortalOverlay::build(grid, world.costs, world.movement, {slots, rng.below(3) * 8, 1});
        expect_feasible(overlay);
        const Cell start = test::random_cell(rng, grid);
        if (!world.costs.passable(grid.at(start))) continue;
        const Optimal optimal(grid, world.costs, world.movement, start);
        for (int q = 0; q < 12; ++q) {
            const Cell goal = test::random_cell(rng, grid);
            if (!world.costs.passable(grid.at(goal))) continue;
            SCOPED_TRACE(testing::Message() << "world " << i << " query " << q);
            search.begin(overlay, start, goal);
            const Status status = search.run();
            const Cost best = optimal.to(goal);
            ASSERT_EQ(status, best == kInfiniteCost ? Status::kUnreachable : Status::kFound);
            (status == Status::kFound ? found : none) += 1;
            if (status != Status::kFound) continue;
            ASSERT_EQ(search.cells().front(), start);
            ASSERT_EQ(search.cells().back(), goal);
            const Cost cost = path_cost(grid, world.costs, world.movement, search.cells());
            ASSERT_NE(cost, kInfiniteCost);
            ASSERT_GE(cost, best);
        }
    }
    EXPECT_GT(found, 200);
    EXPECT_GT(none, 50);
}

TEST(PortalOverlay, InSlicesIsTheSame) {
    const GridSnapshot grid = generate_island({.width = 256, .height = 200, .seed = 5}).value().snapshot();
    const CostTable costs = Profile::preset("deer")->compile(grid.catalogue()).value();
    const PortalOverlay overlay = PortalOverlay::build(grid, costs, Movement::kEight);
    PortalSearch search;
    Rng rng(5);
    for (int i = 0; i < 40; ++i) {
        const Cell a = test::random_cell(rng, grid), b = test::random_cell(rng, grid);
        if (!costs.passable(grid.at(a)) || !costs.passable(grid.at(b))) continue;
        search.begin(overlay, a, b);
        const Status whole = search.run();
        const std::vector<Cell> cells = search.cells();
        const uint64_t expansions = search.expansions();
        search.begin(overlay, a, b);
        Status sliced = search.run(3);
        while (sliced == Status::kBudgetSpent) sliced = search.run(3);
        ASSERT_EQ(whole, sliced);
        if (whole != Status::kFound) continue;
        ASSERT_EQ(cells, search.cells());
        ASSERT_EQ(expansions, search.expansions());
    }
}

TEST(PortalOverlay, IsTheSameForAnyNumberOfThreads) {
    const GridSnapshot grid = generate_island({.width = 200, .height = 256, .seed = 6}).value().snapshot();
    const CostTable costs = Profile::preset("person")->compile(grid.catalogue()).value();
    const PortalOverlay one = PortalOverlay::build(grid, costs, Movement::kEight, {2, 8, 1});
    const PortalOverlay three = PortalOverlay::build(grid, costs, Movement::kEight, {2, 8, 3});
    expect_same_tables(one, three);
    for (uint32_t s = 0; s < one.root().segment_count(); ++s) {
        const size_t bytes = one.root().segments[s]->portals.size() * 8;
        ASSERT_EQ(std::memcmp(one.root().potentials[s].get(), three.root().potentials[s].get(), bytes * 4), 0);
        ASSERT_EQ(std::memcmp(one.root().coarse[s].get(), three.root().coarse[s].get(), bytes * 2), 0);
    }
}

TEST(PortalOverlay, AfterEditsHasTheTablesOfANewOne) {
    Rng rng(7);
    PortalSearch kept;
    for (int w = 0; w < 12; ++w) {
        test::RandomWorld world = test::random_world(rng, 120);
        PortalOverlay overlay = PortalOverlay::build(world.grid.snapshot(), world.costs, world.movement, {2, 8, 1});
        for (int e = 0; e < 30; ++e) {
            const GridSnapshot before = world.grid.snapshot();
            const Cell c = test::random_cell(rng, before);
            const EditResult edit = rng.chance(1, 2) ? world.grid.set(c, static_cast<Terrain>(rng.below(6)))
                                                     : world.grid.fill({c.x, c.y, c.x + rng.between(1, 40), c.y + rng.between(1, 40)},
                                                                       static_cast<Terrain>(rng.below(6)));
            overlay = *overlay.updated(edit);
            const PortalOverlay fresh = PortalOverlay::build(world.grid.snapshot(), world.costs, world.movement, {2, 8, 1});
            expect_same_tables(overlay, fresh);
            expect_feasible(overlay);
            if (HasFatalFailure()) return;
            // What is kept of guides never shows: the same path with a search that has seen everything and one that has seen nothing.
            const Cell a = test::random_cell(rng, before), b = test::random_cell(rng, before);
            if (!world.costs.passable(edit.after.at(a)) || !world.costs.passable(edit.after.at(b))) continue;
            PortalSearch none;
            kept.begin(overlay, a, b);
            none.begin(overlay, a, b);
            ASSERT_EQ(kept.run(), none.run());
            ASSERT_EQ(kept.cells(), none.cells());
        }
    }
}

TEST(PortalOverlay, RefusesAnotherVersion) {
    TerrainGrid grid(80, 80, Terrain{1});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    const PortalOverlay overlay = PortalOverlay::build(grid.snapshot(), costs, Movement::kEight);
    EXPECT_TRUE(overlay.valid_for(grid.snapshot(), costs, Movement::kEight));
    EXPECT_FALSE(overlay.valid_for(grid.snapshot(), costs, Movement::kFour));
    grid.set({3, 3}, Terrain{2});
    EXPECT_FALSE(overlay.valid_for(grid.snapshot(), costs, Movement::kEight));
    EXPECT_FALSE(overlay.updated(grid.set({4, 3}, Terrain{2})));
}

TEST(PortalOverlay, OneCellAndOneWindow) {
    for (const int32_t side : {1, 2, 33, 34}) {
        const GridSnapshot grid = TerrainGrid(side, side, Terrain{1}).snapshot();
        const CostTable costs = Profile().compile(grid.catalogue()).value();
        const PortalOverlay overlay = PortalOverlay::build(grid, costs, Movement::kEight);
        PortalSearch search;
        search.begin(overlay, {0, 0}, {side - 1, side - 1});
        ASSERT_EQ(search.run(), Status::kFound) << side;
        if (side <= 33) {
            EXPECT_EQ(search.cells().size(), static_cast<size_t>(side));
        }
        EXPECT_EQ(search.cells().back(), (Cell{side - 1, side - 1}));
    }
}

}  // namespace
}  // namespace terrane
