// The cells along an any-angle path (refraction.h).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "terrane/base/plane.h"
#include "terrane/grid/cell.h"

namespace terrane {

// Calls visit(cell) for every cell that the polyline crosses or touches, for some more than once. Does nothing for a single point.
template <class Visit>
void for_each_cell_along(std::span<const Point> points, Visit&& visit) {
    constexpr double kTouch = 1e-9;  // distance within which a cell counts as touched
    const auto floor_of = [](double v) { return static_cast<int32_t>(std::floor(v)); };
    for (size_t i = 1; i < points.size(); ++i) {
        Point a = points[i - 1], b = points[i];
        if (a.x > b.x) std::swap(a, b);
        const auto height = [&](double x) { return b.x > a.x ? a.y + std::clamp((x - a.x) / (b.x - a.x), 0.0, 1.0) * (b.y - a.y) : a.y; };
        for (int32_t x = floor_of(a.x - kTouch); x <= floor_of(b.x + kTouch); ++x) {
            const double in = height(x - kTouch), out = b.x > a.x ? height(x + 1 + kTouch) : b.y;
            for (int32_t y = floor_of(std::min(in, out) - kTouch); y <= floor_of(std::max(in, out) + kTouch); ++y) visit(Cell{x, y});
        }
    }
}

}  // namespace terrane
