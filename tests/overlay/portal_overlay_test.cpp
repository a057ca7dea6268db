#include "terrane/overlay/portal_overlay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "overlay/cluster_field.h"
#include "overlay/portal_graph.h"
#include "overlay/same_in_slices.h"
#include "support/scene.h"
#include "terrane/grid/path.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/overlay/portal_search.h"

namespace terrane {
namespace {

using detail::kNoPath;
using detail::OverlayData;

// Optimal costs from one cell; kInfiniteCost if unreachable.
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

// A coarse potential of a cluster's portal.
int16_t coarse_of(const OverlayData& data, uint32_t cluster, uint32_t portal, uint32_t landmark) {
    return data.table(cluster).coarse()[size_t{portal} * data.options.landmarks + landmark];
}

// A leg of length 0 counts as 1.
int64_t leg(uint32_t distance) { return std::max<uint32_t>(distance, 1); }

// |p(a) - p(b)| <= d(a, b) for any two portals of a cluster. Every potential above 0 is that of a neighbour plus their distance, and 0 are
// those of the landmark's cluster. So potentials are the distances to that cluster.
void expect_distances(const PortalOverlay& overlay) {
    const OverlayData& data = overlay.data();
    const uint32_t landmarks = data.options.landmarks;
    std::vector<std::array<bool, 64>> explained(detail::PortalGraph::id_limit(data));
    for (uint32_t w = 0; w < data.cluster_count(); ++w) {
        const detail::PortalTable table = data.table(w);
        detail::PortalGraph::for_each_portal(data, w, [&](PortalId a, uint32_t i) {
            for (uint32_t landmark = 0; landmark < landmarks; ++landmark) {
                const int32_t own = data.potential(a, landmark);
                ASSERT_EQ(coarse_of(data, w, i, landmark), std::min(own >> data.coarse_shift, 32767));
                const uint32_t segment = a >> data.shift, root = data.landmark_clusters[landmark];
                const bool at_root = data.cluster_of(segment, false) == root || data.cluster_of(segment, true) == root;
                ASSERT_EQ(own == 0, at_root);
                explained[a][landmark] = explained[a][landmark] || at_root || own == detail::kMaxPotential;
            }
            detail::PortalGraph::for_each_portal(data, w, [&](PortalId b, uint32_t j) {
                if (a == b || table.row(i)[j] == kNoPath) return;
                for (uint32_t landmark = 0; landmark < landmarks; ++landmark) {
                    const int64_t there = data.potential(b, landmark) + leg(table.row(i)[j]);
                    ASSERT_LE(data.potential(a, landmark), there);
                    if (data.potential(a, landmark) == there) explained[a][landmark] = true;
                }
            });
        });
    }
    for (uint32_t w = 0; w < data.cluster_count(); ++w) {
        detail::PortalGraph::for_each_portal(data, w, [&](PortalId a, uint32_t) {
            for (uint32_t landmark = 0; landmark < landmarks; ++landmark) ASSERT_TRUE(explained[a][landmark]) << a << " " << landmark;
        });
    }
}

std::vector<int32_t> potentials_of(const PortalOverlay& overlay) {
    const OverlayData& data = overlay.data();
    std::vector<int32_t> out;
    for (uint32_t s = 0; s < data.segment_count(); ++s) {
        const size_t count = data.segments[s]->portals.size() * data.options.landmarks;
        out.insert(out.end(), data.potentials[s].get(), data.potentials[s].get() + count);
    }
    return out;
}

// Everything is the same, except for which first-move tables are stored.
void expect_same(const PortalOverlay& a, const PortalOverlay& b) {
    const OverlayData &x = a.data(), &y = b.data();
    ASSERT_EQ(x.shift, y.shift);
    ASSERT_EQ(x.portals, y.portals);
    for (uint32_t s = 0; s < x.segment_count(); ++s) ASSERT_EQ(x.segments[s]->portals, y.segments[s]->portals) << s;
    ASSERT_EQ(x.levels == nullptr, y.levels == nullptr);
    ASSERT_EQ(x.crowded_cells, y.crowded_cells);
    ASSERT_EQ(x.landmark_clusters, y.landmark_clusters);
    ASSERT_EQ(potentials_of(a), potentials_of(b));
    ASSERT_EQ(x.potential_widths, y.potential_widths);
    ASSERT_EQ(x.coarse_shift, y.coarse_shift);
    for (uint32_t w = 0; w < x.cluster_count(); ++w) {
        ASSERT_EQ(x.tables[w].ends, y.tables[w].ends) << w;
        const detail::PortalTable t = x.table(w), u = y.table(w);
        ASSERT_TRUE(std::equal(t.keys(), t.keys() + t.word_count(), u.keys())) << w;
        ASSERT_TRUE(std::equal(t.coarse(), t.coarse() + size_t{t.count()} * x.options.landmarks, u.coarse())) << w;
        const detail::ClusterRecord &one = *x.clusters[w], &two = *y.clusters[w];
        ASSERT_EQ(one.uniform_cost, two.uniform_cost) << w;
        if (one.first_moves == nullptr || two.first_moves == nullptr) continue;  // what is stored depends on the room at build time
        ASSERT_EQ(one.first_moves->moves, two.first_moves->moves) << w;
        ASSERT_EQ(one.first_moves->narrow, two.first_moves->narrow) << w;
        ASSERT_EQ(one.first_moves->wide, two.first_moves->wide) << w;
    }
}

TEST(ClusterField, HoldsTheDistancesInsideTheCluster) {
    Rng rng(3);
    detail::ClusterCosts costs;
    detail::Field<int16_t> narrow;
    detail::Field<int32_t> wide;
    int narrows = 0, wides = 0;
    for (int i = 0; i < 200; ++i) {
        const test::RandomWorld world = test::random_world(rng, 33);
        const GridSnapshot grid = world.grid.snapshot();
        costs.read(grid, world.costs, world.movement, grid.layout().rect());
        if (costs.uniform()) continue;
        std::vector<detail::ClusterCell> targets;
        for (uint32_t c = 0; c < costs.cells(); c += 7) {
            if (costs.cost(c) != 0) targets.push_back(c);
        }
        if (targets.empty()) continue;
        // The oracle's steps cost 1 and sqrt 2; the field's cost 29 and 41.
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
                ASSERT_EQ(value, kNoPath);
            } else {
                ASSERT_LE(value, best[c] * unit * 1.0001 + 1);
                ASSERT_GE(value, best[c] * unit * 0.9995 - 1);
            }
        }
    }
    EXPECT_GT(narrows, 10);
    EXPECT_GT(wides, 10);
}

TEST(PortalOverlay, FindsAPathIfAndOnlyIfThereIsOne) {
    Rng rng(4);
    PortalSearch search;
    int found = 0, none = 0;
    for (int i = 0; i < 150; ++i) {
        const test::RandomWorld world = test::random_world(rng, 140);
        const GridSnapshot grid = world.grid.snapshot();
        const uint32_t portals_per_side = 1 + rng.below(4);
        const PortalOverlay overlay = PortalOverlay::build({grid, world.costs, world.movement}, {portals_per_side, rng.below(3) * 8, 1});
        expect_distances(overlay);
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
    const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting});
    PortalSearch search;
    Rng rng(5);
    for (int i = 0; i < 40; ++i) {
        const Cell a = test::random_cell(rng, grid), b = test::random_cell(rng, grid);
        if (!costs.passable(grid.at(a)) || !costs.passable(grid.at(b))) continue;
        expect_same_in_slices(search, overlay, a, b);
        if (HasFatalFailure()) return;
    }
}

TEST(PortalOverlay, IsTheSameForAnyNumberOfThreads) {
    const GridSnapshot grid = generate_island({.width = 200, .height = 256, .seed = 6}).value().snapshot();
    const CostTable costs = Profile::preset("person")->compile(grid.catalogue()).value();
    const PortalOverlay one = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting}, {2, 8, 1});
    const PortalOverlay three = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting}, {2, 8, 3});
    expect_same(one, three);
}

// Edits a cell, a rectangle, or scattered cells.
EditResult random_edit(TerrainGrid& grid, Rng& rng) {
    const GridSnapshot before = grid.snapshot();
    const Cell c = test::random_cell(rng, before);
    const auto terrain = [&] { return static_cast<Terrain>(rng.below(6)); };
    const Size size{rng.between(1, 40), rng.between(1, 40)};
    switch (rng.below(3)) {
        case 0: return grid.set(c, terrain());
        case 1: return grid.fill({c, size}, terrain());
        default: break;
    }
    std::vector<CellEdit> cells;
    for (uint32_t i = 1 + rng.below(20); i > 0; --i) cells.push_back({test::random_cell(rng, before), terrain()});
    return grid.apply(cells);
}

// Asks two overlays the same; expects the same path at the same number of expansions.
void expect_same_answer(const PortalOverlay& a, const PortalOverlay& b, Cell start, Cell goal, PortalSearch& kept) {
    PortalSearch none;  // without the first-move tables that `kept` has in its cache
    kept.begin(a, start, goal);
    none.begin(b, start, goal);
    const Status status = kept.run();
    ASSERT_EQ(status, none.run());
    ASSERT_EQ(kept.cells(), none.cells());
    ASSERT_EQ(kept.expansions(), none.expansions());
    if (status != Status::kFound) return;
    ASSERT_EQ(kept.cost(), none.cost());
}

TEST(PortalOverlayEdits, ThousandsLeaveAnOverlayEqualToANewOne) {
    Rng rng(7);
    PortalSearch kept;
    int asked = 0;
    for (int w = 0; w < 110; ++w) {
        test::RandomWorld world = test::random_world(rng, w % 10 == 0 ? 400 : 120);
        const OverlayOptions options = {1 + rng.below(3), 8 * (1 + rng.below(2)), 1};
        PortalOverlay overlay = PortalOverlay::build({world.grid.snapshot(), world.costs, world.movement}, options);
        for (int e = 0; e < 30; ++e) {
            SCOPED_TRACE(testing::Message() << "world " << w << " edit " << e);
            const PortalOverlay older = overlay;
            const std::vector<int32_t> potentials = potentials_of(older);
            const EditResult edit = random_edit(world.grid, rng);
            overlay = *overlay.updated(edit);
            ASSERT_EQ(potentials_of(older), potentials) << "older versions stay as they were";
            if (e % 3 != 0) continue;  // differences stay until the next comparison
            const PortalOverlay fresh = PortalOverlay::build({edit.after, world.costs, world.movement}, options);
            expect_same(overlay, fresh);
            if (HasFatalFailure()) return;
            const Cell a = test::random_cell(rng, edit.after), b = test::random_cell(rng, edit.after);
            if (!world.costs.passable(edit.after.at(a)) || !world.costs.passable(edit.after.at(b))) continue;
            expect_same_answer(overlay, fresh, a, b, kept);
            if (HasFatalFailure()) return;
            ++asked;
        }
        expect_distances(overlay);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(asked, 200);
}

// Walls with one gate each, which opens, closes and moves: each edit connects or separates half of the portals.
TEST(PortalOverlay, EqualsANewOneWhileGatesOpenAndClose) {
    const CostTable costs = test::digit_profile().compile(test::digit_catalogue()).value();
    TerrainGrid grid(330, 200, 1, test::digit_catalogue());
    for (const int32_t x : {64, 130, 200, 270}) grid.fill({{x, 0}, {2, 200}}, 0);
    const OverlayOptions options = {2, 16, 1};
    PortalOverlay overlay = PortalOverlay::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, options);
    Rng rng(12);
    size_t separated = 0, connected = 0;
    for (int e = 0; e < 120; ++e) {
        const int32_t x = std::array{64, 130, 200, 270}[rng.below(4)];
        const Rect rect({x, rng.between(0, 199)}, {2, rng.between(1, 200)});
        const EditResult edit = grid.fill(rect, static_cast<Terrain>(rng.below(3)));
        overlay = *overlay.updated(edit);
        expect_same(overlay, PortalOverlay::build({edit.after, costs, Movement::kEightNoCornerCutting}, options));
        if (HasFatalFailure()) return;
        const std::vector<int32_t> potentials = potentials_of(overlay);
        (std::ranges::count(potentials, detail::kMaxPotential) > 0 ? separated : connected) += 1;
    }
    EXPECT_GT(separated, 10u);
    EXPECT_GT(connected, 20u);
}

// The first obstacle makes the landmark's cluster one with a gap in its border, so the landmark moves; the last removal moves it back.
TEST(PortalOverlay, ALandmarkMovesToAnotherClusterAndBack) {
    const CostTable costs = test::digit_profile().compile(test::digit_catalogue()).value();
    TerrainGrid grid(200, 200, 1, test::digit_catalogue());
    const auto built = [&] { return PortalOverlay::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {2, 8, 1}); };
    PortalOverlay overlay = built();
    const detail::LandmarkClusters before = overlay.data().landmark_clusters;
    EXPECT_EQ(before[0], 0u);
    overlay = *overlay.updated(grid.fill({{32, 0}, {1, 33}}, 0));
    EXPECT_NE(overlay.data().landmark_clusters[0], 0u);
    expect_same(overlay, built());
    expect_distances(overlay);
    overlay = *overlay.updated(grid.fill({{32, 0}, {1, 33}}, 1));
    EXPECT_EQ(overlay.data().landmark_clusters, before);
    expect_same(overlay, built());
}

// A wall makes the longest potential need one more bit, so all coarse potentials change their unit.
TEST(PortalOverlay, TheUnitOfCoarsePotentialsFollowsTheMap) {
    const CostTable costs = test::digit_profile().compile(test::digit_catalogue()).value();
    TerrainGrid grid(330, 330, 1, test::digit_catalogue());
    const auto built = [&] { return PortalOverlay::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {2, 8, 1}); };
    PortalOverlay overlay = built();
    const uint32_t before = overlay.data().coarse_shift;
    std::vector<EditResult> edits;
    for (int32_t x = 20; x < 320; x += 40) edits.push_back(grid.fill({{x, x % 80 == 20 ? 0 : 1}, {2, 329}}, 0));
    for (const EditResult& edit : edits) overlay = *overlay.updated(edit);
    EXPECT_GT(overlay.data().coarse_shift, before);
    expect_same(overlay, built());
    overlay = *overlay.updated(grid.fill({{0, 0}, {330, 330}}, 1));
    EXPECT_EQ(overlay.data().coarse_shift, before);
    expect_same(overlay, built());
}

TEST(PortalOverlay, LandmarksAreSpreadAlongTheEdgeOfTheMap) {
    const GridSnapshot grid = TerrainGrid(33 + 32 * 8, 33 + 32 * 8, Terrain{5}).snapshot();  // 9 x 9 clusters
    const CostTable costs = Profile().compile(grid.catalogue()).value();
    const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting}, {1, 8, 1});
    const auto& at = overlay.data().landmark_clusters;
    EXPECT_EQ((std::vector<uint32_t>(at.begin(), at.begin() + 8)), (std::vector<uint32_t>{0, 4, 8, 44, 80, 76, 72, 36}));
}

TEST(PortalOverlay, GoldenPotentials) {
    TerrainGrid grid = generate_island({.width = 300, .height = 260, .seed = 9}).value();
    const CostTable costs = Profile::preset("deer")->compile(grid.snapshot().catalogue()).value();
    PortalOverlay overlay = PortalOverlay::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {2, 16, 1});
    uint64_t hash = 0;
    Rng rng(13);
    for (int e = 0; e < 20; ++e) {
        for (const int32_t p : potentials_of(overlay)) hash = mix64(hash ^ static_cast<uint32_t>(p));
        overlay = *overlay.updated(random_edit(grid, rng));
    }
    EXPECT_EQ(hash, 11064848648378503991U) << hash;
}

TEST(PortalOverlay, OnUniformTerrainPortalsAreInTheMiddleOfTheirSections) {
    const std::pair<int32_t, uint32_t> clusters[] = {{1, 1}, {2, 1}, {33, 1}, {34, 2}, {65, 2}, {66, 3}};
    for (const auto& [side, along] : clusters) {
        const GridSnapshot grid = TerrainGrid(side, 33, Terrain{5}).snapshot();
        const CostTable costs = Profile().compile(grid.catalogue()).value();
        const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting}, {1, 0, 1});
        ASSERT_EQ(overlay.data().cluster_count(), along) << side;
        if (along == 1) continue;
        EXPECT_EQ(overlay.data().segments[0]->portals, (Vector<Cell>{{32, 16}}));
    }
}

TEST(PortalOverlay, KeepsTheFirstMoveTablesThatFit) {
    const GridSnapshot grid = generate_island({.width = 256, .height = 256, .seed = 4}).value().snapshot();
    const CostTable costs = Profile::preset("person")->compile(grid.catalogue()).value();
    const auto built = [&](size_t max_bytes) {
        OverlayOptions options = {2, 8, 1};
        options.max_bytes = max_bytes;
        return PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting}, options);
    };
    const auto first_move_tables = [](const PortalOverlay& overlay) {
        std::pair<size_t, size_t> kept;  // how many, and their bytes
        for (uint32_t w = 0; w < overlay.data().cluster_count(); ++w) {
            const auto& first_moves = overlay.data().clusters[w]->first_moves;
            if (first_moves) ++kept.first, kept.second += first_moves->bytes();
        }
        return kept;
    };
    const PortalOverlay all = built(0);
    const size_t tables = all.table_bytes();
    const auto [count, bytes] = first_move_tables(all);
    EXPECT_GT(count, 20u);
    EXPECT_EQ(all.bytes(), tables + bytes);
    size_t least = static_cast<size_t>(all.data().portals) * 8 * 4;  // by portal and landmark; then a table for each cluster
    for (uint32_t w = 0; w < all.data().cluster_count(); ++w) least += all.data().table(w).bytes(8);
    EXPECT_GE(tables, least);
    EXPECT_LE(tables, least + 4096 + 400 * all.data().cluster_count());
    const PortalOverlay half = built(tables + bytes / 2);
    EXPECT_LE(half.bytes(), tables + bytes / 2);
    EXPECT_GT(half.bytes(), tables + bytes / 3);
    EXPECT_EQ(first_move_tables(built(tables)).first, 0u);
}

TEST(PortalOverlay, ProgressGoesFromNothingToAll) {
    const GridSnapshot grid = generate_island({.width = 128, .height = 128, .seed = 4}).value().snapshot();
    const CostTable costs = Profile::preset("deer")->compile(grid.catalogue()).value();
    OverlayBuilder begun({grid, costs, Movement::kEightNoCornerCutting}, {2, 8, 1});
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
    expect_same(builder.take(), PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting}, {2, 8, 1}));
}

TEST(PortalOverlay, RefusesAnotherVersion) {
    TerrainGrid grid(80, 80, Terrain{1});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    const PortalOverlay overlay = PortalOverlay::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting});
    EXPECT_TRUE(overlay.valid_for({grid.snapshot(), costs, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(overlay.valid_for({grid.snapshot(), costs, Movement::kFour}));
    grid.set({3, 3}, Terrain{2});
    EXPECT_FALSE(overlay.valid_for({grid.snapshot(), costs, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(overlay.updated(grid.set({4, 3}, Terrain{2})));
}

TEST(PortalOverlay, OneCellAndOneCluster) {
    for (const int32_t side : {1, 2, 33, 34}) {
        const GridSnapshot grid = TerrainGrid(side, side, Terrain{1}).snapshot();
        const CostTable costs = Profile().compile(grid.catalogue()).value();
        const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting});
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
