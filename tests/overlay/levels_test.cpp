#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "overlay/level_cells.h"
#include "overlay/same_in_slices.h"
#include "support/scene.h"
#include "terrane/grid/path.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/overlay/portal_overlay.h"
#include "terrane/overlay/portal_search.h"

namespace terrane {
namespace {

using detail::kMaxPotential;
using detail::LevelCell;
using detail::Levels;
using detail::OverlayData;

// With levels whatever the size of the map.
OverlayOptions with_levels(uint32_t portals_per_side = 2, uint32_t landmarks = 8) {
    OverlayOptions options;
    options.portals_per_side = portals_per_side;
    options.landmarks = landmarks;
    options.levels_from = 1;
    return options;
}

void expect_same_cells(const Levels& a, const Levels& b) {
    for (uint32_t level = 0; level < detail::kLevels; ++level) {
        ASSERT_EQ(a.cells[level].size(), b.cells[level].size());
        for (uint32_t c = 0; c < a.cells[level].size(); ++c) {
            const LevelCell &x = a.cell(level, c), &y = b.cell(level, c);
            ASSERT_EQ(x.keys, y.keys) << level << " " << c;
            ASSERT_EQ(x.first, y.first) << level << " " << c;
            ASSERT_EQ(x.child_nodes, y.child_nodes) << level << " " << c;
            ASSERT_EQ(x.field, y.field) << level << " " << c;
        }
    }
}

void expect_same_top(const Levels& a, const Levels& b) {
    const OverlayData &x = *a.top, &y = *b.top;
    ASSERT_EQ(x.portals, y.portals);
    ASSERT_EQ(x.shift, y.shift);
    ASSERT_EQ(x.coarse_shift, y.coarse_shift);
    ASSERT_EQ(x.landmark_clusters, y.landmark_clusters);
    for (uint32_t s = 0; s < x.segment_count(); ++s) {
        ASSERT_EQ(*a.kept[s], *b.kept[s]) << s;
        ASSERT_EQ(x.segments[s]->portals, y.segments[s]->portals) << s;
        const size_t count = x.segments[s]->portals.size() * x.options.landmarks;
        ASSERT_TRUE(std::equal(x.potentials[s].get(), x.potentials[s].get() + count, y.potentials[s].get())) << s;
    }
    for (uint32_t c = 0; c < x.cluster_count(); ++c) {
        const detail::PortalTable t = x.table(c), u = y.table(c);
        ASSERT_EQ(x.tables[c].ends, y.tables[c].ends) << c;
        ASSERT_TRUE(std::equal(t.keys(), t.keys() + t.word_count(), u.keys())) << c;
        ASSERT_TRUE(std::equal(t.coarse(), t.coarse() + size_t{t.count()} * x.options.landmarks, u.coarse())) << c;
    }
}

void expect_same_levels(const PortalOverlay& a, const PortalOverlay& b) {
    ASSERT_EQ(a.data().levels == nullptr, b.data().levels == nullptr);
    ASSERT_EQ(a.data().crowded_cells, b.data().crowded_cells);
    if (a.data().levels) {
        ASSERT_EQ(a.data().levels->too_long, b.data().levels->too_long);
    }
    ASSERT_EQ(a.data().options.landmarks, b.data().options.landmarks);
    if (!a.data().levels) return;
    expect_same_cells(*a.data().levels, *b.data().levels);
    expect_same_top(*a.data().levels, *b.data().levels);
}

EditResult random_level_edit(TerrainGrid& grid, Rng& rng) {
    const GridSnapshot before = grid.snapshot();
    const Cell c = test::random_cell(rng, before);
    if (rng.chance(1, 3)) return grid.set(c, static_cast<Terrain>(rng.below(6)));
    const Size size{rng.between(1, 60), rng.between(1, 60)};
    if (rng.chance(1, 2)) return grid.fill({c, size}, static_cast<Terrain>(rng.below(6)));
    std::vector<CellEdit> cells;
    for (uint32_t i = 1 + rng.below(20); i > 0; --i) cells.push_back({test::random_cell(rng, before), static_cast<Terrain>(rng.below(6))});
    return grid.apply(cells);
}

// The distances from a border portal to all nodes of a cell by relaxing the tables of its clusters until nothing changes.
std::map<detail::PortalTable::Key, int64_t> distances_inside(const OverlayData& data, const std::vector<uint32_t>& clusters,
                                                             detail::PortalTable::Key from) {
    std::map<detail::PortalTable::Key, int64_t> out{{from, 0}};
    for (bool changed = true; changed;) {
        changed = false;
        for (const uint32_t cluster : clusters) {
            const detail::PortalTable table = data.table(cluster);
            for (uint32_t a = 0; a < table.count(); ++a) {
                const auto known = out.find(table.keys()[a]);
                if (known == out.end()) continue;
                for (uint32_t b = 0; b < table.count(); ++b) {
                    if (a == b || table.row(a)[b] == detail::kNoPath) continue;
                    const int64_t sum = known->second + std::max<uint32_t>(table.row(a)[b], 1);
                    const auto [at, is_new] = out.try_emplace(table.keys()[b], sum);
                    if (!is_new && at->second <= sum) continue;
                    at->second = sum;
                    changed = true;
                }
                if (out.size() > 100000) return out;
            }
        }
    }
    return out;
}

TEST(LevelCells, HoldTheDistancesInsideThem) {
    Rng rng(31);
    int compared = 0;
    for (int w = 0; w < 40; ++w) {
        const test::RandomWorld world = test::random_world(rng, 330);
        const PortalOverlay overlay = PortalOverlay::build({world.grid.snapshot(), world.costs, world.movement}, with_levels());
        const OverlayData& data = overlay.data();
        if (!data.levels || data.levels->too_long > 0) continue;
        for (uint32_t level = 0; level < detail::kLevels; ++level) {
            const auto id = static_cast<uint32_t>(rng.below(static_cast<uint32_t>(data.levels->cells[level].size())));
            const LevelCell& cell = data.levels->cell(level, id);
            if (cell.border == 0) continue;
            std::vector<uint32_t> clusters;
            for (uint32_t c = 0; c < data.cluster_count(); ++c) {
                if (data.levels->cell_of(level, data, c) == id) clusters.push_back(c);
            }
            const uint32_t border = rng.below(cell.border);
            const auto best = distances_inside(data, clusters, cell.keys[cell.inner + border]);
            for (uint32_t node = 0; node < cell.nodes(); ++node) {
                const auto at = best.find(cell.keys[node]);
                ASSERT_EQ(cell.row(node)[border], at == best.end() ? kMaxPotential : at->second) << w << " " << level << " " << node;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 1000);
}

TEST(Levels, FindAPathIfAndOnlyIfThereIsOne) {
    Rng rng(32);
    PortalSearch search;
    int found = 0, none = 0, levels = 0;
    for (int i = 0; i < 60; ++i) {
        const test::RandomWorld world = test::random_world(rng, 700);
        const GridSnapshot grid = world.grid.snapshot();
        const Ground ground{grid, world.costs, world.movement};
        const PortalOverlay overlay = PortalOverlay::build(ground, with_levels(1 + rng.below(3), 8 * (1 + rng.below(2))));
        levels += overlay.data().by_levels() ? 1 : 0;
        const Cell start = test::random_cell(rng, grid);
        if (!ground.passable(start)) continue;
        GridSearch optimal;
        optimal.begin_flood(ground, start, kInfiniteCost, {});
        optimal.run();
        for (int q = 0; q < 12; ++q) {
            Cell goal = test::random_cell(rng, grid);
            if (q % 3 == 0) goal = {std::min(start.x + 50, grid.width() - 1), std::min(start.y + 20, grid.height() - 1)};
            if (!ground.passable(goal)) continue;
            SCOPED_TRACE(testing::Message() << "world " << i << " query " << q);
            search.begin(overlay, start, goal);
            const Status status = search.run();
            const Cost best = optimal.cost_to(goal);
            ASSERT_EQ(status, best == kInfiniteCost ? Status::kUnreachable : Status::kFound);
            (status == Status::kFound ? found : none) += 1;
            if (status != Status::kFound) continue;
            ASSERT_EQ(search.cells().front(), start);
            ASSERT_EQ(search.cells().back(), goal);
            ASSERT_EQ(search.cost(), path_cost(ground, search.cells()));
            ASSERT_NE(search.cost(), kInfiniteCost);
            ASSERT_GE(search.cost(), best);
        }
    }
    EXPECT_GT(found, 150);
    EXPECT_GT(none, 20);
    EXPECT_GT(levels, 20);
}

TEST(Levels, CostLittleMoreThanASearchOfAllPortals) {
    const GridSnapshot grid = generate_island({.width = 900, .height = 900, .seed = 33}).value().snapshot();
    const CostTable costs = Profile::preset("deer")->compile(grid.catalogue()).value();
    const Ground ground{grid, costs, Movement::kEightNoCornerCutting};
    const PortalOverlay levels = PortalOverlay::build(ground, {}), flat = PortalOverlay::build(ground, {2, 0, 1});
    ASSERT_TRUE(levels.data().levels);
    ASSERT_FALSE(flat.data().levels);
    PortalSearch by_levels, by_portals;
    Rng rng(33);
    Cost sum = 0, sum_flat = 0;
    for (int q = 0; q < 200; ++q) {
        const Cell a = test::random_cell(rng, grid), b = test::random_cell(rng, grid);
        if (!ground.passable(a) || !ground.passable(b)) continue;
        by_levels.begin(levels, a, b);
        by_portals.begin(flat, a, b);
        ASSERT_EQ(by_levels.run(), by_portals.run());
        if (by_levels.cells().size() < 2 || by_levels.run() != Status::kFound) continue;
        EXPECT_LE(static_cast<double>(by_levels.cost()), 1.05 * static_cast<double>(by_portals.cost())) << q;
        sum += by_levels.cost();
        sum_flat += by_portals.cost();
    }
    EXPECT_LE(static_cast<double>(sum), 1.002 * static_cast<double>(sum_flat));
}

TEST(LevelsEdits, ThousandsLeaveLevelsEqualToNewOnes) {
    Rng rng(34);
    PortalSearch kept, none;
    int asked = 0, levels = 0;
    for (int w = 0; w < 70; ++w) {
        test::RandomWorld world = test::random_world(rng, w % 4 == 0 ? 700 : 300);
        const OverlayOptions options = with_levels(1 + rng.below(3));
        PortalOverlay overlay = PortalOverlay::build({world.grid.snapshot(), world.costs, world.movement}, options);
        for (int e = 0; e < 30; ++e) {
            SCOPED_TRACE(testing::Message() << "world " << w << " edit " << e);
            const EditResult edit = random_level_edit(world.grid, rng);
            overlay = *overlay.updated(edit);
            if (e % 6 != 5) continue;  // differences stay until the next comparison
            const Ground ground{edit.after, world.costs, world.movement};
            const PortalOverlay fresh = PortalOverlay::build(ground, options);
            expect_same_levels(overlay, fresh);
            if (HasFatalFailure()) return;
            levels += fresh.data().levels != nullptr ? 1 : 0;
            const Cell a = test::random_cell(rng, edit.after), b = test::random_cell(rng, edit.after);
            if (!ground.passable(a) || !ground.passable(b)) continue;
            kept.begin(overlay, a, b);
            none.begin(fresh, a, b);
            ASSERT_EQ(kept.run(), none.run());
            ASSERT_EQ(kept.cells(), none.cells());
            ASSERT_EQ(kept.expansions(), none.expansions());
            ++asked;
        }
    }
    EXPECT_GT(asked, 60);
    EXPECT_GT(levels, 150);
}

// Scattered obstacles in one cell make too many border portals for levels. Without them there are levels again.
TEST(Levels, GiveWayToLandmarksWhereBordersAreNoisy) {
    TerrainGrid grid(600, 300, Terrain{5});
    const CostTable costs = Profile().blocked("deep_water").compile(grid.snapshot().catalogue()).value();
    const auto built = [&] { return PortalOverlay::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, with_levels(3, 16)); };
    PortalOverlay overlay = built();
    ASSERT_TRUE(overlay.data().levels);
    std::vector<CellEdit> noise, clean;
    const Terrain water = *grid.snapshot().catalogue().find("deep_water");
    Rng rng(35);
    for (int32_t y = 0; y < 257; ++y) {
        for (int32_t x = 224; x < 290; ++x) {
            if (rng.chance(1, 4)) noise.push_back({{x, y}, water});
            clean.push_back({{x, y}, Terrain{5}});
        }
    }
    overlay = *overlay.updated(grid.apply(noise));
    EXPECT_FALSE(overlay.data().levels);
    EXPECT_EQ(overlay.data().options.landmarks, 16u);
    expect_same_levels(overlay, built());
    overlay = *overlay.updated(grid.apply(clean));
    EXPECT_TRUE(overlay.data().levels);
    expect_same_levels(overlay, built());
}

TEST(Levels, InSlicesIsTheSame) {
    const GridSnapshot grid = generate_island({.width = 700, .height = 560, .seed = 36}).value().snapshot();
    const CostTable costs = Profile::preset("deer")->compile(grid.catalogue()).value();
    const Ground ground{grid, costs, Movement::kEightNoCornerCutting};
    const PortalOverlay overlay = PortalOverlay::build(ground, with_levels());
    OverlayBuilder builder(ground, with_levels());
    while (!builder.run(37)) {
    }
    expect_same_levels(builder.take(), overlay);
    PortalSearch search;
    Rng rng(36);
    for (int i = 0; i < 60; ++i) {
        const Cell a = test::random_cell(rng, grid), b = test::random_cell(rng, grid);
        if (!ground.passable(a) || !ground.passable(b)) continue;
        expect_same_in_slices(search, overlay, a, b);
        if (HasFatalFailure()) return;
    }
}

TEST(Levels, Golden) {
    TerrainGrid grid = generate_island({.width = 700, .height = 600, .seed = 37}).value();
    const CostTable costs = Profile::preset("deer")->compile(grid.snapshot().catalogue()).value();
    PortalOverlay overlay = PortalOverlay::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {});
    PortalSearch search;
    uint64_t hash = 0;
    Rng rng(37);
    for (int q = 0; q < 40; ++q) {
        const Cell a = test::random_cell(rng, grid.snapshot()), b = test::random_cell(rng, grid.snapshot());
        if (!overlay.data().ground.passable(a) || !overlay.data().ground.passable(b)) continue;
        search.begin(overlay, a, b);
        hash = mix64(hash ^ static_cast<uint64_t>(search.run()));
        hash = mix64(hash ^ search.expansions());
        for (const Cell c : search.cells()) hash = mix64(hash ^ (static_cast<uint64_t>(c.y) << 32 | static_cast<uint32_t>(c.x)));
        if (q % 8 == 7) overlay = *overlay.updated(random_level_edit(grid, rng));
    }
    EXPECT_EQ(hash, 15501119911363339508U) << hash;
}

}  // namespace
}  // namespace terrane
