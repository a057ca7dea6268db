// Linear lower bounds on the cost of reaching the points of an interval, and their propagation through a polygon to other intervals.
//
// Let `bound` be a lower bound on the cost of reaching the points of interval I. A path over I to a point Q, through a polygon of cost c,
// costs at least
//     f(Q) = min over P in I of bound(P) + c |PQ|.
// With slope lambda of the bound, the minimising P is an end of I or sends a ray to Q at the angle whose sine is lambda / c (Snell's law).
// So f is convex: linear in the beam of parallel rays that leave I at that angle, and a cone around an end of I on each side of the beam.
// Every tangent of f is a linear lower bound for another interval reached over I.
#pragma once
#include <limits>

#include "terrane/base/plane.h"

namespace terrane::detail {

inline constexpr double kUnreachableCost = std::numeric_limits<double>::infinity();

struct IntervalBound {
    Segment segment;
    Point along;  // unit vector from a to b
    double width = 0;
    double at_a = kUnreachableCost, at_b = kUnreachableCost;

    double slope() const { return (at_b - at_a) / width; }
};

// Evaluates f for an interval I and one polygon. `allowance` bounds the rounding error of a value; it is subtracted wherever a bound is
// derived from f.
class Beam {
public:
    // The bound must be finite and no steeper than `cost`.
    Beam(const IntervalBound& from, double cost);
    // From a point with cost 0.
    Beam(Point from, double cost);

    double cost() const { return cost_; }
    // A lower bound of f.
    double floor() const { return at_a_ < at_b_ ? at_a_ : at_b_; }
    // f(q).
    double reach(Point q) const;

    // f at the ends of `to`, an interval of the polygon's boundaries, and the minimum over `to` of f plus the linear function that is 0 at
    // a and has the slope, whose magnitude is at most `cost`.
    struct Arrival {
        double at_a = 0, at_b = 0;
        double least = 0;
    };
    Arrival arrive(const IntervalBound& to, double slope, double allowance) const;

    // Lowers the bound of `to`, which must be finite, below f; returns false if it was there already. The new bound is a tangent of f: the
    // parallel to the old bound, as long as its lower end stays above I's bound at the P that determines it. Otherwise intervals of higher
    // cost would lower the intervals that they were reached from, and cycles of intervals their own bounds; then it is the tangent through
    // the lower end or, where f is below that, the tangent at the minimum of f. An end that both intervals share has the same value in
    // both: no allowance is subtracted there.
    bool lower(IntervalBound& to, double allowance) const;

private:
    // f at a point of `to`, and its slope along `to`.
    struct Sample {
        double value = 0;
        double slope = 0;
        double from = 0;                  // I's bound at the minimising P
        double reach = kUnreachableCost;  // |PQ|: rounding tilts the slope by allowance / reach; infinite in the beam
    };
    // The ends of a bound.
    struct Ends {
        double a = 0, b = 0;
        double from = 0;  // of the sample
    };

    bool shares(Point q) const { return q == a_ || q == b_; }
    double side_of(const IntervalBound& to) const;
    Sample sample_cone(double value, Point offset, Point along) const;
    Sample sample(Point q, Point along, double side) const;
    Sample sample_shared_end(const IntervalBound& to, bool at_b) const;
    double position_of_slope(const IntervalBound& to, Point apex, double slope) const;
    double distance_to_touch(const IntervalBound& to, double value, bool b) const;
    Ends pivot(const IntervalBound& to, const Sample& low_end, const Sample& far_end, double allowance) const;
    void snap(const IntervalBound& to, const Sample& at_a, const Sample& at_b, double allowance, Ends& ends) const;
    Ends extend(const IntervalBound& to, const Sample& at, double place, double allowance) const;
    Ends tangent(const IntervalBound& to, const Sample& at_a, const Sample& at_b, double slope, double allowance) const;

    Point a_, b_, along_;
    double width_ = 0;
    double at_a_ = 0, at_b_ = 0;
    double cost_ = 0;
    double lambda_ = 0;  // slope of I's bound
    double kappa_ = 0;   // slope of f with the distance from I, in the beam
};

}  // namespace terrane::detail
