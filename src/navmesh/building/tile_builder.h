// One tile of a navigation mesh, from triangles to Detour's data.
#pragma once
#include <recastnavigation/DetourAlloc.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "navmesh/building/navmesh_recipe.h"

struct dtNavMeshCreateParams;  // NOLINT(readability-identifier-naming): Detour's

namespace terrane::detail {

struct DetourFree {
    void operator()(unsigned char* data) const { dtFree(data); }
};

// What dtNavMesh::addTile takes; no data where there is nothing to stand on.
struct TileData {
    std::unique_ptr<unsigned char, DetourFree> data;
    int size = 0;
    uint32_t polygons = 0;  // off-mesh connections among them
};

// Triangles by themselves, nine numbers each, and what they are made of (Recast's areas).
struct TileTriangles {
    std::vector<float> corners;
    std::vector<uint8_t> areas;

    void clear();
    void add(const TriangleMesh& mesh, uint32_t triangle, const Recipe& recipe);
};

// Where the tile's lower corner is.
struct TilePlace {
    int32_t x = 0, y = 0;      // number of the tile, along x and z
    float left = 0, near = 0;  // metres, along x and z
};

// `triangles` are those that reach into the tile or its border; their slopes are looked at here, and written to their areas.
Result<TileData> build_tile(const Recipe& recipe, const TilePlace& place, TileTriangles& triangles);

// `p` points at the links' arrays.
void describe_links(const RecipeLinks& links, dtNavMeshCreateParams& p);

}  // namespace terrane::detail
