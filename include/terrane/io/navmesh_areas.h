// Areas of a navigation mesh: area types, volumes that assign them, and off-mesh links; with their text file.
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

inline constexpr uint32_t kMaxNavmeshAreas = 64;       // Detour stores six bits of area per polygon
inline constexpr float kMaxNavmeshCoordinate = 30000;  // metres from the origin; Detour connects tiles whose borders agree to 1 cm

// A vertical prism that assigns its area to the mesh inside it. Later volumes override earlier ones.
struct AreaVolume {
    std::vector<Point> outline;  // convex, either orientation, 3 to 64 corners; Point::x is x, Point::y is z
    float low = 0;               // y of the bottom
    float high = 0;              // y of the top
    std::string area;            // a name of the catalogue, or kNoArea: not walkable

    friend bool operator==(const AreaVolume&, const AreaVolume&) = default;
};
inline constexpr std::string_view kNoArea = "blocked";

// An off-mesh connection: a jump, a ladder, a door. Each end attaches to a polygon within `radius` horizontally and one step height
// vertically, or to none. `to` must be in the tile of `from` or one of its eight neighbours: Detour connects no further.
struct OffMeshLink {
    Vec3 from, to;
    float radius = 0.6f;  // > 0
    bool two_way = true;
    std::string area;

    friend bool operator==(const OffMeshLink&, const OffMeshLink&) = default;
};

// The areas, volumes and links of a mesh.
struct NavmeshAreas {
    Catalogue catalogue = Catalogue::standard();  // at most kMaxNavmeshAreas - 1 areas: Recast reserves one
    std::vector<uint16_t> flags;                  // polygon flags, by area; 1 for areas beyond its end
    std::vector<AreaVolume> volumes;
    std::vector<OffMeshLink> links;

    friend bool operator==(const NavmeshAreas&, const NavmeshAreas&) = default;
};

// Parses the text file of areas; '#' begins a comment. Names are those of the standard catalogue and of the `area` lines above:
//
//   area mud 120 90 40                       a new area and its colour
//   flags mud 3                              of its polygons, 0 to 65535
//   volume mud -1 4  10 10  20 10  15 25     low, high, then x and z of each corner
//   link jump 3 0 2  8 1.5 2  0.6 one_way    area, from, to, radius, one_way or two_way
//
// Fails, with file and line, for malformed words and numbers, unknown or duplicate names, and outlines that are not convex.
Result<NavmeshAreas> parse_areas(std::string_view text, std::string_view file = {});
Result<NavmeshAreas> load_areas(const std::string& path);

}  // namespace terrane
