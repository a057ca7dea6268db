#include "navmesh/search/corridor.h"

#include <algorithm>
#include <cmath>

namespace terrane {
namespace {

// A bend of less than this (the sine of its angle) is none.
constexpr double kStraightSine = 1e-5;

// The gap to the best path in the corridor at which the solver may stop, as a share of the cost: far below what the choice of a corridor
// costs. On the longer half of the queries of `terrane bench navmesh`, paths cost the same on the mean (to 0.01%) at a third of this, and
// 0.04% more at three times as much.
constexpr double kRefractionGap = 3e-3;

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
        // Whichever way round the polygon's corners are given.
        if (cross(portal.left.flat() - centre, portal.right.flat() - centre) > 0) std::swap(portal.left, portal.right);
        portals_.push_back(portal);
    }
    places_.assign(portals_.size(), 0.5);
}

// Places on the portals between two corners, which are on the portals `after` (-1: the start) and `before` (their number: the goal).
void CorridorPath::cross_portals(int64_t after, const Point& from, int64_t before, const Point& to) {
    const Point way = to - from;
    for (int64_t i = after + 1; i < before; ++i) {
        const Portal& portal = portals_[static_cast<size_t>(i)];
        const double left = cross(way, portal.left.flat() - from), right = cross(way, portal.right.flat() - from);
        const Segment segment{portal.left.flat(), portal.right.flat()};
        places_[static_cast<size_t>(i)] = left != right ? std::clamp(left / (left - right), 0.0, 1.0) : nearest_place(segment, to);
    }
}

// The simple funnel: an apex, and the two sides that the portals since leave open. Where a side crosses the other, that one's end is a
// corner of the path, and the funnel begins there anew.
void CorridorPath::funnel() {
    const auto count = static_cast<int64_t>(portals_.size());
    struct Side {
        Point end;
        int64_t portal = -1;
    };
    Side apex{start_.flat()}, left = apex, right = apex;
    const auto turn_at = [&](const Side& corner, double place) {
        cross_portals(apex.portal, apex.end, corner.portal, corner.end);
        if (corner.portal < count) places_[static_cast<size_t>(corner.portal)] = place;  // the goal has no portal
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
        const MeshPoint to = i < portals_.size() ? spot(i) : goal_;
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

// Whether the path may bend at a portal: where costs differ, at its ends, and at an off-mesh connection.
bool CorridorPath::may_bend(size_t portal) const {
    return costs_[portal] != costs_[portal + 1] || places_[portal] <= 0 || places_[portal] >= 1 || is_fixed(portal);
}

// What is left of the corridor when the portals are forgotten that the straight path just passes through. With all of them, on the longer
// half of the queries of `terrane bench navmesh`, a query takes a quarter longer, and its path costs 0.025% less.
void CorridorPath::load_bends() {
    bends_.clear();
    segments_.clear();
    bend_costs_.clear();
    bend_places_.clear();
    for (size_t i = 0; i < portals_.size(); ++i) {
        if (!may_bend(i)) continue;
        bends_.push_back(i);
        segments_.push_back({portals_[i].left.flat(), portals_[i].right.flat()});
        bend_costs_.push_back(costs_[i]);
        bend_places_.push_back(places_[i]);
    }
    bend_costs_.push_back(costs_.back());
}

// Back to all portals: straight from bend to bend, or as straight as they let it.
void CorridorPath::place_bends() {
    int64_t after = -1;
    Point from = start_.flat();
    for (size_t b = 0; b < bends_.size(); ++b) {
        const Point to = segments_[b].at(bend_places_[b]);
        const auto portal = static_cast<int64_t>(bends_[b]);
        places_[bends_[b]] = bend_places_[b];
        cross_portals(after, from, portal, to);
        after = portal;
        from = to;
    }
    cross_portals(after, from, static_cast<int64_t>(portals_.size()), goal_.flat());
}

void CorridorPath::refract() {
    if (std::all_of(costs_.begin(), costs_.end(), [&](double c) { return c == costs_.front(); })) return;
    load_bends();
    solver_.newton({start_.flat(), goal_.flat(), segments_, bend_costs_}, bend_places_,
                   {.tolerance = kRefractionGap, .primed = bend_places_.size()});
    other_places_ = places_;
    place_bends();
    const CorridorMeasure refracted = measure_path();
    if (refracted.cost < measure_.cost) {
        measure_ = refracted;
    } else {
        places_.swap(other_places_);
    }
}

// Of an off-mesh connection.
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
        const MeshPoint at = spot(i), to = i + 1 < portals_.size() ? spot(i + 1) : goal_;
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
        costs_.capacity() + places_.capacity() + other_places_.capacity() + bend_costs_.capacity() + bend_places_.capacity();
    return portals_.capacity() * sizeof(Portal) + numbers * sizeof(double) + bends_.capacity() * sizeof(size_t) +
           segments_.capacity() * sizeof(Segment) + solver_.bytes();
}

}  // namespace terrane
