// Builds the heightfield layers of one tile for a dtTileCache. Within a layer, no two spans overlap.
#pragma once
#include <vector>

#include "navmesh/building/tile_builder.h"

namespace terrane::detail {

inline constexpr int kMaxLayerCells = 255;  // along each axis: dtTileCache stores 8-bit coordinates

// The input of dtTileCache::addTile, compressed by LayerRle.
struct LayerData {
    std::unique_ptr<unsigned char, DetourFree> data;
    int size = 0;
};

// Returns the layers from lowest to highest; none if the tile has no walkable surface. `triangles` as for build_tile().
Result<std::vector<LayerData>> build_tile_layers(const BuildConfig& config, const TilePlace& place, TileTriangles& triangles);

}  // namespace terrane::detail
