// Measures paths over a Detour mesh independently of the planner that found them.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "navmesh/abstraction/mesh_view.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane {

inline bool passes(const MeshView& view, const NavmeshFilter& filter, PolygonNumber p) {
    const dtPoly& polygon = view.polygon(p);
    return filter.passes(polygon.getArea(), polygon.flags);
}

inline double length_between(Vec3 a, Vec3 b) { return distance(to_mesh_point(a), to_mesh_point(b)); }

inline constexpr double kSlack = 0.01;  // metres: tolerance of a point on a portal

struct CostRange {
    double low = 0, high = 0;
};

// Returns whether a portal leads from one polygon to the other and the point lies on it.
inline bool crosses(const MeshView& view, PolygonNumber from, PolygonNumber to, Vec3 point) {
    bool on = false;
    view.for_each_link(from, [&](uint32_t, const dtLink& link) {
        if (view.number(link.ref) != to) return;
        const Portal portal = view.portal(from, link);
        const Segment border{portal.left.flat(), portal.right.flat()};
        const MeshPoint nearest = lerp(portal.left, portal.right, nearest_place(border, to_mesh_point(point).flat()));
        on = on || distance(nearest, to_mesh_point(point)) <= kSlack;
    });
    return on;
}

// Measures the cost of a path whose points are its entries into the polygons of its corridor: the length inside each polygon times the
// cost of its area. Coinciding points are merged, so a path along a border may lie on either side of it; the result is therefore a range.
// Returns nothing if the path leaves the corridor or the corridor enters a polygon that the filter excludes. Not for Detour's paths: along
// a border they may cross it decimetres beyond its end.
class Measure {
public:
    Measure(const MeshView& view, const NavmeshFilter& filter) : view_(view), filter_(filter) {}

    std::optional<CostRange> operator()(const NavmeshPath& path) {
        if (path.corridor.empty() || path.points.empty()) return {};
        places_.assign(1, {0, {}});
        for (size_t i = 0; i < path.corridor.size(); ++i) {
            const PolygonNumber here = view_.number(path.corridor[i]);
            if (!passes(view_, filter_, here)) return {};
            const bool last = i + 1 == path.corridor.size();
            const PolygonNumber next = last ? kNoMeshPolygon : view_.number(path.corridor[i + 1]);
            advance(path.points, filter_.cost(view_.polygon(here).getArea()),
                    [&](size_t point) { return last ? point + 1 == path.points.size() : crosses(view_, here, next, path.points[point]); });
        }
        return places_.empty() ? std::nullopt : std::optional(places_.front().cost);
    }

private:
    // A point at which the path may enter the next polygon.
    struct Place {
        size_t point;
        CostRange cost;
    };

    // Crosses a polygon: to the same point or to the next.
    template <class IsExit>
    void advance(const std::vector<Vec3>& points, double cost, IsExit&& is_exit) {
        exits_.clear();
        for (const Place& place : places_) {
            if (is_exit(place.point)) add(place.point, place.cost, 0);
            if (place.point + 1 < points.size() && is_exit(place.point + 1))
                add(place.point + 1, place.cost, cost * length_between(points[place.point], points[place.point + 1]));
        }
        places_.swap(exits_);
    }

    void add(size_t point, const CostRange& before, double cost) {
        const CostRange sum{before.low + cost, before.high + cost};
        const auto same = std::ranges::find(exits_, point, &Place::point);
        if (same == exits_.end()) {
            exits_.push_back({point, sum});
        } else {
            same->cost = {std::min(same->cost.low, sum.low), std::max(same->cost.high, sum.high)};
        }
    }

    const MeshView& view_;
    const NavmeshFilter& filter_;
    std::vector<Place> places_, exits_;
};

}  // namespace terrane
