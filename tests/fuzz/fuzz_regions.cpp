// parse_regions: accepted regions are safe to search, and read back the same after format_regions. The first byte selects a map. Corrects
// the checksum of its cells, which would otherwise reject every mutated input.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "require.h"
#include "terrain_regions/region_file.h"
#include "terrane/base/rng.h"
#include "terrane/world/planner.h"

namespace terrane {

namespace {

constexpr size_t kChecksum = 12, kChecksumBytes = 8;

// One cell; stripes; patches; noise. The last two are not multiples of a sector.
TerrainGrid make_map(uint32_t kind) {
    constexpr Cell kSizes[] = {{1, 1}, {16, 8}, {21, 13}, {9, 11}};
    const Cell size = kSizes[kind];
    std::vector<Terrain> cells;
    for (int32_t y = 0; y < size.y; ++y) {
        for (int32_t x = 0; x < size.x; ++x) {
            const auto noise = static_cast<Terrain>(mix64(static_cast<uint64_t>(y * 64 + x)) % 3);
            cells.push_back(kind == 1 ? static_cast<Terrain>(x / 5 % 3) : kind == 2 ? static_cast<Terrain>((x / 4 + y / 3) % 4) : noise);
        }
    }
    return {size.x, size.y, cells};
}

void require_valid(const TerrainRegions& regions) {
    const GridSnapshot& grid = regions.grid();
    uint64_t edges = 0, count = 0;
    for (uint32_t s = 0; s < regions.sectors(); ++s) {
        for (uint32_t r = 0; r < regions.regions_in(s); ++r, ++count) {
            const RegionId id = regions.id(s, r);
            const Region& region = regions.region(id);
            require(regions.sector_rect(s).contains(region.representative()), "representatives are in their sectors");
            require(grid.at(region.representative()) == region.terrain, "representatives are on their terrain");
            regions.for_each_edge(id, [&](RegionId to, bool diagonal) {
                ++edges;
                bool back = false;
                regions.for_each_edge(to, [&](RegionId from, bool same) { back |= from == id && same == diagonal; });
                require(back, "edges are symmetric");
            });
        }
    }
    require(edges == regions.edge_count() && count == regions.region_count(), "counts are correct");
}

// Any answer is accepted; the search must not crash.
void search(TerrainGrid grid, const TerrainRegions& regions) {
    const Cell corner{grid.width() - 1, grid.height() - 1};
    const World world(std::move(grid), {regions}, WorldOptions{});
    Planner planner(world);
    FindOptions options;
    options.nearest = true;
    for (const char* how : {"", "/nbs", "+trim+smooth+cache"}) {
        const std::string size = regions.sector() == kWholeMap ? "map" : std::to_string(regions.sector());
        options.method = find_method("dta:" + size + how).value();
        for (const Profile& profile : Profile::presets()) {
            const Path path = planner.find({0, 0}, corner, profile, options);
            require(path.cells.empty() || path.cells.front() == Cell{0, 0}, "paths begin at the start");
        }
    }
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    if (size == 0) return 0;
    TerrainGrid grid = make_map(data[0] % 4);
    std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    if (bytes.size() >= kChecksum + kChecksumBytes) {
        const std::string own = format_regions(TerrainRegions::build(grid.snapshot()));
        bytes.replace(kChecksum, kChecksumBytes, own, kChecksum, kChecksumBytes);
    }
    const auto regions = parse_regions(bytes, grid.snapshot(), "fuzz.terrane");
    if (!regions) return require_valid_error(regions.error(), "fuzz.terrane"), 0;
    require_valid(*regions);
    require(format_regions(*regions) == bytes, "the bytes are the same");
    search(std::move(grid), *regions);
    return 0;
}
