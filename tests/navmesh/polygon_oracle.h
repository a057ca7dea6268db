// Upper and lower bounds on the optimal cost over any small Detour mesh, by Dijkstra's algorithm on a dense discretisation: points along
// every portal, each connected with all others of the polygon that it leads into.
//
// As in dense_oracle.h, `upper` is the cost of a path; for `lower`, each leg is charged for one spacing less than its length.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "navmesh/abstraction/mesh_view.h"
#include "navmesh/dense_oracle.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane::test {

class PolygonOracle {
public:
    PolygonOracle(const dtNavMesh& mesh, const NavmeshFilter& filter, double spacing) : view_(mesh), filter_(filter), spacing_(spacing) {
        by_polygon_.resize(static_cast<size_t>(mesh.getMaxTiles()) << view_.shift());
        for (int slot = 0; slot < mesh.getMaxTiles(); ++slot) {
            const dtMeshHeader* header = mesh.getTile(slot)->header;
            for (int i = 0; header != nullptr && i < header->polyCount; ++i)
                add_exits(view_.number(static_cast<uint32_t>(slot), static_cast<uint32_t>(i)));
        }
    }

    // Solves between the endpoints of a found path, as projected onto the mesh.
    OracleAnswer solve(const NavmeshPath& path) const {
        const PolygonNumber from = view_.number(path.corridor.front()), to = view_.number(path.corridor.back());
        OracleAnswer answer;
        answer.upper = search(from, to_mesh_point(path.points.front()), to, to_mesh_point(path.points.back()), 0);
        answer.reachable = answer.upper < std::numeric_limits<double>::max();
        answer.lower = search(from, to_mesh_point(path.points.front()), to, to_mesh_point(path.points.back()), spacing_);
        return answer;
    }

private:
    // A point on a portal and the polygon that it leads into.
    struct Place {
        MeshPoint at;
        PolygonNumber into = kNoMeshPolygon;
    };

    bool passes(PolygonNumber p) const { return filter_.passes(view_.polygon(p).getArea(), view_.polygon(p).flags); }

    void add_exits(PolygonNumber p) {
        if (!passes(p)) return;
        view_.for_each_link(p, [&](uint32_t, const dtLink& link) {
            const PolygonNumber to = view_.number(link.ref);
            if (!view_.is_traversable(p, link) || !passes(to)) return;
            const Portal portal = view_.portal(p, link);
            const int count = 1 + static_cast<int>(distance(portal.left, portal.right) / spacing_);
            for (int i = 0; i < count; ++i) {
                by_polygon_[p].push_back(places_.size());
                places_.push_back({lerp(portal.left, portal.right, (i + 0.5) / count), to});
            }
        });
    }

    double search(PolygonNumber from, const MeshPoint& start, PolygonNumber to, const MeshPoint& goal, double discount) const {
        std::vector<double> g(places_.size(), std::numeric_limits<double>::max());
        std::priority_queue<std::pair<double, size_t>, std::vector<std::pair<double, size_t>>, std::greater<>> open;
        double best = std::numeric_limits<double>::max();
        const auto leave = [&](PolygonNumber p, const MeshPoint& at, double d) {
            const double cost = filter_.cost(view_.polygon(p).getArea());
            const auto leg = [&](const MeshPoint& next) { return d + cost * std::max(0.0, distance(at, next) - discount); };
            if (p == to) best = std::min(best, leg(goal));
            for (const size_t next : by_polygon_[p]) {
                if (leg(places_[next].at) >= g[next]) continue;
                g[next] = leg(places_[next].at);
                open.emplace(g[next], next);
            }
        };
        leave(from, start, 0);
        while (!open.empty() && open.top().first < best) {
            const auto [d, at] = open.top();
            open.pop();
            if (d <= g[at]) leave(places_[at].into, places_[at].at, d);
        }
        return best;
    }

    MeshView view_;
    const NavmeshFilter& filter_;
    double spacing_;
    std::vector<Place> places_;
    std::vector<std::vector<size_t>> by_polygon_;  // exit points of each polygon
};

}  // namespace terrane::test
