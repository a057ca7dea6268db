// The boundaries of a subdivision, cut into intervals by knots, for proven_search.h. At each knot two values: lines between them are below
// the cost of reaching the points of an interval from the start, and from the goal. Intervals that no path worth finding touches are dead.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/weighted_regions/subdivision.h"
#include "weighted_regions/interval_lines.h"

namespace terrane::detail {

class IntervalMap {
public:
    struct Knot {
        Point at;
        double place = 0;  // on the boundary, 0 to 1
        uint32_t boundary = 0;
    };

    // Every boundary between passable polygons becomes an interval, or more where it has an end of the path on it.
    void build(const Subdivision& field, std::span<const Point> ends);

    const Subdivision& field() const { return *field_; }
    const Subdivision::Boundary& boundary(uint32_t interval) const { return field_->boundaries()[knots_[interval].boundary]; }

    // Interval i is between the knots i and i + 1; those of a boundary follow one another. The last knot of a boundary is that of no
    // interval.
    size_t size() const { return knots_.size(); }
    const Knot& knot(uint32_t k) const { return knots_[k]; }
    uint32_t first(uint32_t boundary) const { return first_[boundary]; }
    uint32_t end(uint32_t boundary) const { return first_[boundary + 1]; }
    bool is_live(uint32_t i) const { return i < live_.size() && live_[i] != 0; }
    void kill(uint32_t i) { live_[i] = 0; }
    size_t count_live() const;

    double width(uint32_t i) const { return (knots_[i + 1].place - knots_[i].place) * sides_[knots_[i].boundary].length; }
    double cost_along(uint32_t i) const { return sides_[knots_[i].boundary].cost; }
    Point middle(uint32_t i) const { return 0.5 * (knots_[i].at + knots_[i + 1].at); }

    // By knot; direction 0 from the start, 1 from the goal. By interval: how far a search had to lower its line for the way it bends.
    std::vector<double>& values(uint32_t direction) { return values_[direction]; }
    const std::vector<double>& values(uint32_t direction) const { return values_[direction]; }
    std::vector<double>& losses(uint32_t direction) { return losses_[direction]; }

    // No steeper than travelling along the boundary is dear.
    IntervalLine line(uint32_t i, uint32_t direction) const;

    // Halves the live intervals whose lines may be off by more than `tolerance`, where they are not too short for rounding at costs up to
    // `dearest`; forgets the dead ones. How many were halved.
    size_t split(double tolerance, double dearest);

    // What a value and a way may owe to rounding, knots that are not quite on their boundary included.
    double allowance(double value, double cost) const;

    size_t bytes() const;

private:
    struct Side {
        Point along;  // of length 1
        double length = 0;
        double cost = 0;  // of travelling along: that of the cheaper side
    };

    void cut(uint32_t boundary, std::span<const Point> ends);
    double error(uint32_t i) const;
    bool is_short(uint32_t i, double dearest) const;
    void keep(uint32_t k);
    void halve(uint32_t i);

    const Subdivision* field_ = nullptr;
    double size_ = 0;  // of coordinates
    std::vector<Side> sides_;
    std::vector<uint32_t> first_;  // by boundary
    std::vector<Knot> knots_;
    std::vector<uint8_t> live_;
    std::array<std::vector<double>, 2> values_, losses_;
    // The next ones, while they are made.
    std::vector<Knot> next_knots_;
    std::vector<uint8_t> next_live_;
    std::array<std::vector<double>, 2> next_values_, next_losses_;
};

}  // namespace terrane::detail
