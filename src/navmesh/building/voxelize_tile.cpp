#include "navmesh/building/voxelize_tile.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace terrane::detail {

namespace {

using Heightfield = std::unique_ptr<rcHeightfield, RecastDeleter<rcHeightfield, rcFreeHeightField>>;

// Heights are multiples of the cell height, so that adjacent tiles agree. Returns false if the tile is too high for Recast or Detour.
bool set_bounds(const TileTriangles& triangles, const TilePlace& place, float border, rcConfig& config) {
    float low = triangles.corners[1], high = low;
    for (size_t i = 1; i < triangles.corners.size(); i += 3) {
        low = std::min(low, triangles.corners[i]);
        high = std::max(high, triangles.corners[i]);
    }
    const double cell = config.ch;
    const double first = std::floor(double{low} / cell), last = std::ceil(double{high} / cell) + 1;
    const float side = static_cast<float>(config.tileSize) * config.cs;
    config.bmin[0] = place.left - border;
    config.bmin[1] = static_cast<float>(first * cell);
    config.bmin[2] = place.near - border;
    config.bmax[0] = place.left + side + border;
    config.bmax[1] = static_cast<float>(last * cell);
    config.bmax[2] = place.near + side + border;
    return last - first <= RC_SPAN_MAX_HEIGHT && (last - first) * cell / double{config.cs} < 65535;  // both are 16-bit in Detour
}

void clear_steep(TileTriangles& triangles, float slope, rcContext& context) {
    std::vector<int> corners(triangles.areas.size() * 3);
    std::iota(corners.begin(), corners.end(), 0);
    rcClearUnwalkableTriangles(&context, slope, triangles.corners.data(), static_cast<int>(corners.size()), corners.data(),
                               static_cast<int>(triangles.areas.size()), triangles.areas.data());
}

Heightfield rasterize(const TileTriangles& triangles, const rcConfig& c, rcContext& context) {
    Heightfield solid(rcAllocHeightfield());
    if (solid == nullptr || !rcCreateHeightfield(&context, *solid, c.width, c.height, c.bmin, c.bmax, c.cs, c.ch) ||
        !rcRasterizeTriangles(&context, triangles.corners.data(), triangles.areas.data(), static_cast<int>(triangles.areas.size()), *solid,
                              c.walkableClimb)) {
        return nullptr;
    }
    rcFilterLowHangingWalkableObstacles(&context, c.walkableClimb, *solid);
    rcFilterLedgeSpans(&context, c.walkableHeight, c.walkableClimb, *solid);
    rcFilterWalkableLowHeightSpans(&context, c.walkableHeight, *solid);
    return solid;
}

// Returns null if Recast fails to allocate.
CompactHeightfield build_compact_heightfield(const BuildConfig& config, const TileTriangles& triangles, const rcConfig& c,
                                             rcContext& context) {
    const Heightfield solid = rasterize(triangles, c, context);
    CompactHeightfield compact(rcAllocCompactHeightfield());
    if (solid == nullptr || compact == nullptr) return nullptr;
    if (!rcBuildCompactHeightfield(&context, c.walkableHeight, c.walkableClimb, *solid, *compact)) return nullptr;
    if (c.walkableRadius > 0 && !rcErodeWalkableArea(&context, c.walkableRadius, *compact)) return nullptr;
    for (const BuildVolume& volume : config.volumes) {
        rcMarkConvexPolyArea(&context, volume.outline.data(), static_cast<int>(volume.outline.size() / 3), volume.low, volume.high,
                             volume.area, *compact);
    }
    return compact;
}

}  // namespace

Error refuse_tile(ErrorCode code, const TilePlace& place, const std::string& reason) {
    return {code, {}, 0, "tile " + std::to_string(place.x) + "," + std::to_string(place.y) + ": " + reason};
}

Result<VoxelTile> voxelize_tile(const BuildConfig& config, const TilePlace& place, TileTriangles& triangles, rcContext& context) {
    VoxelTile tile;
    tile.recast = config.recast;
    if (triangles.areas.empty()) return tile;
    if (!set_bounds(triangles, place, config.border(), tile.recast)) {
        return refuse_tile(ErrorCode::kTooLarge, place,
                           "its height range exceeds " + std::to_string(RC_SPAN_MAX_HEIGHT) + " cells: increase cell_height");
    }
    clear_steep(triangles, tile.recast.walkableSlopeAngle, context);
    tile.heightfield = build_compact_heightfield(config, triangles, tile.recast, context);
    if (tile.heightfield == nullptr) return refuse_tile(ErrorCode::kTooLarge, place, "Recast failed to voxelise it");
    return tile;
}

}  // namespace terrane::detail
