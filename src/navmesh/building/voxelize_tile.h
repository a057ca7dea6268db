// Voxelises the walkable surface of one tile: the first half of Recast's pipeline.
#pragma once
#include <memory>
#include <string>

#include "navmesh/building/tile_builder.h"

namespace terrane::detail {

template <class T, void (*kFree)(T*)>
struct RecastDeleter {
    void operator()(T* object) const { kFree(object); }
};
using CompactHeightfield = std::unique_ptr<rcCompactHeightfield, RecastDeleter<rcCompactHeightfield, rcFreeCompactHeightfield>>;

struct VoxelTile {
    rcConfig recast{};               // with the bounds of the tile and its border
    CompactHeightfield heightfield;  // null if the tile has no triangles
};

// Returns an error whose reason begins with the tile coordinates.
Error refuse_tile(ErrorCode code, const TilePlace& place, const std::string& reason);

// The heightfield is eroded by the agent radius, and the area volumes are applied. `triangles` as for build_tile().
Result<VoxelTile> voxelize_tile(const BuildConfig& config, const TilePlace& place, TileTriangles& triangles, rcContext& context);

}  // namespace terrane::detail
