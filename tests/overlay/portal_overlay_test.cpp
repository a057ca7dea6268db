#include "terrane/overlay/portal_overlay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "overlay/portal_graph.h"
#include "overlay/window_field.h"
#include "support/scene.h"
#include "terrane/grid/path.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/overlay/portal_search.h"

namespace terrane {
namespace {

using detail::kNoWay;
using detail::OverlayRoot;

// Optimal costs from one cell, in Cost units; kInfiniteCost where there is no way.
class Optimal {
public:
    Optimal(const Ground& ground, Cell start) {
        SearchOptions options;
        search_.begin_flood(ground, start, kInfiniteCost, options);
        search_.run();
    }
    Cost to(Cell goal) const { return search_.cost_to(goal); }

private:
    GridSearch search_;
};

// The short number of a window's portal.
int16_t coarse_of(const OverlayRoot& root, uint32_t window, uint32_t portal, uint32_t lane) {
    int16_t number;
    std::memcpy(&number, root.table(window).coarse() + size_t{portal} * root.options.landmarks + lane, sizeof(number));
    return number;
}

// Every potential differs from every other of its window by no more than their distance.
void expect_feasible(const PortalOverlay& overlay) {
    const OverlayRoot& root = overlay.root();
    const uint32_t lanes = root.options.landmarks;
    const auto number = [&](PortalId id, uint32_t lane) -> int64_t { return root.potential(id)[lane]; };
    for (uint32_t w = 0; w < root.window_count(); ++w) {
        const detail::PortalTable table = root.table(w);
        detail::PortalGraph::for_each_portal(root, w, [&](PortalId a, uint32_t i) {
            for (uint32_t lane = 0; lane < lanes; ++lane) {
                ASSERT_EQ(coarse_of(root, w, i, lane), std::min<int64_t>(number(a, lane) >> root.coarse_shift, 32767));
            }
            detail::PortalGraph::for_each_portal(root, w, [&](PortalId b, uint32_t j) {
                const int64_t d = table.row(i)[j];
                if (d == kNoWay) return;
                for (uint32_t lane = 0; lane < lanes; ++lane) ASSERT_LE(number(a, lane), number(b, lane) + d);
            });
        });
    }
}

std::vector<int32_t> potentials_of(const PortalOverlay& overlay) {
    const OverlayRoot& root = overlay.root();
    std::vector<int32_t> out;
    for (uint32_t s = 0; s < root.segment_count(); ++s) {
        const size_t count = root.segments[s]->portals.size() * root.options.landmarks;
        out.insert(out.end(), root.potentials[s].get(), root.potentials[s].get() + count);
    }
    return out;
}

// The same lines, portals and tables; landmarks may differ.
void expect_same_tables(const PortalOverlay& a, const PortalOverlay& b) {
    const OverlayRoot &x = a.root(), &y = b.root();
    ASSERT_EQ(x.shift, y.shift);
    ASSERT_EQ(x.portals, y.portals);
    for (uint32_t s = 0; s < x.segment_count(); ++s) ASSERT_EQ(x.segments[s]->portals, y.segments[s]->portals) << s;
    for (uint32_t w = 0; w < x.window_count(); ++w) {
        ASSERT_EQ(x.tables[w].ends, y.tables[w].ends) << w;
        ASSERT_EQ(std::memcmp(x.tables[w].numbers.get(), y.tables[w].numbers.get(), x.table(w).bytes(0)), 0) << w;
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
        const PortalOverlay overlay = PortalOverlay::build({grid, world.costs, world.movement}, {slots, rng.below(3) * 8, 1});
        expect_feasible(overlay);
        const Cell start = test::random_cell(rng, grid);
        if (!world.costs.passable(grid.at(start))) continue;
        const Optimal optimal({grid, world.costs, world.movement}, start);
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
            const Cost cost = path_cost({grid, world.costs, world.movement}, search.cells());
            ASSERT_EQ(search.cost(), cost);
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
    const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEight});
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
        while (sliced == Status::kBudgetSpent) {
            ASSERT_TRUE(std::equal(search.cells().begin(), search.cells().end(), cells.begin()));  // of a whole way: what is written stays
            sliced = search.run(3);
        }
        ASSERT_EQ(whole, sliced);
        if (whole != Status::kFound) continue;
        ASSERT_EQ(cells, search.cells());
        ASSERT_EQ(expansions, search.expansions());
    }
}

TEST(PortalOverlay, IsTheSameForAnyNumberOfThreads) {
    const GridSnapshot grid = generate_island({.width = 200, .height = 256, .seed = 6}).value().snapshot();
    const CostTable costs = Profile::preset("person")->compile(grid.catalogue()).value();
    const PortalOverlay one = PortalOverlay::build({grid, costs, Movement::kEight}, {2, 8, 1});
    const PortalOverlay three = PortalOverlay::build({grid, costs, Movement::kEight}, {2, 8, 3});
    expect_same_tables(one, three);
    for (uint32_t s = 0; s < one.root().segment_count(); ++s) {
        const size_t numbers = one.root().segments[s]->portals.size() * 8;
        ASSERT_EQ(std::memcmp(one.root().potentials[s].get(), three.root().potentials[s].get(), numbers * 4), 0);
    }
    for (uint32_t w = 0; w < one.root().window_count(); ++w) {
        ASSERT_EQ(std::memcmp(one.root().table(w).coarse(), three.root().table(w).coarse(), size_t{one.root().table(w).count()} * 8 * 2),
                  0);
    }
}

// Of a cell, of a rectangle, or of cells here and there at once.
EditResult random_edit(TerrainGrid& grid, Rng& rng) {
    const GridSnapshot before = grid.snapshot();
    const Cell c = test::random_cell(rng, before);
    const auto terrain = [&] { return static_cast<Terrain>(rng.below(6)); };
    switch (rng.below(3)) {
        case 0: return grid.set(c, terrain());
        case 1: return grid.fill({c.x, c.y, c.x + rng.between(1, 40), c.y + rng.between(1, 40)}, terrain());
        default: break;
    }
    std::vector<CellEdit> cells;
    for (uint32_t i = 1 + rng.below(20); i > 0; --i) cells.push_back({test::random_cell(rng, before), terrain()});
    return grid.apply(cells);
}

TEST(PortalOverlay, AfterEditsHasTheTablesOfANewOne) {
    Rng rng(7);
    PortalSearch kept;
    for (int w = 0; w < 12; ++w) {
        test::RandomWorld world = test::random_world(rng, 120);
        PortalOverlay overlay = PortalOverlay::build({world.grid.snapshot(), world.costs, world.movement}, {2, 8, 1});
        for (int e = 0; e < 30; ++e) {
            const GridSnapshot before = world.grid.snapshot();
            const PortalOverlay older = overlay;
            const std::vector<int32_t> numbers = potentials_of(older);
            const EditResult edit = random_edit(world.grid, rng);
            overlay = *overlay.updated(edit);
            const PortalOverlay fresh = PortalOverlay::build({world.grid.snapshot(), world.costs, world.movement}, {2, 8, 1});
            expect_same_tables(overlay, fresh);
            expect_feasible(overlay);
            if (HasFatalFailure()) return;
            ASSERT_EQ(potentials_of(older), numbers) << "older versions stay as they were";
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

// The portals whose number of one landmark is another.
size_t changed_numbers(const PortalOverlay& before, const PortalOverlay& after, uint32_t lane) {
    size_t count = 0;
    for (uint32_t s = 0; s < before.root().segment_count(); ++s) {
        const auto &was = before.root().potentials[s], &is = after.root().potentials[s];
        const uint32_t lanes = before.root().options.landmarks;
        for (size_t i = lane; i < before.root().segments[s]->portals.size() * lanes; i += lanes) count += was[i] != is[i] ? 1 : 0;
    }
    return count;
}

// What is behind cheaper ground gets nearer: half the map, where the landmark is beside it; but then numbers between the two are raised.
TEST(PortalOverlay, CheaperGroundChangesFewNumbersWhereverItIs) {
    const CostTable costs = test::digit_profile().compile(test::digit_catalogue()).value();
    TerrainGrid grid(640, 640, 4, test::digit_catalogue());
    PortalOverlay overlay = PortalOverlay::build({grid.snapshot(), costs, Movement::kEight}, {2, 8, 1});
    for (int32_t at = 8; at < 620; at += 60) {  // along the diagonal: landmarks are in the corners
        const PortalOverlay after = *overlay.updated(grid.fill({at, at, at + 12, at + 12}, 1));
        expect_feasible(after);
        if (HasFatalFailure()) return;
        for (uint32_t lane = 0; lane < 8; ++lane) {
            EXPECT_LT(changed_numbers(overlay, after, lane), overlay.root().portals / 5) << at << " " << lane;
        }
        overlay = after;
    }
}

// And not those that it leads to lose theirs, though they may be fewer.
TEST(PortalOverlay, WhatAGateBringsIntoReachGetsNumbers) {
    const CostTable costs = test::digit_profile().compile(test::digit_catalogue()).value();
    TerrainGrid grid(260, 100, 1, test::digit_catalogue());
    grid.fill({165, 0, 168, 100}, 0);  // the larger part, with the landmarks, is to the west
    PortalOverlay overlay = PortalOverlay::build({grid.snapshot(), costs, Movement::kEight}, {2, 8, 1});
    const auto out_of_reach = [&] { return std::ranges::count(potentials_of(overlay), detail::kMaxPotential); };
    EXPECT_GT(out_of_reach(), 0);
    overlay = *overlay.updated(grid.fill({130, 0, 133, 100}, 0));
    EXPECT_GT(out_of_reach(), 0);
    overlay = *overlay.updated(grid.fill({165, 50, 168, 52}, 1));
    EXPECT_EQ(out_of_reach(), 0);
    expect_feasible(overlay);
}

// Each number is the distance to its landmark: 0 there, and everywhere else a neighbour's and the way from it. Short ones are the same,
// shifted until the largest fits in 15 bits.
TEST(PortalOverlay, NumbersAreDistancesToLandmarks) {
    const GridSnapshot grid = generate_island({.width = 200, .height = 160, .seed = 9}).value().snapshot();
    const CostTable costs = Profile::preset("deer")->compile(grid.catalogue()).value();
    const OverlayOptions options = {2, 8, 1};
    const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEight}, options);
    const OverlayRoot& root = overlay.root();
    std::vector<std::array<bool, 8>> explained(detail::PortalGraph::id_limit(root));
    std::array<int, 8> landmarks{};
    int32_t largest = 0;
    for (uint32_t w = 0; w < root.window_count(); ++w) {
        detail::PortalGraph::for_each_portal(root, w, [&](PortalId a, uint32_t i) {
            for (uint32_t lane = 0; lane < 8; ++lane) {
                const int32_t own = root.potential(a)[lane];
                if (own == 0 && !explained[a][lane]) ++landmarks[lane];
                explained[a][lane] = explained[a][lane] || own == 0 || own == detail::kMaxPotential;
                largest = own == detail::kMaxPotential ? largest : std::max(largest, own);
                ASSERT_EQ(coarse_of(root, w, i, lane), own == detail::kMaxPotential ? 32767 : own >> root.coarse_shift);
                detail::PortalGraph::for_each_portal(root, w, [&](PortalId b, uint32_t j) {
                    const uint32_t d = root.table(w).row(i)[j];
                    if (b != a && d != kNoWay && int64_t{root.potential(b)[lane]} + d == own) explained[a][lane] = true;
                });
            }
        });
    }
    for (const int count : landmarks) EXPECT_EQ(count, 1);
    for (uint32_t w = 0; w < root.window_count(); ++w) {
        detail::PortalGraph::for_each_portal(root, w, [&](PortalId a, uint32_t) {
            for (uint32_t lane = 0; lane < 8; ++lane) EXPECT_TRUE(explained[a][lane]) << a << " " << lane;
        });
    }
    EXPECT_LT(largest >> root.coarse_shift, 32768);
    EXPECT_GE(largest >> root.coarse_shift, root.coarse_shift == 0 ? 0 : 16384);
}

TEST(PortalOverlay, OnEvenGroundPortalsAreInTheMiddleOfTheirSlots) {
    const std::pair<int32_t, uint32_t> windows[] = {{1, 1}, {2, 1}, {33, 1}, {34, 2}, {65, 2}, {66, 3}};
    for (const auto& [side, along] : windows) {
        const GridSnapshot grid = TerrainGrid(side, 33, Terrain{5}).snapshot();
        const CostTable costs = Profile().compile(grid.catalogue()).value();
        const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEight}, {1, 0, 1});
        ASSERT_EQ(overlay.root().window_count(), along) << side;
        if (along == 1) continue;
        EXPECT_EQ(overlay.root().segments[0]->portals, (Vector<Cell>{{32, 16}}));
    }
}

TEST(PortalOverlay, KeepsTheGuidesThatFit) {
    const GridSnapshot grid = generate_island({.width = 256, .height = 256, .seed = 4}).value().snapshot();
    const CostTable costs = Profile::preset("person")->compile(grid.catalogue()).value();
    const auto built = [&](size_t max_bytes) {
        OverlayOptions options = {2, 8, 1};
        options.max_bytes = max_bytes;
        return PortalOverlay::build({grid, costs, Movement::kEight}, options);
    };
    const auto guides = [](const PortalOverlay& overlay) {
        std::pair<size_t, size_t> kept;  // how many, and their bytes
        for (uint32_t w = 0; w < overlay.root().window_count(); ++w) {
            const auto& guide = overlay.root().windows[w]->guide;
            if (guide) ++kept.first, kept.second += guide->bytes();
        }
        return kept;
    };
    const PortalOverlay all = built(0);
    const size_t tables = all.table_bytes();
    const auto [count, bytes] = guides(all);
    EXPECT_GT(count, 20u);
    EXPECT_EQ(all.bytes(), tables + bytes);
    size_t least = static_cast<size_t>(all.root().portals) * 8 * 4;  // by portal and landmark; then a table for each window
    for (uint32_t w = 0; w < all.root().window_count(); ++w) least += all.root().table(w).bytes(8);
    EXPECT_GE(tables, least);
    EXPECT_LE(tables, least + 4096 + 400 * all.root().window_count());
    const PortalOverlay half = built(tables + bytes / 2);
    EXPECT_LE(half.bytes(), tables + bytes / 2);
    EXPECT_GT(half.bytes(), tables + bytes / 3);
    EXPECT_EQ(guides(built(tables)).first, 0u);
}

TEST(PortalOverlay, ProgressGoesFromNothingToAll) {
    const GridSnapshot grid = generate_island({.width = 128, .height = 128, .seed = 4}).value().snapshot();
    const CostTable costs = Profile::preset("deer")->compile(grid.catalogue()).value();
    OverlayBuilder begun({grid, costs, Movement::kEight}, {2, 8, 1});
    EXPECT_EQ(begun.progress(), 0);
    OverlayBuilder builder(std::move(begun));
    double before = 0;
    while (!builder.run(20)) {
        EXPECT_GE(builder.progress(), before);
        before = builder.progress();
        EXPECT_LT(before, 1);
    }
    EXPECT_GT(before, 0.8);
    EXPECT_EQ(builder.progress(), 1);
    expect_same_tables(builder.take(), PortalOverlay::build({grid, costs, Movement::kEight}, {2, 8, 1}));
}

TEST(PortalOverlay, RefusesAnotherVersion) {
    TerrainGrid grid(80, 80, Terrain{1});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    const PortalOverlay overlay = PortalOverlay::build({grid.snapshot(), costs, Movement::kEight});
    EXPECT_TRUE(overlay.valid_for({grid.snapshot(), costs, Movement::kEight}));
    EXPECT_FALSE(overlay.valid_for({grid.snapshot(), costs, Movement::kFour}));
    grid.set({3, 3}, Terrain{2});
    EXPECT_FALSE(overlay.valid_for({grid.snapshot(), costs, Movement::kEight}));
    EXPECT_FALSE(overlay.updated(grid.set({4, 3}, Terrain{2})));
}

TEST(PortalOverlay, OneCellAndOneWindow) {
    for (const int32_t side : {1, 2, 33, 34}) {
        const GridSnapshot grid = TerrainGrid(side, side, Terrain{1}).snapshot();
        const CostTable costs = Profile().compile(grid.catalogue()).value();
        const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEight});
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
