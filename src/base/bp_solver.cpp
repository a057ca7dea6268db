// The primal-dual Newton solver and the dual bound. bp_descent.cpp has the paper's coordinate descent.
#include "base/bp_solver.h"

#include <algorithm>
#include <cmath>

#include "terrane/base/assert.h"

namespace terrane {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kFirstMu = 1e-2;    // times the problem's extent
constexpr double kLastMu = 1e-13;    // times the problem's extent
constexpr double kCentring = 0.1;    // next mu, as a share of the mu that the gap corresponds to; 0.03 and 0.01 need as many steps
constexpr double kFlatness = 1e-14;  // regularisation, times c / extent: avoids division by zero in flat valleys
constexpr double kArmijo = 1e-4;
constexpr double kLeastShare = 1e-9;
constexpr uint32_t kMaxSolves = 12;  // linear systems per step; then the step is clamped to the boundaries
constexpr uint32_t kMaxStuck = 20;   // consecutive steps that reduce neither the gap nor mu by a tenth

double largest(Point p) { return std::max(std::abs(p.x), std::abs(p.y)); }

// Shortens the dual vector to at most the stretch's cost, with a margin for rounding.
Point limited(Point dual, double cost) {
    const double limit = cost * (1 - 8 * kEpsilon), size = length(dual);
    return size > limit ? (limit / size) * dual : dual;
}

// The place where the line from `from` to `goal` crosses the boundary's line, clamped to the boundary.
double straight_place(const Segment& boundary, Point from, Point goal) {
    const Point along = boundary.b - boundary.a, offset = goal - from;
    const double across = cross(along, offset);
    return across != 0 ? std::clamp(cross(from - boundary.a, offset) / across, 0.0, 1.0) : nearest_place(boundary, from);
}

}  // namespace

size_t BoundaryPointSolver::bytes() const {
    return path_points_.capacity() * sizeof(PathPoint) + stretches_.capacity() * sizeof(Stretch) + rows_.capacity() * sizeof(Row) +
           marks_.capacity() + points_.capacity() * sizeof(Point);
}

void BoundaryPointSolver::load(const BoundaryProblem& problem, std::span<const double> places, size_t primed) {
    const size_t k = problem.boundaries.size();
    TERRANE_ASSERT(problem.costs.size() == k + 1 && places.size() == k && primed <= k);
    TERRANE_ASSERT(is_finite(problem.start) && is_finite(problem.goal));
    path_points_.resize(k + 2);
    path_points_[0] = {problem.start, {}, 0};
    path_points_[k + 1] = {problem.goal, {}, 0};
    Point from = problem.start;
    scale_ = largest(problem.goal - problem.start);
    for (size_t i = 0; i < k; ++i) {
        const Segment& boundary = problem.boundaries[i];
        TERRANE_ASSERT(is_finite(boundary.a) && is_finite(boundary.b));
        const double place = i < primed ? std::clamp(places[i], 0.0, 1.0) : straight_place(boundary, from, problem.goal);
        if (i < primed) from = boundary.at(place);
        path_points_[i + 1] = {boundary.a, boundary.b - boundary.a, place};
        scale_ = std::max({scale_, largest(boundary.a - problem.start), largest(boundary.b - problem.start)});
    }
    rows_.assign(k + 2, {});
    stretches_.assign(k + 1, {});
    rounding_ = 0;
    const auto size = [](const PathPoint& path_point) { return largest(path_point.origin) + largest(path_point.along); };
    for (size_t i = 0; i <= k; ++i) {
        TERRANE_ASSERT(std::isfinite(problem.costs[i]) && problem.costs[i] > 0);
        stretches_[i].cost = problem.costs[i];
        rounding_ += 24 * kEpsilon * problem.costs[i] * std::max(size(path_points_[i]), size(path_points_[i + 1]));
    }
}

// From path point i to i + 1, after a share of the step.
Point BoundaryPointSolver::offset(size_t i, double share) const {
    const PathPoint &a = path_points_[i], &b = path_points_[i + 1];
    return (b.origin - a.origin) + ((b.place + share * rows_[i + 1].step) * b.along - (a.place + share * rows_[i].step) * a.along);
}

double BoundaryPointSolver::cost(double share, double mu) const {
    double sum = 0;
    for (size_t i = 0; i < stretches_.size(); ++i) {
        const Point w = offset(i, share);
        sum += stretches_[i].cost * std::sqrt(dot(w, w) + mu * mu);
    }
    return sum;
}

void BoundaryPointSolver::measure(double mu) {
    for (size_t i = 0; i < stretches_.size(); ++i) {
        Stretch& s = stretches_[i];
        s.offset = offset(i, 0);
        s.rho = std::sqrt(dot(s.offset, s.offset) + mu * mu);
    }
}

// Sets the duals to those of the current path.
void BoundaryPointSolver::set_duals(double mu) {
    measure(mu);
    for (Stretch& s : stretches_) s.dual = limited((s.rho > 0 ? s.cost / s.rho : 0) * s.offset, s.cost);
}

double BoundaryPointSolver::bound() const {
    double sum = 0, size = 0;
    const auto add = [&](double part) {
        sum += part;
        size += std::abs(part);
    };
    for (const Stretch& s : stretches_) add(dot(s.dual, s.offset));
    for (size_t i = 1; i + 1 < path_points_.size(); ++i) {
        const double gradient = dot(path_points_[i].along, stretches_[i - 1].dual - stretches_[i].dual);
        add(gradient * ((gradient > 0 ? 0 : 1) - path_points_[i].place));
    }
    return sum - rounding_ - static_cast<double>(2 * path_points_.size()) * kEpsilon * size;
}

// The gradient of the smoothed cost and its Hessian, in which the duals replace the directions that they converge to.
void BoundaryPointSolver::assemble() {
    rows_.assign(rows_.size(), {});
    for (size_t i = 0; i < stretches_.size(); ++i) {
        const Stretch& s = stretches_[i];
        const Point direction = (1 / s.rho) * s.offset, dual = (1 / s.cost) * s.dual, a = path_points_[i].along,
                    b = path_points_[i + 1].along;
        const double least = kFlatness * s.cost / scale_;
        const auto curvature = [&](Point u, Point v) {
            return s.cost / s.rho * (dot(u, v) - 0.5 * (dot(u, dual) * dot(v, direction) + dot(u, direction) * dot(v, dual)));
        };
        rows_[i].diagonal += curvature(a, a) + least * dot(a, a);
        rows_[i + 1].diagonal += curvature(b, b) + least * dot(b, b);
        rows_[i].off = -curvature(a, b);
        rows_[i].gradient -= s.cost * dot(a, direction);
        rows_[i + 1].gradient += s.cost * dot(b, direction);
    }
}

bool BoundaryPointSolver::is_free(size_t i) const { return rows_[i].held == 0 && rows_[i].diagonal > 0; }

// Solves the tridiagonal system: held rows step to their end of the boundary, the others to where the gradient vanishes.
void BoundaryPointSolver::solve_rows() {
    const size_t last = rows_.size() - 1;
    for (size_t i = 0; i <= last; ++i) {
        if (!is_free(i)) rows_[i].step = rows_[i].held == 0 ? 0 : (rows_[i].held < 0 ? 0 : 1) - path_points_[i].place;
    }
    for (size_t i = 1; i < last; ++i) {
        if (!is_free(i)) continue;
        Row& row = rows_[i];
        const Row& before = rows_[i - 1];
        const double factor = is_free(i - 1) ? before.off / before.pivot : 0;
        row.pivot = std::max(row.diagonal - factor * before.off, kEpsilon * row.diagonal);
        row.right = -row.gradient - (is_free(i - 1) ? factor * before.right : before.off * before.step);
        if (!is_free(i + 1)) row.right -= row.off * rows_[i + 1].step;
    }
    for (size_t i = last; i-- > 1;) {
        if (is_free(i)) rows_[i].step = (rows_[i].right - (is_free(i + 1) ? rows_[i].off * rows_[i + 1].step : 0)) / rows_[i].pivot;
    }
}

// Holds points that would leave their boundary and releases held points whose gradient points inwards. Returns false if nothing changed.
bool BoundaryPointSolver::update_active_set() {
    bool changed = false;
    for (size_t i = 1; i + 1 < rows_.size(); ++i) {
        Row& row = rows_[i];
        const double end = path_points_[i].place + row.step;
        const double gradient = row.gradient + row.diagonal * row.step + row.off * rows_[i + 1].step + rows_[i - 1].off * rows_[i - 1].step;
        row.next_held = row.held;
        if (row.held == 0 && end < 0) row.next_held = -1;
        if (row.held == 0 && end > 1) row.next_held = 1;
        if (row.held * gradient > 0) row.next_held = 0;
        changed = changed || row.next_held != row.held;
    }
    for (Row& row : rows_) row.held = row.next_held;
    return changed;
}

// Minimises the quadratic model subject to the boundaries, by an active-set method. Returns the number of systems solved.
uint32_t BoundaryPointSolver::solve_step(uint32_t max_solves) {
    for (size_t i = 1; i + 1 < rows_.size(); ++i) {
        if (path_points_[i].place <= 0 && rows_[i].gradient > 0) rows_[i].held = -1;
        if (path_points_[i].place >= 1 && rows_[i].gradient < 0) rows_[i].held = 1;
    }
    uint32_t solves = 0;
    do {
        solve_rows();
        ++solves;
    } while (solves < max_solves && update_active_set());
    // Clamps the step, not the resulting place: a step too small to change the place still turns the duals.
    for (size_t i = 1; i + 1 < rows_.size(); ++i)
        rows_[i].step = std::clamp(rows_[i].step, -path_points_[i].place, 1 - path_points_[i].place);
    return solves;
}

// Backtracking line search: returns the share of the step to take, 1, 1/2, 1/4, ...; 0 if none decreases the cost.
double BoundaryPointSolver::line_search(double mu) const {
    double slope = 0;
    for (const Row& row : rows_) slope += row.gradient * row.step;
    const double before = cost(0, mu), slack = 0.1 * rounding_;
    for (double share = 1; share > kLeastShare; share *= 0.5) {
        if (cost(share, mu) <= before + kArmijo * share * std::min(slope, 0.0) + slack) return share;
    }
    return 0;
}

// Moves the points, and the duals with their stretches: to first order, rho * dual stays cost * offset.
void BoundaryPointSolver::move(double share) {
    for (size_t i = 0; i < stretches_.size(); ++i) {
        Stretch& s = stretches_[i];
        const Point change = rows_[i + 1].step * path_points_[i + 1].along - rows_[i].step * path_points_[i].along;
        const Point wanted = (1 / s.rho) * (s.cost * (s.offset + change) - (dot(s.offset, change) / s.rho) * s.dual);
        s.dual = limited(s.dual + share * (wanted - s.dual), s.cost);
    }
    for (size_t i = 1; i + 1 < path_points_.size(); ++i)
        path_points_[i].place = std::clamp(path_points_[i].place + share * rows_[i].step, 0.0, 1.0);
    for (Row& row : rows_) row.step = 0;
}

// At the optimum for mu, the gap is at most mu times this.
double BoundaryPointSolver::dual_norm_sum() const {
    double sum = 0;
    for (const Stretch& s : stretches_) sum += length(s.dual);
    return sum;
}

BoundaryAnswer BoundaryPointSolver::newton(const BoundaryProblem& problem, std::span<double> places, const NewtonOptions& options) {
    load(problem, places, options.primed);
    const auto keep = [&] {
        for (size_t i = 0; i < places.size(); ++i) places[i] = path_points_[i + 1].place;
    };
    keep();
    set_duals(0);
    double best = cost(0, 0), lower = bound(), mu = kFirstMu * scale_;
    set_duals(mu);
    uint32_t iterations = 0, stuck = 0;
    // One step beyond the requested gap, because the gap is of second order in the errors of the points.
    for (bool last = scale_ == 0; !last && iterations < options.max_iterations && stuck < kMaxStuck;) {
        const double gap = best - lower;
        last = gap <= std::max(options.tolerance * best, 2 * rounding_);
        assemble();
        iterations += solve_step(std::min(kMaxSolves, options.max_iterations - iterations));
        move(line_search(mu));
        measure(mu);
        const double now = cost(0, 0), proven = bound();
        if (now <= best + 4 * kEpsilon * best) keep();
        best = std::min(best, now);
        lower = std::max(lower, proven);
        const double next_mu = std::clamp(kCentring * (now - proven) / dual_norm_sum(), std::min(mu, kLastMu * scale_), mu);
        stuck = best - lower > 0.9 * gap && next_mu > 0.9 * mu ? stuck + 1 : 0;
        mu = next_mu;
        measure(mu);
    }
    return finish(problem, places, lower, iterations);
}

}  // namespace terrane
