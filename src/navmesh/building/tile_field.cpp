#include "navmesh/building/tile_field.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace terrane::detail {

namespace {

using Heightfield = std::unique_ptr<rcHeightfield, Freed<rcHeightfield, rcFreeHeightField>>;

// False where the ground is too high. Heights lie on multiples of a cell's, so that tiles agree.
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
    return last - first <= RC_SPAN_MAX_HEIGHT && (last - first) * cell / double{config.cs} < 65535;  // Detour counts both in 16 bits
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

// Null where memory ran out.
CompactField make_voxels(const Recipe& recipe, const TileTriangles& triangles, const rcConfig& c, rcContext& context) {
    const Heightfield solid = rasterize(triangles, c, context);
    CompactField field(rcAllocCompactHeightfield());
    if (solid == nullptr || field == nullptr) return nullptr;
    if (!rcBuildCompactHeightfield(&context, c.walkableHeight, c.walkableClimb, *solid, *field)) return nullptr;
    if (c.walkableRadius > 0 && !rcErodeWalkableArea(&context, c.walkableRadius, *field)) return nullptr;
    for (const RecipeVolume& volume : recipe.volumes) {
        rcMarkConvexPolyArea(&context, volume.outline.data(), static_cast<int>(volume.outline.size() / 3), volume.low, volume.high,
                             volume.area, *field);
    }
    return field;
}

}  // namespace

Error refuse_tile(ErrorCode code, const TilePlace& place, const std::string& reason) {
    return {code, {}, 0, "tile " + std::to_string(place.x) + "," + std::to_string(place.y) + ": " + reason};
}

Result<TileField> make_tile_field(const Recipe& recipe, const TilePlace& place, TileTriangles& triangles, rcContext& context) {
    TileField field;
    field.config = recipe.config;
    if (triangles.areas.empty()) return field;
    if (!set_bounds(triangles, place, recipe.border(), field.config)) {
        return refuse_tile(ErrorCode::kTooLarge, place,
                           "more than " + std::to_string(RC_SPAN_MAX_HEIGHT) + " cells from its lowest ground to its highest");
    }
    clear_steep(triangles, field.config.walkableSlopeAngle, context);
    field.voxels = make_voxels(recipe, triangles, field.config, context);
    if (field.voxels == nullptr) return refuse_tile(ErrorCode::kTooLarge, place, "Recast could not build it");
    return field;
}

}  // namespace terrane::detail
