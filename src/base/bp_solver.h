// The paper's BPSolver: optimises the points where a path crosses a sequence of boundaries. Minimises over P_1..P_k, one on each boundary,
//     c_1 |P_1 - start| + c_2 |P_2 - P_1| + ... + c_{k+1} |goal - P_k|.
// At the optimum, a point inside its boundary satisfies Snell's law; the others are at an end of their boundary.
//
// Two solvers. `descend` is the paper's coordinate descent: one point at a time, exactly, by the real roots of a quartic (snell.cpp).
// `newton` moves all points at once; its Hessian is tridiagonal, so a step takes O(k). If the two differ, trust `newton`: `descend` stalls
// where points coincide, as on boundaries that share a vertex. To the last digits, `newton` takes 5 linear systems and 2 us for 4
// boundaries, 7 and 33 us for 64; 17 and 4 us, 76 and 0.3 ms if each boundary shares a vertex with the next.
//
// Both prove a lower bound by duality: for any dual vectors q_i with |q_i| <= c_i, the sum of q_i * (P_i - P_{i-1}) is nowhere above the
// cost. Being linear, it is minimal where each point is at an end of its boundary. The best q_i have the directions of the optimal path.
//
// Based on: Goodwin, Menon, Price 2006 (pathfinding in open terrain); Mitchell, Papadimitriou 1991 (the weighted region problem);
// Andersen, Christiansen, Conn, Overton 2000 (sums of Euclidean norms: primal-dual Newton on sqrt(d^2 + mu^2), mu decreasing with the gap).
//
// Uses only + - * / and square roots of doubles: the same bits from every compiler.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "terrane/base/plane.h"

namespace terrane {

// Coordinates up to 1e9 in magnitude. Boundaries may touch, cross, overlap, be collinear, or be single points; start and goal may be on
// them. Costs are positive and finite; ratios up to 1e6 are tested.
struct BoundaryProblem {
    Point start;
    Point goal;
    std::span<const Segment> boundaries;  // k >= 0, in the order of crossing
    std::span<const double> costs;        // k + 1: per unit length, to the first boundary, between boundaries, and to the goal
};

struct BoundaryAnswer {
    double cost = 0;          // of the returned points
    double lower_bound = 0;   // no points cost less; proven, rounding errors included. At most `cost`
    uint32_t iterations = 0;  // newton: linear systems solved; descend: rounds over the points in the change set

    double gap() const { return cost - lower_bound; }
};

struct NewtonOptions {
    double tolerance = 1e-12;  // stops when the gap is at most this times the cost, or when rounding allows no smaller gap
    uint32_t max_iterations = 200;
    size_t primed = 0;  // the first `primed` places are a warm start, such as the parent's solution
};

struct DescentOptions {
    double epsilon = 0;            // stops after a round that improves the cost by no more than this
    uint32_t max_iterations = 32;  // the paper's value
    size_t primed = 0;  // the first `primed` places are the parent's solution: they move only after a neighbour moved. If all: all may move
};

// Scratch memory of one thread, reused. Grows with the longest sequence seen and allocates nothing otherwise.
class BoundaryPointSolver {
public:
    // `places`: one per boundary, 0 at its a and 1 at its b. Reads the first `primed`, writes all.
    BoundaryAnswer newton(const BoundaryProblem& problem, std::span<double> places, const NewtonOptions& options = {});
    BoundaryAnswer descend(const BoundaryProblem& problem, std::span<double> places, const DescentOptions& options = {});

    // The points of the last answer, one per boundary.
    std::span<const Point> points() const { return points_; }

    size_t bytes() const;

private:
    // The start, a point on a boundary, or the goal: origin + place * along.
    struct PathPoint {
        Point origin;
        Point along;  // zero if the point cannot move
        double place = 0;
    };
    // From path point i to i + 1.
    struct Stretch {
        double cost = 0;
        Point dual;      // the bound's q
        Point offset;    // from point to point
        double rho = 0;  // sqrt(offset^2 + mu^2)
    };
    // The row of path point i in the system for the changes of the places.
    struct Row {
        double diagonal = 0;
        double off = 0;  // entry for path point i + 1
        double gradient = 0;
        double step = 0;
        double pivot = 0, right = 0;     // of the elimination
        int8_t held = 0, next_held = 0;  // active set; -1 and 1: the step ends at place 0 and 1
    };

    void load(const BoundaryProblem& problem, std::span<const double> places, size_t primed);
    Point offset(size_t i, double share) const;
    double cost(double share, double mu) const;
    void measure(double mu);
    void set_duals(double mu);
    double bound() const;

    void assemble();
    bool is_free(size_t i) const;
    void solve_rows();
    bool update_active_set();
    uint32_t solve_step(uint32_t max_solves);
    double line_search(double mu) const;
    void move(double share);
    double dual_norm_sum() const;

    void place_points(const BoundaryProblem& problem, std::span<const double> places);
    double path_cost(const BoundaryProblem& problem) const;
    void init_points(const BoundaryProblem& problem, std::span<double> places, size_t primed);
    bool move_point(const BoundaryProblem& problem, std::span<double> places, size_t i);
    void move_marked(const BoundaryProblem& problem, std::span<double> places);
    BoundaryAnswer finish(const BoundaryProblem& problem, std::span<double> places, double lower, uint32_t iterations);

    std::vector<PathPoint> path_points_;  // k + 2
    std::vector<Stretch> stretches_;      // k + 1
    std::vector<Row> rows_;               // k + 2
    std::vector<uint8_t> marks_;          // k: the change set of `descend`
    std::vector<Point> points_;           // k
    double scale_ = 0;                    // extent of the problem
    double rounding_ = 0;                 // rounding error of a bound, without that of its sums
};

// The paper's BPComputeOne: returns the place on `boundary` that minimises cost_before |P - before| + cost_after |after - P|. By the
// roots of a quartic, or by the zero of the derivative, which increases along the boundary. The costs agree up to rounding, the places
// up to its square root or better. Both return 0 for a boundary of one point.
double crossing_by_quartic(const Segment& boundary, Point before, double cost_before, Point after, double cost_after);
double crossing_by_slope(const Segment& boundary, Point before, double cost_before, Point after, double cost_after);

struct QuarticRoots {
    std::array<double, 8> roots{};
    size_t count = 0;
    std::span<const double> all() const { return {roots.data(), count}; }
};

// Returns the real roots of w[0] + w[1] x + ... + w[4] x^4 from `low` to `high`, ascending; leading coefficients may be 0. Roots where
// the polynomial only touches zero, up to rounding, are found too, and may be reported more than once. None for the zero polynomial.
QuarticRoots quartic_roots(const std::array<double, 5>& w, double low, double high);

}  // namespace terrane
