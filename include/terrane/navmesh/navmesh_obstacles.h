// Navigation meshes with obstacles that come and go: crates, carts, closed doors.
// Based on: Mononen 2011 (Detour's tile cache): the voxels of each tile are kept, packed; where an obstacle comes or goes, the tiles that
// it touches are made again from them, in a fraction of the time that triangles would take.
//
//   NavmeshObstacles level = build_navmesh_with_obstacles(triangles).value();
//   NavmeshAbstraction regions(level.navmesh().mesh());
//   const ObstacleId cart = level.add({.foot = {12, 0, 7}, .radius = 1.5f, .height = 2}).value();
//   level.update(regions).value();      // the mesh and its regions have a hole there
//   level.remove(cart);
//   level.update(regions).value();      // and are as they were
//
// Who has a dtTileCache of their own calls update_regions() after dtTileCache::update; that is all.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "terrane/base/result.h"
#include "terrane/navmesh/navmesh.h"
#include "terrane/navmesh/navmesh_abstraction.h"
#include "terrane/navmesh/navmesh_builder.h"

namespace terrane {

// Never the same for two obstacles.
using ObstacleId = uint32_t;

// In metres; y is up. Agents keep their radius from obstacles as from walls, and walk under those only that hang higher than they are.
struct CylinderObstacle {
    Vec3 foot;         // the middle of its lower end
    float radius = 1;  // > 0
    float height = 2;  // > 0
};
struct BoxObstacle {
    Vec3 low, high;  // corners; low is below high along each axis
};

inline constexpr uint32_t kMaxObstacles = 4096;   // at a time
inline constexpr uint32_t kMaxObstacleTiles = 8;  // that one may touch, layers counted each: a dtTileCache looks at no more
inline constexpr uint32_t kAllTiles = 0xffffffff;

// Moves, and is not copied; one that was moved from may only be assigned to or destroyed. The mesh stays where it is.
class NavmeshObstacles {
public:
    ~NavmeshObstacles();
    NavmeshObstacles(NavmeshObstacles&&) noexcept;
    NavmeshObstacles& operator=(NavmeshObstacles&&) noexcept;

    Navmesh& navmesh();
    const Navmesh& navmesh() const;

    // The mesh changes with the next update(). Refused: what is no number, has no size or is further away than kMaxNavmeshCoordinate; an
    // obstacle that touches more than kMaxObstacleTiles tiles (several smaller ones will do); one too many. Where nobody could stand
    // anyway, obstacles change nothing.
    Result<ObstacleId> add(const CylinderObstacle& cylinder);
    Result<ObstacleId> add(const BoxObstacle& box);
    // False where there is none of that name.
    bool remove(ObstacleId obstacle);
    // How many there are, those among them that the mesh does not know yet.
    uint32_t size() const;

    // Makes the tiles again that obstacles touch which were added or removed since, at most `most` of them: the rest is for the next call.
    // How many were made. The mesh that is left depends on the obstacles that are there, and not on those that were; a tile gets a new
    // ref whenever it is made. Refused where a tile breaks into more pieces than Detour can number, or Detour has no memory for it
    // (kNoMemory): it is left as it was until an obstacle that touches it comes or goes.
    Result<uint32_t> update(uint32_t most = kAllTiles);
    // The same, and tells `regions`, which are of this mesh.
    Result<uint32_t> update(NavmeshAbstraction& regions, uint32_t most = kAllTiles);
    // Nothing is left for update() to do.
    bool is_up_to_date() const;

    // Of the packed voxels.
    size_t bytes() const;

private:
    friend Result<NavmeshObstacles> build_navmesh_with_obstacles(const TriangleMesh&, const NavmeshBuildOptions&, const NavmeshAreas&,
                                                                 const TileProgress&);
    struct Impl;
    explicit NavmeshObstacles(std::unique_ptr<Impl> impl);

    std::unique_ptr<Impl> impl_;
};

// As build_navmesh, with the same areas, flags, volumes and links, but of the tile cache's polygons: a tile has a layer for each storey
// that lies over another, and there are no heights inside polygons; region_cells, merge_cells, edge_length, polygon_corners and detail mean
// nothing. Refused besides: tiles of more than 255 cells a side, or with more than 255 cells of height in a layer.
Result<NavmeshObstacles> build_navmesh_with_obstacles(const TriangleMesh& mesh, const NavmeshBuildOptions& options = {},
                                                      const NavmeshAreas& areas = {}, const TileProgress& progress = {});

// Calls tile_changed() for every tile of the mesh that was added, removed or replaced since `regions` knew it: after
// dtTileCache::update, or whenever one does not know which. How many there were. O(tiles): 4 us for 2,500 and what the changes take. Not
// noticed: areas and flags that were set (is_current()).
uint32_t update_regions(NavmeshAbstraction& regions);

}  // namespace terrane
