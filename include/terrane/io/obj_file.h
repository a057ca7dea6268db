// Triangle meshes, and Wavefront OBJ files of them.
//
// Of an OBJ, `v` and `f` are read: faces of more than three corners become fans around their first, indices may be negative and may have
// the forms v, v/vt, v//vn and v/vt/vn. Everything else (normals, groups, materials, lines) is passed over.
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
    std::vector<std::array<uint32_t, 3>> triangles;  // of vertices; seen from its upper side, anticlockwise
    // What each triangle is made of, in a catalogue that its user knows; kOutside is in everyone's way. Empty, or one for each.
    std::vector<Terrain> areas;

    friend bool operator==(const TriangleMesh&, const TriangleMesh&) = default;
};

inline constexpr uint64_t kMaxObjBytes = uint64_t{1} << 30;
inline constexpr uint32_t kMaxObjVertices = uint32_t{1} << 26;
inline constexpr uint32_t kMaxObjTriangles = uint32_t{1} << 26;

// Refused, with file and line: numbers that are none, cut short or not finite as floats; indices of vertices that are not there (yet);
// faces of fewer than three corners; a text without a face; more than the limits allow. `file` is what errors name.
Result<TriangleMesh> parse_obj(std::string_view text, std::string_view file = {});
Result<TriangleMesh> load_obj(const std::string& path);

// Reads back as the same vertices and triangles; areas have no place in an OBJ.
std::string format_obj(const TriangleMesh& mesh);

}  // namespace terrane
