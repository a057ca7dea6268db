// The checksum by which saved regions and path databases identify their map. Part of file formats.
#include <gtest/gtest.h>

#include <set>

#include "grid/grid_checksum.h"
#include "terrane/grid/grid.h"

namespace terrane {
namespace {

using detail::grid_checksum;

// Terrains that repeat after 251 cells, so that no two rows or tiles are alike.
TerrainGrid patterned(int32_t width, int32_t height) {
    TerrainGrid grid(width, height, Terrain{0});
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t x = 0; x < width; ++x) grid.set({x, y}, static_cast<Terrain>((x + y * width) % 251 % 7));
    }
    return grid;
}

TEST(GridChecksum, EveryCellCounts) {
    TerrainGrid grid = patterned(70, 40);  // three tiles by two
    const uint64_t before = grid_checksum(grid.snapshot());
    std::set<uint64_t> seen = {before};
    for (int32_t y = 0; y < 40; ++y) {
        for (int32_t x = 0; x < 70; ++x) {
            const Terrain was = grid.snapshot().at(Cell{x, y});
            grid.set({x, y}, static_cast<Terrain>(was + 1));
            EXPECT_TRUE(seen.insert(grid_checksum(grid.snapshot())).second) << x << "," << y;
            grid.set({x, y}, was);
        }
    }
    EXPECT_EQ(grid_checksum(grid.snapshot()), before);
}

// All tiles have the same cells: the checksum covers width and height separately.
TEST(GridChecksum, SidesCount) {
    std::set<uint64_t> seen;
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 2}, {2, 1}, {2, 2}, {32, 33}, {33, 32}}) {
        const TerrainGrid grid(width, height, Terrain{5});
        EXPECT_TRUE(seen.insert(grid_checksum(grid.snapshot())).second) << width << "x" << height;
    }
}

// Saved files contain these values.
TEST(GridChecksum, Golden) {
    EXPECT_EQ(grid_checksum(patterned(70, 40).snapshot()), 10757981969829179521u);
    EXPECT_EQ(grid_checksum(patterned(1, 1).snapshot()), 10153729535426922884u);
}

}  // namespace
}  // namespace terrane
