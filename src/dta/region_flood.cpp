#include "dta/region_flood.h"

#include <algorithm>

namespace terrane::detail {

RegionNodes::RegionNodes(const TerrainRegions& regions)
    : first_(regions.sectors()), node_(static_cast<size_t>(regions.region_count()), kNoNode) {
    uint32_t next = 0;
    for (uint32_t s = 0; s < regions.sectors(); ++s) {
        first_[s] = next;
        next += regions.regions_in(s);
    }
}

FlatRegions::FlatRegions(const TerrainRegions& regions, const Ground& ground) : regions_(regions), nodes_(regions) {
    const bool diagonals = uses_diagonal_edges({regions.grid(), ground.costs(), ground.movement()});
    region_.reserve(static_cast<size_t>(regions.region_count()));
    for (uint32_t s = 0; s < regions.sectors(); ++s) {
        for (uint32_t number = 0; number < regions.regions_in(s); ++number) {
            const RegionId id = regions.id(s, number);
            if (ground.costs().passable(regions.region(id).terrain) && nodes_(s, number) == kNoNode)
                number_component(id, ground.costs(), diagonals);
        }
    }
    copy_edges(RegionGraph(regions, ground), ground.costs(), diagonals);
}

std::vector<RegionComponent> FlatRegions::components_by_size() const {
    std::vector<RegionComponent> components = components_;
    std::sort(components.begin(), components.end(),
              [](const RegionComponent& a, const RegionComponent& b) { return a.size != b.size ? a.size > b.size : a.first < b.first; });
    return components;
}

void FlatRegions::number_component(RegionId first, const CostTable& costs, bool diagonals) {
    struct Frame {
        RegionId region;
        uint32_t next_edge;
    };
    std::vector<Frame> stack;
    const auto enter = [&](uint32_t sector, uint32_t number) {
        nodes_.at(sector, number) = size();
        region_.push_back(regions_.id(sector, number));
        stack.push_back({region_.back(), 0});
    };
    const uint32_t begin = size();
    enter(regions_.sector_of(first), regions_.number_of(first));
    while (!stack.empty()) {
        const uint32_t sector = regions_.sector_of(stack.back().region);
        const auto edges = regions_.data().record(sector).edges_of(regions_.number_of(stack.back().region));
        if (stack.back().next_edge == edges.size()) {
            stack.pop_back();
            continue;
        }
        const RegionEdge edge = edges[stack.back().next_edge++];
        if (edge.diagonal_only() && !diagonals) continue;
        const uint32_t there = regions_.neighbour(sector, edge.side());
        if (nodes_(there, edge.number()) != kNoNode || !costs.passable(regions_.region(regions_.id(there, edge.number())).terrain))
            continue;
        enter(there, edge.number());
    }
    components_.push_back({begin, size() - begin});
}

void FlatRegions::copy_edges(const RegionGraph& graph, const CostTable& costs, bool diagonals) {
    first_edge_.reserve(region_.size() + 1);
    edges_.reserve(static_cast<size_t>(regions_.edge_count()));
    for (const RegionId id : region_) {
        first_edge_.push_back(edges_.size());
        uint32_t number = 0;
        regions_.for_each_edge(id, [&](RegionId to, bool diagonal_only) {
            const Region& there = regions_.region(to);
            if (costs.passable(there.terrain) && (diagonals || !diagonal_only)) {
                const uint32_t node = nodes_(regions_.sector_of(to), regions_.number_of(to));
                edges_.push_back({node, number, graph.estimate(regions_.region(id), there)});
            }
            ++number;
        });
        most_edges_ = std::max(most_edges_, number);
    }
    first_edge_.push_back(edges_.size());
}

void RegionFlood::reset() {
    labels_.reset(regions_->size());
    queue_.reset();
}

void RegionFlood::run_from(uint32_t node) {
    BestFirst search(FlatGraph{regions_}, ZeroHeuristic{}, NoGoal{}, labels_, queue_);
    search.start(node, 0, kNoEdge);
    search.run();
}

uint32_t RegionFlood::farthest(const RegionComponent& component) const {
    uint32_t best = component.first;
    for (uint32_t node = component.first; node < component.last(); ++node) {
        if (distance(node) > distance(best)) best = node;
    }
    return best;
}

}  // namespace terrane::detail
