#include "weighted_regions/polygon_checks.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "weighted_regions/vertex_welder.h"

namespace terrane::detail {

namespace {

Result<void> check_sizes(const PolygonSet& set) {
    const auto too_many = [](size_t count, const char* what, size_t most) {
        return refuse_polygons(ErrorCode::kTooLarge, std::to_string(count) + " " + what + ": at most " + std::to_string(most));
    };
    if (set.vertices.size() > kMaxSubdivisionVertices) return too_many(set.vertices.size(), "vertices", kMaxSubdivisionVertices);
    if (set.corners.size() > kMaxSubdivisionCorners) return too_many(set.corners.size(), "corners", kMaxSubdivisionCorners);
    if (set.costs.empty()) return bad_polygons("no polygons: expected at least one");
    if (set.ends.size() != set.costs.size()) return bad_polygons("expected as many costs as polygons");
    for (size_t p = 0; p < set.size(); ++p) {
        const size_t begin = p > 0 ? set.ends[p - 1] : 0;
        if (set.ends[p] < begin || set.ends[p] > set.corners.size())
            return bad_polygons("polygon " + std::to_string(p) + " has no corners");
        const size_t count = set.ends[p] - begin;
        if (count < 3) return bad_polygons("polygon " + std::to_string(p) + " has fewer than three corners");
        if (count > kMaxPolygonCorners) return too_many(count, ("corners of polygon " + std::to_string(p)).c_str(), kMaxPolygonCorners);
    }
    if (set.ends.back() != set.corners.size()) return bad_polygons("corners after the end of the last polygon");
    return {};
}

Result<void> check_vertices(const PolygonSet& set) {
    for (size_t v = 0; v < set.vertices.size(); ++v) {
        const Point p = set.vertices[v];
        if (!is_finite(p)) return bad_polygons("vertex " + std::to_string(v) + ": coordinates must be finite");
        if (std::max(std::abs(p.x), std::abs(p.y)) > kMaxSubdivisionCoordinate) {
            return bad_polygons("vertex " + std::to_string(v) + ": coordinates must be at most 1e9 in magnitude");
        }
    }
    for (size_t p = 0; p < set.size(); ++p) {
        for (const uint32_t v : set.polygon(p)) {
            if (v >= set.vertices.size()) return bad_polygons(at_corner(p, v) + "no such vertex");
        }
        if (!(set.costs[p] > 0)) return bad_polygons("polygon " + std::to_string(p) + ": cost must be positive");
    }
    return {};
}

Result<Extent> measure(const PolygonSet& set) {
    Extent e{set.vertices[set.corners[0]], set.vertices[set.corners[0]], 0};
    for (const uint32_t v : set.corners) {
        const Point p = set.vertices[v];
        e.low = {std::min(e.low.x, p.x), std::min(e.low.y, p.y)};
        e.high = {std::max(e.high.x, p.x), std::max(e.high.y, p.y)};
    }
    const double size = std::max(e.high.x - e.low.x, e.high.y - e.low.y);
    const double furthest = std::max({std::abs(e.low.x), std::abs(e.low.y), std::abs(e.high.x), std::abs(e.high.y)});
    e.tolerance = kSubdivisionTolerance * size;
    if (!(std::min(e.high.x - e.low.x, e.high.y - e.low.y) > e.tolerance)) return bad_polygons("all corners are collinear");
    if (e.tolerance * 1e5 < furthest * kSubdivisionTolerance)
        return bad_polygons("the polygons are too small for their distance from the origin: move them closer to it");
    return e;
}

Result<void> check_duplicates(const PolygonSet& set, const Extent& extent) {
    VertexWelder welder(extent.tolerance, set.vertices.size());
    std::vector<uint8_t> used(set.vertices.size(), 0);
    for (const uint32_t v : set.corners) used[v] = 1;
    std::vector<uint32_t> vertex_of;  // by the welder's index
    vertex_of.reserve(set.vertices.size());
    for (uint32_t v = 0; v < set.vertices.size(); ++v) {
        if (used[v] == 0) continue;
        const uint32_t number = welder.add(set.vertices[v]);
        if (number < vertex_of.size()) {
            return bad_polygons("vertices " + std::to_string(vertex_of[number]) + " and " + std::to_string(v) + " coincide");
        }
        vertex_of.push_back(v);
    }
    return {};
}

}  // namespace

std::string at_corner(size_t polygon, uint32_t vertex) {
    return "polygon " + std::to_string(polygon) + ", vertex " + std::to_string(vertex) + ": ";
}

Result<Extent> check_set(const PolygonSet& set) {
    if (const auto ok = check_sizes(set); !ok) return ok.error();
    if (const auto ok = check_vertices(set); !ok) return ok.error();
    auto extent = measure(set);
    if (!extent) return extent;
    if (const auto ok = check_duplicates(set, *extent); !ok) return ok.error();
    return extent;
}

Result<void> check_polygon(const PolygonSet& set, size_t polygon, double tolerance) {
    const auto ring = set.polygon(polygon);
    const size_t n = ring.size();
    const auto at = [&](size_t i) { return set.vertices[ring[i % n]]; };
    std::vector<uint32_t> sorted(ring.begin(), ring.end());
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
        return bad_polygons(at_corner(polygon, *twice) + "the polygon uses the vertex more than once");
    }
    Point lowest = at(0);
    double doubled = 0, around = 0;
    for (size_t i = 0; i < n; ++i) {
        if (std::pair(at(i).y, at(i).x) < std::pair(lowest.y, lowest.x)) lowest = at(i);
        doubled += cross(at(i) - at(0), at(i + 1) - at(0));
        around += distance(at(i), at(i + 1));
    }
    if (std::abs(doubled) <= tolerance * around) return bad_polygons(at_corner(polygon, ring[0]) + "the polygon has no area");
    if (doubled < 0) return bad_polygons(at_corner(polygon, ring[0]) + "the polygon is clockwise");
    for (size_t i = 0; i < n; ++i) {
        const Point in = at(i + 1) - at(i), out = at(i + 2) - at(i + 1);
        const double bulge = cross(in, out) / length(at(i + 2) - at(i));
        if (!(bulge >= -tolerance) || (bulge <= tolerance && dot(in, out) < 0)) {
            return bad_polygons(at_corner(polygon, ring[(i + 1) % n]) + "the polygon is not convex");
        }
        // Only left turns, but the lowest corner is outside a side: the polygon winds more than once.
        if (cross(in, lowest - at(i)) < -tolerance * length(in))
            return bad_polygons(at_corner(polygon, ring[i]) + "the polygon crosses itself");
    }
    return {};
}

}  // namespace terrane::detail
