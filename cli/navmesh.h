// Shared by the verbs of `terrane navmesh`.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "cli/common.h"
#include "terrane/navmesh/navmesh.h"
#include "terrane/navmesh/navmesh_obstacles.h"
#include "terrane/navmesh/navmesh_picture.h"

namespace terrane::cli {

// --areas
void add_areas(CLI::App& verb, std::string& file);

void add_navmesh_path(CLI::App& navmesh, Run& run);

// "navmesh" in the JSON of the verbs: the file and what the mesh consists of.
Json navmesh_json(const std::string& file, const Navmesh& navmesh);

// The options --png, --svg and --obj, and how to draw.
struct NavmeshDrawing {
    std::string png, svg, obj;
    int32_t pixels = 1280;
    double lift = 0;

    void add_to(CLI::App& verb);
    Result<void> write(const Navmesh& navmesh, std::span<const NavmeshPolyline> lines = {}) const;
};

// A mesh from a file, with obstacles and areas: --obstacle and --areas.
struct NavmeshSource {
    std::vector<CylinderObstacle> obstacles;
    std::string areas;

    void add_to(CLI::App& verb);
    // Reads a .navmesh, or builds an .obj with the defaults of 'navmesh build'. Obstacles require an .obj.
    Result<Navmesh> load(const std::string& file) const;
};

}  // namespace terrane::cli
