// A line in its channel, made cheaper step by step. What Refractor does.
//
// In a channel of cells the cheapest line is found exactly: taut through ground of one cost (a funnel), with all its points on borders at
// once by Newton's steps. What limits it then are corners of cells. Where the line gains by passing one on the other side, to first order,
// the channel is taken over there; where its points would slide on along a border, the channel follows them. The line only ever gets
// cheaper, and ends where no corner and no border has anything to give: the best line nearby, not always the best of all.
#pragma once
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "any_angle/channel.h"
#include "base/boundary_points.h"

namespace terrane {

// Scratch, reused.
class LineBender {
public:
    Channel channel;     // with start and goal set; the cells are lay()'s
    Vector<Knot> knots;  // of the line, when settle() is done

    void lay(const Rates& rates, std::span<const Cell> cells);
    void settle(const Rates& rates);
    size_t bytes() const;

private:
    // From a fixed point to the next: crossings first..end - 1, and the knots on them.
    struct Span {
        Point from, to;
        size_t first, end;
        size_t first_knot, end_knot;
    };

    // On the line, in a cell of the channel.
    struct Spot {
        Point at;
        size_t cell = 0;
        double cost = 0;  // between it and a knot
    };
    // In place of the cells from `first` to `last`.
    struct Leap {
        Straight line;
        size_t first, last;
    };

    Channel spare_;
    Vector<Knot> tried_;
    Vector<double> sums_;  // of the path's steps, up to each cell
    BoundaryPointSolver solver_;
    Vector<size_t> crossed_;  // of a span: what the solver is given
    Vector<Segment> sides_;
    Vector<Straight> lines_;
    Vector<double> costs_, places_, before_;

    void pull_run(Point from, size_t first, size_t end, Point to, Vector<Knot>& out) const;
    void pull(Point from, size_t first, size_t end, Point to, Vector<Knot>& out) const;
    double cost(Point from, size_t first, Point to, std::span<const Knot> way) const;
    void tie_knots();
    Point before_knot(size_t i) const { return i == 0 ? channel.start : knots[i - 1].at; }
    Point after_knot(size_t i) const { return i + 1 == knots.size() ? channel.goal : knots[i + 1].at; }
    template <class Rate>
    bool gains(size_t knot, std::span<const Cell> around, Rate&& rate) const;
    bool is_fixed(size_t knot) const;
    bool is_settled(size_t knot) const;
    bool wants_over(const Rates& rates, size_t knot, Fan& fan) const;
    bool find_spot(Point from, Point to, double back, size_t first, size_t last, bool forwards, Spot& spot) const;
    bool look_back(size_t knot, double far, Spot& spot) const;
    bool look_ahead(size_t knot, double far, Spot& spot) const;
    bool leap(const Rates& rates, size_t knot, size_t least, Leap& out) const;
    void keep_to(size_t next, size_t end);
    bool cut_corners(const Rates& rates);
    bool slide(const Rates& rates);
    bool slide(const Rates& rates, const Span& span);
    void lay_rails(const Rates& rates, const Span& span);
    double lay_lines(const Rates& rates, const Span& span, double share, double most);
    bool solve_spans();
    bool solve(const Span& span);
    void propose(const Span& span);
};

// No direction for no way.
inline Point unit(Point way) {
    const double size = length(way);
    return size > 0 ? (1 / size) * way : Point{};
}

inline constexpr double kRounding = 1e-12;  // of costs, relative

}  // namespace terrane
