// Lines below the cost of reaching the points of an interval, and how they pass through a polygon to another interval.
//
// The least way over interval I, whose points cost `line` or more to reach, to a point Q through ground of cost c costs
//     f(Q) = min over P in I of line(P) + c |PQ|.
// With lambda for the slope of the line, the best P sees Q under the angle whose sine is lambda / c (Snell's law), or is an end of I. So f
// is convex; it is linear in the beam of parallel rays that leave I at that angle, and a cone around an end of I on either side of the
// beam. Any tangent of f is a line below the cost of getting to another interval by way of I.
#pragma once
#include <limits>

#include "terrane/base/plane.h"

namespace terrane::detail {

inline constexpr double kOutOfReach = std::numeric_limits<double>::infinity();

struct IntervalLine {
    Segment segment;
    Point along;  // of length 1, from a to b
    double width = 0;
    double at_a = kOutOfReach, at_b = kOutOfReach;

    double slope() const { return (at_b - at_a) / width; }
};

// What leaves an interval through one polygon. `allowance` is what a value may owe to rounding; it is taken off wherever f goes into a
// line.
class Beam {
public:
    // The line must be finite, and no steeper than `cost`.
    Beam(const IntervalLine& from, double cost);
    // From a point, reached for nothing.
    Beam(Point from, double cost);

    double cost() const { return cost_; }
    // Nothing is reached for less.
    double floor() const { return at_a_ < at_b_ ? at_a_ : at_b_; }
    // f.
    double reach(Point q) const;

    // At the ends of `to`, an interval on the polygon's rim; and over all of it the least of f plus a line that is 0 at a and has the
    // slope, which is at most `cost`.
    struct Arrival {
        double at_a = 0, at_b = 0;
        double least = 0;
    };
    Arrival arrive(const IntervalLine& to, double slope, double allowance) const;

    // Lowers the line of `to`, which must be finite, to below f, and tells whether it was not. To a tangent of f: the one that takes the
    // same off both ends, as long as the lower end stays above the line of I where that is seen from. Otherwise what is higher up would
    // pull down what it came from, and circles of intervals their own lines; then it is the tangent through the lower end or, where f is
    // below that, the one at the least of f. An end that the intervals share has the same value on both: no allowance is taken off there.
    bool lower(IntervalLine& to, double allowance) const;

private:
    // f at a point of `to`, and its slope along it.
    struct Sight {
        double value = 0;
        double slope = 0;
        double from = 0;             // the line's value at the best P
        double reach = kOutOfReach;  // rounding turns the slope by the allowance over so much of the way; never within the beam
    };
    // A line's ends.
    struct Ends {
        double a = 0, b = 0;
        double from = 0;  // of the sight
    };

    bool shares(Point q) const { return q == a_ || q == b_; }
    double side_of(const IntervalLine& to) const;
    Sight cone(double value, Point way, Point along) const;
    Sight sight(Point q, Point along, double side) const;
    Sight vertex_sight(const IntervalLine& to, bool at_b) const;
    double place_of_slope(const IntervalLine& to, Point apex, double slope) const;
    double way_to_touch(const IntervalLine& to, double value, bool b) const;
    Ends pivot(const IntervalLine& to, const Sight& low_end, const Sight& far_end, double allowance) const;
    void snap(const IntervalLine& to, const Sight& at_a, const Sight& at_b, double allowance, Ends& ends) const;
    Ends extend(const IntervalLine& to, const Sight& at, double place, double allowance) const;
    Ends tangent(const IntervalLine& to, const Sight& at_a, const Sight& at_b, double slope, double allowance) const;

    Point a_, b_, along_;
    double width_ = 0;
    double at_a_ = 0, at_b_ = 0;
    double cost_ = 0;
    double lambda_ = 0;  // the line's slope
    double kappa_ = 0;   // what f gains with the distance from I, within the beam
};

}  // namespace terrane::detail
