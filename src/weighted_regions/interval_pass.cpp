#include "weighted_regions/interval_pass.h"

#include <algorithm>
#include <cmath>

namespace terrane::detail {

namespace {

// A pass lowers a knot about five times, rarely more than 20. If rounding makes knots lower each other in a cycle: after kOften times, a
// knot is lowered by at least a quantum; after kOften more by two, then four, which ends every cycle.
constexpr uint32_t kOften = 64;

}  // namespace

void IntervalPass::begin(IntervalMap& map, const Setup& setup) {
    map_ = &map;
    setup_ = setup;
    target_ = {};
    queue_.reset();
    closed_.assign(map.size(), 0);
    keys_.assign(map.size(), kUnreachableCost);
    arrivals_.assign(map.size(), {});
    lowered_.assign(map.size(), 0);
    map.values(setup.direction).assign(map.size(), kUnreachableCost);
    map.losses(setup.direction).assign(map.size(), 0);
    if (setup.trace != nullptr) setup.trace->expanded.clear();
    for (const uint32_t polygon : setup.source_in) {
        const Beam beam(setup.source, map.subdivision().cost(polygon));
        reach_target(beam, polygon, kSource);
        propagate(beam, polygon, kSource);
    }
}

void IntervalPass::lower(uint32_t k, double to) {
    if (++lowered_[k] > kOften) to = std::min(to, value(k) - std::ldexp(setup_.quantum, static_cast<int>(lowered_[k] / kOften) - 1));
    map_->values(setup_.direction)[k] = std::max(to, 0.0);
    for (const uint32_t i : {k - 1, k}) {
        if (!map_->is_live(i)) continue;
        keys_[i] = std::min(keys_[i], value(k));
        if (arrivals_[i].through < kUnreachableCost) queue_.push(keys_[i], i, keys_[i]);
    }
}

// The ends of the interval must be lowered already.
void IntervalPass::open(uint32_t i, const Arrival& arrival) {
    if (arrivals_[i].through == kUnreachableCost) queue_.push(keys_[i], i, keys_[i]);
    if (arrival.through < arrivals_[i].through) arrivals_[i] = arrival;
}

void IntervalPass::relax_open(const Beam& beam, uint32_t to, uint32_t from) {
    const IntervalBound bound = map_->bound(to, setup_.direction);
    const double slope = setup_.has_heuristic ? (heuristic(to + 1) - heuristic(to)) / bound.width : 0;
    const double allowance = map_->allowance(beam.floor(), beam.cost());
    const Beam::Arrival arrival = beam.arrive(bound, slope, allowance);
    const double through = arrival.least + heuristic(to);
    if (through > setup_.limit) return;
    if (arrival.at_a + 0.5 * allowance < value(to)) lower(to, arrival.at_a);
    if (arrival.at_b + 0.5 * allowance < value(to + 1)) lower(to + 1, arrival.at_b);
    open(to, {from, beam.cost(), 0.5 * (arrival.at_a + arrival.at_b + heuristic(to) + heuristic(to + 1))});
}

void IntervalPass::relax_closed(const Beam& beam, uint32_t to) {
    IntervalBound bound = map_->bound(to, setup_.direction);
    if (!beam.lower(bound, map_->allowance(beam.floor(), beam.cost()))) return;
    if (bound.at_a < value(to)) lower(to, bound.at_a);
    if (bound.at_b < value(to + 1)) lower(to + 1, bound.at_b);
}

void IntervalPass::propagate(const Beam& beam, uint32_t polygon, uint32_t from) {
    const uint32_t own = from == kSource ? kSource : map_->knot(from).boundary;
    for (const uint32_t b : map_->subdivision().boundaries_of(polygon)) {
        if (b == own) continue;
        for (uint32_t to = map_->first(b); to < map_->end(b); ++to) {
            if (!map_->is_live(to)) continue;
            if (is_closed(to)) {
                relax_closed(beam, to);
            } else {
                relax_open(beam, to, from);
            }
        }
    }
}

void IntervalPass::reach_target(const Beam& beam, uint32_t polygon, uint32_t from) {
    if (!std::ranges::binary_search(setup_.target_in, polygon)) return;
    const double through = std::max(0.0, beam.reach(setup_.target) - map_->allowance(beam.floor(), beam.cost()));
    if (through < target_.through) target_ = {from, beam.cost(), through};
}

// Makes the bound no steeper than the cost of travelling along the boundary.
void IntervalPass::limit_slope(uint32_t i) {
    const uint32_t low = value(i) <= value(i + 1) ? i : i + 1, high = low == i ? i + 1 : i;
    const double most = value(low) + map_->cost_along(i) * map_->width(i);
    if (value(high) > most) lower(high, most - map_->allowance(value(low), map_->cost_along(i)));
}

void IntervalPass::pull(uint32_t i, uint32_t polygon) {
    const double cost = map_->subdivision().cost(polygon);
    if (std::ranges::binary_search(setup_.source_in, polygon)) relax_closed(Beam(setup_.source, cost), i);
    for (const uint32_t b : map_->subdivision().boundaries_of(polygon)) {
        if (b == map_->knot(i).boundary) continue;
        for (uint32_t from = map_->first(b); from < map_->end(b); ++from) {
            if (!is_closed(from) || std::min(value(from), value(from + 1)) >= std::max(value(i), value(i + 1))) continue;
            relax_closed(Beam(map_->bound(from, setup_.direction), cost), i);
        }
    }
}

void IntervalPass::close(uint32_t i) {
    const double before = value(i) + value(i + 1);
    pull(i, map_->boundary(i).left);
    pull(i, map_->boundary(i).right);
    map_->losses(setup_.direction)[i] = before - (value(i) + value(i + 1));
    closed_[i] = 1;
    limit_slope(i);
}

// Travel along the boundary: adjacent intervals share a knot and its value.
void IntervalPass::open_neighbours(uint32_t i) {
    for (const uint32_t k : {i, i + 1}) {
        const uint32_t neighbour = k == i ? i - 1 : i + 1;
        const double through = value(k) + heuristic(k) - map_->allowance(value(k), map_->cost_along(i));
        if (map_->is_live(neighbour) && !is_closed(neighbour) && through <= setup_.limit)
            open(neighbour, {i, map_->cost_along(i), through});
    }
}

void IntervalPass::expand(uint32_t i) {
    limit_slope(i);
    if (!is_closed(i)) close(i);
    keys_[i] = kUnreachableCost;
    open_neighbours(i);
    const Subdivision::Boundary& boundary = map_->boundary(i);
    const IntervalBound bound = map_->bound(i, setup_.direction);
    for (const uint32_t polygon : {boundary.left, boundary.right}) {
        const Beam beam(bound, map_->subdivision().cost(polygon));
        reach_target(beam, polygon, i);
        propagate(beam, polygon, i);
    }
    if (setup_.trace != nullptr) setup_.trace->expanded.push_back(map_->middle(i));
}

bool IntervalPass::run(uint64_t& budget) {
    while (!queue_.empty()) {
        const auto [interval, key] = queue_.top();
        if (keys_[interval] == key) {
            if (budget == 0) return false;
            --budget;
        }
        queue_.pop();
        if (keys_[interval] == key) expand(interval);
    }
    return true;
}

void IntervalPass::trace_back(Chain& chain) const {
    chain.boundaries.clear();
    chain.places.clear();
    chain.costs.assign(1, target_.cost);
    for (uint32_t i = target_.from; i != kSource; i = arrivals_[i].from) {
        const size_t n = chain.boundaries.size();
        const IntervalMap::Knot& knot = map_->knot(i);
        const bool along = n >= 2 && chain.boundaries[n - 1] == knot.boundary && chain.boundaries[n - 2] == knot.boundary;
        if (along) {  // one segment of the path along the boundary, not one per interval
            chain.boundaries.pop_back();
            chain.places.pop_back();
            chain.costs.pop_back();
        }
        chain.boundaries.push_back(knot.boundary);
        chain.places.push_back(0.5 * (knot.place + map_->knot(i + 1).place));
        chain.costs.push_back(arrivals_[i].cost);
    }
    std::ranges::reverse(chain.boundaries);
    std::ranges::reverse(chain.places);
    std::ranges::reverse(chain.costs);
}

void IntervalPass::prune(double limit) {
    for (uint32_t i = 0; i < map_->size(); ++i) {
        if (!map_->is_live(i)) continue;
        const double slack = map_->allowance(limit, 0);
        if (!is_closed(i) || std::min(value(i) + heuristic(i), value(i + 1) + heuristic(i + 1)) > limit + slack) map_->kill(i);
    }
}

void IntervalPass::list_open(std::vector<Point>& out) const {
    out.clear();
    for (uint32_t i = 0; i < map_->size(); ++i) {
        if (map_->is_live(i) && !is_closed(i) && arrivals_[i].through < kUnreachableCost) out.push_back(map_->middle(i));
    }
}

size_t IntervalPass::bytes() const {
    return queue_.bytes() + closed_.capacity() + keys_.capacity() * sizeof(double) + arrivals_.capacity() * sizeof(Arrival) +
           lowered_.capacity() * sizeof(uint32_t);
}

}  // namespace terrane::detail
