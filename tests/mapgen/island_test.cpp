#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "mapgen/areas.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {
namespace {

TerrainGrid island(int32_t width, int32_t height, uint64_t seed) {
    IslandOptions options;
    options.width = width;
    options.height = height;
    options.seed = seed;
    return generate_island(options).value();
}

uint64_t hash(const TerrainGrid& grid) {
    uint64_t h = 0;
    for (const Terrain t : grid.snapshot().cells()) h = mix64(h ^ t);
    return h;
}

// Share of a terrain in per mille of the map.
uint64_t share(const GridSnapshot& map, std::string_view name) {
    return uint64_t{map.count(*map.catalogue().find(name))} * 1000 / map.layout().cells();
}

// The bytes are guaranteed: a change of these hashes is a change of results and belongs in the changelog.
TEST(IslandGolden, BytesAreThoseOfEveryOtherMachine) {
    EXPECT_EQ(hash(island(256, 256, 1)), 0x319e87b09985104au);
    EXPECT_EQ(hash(island(320, 192, 2)), 0x671fa46b3bd4e847u);
    EXPECT_EQ(hash(island(512, 512, 3)), 0x59bf8d202244e70bu);
}

TEST(Island, SameSeedSameBytes) { EXPECT_EQ(hash(island(200, 200, 7)), hash(island(200, 200, 7))); }

TEST(Island, SeedsDiffer) {
    std::set<uint64_t> hashes;
    for (uint64_t seed = 0; seed < 20; ++seed) hashes.insert(hash(island(128, 128, seed)));
    EXPECT_EQ(hashes.size(), 20u);
}

TEST(Island, HasWhatAWorldNeeds) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        const GridSnapshot map = island(512, 512, seed).snapshot();
        EXPECT_GE(share(map, "trees"), 60u) << "seed " << seed;
        EXPECT_GE(share(map, "hills"), 20u) << "seed " << seed;
        EXPECT_GE(share(map, "road"), 15u) << "seed " << seed;
        EXPECT_GE(share(map, "river"), 2u) << "seed " << seed;
        EXPECT_GE(share(map, "plains"), 20u) << "seed " << seed;
        EXPECT_GE(share(map, "mountain"), 5u) << "seed " << seed;
        const uint64_t sea = share(map, "water") + share(map, "deep_water");
        EXPECT_GE(sea, 450u) << "seed " << seed;
        EXPECT_LE(sea, 650u) << "seed " << seed;
    }
}

TEST(Island, UsesTheSixteenTerrainsOfTheBenchmarkMaps) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        for (const Terrain t : island(300, 200, seed).snapshot().cells()) ASSERT_LT(t, 16) << "seed " << seed;
    }
}

TEST(Island, MostOfTheLandIsOneIsland) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        std::vector<Terrain> cells = island(512, 512, seed).snapshot().cells();
        uint64_t land = 0, largest = 0;
        for (Terrain& t : cells) t = t == 1 || t == 2 ? 0 : 1;
        const AreaMap map = find_areas(cells, 512, 512);
        std::vector<uint8_t> dry(map.cells.size(), 0);
        for (size_t k = 0; k < cells.size(); ++k) dry[map.area[k]] = cells[k], land += cells[k];
        for (size_t a = 0; a < dry.size(); ++a) largest = std::max<uint64_t>(largest, dry[a] ? map.cells[a] : 0);
        EXPECT_GE(largest * 10, land * 8) << "seed " << seed;
    }
}

TEST(Island, HasNoAreaUnderEightyCells) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        EXPECT_GE(find_areas(island(400, 300, seed).snapshot().cells(), 400, 300).smallest(), 80u) << "seed " << seed;
    }
}

TEST(Island, MergeZeroKeepsEveryArea) {
    IslandOptions options;
    options.width = options.height = 256;
    const TerrainGrid merged = generate_island(options).value();
    options.merge = 0;
    const TerrainGrid whole = generate_island(options).value();
    EXPECT_GT(find_areas(whole.snapshot().cells(), 256, 256).cells.size(), find_areas(merged.snapshot().cells(), 256, 256).cells.size());
}

// The polygons are the same at every size, so a larger map shows the same island in more detail.
TEST(Island, ALargerMapIsTheSameIsland) {
    const GridSnapshot small = island(800, 800, 5).snapshot(), large = island(1600, 1600, 5).snapshot();
    uint32_t same = 0;
    for (int32_t y = 0; y < 800; ++y) {
        for (int32_t x = 0; x < 800; ++x) same += small.at(Cell{x, y}) == large.at(Cell{x * 2, y * 2}) ? 1 : 0;
    }
    EXPECT_GE(same * 100 / (800 * 800), 90u);
}

TEST(Island, OddSizesAreFine) {
    for (const auto& [width, height] : {std::pair{16, 16}, {17, 33}, {100, 31}, {16, 1000}, {1000, 16}, {333, 77}}) {
        for (uint64_t seed = 0; seed < 4; ++seed) {
            const TerrainGrid grid = island(width, height, seed);
            EXPECT_EQ(grid.width(), width);
            EXPECT_EQ(grid.height(), height);
        }
    }
}

TEST(Island, PolygonsOfAnySizeAreFine) {
    for (const int32_t polygon : {8, 9, 50, 200, 32768}) {
        IslandOptions options;
        options.width = options.height = 200;
        options.polygon = polygon;
        EXPECT_TRUE(generate_island(options)) << polygon;
    }
}

void expect_refused(int32_t width, int32_t height, int32_t polygon, int32_t merge, std::string_view reason) {
    const auto made = generate_island({width, height, 1, polygon, merge});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::kBadValue);
    EXPECT_EQ(made.error().message(), reason);
}

TEST(Island, RefusesInvalidOptions) {
    expect_refused(15, 64, 0, 80, "an island of 15x64 cells: expected sides of 16 to 32768 cells");
    expect_refused(64, 32769, 0, 80, "an island of 64x32769 cells: expected sides of 16 to 32768 cells");
    expect_refused(0, 0, 0, 80, "an island of 0x0 cells: expected sides of 16 to 32768 cells");
    expect_refused(-5, 64, 0, 80, "an island of -5x64 cells: expected sides of 16 to 32768 cells");
    expect_refused(64, 64, 7, 80, "polygons of 7 cells: expected a side of 8 to 32768 cells, or 0 for the default");
    expect_refused(64, 64, -1, 80, "polygons of -1 cells: expected a side of 8 to 32768 cells, or 0 for the default");
    expect_refused(64, 64, 0, -1, "merging areas of fewer than -1 cells: expected 0 or more");
}

}  // namespace
}  // namespace terrane
