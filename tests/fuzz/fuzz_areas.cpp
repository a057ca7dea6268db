// parse_areas: whatever it takes can be painted onto a floor, and the mesh comes back the same from a file.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ask_regions.h"
#include "require.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_file.h"

namespace terrane {

namespace {

constexpr size_t kMostVolumes = 4096;  // each takes its time to paint

// 24 by 24 metres, a step up in its middle.
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
    ask_regions(*navmesh);
    const std::string written = format_navmesh(*navmesh);
    const auto again = parse_navmesh(written, "fuzz.navmesh");
    require(again.has_value(), "what was built can be written and read");
    require(format_navmesh(*again) == written, "and is then the same");
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    const auto areas = parse_areas({reinterpret_cast<const char*>(data), size}, "fuzz.areas");
    if (!areas) return require_honest(areas.error(), "fuzz.areas"), 0;
    require(areas->catalogue.size() < kMaxNavmeshAreas && areas->flags.size() <= areas->catalogue.size(),
            "no more areas than there may be");
    for (const AreaVolume& volume : areas->volumes) require(volume.outline.size() >= 3, "a volume has an outline");
    for (const OffMeshLink& link : areas->links) require(areas->catalogue.find(link.area).has_value(), "a link has an area");
    if (areas->volumes.size() <= kMostVolumes) build(*areas);
    return 0;
}
