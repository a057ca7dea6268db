#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "terrane/any_angle/refraction.h"

namespace terrane {

namespace {

constexpr double kNoPath = std::numeric_limits<double>::infinity();
constexpr double kOnSide = 1e-9;  // cells: points this close to a side or a corner count as on it

// The cell that contains a piece of the polyline, or the two cells beside it.
struct Place {
    Cell cells[2];
};

// Walks along a polyline and adds up its cost.
class Walker {
public:
    explicit Walker(const Ground& ground) : ground_(ground) {}

    double sum() const { return sum_; }

    // Whether one of the cells that contain or touch the point is passable.
    bool can_stand(Point p) const {
        const auto open_at = [&](double x, double y) { return open(cell_at({p.x + x, p.y + y})); };
        return open_at(-kOnSide, -kOnSide) || open_at(kOnSide, -kOnSide) || open_at(-kOnSide, kOnSide) || open_at(kOnSide, kOnSide);
    }

    // Cuts the segment at the grid lines. A piece of negligible length is merged with the next one.
    void walk(Point a, Point b) {
        const double whole = distance(a, b);
        double t = 0, end = 0;
        for (GridLines x(a.x, b.x), y(a.y, b.y); end < 1 && sum_ < kNoPath;) {
            end = std::min({x.next, y.next, 1.0});
            if (x.next <= end) x.advance();
            if (y.next <= end) y.advance();
            if ((end - t) * whole <= kOnSide) continue;
            enter(place_of(at(a, b, t), at(a, b, end)), (end - t) * whole);
            t = end;
        }
    }

private:
    // The grid lines that one coordinate crosses, by the parameter of the segment.
    struct GridLines {
        GridLines(double from, double to) : from_(from), delta_(to - from), line_(delta_ > 0 ? std::floor(from) : std::ceil(from)) {
            advance();
        }
        void advance() {
            line_ += delta_ > 0 ? 1 : -1;
            next = delta_ == 0 ? kNoPath : (line_ - from_) / delta_;
        }
        double next = 0;

    private:
        double from_, delta_, line_;
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

    // Whether the polyline may pass from a cell to one that touches it.
    bool connected(Cell a, Cell b) const {
        if (!open(a) || !open(b)) return false;
        return a.x == b.x || a.y == b.y || cuts_corners(ground_.movement()) || open({a.x, b.y}) || open({b.x, a.y});
    }
    bool connected(const Place& a, const Place& b) const {
        return connected(a.cells[0], b.cells[0]) || connected(a.cells[0], b.cells[1]) || connected(a.cells[1], b.cells[0]) ||
               connected(a.cells[1], b.cells[1]);
    }

    void enter(const Place& place, double length) {
        double least = kNoPath;
        for (const Cell c : place.cells) least = open(c) ? std::min(least, rate(c)) : least;
        const bool legal = least < kNoPath && (!walking_ || connected(last_, place));
        sum_ = legal ? sum_ + length * least : kNoPath;
        last_ = place;
        walking_ = true;
    }

    const Ground& ground_;
    Place last_{};
    bool walking_ = false;
    double sum_ = 0;
};

}  // namespace

double polyline_cost(const Ground& ground, std::span<const Point> points) {
    const double most =
        std::max(ground.grid().width(), ground.grid().height()) + 1.0;  // rejects far points, which would take long to walk to
    const auto near = [=](Point p) { return is_finite(p) && std::max(std::fabs(p.x), std::fabs(p.y)) <= most; };
    if (!std::all_of(points.begin(), points.end(), near)) return kNoPath;
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
    return !stands || walker.can_stand(from) ? walker.sum() : kNoPath;
}

}  // namespace terrane
