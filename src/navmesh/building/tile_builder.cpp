// The steps are those of Recast's own tiled meshes: voxels, filters, the compact field, distance from walls, watershed regions, contours,
// polygons, heights inside them.
#include "navmesh/building/tile_builder.h"

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>

#include <algorithm>
#include <string>

#include "navmesh/building/tile_field.h"

namespace terrane::detail {

namespace {

using Contours = std::unique_ptr<rcContourSet, Freed<rcContourSet, rcFreeContourSet>>;
using PolyMesh = std::unique_ptr<rcPolyMesh, Freed<rcPolyMesh, rcFreePolyMesh>>;
using DetailMesh = std::unique_ptr<rcPolyMeshDetail, Freed<rcPolyMeshDetail, rcFreePolyMeshDetail>>;

class TileMaker {
public:
    TileMaker(const Recipe& recipe, const TilePlace& place) : recipe_(recipe), place_(place), context_(false) {}

    Result<TileData> make(TileTriangles& triangles) {
        auto field = make_tile_field(recipe_, place_, triangles, context_);
        if (!field) return field.error();
        if (field->voxels == nullptr) return TileData{};
        config_ = field->config;
        field_ = std::move(field->voxels);
        if (!make_polygons()) return refuse_tile(ErrorCode::kTooLarge, place_, "Recast could not build it");
        if (polygons_->npolys == 0) return TileData{};
        if (recipe_.detail && !make_detail()) return refuse_tile(ErrorCode::kTooLarge, place_, "Recast could not find its heights");
        return make_data();
    }

private:
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

    Result<TileData> make_data() {
        paint(*polygons_);
        dtNavMeshCreateParams p{};
        describe_polygons(p);
        describe_links(recipe_.links, p);
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
        if (!dtCreateNavMeshData(&p, &data, &tile.size)) return refuse_tile(ErrorCode::kTooLarge, place_, "Detour could not take it");
        tile.data.reset(data);
        tile.polygons = static_cast<uint32_t>(reinterpret_cast<const dtMeshHeader*>(data)->polyCount);
        return tile;
    }

    const Recipe& recipe_;
    const TilePlace& place_;
    rcConfig config_{};
    rcContext context_;
    CompactField field_;
    PolyMesh polygons_;
    DetailMesh detail_;
};

}  // namespace

void describe_links(const RecipeLinks& links, dtNavMeshCreateParams& p) {
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
