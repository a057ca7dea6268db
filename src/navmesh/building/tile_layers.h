// One tile as a dtTileCache keeps it: layers of voxels that do not lie over one another.
#pragma once
#include <vector>

#include "navmesh/building/tile_builder.h"

namespace terrane::detail {

inline constexpr int kMaxLayerCells = 255;  // along each axis: a dtTileCache counts in bytes

// What dtTileCache::addTile takes, packed by a LayerCoder.
struct LayerData {
    std::unique_ptr<unsigned char, DetourFree> data;
    int size = 0;
};

// From the lowest; none where there is nothing to stand on. `triangles` as of build_tile.
Result<std::vector<LayerData>> build_tile_layers(const Recipe& recipe, const TilePlace& place, TileTriangles& triangles);

}  // namespace terrane::detail
