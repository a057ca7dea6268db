// Builds one tile of a navigation mesh: from triangles to Detour tile data.
#pragma once
#include <recastnavigation/DetourAlloc.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "navmesh/building/build_config.h"

struct dtNavMeshCreateParams;  // NOLINT(readability-identifier-naming): Detour's

namespace terrane::detail {

struct DetourFree {
    void operator()(unsigned char* data) const { dtFree(data); }
};

// The input of dtNavMesh::addTile; null data if the tile has no walkable surface.
struct TileData {
    std::unique_ptr<unsigned char, DetourFree> data;
    int size = 0;
    uint32_t polygons = 0;  // with off-mesh connections
};

// A triangle soup with Recast areas.
struct TileTriangles {
    std::vector<float> corners;  // nine per triangle
    std::vector<uint8_t> areas;

    void clear();
    void add(const TriangleMesh& mesh, uint32_t triangle, const BuildConfig& config);
};

// Tile coordinates and minimum corner of a tile.
struct TilePlace {
    int32_t x = 0, y = 0;      // tile coordinates along x and z
    float left = 0, near = 0;  // minimum x and z, in metres
};

// `triangles` are those that overlap the tile or its border. Sets the areas of those that are too steep to kUnwalkable.
Result<TileData> build_tile(const BuildConfig& config, const TilePlace& place, TileTriangles& triangles);

// Makes `p` point to the arrays of `links`.
void set_off_mesh_links(const BuildLinks& links, dtNavMeshCreateParams& p);

}  // namespace terrane::detail
