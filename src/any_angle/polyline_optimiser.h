// Local optimisation of a polyline in its channel of cells, for Refractor.
//
// Within a channel the optimiser finds the cheapest polyline exactly: string pulling (funnel) through terrain of one cost, and Newton's
// method for all crossing points on borders at once. Then only corners of cells limit it. Where the polyline gains to first order by
// passing a corner on the other side, the channel moves there; where crossing points would slide further along a border, the channel
// follows. The cost decreases in every round, until no corner and no border offers a gain: a local optimum, not always the global one.
#pragma once
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "any_angle/channel.h"
#include "base/bp_solver.h"

namespace terrane {

// Scratch memory, reused.
class PolylineOptimiser {
public:
    Channel channel;     // set start and goal, then call init_channel()
    Vector<Bend> bends;  // of the polyline, after optimise()

    void init_channel(const Rates& rates, std::span<const Cell> cells);
    void optimise(const Rates& rates);
    size_t bytes() const;

private:
    // From a fixed point to the next: crossings first..end - 1, and the bends on them.
    struct Span {
        Point from, to;
        size_t first, end;
        size_t first_bend, end_bend;
    };

    // A point of the polyline in a cell of the channel.
    struct Spot {
        Point at;
        size_t cell = 0;  // index in the channel
        double cost = 0;  // between it and a bend
    };
    // A straight segment that replaces cells `first` to `last` of the channel.
    struct Shortcut {
        StraightLine line;
        size_t first, last;
    };

    Channel next_channel_;
    Vector<Bend> trial_;
    Vector<double> sums_;  // prefix sums of the costs of the grid path's steps
    BoundaryPointSolver solver_;
    Vector<size_t> crossed_;  // crossings of a span that the solver places
    Vector<Segment> sides_;
    Vector<StraightLine> lines_;
    Vector<double> costs_, places_, before_;

    void pull_string(Point from, size_t first, size_t end, Point to, Vector<Bend>& out) const;
    void pull_strings(Point from, size_t first, size_t end, Point to, Vector<Bend>& out) const;
    double cost(Point from, size_t first, Point to, std::span<const Bend> line_bends) const;
    void update_bends();
    Point point_before(size_t i) const { return i == 0 ? channel.start : bends[i - 1].at; }
    Point point_after(size_t i) const { return i + 1 == bends.size() ? channel.goal : bends[i + 1].at; }
    template <class Rate>
    bool gains(size_t bend, std::span<const Cell> around, Rate&& rate) const;
    bool is_fixed(size_t bend) const;
    bool obeys_snell(size_t bend) const;
    bool gains_on_other_side(const Rates& rates, size_t bend, Fan& fan) const;
    bool find_spot(Point from, Point to, double back, size_t first, size_t last, bool forwards, Spot& spot) const;
    bool spot_before(size_t bend, double far, Spot& spot) const;
    bool spot_after(size_t bend, double far, Spot& spot) const;
    bool find_shortcut(const Rates& rates, size_t bend, size_t least, Shortcut& out) const;
    void copy_crossings(size_t next, size_t end);
    bool cut_corners(const Rates& rates);
    bool slide(const Rates& rates);
    bool slide(const Rates& rates, const Span& span);
    void collect_borders(const Rates& rates, const Span& span);
    double connect_borders(const Rates& rates, const Span& span, double share, double most);
    bool solve_spans();
    bool solve(const Span& span);
    void propose(const Span& span);
};

// The zero vector for a zero vector.
inline Point unit(Point offset) {
    const double size = length(offset);
    return size > 0 ? (1 / size) * offset : Point{};
}

inline constexpr double kRounding = 1e-12;  // of costs, relative

}  // namespace terrane
