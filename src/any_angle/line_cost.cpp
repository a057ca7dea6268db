#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "terrane/any_angle/refraction.h"

namespace terrane {

namespace {

constexpr double kNoWay = std::numeric_limits<double>::infinity();
constexpr double kOnSide = 1e-9;  // cells: what is as near as this to a side or a corner is on it

// What a piece of the line lies in: a cell, or the two on either side of it.
struct Place {
    Cell cells[2];
};

// Walks along a line and adds up what it costs.
class Walker {
public:
    explicit Walker(const Ground& ground) : ground_(ground) {}

    double sum() const { return sum_; }

    // In one of the cells that the point is in or touches.
    bool can_stand(Point p) const {
        const auto open_at = [&](double x, double y) { return open(cell_at({p.x + x, p.y + y})); };
        return open_at(-kOnSide, -kOnSide) || open_at(kOnSide, -kOnSide) || open_at(-kOnSide, kOnSide) || open_at(kOnSide, kOnSide);
    }

    // Cut where it crosses the lines of the grid. What is cut off by next to nothing goes with the piece after it.
    void walk(Point a, Point b) {
        const double whole = distance(a, b);
        double t = 0, end = 0;
        for (Lines x(a.x, b.x), y(a.y, b.y); end < 1 && sum_ < kNoWay;) {
            end = std::min({x.next, y.next, 1.0});
            if (x.next <= end) x.advance();
            if (y.next <= end) y.advance();
            if ((end - t) * whole <= kOnSide) continue;
            enter(place_of(at(a, b, t), at(a, b, end)), (end - t) * whole);
            t = end;
        }
    }

private:
    // The lines that one coordinate crosses on its way, by the share of the way.
    struct Lines {
        Lines(double from, double to) : from_(from), way_(to - from), line_(way_ > 0 ? std::floor(from) : std::ceil(from)) { advance(); }
        void advance() {
            line_ += way_ > 0 ? 1 : -1;
            next = way_ == 0 ? kNoWay : (line_ - from_) / way_;
        }
        double next = 0;

    private:
        double from_, way_, line_;
    };

    static Point at(Point a, Point b, double t) { return t >= 1 ? b : a + t * (b - a); }
    static Cell cell_at(Point p) { return {static_cast<int32_t>(std::floor(p.x)), static_cast<int32_t>(std::floor(p.y))}; }
    static bool on_line(double a, double b) { return std::fabs(a - std::round(a)) <= kOnSide && std::fabs(b - std::round(a)) <= kOnSide; }

    static Place place_of(Point a, Point b) {
        const Cell cell = cell_at(0.5 * (a + b));
        if (on_line(a.x, b.x)) {
            const auto x = static_cast<int32_t>(std::round(a.x));
            return {{{x - 1, cell.y}, {x, cell.y}}};
        }
        if (on_line(a.y, b.y)) {
            const auto y = static_cast<int32_t>(std::round(a.y));
            return {{{cell.x, y - 1}, {cell.x, y}}};
        }
        return {{cell, cell}};
    }

    double rate(Cell c) const { return ground_.costs().hundredths(ground_.grid().at(c)) / 100.0; }
    bool open(Cell c) const { return ground_.passable(c); }

    // Whether one can go from a cell to one that touches it, at the point where they do.
    bool joined(Cell a, Cell b) const {
        if (!open(a) || !open(b)) return false;
        return a.x == b.x || a.y == b.y || cuts_corners(ground_.movement()) || open({a.x, b.y}) || open({b.x, a.y});
    }
    bool joined(const Place& a, const Place& b) const {
        return joined(a.cells[0], b.cells[0]) || joined(a.cells[0], b.cells[1]) || joined(a.cells[1], b.cells[0]) ||
               joined(a.cells[1], b.cells[1]);
    }

    void enter(const Place& place, double length) {
        double least = kNoWay;
        for (const Cell c : place.cells) least = open(c) ? std::min(least, rate(c)) : least;
        const bool legal = least < kNoWay && (!walking_ || joined(last_, place));
        sum_ = legal ? sum_ + length * least : kNoWay;
        last_ = place;
        walking_ = true;
    }

    const Ground& ground_;
    Place last_{};
    bool walking_ = false;
    double sum_ = 0;
};

}  // namespace

double line_cost(const Ground& ground, std::span<const Point> points) {
    const double most = std::max(ground.grid().width(), ground.grid().height()) + 1.0;  // far outside would take long to walk to
    const auto near = [=](Point p) { return is_finite(p) && std::max(std::fabs(p.x), std::fabs(p.y)) <= most; };
    if (!std::all_of(points.begin(), points.end(), near)) return kNoWay;
    if (points.empty()) return 0;
    Walker walker(ground);
    Point from = points[0];
    bool stands = true;
    for (const Point to : points.subspan(1)) {
        if (distance(from, to) <= kOnSide) continue;
        walker.walk(from, to);
        from = to;
        stands = false;
    }
    return !stands || walker.can_stand(from) ? walker.sum() : kNoWay;
}

}  // namespace terrane
