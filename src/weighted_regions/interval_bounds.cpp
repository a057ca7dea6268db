#include "weighted_regions/interval_bounds.h"

#include <algorithm>
#include <cmath>

namespace terrane::detail {

namespace {

constexpr double kSnapAllowances = 8;

}  // namespace

Beam::Beam(const IntervalBound& from, double cost)
    : a_(from.segment.a), b_(from.segment.b), along_(from.along), width_(from.width), at_a_(from.at_a), at_b_(from.at_b), cost_(cost) {
    lambda_ = std::clamp(from.slope(), -cost, cost);
    kappa_ = std::sqrt((cost - lambda_) * (cost + lambda_));
}

Beam::Beam(Point from, double cost) : a_(from), b_(from), along_{1, 0}, cost_(cost), kappa_(cost) {}

// 1 if the polygon is to the left of I, -1 if to the right.
double Beam::side_of(const IntervalBound& to) const {
    return cross(along_, to.segment.a - a_) + cross(along_, to.segment.b - a_) < 0 ? -1 : 1;
}

Beam::Sample Beam::sample_cone(double value, Point offset, Point along) const {
    const double far = length(offset);
    return {value + cost_ * far, far > 0 ? cost_ / far * dot(offset, along) : 0, value, far};
}

// For shared ends use sample_shared_end.
Beam::Sample Beam::sample(Point q, Point along, double side) const {
    const Point offset = q - a_;
    const double x = dot(offset, along_), y = std::max(0.0, side * cross(along_, offset));
    // If both are 0, Q is collinear with I and the bound is as steep as possible: the lower end is better.
    const double place = x * kappa_, angle = y * lambda_;
    if (place < angle || (place == angle && lambda_ >= 0)) return sample_cone(at_a_, offset, along);
    if ((x - width_) * kappa_ >= angle) return sample_cone(at_b_, q - b_, along);
    return {at_a_ + lambda_ * x + kappa_ * y, lambda_ * dot(along_, along) + side * kappa_ * cross(along_, along),
            at_a_ + lambda_ * (x - y * (lambda_ / kappa_))};
}

double Beam::reach(Point q) const { return sample(q, along_, cross(along_, q - a_) < 0 ? -1 : 1).value; }

// At a shared end, f equals I's bound, and it is linear nearby, since all lengths scale alike.
Beam::Sample Beam::sample_shared_end(const IntervalBound& to, bool at_b) const {
    const bool from_a = (at_b ? to.segment.b : to.segment.a) == a_;
    const double from_sign = from_a ? 1 : -1, to_sign = at_b ? -1 : 1;
    const double lambda = from_sign * lambda_, cosine = from_sign * to_sign * dot(along_, to.along);
    const bool straight = width_ == 0 || lambda >= cost_ * cosine;
    const double rise = straight ? cost_ : lambda * cosine + kappa_ * std::abs(cross(along_, to.along));
    const double value = from_a ? at_a_ : at_b_;
    return {value, to_sign * rise, value};
}

// The position on `to` where the cone around `apex` has the slope.
double Beam::position_of_slope(const IntervalBound& to, Point apex, double slope) const {
    const Point offset = apex - to.segment.a;
    const double rest = std::sqrt(std::max((cost_ - slope) * (cost_ + slope), 1e-30 * cost_ * cost_));
    return std::clamp(dot(offset, to.along) + std::abs(cross(offset, to.along)) * (slope / rest), 0.0, to.width);
}

// Subtracts the same from both ends: otherwise the next tangent would have another slope and subtract more.
Beam::Ends Beam::extend(const IntervalBound& to, const Sample& at, double place, double allowance) const {
    const double rest = to.width - place, less = allowance * (1 + std::max(place, rest) / at.reach);
    return {at.value - at.slope * place - less, at.value + at.slope * rest - less, at.from};
}

// The tangent of f with the slope, or the slope nearest to it.
Beam::Ends Beam::tangent(const IntervalBound& to, const Sample& at_a, const Sample& at_b, double slope, double allowance) const {
    if (at_a.slope >= slope) return extend(to, at_a, 0, allowance);
    if (at_b.slope <= slope) return extend(to, at_b, to.width, allowance);
    const double side = side_of(to), place = position_of_slope(to, a_, slope), other_place = position_of_slope(to, b_, slope);
    const auto look = [&](double p) { return p <= 0 ? at_a : p >= to.width ? at_b : sample(to.segment.a + p * to.along, to.along, side); };
    const Sample at = look(place), other = look(other_place);
    const bool first = at.value - slope * place <= other.value - slope * other_place;
    return first ? extend(to, at, place, allowance) : extend(to, other, other_place, allowance);
}

Beam::Arrival Beam::arrive(const IntervalBound& to, double slope, double allowance) const {
    const bool share_a = shares(to.segment.a), share_b = shares(to.segment.b);
    const double side = side_of(to);
    const Sample a = share_a ? sample_shared_end(to, false) : sample(to.segment.a, to.along, side);
    const Sample b = share_b ? sample_shared_end(to, true) : sample(to.segment.b, to.along, side);
    const Ends ends = tangent(to, a, b, -slope, allowance);
    return {a.value - (share_a ? 0 : allowance), b.value - (share_b ? 0 : allowance), std::min(ends.a, ends.b + slope * to.width)};
}

// The distance along `to` at which the line from its lower end, at `value`, touches the cone around an end of I: E D^2 / (x E - k y), where
// D is the distance between the two ends, (x, y) the apex's position along and off `to`, k its height above `value`, E^2 = c^2 D^2 - k^2.
double Beam::distance_to_touch(const IntervalBound& to, double value, bool b) const {
    const bool from_a = to.at_a <= to.at_b;
    const Point offset = (b ? b_ : a_) - (from_a ? to.segment.a : to.segment.b);
    const double x = from_a ? dot(offset, to.along) : -dot(offset, to.along), y = std::abs(cross(offset, to.along));
    const double reach = cost_ * length(offset), k = (b ? at_b_ : at_a_) - value;
    const double e = std::sqrt(std::max(0.0, (reach - k) * (reach + k))), divisor = x * e - y * k;
    const double touch = e * dot(offset, offset);
    return touch > 0 && touch < divisor * to.width * (1 - 1e-9) ? touch / divisor : to.width;
}

// The tangent of f through the lower end of `to`, or slightly above it; through f at the far end if it would touch f only beyond that.
Beam::Ends Beam::pivot(const IntervalBound& to, const Sample& low_end, const Sample& far_end, double allowance) const {
    const bool from_a = to.at_a <= to.at_b;
    const double value = std::min(to.at_a, to.at_b) + 2 * allowance, side = side_of(to);
    if (low_end.value <= value) return extend(to, low_end, from_a ? 0 : to.width, allowance);
    Sample best = far_end;
    double best_distance = to.width, slope = (far_end.value - value) / to.width;
    for (const bool b : {false, true}) {
        const double touch_at = distance_to_touch(to, value, b), place = from_a ? touch_at : to.width - touch_at;
        if (touch_at == to.width) continue;
        const Sample at = sample(to.segment.a + place * to.along, to.along, side);
        if (at.value - value >= slope * touch_at) continue;
        slope = (at.value - value) / touch_at;
        best = at, best_distance = touch_at;
    }
    return extend(to, best, from_a ? best_distance : to.width - best_distance, allowance);
}

// At a shared end, f equals I's bound: restores what rounding and the allowance subtracted there. Since f is convex, a line from there is
// below f if it is no steeper than f at that end.
void Beam::snap(const IntervalBound& to, const Sample& at_a, const Sample& at_b, double allowance, Ends& ends) const {
    const double snap_distance = kSnapAllowances * allowance;
    if (shares(to.segment.a) && ends.a > at_a.value - snap_distance) {
        ends.a = at_a.value;
        ends.b = std::min(ends.b, at_a.value + at_a.slope * to.width - allowance);
    }
    if (shares(to.segment.b) && ends.b > at_b.value - snap_distance) {
        ends.b = at_b.value;
        ends.a = std::min(ends.a, at_b.value - at_b.slope * to.width - allowance);
    }
}

bool Beam::lower(IntervalBound& to, double allowance) const {
    if (floor() >= std::max(to.at_a, to.at_b)) return false;
    const double side = side_of(to), low = std::min(to.at_a, to.at_b);
    const Sample a = shares(to.segment.a) ? sample_shared_end(to, false) : sample(to.segment.a, to.along, side);
    const Sample b = shares(to.segment.b) ? sample_shared_end(to, true) : sample(to.segment.b, to.along, side);
    Ends ends = tangent(to, a, b, to.slope(), 0.5 * allowance);
    snap(to, a, b, 0.5 * allowance, ends);
    if (ends.a >= to.at_a && ends.b >= to.at_b) return false;
    ends = tangent(to, a, b, to.slope(), allowance);
    snap(to, a, b, allowance, ends);
    if (std::min(ends.a, ends.b) < std::min(low, ends.from)) {
        const Ends flat = tangent(to, a, b, 0, allowance);
        ends = std::min(flat.a, flat.b) < low ? flat : to.at_a <= to.at_b ? pivot(to, a, b, allowance) : pivot(to, b, a, allowance);
        snap(to, a, b, allowance, ends);
    }
    to.at_a = std::min(to.at_a, ends.a);
    to.at_b = std::min(to.at_b, ends.b);
    return true;
}

}  // namespace terrane::detail
