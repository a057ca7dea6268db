#include "weighted_regions/interval_lines.h"

#include <algorithm>
#include <cmath>

namespace terrane::detail {

namespace {

constexpr double kNear = 8;  // allowances

}  // namespace

Beam::Beam(const IntervalLine& from, double cost)
    : a_(from.segment.a), b_(from.segment.b), along_(from.along), width_(from.width), at_a_(from.at_a), at_b_(from.at_b), cost_(cost) {
    lambda_ = std::clamp(from.slope(), -cost, cost);
    kappa_ = std::sqrt((cost - lambda_) * (cost + lambda_));
}

Beam::Beam(Point from, double cost) : a_(from), b_(from), along_{1, 0}, cost_(cost), kappa_(cost) {}

// 1 where the polygon is to the left of I, -1 to the right.
double Beam::side_of(const IntervalLine& to) const {
    return cross(along_, to.segment.a - a_) + cross(along_, to.segment.b - a_) < 0 ? -1 : 1;
}

Beam::Sight Beam::cone(double value, Point way, Point along) const {
    const double far = length(way);
    return {value + cost_ * far, far > 0 ? cost_ / far * dot(way, along) : 0, value, far};
}

// Not for ends that are shared.
Beam::Sight Beam::sight(Point q, Point along, double side) const {
    const Point way = q - a_;
    const double x = dot(way, along_), y = std::max(0.0, side * cross(along_, way));
    // Where both are 0, Q is in line with I, and the line is as steep as can be: the lower end is the better one.
    const double place = x * kappa_, angle = y * lambda_;
    if (place < angle || (place == angle && lambda_ >= 0)) return cone(at_a_, way, along);
    if ((x - width_) * kappa_ >= angle) return cone(at_b_, q - b_, along);
    return {at_a_ + lambda_ * x + kappa_ * y, lambda_ * dot(along_, along) + side * kappa_ * cross(along_, along),
            at_a_ + lambda_ * (x - y * (lambda_ / kappa_))};
}

double Beam::reach(Point q) const { return sight(q, along_, cross(along_, q - a_) < 0 ? -1 : 1).value; }

// At an end that is shared: there f has the line's own value, and is linear near it, since all lengths shrink alike.
Beam::Sight Beam::vertex_sight(const IntervalLine& to, bool at_b) const {
    const bool from_a = (at_b ? to.segment.b : to.segment.a) == a_;
    const double from_sign = from_a ? 1 : -1, to_sign = at_b ? -1 : 1;
    const double lambda = from_sign * lambda_, cosine = from_sign * to_sign * dot(along_, to.along);
    const bool straight = width_ == 0 || lambda >= cost_ * cosine;
    const double rise = straight ? cost_ : lambda * cosine + kappa_ * std::abs(cross(along_, to.along));
    const double value = from_a ? at_a_ : at_b_;
    return {value, to_sign * rise, value};
}

// Where on `to` the cone around `apex` has the slope.
double Beam::place_of_slope(const IntervalLine& to, Point apex, double slope) const {
    const Point way = apex - to.segment.a;
    const double rest = std::sqrt(std::max((cost_ - slope) * (cost_ + slope), 1e-30 * cost_ * cost_));
    return std::clamp(dot(way, to.along) + std::abs(cross(way, to.along)) * (slope / rest), 0.0, to.width);
}

// The same off both ends, or the next tangent would have another slope, and take off more.
Beam::Ends Beam::extend(const IntervalLine& to, const Sight& at, double place, double allowance) const {
    const double rest = to.width - place, less = allowance * (1 + std::max(place, rest) / at.reach);
    return {at.value - at.slope * place - less, at.value + at.slope * rest - less, at.from};
}

// The tangent of f that has the slope, or comes nearest to it.
Beam::Ends Beam::tangent(const IntervalLine& to, const Sight& at_a, const Sight& at_b, double slope, double allowance) const {
    if (at_a.slope >= slope) return extend(to, at_a, 0, allowance);
    if (at_b.slope <= slope) return extend(to, at_b, to.width, allowance);
    const double side = side_of(to), place = place_of_slope(to, a_, slope), other_place = place_of_slope(to, b_, slope);
    const auto look = [&](double p) { return p <= 0 ? at_a : p >= to.width ? at_b : sight(to.segment.a + p * to.along, to.along, side); };
    const Sight at = look(place), other = look(other_place);
    const bool first = at.value - slope * place <= other.value - slope * other_place;
    return first ? extend(to, at, place, allowance) : extend(to, other, other_place, allowance);
}

Beam::Arrival Beam::arrive(const IntervalLine& to, double slope, double allowance) const {
    const bool share_a = shares(to.segment.a), share_b = shares(to.segment.b);
    const double side = side_of(to);
    const Sight a = share_a ? vertex_sight(to, false) : sight(to.segment.a, to.along, side);
    const Sight b = share_b ? vertex_sight(to, true) : sight(to.segment.b, to.along, side);
    const Ends ends = tangent(to, a, b, -slope, allowance);
    return {a.value - (share_a ? 0 : allowance), b.value - (share_b ? 0 : allowance), std::min(ends.a, ends.b + slope * to.width)};
}

// How far along `to` the line from its lower end, at `value`, touches the cone around an end of I. With D for the distance between the two
// ends, (x, y) for the apex' place along `to` and off it, k for how far it is above `value`, and E^2 = c^2 D^2 - k^2: E D^2 / (x E - k y).
double Beam::way_to_touch(const IntervalLine& to, double value, bool b) const {
    const bool from_a = to.at_a <= to.at_b;
    const Point way = (b ? b_ : a_) - (from_a ? to.segment.a : to.segment.b);
    const double x = from_a ? dot(way, to.along) : -dot(way, to.along), y = std::abs(cross(way, to.along));
    const double reach = cost_ * length(way), k = (b ? at_b_ : at_a_) - value;
    const double e = std::sqrt(std::max(0.0, (reach - k) * (reach + k))), divisor = x * e - y * k;
    const double touch = e * dot(way, way);
    return touch > 0 && touch < divisor * to.width * (1 - 1e-9) ? touch / divisor : to.width;
}

// The tangent of f through the lower end of `to`, or a bit above it; at the other end where it would touch f only beyond.
Beam::Ends Beam::pivot(const IntervalLine& to, const Sight& low_end, const Sight& far_end, double allowance) const {
    const bool from_a = to.at_a <= to.at_b;
    const double value = std::min(to.at_a, to.at_b) + 2 * allowance, side = side_of(to);
    if (low_end.value <= value) return extend(to, low_end, from_a ? 0 : to.width, allowance);
    Sight best = far_end;
    double best_way = to.width, slope = (far_end.value - value) / to.width;
    for (const bool b : {false, true}) {
        const double way = way_to_touch(to, value, b), place = from_a ? way : to.width - way;
        if (way == to.width) continue;
        const Sight at = sight(to.segment.a + place * to.along, to.along, side);
        if (at.value - value >= slope * way) continue;
        slope = (at.value - value) / way;
        best = at, best_way = way;
    }
    return extend(to, best, from_a ? best_way : to.width - best_way, allowance);
}

// At an end that is shared f has the line's own value: what rounding and the allowance took off there is given back. f being convex, a line
// from there is below it if it is no steeper than f is there.
void Beam::snap(const IntervalLine& to, const Sight& at_a, const Sight& at_b, double allowance, Ends& ends) const {
    const double near = kNear * allowance;
    if (shares(to.segment.a) && ends.a > at_a.value - near) {
        ends.a = at_a.value;
        ends.b = std::min(ends.b, at_a.value + at_a.slope * to.width - allowance);
    }
    if (shares(to.segment.b) && ends.b > at_b.value - near) {
        ends.b = at_b.value;
        ends.a = std::min(ends.a, at_b.value - at_b.slope * to.width - allowance);
    }
}

bool Beam::lower(IntervalLine& to, double allowance) const {
    if (floor() >= std::max(to.at_a, to.at_b)) return false;
    const double side = side_of(to), low = std::min(to.at_a, to.at_b);
    const Sight a = shares(to.segment.a) ? vertex_sight(to, false) : sight(to.segment.a, to.along, side);
    const Sight b = shares(to.segment.b) ? vertex_sight(to, true) : sight(to.segment.b, to.along, side);
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
