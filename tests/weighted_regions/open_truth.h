// The cheapest path over a small subdivision by brute force, to check the searches against: every sequence of boundaries, depth first,
// each solved on its own. Left out are sequences that provably cost more than the best one found, and those that cross a boundary
// twice in the same direction. Six polygons take 3 ms, eight 15.
//
// Proof comes from the solver's lower bounds. The way that is still ahead counts as the crow flies, at a cost for each boundary that no way
// from there to the goal is below: boundaries are cut into short parts, and Dijkstra's algorithm runs from the goal over the parts, with
// the least distance between two of them for an edge.
//
// A best path may cross a boundary twice in the same direction: where it leaves a wedge of dear ground through the thin end of another one,
// beside it, and comes back to that through the thin end of its own. `crossings` allows it; no field drawn at random has needed it so far.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/boundary_points.h"
#include "terrane/weighted_regions/open_path.h"
#include "terrane/weighted_regions/subdivision.h"

namespace terrane::test {

struct OpenTruth {
    double cost = kBlockedCost;         // of the best sequence; infinite where there is none
    double lower_bound = kBlockedCost;  // no sequence costs less: cost * (1 - kSlack) or more
    std::vector<Point> points;
    uint64_t solved = 0;  // sequences, complete or not

    static constexpr double kSlack = 1e-10;
};

namespace detail {

// By boundary: a cost that no way from it to the goal is below, for a unit of the distance between the two.
class WayAhead {
public:
    WayAhead(const Subdivision& field, Point goal, std::span<const uint32_t> goal_in) : field_(field) {
        parts_.resize(kParts * field.boundaries().size());
        for (size_t i = 0; i < parts_.size(); ++i) {
            const Segment whole = field.segment(field.boundaries()[i / kParts]);
            const double place = static_cast<double>(i % kParts) / kParts;
            parts_[i].segment = {whole.at(place), whole.at(place + 1.0 / kParts)};
        }
        for (const uint32_t polygon : goal_in) relax(polygon, parts_.size(), {goal, goal}, 0);
        for (size_t next = nearest(); next < 2 * parts_.size(); next = nearest()) settle(next / 2, next % 2 != 0);
        costs_.assign(field.boundaries().size(), kBlockedCost);
        const double cheapest = *std::ranges::min_element(field.polygons().costs);
        for (size_t i = 0; i < parts_.size(); ++i) {
            const double furthest = std::max(distance(parts_[i].segment.a, goal), distance(parts_[i].segment.b, goal));
            double& cost = costs_[i / kParts];
            cost = std::min(cost, std::max(cheapest, parts_[i].ahead[1] / furthest) * (1 - 1e-12));
        }
    }

    // Infinite where no way leads to the goal.
    double cost(uint32_t boundary) const { return costs_[boundary]; }

private:
    static constexpr size_t kParts = 32;

    // Two bounds: for ways that leave the boundary at once, and for those that may run along it first. One alone would let ways
    // step from part to part, which touch, for nothing.
    struct Part {
        Segment segment;
        double ahead[2] = {kBlockedCost, kBlockedCost};
        bool done[2] = {false, false};
    };

    // Of segments that do not cross.
    static double apart(const Segment& s, const Segment& t) {
        return std::min({distance(s.a, t.at(nearest_place(t, s.a))), distance(s.b, t.at(nearest_place(t, s.b))),
                         distance(t.a, s.at(nearest_place(s, t.a))), distance(t.b, s.at(nearest_place(s, t.b)))});
    }

    // Ways from the polygon's other boundaries to part `from`, which is `ahead` from the goal.
    void relax(uint32_t polygon, size_t from, const Segment& segment, double ahead) {
        if (field_.is_blocked(polygon)) return;
        for (const uint32_t b : field_.boundaries_of(polygon)) {
            for (size_t i = b * kParts; b != from / kParts && i < (b + 1) * kParts; ++i) {
                parts_[i].ahead[0] = std::min(parts_[i].ahead[0], ahead + field_.cost(polygon) * apart(segment, parts_[i].segment));
            }
        }
    }

    void settle(size_t from, bool along) {
        parts_[from].done[along ? 1 : 0] = true;
        const auto& boundary = field_.boundaries()[from / kParts];
        const Part part = parts_[from];
        if (along) {
            for (const uint32_t polygon : {boundary.left, boundary.right}) relax(polygon, from, part.segment, part.ahead[1]);
            return;
        }
        const double cost = std::min(field_.cost(boundary.left), field_.cost(boundary.right));
        for (size_t i = from / kParts * kParts; i < (from / kParts + 1) * kParts; ++i) {
            parts_[i].ahead[1] = std::min(parts_[i].ahead[1], part.ahead[0] + cost * apart(part.segment, parts_[i].segment));
        }
    }

    // Twice the part, plus one for the second bound; what is out of reach is never settled.
    size_t nearest() const {
        size_t best = 2 * parts_.size();
        double least = kBlockedCost;
        for (size_t i = 0; i < 2 * parts_.size(); ++i) {
            if (!parts_[i / 2].done[i % 2] && parts_[i / 2].ahead[i % 2] < least) least = parts_[i / 2].ahead[i % 2], best = i;
        }
        return best;
    }

    const Subdivision& field_;
    std::vector<Part> parts_;
    std::vector<double> costs_;
};

class TruthSearch {
public:
    TruthSearch(const Subdivision& field, Point from, Point to, uint32_t crossings)
        : field_(field), crossings_(crossings), from_(from), to_(to) {
        crossed_.resize(2 * field.boundaries().size(), 0);
    }

    OpenTruth run() {
        std::vector<uint32_t> from_in;
        if (open_path_ends(field_, from_, to_, from_in, to_in_) != Status::kFound) return best_;
        ahead_.emplace(field_, to_, to_in_);
        for (const uint32_t polygon : from_in) {
            costs_.push_back(field_.cost(polygon));
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

    bool hopeless(double bound) const { return bound >= best_.cost * (1 - OpenTruth::kSlack); }

    // The sequence as it is, with `last` as the cost of the way from its last boundary to the goal.
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
        for (const uint32_t b : field_.boundaries_of(polygon)) {
            const auto& boundary = field_.boundaries()[b];
            const uint32_t into = boundary.left == polygon ? boundary.right : boundary.left;
            const uint32_t side = 2 * b + static_cast<uint32_t>(boundary.right == polygon);
            // Straight back is travelling along the boundary, of use only where that is cheaper than on the near side.
            if (ahead_->cost(b) == kBlockedCost) continue;  // from there is no way to the goal
            const bool back = !sides_.empty() && sides_.back() == (side ^ 1);
            if (field_.is_blocked(into) || crossed_[side] >= crossings_ || (back && field_.cost(polygon) >= field_.cost(into))) continue;
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
        segments_.push_back(field_.segment(field_.boundaries()[side / 2]));
        costs_.push_back(field_.cost(into));
        ++crossed_[side];
    }
    void pop() {
        --crossed_[sides_.back()];
        sides_.pop_back();
        segments_.pop_back();
        costs_.pop_back();
    }

    const Subdivision& field_;
    uint32_t crossings_;
    Point from_, to_;
    std::optional<WayAhead> ahead_;
    std::vector<uint32_t> to_in_;
    std::vector<uint32_t> sides_, crossed_;
    std::vector<Segment> segments_;
    std::vector<double> costs_;  // of the polygons, the one we are in included
    BoundaryPointSolver solver_;
    OpenTruth best_;
};

}  // namespace detail

// `crossings`: how often a boundary may be crossed in one direction.
inline OpenTruth open_truth(const Subdivision& field, Point from, Point to, uint32_t crossings = 1) {
    return detail::TruthSearch(field, from, to, crossings).run();
}

}  // namespace terrane::test
