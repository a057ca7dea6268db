// Detour's own search with the largest possible node pool. Path cost as in NavmeshPath: the length inside of each polygon that the
// straightened path crosses, times the cost of its area.
#pragma once
#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshQuery.h>

#include <cmath>
#include <memory>
#include <vector>

#include "terrane/navmesh/navmesh_planner.h"

namespace terrane::test {

class DetourBaseline {
public:
    static constexpr int kNodes = 65535;       // all that its 16-bit node numbers allow
    static constexpr int kMaxPolygons = 8192;  // of a path

    explicit DetourBaseline(const dtNavMesh& mesh) : mesh_(&mesh), query_(dtAllocNavMeshQuery()) { query_->init(&mesh, kNodes); }

    // Returns kFound; kPartial if Detour's path ends elsewhere (unreachable, or a limit was hit); kUnreachable if it crosses a blocked
    // area, which Detour cannot exclude by cost; or kOutsideMap.
    NavmeshPath find(Vec3 start, Vec3 goal, const NavmeshFilter& filter, Vec3 extents = {2, 4, 2}) {
        dtQueryFilter costs;
        to_detour_filter(filter, costs);
        NavmeshPath path;
        const float half[3] = {extents.x, extents.y, extents.z};
        float from[3], to[3];
        dtPolyRef a = 0, b = 0;
        const float wanted_from[3] = {start.x, start.y, start.z}, wanted_to[3] = {goal.x, goal.y, goal.z};
        query_->findNearestPoly(wanted_from, half, &costs, &a, from);
        query_->findNearestPoly(wanted_to, half, &costs, &b, to);
        path.status = Status::kOutsideMap;
        if (a == 0 || b == 0) return path;

        path.corridor.resize(kMaxPolygons);
        int count = 0;
        query_->findPath(a, b, from, to, &costs, path.corridor.data(), &count, kMaxPolygons);
        path.corridor.resize(static_cast<size_t>(count));
        path.status = count > 0 && path.corridor.back() == b ? Status::kFound : Status::kPartial;
        measure(from, to, filter, path);
        return path;
    }

private:
    struct Free {
        void operator()(dtNavMeshQuery* query) const { dtFreeNavMeshQuery(query); }
    };

    void measure(const float* from, const float* to, const NavmeshFilter& filter, NavmeshPath& path) const {
        const size_t room = path.corridor.size() * 2 + 16;
        std::vector<float> points(room * 3);
        std::vector<dtPolyRef> entered(room);
        int count = 0;
        query_->findStraightPath(from, to, path.corridor.data(), static_cast<int>(path.corridor.size()), points.data(), nullptr,
                                 entered.data(), &count, static_cast<int>(room), DT_STRAIGHTPATH_ALL_CROSSINGS);
        for (int i = 0; i < count; ++i) {
            const float* p = &points[static_cast<size_t>(i) * 3];
            path.points.push_back({p[0], p[1], p[2]});
            if (i == 0) continue;
            const double x = static_cast<double>(p[0]) - p[-3], y = static_cast<double>(p[1]) - p[-2],
                         z = static_cast<double>(p[2]) - p[-1];
            const double length = std::sqrt(x * x + y * y + z * z);
            unsigned char area = 0;
            mesh_->getPolyArea(entered[static_cast<size_t>(i) - 1], &area);
            if (filter.cost(area) == 0) path.status = Status::kUnreachable;
            path.length += length;
            path.cost += length * filter.cost(area);
        }
    }

    const dtNavMesh* mesh_;
    std::unique_ptr<dtNavMeshQuery, Free> query_;
};

}  // namespace terrane::test
