// Follows Recast's tiled pipeline: heightfield, filters, compact heightfield, distance field, watershed regions, contours, polygon mesh,
// detail mesh.
#include "navmesh/building/tile_builder.h"

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>

#include <algorithm>
#include <string>

#include "navmesh/building/voxelize_tile.h"

namespace terrane::detail {

namespace {

using Contours = std::unique_ptr<rcContourSet, RecastDeleter<rcContourSet, rcFreeContourSet>>;
using PolyMesh = std::unique_ptr<rcPolyMesh, RecastDeleter<rcPolyMesh, rcFreePolyMesh>>;
using DetailMesh = std::unique_ptr<rcPolyMeshDetail, RecastDeleter<rcPolyMeshDetail, rcFreePolyMeshDetail>>;

class TileBuilder {
public:
    TileBuilder(const BuildConfig& config, const TilePlace& place) : config_(config), place_(place), context_(false) {}

    Result<TileData> make(TileTriangles& triangles) {
        auto voxels = voxelize_tile(config_, place_, triangles, context_);
        if (!voxels) return voxels.error();
        if (voxels->heightfield == nullptr) return TileData{};
        recast_ = voxels->recast;
        compact_ = std::move(voxels->heightfield);
        if (!make_polygons()) return refuse_tile(ErrorCode::kTooLarge, place_, "Recast failed to build its polygons");
        if (polygons_->npolys == 0) return TileData{};
        if (config_.detail && !make_detail()) return refuse_tile(ErrorCode::kTooLarge, place_, "Recast failed to build its detail mesh");
        return make_data();
    }

private:
    bool make_polygons() {
        const Contours contours(rcAllocContourSet());
        polygons_.reset(rcAllocPolyMesh());
        if (contours == nullptr || polygons_ == nullptr) return false;
        return rcBuildDistanceField(&context_, *compact_) &&
               rcBuildRegions(&context_, *compact_, recast_.borderSize, recast_.minRegionArea, recast_.mergeRegionArea) &&
               rcBuildContours(&context_, *compact_, recast_.maxSimplificationError, recast_.maxEdgeLen, *contours) &&
               rcBuildPolyMesh(&context_, *contours, recast_.maxVertsPerPoly, *polygons_);
    }

    // If Recast could not triangulate the detail of one polygon, drops the detail mesh: Detour would read out of bounds on an empty one.
    bool make_detail() {
        detail_.reset(rcAllocPolyMeshDetail());
        if (detail_ == nullptr ||
            !rcBuildPolyMeshDetail(&context_, *polygons_, *compact_, recast_.detailSampleDist, recast_.detailSampleMaxError, *detail_)) {
            return false;
        }
        for (int i = 0; i < polygons_->npolys; ++i) {
            if (detail_->meshes[i * 4 + 3] > 0) continue;
            detail_.reset();
            break;
        }
        return true;
    }

    void set_areas_and_flags(rcPolyMesh& mesh) const {
        for (int i = 0; i < mesh.npolys; ++i) {
            mesh.areas[i] = detour_area(mesh.areas[i]);
            mesh.flags[i] = config_.flags[mesh.areas[i]];
        }
    }

    void set_polygons(dtNavMeshCreateParams& p) const {
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

    Result<TileData> make_data() {
        set_areas_and_flags(*polygons_);
        dtNavMeshCreateParams p{};
        set_polygons(p);
        set_off_mesh_links(config_.links, p);
        p.walkableHeight = config_.agent_height;
        p.walkableRadius = config_.agent_radius;
        p.walkableClimb = config_.agent_climb;
        p.tileX = place_.x;
        p.tileY = place_.y;
        std::ranges::copy(polygons_->bmin, p.bmin);
        std::ranges::copy(polygons_->bmax, p.bmax);
        // Not Recast's bounds, which subtract and re-add the border: adjacent tiles need bit-identical borders.
        p.bmin[0] = place_.left;
        p.bmin[2] = place_.near;
        p.bmax[0] = place_.left + static_cast<float>(recast_.tileSize) * recast_.cs;
        p.bmax[2] = place_.near + static_cast<float>(recast_.tileSize) * recast_.cs;
        p.cs = recast_.cs;
        p.ch = recast_.ch;
        p.buildBvTree = true;
        unsigned char* data = nullptr;
        TileData tile;
        if (!dtCreateNavMeshData(&p, &data, &tile.size))
            return refuse_tile(ErrorCode::kTooLarge, place_, "Detour failed to create its data");
        tile.data.reset(data);
        tile.polygons = static_cast<uint32_t>(reinterpret_cast<const dtMeshHeader*>(data)->polyCount);
        return tile;
    }

    const BuildConfig& config_;
    const TilePlace& place_;
    rcConfig recast_{};
    rcContext context_;
    CompactHeightfield compact_;
    PolyMesh polygons_;
    DetailMesh detail_;
};

}  // namespace

void set_off_mesh_links(const BuildLinks& links, dtNavMeshCreateParams& p) {
    p.offMeshConVerts = links.ends.data();
    p.offMeshConRad = links.radius.data();
    p.offMeshConFlags = links.flags.data();
    p.offMeshConAreas = links.area.data();
    p.offMeshConDir = links.direction.data();
    p.offMeshConUserID = links.id.data();
    p.offMeshConCount = static_cast<int>(links.radius.size());
}

void TileTriangles::clear() {
    corners.clear();
    areas.clear();
}

void TileTriangles::add(const TriangleMesh& mesh, uint32_t triangle, const BuildConfig& config) {
    for (const uint32_t v : mesh.triangles[triangle]) {
        const Vec3& at = mesh.vertices[v];
        corners.insert(corners.end(), {at.x, at.y, at.z});
    }
    const Terrain area = mesh.areas.empty() ? config.default_area : mesh.areas[triangle];
    areas.push_back(area == kOutside ? kUnwalkable : recast_area(area));
}

Result<TileData> build_tile(const BuildConfig& config, const TilePlace& place, TileTriangles& triangles) {
    return TileBuilder(config, place).make(triangles);
}

}  // namespace terrane::detail
