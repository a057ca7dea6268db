// Obstacles and areas for `terrane navmesh path`.
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "cli/navmesh.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_file.h"

namespace terrane::cli {

namespace {

std::optional<CylinderObstacle> parse_obstacle(std::string_view text) {
    std::array<float, 5> v{};
    const char *at = text.data(), *const last = text.data() + text.size();
    for (size_t i = 0; i < v.size(); ++i) {
        if (i > 0) {
            if (at == last || *at != ',') return std::nullopt;
            ++at;
        }
        const auto [end, error] = std::from_chars(at, last, v[i]);
        if (error != std::errc{} || !std::isfinite(v[i])) return std::nullopt;
        at = end;
    }
    return at == last ? std::optional(CylinderObstacle{{v[0], v[1], v[2]}, v[3], v[4]}) : std::nullopt;
}

Error name(const Error& error, const std::string& file) { return error.file.empty() ? Error{error.code, file, 0, error.reason} : error; }

}  // namespace

void NavmeshSource::add_to(CLI::App& verb) {
    const auto read = [this](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) {
            const auto parsed = parse_obstacle(text);
            if (!parsed)
                throw CLI::ValidationError("--obstacle",
                                           "'" + text + "' is not an obstacle: expected X,Y,Z,RADIUS,HEIGHT as in 12,0,7,1.5,2");
            obstacles.push_back(*parsed);
        }
    };
    verb.add_option_function<std::vector<std::string>>(
            "--obstacle", read, "Add a cylindrical obstacle, given by the centre of its base, in metres; needs an .obj; may be repeated")
        ->allow_extra_args(false)
        ->type_name("X,Y,Z,R,H");
    verb.add_option("--areas", areas, "File of areas, volumes and links for an .obj")->type_name("FILE");
}

Result<Navmesh> NavmeshSource::load(const std::string& file) const {
    if (!file.ends_with(".obj")) {
        if (obstacles.empty() && areas.empty()) return load_navmesh(file);
        return Error{ErrorCode::kBadValue, file, 0,
                     "obstacles and areas need the .obj that the mesh was built from: pass that instead of the .navmesh"};
    }
    const auto mesh = load_obj(file);
    if (!mesh) return mesh.error();
    const auto painted = areas.empty() ? Result<NavmeshAreas>(NavmeshAreas{}) : load_areas(areas);
    if (!painted) return painted.error();
    NavmeshBuildOptions options;
    options.threads = 0;
    auto level = build_navmesh_with_obstacles(*mesh, options, *painted);
    if (!level) return name(level.error(), file);
    for (const CylinderObstacle& obstacle : obstacles) {
        if (const auto added = level->add(obstacle); !added) return name(added.error(), "--obstacle");
    }
    if (const auto updated = level->update(); !updated) return name(updated.error(), file);
    Navmesh navmesh = std::move(level->navmesh());
    return navmesh;
}

}  // namespace terrane::cli
