// Writes the pictures of the verbs of `terrane navmesh`.
#include "cli/navmesh.h"
#include "cli/numbers.h"
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
    verb.add_option("--png", png, "Write the mesh, seen from above in its areas' colours, as PNG")->type_name("FILE");
    verb.add_option("--svg", svg, "Write the mesh with its regions as SVG")->type_name("FILE");
    verb.add_option("--pixels", pixels, "Longer side of the PNG, in pixels")->capture_default_str()->check(CLI::Range(16, kMaxPictureSide));
    verb.add_option("--lift", lift, "Shift polygons up by this many metres per metre of height, to separate storeys")
        ->capture_default_str()
        ->check(real_in(0, kMaxLift));
    verb.add_option("--obj", obj, "Write the regions as OBJ, one group each")->type_name("FILE");
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
