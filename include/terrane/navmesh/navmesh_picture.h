// Pictures of navigation meshes, from above: x to the right, z downwards; and their regions and paths as OBJ, for programs that turn them.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "terrane/base/plane.h"
#include "terrane/io/picture.h"
#include "terrane/navmesh/navmesh.h"
#include "terrane/navmesh/navmesh_abstraction.h"

namespace terrane {

// Where things of the mesh come to lie in the picture.
struct NavmeshView {
    NavmeshBounds bounds;
    double scale = 1;  // pixels to a metre
    double lift = 0;   // metres up the picture for each metre of height
    int32_t width = 0;
    int32_t height = 0;

    // In pixels: (0.5, 0.5) is the middle of the first.
    Point at(const Vec3& place) const;
};

// All of the mesh, with a margin, in a picture whose longer side has `pixels` of them, 16 to kMaxPictureSide. Seen straight from above,
// storeys cover one another; with a lift of about a building's depth over a storey's height, they come to lie apart, one above the other.
inline constexpr double kMaxLift = 1000;
NavmeshView view_from_above(const Navmesh& navmesh, int32_t pixels = 1280, double lift = 0);

// Polygons in the colours of their areas (grey for those without a name), the higher the lighter, and over those below them; their edges
// thin, those between tiles thicker; off-mesh connections red.
Picture draw_navmesh(const Navmesh& navmesh, const NavmeshView& view);

// A path over a mesh. What it refers to must outlive the call.
struct NavmeshLine {
    std::span<const Vec3> points;
    Rgb colour{236, 58, 54};
    std::string label;  // may be empty
};

// As SVG: regions in the colours of their areas, the higher the lighter, and over those below them, with their borders and, faintly, those
// of their polygons; where the pointer rests, area and size; off-mesh connections dashed, with an arrow where they lead one way; then each
// line, outlined, with a disc at its start and a square at its goal. `regions` are of this mesh, and current. The same bytes for the same
// input.
std::string draw_navmesh_svg(const Navmesh& navmesh, const NavmeshAbstraction& regions, const NavmeshView& view,
                             std::span<const NavmeshLine> lines = {});

// As OBJ: a group for each region, named after the tile's place and its number in it; its area is the material, and the vertices have the
// area's colour. Each line is a group with one `l` element. Off-mesh connections likewise. parse_obj reads the polygons back, as fans.
std::string format_navmesh_obj(const Navmesh& navmesh, const NavmeshAbstraction& regions, std::span<const NavmeshLine> lines = {});

}  // namespace terrane
