// Writes the pictures of the verbs of `terrane navmesh`.
#include "cli/navmesh.h"
#include "terrane/base/file.h"
#include "terrane/navmesh/navmesh_abstraction.h"

namespace terrane::cli {

namespace {

Result<void> write_png(const std::string& file, const Navmesh& navmesh, const NavmeshView& view, std::span<const NavmeshPolyline> lines) {
    Picture picture = draw_navmesh(navmesh, view);
    for (const NavmeshPolyline& line : lines) {
        std::vector<Point> points;
        points.reserve(line.points.size());
        for (const Vec3& p : line.points) points.push_back(view.at(p));
        draw_line(picture, points, line.colour, {}, 3);
    }
    return save_png(file, picture);
}

}  // namespace

void NavmeshDrawing::add_to(CLI::App& verb) {
    add_png(verb, png, "the mesh, seen from above in its areas' colours");
    add_svg(verb, svg, "the mesh with its regions");
    add_pixels(verb, pixels);
    add_real(verb, "--lift", lift, "Shift polygons up by this many metres per metre of height, to separate storeys", {0, kMaxLift});
    add_output(verb, "--obj", obj, "Write the regions as OBJ, one group each");
}

Result<void> NavmeshDrawing::write(const Navmesh& navmesh, std::span<const NavmeshPolyline> lines) const {
    if (png.empty() && svg.empty() && obj.empty()) return {};
    const NavmeshView view = view_from_above(navmesh, pixels, lift);
    if (!png.empty()) {
        if (const auto saved = write_png(png, navmesh, view, lines); !saved) return saved.error();
    }
    const NavmeshAbstraction regions(navmesh.mesh());
    if (!svg.empty()) {
        if (const auto saved = write_file(svg, draw_navmesh_svg(navmesh, regions, view, lines)); !saved) return saved.error();
    }
    return obj.empty() ? Result<void>() : write_file(obj, format_navmesh_obj(navmesh, regions, lines));
}

}  // namespace terrane::cli
