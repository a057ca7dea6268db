// Piecewise linear lower bounds over the boundaries of a subdivision, for proven_search.h. Knots divide boundaries into intervals. Each
// knot has two values; interpolated over an interval, they are lower bounds on the cost from the start and from the goal. Intervals that no
// path within the limit can touch are dead.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/weighted_regions/subdivision.h"
#include "weighted_regions/interval_bounds.h"

namespace terrane::detail {

class IntervalMap {
public:
    struct Knot {
        Point at;
        double place = 0;  // on the boundary, 0 to 1
        uint32_t boundary = 0;
    };

    // Makes one interval of every boundary between passable polygons, or more where start or goal lie on it.
    void build(const Subdivision& subdivision, std::span<const Point> ends);

    const Subdivision& subdivision() const { return *subdivision_; }
    const Subdivision::Boundary& boundary(uint32_t interval) const { return subdivision_->boundaries()[knots_[interval].boundary]; }

    // Interval i lies between knots i and i + 1; the intervals of a boundary are consecutive. The last knot starts none.
    size_t size() const { return knots_.size(); }
    const Knot& knot(uint32_t k) const { return knots_[k]; }
    uint32_t first(uint32_t boundary) const { return first_[boundary]; }
    uint32_t end(uint32_t boundary) const { return first_[boundary + 1]; }
    bool is_live(uint32_t i) const { return i < live_.size() && live_[i] != 0; }
    void kill(uint32_t i) { live_[i] = 0; }
    size_t count_live() const;

    double width(uint32_t i) const { return (knots_[i + 1].place - knots_[i].place) * boundary_lines_[knots_[i].boundary].length; }
    double cost_along(uint32_t i) const { return boundary_lines_[knots_[i].boundary].cost; }
    Point middle(uint32_t i) const { return 0.5 * (knots_[i].at + knots_[i + 1].at); }

    // values: by knot. losses: by interval, how much the search lowered the bound because f is curved. direction 0: from the start, 1: from
    // the goal.
    std::vector<double>& values(uint32_t direction) { return values_[direction]; }
    const std::vector<double>& values(uint32_t direction) const { return values_[direction]; }
    std::vector<double>& losses(uint32_t direction) { return losses_[direction]; }

    // The bound of an interval, no steeper than the cost of travelling along the boundary.
    IntervalBound bound(uint32_t i, uint32_t direction) const;

    // Halves the live intervals whose bounds have an estimated error above `tolerance`, unless rounding at values up to `max_value` makes
    // them too short. Removes dead intervals. Returns the number of halved intervals.
    size_t split(double tolerance, double max_value);

    // The rounding error of a value plus `cost` times a distance, including that of knots that are not exactly on their boundary.
    double allowance(double value, double cost) const;

    size_t bytes() const;

private:
    struct BoundaryLine {
        Point along;  // unit vector
        double length = 0;
        double cost = 0;  // of travelling along it: the cheaper side's
    };

    void cut(uint32_t boundary, std::span<const Point> ends);
    double error(uint32_t i) const;
    bool is_short(uint32_t i, double max_value) const;
    void copy_knot(uint32_t k);
    void halve(uint32_t i);

    const Subdivision* subdivision_ = nullptr;
    double size_ = 0;  // largest coordinate magnitude
    std::vector<BoundaryLine> boundary_lines_;
    std::vector<uint32_t> first_;  // by boundary
    std::vector<Knot> knots_;
    std::vector<uint8_t> live_;
    std::array<std::vector<double>, 2> values_, losses_;
    // Under construction in split().
    std::vector<Knot> next_knots_;
    std::vector<uint8_t> next_live_;
    std::array<std::vector<double>, 2> next_values_, next_losses_;
};

}  // namespace terrane::detail
