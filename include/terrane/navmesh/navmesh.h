// A Detour navigation mesh and the names of its areas.
//
// Build one with navmesh_builder.h, or load one with navmesh_file.h. If you already have a dtNavMesh, you do not need this header.
#pragma once
#include <array>
#include <cstdint>
#include <memory>

#include "terrane/base/vec3.h"
#include "terrane/grid/terrain.h"
#include "terrane/io/navmesh_areas.h"
#include "terrane/io/obj_file.h"

class dtNavMesh;  // NOLINT(readability-identifier-naming): Detour's

namespace terrane {

struct NavmeshBounds {
    Vec3 low;
    Vec3 high;

    friend bool operator==(const NavmeshBounds&, const NavmeshBounds&) = default;
};

struct NavmeshCounts {
    uint32_t tiles = 0;
    uint32_t polygons = 0;  // walkable; without off-mesh connections
    uint32_t off_mesh_connections = 0;
    uint32_t vertices = 0;                             // a vertex on a tile border counts once per tile
    uint64_t bytes = 0;                                // tile data
    std::array<uint32_t, kMaxNavmeshAreas> by_area{};  // polygons and off-mesh connections
};

// Owns a dtNavMesh. Movable, not copyable; a moved-from object may only be assigned to or destroyed.
//
// Area i of the mesh is the i-th terrain of areas(): a Profile compiled against areas() has the cost of area i at cost[i]. Areas beyond the
// end of the catalogue have no name.
class Navmesh {
public:
    // Takes ownership of a mesh from dtAllocNavMesh whose init() succeeded. `areas` has at most kMaxNavmeshAreas entries.
    Navmesh(dtNavMesh* mesh, Catalogue areas);

    // You may add and remove tiles and set areas and flags through this reference.
    dtNavMesh& mesh() { return *mesh_; }
    const dtNavMesh& mesh() const { return *mesh_; }
    const Catalogue& areas() const { return areas_; }

    // O(polygons).
    NavmeshCounts count() const;
    // The bounding box of all polygons; zero if there are none. O(polygons).
    NavmeshBounds bounds() const;

private:
    struct Free {
        void operator()(dtNavMesh* mesh) const;
    };

    std::unique_ptr<dtNavMesh, Free> mesh_;
    Catalogue areas_;
};

// Returns the polygons as triangle fans with their areas, at the heights of the polygon vertices. Off-mesh connections are left out.
TriangleMesh navmesh_triangles(const Navmesh& navmesh);

}  // namespace terrane
