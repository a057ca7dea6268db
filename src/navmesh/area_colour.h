// Colours and names of areas, for pictures of meshes.
#pragma once
#include <algorithm>

#include "io/brush.h"
#include "terrane/navmesh/navmesh.h"

namespace terrane::detail {

// Returns the area's colour (grey if it has no name), lighter with height.
inline Rgb area_colour(const Navmesh& navmesh, uint8_t area, float height, const NavmeshBounds& bounds) {
    constexpr Rgb kNameless{150, 150, 150}, kLight{255, 255, 255};
    constexpr int32_t kMaxLight = 90;  // of 256
    const Rgb plain = area < navmesh.areas().size() ? navmesh.areas()[area].colour : kNameless;
    const double range = std::max(double{bounds.high.y} - bounds.low.y, 1.0);
    const double light = std::clamp((double{height} - bounds.low.y) / range, 0.0, 1.0);
    return blend(plain, kLight, static_cast<int32_t>(light * kMaxLight));
}

inline std::string area_name(const Navmesh& navmesh, uint8_t area) {
    return area < navmesh.areas().size() ? navmesh.areas()[area].name : "area_" + std::to_string(area);
}

}  // namespace terrane::detail
