#include "terrane/terrain_regions/terrain_regions.h"

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <map>
#include <set>

#include "support/scene.h"
#include "terrane/io/map_file.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {
namespace {

using test::random_cell;

TerrainRegions built(const GridSnapshot& grid, uint32_t sector, bool labels = true, uint32_t threads = 1) {
    return TerrainRegions::build(grid, {sector, labels, threads});
}

// The definitions, literally: cell by cell, using nothing of the library but the terrain.
struct Plain {
    std::map<std::pair<int, int>, int> region;  // of a cell
    std::vector<std::vector<Cell>> cells;       // of a region
    std::map<std::pair<int, int>, bool> edges;  // of two regions: whether they touch orthogonally
    explicit Plain(const GridSnapshot& grid, int side) {
        for (int sy = 0; sy < grid.height(); sy += side) {
            for (int sx = 0; sx < grid.width(); sx += side)
                label_sector(grid, {{sx, sy}, {std::min(side, grid.width() - sx), std::min(side, grid.height() - sy)}});
        }
        for (const auto& [cell, r] : region) {
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) {
                    const auto to = region.find({cell.first + dx, cell.second + dy});
                    if (to != region.end() && to->second != r) edges[{r, to->second}] |= dx == 0 || dy == 0;
                }
            }
        }
    }
    void label_sector(const GridSnapshot& grid, Rect rect) {
        for (int y = rect.y; y < rect.bottom(); ++y) {
            for (int x = rect.x; x < rect.right(); ++x) {
                if (region.count({x, y}) > 0) continue;
                const int number = static_cast<int>(cells.size());
                cells.emplace_back();
                std::deque<Cell> open{{x, y}};
                region[{x, y}] = number;
                while (!open.empty()) {
                    const Cell c = open.front();
                    open.pop_front();
                    cells.back().push_back(c);
                    for (const Cell n : {Cell{c.x + 1, c.y}, Cell{c.x - 1, c.y}, Cell{c.x, c.y + 1}, Cell{c.x, c.y - 1}}) {
                        if (!rect.contains(n) || grid.at(n) != grid.at(c) || region.count({n.x, n.y}) > 0) continue;
                        region[{n.x, n.y}] = number;
                        open.push_back(n);
                    }
                }
            }
        }
    }
    // Distance of a cell from the mean of its region's cells.
    double off_mean(int number, Cell c) const {
        double x = 0, y = 0;
        for (const Cell& o : cells[static_cast<size_t>(number)]) x += o.x, y += o.y;
        const auto n = static_cast<double>(cells[static_cast<size_t>(number)].size());
        return std::hypot(c.x - x / n, c.y - y / n);
    }
};

void expect_as_defined(const GridSnapshot& grid, uint32_t sector, const TerrainRegions& regions) {
    const Plain plain(grid, sector == kWholeMap ? kMaxSide : static_cast<int>(sector));
    ASSERT_EQ(regions.region_count(), plain.cells.size());
    ASSERT_EQ(regions.edge_count(), plain.edges.size());
    std::map<RegionId, int> number;
    for (const auto& [cell, r] : plain.region) {
        const RegionId id = regions.region_of({cell.first, cell.second});
        const auto [at, fresh] = number.try_emplace(id, r);
        ASSERT_EQ(at->second, r) << "one region for each region";
        ASSERT_EQ(regions.search_region_of({cell.first, cell.second}), id);
    }
    ASSERT_EQ(number.size(), plain.cells.size());
    for (const auto& [id, r] : number) {
        const Region& region = regions.region(id);
        ASSERT_EQ(regions.region_of(region.representative()), id);
        ASSERT_EQ(region.terrain, grid.at(region.representative()));
        const double off = plain.off_mean(r, region.representative());
        for (const Cell& c : plain.cells[static_cast<size_t>(r)]) ASSERT_LE(off, plain.off_mean(r, c) + 0.01);
        size_t edges = 0;
        regions.for_each_edge(id, [&](RegionId to, bool diagonal_only) {
            const auto edge = plain.edges.find({r, number.at(to)});
            ASSERT_NE(edge, plain.edges.end());
            ASSERT_EQ(edge->second, !diagonal_only);
            ++edges;
        });
        const auto from = plain.edges.lower_bound({r, -1}), end = plain.edges.lower_bound({r + 1, -1});
        ASSERT_EQ(edges, static_cast<size_t>(std::distance(from, end)));
    }
}

uint32_t random_sector(Rng& rng) {
    constexpr std::array<uint32_t, 8> kSizes = {4, 5, 7, 8, 16, 32, 128, kWholeMap};
    return kSizes[rng.below(kSizes.size())];
}

TEST(TerrainRegions, CutsASectorByTerrain) {
    const test::Scene s = test::scene(R"(1122
                                         1122
                                         3322
                                         3311)");
    const TerrainRegions regions = built(s.grid.snapshot(), 4);
    EXPECT_EQ(regions.region_count(), 4u);  // two regions of terrain 1, which do not touch
    EXPECT_EQ(regions.edge_count(), 10u);   // the two regions of terrain 1 are not adjacent
    EXPECT_EQ(regions.region_of({0, 0}), regions.region_of({1, 1}));
    EXPECT_NE(regions.region_of({0, 0}), regions.region_of({3, 3}));
    EXPECT_EQ(regions.region(regions.region_of({3, 0})).representative(), (Cell{2, 1}));
}

TEST(TerrainRegions, MarksEdgesThatAreDiagonalOnly) {
    const test::Scene s = test::scene(R"(1222
                                         2122
                                         2222
                                         2222)");
    const TerrainRegions regions = built(s.grid.snapshot(), 4);
    std::vector<bool> diagonal;
    regions.for_each_edge(regions.region_of({0, 0}), [&](RegionId, bool only) { diagonal.push_back(only); });
    EXPECT_EQ(diagonal, (std::vector<bool>{false, true}));  // terrain 2 beside it, terrain 1 across the corner
}

TEST(TerrainRegions, AnswersAtTheEdges) {
    const TerrainRegions nothing;
    EXPECT_EQ(nothing.region_count(), 0u);
    EXPECT_EQ(nothing.region_of({0, 0}), kNoRegion);
    const TerrainRegions one = built(TerrainGrid(1, 1, Terrain{3}).snapshot(), 16);
    EXPECT_EQ(one.region_count(), 1u);
    EXPECT_EQ(one.edge_count(), 0u);
    EXPECT_EQ(one.region_of({0, 0}), 0u);
    EXPECT_EQ(one.region_of({1, 0}), kNoRegion);
    EXPECT_EQ(one.region_of({0, -1}), kNoRegion);
}

TEST(TerrainRegions, HoldAsManyRegionsASectorAsThereAreCells) {
    std::vector<Terrain> cells(128 * 128);
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<Terrain>((i + i / 128) % 2);
    const TerrainRegions regions = built(TerrainGrid(128, 128, cells).snapshot(), 128);
    EXPECT_EQ(regions.region_count(), cells.size());
    EXPECT_EQ(regions.edge_count(), 4u * 128 * 127 + 4u * 127 * 127);
    EXPECT_EQ(regions.region(regions.region_of({77, 33})).representative(), (Cell{77, 33}));
}

TEST(TerrainRegions, MatchTheirDefinition) {
    Rng rng(1);
    for (int i = 0; i < 60; ++i) {
        const test::RandomWorld world = test::random_world(rng, 50);
        const uint32_t sector = random_sector(rng);
        SCOPED_TRACE(testing::Message() << "world " << i << " sector " << sector);
        expect_as_defined(world.grid.snapshot(), sector, built(world.grid.snapshot(), sector));
        if (HasFatalFailure()) return;
    }
}

TEST(TerrainRegions, AreTheSameForAnyNumberOfThreads) {
    const TerrainGrid island = generate_island({.width = 256, .height = 256, .seed = 3}).value();
    for (const uint32_t sector : {4u, 16u, 32u, kWholeMap}) {
        EXPECT_EQ(built(island.snapshot(), sector), built(island.snapshot(), sector, true, 3)) << sector;
    }
}

TEST(TerrainRegions, WithoutLabelsAreTheSameAndSmaller) {
    const GridSnapshot grid = generate_island({.width = 128, .height = 128, .seed = 3}).value().snapshot();
    const TerrainRegions with = built(grid, 16), without = built(grid, 16, false);
    EXPECT_EQ(with.region_count(), without.region_count());
    EXPECT_EQ(with.edge_count(), without.edge_count());
    EXPECT_LT(without.bytes(), with.bytes());
    for (int32_t y = 0; y < grid.height(); ++y) {
        for (int32_t x = 0; x < grid.width(); ++x) ASSERT_EQ(with.region_of({x, y}), without.region_of({x, y}));
    }
}

TEST(TerrainRegions, GoldenHash) {
    const GridSnapshot grid = generate_island({.width = 256, .height = 256, .seed = 7}).value().snapshot();
    uint64_t h = 0;
    for (const uint32_t sector : {8u, 16u, 33u, kWholeMap}) {
        const TerrainRegions regions = built(grid, sector);
        for (uint32_t s = 0; s < regions.sectors(); ++s) {
            for (uint32_t n = 0; n < regions.regions_in(s); ++n) {
                const Region& r = regions.region(regions.id(s, n));
                h = mix64(h ^ (uint64_t{r.x} << 32 | uint64_t{r.y} << 16 | r.terrain));
                regions.for_each_edge(regions.id(s, n),
                                      [&](RegionId to, bool diagonal) { h = mix64(h ^ (uint64_t{to} << 1 | (diagonal ? 1 : 0))); });
            }
        }
    }
    EXPECT_EQ(h, 11894575683122357434u);
}

// The counts of the paper's Map1, which its authors' program gives (the paper's Table 1 has the mean of its twenty maps).
TEST(TerrainRegions, OfThePapersMapsAreAsMany) {
    const std::string map = std::string(TERRANE_DATA) + "/weighted/Map1.map";
    if (!std::filesystem::exists(map)) GTEST_SKIP() << "no " << map;
    const GridSnapshot grid = load_map(map).value().snapshot();
    const std::array<std::array<uint64_t, 3>, 3> counts = {{{8, 79931, 622052}, {16, 24206, 183764}, {32, 8208, 59970}}};
    for (const auto& [sector, region_count, edge_count] : counts) {
        const TerrainRegions regions = built(grid, static_cast<uint32_t>(sector), true, 2);
        EXPECT_EQ(regions.region_count(), region_count);
        EXPECT_EQ(regions.edge_count(), edge_count);
    }
}

TEST(TerrainRegionsRepair, RefusesAnotherVersion) {
    TerrainGrid grid(20, 20, Terrain{1});
    const TerrainRegions regions = built(grid.snapshot(), 8);
    grid.set({3, 3}, Terrain{2});
    const EditResult later = grid.set({4, 3}, Terrain{2});
    EXPECT_FALSE(regions.updated(later));
}

TEST(TerrainRegionsRepair, LeavesOtherSectorsAlone) {
    TerrainGrid grid(64, 64, Terrain{1});
    const TerrainRegions before = built(grid.snapshot(), 8);
    RepairReport report;
    const TerrainRegions inside = *before.updated(grid.set({20, 20}, Terrain{2}), &report);
    EXPECT_EQ(report.sectors_labelled, 1u);
    EXPECT_EQ(report.sectors_reconnected, 0u);  // a new region, but not on the border
    EXPECT_EQ(report.sectors, (std::vector<uint32_t>{18}));
    const TerrainRegions corner = *inside.updated(grid.set({16, 16}, Terrain{2}), &report);
    EXPECT_EQ(report.sectors_labelled, 1u);
    EXPECT_EQ(report.sectors, (std::vector<uint32_t>{10, 11, 17, 18, 19, 25, 26, 27}));  // sector 9 sees a region with an unchanged number
    for (uint32_t s = 0; s < 64; ++s) {
        const bool touched = std::find(report.sectors.begin(), report.sectors.end(), s) != report.sectors.end();
        EXPECT_EQ(&corner.data().record(s) == &inside.data().record(s), !touched) << s;
    }
}

TEST(TerrainRegions, ReportHowManyCellsASearchVisited) {
    const TerrainRegions regions = built(TerrainGrid(5, 5, Terrain{1}).snapshot(), 5, false);
    const std::pair<Cell, uint64_t> looks[] = {{{2, 2}, 1}, {{2, 3}, 2}, {{1, 2}, 3}, {{5, 5}, 0}, {{-1, 2}, 0}};
    for (const auto& [cell, expected] : looks) {
        uint64_t visited_cells = 77;
        EXPECT_EQ(regions.search_region_of(cell, &visited_cells), expected > 0 ? 0 : kNoRegion);
        EXPECT_EQ(visited_cells, expected) << cell.x << " " << cell.y;
    }
}

TEST(TerrainRegionsRepair, MovesACellWithoutLabellingItsSector) {
    TerrainGrid grid(16, 16, Terrain{1});
    grid.fill({{0, 0}, {16, 6}}, Terrain{2});
    const TerrainRegions before = built(grid.snapshot(), 16);
    RepairReport report;
    const TerrainRegions after = *before.updated(grid.set({7, 6}, Terrain{2}), &report);
    EXPECT_EQ(report.cells_moved, 1u);
    EXPECT_EQ(report.sectors_labelled, 0u);
    EXPECT_EQ(after, built(grid.snapshot(), 16));
}

// Random edits of all sorts; after each, the repaired abstraction equals one built from scratch.
// `moves`: how many edits were repaired by moving one cell from one region to another. Fewer means that the fast repair is not used where
// it could be.
void expect_repairs(uint64_t seed, int worlds, int edits, bool labels, uint32_t moves) {
    Rng rng(seed);
    RepairReport report;
    uint32_t moved = 0, labelled = 0;
    for (int w = 0; w < worlds; ++w) {
        test::RandomWorld world = test::random_world(rng, 60);
        const uint32_t sector = random_sector(rng);
        TerrainRegions regions = built(world.grid.snapshot(), sector, labels);
        const GridSnapshot first = world.grid.snapshot();
        const TerrainRegions kept = regions;
        for (int e = 0; e < edits; ++e) {
            const Cell c = random_cell(rng, first);
            const Cell near{c.x + rng.between(-1, 1), c.y + rng.between(-1, 1)};
            // Often a neighbour's terrain, so that regions grow and shrink by one cell.
            const Terrain t =
                rng.chance(1, 3) || !first.layout().contains(near) ? static_cast<Terrain>(rng.below(6)) : world.grid.snapshot().at(near);
            EditResult edit;
            if (rng.chance(4, 5)) {
                edit = world.grid.set(c, t);
            } else if (rng.chance(1, 2)) {
                edit = world.grid.fill({c, {rng.between(1, 20), rng.between(1, 20)}}, t);
            } else {
                std::vector<CellEdit> batch;
                for (int i = 0; i < 10; ++i) batch.push_back({random_cell(rng, first), static_cast<Terrain>(rng.below(6))});
                edit = world.grid.apply(batch);
            }
            regions = *regions.updated(edit, &report);
            moved += report.cells_moved;
            labelled += report.sectors_labelled;
            ASSERT_EQ(regions, built(world.grid.snapshot(), sector, labels)) << "world " << w << " edit " << e << " sector " << sector;
        }
        ASSERT_EQ(kept, built(first, sector, labels)) << "older versions stay as they were";
    }
    EXPECT_EQ(moved, moves);
    EXPECT_GT(labelled, 0u);
}

TEST(TerrainRegionsRepair, EqualsBuildingFromScratch) { expect_repairs(5, 100, 100, true, 221); }
TEST(TerrainRegionsRepair, EqualsBuildingFromScratchWithoutLabels) { expect_repairs(6, 20, 50, false, 0); }

}  // namespace
}  // namespace terrane
