// Draws navigation meshes from above (x to the right, z down), and exports regions and paths as OBJ for 3D viewers.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "terrane/base/plane.h"
#include "terrane/io/picture.h"
#include "terrane/navmesh/navmesh.h"
#include "terrane/navmesh/navmesh_abstraction.h"

namespace terrane {

// Projection from mesh to picture coordinates.
struct NavmeshView {
    NavmeshBounds bounds;
    double scale = 1;  // pixels per metre
    double lift = 0;   // metres up the picture per metre of height
    int32_t width = 0;
    int32_t height = 0;

    // Returns pixel coordinates; (0.5, 0.5) is the centre of the first pixel.
    Point at(const Vec3& place) const;
};

// Fits the whole mesh, with a margin, into a picture whose longer side has `pixels` pixels (16 to kMaxPictureSide). With lift 0, storeys
// cover each other; with a lift of about the building's depth divided by the storey height, they are drawn one above the other.
inline constexpr double kMaxLift = 1000;
NavmeshView view_from_above(const Navmesh& navmesh, int32_t pixels = 1280, double lift = 0);

// Draws polygons in the colours of their areas (unnamed areas: grey), lower ones first and higher ones lighter. Polygon edges are thin,
// tile borders thicker, off-mesh connections red.
Picture draw_navmesh(const Navmesh& navmesh, const NavmeshView& view);

// A path to draw. The points must outlive the call.
struct NavmeshPolyline {
    std::span<const Vec3> points;
    Rgb colour{236, 58, 54};
    std::string label;  // may be empty
};

// Draws an SVG: regions in the colours of their areas, lower ones first and higher ones lighter, with region borders and faint polygon
// edges. A tooltip shows area and size. Off-mesh connections are dashed, with an arrow if they are one-way. Each line is outlined, with a
// disc at the start and a square at the goal. `regions` must be a current abstraction of this mesh. Deterministic: same input, same
// bytes.
std::string draw_navmesh_svg(const Navmesh& navmesh, const NavmeshAbstraction& regions, const NavmeshView& view,
                             std::span<const NavmeshPolyline> lines = {});

// Writes an OBJ with one group per region, named after its tile and its index in it. The material is the area, and the vertices have the
// area's colour. Each line and off-mesh connection is a group with one `l` element. parse_obj() reads the polygons back as triangle fans.
std::string format_navmesh_obj(const Navmesh& navmesh, const NavmeshAbstraction& regions, std::span<const NavmeshPolyline> lines = {});

}  // namespace terrane
