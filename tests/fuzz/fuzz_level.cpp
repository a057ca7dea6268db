// build_navmesh of every level that parse_obj accepts: a mesh that can be queried, written and read back, or an error with a reason. Skips
// levels of more than 50 metres, whose many tiles take too long.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "query_regions.h"
#include "require.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    constexpr float kFurthest = 50;
    const auto mesh = parse_obj({reinterpret_cast<const char*>(data), size}, "fuzz.obj");
    if (!mesh || mesh->triangles.size() > 200) return 0;
    for (const Vec3& v : mesh->vertices) {
        if (const float most = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); most > kFurthest && most <= kMaxNavmeshCoordinate)
            return 0;
    }
    NavmeshBuildOptions options;
    options.cell_size = 0.5f;
    const auto navmesh = build_navmesh(*mesh, options);
    if (!navmesh) {
        require(!navmesh.error().reason.empty(), "an error has a reason");
        return 0;
    }
    static_cast<void>(navmesh_triangles(*navmesh));
    query_regions(*navmesh);
    const std::string written = format_navmesh(*navmesh);
    const auto again = parse_navmesh(written, "fuzz.navmesh");
    require(again.has_value(), "a built mesh can be written and read back");
    require(format_navmesh(*again) == written, "it reads back the same");
    return 0;
}
