// The crossing point of one boundary by Snell's law: by the roots of its quartic, or by the zero of the derivative.
#include <algorithm>
#include <cmath>

#include "base/bp_solver.h"

namespace terrane {

namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();
constexpr int kMaxHalvings = 200;  // including Newton steps; an interval of doubles is exhausted sooner

// The zero of a function that is monotonic from `low` to `high` and has opposite signs there: Newton steps, bisection if they leave the
// interval or converge slowly. `evaluate(x, slope)` returns the value.
template <class Evaluate>
double zero_between(double low, double high, bool rising, Evaluate&& evaluate) {
    double x = 0.5 * (low + high), width = high - low;
    for (int i = 0; i < kMaxHalvings; ++i) {
        double slope = 0;
        const double value = evaluate(x, slope);
        if (value == 0) return x;
        ((value < 0) == rising ? low : high) = x;
        const double newton = x - value / slope, half = 0.5 * (low + high);
        const bool good = newton > low && newton < high && 2 * std::abs(newton - x) < width;
        width = good ? std::abs(newton - x) : 0.5 * (high - low);
        const double next = good ? newton : half;
        if (next == x || half <= low || half >= high) return next;
        x = next;
    }
    return x;
}

struct Polynomial {
    std::array<double, 5> w{};
    int degree = 4;

    double value(double x) const {
        double sum = 0;
        for (int i = degree; i >= 0; --i) sum = sum * x + w[static_cast<size_t>(i)];
        return sum;
    }
    double slope(double x) const {
        double sum = 0;
        for (int i = degree; i >= 1; --i) sum = sum * x + i * w[static_cast<size_t>(i)];
        return sum;
    }
    // Whether the value is 0 up to rounding.
    bool vanishes(double x) const {
        double size = 0;
        for (int i = degree; i >= 0; --i) size = size * std::abs(x) + std::abs(w[static_cast<size_t>(i)]);
        return std::abs(value(x)) <= 16 * kRounding * size;
    }
    Polynomial derivative() const {
        Polynomial d;
        d.degree = degree - 1;
        for (int i = 1; i <= degree; ++i) d.w[static_cast<size_t>(i - 1)] = i * w[static_cast<size_t>(i)];
        return d;
    }
};

// Between the roots of its derivative a polynomial is monotonic: at most one root in each of those intervals.
QuarticRoots roots_of(const Polynomial& p, double low, double high) {
    QuarticRoots found;
    if (p.degree == 0) return found;
    const QuarticRoots turns = roots_of(p.derivative(), low, high);
    const auto add = [&](double x) {
        if (found.count < found.roots.size()) found.roots[found.count++] = x;
    };
    double from = low;
    bool zero_at_from = p.vanishes(low);
    if (zero_at_from) add(low);
    for (size_t i = 0; i <= turns.count; ++i) {
        const double to = i < turns.count ? turns.roots[i] : high;
        if (to <= from) continue;
        const bool zero_at_to = p.vanishes(to);
        const double left = p.value(from), right = p.value(to);
        if (!zero_at_from && !zero_at_to && (left < 0) != (right < 0)) {
            add(zero_between(from, to, left < 0, [&](double x, double& slope) {
                slope = p.slope(x);
                return p.value(x);
            }));
        }
        if (zero_at_to) add(to);
        from = to;
        zero_at_from = zero_at_to;
    }
    return found;
}

// A crossing in units of the boundary's length: the projections of the two points onto its line, and their distances from it.
struct Crossing {
    double before = 0, before_off = 0, before_cost = 0;
    double after = 0, after_off = 0, after_cost = 0;

    double cost(double t) const { return before_cost * length({t - before, before_off}) + after_cost * length({t - after, after_off}); }
    double slope(double t, double& curvature) const {
        curvature = 0;
        return part(t - before, before_off, before_cost, curvature) + part(t - after, after_off, after_cost, curvature);
    }

private:
    static double part(double x, double off, double weight, double& curvature) {
        const double d = length({x, off});
        if (d == 0) return 0;
        curvature += weight * (off / d) * (off / d) / d;
        return weight * (x / d);
    }
};

bool make_crossing(const Segment& boundary, Point before, double cost_before, Point after, double cost_after, Crossing& out) {
    const Point along = boundary.b - boundary.a;
    const double squared = dot(along, along);
    if (!(squared > 0)) return false;
    const Point b = before - boundary.a, a = after - boundary.a;
    out = {dot(b, along) / squared, std::abs(cross(b, along)) / squared, cost_before,
           dot(a, along) / squared, std::abs(cross(a, along)) / squared, cost_after};
    return true;
}

}  // namespace

QuarticRoots quartic_roots(const std::array<double, 5>& w, double low, double high) {
    Polynomial p{w, 4};
    while (p.degree > 0 && p.w[static_cast<size_t>(p.degree)] == 0) --p.degree;
    return roots_of(p, low, high);
}

// With x measured from the first projection and e the second: C x / |(x, p)| = D (e - x) / |(e - x, q)|, squared. Squaring adds roots that
// are not zeros of the derivative, so the costs decide.
double crossing_by_quartic(const Segment& boundary, Point before, double cost_before, Point after, double cost_after) {
    Crossing c;
    if (!make_crossing(boundary, before, cost_before, after, cost_after, c)) return 0;
    const double e = c.after - c.before, ratio = cost_after / cost_before, rr = ratio * ratio;
    const double pp = c.before_off * c.before_off, qq = c.after_off * c.after_off;
    const std::array<double, 5> w{-rr * e * e * pp, 2 * e * rr * pp, (e * e + qq) - rr * (e * e + pp), -2 * e * (1 - rr), 1 - rr};
    double best = 0, best_cost = c.cost(0);
    const auto consider = [&](double t) {
        const double cost = c.cost(t);
        if (cost < best_cost) best = t, best_cost = cost;
    };
    const QuarticRoots roots = quartic_roots(w, std::min(0.0, e), std::max(0.0, e));
    for (const double x : roots.all()) consider(std::clamp(c.before + x, 0.0, 1.0));
    consider(std::clamp(c.before, 0.0, 1.0));  // if both points are on the boundary's line, the derivative jumps there
    consider(std::clamp(c.after, 0.0, 1.0));
    consider(1);
    return best;
}

double crossing_by_slope(const Segment& boundary, Point before, double cost_before, Point after, double cost_after) {
    Crossing c;
    if (!make_crossing(boundary, before, cost_before, after, cost_after, c)) return 0;
    double curvature = 0;
    if (c.slope(0, curvature) >= 0) return 0;
    if (c.slope(1, curvature) <= 0) return 1;
    return zero_between(0, 1, true, [&](double t, double& slope) { return c.slope(t, slope); });
}

}  // namespace terrane
