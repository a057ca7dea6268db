// What is painted onto the triangles of a navigation mesh: areas by name, volumes that set them, links; and the text file that holds them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/base/result.h"
#include "terrane/base/vec3.h"
#include "terrane/grid/terrain.h"

namespace terrane {

inline constexpr uint32_t kMaxNavmeshAreas = 64;       // Detour keeps six bits of area for each polygon
inline constexpr float kMaxNavmeshCoordinate = 30000;  // metres from the origin: Detour joins tiles whose borders agree to a centimetre

// A prism that paints the mesh: where an agent stands in it, the area is this one. Later volumes paint over earlier ones.
struct AreaVolume {
    std::vector<Point> outline;  // convex, either way around, 3 to 64 corners; x is x, y is z
    float low = 0;               // of the prism, along y
    float high = 0;
    std::string area;  // of the catalogue; kNoArea: nobody stands there

    friend bool operator==(const AreaVolume&, const AreaVolume&) = default;
};
inline constexpr std::string_view kNoArea = "blocked";

// A way without ground: a jump, a ladder, a door. Each end takes hold of a polygon within `radius` and a step's height of it, or of none.
// `to` is in the tile of `from` or in one of the eight around it: Detour looks no further.
struct OffMeshLink {
    Vec3 from, to;
    float radius = 0.6f;  // > 0
    bool two_way = true;
    std::string area;

    friend bool operator==(const OffMeshLink&, const OffMeshLink&) = default;
};

// What is painted onto triangles: names of areas, volumes, links.
struct NavmeshAreas {
    Catalogue catalogue = Catalogue::standard();  // at most kMaxNavmeshAreas - 1 areas: Recast keeps one for itself
    std::vector<uint16_t> flags;                  // of polygons, by area; those that it does not reach have 1
    std::vector<AreaVolume> volumes;
    std::vector<OffMeshLink> links;

    friend bool operator==(const NavmeshAreas&, const NavmeshAreas&) = default;
};

// The areas' small text file; '#' begins a comment. Names are those of the standard catalogue and those declared before:
//
//   area mud 120 90 40                       a new area and its colour
//   flags mud 3                              of its polygons, 0 to 65535
//   volume mud -1 4  10 10  20 10  15 25     low, high, then x and z of each corner
//   link jump 3 0 2  8 1.5 2  0.6 one_way    area, from, to, radius, one_way or two_way
//
// Refused, with file and line: words and numbers that are none, names unknown or taken, outlines that are not convex.
Result<NavmeshAreas> parse_areas(std::string_view text, std::string_view file = {});
Result<NavmeshAreas> load_areas(const std::string& path);

}  // namespace terrane
