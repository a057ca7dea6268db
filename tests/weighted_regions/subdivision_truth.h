// Oracle for the searches: the cheapest path over a small subdivision by brute force. Depth-first search over all sequences of boundaries,
// each solved independently. Pruned are sequences that provably cost more than the incumbent, and those that cross a boundary twice in the
// same direction. Six polygons take 3 ms, eight 15 ms.
//
// The proof uses the solver's lower bounds. The remaining path counts as its straight-line distance times a lower bound per boundary on the
// cost per unit of that distance: boundaries are cut into short parts, and Dijkstra's algorithm runs from the goal over the parts, with the
// least distance between two of them as edge length.
//
// An optimal path may cross a boundary twice in the same direction: if it leaves a wedge of expensive terrain through the thin end of an
// adjacent wedge, and returns to that wedge through the thin end of its own. `crossings` allows it; no random subdivision has needed it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/bp_solver.h"
#include "terrane/weighted_regions/subdivision.h"
#include "terrane/weighted_regions/subdivision_path.h"

namespace terrane::test {

struct SubdivisionTruth {
    double cost = kBlockedCost;         // of the best sequence; infinite where there is none
    double lower_bound = kBlockedCost;  // no sequence costs less: cost * (1 - kSlack) or more
    std::vector<Point> points;
    uint64_t solved = 0;  // sequences, complete or not

    static constexpr double kSlack = 1e-10;
};

namespace detail {

// By boundary: a lower bound on the cost of every path to the goal, per unit of the distance between the two.
class WayAhead {
public:
    WayAhead(const Subdivision& subdivision, Point goal, std::span<const uint32_t> goal_in) : subdivision_(subdivision) {
        parts_.resize(kParts * subdivision.boundaries().size());
        for (size_t i = 0; i < parts_.size(); ++i) {
            const Segment whole = subdivision.segment(subdivision.boundaries()[i / kParts]);
            const double place = static_cast<double>(i % kParts) / kParts;
            parts_[i].segment = {whole.at(place), whole.at(place + 1.0 / kParts)};
        }
        for (const uint32_t polygon : goal_in) relax(polygon, parts_.size(), {goal, goal}, 0);
        for (size_t next = nearest(); next < 2 * parts_.size(); next = nearest()) settle(next / 2, next % 2 != 0);
        costs_.assign(subdivision.boundaries().size(), kBlockedCost);
        const double cheapest = *std::ranges::min_element(subdivision.polygons().costs);
        for (size_t i = 0; i < parts_.size(); ++i) {
            const double furthest = std::max(distance(parts_[i].segment.a, goal), distance(parts_[i].segment.b, goal));
            double& cost = costs_[i / kParts];
            cost = std::min(cost, std::max(cheapest, parts_[i].ahead[1] / furthest) * (1 - 1e-12));
        }
    }

    // Infinite if no path leads to the goal.
    double cost(uint32_t boundary) const { return costs_[boundary]; }

private:
    static constexpr size_t kParts = 32;

    // Two bounds: for paths that leave the boundary at once, and for those that may run along it first. A single bound would let paths
    // step between touching parts at no cost.
    struct Part {
        Segment segment;
        double ahead[2] = {kBlockedCost, kBlockedCost};
        bool done[2] = {false, false};
    };

    // The distance of segments that do not cross.
    static double apart(const Segment& s, const Segment& t) {
        return std::min({distance(s.a, t.at(nearest_place(t, s.a))), distance(s.b, t.at(nearest_place(t, s.b))),
                         distance(t.a, s.at(nearest_place(s, t.a))), distance(t.b, s.at(nearest_place(s, t.b)))});
    }

    // Relaxes edges from the polygon's other boundaries to part `from`, whose cost to the goal is `ahead`.
    void relax(uint32_t polygon, size_t from, const Segment& segment, double ahead) {
        if (subdivision_.is_blocked(polygon)) return;
        for (const uint32_t b : subdivision_.boundaries_of(polygon)) {
            for (size_t i = b * kParts; b != from / kParts && i < (b + 1) * kParts; ++i) {
                parts_[i].ahead[0] = std::min(parts_[i].ahead[0], ahead + subdivision_.cost(polygon) * apart(segment, parts_[i].segment));
            }
        }
    }

    void settle(size_t from, bool along) {
        parts_[from].done[along ? 1 : 0] = true;
        const auto& boundary = subdivision_.boundaries()[from / kParts];
        const Part part = parts_[from];
        if (along) {
            for (const uint32_t polygon : {boundary.left, boundary.right}) relax(polygon, from, part.segment, part.ahead[1]);
            return;
        }
        const double cost = std::min(subdivision_.cost(boundary.left), subdivision_.cost(boundary.right));
        for (size_t i = from / kParts * kParts; i < (from / kParts + 1) * kParts; ++i) {
            parts_[i].ahead[1] = std::min(parts_[i].ahead[1], part.ahead[0] + cost * apart(part.segment, parts_[i].segment));
        }
    }

    // Nodes: twice the part, plus one for the second bound. Unreachable nodes are never settled.
    size_t nearest() const {
        size_t best = 2 * parts_.size();
        double least = kBlockedCost;
        for (size_t i = 0; i < 2 * parts_.size(); ++i) {
            if (!parts_[i / 2].done[i % 2] && parts_[i / 2].ahead[i % 2] < least) least = parts_[i / 2].ahead[i % 2], best = i;
        }
        return best;
    }

    const Subdivision& subdivision_;
    std::vector<Part> parts_;
    std::vector<double> costs_;
};

class TruthSearch {
public:
    TruthSearch(const Subdivision& subdivision, Point from, Point to, uint32_t crossings)
        : subdivision_(subdivision), crossings_(crossings), from_(from), to_(to) {
        crossed_.resize(2 * subdivision.boundaries().size(), 0);
    }

    SubdivisionTruth run() {
        std::vector<uint32_t> from_in;
        if (subdivision_path_ends(subdivision_, from_, to_, from_in, to_in_) != Status::kFound) return best_;
        ahead_.emplace(subdivision_, to_, to_in_);
        for (const uint32_t polygon : from_in) {
            costs_.push_back(subdivision_.cost(polygon));
            visit(polygon, {});
            costs_.pop_back();
        }
        best_.lower_bound = std::min(best_.lower_bound, best_.cost);
        return best_;
    }

private:
    struct Step {
        double bound = 0;
        uint32_t side = 0;  // twice the boundary, plus one where it is crossed from right to left
        uint32_t into = 0;
        std::vector<double> places;
    };

    bool hopeless(double bound) const { return bound >= best_.cost * (1 - SubdivisionTruth::kSlack); }

    // Solves the current sequence, with `last` as the cost per unit from its last boundary to the goal.
    BoundaryAnswer solve(double last, std::vector<double>& places, double tolerance) {
        ++best_.solved;
        const size_t known = std::min(places.size(), segments_.size());
        places.resize(segments_.size());
        std::vector<double> costs(costs_);
        costs.back() = last;
        return solver_.newton({from_, to_, segments_, costs}, places, {.tolerance = tolerance, .primed = known});
    }

    void finish(std::vector<double> places) {
        const BoundaryAnswer answer = solve(costs_.back(), places, 1e-12);
        best_.lower_bound = std::min(best_.lower_bound, answer.lower_bound);
        if (answer.cost >= best_.cost) return;
        best_.cost = answer.cost;
        best_.points.assign(1, from_);
        best_.points.insert(best_.points.end(), solver_.points().begin(), solver_.points().end());
        best_.points.push_back(to_);
    }

    std::vector<Step> steps_from(uint32_t polygon, const std::vector<double>& places) {
        std::vector<Step> steps;
        for (const uint32_t b : subdivision_.boundaries_of(polygon)) {
            const auto& boundary = subdivision_.boundaries()[b];
            const uint32_t into = boundary.left == polygon ? boundary.right : boundary.left;
            const uint32_t side = 2 * b + static_cast<uint32_t>(boundary.right == polygon);
            // Crossing straight back is travel along the boundary, useful only if the far side is cheaper.
            if (ahead_->cost(b) == kBlockedCost) continue;  // no path leads from there to the goal
            const bool back = !sides_.empty() && sides_.back() == (side ^ 1);
            if (subdivision_.is_blocked(into) || crossed_[side] >= crossings_ ||
                (back && subdivision_.cost(polygon) >= subdivision_.cost(into)))
                continue;
            push(side, into);
            Step step{0, side, into, places};
            step.bound = solve(ahead_->cost(b), step.places, 1e-6).lower_bound;
            pop();
            steps.push_back(std::move(step));
        }
        std::ranges::sort(steps, {}, [](const Step& s) { return std::pair(s.bound, s.side); });
        return steps;
    }

    void visit(uint32_t polygon, const std::vector<double>& places) {
        if (std::ranges::binary_search(to_in_, polygon)) finish(places);
        for (const Step& step : steps_from(polygon, places)) {
            if (hopeless(step.bound)) {
                best_.lower_bound = std::min(best_.lower_bound, step.bound);
                continue;
            }
            push(step.side, step.into);
            visit(step.into, step.places);
            pop();
        }
    }

    void push(uint32_t side, uint32_t into) {
        sides_.push_back(side);
        segments_.push_back(subdivision_.segment(subdivision_.boundaries()[side / 2]));
        costs_.push_back(subdivision_.cost(into));
        ++crossed_[side];
    }
    void pop() {
        --crossed_[sides_.back()];
        sides_.pop_back();
        segments_.pop_back();
        costs_.pop_back();
    }

    const Subdivision& subdivision_;
    uint32_t crossings_;
    Point from_, to_;
    std::optional<WayAhead> ahead_;
    std::vector<uint32_t> to_in_;
    std::vector<uint32_t> sides_, crossed_;
    std::vector<Segment> segments_;
    std::vector<double> costs_;  // of the polygons, including the current one
    BoundaryPointSolver solver_;
    SubdivisionTruth best_;
};

}  // namespace detail

// `crossings`: the number of times that a path may cross a boundary in one direction.
inline SubdivisionTruth subdivision_truth(const Subdivision& subdivision, Point from, Point to, uint32_t crossings = 1) {
    return detail::TruthSearch(subdivision, from, to, crossings).run();
}

}  // namespace terrane::test
