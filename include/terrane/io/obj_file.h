// Triangle meshes in Wavefront OBJ files.
//
// Reads `v` and `f`. Faces with more than three corners become fans around their first; indices may be negative and may have the forms v,
// v/vt, v//vn and v/vt/vn. Ignores everything else (normals, groups, materials, lines).
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/base/vec3.h"
#include "terrane/grid/terrain.h"

namespace terrane {

struct TriangleMesh {
    std::vector<Vec3> vertices;
    std::vector<std::array<uint32_t, 3>> triangles;  // vertex indices, anticlockwise seen from above
    // The area of each triangle, in a catalogue known to the user of the mesh; kOutside blocks all agents. Empty, or one per triangle.
    std::vector<Terrain> areas;

    friend bool operator==(const TriangleMesh&, const TriangleMesh&) = default;
};

inline constexpr uint64_t kMaxObjBytes = uint64_t{1} << 30;
inline constexpr uint32_t kMaxObjVertices = uint32_t{1} << 26;
inline constexpr uint32_t kMaxObjTriangles = uint32_t{1} << 26;

// Fails, with file and line, for malformed numbers or numbers that are not finite as floats, indices of undefined vertices, faces with
// fewer than three corners, text without a face, and input above the limits. `file` is used in error messages.
Result<TriangleMesh> parse_obj(std::string_view text, std::string_view file = {});
Result<TriangleMesh> load_obj(const std::string& path);

// Formats a mesh as OBJ. parse_obj() restores the same vertices and triangles; areas are lost.
std::string format_obj(const TriangleMesh& mesh);

}  // namespace terrane
