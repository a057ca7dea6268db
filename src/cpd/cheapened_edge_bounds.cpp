#include "cpd/cheapened_edge_bounds.h"

#include <algorithm>

namespace terrane::detail {

static constexpr uint64_t kFar = kInfinite<uint64_t>;

void CheapenedEdgeBounds::begin(const ChangedGrid& grid, PathBounds& bounds, CellId goal) {
    const PerturbationData& data = grid.data();
    groups_.clear();
    octile_ = OctileBound(data.min_cost, has_diagonals(data.now.movement()));
    if (data.endpoint_groups.empty()) return;
    if (data.cheapened_endpoints.empty()) {
        make_coarse_groups(data, grid.layout().cell(goal));
    } else {
        make_groups(data, bounds);
    }
    run_dijkstra();
}

// Splits each endpoint group in two: endpoints that reach the goal on the base map, and endpoints that do not.
void CheapenedEdgeBounds::make_groups(const PerturbationData& data, PathBounds& bounds) {
    group_of_.resize(data.cheapened_endpoints.size());
    for (const EndpointGroup& from : data.endpoint_groups) {
        Group near{from.rect, kFar, 0, kFar, false};
        bool any_far = false, any_near = false;
        for (uint32_t i = from.first; i < from.first + from.count; ++i) {
            const uint64_t base = bounds(data.cheapened_endpoints[i]).base;
            group_of_[i] = static_cast<uint32_t>(groups_.size()) + (base == kFar ? 1 : 0);
            (base == kFar ? any_far : any_near) = true;
            near.low = std::min(near.low, base);
            if (base != kFar) near.high = std::max(near.high, base);
        }
        near.to_goal = near.low;
        if (any_near) groups_.push_back(near);
        if (any_far) groups_.push_back({from.rect, kFar, kFar, kFar, false});
        if (any_near) continue;
        for (uint32_t i = from.first; i < from.first + from.count; ++i) --group_of_[i];
    }
    const size_t count = groups_.size();
    edges_.assign(count * count, kFar);
    for (const CheapenedEdge& step : data.cheapened_edges) {
        const size_t a = group_of_[step.a], b = group_of_[step.b];
        edges_[a * count + b] = edges_[b * count + a] = std::min(edges_[a * count + b], step.cost);
    }
}

// Bounds each group by octile distance alone; for maps with too many endpoints to list.
void CheapenedEdgeBounds::make_coarse_groups(const PerturbationData& data, Cell goal) {
    for (const EndpointGroup& from : data.endpoint_groups) {
        const uint64_t low = octile_(goal, from.rect);
        groups_.push_back({from.rect, low, kFar, low, false});
    }
    edges_.assign(groups_.size() * groups_.size(), kFar);
}

// The least difference between a base cost in [low, high] and one of the group's. kFar if only one of the two reaches the goal.
uint64_t CheapenedEdgeBounds::cost_gap(uint64_t low, uint64_t high, const Group& group) {
    if (low > group.high) return low == kFar ? kFar : low - group.high;
    if (group.low > high) return group.low == kFar ? kFar : group.low - high;
    return 0;
}

uint64_t CheapenedEdgeBounds::distance(const Group& a, const Group& b) const {
    return std::max(octile_(a.rect, b.rect), cost_gap(a.low, a.high, b));
}

// Computes to_goal, by Dijkstra's algorithm over the complete graph of the groups.
void CheapenedEdgeBounds::run_dijkstra() {
    const size_t count = groups_.size();
    for (size_t round = 0; round < count; ++round) {
        size_t next = count;
        for (size_t i = 0; i < count; ++i) {
            if (!groups_[i].settled && (next == count || groups_[i].to_goal < groups_[next].to_goal)) next = i;
        }
        Group& from = groups_[next];
        if (from.to_goal == kFar) return;
        from.settled = true;
        for (size_t i = 0; i < count; ++i) {
            const uint64_t step = std::min(edges_[next * count + i], distance(from, groups_[i]));
            if (step != kFar) groups_[i].to_goal = std::min(groups_[i].to_goal, from.to_goal + step);
        }
    }
}

uint64_t CheapenedEdgeBounds::operator()(Cell cell, uint64_t base) const {
    uint64_t least = base;
    for (const Group& group : groups_) {
        const uint64_t apart = cost_gap(base, base, group);
        if (apart == kFar || group.to_goal == kFar) continue;
        least = std::min(least, std::max(octile_(cell, group.rect), apart) + group.to_goal);
    }
    return least;
}

CheapenedEdgeBounds::Entry CheapenedEdgeBounds::from_start(const ChangedGrid& grid, PathBounds& back, Cell start, uint64_t base) const {
    const std::vector<CellId>& cells = grid.data().cheapened_endpoints;
    if (cells.empty()) return {(*this)(start, base), kNoCell};
    Entry entry{base, kNoCell};
    for (size_t i = 0; i < cells.size(); ++i) {
        const uint64_t rest = groups_[group_of_[i]].to_goal, g = back(cells[i]).base;
        if (rest != kFar && g != kFar && g + rest < entry.bound) entry = {g + rest, cells[i]};
    }
    return entry;
}

}  // namespace terrane::detail
