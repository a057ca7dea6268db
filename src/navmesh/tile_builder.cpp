// The steps are those of Recast's own tiled meshes: voxels, filters, the compact field, distance from walls, watershed regions, contours,
// polygons, heights inside them.
#include "navmesh/tile_builder.h"

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace terrane::detail {

namespace {

// Recast's things, freed as they go.
template <class T, void (*kFree)(T*)>
struct Freed {
    void operator()(T* thing) const { kFree(thing); }
};
using Heightfield = std::unique_ptr<rcHeightfield, Freed<rcHeightfield, rcFreeHeightField>>;
using CompactField = std::unique_ptr<rcCompactHeightfield, Freed<rcCompactHeightfield, rcFreeCompactHeightfield>>;
using Contours = std::unique_ptr<rcContourSet, Freed<rcContourSet, rcFreeContourSet>>;
using PolyMesh = std::unique_ptr<rcPolyMesh, Freed<rcPolyMesh, rcFreePolyMesh>>;
using DetailMesh = std::unique_ptr<rcPolyMeshDetail, Freed<rcPolyMeshDetail, rcFreePolyMeshDetail>>;

Error refuse(ErrorCode code, const TilePlace& place, const std::string& reason) {
    return {code, {}, 0, "tile " + std::to_string(place.x) + "," + std::to_string(place.y) + ": " + reason};
}

class TileMaker {
public:
    TileMaker(const Recipe& recipe, const TilePlace& place) : recipe_(recipe), place_(place), config_(recipe.config), context_(false) {}

    Result<TileData> make(TileTriangles& triangles) {
        if (triangles.areas.empty()) return TileData{};
        if (!set_bounds(triangles)) {
            return refuse(ErrorCode::kTooLarge, place_,
                          "more than " + std::to_string(RC_SPAN_MAX_HEIGHT) + " cells from its lowest ground to its highest");
        }
        clear_steep(triangles);
        if (!make_field(triangles) || !make_polygons()) return refuse(ErrorCode::kTooLarge, place_, "Recast could not build it");
        if (polygons_->npolys == 0) return TileData{};
        if (recipe_.detail && !make_detail()) return refuse(ErrorCode::kTooLarge, place_, "Recast could not find its heights");
        return make_data();
    }

private:
    // False where the ground is too high. Heights lie on multiples of a cell's, so that tiles agree.
    bool set_bounds(const TileTriangles& triangles) {
        float low = triangles.corners[1], high = low;
        for (size_t i = 1; i < triangles.corners.size(); i += 3) {
            low = std::min(low, triangles.corners[i]);
            high = std::max(high, triangles.corners[i]);
        }
        const double cell = config_.ch;
        const double first = std::floor(double{low} / cell), last = std::ceil(double{high} / cell) + 1;
        const float border = recipe_.border();
        const float side = static_cast<float>(config_.tileSize) * config_.cs;
        config_.bmin[0] = place_.left - border;
        config_.bmin[1] = static_cast<float>(first * cell);
        config_.bmin[2] = place_.near - border;
        config_.bmax[0] = place_.left + side + border;
        config_.bmax[1] = static_cast<float>(last * cell);
        config_.bmax[2] = place_.near + side + border;
        return last - first <= RC_SPAN_MAX_HEIGHT && (last - first) * cell / double{config_.cs} < 65535;  // Detour counts both in 16 bits
    }

    void clear_steep(TileTriangles& triangles) {
        std::vector<int> corners(triangles.areas.size() * 3);
        std::iota(corners.begin(), corners.end(), 0);
        rcClearUnwalkableTriangles(&context_, config_.walkableSlopeAngle, triangles.corners.data(), static_cast<int>(corners.size()),
                                   corners.data(), static_cast<int>(triangles.areas.size()), triangles.areas.data());
    }

    // The compact field, with what is too near to walls taken away and what is painted painted.
    bool make_field(const TileTriangles& triangles) {
        const Heightfield solid(rcAllocHeightfield());
        field_.reset(rcAllocCompactHeightfield());
        if (solid == nullptr || field_ == nullptr) return false;
        if (!rcCreateHeightfield(&context_, *solid, config_.width, config_.height, config_.bmin, config_.bmax, config_.cs, config_.ch) ||
            !rcRasterizeTriangles(&context_, triangles.corners.data(), triangles.areas.data(), static_cast<int>(triangles.areas.size()),
                                  *solid, config_.walkableClimb)) {
            return false;
        }
        rcFilterLowHangingWalkableObstacles(&context_, config_.walkableClimb, *solid);
        rcFilterLedgeSpans(&context_, config_.walkableHeight, config_.walkableClimb, *solid);
        rcFilterWalkableLowHeightSpans(&context_, config_.walkableHeight, *solid);
        if (!rcBuildCompactHeightfield(&context_, config_.walkableHeight, config_.walkableClimb, *solid, *field_)) return false;
        if (config_.walkableRadius > 0 && !rcErodeWalkableArea(&context_, config_.walkableRadius, *field_)) return false;
        for (const RecipeVolume& volume : recipe_.volumes) {
            rcMarkConvexPolyArea(&context_, volume.outline.data(), static_cast<int>(volume.outline.size() / 3), volume.low, volume.high,
                                 volume.area, *field_);
        }
        return true;
    }

    bool make_polygons() {
        const Contours contours(rcAllocContourSet());
        polygons_.reset(rcAllocPolyMesh());
        if (contours == nullptr || polygons_ == nullptr) return false;
        return rcBuildDistanceField(&context_, *field_) &&
               rcBuildRegions(&context_, *field_, config_.borderSize, config_.minRegionArea, config_.mergeRegionArea) &&
               rcBuildContours(&context_, *field_, config_.maxSimplificationError, config_.maxEdgeLen, *contours) &&
               rcBuildPolyMesh(&context_, *contours, config_.maxVertsPerPoly, *polygons_);
    }

    // Where a polygon's heights could not be triangulated, all go without: Detour reads past the end of none.
    bool make_detail() {
        detail_.reset(rcAllocPolyMeshDetail());
        if (detail_ == nullptr ||
            !rcBuildPolyMeshDetail(&context_, *polygons_, *field_, config_.detailSampleDist, config_.detailSampleMaxError, *detail_)) {
            return false;
        }
        for (int i = 0; i < polygons_->npolys; ++i) {
            if (detail_->meshes[i * 4 + 3] > 0) continue;
            detail_.reset();
            break;
        }
        return true;
    }

    void paint(rcPolyMesh& mesh) const {
        for (int i = 0; i < mesh.npolys; ++i) {
            mesh.areas[i] = detour_area(mesh.areas[i]);
            mesh.flags[i] = recipe_.flags[mesh.areas[i]];
        }
    }

    void describe_polygons(dtNavMeshCreateParams& p) const {
        p.verts = polygons_->verts;
        p.vertCount = polygons_->nverts;
        p.polys = polygons_->polys;
        p.polyAreas = polygons_->areas;
        p.polyFlags = polygons_->flags;
        p.polyCount = polygons_->npolys;
        p.nvp = polygons_->nvp;
        if (detail_ == nullptr) return;
        p.detailMeshes = detail_->meshes;
        p.detailVerts = detail_->verts;
        p.detailVertsCount = detail_->nverts;
        p.detailTris = detail_->tris;
        p.detailTriCount = detail_->ntris;
    }

    void describe_links(dtNavMeshCreateParams& p) const {
        const RecipeLinks& links = recipe_.links;
        p.offMeshConVerts = links.ends.data();
        p.offMeshConRad = links.radius.data();
        p.offMeshConFlags = links.flags.data();
        p.offMeshConAreas = links.area.data();
        p.offMeshConDir = links.direction.data();
        p.offMeshConUserID = links.id.data();
        p.offMeshConCount = static_cast<int>(links.radius.size());
    }

    Result<TileData> make_data() {
        paint(*polygons_);
        dtNavMeshCreateParams p{};
        describe_polygons(p);
        describe_links(p);
        p.walkableHeight = recipe_.agent_height;
        p.walkableRadius = recipe_.agent_radius;
        p.walkableClimb = recipe_.agent_climb;
        p.tileX = place_.x;
        p.tileY = place_.y;
        std::ranges::copy(polygons_->bmin, p.bmin);
        std::ranges::copy(polygons_->bmax, p.bmax);
        // Not as Recast has them, less a border and plus a border: neighbours must agree to a hair.
        p.bmin[0] = place_.left;
        p.bmin[2] = place_.near;
        p.bmax[0] = place_.left + static_cast<float>(config_.tileSize) * config_.cs;
        p.bmax[2] = place_.near + static_cast<float>(config_.tileSize) * config_.cs;
        p.cs = config_.cs;
        p.ch = config_.ch;
        p.buildBvTree = true;
        unsigned char* data = nullptr;
        TileData tile;
        if (!dtCreateNavMeshData(&p, &data, &tile.size)) return refuse(ErrorCode::kTooLarge, place_, "Detour could not take it");
        tile.data.reset(data);
        tile.polygons = static_cast<uint32_t>(reinterpret_cast<const dtMeshHeader*>(data)->polyCount);
        return tile;
    }

    const Recipe& recipe_;
    const TilePlace& place_;
    rcConfig config_;
    rcContext context_;
    CompactField field_;
    PolyMesh polygons_;
    DetailMesh detail_;
};

}  // namespace

void TileTriangles::clear() {
    corners.clear();
    areas.clear();
}

void TileTriangles::add(const TriangleMesh& mesh, uint32_t triangle, const Recipe& recipe) {
    for (const uint32_t v : mesh.triangles[triangle]) {
        const Vec3& at = mesh.vertices[v];
        corners.insert(corners.end(), {at.x, at.y, at.z});
    }
    const Terrain area = mesh.areas.empty() ? recipe.ground : mesh.areas[triangle];
    areas.push_back(area == kOutside ? kUnwalkable : recast_area(area));
}

Result<TileData> build_tile(const Recipe& recipe, const TilePlace& place, TileTriangles& triangles) {
    return TileMaker(recipe, place).make(triangles);
}

}  // namespace terrane::detail
