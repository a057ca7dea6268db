// Pictures of navigation meshes, from above: x to the right, z downwards.
#pragma once
#include <cstdint>

#include "terrane/navmesh.h"
#include "terrane/picture.h"
#include "terrane/plane.h"

namespace terrane {

// Where things of the mesh come to lie in the picture.
struct NavmeshView {
    NavmeshBounds bounds;
    double scale = 1;  // pixels to a metre
    int32_t width = 0;
    int32_t height = 0;

    // In pixels: (0.5, 0.5) is the middle of the first.
    Point at(const Vec3& place) const;
};

// All of the mesh, with a margin, in a picture whose longer side has `pixels` of them, 16 to kMaxPictureSide.
NavmeshView view_from_above(const Navmesh& navmesh, int32_t pixels = 1280);

// Polygons in the colours of their areas (grey for those without a name), the higher the lighter, and over those below them; their edges
// thin, those between tiles thicker; off-mesh connections red.
Picture draw_navmesh(const Navmesh& navmesh, const NavmeshView& view);

}  // namespace terrane
