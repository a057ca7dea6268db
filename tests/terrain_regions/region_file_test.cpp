#include "terrain_regions/region_file.h"

#include <gtest/gtest.h>

#include "dta/region_search.h"
#include "io/mangle.h"
#include "support/scene.h"

namespace terrane {
namespace {

constexpr size_t kHeaderBytes = 20;
constexpr size_t kRegionBytes = 9;

std::string bytes_of(const GridSnapshot& grid, const RegionOptions& options) {
    return format_regions(TerrainRegions::build(grid, options));
}

Error error_of(const std::string& bytes, const GridSnapshot& grid) {
    const auto regions = parse_regions(bytes, grid, "w.terrane");
    return regions ? Error{ErrorCode::kUnsupported, {}, 0, "no error"} : regions.error();
}

uint32_t u32_at(const std::string& bytes, size_t at) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value |= uint32_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
    return value;
}
std::string with_u32(std::string bytes, size_t at, uint32_t value) {
    for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
    return bytes;
}
std::string with_u8(std::string bytes, size_t at, uint8_t value) {
    bytes[at] = static_cast<char>(value);
    return bytes;
}

// Two sectors of 4x4 side by side: three regions in the first, two in the second.
test::Scene two_sectors() {
    return test::scene(R"(1122 2211
                          1122 2211
                          1111 1111
                          3333 1111)");
}

// Follows every index; a sanitizer reports invalid ones.
void use(const TerrainRegions& regions) {
    const GridLayout& layout = regions.grid().layout();
    for (int32_t y = 0; y < layout.height; ++y) {
        for (int32_t x = 0; x < layout.width; ++x) EXPECT_LT(regions.region_of({x, y}), regions.id_limit());
    }
    const CostTable costs = Profile().compile(regions.grid().catalogue()).value();
    RegionSearch search;
    for (const bool bidirectional : {false, true}) {
        RegionSearchOptions options;
        options.bidirectional = bidirectional;
        search.begin(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}, regions.region_of({0, 0}),
                     regions.region_of({layout.width - 1, layout.height - 1}), options);
        search.run();
    }
}

}  // namespace

TEST(RegionFile, TagsNameTheSectorSize) {
    EXPECT_EQ(region_tag(16), (std::array<char, 4>{'R', '0', '1', '6'}));
    for (uint32_t sector = 0; sector < 200; ++sector) {
        const bool real = sector == kWholeMap || (sector >= kMinSector && sector <= kMaxSector);
        EXPECT_EQ(region_tag_sector(region_tag(sector)).value_or(999), real ? sector : 999) << sector;
    }
    EXPECT_FALSE(region_tag_sector({'C', 'E', 'L', 'L'}));
    EXPECT_FALSE(region_tag_sector({'R', '1', '6', ' '}));
}

TEST(RegionFile, ReadRegionsEqualBuiltRegions) {
    Rng rng(41);
    for (int i = 0; i < 60; ++i) {
        const test::RandomWorld world = test::random_world(rng, 90);
        const GridSnapshot grid = world.grid.snapshot();
        for (const uint32_t sector : {4u, 5u, 16u, 31u, 128u, kWholeMap}) {
            for (const bool labels : {true, false}) {
                const TerrainRegions built = TerrainRegions::build(grid, {sector, labels});
                const std::string bytes = format_regions(built);
                const auto read = parse_regions(bytes, grid);
                ASSERT_TRUE(read) << read.error().message();
                ASSERT_EQ(*read, built) << sector;
                EXPECT_EQ(format_regions(*read), bytes);
                EXPECT_EQ(read->bytes(), built.bytes());
                EXPECT_EQ(read->version(), grid.version());
            }
        }
    }
}

TEST(RegionFile, BytesDependOnNeitherEditsNorThreads) {
    Rng rng(42);
    for (int i = 0; i < 20; ++i) {
        test::RandomWorld world = test::random_world(rng);
        TerrainRegions regions = TerrainRegions::build(world.grid.snapshot(), {8, true, 3});
        for (int edit = 0; edit < 30; ++edit) {
            const Cell cell = test::random_cell(rng, world.grid.snapshot());
            regions = regions.updated(world.grid.set(cell, static_cast<Terrain>(rng.below(8)))).value();
        }
        EXPECT_EQ(format_regions(regions), bytes_of(world.grid.snapshot(), {8}));
    }
}

TEST(RegionFile, ReadRegionsCanBeUpdated) {
    Rng rng(43);
    for (int i = 0; i < 20; ++i) {
        test::RandomWorld world = test::random_world(rng);
        TerrainRegions regions = parse_regions(bytes_of(world.grid.snapshot(), {8}), world.grid.snapshot()).value();
        for (int edit = 0; edit < 30; ++edit) {
            const Cell cell = test::random_cell(rng, world.grid.snapshot());
            regions = regions.updated(world.grid.set(cell, static_cast<Terrain>(rng.below(8)))).value();
        }
        EXPECT_EQ(regions, TerrainRegions::build(world.grid.snapshot(), {8}));
    }
}

TEST(RegionFile, AnEmptyWorldHasNoSectors) {
    const auto read = parse_regions(format_regions(TerrainRegions()), GridSnapshot());
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(*read, TerrainRegions());
}

TEST(RegionFile, RefusesEveryTruncationAndTrailingBytes) {
    const GridSnapshot grid = two_sectors().grid.snapshot();
    for (const bool labels : {true, false}) {
        const std::string bytes = bytes_of(grid, {4, labels});
        for_each_cut(bytes, [&](const std::string& cut, const std::string& what) {
            const Error error = error_of(cut, grid);
            EXPECT_EQ(error.code, ErrorCode::kTruncated) << what;
            expect_printable_error(error, "w.terrane", what);
        });
        EXPECT_EQ(error_of(bytes + '\0', grid).message(), "w.terrane: regions: trailing bytes after the last sector");
    }
}

TEST(RegionFile, AChangedByteIsRefusedOrDoesNoHarm) {
    const GridSnapshot grid = test::scene(R"(1122 2211 #
                                             1122 2#11 #
                                             1313 1111 4
                                             3333 #111 4
                                             4444 4444 4)")
                                  .grid.snapshot();
    for (const uint32_t sector : {4u, 5u, kWholeMap}) {
        const std::string bytes = bytes_of(grid, {sector});
        int accepted = 0;
        for_each_change(bytes, [&](const std::string& changed, const std::string& what) {
            const auto regions = parse_regions(changed, grid, "w.terrane");
            if (!regions) return expect_printable_error(regions.error(), "w.terrane", what);
            ++accepted;  // another representative of the same region, or a cell assigned to another region
            use(*regions);
        });
        EXPECT_LT(accepted, 200);
    }
}

TEST(RegionFile, RefusesRegionsOfOtherCells) {
    test::Scene scene = two_sectors();
    const std::string bytes = bytes_of(scene.grid.snapshot(), {4});
    EXPECT_EQ(error_of(bytes, scene.grid.snapshot()).reason, "no error");
    for (int32_t y = 0; y < 4; ++y) {
        for (int32_t x = 0; x < 8; ++x) {
            const Terrain before = scene.grid.snapshot().at(Cell{x, y});
            scene.grid.set({x, y}, 7);
            EXPECT_EQ(error_of(bytes, scene.grid.snapshot()).message(),
                      "w.terrane: regions: the map's cells have changed; rebuild the regions");
            scene.grid.set({x, y}, before);
        }
    }
    EXPECT_EQ(error_of(bytes, scene.grid.snapshot()).reason, "no error") << "cells count, versions do not";
    const auto plain = [](int32_t width, int32_t height) { return TerrainGrid(width, height, 1).snapshot(); };
    EXPECT_EQ(error_of(bytes_of(plain(8, 4), {8}), plain(4, 8)).reason, "regions: the map's cells have changed; rebuild the regions");
}

TEST(RegionFile, RefusesOtherVersionsFlagsAndSectors) {
    const GridSnapshot grid = two_sectors().grid.snapshot();
    const std::string bytes = bytes_of(grid, {4});
    EXPECT_EQ(error_of(with_u32(bytes, 0, 2), grid).message(), "w.terrane: regions: version 2; this library reads version 1");
    EXPECT_EQ(error_of(with_u32(bytes, 8, 3), grid).code, ErrorCode::kUnsupported);
    for (const uint32_t sector : {1u, 3u, 129u, ~0u}) {
        EXPECT_EQ(error_of(with_u32(bytes, 4, sector), grid).code, ErrorCode::kBadValue) << sector;
    }
    EXPECT_NE(error_of(with_u32(bytes, 4, 5), grid).reason, "no error") << "the bytes of another size";
}

TEST(RegionFile, RefusesImpossibleCountsWithoutAllocating) {
    const GridSnapshot grid = two_sectors().grid.snapshot();
    const std::string bytes = bytes_of(grid, {4});
    for (int i = 0; i < 100; ++i) {  // gibibytes each, if they were allocated
        for (const uint32_t count : {0u, 17u, ~0u}) {
            EXPECT_EQ(error_of(with_u32(bytes, kHeaderBytes, count), grid).message(),
                      "w.terrane: regions: sector 0 has " + std::to_string(count) + " regions; expected 1 to its number of cells");
        }
        EXPECT_EQ(error_of(with_u32(bytes, kHeaderBytes + 4, ~0u), grid).code, ErrorCode::kTruncated);
    }
    const std::string huge = bytes_of(TerrainGrid(8, 8, 1).snapshot(), {4}).substr(0, kHeaderBytes);
    EXPECT_NE(error_of(huge, grid).reason, "no error");
}

// Errors of the regions of two_sectors() after a change, at offsets from the first sector's regions.
class RegionFileAltered : public testing::Test {
protected:
    static constexpr size_t kRegions = kHeaderBytes + 8;
    const GridSnapshot grid_ = two_sectors().grid.snapshot();
    const std::string bytes_ = bytes_of(grid_, {4});
    const size_t edges_ = kRegions + 3 * kRegionBytes;
    const uint32_t edge_count_ = u32_at(bytes_, kHeaderBytes + 4);
    const size_t labels_ = edges_ + size_t{edge_count_} * 4;

    void expect(const std::string& bytes, const std::string& reason) const {
        EXPECT_EQ(error_of(bytes, grid_).reason, "regions: sector " + reason);
    }
};

TEST_F(RegionFileAltered, InvalidRegionsAreRefused) {
    ASSERT_EQ(u32_at(bytes_, kHeaderBytes), 3u);
    expect(with_u32(bytes_, kRegions + 4, 1), "0 has a first region that does not start at edge 0");
    expect(with_u32(bytes_, kRegions + kRegionBytes + 4, edge_count_ + 1), "0 has first edges out of order");
    const uint32_t second = u32_at(bytes_, kRegions + kRegionBytes + 4);
    expect(with_u32(bytes_, kRegions + 2 * kRegionBytes + 4, second - 1), "0 has first edges out of order");
    expect(with_u32(bytes_, kRegions, 4), "0 has a representative outside the sector");
    expect(with_u32(bytes_, kRegions, 0xffff0000), "0 has a representative outside the sector");
    expect(with_u8(bytes_, kRegions + 8, 2), "0 has a representative on another terrain");
    expect(with_u32(bytes_, kRegions, 3), "0 has a representative on another terrain");
}

TEST_F(RegionFileAltered, InvalidEdgesAreRefused) {
    ASSERT_GE(edge_count_, 4u);
    const RegionEdge first{u32_at(bytes_, edges_)};
    EXPECT_EQ(first, RegionEdge::to(RegionEdge::kHere, 1, false));
    expect(with_u32(bytes_, edges_, RegionEdge::to(3, 0, false).bits), "0 has an edge off the map");
    expect(with_u32(bytes_, edges_, RegionEdge::to(15, 0, false).bits), "0 has an edge off the map");
    expect(with_u32(bytes_, edges_, RegionEdge::to(RegionEdge::kHere, 0, false).bits), "0 has an edge from a region to itself");
    expect(with_u32(bytes_, edges_, RegionEdge::to(RegionEdge::kHere, 7, false).bits), "0 has an edge without a reverse edge");
    expect(with_u32(bytes_, edges_, RegionEdge::to(RegionEdge::kHere, 1, true).bits), "0 has an edge without a reverse edge");
    expect(with_u32(bytes_, edges_ + 4, first.bits), "0 has edges out of order");
    expect(with_u32(bytes_, edges_ + 4, first.bits ^ 1), "0 has edges out of order");
}

TEST_F(RegionFileAltered, InvalidLabelsAreRefused) {
    // Two bits per cell, sixteen cells: one word.
    const uint32_t word = u32_at(bytes_, labels_);
    expect(with_u32(bytes_, labels_, word | 3), "0 has a label without a region");
    expect(with_u32(bytes_, labels_, word | 3u << 30), "0 has a label without a region");
    expect(with_u32(bytes_, labels_, 0), "0 has a representative in another region");
    const GridSnapshot narrow = test::scene("1122").grid.snapshot();
    const std::string bytes = bytes_of(narrow, {4});
    EXPECT_EQ(error_of(with_u8(bytes, bytes.size() - 4, 0x1c), narrow).reason, "regions: sector 0 has labels past its last cell");
}

TEST_F(RegionFileAltered, LabelsDistinguishTwoRegionsOfOneTerrain) {
    const GridSnapshot grid = test::scene("1211").grid.snapshot();  // the first and the last region have the same terrain
    const std::string bytes = bytes_of(grid, {4});
    EXPECT_EQ(error_of(with_u32(bytes, kRegions, 2), grid).reason, "regions: sector 0 has a representative in another region");
    const std::string without = bytes_of(grid, {4, false});
    EXPECT_EQ(error_of(without, grid).reason, "no error");
    EXPECT_EQ(error_of(with_u32(without, kRegions, 2), grid).reason, "regions: sector 0 has regions that do not match its cells");
}

TEST(RegionFile, GoldenBytes) {
    Rng rng(44);
    uint64_t hash = 0;
    for (int i = 0; i < 10; ++i) {
        const GridSnapshot grid = test::random_world(rng).grid.snapshot();
        for (const uint32_t sector : {7u, 16u, kWholeMap}) {
            for (const char c : bytes_of(grid, {sector})) hash = mix64(hash ^ static_cast<uint8_t>(c));
        }
    }
    EXPECT_EQ(hash, 4788459532992723149u);
}

}  // namespace terrane
