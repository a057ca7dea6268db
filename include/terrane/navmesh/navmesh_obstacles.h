// Navigation meshes with dynamic obstacles such as crates, carts and closed doors.
// Based on: Mononen 2011 (Detour's tile cache): keeps the compressed voxels of each tile and rebuilds the tiles that an obstacle touches
// from them, in a fraction of the time of a build from triangles.
//
//   NavmeshObstacles level = build_navmesh_with_obstacles(triangles).value();
//   NavmeshAbstraction regions(level.navmesh().mesh());
//   const ObstacleId cart = level.add({.foot = {12, 0, 7}, .radius = 1.5f, .height = 2}).value();
//   level.update(regions).value();      // cuts a hole into the mesh and its regions
//   level.remove(cart);
//   level.update(regions).value();      // closes it again
//
// If you have your own dtTileCache, call update_regions() after dtTileCache::update.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "terrane/base/result.h"
#include "terrane/navmesh/navmesh.h"
#include "terrane/navmesh/navmesh_abstraction.h"
#include "terrane/navmesh/navmesh_builder.h"

namespace terrane {

// Unique; never reused.
using ObstacleId = uint32_t;

// In metres; y is up. Agents keep their radius from obstacles, and walk under an obstacle only if it leaves their height free.
struct CylinderObstacle {
    Vec3 foot;         // centre of the base
    float radius = 1;  // > 0
    float height = 2;  // > 0
};
struct BoxObstacle {
    Vec3 low, high;  // opposite corners; low < high along each axis
};

inline constexpr uint32_t kMaxObstacles = 4096;   // at the same time
inline constexpr uint32_t kMaxObstacleTiles = 8;  // that one obstacle may touch; each layer counts. Detour's limit
inline constexpr uint32_t kAllTiles = 0xffffffff;

// A mesh and its obstacles. Movable, not copyable; a moved-from object may only be assigned to or destroyed. The address of the mesh is
// stable. One thread at a time.
class NavmeshObstacles {
public:
    ~NavmeshObstacles();
    NavmeshObstacles(NavmeshObstacles&&) noexcept;
    NavmeshObstacles& operator=(NavmeshObstacles&&) noexcept;

    Navmesh& navmesh();
    const Navmesh& navmesh() const;

    // Adds an obstacle; the mesh changes with the next update(). Fails if a coordinate is not finite or beyond kMaxNavmeshCoordinate, if a
    // size is not positive, if the obstacle touches more than kMaxObstacleTiles tiles (split it), or if there are kMaxObstacles already.
    // Obstacles outside of the walkable surface have no effect.
    Result<ObstacleId> add(const CylinderObstacle& cylinder);
    Result<ObstacleId> add(const BoxObstacle& box);
    // Returns false if there is no such obstacle.
    bool remove(ObstacleId obstacle);
    // Returns the number of obstacles, including those that wait for update().
    uint32_t size() const;

    // Rebuilds up to `max_tiles` tiles that were touched by added or removed obstacles and returns how many; the next call continues. The
    // resulting mesh depends only on the present obstacles, not on their history. A rebuilt tile gets a new ref. Fails if a tile has more
    // polygons than Detour can address, or with kNoMemory if a Detour allocation fails. Such a tile keeps its old state until an obstacle
    // that touches it is added or removed.
    Result<uint32_t> update(uint32_t max_tiles = kAllTiles);
    // Also updates `regions`, an abstraction of this mesh.
    Result<uint32_t> update(NavmeshAbstraction& regions, uint32_t max_tiles = kAllTiles);
    // Returns whether update() has nothing left to do.
    bool is_up_to_date() const;

    // Returns the size of the compressed voxels.
    size_t bytes() const;

private:
    friend Result<NavmeshObstacles> build_navmesh_with_obstacles(const TriangleMesh&, const NavmeshBuildOptions&, const NavmeshAreas&,
                                                                 const TileProgress&);
    struct Impl;
    explicit NavmeshObstacles(std::unique_ptr<Impl> impl);

    std::unique_ptr<Impl> impl_;
};

// Like build_navmesh(), with the same areas, flags, volumes and links, but with the polygons of Detour's tile cache. A tile has one layer
// per overlapping storey and no detail mesh; region_cells, merge_cells, edge_length, polygon_corners and detail are ignored. Also fails
// if a tile has more than 255 cells per side or a layer is more than 255 cells high.
Result<NavmeshObstacles> build_navmesh_with_obstacles(const TriangleMesh& mesh, const NavmeshBuildOptions& options = {},
                                                      const NavmeshAreas& areas = {}, const TileProgress& progress = {});

// Calls tile_changed() for every tile that was added, removed or replaced since `regions` last saw it, and returns how many. Call it after
// dtTileCache::update, or whenever you do not know which tiles changed. Does not detect changes of areas and flags (see is_current()).
// O(tiles) plus the changes: 4 us for 2,500 tiles.
uint32_t update_regions(NavmeshAbstraction& regions);

}  // namespace terrane
