// Queries that the fuzzers run on a navigation mesh from any source.
#pragma once
#include <recastnavigation/DetourNavMesh.h>

#include <array>
#include <cmath>
#include <cstddef>

#include "require.h"
#include "terrane/navmesh/navmesh.h"
#include "terrane/navmesh/navmesh_abstraction.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane {

// Two corners of the bounds, and their centre.
inline std::array<Vec3, 3> query_points_of(const Navmesh& navmesh) {
    const NavmeshBounds b = navmesh.bounds();
    return {b.low, b.high, Vec3{(b.low.x + b.high.x) / 2, (b.low.y + b.high.y) / 2, (b.low.z + b.high.z) / 2}};
}

// Finds a path through regions between each two of these points, with each method.
inline void query_regions(const Navmesh& navmesh) {
    const NavmeshAbstraction regions(navmesh.mesh());
    NavmeshPlanner planner(regions);
    const auto at = query_points_of(navmesh);
    for (const bool portals : {false, true}) {
        NavmeshFindOptions options;
        options.method.portals = portals;
        options.extents = {4, 4, 4};
        options.nearest = true;
        options.crossings = !portals;
        for (size_t i = 0; i < at.size(); ++i) {
            const NavmeshPath path = planner.find(at[i], at[(i + 1) % at.size()], {}, options);
            require(path.status != Status::kStale, "regions belong to the mesh");
            require(path.points.empty() == path.corridor.empty(), "a path has points and polygons");
            for (const NavmeshPolygon polygon : path.corridor)
                require(navmesh.mesh().isValidPolyRef(polygon), "a path consists of polygons");
            for (const Vec3& p : path.points) require(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z), "points are finite");
        }
    }
}

}  // namespace terrane
