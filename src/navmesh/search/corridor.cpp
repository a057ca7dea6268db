#include "navmesh/search/corridor.h"

#include <algorithm>
#include <cmath>

namespace terrane {
namespace {

// Turns with a smaller sine count as straight.
constexpr double kStraightSine = 1e-5;

// Relative optimality gap at which the solver stops. On the longer half of the queries of `terrane bench navmesh`, mean path cost is the
// same (to 0.01%) at a third of this, and 0.04% higher at three times as much.
constexpr double kOptimalityGap = 3e-3;

}  // namespace

void cut_loops(std::vector<CorridorStep>& steps, std::vector<uint64_t>& scratch) {
    scratch.clear();
    for (uint32_t i = 0; i < steps.size(); ++i) scratch.push_back(uint64_t{steps[i].polygon} << 32 | i);
    std::sort(scratch.begin(), scratch.end());
    const auto last_visit = [&](PolygonNumber p) {
        return static_cast<uint32_t>(*(std::upper_bound(scratch.begin(), scratch.end(), uint64_t{p} << 32 | 0xffffffff) - 1));
    };
    size_t kept = 0;
    for (uint32_t i = 0; i < steps.size(); ++i) {
        steps[kept++] = steps[i];
        i = last_visit(steps[i].polygon);
    }
    steps.resize(kept);
}

void CorridorPath::load(const MeshView& view, const QueryCosts& costs, std::span<const CorridorStep> steps) {
    portals_.clear();
    costs_.clear();
    for (size_t i = 0; i < steps.size(); ++i) {
        const dtPoly& polygon = view.polygon(steps[i].polygon);
        costs_.push_back(costs.cost[polygon.getArea()]);
        if (i == 0) continue;
        const PolygonNumber before = steps[i - 1].polygon;
        Portal portal = view.portal(before, view.link(before, steps[i].link));
        const Point centre = view.centre(before).flat();
        // Independent of the orientation of the polygon.
        if (cross(portal.left.flat() - centre, portal.right.flat() - centre) > 0) std::swap(portal.left, portal.right);
        portals_.push_back(portal);
    }
    crossings_.assign(portals_.size(), 0.5);
}

// Sets the crossings of the straight line between two path points on the portals `after` (-1: the start) and `before` (portal count: the
// goal).
void CorridorPath::cross_portals(int64_t after, const Point& from, int64_t before, const Point& to) {
    const Point direction = to - from;
    for (int64_t i = after + 1; i < before; ++i) {
        const Portal& portal = portals_[static_cast<size_t>(i)];
        const double left = cross(direction, portal.left.flat() - from), right = cross(direction, portal.right.flat() - from);
        const Segment segment{portal.left.flat(), portal.right.flat()};
        crossings_[static_cast<size_t>(i)] = left != right ? std::clamp(left / (left - right), 0.0, 1.0) : nearest_place(segment, to);
    }
}

// The simple stupid funnel algorithm (Mononen 2010): narrows a left and a right side from the apex, portal by portal. If one side crosses
// the other, the end of the other becomes a path corner and the new apex.
void CorridorPath::funnel() {
    const auto count = static_cast<int64_t>(portals_.size());
    struct Side {
        Point end;
        int64_t portal = -1;
    };
    Side apex{start_.flat()}, left = apex, right = apex;
    const auto turn_at = [&](const Side& corner, double place) {
        cross_portals(apex.portal, apex.end, corner.portal, corner.end);
        if (corner.portal < count) crossings_[static_cast<size_t>(corner.portal)] = place;  // the goal has no portal
        apex = left = right = corner;
    };
    for (int64_t i = 0; i <= count; ++i) {
        const bool last = i == count;
        const Point l = last ? goal_.flat() : portals_[static_cast<size_t>(i)].left.flat();
        const Point r = last ? goal_.flat() : portals_[static_cast<size_t>(i)].right.flat();
        if (cross(right.end - apex.end, r - apex.end) >= 0) {
            if (apex.end == right.end || cross(left.end - apex.end, r - apex.end) < 0) {
                right = {r, i};
            } else {
                turn_at(left, 0);
                i = apex.portal;
                continue;
            }
        }
        if (cross(left.end - apex.end, l - apex.end) <= 0) {
            if (apex.end == left.end || cross(right.end - apex.end, l - apex.end) > 0) {
                left = {l, i};
            } else {
                turn_at(right, 1);
                i = apex.portal;
            }
        }
    }
    cross_portals(apex.portal, apex.end, count, goal_.flat());
}

CorridorMeasure CorridorPath::measure_path() const {
    CorridorMeasure sum;
    MeshPoint from = start_;
    for (size_t i = 0; i < costs_.size(); ++i) {
        const MeshPoint to = i < portals_.size() ? crossing_point(i) : goal_;
        const double d = distance(from, to);
        sum.length += d;
        sum.cost += d * costs_[i];
        from = to;
    }
    return sum;
}

void CorridorPath::pull_straight(const MeshView& view, const QueryCosts& costs, std::span<const CorridorStep> steps, const MeshPoint& start,
                                 const MeshPoint& goal) {
    start_ = start;
    goal_ = goal;
    load(view, costs, steps);
    funnel();
    measure_ = measure_path();
}

// The path may bend where costs differ, at portal ends, and at off-mesh connections.
bool CorridorPath::may_bend(size_t portal) const {
    return costs_[portal] != costs_[portal + 1] || crossings_[portal] <= 0 || crossings_[portal] >= 1 || is_fixed(portal);
}

// Keeps only the portals where the path may bend. With all portals, a query of the longer half of `terrane bench navmesh` takes 25% longer
// for paths that cost 0.025% less.
void CorridorPath::load_bends() {
    bends_.clear();
    segments_.clear();
    bend_costs_.clear();
    bend_crossings_.clear();
    for (size_t i = 0; i < portals_.size(); ++i) {
        if (!may_bend(i)) continue;
        bends_.push_back(i);
        segments_.push_back({portals_[i].left.flat(), portals_[i].right.flat()});
        bend_costs_.push_back(costs_[i]);
        bend_crossings_.push_back(crossings_[i]);
    }
    bend_costs_.push_back(costs_.back());
}

// Sets the crossings of all portals: straight from bend to bend, clamped to the portals.
void CorridorPath::place_bends() {
    int64_t after = -1;
    Point from = start_.flat();
    for (size_t b = 0; b < bends_.size(); ++b) {
        const Point to = segments_[b].at(bend_crossings_[b]);
        const auto portal = static_cast<int64_t>(bends_[b]);
        crossings_[bends_[b]] = bend_crossings_[b];
        cross_portals(after, from, portal, to);
        after = portal;
        from = to;
    }
    cross_portals(after, from, static_cast<int64_t>(portals_.size()), goal_.flat());
}

void CorridorPath::optimise_crossing_points() {
    if (std::all_of(costs_.begin(), costs_.end(), [&](double c) { return c == costs_.front(); })) return;
    load_bends();
    solver_.newton({start_.flat(), goal_.flat(), segments_, bend_costs_}, bend_crossings_,
                   {.tolerance = kOptimalityGap, .primed = bend_crossings_.size()});
    previous_crossings_ = crossings_;
    place_bends();
    const CorridorMeasure optimised = measure_path();
    if (optimised.cost < measure_.cost) {
        measure_ = optimised;
    } else {
        crossings_.swap(previous_crossings_);
    }
}

// True at the ends of off-mesh connections.
bool CorridorPath::is_fixed(size_t portal) const {
    const Portal& p = portals_[portal];
    return p.left.x == p.right.x && p.left.y == p.right.y && p.left.z == p.right.z;
}

void CorridorPath::points(bool crossings, std::vector<Vec3>& out) const {
    out.push_back(to_vec3(start_));
    const auto add = [&](const MeshPoint& s) {
        const Vec3 v = to_vec3(s);
        if (v != out.back()) out.push_back(v);
    };
    MeshPoint from = start_;
    for (size_t i = 0; i < portals_.size(); ++i) {
        const MeshPoint at = crossing_point(i), to = i + 1 < portals_.size() ? crossing_point(i + 1) : goal_;
        const Point before = at.flat() - from.flat(), after = to.flat() - at.flat();
        const double size = length(before) * length(after);
        const bool bends = std::abs(cross(before, after)) > kStraightSine * size || (dot(before, after) < 0 && size > 0);
        if (crossings || bends || is_fixed(i)) add(at);
        if (size > 0 || is_fixed(i)) from = at;
    }
    add(goal_);
}

size_t CorridorPath::bytes() const {
    const size_t numbers =
        costs_.capacity() + crossings_.capacity() + previous_crossings_.capacity() + bend_costs_.capacity() + bend_crossings_.capacity();
    return portals_.capacity() * sizeof(Portal) + numbers * sizeof(double) + bends_.capacity() * sizeof(size_t) +
           segments_.capacity() * sizeof(Segment) + solver_.bytes();
}

}  // namespace terrane
