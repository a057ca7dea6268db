// Navigation meshes from triangles.
// Based on: Mononen 2009-2021 (Recast and Detour): triangles become a field of voxels, what an agent can stand on is kept, split into
// convex polygons, tile by tile.
//
// The same mesh for any number of threads. Each tile depends on nothing but the triangles, volumes and links near it, so that one can be
// built again alone (rebuild_tile) after a change, and is then what a build from nothing would make it.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "terrane/base/result.h"
#include "terrane/io/navmesh_areas.h"
#include "terrane/io/obj_file.h"
#include "terrane/navmesh/navmesh.h"

namespace terrane {

// In metres, but for angles (degrees) and what is said to be in cells.
struct NavmeshBuildOptions {
    float cell_size = 0.3f;    // of a voxel, along x and z; everything lies on multiples of it
    float cell_height = 0.2f;  // of a voxel, along y
    float tile_size = 20;      // the side of a tile, rounded to whole cells; 8 to 1024 of them

    float agent_height = 2;        // ceilings lower than this are in the way
    float agent_radius = 0.6f;     // nothing comes closer to a wall, or to an edge that one could fall off; 0 is allowed
    float agent_climb = 0.9f;      // the highest step
    float agent_slope = 45;        // the steepest ground, 0 to below 90
    float edge_length = 12;        // along the mesh's outer border, longer edges are split; 0: none are
    float edge_error = 1.3f;       // in cells: how far a border may lie from the voxels'
    uint32_t region_cells = 64;    // islands of fewer cells are left out
    uint32_t merge_cells = 400;    // pieces of fewer cells are joined with their neighbours where they can be
    uint32_t polygon_corners = 6;  // at most; 3 to 6
    bool detail = true;            // keep heights inside polygons, to within a cell's height at every sixth cell

    std::string ground = "ground";  // the area of triangles that do not say theirs
    uint32_t threads = 1;           // 0: as many as the machine has
};

inline constexpr uint32_t kMaxNavmeshTiles = 1u << 16;
inline constexpr uint32_t kMaxNavmeshTilePolygons = 1u << 15;

// Triangles without an area (two corners in one place, or all on a line) are neither floor nor wall.
// Refused, with the reason: a mesh without vertices or without a triangle that has an area; vertices that are not finite or too far away;
// indices and areas that are not there; options out of range; a name that the catalogue lacks; a volume or link that makes no sense; more
// than kMaxNavmeshTiles tiles, or more polygons in a tile than Detour has numbers for (22 bits for tile and polygon: 1024 in
// each of 4096 tiles); ground higher than 8191 cells in a tile; and a mesh that no agent can stand on.
//
// `progress` is told of each tile that is done, and of how many there are: from any thread, one call at a time.
using TileProgress = std::function<void(uint32_t done, uint32_t tiles)>;
Result<Navmesh> build_navmesh(const TriangleMesh& mesh, const NavmeshBuildOptions& options = {}, const NavmeshAreas& areas = {},
                              const TileProgress& progress = {});

// Tile (x, y) of a mesh that build_navmesh made, anew from triangles, volumes and links that have changed; with the same catalogue and the
// same options (threads aside), or its neighbours will not fit. The tile gets a new reference; where nothing is left to stand on, it is
// removed. What lies beyond the tiles of the first build is not seen. Refused as above, and then nothing has changed.
Result<Done> rebuild_tile(Navmesh& navmesh, const TriangleMesh& mesh, const NavmeshBuildOptions& options, const NavmeshAreas& areas,
                          int32_t x, int32_t y);

// How many triangles have no area.
uint64_t count_degenerate(const TriangleMesh& mesh);

}  // namespace terrane
