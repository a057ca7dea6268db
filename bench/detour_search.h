// Detour's complete path query, as a game calls it: the baseline of `terrane bench navmesh`.
#pragma once
#include <recastnavigation/DetourNavMeshQuery.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/navmesh_measure.h"

namespace terrane {

// A filter, for Terrane and for Detour.
struct Creature {
    std::string name = {};
    NavmeshFilter filter = {};
    dtQueryFilter detour = {};
};

// Scratch memory and the last path. `mesh` must outlive it.
class DetourSearch {
public:
    explicit DetourSearch(const dtNavMesh& mesh)
        : query_(dtAllocNavMeshQuery()), polygons_(kMaxPolygons), refs_(size_t{2} * kMaxPolygons), points_(size_t{6} * kMaxPolygons) {
        query_->init(&mesh, kNodes);
    }

    // Localises both ends, finds a corridor and straightens it. `straight_options`: Detour's flags. Returns kPartial if the corridor ends
    // before the goal because there is no path or Detour ran out of nodes.
    Status find(Vec3 from, Vec3 to, const dtQueryFilter& filter, int straight_options = 0) {
        float start[3], goal[3];
        const dtPolyRef first = localise(from, filter, start), last = localise(to, filter, goal);
        count_ = point_count_ = 0;
        if (first == 0 || last == 0) return Status::kOutsideMap;
        query_->findPath(first, last, start, goal, &filter, polygons_.data(), &count_, kMaxPolygons);
        query_->findStraightPath(start, goal, polygons_.data(), count_, points_.data(), nullptr, refs_.data(), &point_count_,
                                 2 * kMaxPolygons, straight_options);
        return count_ > 0 && polygons_[static_cast<size_t>(count_) - 1] == last ? Status::kFound : Status::kPartial;
    }

    // The same, with a point where the path enters each polygon. The cost is the length inside each polygon times its area's cost.
    NavmeshPath find_crossings(Vec3 from, Vec3 to, const Creature& creature) {
        NavmeshPath path;
        path.status = find(from, to, creature.detour, DT_STRAIGHTPATH_ALL_CROSSINGS);
        path.corridor.assign(polygons_.begin(), polygons_.begin() + count_);
        path.points.reserve(static_cast<size_t>(point_count_));
        for (size_t i = 0; i < static_cast<size_t>(point_count_); ++i) {
            path.points.push_back({points_[3 * i], points_[3 * i + 1], points_[3 * i + 2]});
            if (i > 0) add_segment(refs_[i - 1], creature.filter, path);
        }
        return path;
    }

private:
    static constexpr int kNodes = 65535;  // the maximum of its 16-bit indices
    static constexpr int kMaxPolygons = 8192;

    struct Free {
        void operator()(dtNavMeshQuery* query) const { dtFreeNavMeshQuery(query); }
    };

    dtPolyRef localise(Vec3 point, const dtQueryFilter& filter, float* out) const {
        const Vec3 extents = NavmeshFindOptions{}.extents;
        const float wanted[3] = {point.x, point.y, point.z}, half[3] = {extents.x, extents.y, extents.z};
        dtPolyRef ref = 0;
        query_->findNearestPoly(wanted, half, &filter, &ref, out);
        return ref;
    }

    // Adds the segment between the last two points, which lies in `polygon`.
    void add_segment(dtPolyRef polygon, const NavmeshFilter& filter, NavmeshPath& path) const {
        unsigned char area = 0;
        query_->getAttachedNavMesh()->getPolyArea(polygon, &area);
        const double length = length_between(path.points[path.points.size() - 2], path.points.back());
        path.length += length;
        path.cost += length * filter.cost(area);
    }

    std::unique_ptr<dtNavMeshQuery, Free> query_;
    std::vector<dtPolyRef> polygons_, refs_;
    std::vector<float> points_;
    int count_ = 0, point_count_ = 0;
};

}  // namespace terrane
