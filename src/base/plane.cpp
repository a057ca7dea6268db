#include "terrane/base/plane.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace terrane {

namespace {

constexpr double kHalfUlp = std::numeric_limits<double>::epsilon() / 2;
constexpr double kFilter = (3 + 16 * kHalfUlp) * kHalfUlp;  // Shewchuk's error bound for the floating-point determinant

// Shewchuk's expansion: an exact sum of non-overlapping doubles, smallest first.
class Expansion {
public:
    void add(double value) {
        for (size_t i = 0; i < count_; ++i) {
            const double sum = value + parts_[i];
            const double shared = sum - value;
            parts_[i] = (value - (sum - shared)) + (parts_[i] - shared);
            value = sum;
        }
        parts_[count_++] = value;
    }

    void add_product(double a, double b) {
        const auto [a_high, a_low] = split(a);
        const auto [b_high, b_low] = split(b);
        const double product = a * b;
        add(a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low));
        add(product);
    }

    int sign() const {
        for (size_t i = count_; i-- > 0;) {
            if (parts_[i] != 0) return parts_[i] > 0 ? 1 : -1;
        }
        return 0;
    }

private:
    struct Halves {
        double high, low;
    };
    // Splits a double into two of 26 bits, whose products are exact.
    static Halves split(double a) {
        const double scaled = 134217729.0 * a;
        const double high = scaled - (scaled - a);
        return {high, a - high};
    }

    std::array<double, 12> parts_{};
    size_t count_ = 0;
};

int turn_exactly(Point a, Point b, Point c) {
    Expansion sum;
    sum.add_product(a.x, b.y);
    sum.add_product(-a.y, b.x);
    sum.add_product(b.x, c.y);
    sum.add_product(-b.y, c.x);
    sum.add_product(c.x, a.y);
    sum.add_product(-c.y, a.x);
    return sum.sign();
}

}  // namespace

double nearest_place(const Segment& segment, Point p) {
    const Point along = segment.b - segment.a;
    const double squared = dot(along, along);
    return squared > 0 ? std::clamp(dot(p - segment.a, along) / squared, 0.0, 1.0) : 0;
}

int turn(Point a, Point b, Point c) {
    const double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x);
    const double det = left - right;
    if (std::abs(det) > kFilter * (std::abs(left) + std::abs(right))) return det > 0 ? 1 : -1;
    return turn_exactly(a, b, c);
}

}  // namespace terrane
