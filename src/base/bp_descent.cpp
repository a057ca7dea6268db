// The paper's coordinate descent, and the final step of both solvers.
#include <algorithm>
#include <limits>

#include "base/bp_solver.h"

namespace terrane {

namespace {

constexpr double kSnap = 1e-9;          // places this close to an end of their boundary may belong there
constexpr uint8_t kNow = 1, kNext = 2;  // in the change set of this round, of the next round

}  // namespace

void BoundaryPointSolver::place_points(const BoundaryProblem& problem, std::span<const double> places) {
    points_.resize(places.size());
    for (size_t i = 0; i < places.size(); ++i) points_[i] = problem.boundaries[i].at(places[i]);
}

double BoundaryPointSolver::path_cost(const BoundaryProblem& problem) const {
    Point from = problem.start;
    double sum = 0;
    for (size_t i = 0; i < points_.size(); ++i) {
        sum += problem.costs[i] * distance(from, points_[i]);
        from = points_[i];
    }
    return sum + problem.costs[points_.size()] * distance(from, problem.goal);
}

// Snaps places that are almost at an end to it if that does not raise the cost.
BoundaryAnswer BoundaryPointSolver::finish(const BoundaryProblem& problem, std::span<double> places, double lower, uint32_t iterations) {
    place_points(problem, places);
    const double as_found = path_cost(problem);
    for (size_t i = 0; i < places.size(); ++i) {
        path_points_[i + 1].place = places[i];
        places[i] = places[i] < kSnap ? 0 : places[i] > 1 - kSnap ? 1 : places[i];
    }
    place_points(problem, places);
    if (path_cost(problem) > as_found) {
        for (size_t i = 0; i < places.size(); ++i) places[i] = path_points_[i + 1].place;
        place_points(problem, places);
    }
    const double total = path_cost(problem);
    return {total, std::clamp(lower, 0.0, total), iterations};
}

// Keeps the parent's points, and places each new one optimally with the goal as its successor. The change set contains their predecessors.
void BoundaryPointSolver::init_points(const BoundaryProblem& problem, std::span<double> places, size_t primed) {
    const size_t k = places.size();
    for (size_t i = 0; i < k; ++i) places[i] = path_points_[i + 1].place;
    place_points(problem, places);
    marks_.assign(k, primed == k ? kNow : 0);
    for (size_t i = primed; i < k; ++i) {
        const Point before = i > 0 ? points_[i - 1] : problem.start;
        places[i] = crossing_by_quartic(problem.boundaries[i], before, problem.costs[i], problem.goal, problem.costs[i + 1]);
        points_[i] = problem.boundaries[i].at(places[i]);
        if (i > 0) marks_[i - 1] = kNow;
    }
}

// Moves one point to its optimum between its neighbours. Returns false if that is no improvement.
bool BoundaryPointSolver::move_point(const BoundaryProblem& problem, std::span<double> places, size_t i) {
    const Point before = i > 0 ? points_[i - 1] : problem.start, after = i + 1 < places.size() ? points_[i + 1] : problem.goal;
    const double place = crossing_by_quartic(problem.boundaries[i], before, problem.costs[i], after, problem.costs[i + 1]);
    const Point there = problem.boundaries[i].at(place);
    const auto around = [&](Point p) { return problem.costs[i] * distance(before, p) + problem.costs[i + 1] * distance(p, after); };
    if (!(around(there) < around(points_[i]))) return false;
    places[i] = place;
    points_[i] = there;
    return true;
}

void BoundaryPointSolver::move_marked(const BoundaryProblem& problem, std::span<double> places) {
    for (size_t i = 0; i < places.size(); ++i) {
        if ((marks_[i] & kNow) == 0 || !move_point(problem, places, i)) continue;
        if (i > 0) marks_[i - 1] |= kNext;
        if (i + 1 < places.size()) marks_[i + 1] |= kNext;
    }
    for (uint8_t& mark : marks_) mark = (mark & kNext) != 0 ? kNow : 0;
}

BoundaryAnswer BoundaryPointSolver::descend(const BoundaryProblem& problem, std::span<double> places, const DescentOptions& options) {
    load(problem, places, options.primed);
    init_points(problem, places, options.primed);
    uint32_t iterations = 0;
    double total = path_cost(problem), gain = std::numeric_limits<double>::infinity();
    while (iterations < options.max_iterations && gain > options.epsilon && std::ranges::count(marks_, kNow) > 0) {
        move_marked(problem, places);
        const double now = path_cost(problem);
        gain = total - now;
        total = now;
        ++iterations;
    }
    for (size_t i = 0; i < places.size(); ++i) path_points_[i + 1].place = places[i];
    set_duals(0);
    return finish(problem, places, bound(), iterations);
}

}  // namespace terrane
