// Where a path crosses a sequence of boundaries: the points P_1..P_k, one on each, that make
//     c_1 |P_1 - start| + c_2 |P_2 - P_1| + ... + c_{k+1} |goal - P_k|
// least. At a point inside its boundary the path bends by Snell's law; others are at an end of theirs.
//
// Two solvers. `descend` is the paper's: one point at a time, exactly, by the real roots of a quartic. `newton` moves all of them at
// once: the Hessian is tridiagonal, so that a step takes O(k). Where the two differ, trust newton: points that lie on one another, as on
// boundaries that share a vertex, hold each other fast under `descend`. To the last digits `newton` takes 5 systems and 2 us for 4
// boundaries, 7 and 33 us for 64; 17 and 4 us, 76 and 0.3 ms where each shares a vertex with the next.
//
// Both prove a lower bound. For any vectors q_i no longer than c_i, the sum of the q_i * (P_i - P_{i-1}) is nowhere above the cost,
// and, being linear, it is least where each point is at one end of its boundary; the best q_i have the directions of the path.
//
// Based on: Goodwin, Menon, Price 2006 (pathfinding in open terrain); Mitchell, Papadimitriou 1991 (the weighted region problem);
// Andersen, Christiansen, Conn, Overton 2000 (sums of Euclidean norms: primal-dual Newton on sqrt(d^2 + mu^2), mu falling with the gap).
//
// Only + - * / and square roots of doubles: the same bits from every compiler.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "terrane/base/plane.h"

namespace terrane {

// Coordinates up to 1e9 in size. Boundaries may touch, cross, overlap, lie on one line, or be single points; start and goal may be
// on them. Costs are positive and finite; ratios up to 1e6 are tested.
struct BoundaryProblem {
    Point start;
    Point goal;
    std::span<const Segment> boundaries;  // k >= 0, in the order of crossing
    std::span<const double> costs;        // k + 1: of the stretches to the first boundary, between them, and to the goal
};

struct BoundaryAnswer {
    double cost = 0;          // of the points handed out
    double lower_bound = 0;   // proven, rounding errors included: no points cost less. At most `cost`
    uint32_t iterations = 0;  // newton: systems solved; descend: rounds over the points that may move

    double gap() const { return cost - lower_bound; }
};

struct NewtonOptions {
    double tolerance = 1e-12;  // stops at a gap of this times the cost, or where rounding allows no less
    uint32_t max_iterations = 200;
    size_t primed = 0;  // so many of the first places are a guess to begin with, as the parent's solution is
};

struct DescentOptions {
    double epsilon = 0;            // stops after a round that gains no more than this, in units of cost
    uint32_t max_iterations = 32;  // the paper's choice
    size_t primed = 0;  // so many of the first places are the parent's solution: they move only after a neighbour has. All: all may
};

// Scratch: one per thread, reused; grows with the longest sequence that it has seen, and allocates nothing otherwise.
class BoundaryPointSolver {
public:
    // `places` has one for each boundary, 0 at its a and 1 at its b: the first `primed` are read, all are written.
    BoundaryAnswer newton(const BoundaryProblem& problem, std::span<double> places, const NewtonOptions& options = {});
    BoundaryAnswer descend(const BoundaryProblem& problem, std::span<double> places, const DescentOptions& options = {});

    // Of the last answer: one for each boundary.
    std::span<const Point> points() const { return points_; }

    size_t bytes() const;

private:
    // The start, a boundary, or the goal: the point `place` of the way along from `origin`.
    struct Post {
        Point origin;
        Point along;  // zero where the point cannot move
        double place = 0;
    };
    // From post i to post i + 1.
    struct Stretch {
        double cost = 0;
        Point pull;      // the bound's q
        Point way;       // from point to point
        double rho = 0;  // sqrt(way^2 + mu^2)
    };
    // Of post i, in the system for the changes of the places.
    struct Row {
        double diagonal = 0;
        double off = 0;  // to post i + 1
        double gradient = 0;
        double step = 0;
        double pivot = 0, right = 0;     // of the elimination
        int8_t held = 0, next_held = 0;  // -1 and 1: the step ends at place 0 and 1
    };

    void load(const BoundaryProblem& problem, std::span<const double> places, size_t primed);
    Point way(size_t i, double share) const;
    double cost(double share, double mu) const;
    void measure(double mu);
    void aim(double mu);
    double bound() const;

    void assemble();
    bool is_free(size_t i) const;
    void solve_rows();
    bool hold_places();
    uint32_t solve_step(uint32_t max_solves);
    double search_line(double mu) const;
    void move(double share);
    double pull_sum() const;

    void place_points(const BoundaryProblem& problem, std::span<const double> places);
    double path_cost(const BoundaryProblem& problem) const;
    void prime_points(const BoundaryProblem& problem, std::span<double> places, size_t primed);
    bool settle(const BoundaryProblem& problem, std::span<double> places, size_t i);
    void settle_marked(const BoundaryProblem& problem, std::span<double> places);
    BoundaryAnswer finish(const BoundaryProblem& problem, std::span<double> places, double lower, uint32_t iterations);

    std::vector<Post> posts_;         // k + 2
    std::vector<Stretch> stretches_;  // k + 1
    std::vector<Row> rows_;           // k + 2
    std::vector<uint8_t> marks_;      // k: the change set of `descend`
    std::vector<Point> points_;       // k
    double scale_ = 0;                // the extent of the problem
    double rounding_ = 0;             // what a bound may owe to it, sums aside
};

// The paper's BPComputeOne, on its own: the place on `boundary` through which the way from `before`, at cost `cost_before`, to `after`,
// at `cost_after`, is cheapest. By the quartic's roots; or by the zero of the derivative, which rises along the boundary. The costs
// agree to rounding, the places to its square root or better; both are 0 for a boundary of one point.
double crossing_by_quartic(const Segment& boundary, Point before, double cost_before, Point after, double cost_after);
double crossing_by_slope(const Segment& boundary, Point before, double cost_before, Point after, double cost_after);

struct QuarticRoots {
    std::array<double, 8> roots{};
    size_t count = 0;
    std::span<const double> all() const { return {roots.data(), count}; }
};

// The real roots of w[0] + w[1] x + ... + w[4] x^4 from `low` to `high`, in rising order; leading coefficients may be 0. Roots where the
// curve only touches zero, to rounding, are found too, and may be reported more than once. None for the zero polynomial.
QuarticRoots quartic_roots(const std::array<double, 5>& w, double low, double high);

}  // namespace terrane
