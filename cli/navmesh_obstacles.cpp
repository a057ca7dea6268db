// Obstacles and areas for `terrane navmesh path`.
#include "cli/navmesh.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_file.h"

namespace terrane::cli {

namespace {

Error name(const Error& error, const std::string& file) { return error.file.empty() ? Error{error.code, file, 0, error.reason} : error; }

}  // namespace

void add_areas(CLI::App& verb, std::string& file) {
    add_input(verb, "--areas", file,
              "File of areas, volumes and links for the triangles of an OBJ file; 'navmesh build --help' explains it");
}

void NavmeshSource::add_to(CLI::App& verb) {
    const auto read = [this](const std::string& text) {
        const std::vector<double> v = parse_reals(text);
        if (v.size() != 5) return false;
        const auto at = [&](size_t i) { return static_cast<float>(v[i]); };
        obstacles.push_back({{at(0), at(1), at(2)}, at(3), at(4)});
        return true;
    };
    add_each_parsed(verb, "--obstacle", {"obstacle", "X,Y,Z,R,H", "X,Y,Z,RADIUS,HEIGHT as in 12,0,7,1.5,2"}, read,
                    "Add a cylindrical obstacle, given by the centre of its base, in metres; needs an .obj");
    add_areas(verb, areas);
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
