// Newton's steps for all points at once, and the bound. The paper's descent and the answer are in boundary_descent.cpp.
#include "base/boundary_points.h"

#include <algorithm>
#include <cmath>

#include "terrane/base/assert.h"

namespace terrane {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kFirstMu = 1e-2;    // times the problem's extent
constexpr double kLastMu = 1e-13;    // the same
constexpr double kCentring = 0.1;    // of the mu that the gap is worth is next; 0.03 and 0.01 need as many steps
constexpr double kFlatness = 1e-14;  // added to curvatures of c / extent, so that a flat valley does not divide by nothing
constexpr double kArmijo = 1e-4;
constexpr double kLeastShare = 1e-9;
constexpr uint32_t kMaxSolves = 12;  // systems for one step; then it is cut to the boundaries as it is
constexpr uint32_t kMaxStuck = 20;   // steps in a row that take a tenth neither off the gap nor off mu

double largest(Point p) { return std::max(std::abs(p.x), std::abs(p.y)); }

// No longer than the stretch's cost, whatever rounding does.
Point limited(Point pull, double cost) {
    const double limit = cost * (1 - 8 * kEpsilon), size = length(pull);
    return size > limit ? (limit / size) * pull : pull;
}

// Where the straight line from `from` to `goal` crosses the boundary's line, brought to the boundary.
double straight_place(const Segment& boundary, Point from, Point goal) {
    const Point along = boundary.b - boundary.a, way = goal - from;
    const double across = cross(along, way);
    return across != 0 ? std::clamp(cross(from - boundary.a, way) / across, 0.0, 1.0) : nearest_place(boundary, from);
}

}  // namespace

size_t BoundaryPointSolver::bytes() const {
    return posts_.capacity() * sizeof(Post) + stretches_.capacity() * sizeof(Stretch) + rows_.capacity() * sizeof(Row) + marks_.capacity() +
           points_.capacity() * sizeof(Point);
}

void BoundaryPointSolver::load(const BoundaryProblem& problem, std::span<const double> places, size_t primed) {
    const size_t k = problem.boundaries.size();
    TERRANE_ASSERT(problem.costs.size() == k + 1 && places.size() == k && primed <= k);
    TERRANE_ASSERT(is_finite(problem.start) && is_finite(problem.goal));
    posts_.resize(k + 2);
    posts_[0] = {problem.start, {}, 0};
    posts_[k + 1] = {problem.goal, {}, 0};
    Point from = problem.start;
    scale_ = largest(problem.goal - problem.start);
    for (size_t i = 0; i < k; ++i) {
        const Segment& boundary = problem.boundaries[i];
        TERRANE_ASSERT(is_finite(boundary.a) && is_finite(boundary.b));
        const double place = i < primed ? std::clamp(places[i], 0.0, 1.0) : straight_place(boundary, from, problem.goal);
        if (i < primed) from = boundary.at(place);
        posts_[i + 1] = {boundary.a, boundary.b - boundary.a, place};
        scale_ = std::max({scale_, largest(boundary.a - problem.start), largest(boundary.b - problem.start)});
    }
    rows_.assign(k + 2, {});
    stretches_.assign(k + 1, {});
    rounding_ = 0;
    const auto size = [](const Post& post) { return largest(post.origin) + largest(post.along); };
    for (size_t i = 0; i <= k; ++i) {
        TERRANE_ASSERT(std::isfinite(problem.costs[i]) && problem.costs[i] > 0);
        stretches_[i].cost = problem.costs[i];
        rounding_ += 24 * kEpsilon * problem.costs[i] * std::max(size(posts_[i]), size(posts_[i + 1]));
    }
}

// From post i to post i + 1, after so much of the step.
Point BoundaryPointSolver::way(size_t i, double share) const {
    const Post &a = posts_[i], &b = posts_[i + 1];
    return (b.origin - a.origin) + ((b.place + share * rows_[i + 1].step) * b.along - (a.place + share * rows_[i].step) * a.along);
}

double BoundaryPointSolver::cost(double share, double mu) const {
    double sum = 0;
    for (size_t i = 0; i < stretches_.size(); ++i) {
        const Point w = way(i, share);
        sum += stretches_[i].cost * std::sqrt(dot(w, w) + mu * mu);
    }
    return sum;
}

void BoundaryPointSolver::measure(double mu) {
    for (size_t i = 0; i < stretches_.size(); ++i) {
        Stretch& s = stretches_[i];
        s.way = way(i, 0);
        s.rho = std::sqrt(dot(s.way, s.way) + mu * mu);
    }
}

// The pulls that the path as it lies has.
void BoundaryPointSolver::aim(double mu) {
    measure(mu);
    for (Stretch& s : stretches_) s.pull = limited((s.rho > 0 ? s.cost / s.rho : 0) * s.way, s.cost);
}

double BoundaryPointSolver::bound() const {
    double sum = 0, size = 0;
    const auto add = [&](double part) {
        sum += part;
        size += std::abs(part);
    };
    for (const Stretch& s : stretches_) add(dot(s.pull, s.way));
    for (size_t i = 1; i + 1 < posts_.size(); ++i) {
        const double gradient = dot(posts_[i].along, stretches_[i - 1].pull - stretches_[i].pull);
        add(gradient * ((gradient > 0 ? 0 : 1) - posts_[i].place));
    }
    return sum - rounding_ - static_cast<double>(2 * posts_.size()) * kEpsilon * size;
}

// The gradient of the smoothed cost; its curvature, with the pulls in place of the directions that they are to become.
void BoundaryPointSolver::assemble() {
    rows_.assign(rows_.size(), {});
    for (size_t i = 0; i < stretches_.size(); ++i) {
        const Stretch& s = stretches_[i];
        const Point direction = (1 / s.rho) * s.way, pull = (1 / s.cost) * s.pull, a = posts_[i].along, b = posts_[i + 1].along;
        const double least = kFlatness * s.cost / scale_;
        const auto curvature = [&](Point u, Point v) {
            return s.cost / s.rho * (dot(u, v) - 0.5 * (dot(u, pull) * dot(v, direction) + dot(u, direction) * dot(v, pull)));
        };
        rows_[i].diagonal += curvature(a, a) + least * dot(a, a);
        rows_[i + 1].diagonal += curvature(b, b) + least * dot(b, b);
        rows_[i].off = -curvature(a, b);
        rows_[i].gradient -= s.cost * dot(a, direction);
        rows_[i + 1].gradient += s.cost * dot(b, direction);
    }
}

bool BoundaryPointSolver::is_free(size_t i) const { return rows_[i].held == 0 && rows_[i].diagonal > 0; }

// Held rows step to their end of the boundary, the others to where the gradient vanishes.
void BoundaryPointSolver::solve_rows() {
    const size_t last = rows_.size() - 1;
    for (size_t i = 0; i <= last; ++i) {
        if (!is_free(i)) rows_[i].step = rows_[i].held == 0 ? 0 : (rows_[i].held < 0 ? 0 : 1) - posts_[i].place;
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

// Holds what would leave its boundary, frees what wants to come back. False where there is nothing to change.
bool BoundaryPointSolver::hold_places() {
    bool changed = false;
    for (size_t i = 1; i + 1 < rows_.size(); ++i) {
        Row& row = rows_[i];
        const double end = posts_[i].place + row.step;
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

// The least of the quadratic model on the boundaries, by guessing which places end at 0 or 1 until the guess holds.
uint32_t BoundaryPointSolver::solve_step(uint32_t max_solves) {
    for (size_t i = 1; i + 1 < rows_.size(); ++i) {
        if (posts_[i].place <= 0 && rows_[i].gradient > 0) rows_[i].held = -1;
        if (posts_[i].place >= 1 && rows_[i].gradient < 0) rows_[i].held = 1;
    }
    uint32_t solves = 0;
    do {
        solve_rows();
        ++solves;
    } while (solves < max_solves && hold_places());
    // The step is cut, not its end rounded: one too small to show in the place still turns the pulls.
    for (size_t i = 1; i + 1 < rows_.size(); ++i) rows_[i].step = std::clamp(rows_[i].step, -posts_[i].place, 1 - posts_[i].place);
    return solves;
}

// How much of the step to take: all of it, or half, or a quarter...; 0 where none of it helps.
double BoundaryPointSolver::search_line(double mu) const {
    double slope = 0;
    for (const Row& row : rows_) slope += row.gradient * row.step;
    const double before = cost(0, mu), slack = 0.1 * rounding_;
    for (double share = 1; share > kLeastShare; share *= 0.5) {
        if (cost(share, mu) <= before + kArmijo * share * std::min(slope, 0.0) + slack) return share;
    }
    return 0;
}

// Pulls go with their stretches: to first order, rho * pull stays cost * way.
void BoundaryPointSolver::move(double share) {
    for (size_t i = 0; i < stretches_.size(); ++i) {
        Stretch& s = stretches_[i];
        const Point change = rows_[i + 1].step * posts_[i + 1].along - rows_[i].step * posts_[i].along;
        const Point wanted = (1 / s.rho) * (s.cost * (s.way + change) - (dot(s.way, change) / s.rho) * s.pull);
        s.pull = limited(s.pull + share * (wanted - s.pull), s.cost);
    }
    for (size_t i = 1; i + 1 < posts_.size(); ++i) posts_[i].place = std::clamp(posts_[i].place + share * rows_[i].step, 0.0, 1.0);
    for (Row& row : rows_) row.step = 0;
}

// On points that are best for their mu, the gap is at most mu times this.
double BoundaryPointSolver::pull_sum() const {
    double sum = 0;
    for (const Stretch& s : stretches_) sum += length(s.pull);
    return sum;
}

BoundaryAnswer BoundaryPointSolver::newton(const BoundaryProblem& problem, std::span<double> places, const NewtonOptions& options) {
    load(problem, places, options.primed);
    const auto keep = [&] {
        for (size_t i = 0; i < places.size(); ++i) places[i] = posts_[i + 1].place;
    };
    keep();
    aim(0);
    double best = cost(0, 0), lower = bound(), mu = kFirstMu * scale_;
    aim(mu);
    uint32_t iterations = 0, stuck = 0;
    // One step more than the gap asks for: it is of second order in the points' errors.
    for (bool last = scale_ == 0; !last && iterations < options.max_iterations && stuck < kMaxStuck;) {
        const double gap = best - lower;
        last = gap <= std::max(options.tolerance * best, 2 * rounding_);
        assemble();
        iterations += solve_step(std::min(kMaxSolves, options.max_iterations - iterations));
        move(search_line(mu));
        measure(mu);
        const double now = cost(0, 0), proven = bound();
        if (now <= best + 4 * kEpsilon * best) keep();
        best = std::min(best, now);
        lower = std::max(lower, proven);
        const double next_mu = std::clamp(kCentring * (now - proven) / pull_sum(), std::min(mu, kLastMu * scale_), mu);
        stuck = best - lower > 0.9 * gap && next_mu > 0.9 * mu ? stuck + 1 : 0;
        mu = next_mu;
        measure(mu);
    }
    return finish(problem, places, lower, iterations);
}

}  // namespace terrane
