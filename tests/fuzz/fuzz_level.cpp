// build_navmesh of whatever parse_obj takes: a mesh that can be asked, written and read, or a reason why not. Levels of more than 50 metres
// are passed over: they take the time of their tiles.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ask_regions.h"
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
    ask_regions(*navmesh);
    const std::string written = format_navmesh(*navmesh);
    const auto again = parse_navmesh(written, "fuzz.navmesh");
    require(again.has_value(), "what was built can be written and read");
    require(format_navmesh(*again) == written, "and is then the same");
    return 0;
}
