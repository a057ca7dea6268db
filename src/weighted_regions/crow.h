// As the crow flies: what every search over a subdivision knows before it begins.
#pragma once
#include <algorithm>

#include "terrane/weighted_regions/open_path.h"

namespace terrane::detail {

// Of a unit of the way through the cheapest passable polygon; infinite where all are blocked.
inline double cheapest_cost(const Subdivision& field) {
    double least = kBlockedCost;
    for (const double cost : field.polygons().costs) least = std::min(least, cost);
    return least;
}

// No path from `from` to `to` costs less. Rounded down by more than the four roundings it takes.
inline double crow_bound(const Subdivision& field, Point from, Point to) {
    return cheapest_cost(field) * distance(from, to) * (1 - 0x1p-50);
}

// Leaves out points that are where the one before is, but not the goal: two are left at least.
inline void drop_repeated(std::vector<Point>& points) {
    size_t kept = 1;
    for (size_t i = 1; i < points.size(); ++i) {
        if (points[i] != points[kept - 1]) points[kept++] = points[i];
    }
    if (kept == 1) points[kept++] = points.back();
    points.resize(kept);
}

// What a path costs whose stretches sum up to `sum`, each in its own polygon: less, where one runs along a rim with cheaper ground beyond.
inline double cost_of_stretches(const Subdivision& field, std::span<const Point> points, double sum) {
    return std::min(sum, open_path_cost(field, points));
}

}  // namespace terrane::detail
