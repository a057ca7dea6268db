// What the parts of `terrane navmesh` share.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "cli/common.h"
#include "terrane/navmesh/navmesh.h"
#include "terrane/navmesh/navmesh_obstacles.h"
#include "terrane/navmesh/navmesh_picture.h"

namespace terrane::cli {

void add_navmesh_path(CLI::App& navmesh, Run& run);

// --png, --svg, --obj and how they look.
struct NavmeshDrawing {
    std::string png, svg, obj;
    int32_t pixels = 1280;
    double lift = 0;

    void add_to(CLI::App& verb);
    Result<Done> write(const Navmesh& navmesh, std::span<const NavmeshLine> lines = {}) const;
};

// A mesh from a file, with things in the way: --obstacle and --areas.
struct NavmeshSource {
    std::vector<CylinderObstacle> obstacles;
    std::string areas;

    void add_to(CLI::App& verb);
    // A .navmesh as it is; an .obj is built first, with the defaults of 'navmesh build'. Obstacles need the latter.
    Result<Navmesh> load(const std::string& file) const;
};

}  // namespace terrane::cli
