// parse_obj: accepted meshes are valid, and read back the same.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "require.h"
#include "terrane/io/obj_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    const auto mesh = parse_obj({reinterpret_cast<const char*>(data), size}, "fuzz.obj");
    if (!mesh) return require_valid_error(mesh.error(), "fuzz.obj"), 0;
    require(!mesh->triangles.empty() && mesh->areas.empty(), "there are triangles");
    for (const auto& triangle : mesh->triangles) {
        for (const uint32_t v : triangle) require(v < mesh->vertices.size(), "a corner is a vertex");
    }
    for (const Vec3& v : mesh->vertices) require(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z), "vertices are finite");
    const auto again = parse_obj(format_obj(*mesh), "fuzz.obj");
    require(again.has_value() && *again == *mesh, "written output reads back the same");
    return 0;
}
