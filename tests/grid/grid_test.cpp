#include "terrane/grid/grid.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "terrane/base/rng.h"

namespace terrane {
namespace {

std::vector<Terrain> random_cells(Rng& rng, int32_t width, int32_t height) {
    std::vector<Terrain> cells(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (Terrain& t : cells) t = static_cast<Terrain>(rng.below(19));
    return cells;
}

TEST(GridLayout, IdsAndCellsAreInverse) {
    for (const auto& [w, h] : {std::pair{1, 1}, {32, 32}, {33, 31}, {64, 65}, {1, 200}, {200, 1}, {129, 97}}) {
        const GridLayout layout(w, h);
        std::vector<bool> seen(layout.id_limit());
        for (int32_t y = 0; y < h; ++y) {
            for (int32_t x = 0; x < w; ++x) {
                const CellId id = layout.id({x, y});
                ASSERT_LT(id, layout.id_limit());
                ASSERT_FALSE(seen[id]);
                seen[id] = true;
                ASSERT_EQ(layout.cell(id), (Cell{x, y}));
            }
        }
    }
    const GridLayout largest(kMaxSide, kMaxSide);
    EXPECT_EQ(largest.cell(largest.id({kMaxSide - 1, kMaxSide - 1})), (Cell{kMaxSide - 1, kMaxSide - 1}));
    EXPECT_FALSE(largest.contains({-1, 0}));
    EXPECT_FALSE(largest.contains({0, kMaxSide}));
}

TEST(TerrainGrid, HoldsWhatItWasGiven) {
    Rng rng(1);
    for (int i = 0; i < 30; ++i) {
        const int32_t w = rng.between(1, 100), h = rng.between(1, 100);
        const auto cells = random_cells(rng, w, h);
        const GridSnapshot s = TerrainGrid(w, h, cells).snapshot();
        EXPECT_EQ(s.cells(), cells);
        EXPECT_EQ(s.at({w, 0}), kOutside);
        EXPECT_EQ(s.at({0, -1}), kOutside);
        for (Terrain t = 0; t < 19; ++t) EXPECT_EQ(s.count(t), std::count(cells.begin(), cells.end(), t));
        EXPECT_EQ(s.count(kOutside), 0u);
    }
}

TEST(TerrainGrid, MovesWithItsVersions) {
    TerrainGrid grid(40, 40, 3), other(10, 10, 4);
    grid.set({39, 39}, 5);
    other = std::move(grid);
    EXPECT_EQ(other.snapshot().version(), 1u);
    EXPECT_EQ(TerrainGrid(std::move(other)).snapshot().at({39, 39}), 5);
}

TEST(TerrainGrid, TheLargestWorldCostsLittleUntilItIsEdited) {
    TerrainGrid grid(kMaxSide, kMaxSide, 5);
    const EditResult edit = grid.set({kMaxSide - 1, kMaxSide - 1}, 6);
    EXPECT_EQ(edit.cells_changed, 1u);
    EXPECT_EQ(grid.snapshot().at(Cell{kMaxSide - 1, kMaxSide - 1}), 6);
    EXPECT_EQ(grid.snapshot().at(Cell{kMaxSide - 2, kMaxSide - 1}), 5);
    EXPECT_EQ(grid.snapshot().count(5), (1u << 30) - 1);
    EXPECT_EQ(grid.snapshot().tile_cells(0), grid.snapshot().tile_cells(3 << grid.snapshot().layout().row_shift | 2));
}

TEST(GridSnapshot, DefaultIsTheEmptyWorld) {
    const GridSnapshot s;
    EXPECT_EQ(s.width(), 0);
    EXPECT_EQ(s.at({0, 0}), kOutside);
    EXPECT_TRUE(s.cells().empty());
}

TEST(GridSnapshot, NeverChanges) {
    TerrainGrid grid(100, 70, 3);
    const GridSnapshot before = grid.snapshot();
    grid.fill({{10, 10}, {80, 50}}, Terrain{4});
    EXPECT_EQ(before.cells(), std::vector<Terrain>(7000, 3));
    EXPECT_EQ(before.count(3), 7000u);
    EXPECT_EQ(grid.snapshot().count(4), 4000u);
}

TEST(GridSnapshot, SharesTheTilesThatAnEditDidNotTouch) {
    TerrainGrid grid(320, 320, std::vector<Terrain>(320 * 320, 2));
    const EditResult edit = grid.set({40, 40}, 7);
    int shared = 0;
    for (uint32_t ty = 0; ty < 10; ++ty) {
        for (uint32_t tx = 0; tx < 10; ++tx) {
            const uint32_t tile = (ty << edit.after.layout().row_shift) | tx;
            shared += edit.before.tile_cells(tile) == edit.after.tile_cells(tile);
            EXPECT_EQ(edit.after.tile_version(tile), tx == 1 && ty == 1 ? 1u : 0u);
        }
    }
    EXPECT_EQ(shared, 99);
}

TEST(Edit, ReportsWhatChanged) {
    TerrainGrid grid(64, 64, 3);
    const EditResult edit = grid.fill({{30, 30}, {4, 4}}, Terrain{5});
    EXPECT_EQ(edit.cells_changed, 16u);
    EXPECT_EQ(edit.bounds, (Rect{{30, 30}, {4, 4}}));
    EXPECT_EQ(edit.tiles.size(), 4u);
    EXPECT_EQ(edit.before.version(), 0u);
    EXPECT_EQ(edit.after.version(), 1u);
}

TEST(Edit, OfNothingMakesNoVersion) {
    TerrainGrid grid(64, 64, 3);
    for (const EditResult& edit : {grid.set({1, 1}, Terrain{3}), grid.fill({{0, 0}, {64, 64}}, Terrain{3}),
                                   grid.fill({{5, 5}, {0, 4}}, Terrain{4}), grid.apply({})}) {
        EXPECT_EQ(edit.cells_changed, 0u);
        EXPECT_TRUE(edit.tiles.empty());
        EXPECT_TRUE(edit.bounds.empty());
    }
    const std::vector<CellEdit> there_and_back = {{{3, 3}, 8}, {{3, 3}, 3}};
    EXPECT_EQ(grid.apply(there_and_back).cells_changed, 0u);
    EXPECT_EQ(grid.snapshot().version(), 0u);
}

TEST(Edit, IgnoresAndCountsCellsOffTheMap) {
    TerrainGrid grid(10, 10, 3);
    EXPECT_EQ(grid.set({-1, 5}, Terrain{4}).cells_outside, 1u);
    const EditResult edit = grid.fill({{-5, -5}, {10, 10}}, Terrain{4});
    EXPECT_EQ(edit.cells_changed, 25u);
    EXPECT_EQ(edit.cells_outside, 75u);
    EXPECT_EQ(grid.fill({{-5, 0}, {INT32_MAX, 1}}, Terrain{4}).cells_changed, 5u);
    EXPECT_EQ(grid.fill({{20, 20}, {10, 10}}, Terrain{4}).cells_outside, 100u);
}

TEST(Edit, ByNameRefusesUnknownTerrain) {
    TerrainGrid grid(10, 10, 3);
    EXPECT_EQ(grid.set({1, 1}, "lava").value().cells_changed, 1u);
    EXPECT_EQ(grid.set({1, 1}, "larva").error().code, ErrorCode::kUnknownName);
    EXPECT_EQ(grid.fill({{0, 0}, {2, 2}}, "").error().code, ErrorCode::kUnknownName);
    EXPECT_EQ(grid.snapshot().version(), 1u);
}

TEST(Edit, RandomEditsEqualAPlainArray) {
    Rng rng(3);
    for (int world = 0; world < 20; ++world) {
        const int32_t w = rng.between(1, 90), h = rng.between(1, 90);
        auto cells = random_cells(rng, w, h);
        TerrainGrid grid(w, h, cells);
        for (int e = 0; e < 40; ++e) {
            const auto old = cells;
            std::vector<CellEdit> edits(rng.below(30));
            for (CellEdit& edit : edits) edit = {{rng.between(-3, w + 2), rng.between(-3, h + 2)}, static_cast<Terrain>(rng.below(19))};
            for (const CellEdit& edit : edits) {
                if (grid.snapshot().layout().contains(edit.cell)) cells[static_cast<size_t>(edit.cell.y * w + edit.cell.x)] = edit.terrain;
            }
            const EditResult result = grid.apply(edits);
            uint64_t changed = 0;
            for (size_t i = 0; i < cells.size(); ++i) changed += cells[i] != old[i];
            ASSERT_EQ(result.before.cells(), old);
            ASSERT_EQ(result.after.cells(), cells);
            ASSERT_EQ(result.cells_changed, changed);
            for (Terrain t = 0; t < 19; ++t) ASSERT_EQ(result.after.count(t), std::count(cells.begin(), cells.end(), t));
        }
    }
}

TEST(TerrainGrid, RowsAreCopiedAcrossTiles) {
    Rng rng(11);
    const int32_t w = 131, h = 70;
    const auto cells = random_cells(rng, w, h);
    const GridSnapshot s = TerrainGrid(w, h, cells).snapshot();
    for (int i = 0; i < 500; ++i) {
        const Cell first = {rng.between(0, w - 1), rng.between(0, h - 1)};
        const auto count = rng.below(static_cast<uint32_t>(w - first.x) + 1);
        std::vector<Terrain> row(count + 1, 77);
        s.copy_row(first, count, row.data());
        const auto begin = cells.begin() + first.y * w + first.x;
        ASSERT_TRUE(std::equal(begin, begin + count, row.begin()));
        ASSERT_EQ(row.back(), 77);
    }
}

TEST(TerrainGrid, TheDifferenceOfTwoVersionsIsOneEdit) {
    Rng rng(12);
    for (int i = 0; i < 60; ++i) {
        const int32_t w = rng.between(1, 150), h = rng.between(1, 150);
        TerrainGrid grid(w, h, random_cells(rng, w, h));
        const GridSnapshot before = grid.snapshot();
        for (uint32_t n = rng.below(6); n > 0; --n) {
            const Cell at = {rng.between(0, w - 1), rng.between(0, h - 1)};
            grid.fill({at, {rng.between(1, 9), rng.between(1, 9)}}, static_cast<Terrain>(rng.below(19)));
        }
        const GridSnapshot after = grid.snapshot();
        const EditResult edit = edit_between(before, after);
        uint64_t changed = 0;
        Rect bounds;
        std::vector<uint32_t> tiles;
        for (int32_t y = 0; y < h; ++y) {
            for (int32_t x = 0; x < w; ++x) {
                if (before.at(Cell{x, y}) == after.at(Cell{x, y})) continue;
                bounds = ++changed == 1 ? Rect::spanning({x, y}, {x, y})
                                        : Rect::spanning({std::min(bounds.x, x), bounds.y}, {std::max(bounds.right() - 1, x), y});
                tiles.push_back(after.layout().id({x, y}) / kTileCells);
            }
        }
        std::ranges::sort(tiles);
        tiles.erase(std::ranges::unique(tiles).begin(), tiles.end());
        ASSERT_EQ(edit.cells_changed, changed);
        ASSERT_EQ(edit.bounds, bounds);
        ASSERT_TRUE(std::ranges::equal(edit.tiles, tiles));
        ASSERT_EQ(edit.before.version(), before.version());
        ASSERT_EQ(edit.after.version(), after.version());
    }
}

TEST(GridSnapshot, VersionsKnowTheirGrid) {
    TerrainGrid grid(8, 8, Terrain{6});
    const TerrainGrid equal(8, 8, Terrain{6});
    const GridSnapshot before = grid.snapshot();
    static_cast<void>(grid.set({1, 1}, Terrain{5}));
    EXPECT_TRUE(before.same_grid(grid.snapshot()));
    EXPECT_FALSE(before.same_grid(equal.snapshot()));
    EXPECT_FALSE(before.same_grid(GridSnapshot()));
    const TerrainGrid moved = std::move(grid);
    EXPECT_TRUE(before.same_grid(moved.snapshot()));
}

TEST(GridSnapshotDeathTest, ARowThatLeavesTheMapBreaksTheContract) {
    const GridSnapshot grid = TerrainGrid(40, 8, Terrain{6}).snapshot();
    std::vector<Terrain> row(41);
    grid.copy_row({0, 7}, 40, row.data());
    EXPECT_DEATH(grid.copy_row({0, 7}, 41, row.data()), "contract broken");
    EXPECT_DEATH(grid.copy_row({0, 8}, 1, row.data()), "contract broken");
}

TEST(TerrainGridDeathTest, UnknownTerrainsAndMovedFromGridsBreakTheContract) {
    TerrainGrid grid(8, 8, Terrain{6});
    EXPECT_DEATH(static_cast<void>(grid.set({1, 1}, Terrain{200})), "contract broken");
    EXPECT_DEATH(static_cast<void>(grid.fill({{0, 0}, {8, 8}}, Terrain{200})), "contract broken");
    EXPECT_DEATH(TerrainGrid(0, 8, Terrain{6}), "contract broken");
    EXPECT_DEATH(TerrainGrid(8, kMaxSide + 1, Terrain{6}), "contract broken");
    const TerrainGrid moved = std::move(grid);
    EXPECT_DEATH(static_cast<void>(grid.snapshot()), "contract broken");  // NOLINT(bugprone-use-after-move): the contract
}

TEST(TerrainGridDeathTest, EditsBetweenVersionsOfTwoGridsBreakTheContract) {
    const TerrainGrid a(8, 8, Terrain{6}), b(8, 8, Terrain{6});
    EXPECT_DEATH(static_cast<void>(edit_between(a.snapshot(), b.snapshot())), "contract broken");
}

TEST(TerrainGrid, BytesCoverTilesAndDirectory) {
    for (const auto& [w, h] : {std::pair{32, 32}, {33, 32}, {320, 64}, {1000, 1000}}) {
        TerrainGrid grid(w, h, 5);
        for (int32_t y = 0; y < h; y += kTileSide) {
            for (int32_t x = 0; x < w; x += kTileSide) grid.set({x, y}, 6);  // no shared tiles
        }
        const size_t cells = size_t{grid.snapshot().layout().tiles_x()} * grid.snapshot().layout().tiles_y() * kTileCells;
        const size_t pages = (grid.snapshot().layout().tile_limit() + 255) / 256;
        EXPECT_GE(grid.snapshot().bytes(), cells + pages * 256 * 32);
        EXPECT_LE(grid.snapshot().bytes(), cells + pages * (256 * 32 + 512) + 4096);
    }
}

}  // namespace
}  // namespace terrane
