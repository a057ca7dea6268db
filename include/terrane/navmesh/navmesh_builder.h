// Builds navigation meshes from triangles.
// Based on: Mononen 2009-2021 (Recast and Detour): voxelises the triangles, keeps the walkable spans and splits them into convex polygons,
// tile by tile.
//
// The result does not depend on the number of threads. Each tile depends only on the triangles, volumes and links near it, so
// rebuild_tile() yields exactly the tile that a full build would.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "terrane/base/result.h"
#include "terrane/io/navmesh_areas.h"
#include "terrane/io/obj_file.h"
#include "terrane/navmesh/navmesh.h"

namespace terrane {

// Lengths are in metres and angles in degrees, except where the unit is cells (voxels).
struct NavmeshBuildOptions {
    float cell_size = 0.3f;    // side of a voxel along x and z; vertices lie on multiples of it
    float cell_height = 0.2f;  // height of a voxel along y
    float tile_size = 20;      // side of a tile, rounded to whole cells; 8 to 1024 cells

    float agent_height = 2;        // minimum clearance
    float agent_radius = 0.6f;     // distance kept from obstacles and ledges; may be 0
    float agent_climb = 0.9f;      // maximum step height
    float agent_slope = 45;        // maximum slope, 0 to below 90 degrees
    float edge_length = 12;        // longer edges along the outer border of the mesh are split; 0: never
    float edge_error = 1.3f;       // in cells: maximum deviation of a contour from the voxels
    uint32_t region_cells = 64;    // isolated regions of fewer cells are removed
    uint32_t merge_cells = 400;    // regions of fewer cells are merged with neighbours if possible
    uint32_t polygon_corners = 6;  // maximum number of vertices of a polygon; 3 to 6
    bool detail = true;            // build a detail mesh: heights sampled every six cells, to within one cell height

    std::string default_area = "ground";  // area of triangles that have none
    uint32_t threads = 1;                 // 0: one per hardware thread
};

inline constexpr uint32_t kMaxNavmeshTiles = 1u << 16;
inline constexpr uint32_t kMaxNavmeshTilePolygons = 1u << 15;

// Builds a mesh. Degenerate triangles (zero surface area) are ignored.
//
// `progress` is called with the number of finished tiles and the total, from any thread, one call at a time.
//
// Fails with a reason if the mesh has no vertices or only degenerate triangles; vertices are not finite or beyond kMaxNavmeshCoordinate;
// vertex indices or areas are out of range; options are out of range; an area name is not in the catalogue; a volume or link is invalid;
// there are more than kMaxNavmeshTiles tiles or more polygons in a tile than Detour can address (22 bits for tile and polygon: 1024 in each
// of 4096 tiles); a tile is more than 8191 cells high; or no surface is walkable.
using TileProgress = std::function<void(uint32_t done, uint32_t tiles)>;
Result<Navmesh> build_navmesh(const TriangleMesh& mesh, const NavmeshBuildOptions& options = {}, const NavmeshAreas& areas = {},
                              const TileProgress& progress = {});

// Rebuilds tile (x, y) of a mesh from build_navmesh() after triangles, volumes or links have changed. Pass the catalogue and options of the
// first build (`threads` may differ), or the tile will not connect to its neighbours. The tile gets a new ref; it is removed if it has no
// walkable surface left. Geometry outside of the tiles of the first build is ignored. Fails like build_navmesh() and then changes nothing.
Result<void> rebuild_tile(Navmesh& navmesh, const TriangleMesh& mesh, const NavmeshBuildOptions& options, const NavmeshAreas& areas,
                          int32_t x, int32_t y);

// Returns the number of triangles with zero surface area.
uint64_t count_degenerate(const TriangleMesh& mesh);

}  // namespace terrane
