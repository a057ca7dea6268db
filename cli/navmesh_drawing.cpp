// Pictures that the verbs of `terrane navmesh` write.
#include "cli/navmesh.h"
#include "cli/numbers.h"
#include "terrane/base/file.h"
#include "terrane/navmesh/navmesh_abstraction.h"

namespace terrane::cli {

namespace {

Result<Done> write_png(const std::string& file, const Navmesh& navmesh, const NavmeshView& view, std::span<const NavmeshLine> lines) {
    Picture picture = draw_navmesh(navmesh, view);
    for (const NavmeshLine& line : lines) {
        std::vector<Point> points;
        points.reserve(line.points.size());
        for (const Vec3& p : line.points) points.push_back(view.at(p));
        draw_line(picture, points, line.colour, {}, 3);
    }
    return save_png(file, picture);
}

}  // namespace

void NavmeshDrawing::add_to(CLI::App& verb) {
    verb.add_option("--png", png, "Draw it from above, in the areas' colours")->type_name("FILE");
    verb.add_option("--svg", svg, "The same with its regions, to be enlarged without end")->type_name("FILE");
    verb.add_option("--pixels", pixels, "Longer side of the picture")->capture_default_str()->check(CLI::Range(16, kMaxPictureSide));
    verb.add_option("--lift", lift, "Metres up the picture for each metre of height, to see storeys apart")
        ->capture_default_str()
        ->check(real_in(0, kMaxLift));
    verb.add_option("--obj", obj, "Write its regions, a group each, as an .obj file")->type_name("FILE");
}

Result<Done> NavmeshDrawing::write(const Navmesh& navmesh, std::span<const NavmeshLine> lines) const {
    if (png.empty() && svg.empty() && obj.empty()) return Done{};
    const NavmeshView view = view_from_above(navmesh, pixels, lift);
    if (!png.empty()) {
        if (const auto saved = write_png(png, navmesh, view, lines); !saved) return saved.error();
    }
    const NavmeshAbstraction regions(navmesh.mesh());
    if (!svg.empty()) {
        if (const auto saved = write_file(svg, draw_navmesh_svg(navmesh, regions, view, lines)); !saved) return saved.error();
    }
    return obj.empty() ? Result<Done>(Done{}) : write_file(obj, format_navmesh_obj(navmesh, regions, lines));
}

}  // namespace terrane::cli
