// The straight-line bound on the cost of a path over a subdivision, and path helpers that all searches share.
#pragma once
#include <algorithm>

#include "terrane/weighted_regions/subdivision_path.h"

namespace terrane::detail {

// The lowest cost per unit length of a passable polygon; infinite if all are blocked.
inline double cheapest_cost(const Subdivision& subdivision) {
    double least = kBlockedCost;
    for (const double cost : subdivision.polygons().costs) least = std::min(least, cost);
    return least;
}

// A lower bound on the cost of every path from `from` to `to`; the last factor exceeds the error of the four roundings.
inline double straight_line_bound(const Subdivision& subdivision, Point from, Point to) {
    return cheapest_cost(subdivision) * distance(from, to) * (1 - 0x1p-50);
}

// Removes points that equal their predecessor. Start and goal stay: at least two points are left.
inline void drop_repeated(std::vector<Point>& points) {
    size_t kept = 1;
    for (size_t i = 1; i < points.size(); ++i) {
        if (points[i] != points[kept - 1]) points[kept++] = points[i];
    }
    if (kept == 1) points[kept++] = points.back();
    points.resize(kept);
}

// The cost of a path whose segments, each in its own polygon, add up to `sum`. Less than that if one runs along a boundary whose other side
// is cheaper.
inline double path_cost_of(const Subdivision& subdivision, std::span<const Point> points, double sum) {
    return std::min(sum, subdivision_path_cost(subdivision, points));
}

}  // namespace terrane::detail
