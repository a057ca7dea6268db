#include "navmesh/search/nearest_polygon.h"

#include <recastnavigation/DetourNavMeshQuery.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "terrane/base/assert.h"

namespace terrane {
namespace {

constexpr int kNodePoolSize = 64;  // Detour requires a node pool; unused here

// Visits the polygons whose bounding boxes overlap the query box. Uses the distance of Detour's findNearestPoly.
class NearestQuery final : public dtPolyQuery {
public:
    NearestQuery(const dtNavMeshQuery& query, const NavmeshAbstraction& regions, const MeshView& view, const QueryCosts& costs, Vec3 point,
                 Vec3 extents)
        : query_(query), regions_(regions), view_(view), costs_(costs), point_{point.x, point.y, point.z}, extents_(extents) {}

    void process(const dtMeshTile* tile, dtPoly**, dtPolyRef* refs, int count) override {
        for (int i = 0; i < count; ++i) consider(*tile, refs[i]);
    }
    const PolygonLocation& answer() const { return best_; }

    // Detour never visits polygons without flags, since no filter passes them. Considers them here, so that a point on one is blocked
    // instead of outside of the mesh.
    void consider_flagless_polygons() {
        for (uint32_t slot = 0; slot < regions_.slots(); ++slot) {
            const dtMeshTile& tile = view_.tile(slot);
            if (tile.header != nullptr && is_near(*tile.header)) consider_flagless_polygons(tile, slot);
        }
    }

private:
    void consider_flagless_polygons(const dtMeshTile& tile, uint32_t slot) {
        for (uint32_t i = 0; i < static_cast<uint32_t>(tile.header->polyCount); ++i) {
            const dtPoly& polygon = tile.polys[i];
            if (polygon.flags == 0 && !MeshView::is_off_mesh(polygon)) consider(tile, regions_.mesh().encodePolyId(tile.salt, slot, i));
        }
    }

    // Ignores heights: polygons may lie above or below the bounds in the tile header.
    bool is_near(const dtMeshHeader& header) const {
        return point_[0] + extents_.x >= header.bmin[0] && point_[0] - extents_.x <= header.bmax[0] &&
               point_[2] + extents_.z >= header.bmin[2] && point_[2] - extents_.z <= header.bmax[2];
    }

    void consider(const dtMeshTile& tile, dtPolyRef ref) {
        const PolygonNumber p = view_.number(ref);
        const NavmeshRegionId region = regions_.tile(view_.slot(p)).labels[view_.index(p)];
        float closest[3];
        bool over = false;
        if (region == kNoNavmeshRegion || dtStatusFailed(query_.closestPointOnPoly(ref, point_, closest, &over)) || !is_near(closest))
            return;
        if (costs_.of(regions_.region(region)) == 0) {
            best_.blocked = !best_;
            return;
        }
        const double away = distance_squared(tile, closest, over);
        if (best_ && (away > least_ || (away == least_ && p > best_.polygon))) return;
        least_ = away;
        best_ = {p, to_mesh_point(closest), false};
    }

    // Detour clamps the query box to the tile and therefore visits polygons outside of the extents.
    bool is_near(const float* closest) const {
        return std::abs(closest[0] - point_[0]) <= extents_.x && std::abs(closest[1] - point_[1]) <= extents_.y &&
               std::abs(closest[2] - point_[2]) <= extents_.z;
    }

    double distance_squared(const dtMeshTile& tile, const float* closest, bool over) const {
        const MeshPoint from = to_mesh_point(point_), to = to_mesh_point(closest);
        const double d = over ? std::abs(to.y - from.y) - static_cast<double>(tile.header->walkableClimb) : distance(from, to);
        return d > 0 ? d * d : 0;
    }

    const dtNavMeshQuery& query_;
    const NavmeshAbstraction& regions_;
    const MeshView& view_;
    const QueryCosts& costs_;
    float point_[3];
    Vec3 extents_;
    PolygonLocation best_;
    double least_ = 0;
};

// Detour numbers tile locations by ints; no polygon is this far away.
bool has_tile_numbers(const dtNavMeshParams& params, Vec3 point, Vec3 extents) {
    constexpr double kMaxTileNumber = 1 << 30;
    const auto in_range = [&](float at, float extent, float origin, float side) {
        return std::abs(double{at} - double{origin}) + std::abs(double{extent}) < kMaxTileNumber * double{side};
    };
    return in_range(point.x, extents.x, params.orig[0], params.tileWidth) &&
           in_range(point.z, extents.z, params.orig[2], params.tileHeight);
}

double distance_to_box(const dtMeshHeader& header, const MeshPoint& p) {
    const auto outside = [](double v, double low, double high) { return std::max({low - v, v - high, 0.0}); };
    const double x = outside(p.x, header.bmin[0], header.bmax[0]), z = outside(p.z, header.bmin[2], header.bmax[2]);
    return std::sqrt(x * x + z * z);
}

// Returns the tile slots of the regions `among` with their distances, nearest first; ties: the smaller slot.
std::vector<std::pair<double, uint32_t>> slots_by_distance(std::span<const NavmeshRegionId> among, const NavmeshAbstraction& regions,
                                                           const MeshView& view, const MeshPoint& from) {
    std::vector<std::pair<double, uint32_t>> slots;
    for (const NavmeshRegionId id : among) {
        const uint32_t slot = regions.slot_of(id);
        if (slots.empty() || slots.back().second != slot) slots.emplace_back(distance_to_box(*view.tile(slot).header, from), slot);
    }
    std::sort(slots.begin(), slots.end());
    return slots;
}

}  // namespace

void PolygonLocator::Free::operator()(dtNavMeshQuery* query) const { dtFreeNavMeshQuery(query); }

PolygonLocator::PolygonLocator(const dtNavMesh& mesh) : query_(dtAllocNavMeshQuery()) {
    TERRANE_ASSERT(query_ != nullptr);
    query_->init(&mesh, kNodePoolSize);
}

PolygonLocation PolygonLocator::locate(const NavmeshAbstraction& regions, const MeshView& view, const QueryCosts& costs, Vec3 point,
                                       Vec3 extents) const {
    if (!is_finite(point) || !is_finite(extents) || !has_tile_numbers(*regions.mesh().getParams(), point, extents)) return {};
    const float centre[3] = {point.x, point.y, point.z};
    const float half[3] = {extents.x, extents.y, extents.z};
    const dtQueryFilter all;
    NearestQuery nearest(*query_, regions, view, costs, point, extents);
    query_->queryPolygons(centre, half, &all, &nearest);
    if (!nearest.answer() && !nearest.answer().blocked) nearest.consider_flagless_polygons();
    return nearest.answer();
}

PolygonLocation PolygonLocator::locate_among(std::span<const NavmeshRegionId> among, const NavmeshAbstraction& regions,
                                             const MeshView& view, Vec3 point) const {
    const float centre[3] = {point.x, point.y, point.z};
    const MeshPoint from = to_mesh_point(point);
    PolygonLocation best;
    double least = 0;
    const auto consider = [&](PolygonNumber p, uint32_t slot) {
        float closest[3];
        const dtPolyRef ref = regions.mesh().encodePolyId(view.tile(slot).salt, slot, view.index(p));
        if (dtStatusFailed(query_->closestPointOnPoly(ref, centre, closest, nullptr))) return;
        const double away = distance(from, to_mesh_point(closest));
        if (best && away >= least) return;
        best = {p, to_mesh_point(closest), false};
        least = away;
    };
    for (const auto& [away, slot] : slots_by_distance(among, regions, view, from)) {
        if (best && away > least) break;
        const std::vector<NavmeshRegionId>& labels = regions.tile(slot).labels;
        for (uint32_t i = 0; i < labels.size(); ++i) {
            const PolygonNumber p = view.number(slot, i);
            if (!MeshView::is_off_mesh(view.polygon(p)) && std::binary_search(among.begin(), among.end(), labels[i])) consider(p, slot);
        }
    }
    return best;
}

}  // namespace terrane
