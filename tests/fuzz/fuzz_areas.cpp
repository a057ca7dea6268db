// parse_areas: accepted areas can be painted onto a floor, and the mesh reads back the same from a file.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "query_regions.h"
#include "require.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_file.h"

namespace terrane {

namespace {

constexpr size_t kMaxVolumes = 4096;  // painting takes time for each

// 24 by 24 metres with a step in the middle.
TriangleMesh make_floor() {
    constexpr float kHigh = 0.5f;
    return {{{0, 0, 0}, {12, 0, 0}, {12, 0, 24}, {0, 0, 24}, {12, kHigh, 0}, {24, kHigh, 0}, {24, kHigh, 24}, {12, kHigh, 24}},
            {{0, 2, 1}, {0, 3, 2}, {4, 6, 5}, {4, 7, 6}},
            {}};
}

void build(const NavmeshAreas& areas) {
    static const TriangleMesh floor = make_floor();
    NavmeshBuildOptions options;
    options.tile_size = 12;
    options.cell_size = 0.5f;
    const auto navmesh = build_navmesh(floor, options, areas);
    if (!navmesh) {
        require(!navmesh.error().reason.empty(), "an error has a reason");
        return;
    }
    query_regions(*navmesh);
    const std::string written = format_navmesh(*navmesh);
    const auto again = parse_navmesh(written, "fuzz.navmesh");
    require(again.has_value(), "a built mesh can be written and read back");
    require(format_navmesh(*again) == written, "it reads back the same");
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    const auto areas = parse_areas({reinterpret_cast<const char*>(data), size}, "fuzz.areas");
    if (!areas) return require_valid_error(areas.error(), "fuzz.areas"), 0;
    require(areas->catalogue.size() < kMaxNavmeshAreas && areas->flags.size() <= areas->catalogue.size(), "no more areas than allowed");
    for (const AreaVolume& volume : areas->volumes) require(volume.outline.size() >= 3, "a volume has an outline");
    for (const OffMeshLink& link : areas->links) require(areas->catalogue.find(link.area).has_value(), "a link has an area");
    if (areas->volumes.size() <= kMaxVolumes) build(*areas);
    return 0;
}
