// A Detour navigation mesh, and names for its areas.
//
// Built by navmesh_builder.h, kept by navmesh_file.h. Who has a dtNavMesh already needs none of this.
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
    uint32_t polygons = 0;                             // to walk on
    uint32_t links = 0;                                // off-mesh connections
    uint32_t vertices = 0;                             // of polygons; those on a border of tiles count in each
    uint64_t bytes = 0;                                // of the tiles' data
    std::array<uint32_t, kMaxNavmeshAreas> by_area{};  // polygons and off-mesh connections
};

// Owns the mesh; moves, and is not copied. One that was moved from may only be assigned to or destroyed.
//
// Area i of the mesh is the i-th terrain of areas(), so that a Profile compiled against areas() has the cost of area i at cost[i]. Areas
// that the catalogue does not reach have no name.
class Navmesh {
public:
    // Takes over a mesh that dtAllocNavMesh made and init succeeded on. At most kMaxNavmeshAreas areas.
    Navmesh(dtNavMesh* mesh, Catalogue areas);

    // The mesh's tiles may be changed through it: tiles added and removed, areas and flags set.
    dtNavMesh& mesh() { return *mesh_; }
    const dtNavMesh& mesh() const { return *mesh_; }
    const Catalogue& areas() const { return areas_; }

    // By a walk over all polygons.
    NavmeshCounts count() const;
    // Around all polygons; both corners 0 where there are none.
    NavmeshBounds bounds() const;

private:
    struct Free {
        void operator()(dtNavMesh* mesh) const;
    };

    std::unique_ptr<dtNavMesh, Free> mesh_;
    Catalogue areas_;
};

// The polygons as fans of triangles with their areas, heights as those of the polygons' corners; without off-mesh connections.
TriangleMesh navmesh_triangles(const Navmesh& navmesh);

}  // namespace terrane
