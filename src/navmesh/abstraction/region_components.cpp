#include "navmesh/abstraction/region_components.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace terrane {
namespace {

// Union-find with path halving.
uint32_t find_root(std::vector<uint32_t>& components, uint32_t rank) {
    while (components[rank] != rank) {
        components[rank] = components[components[rank]];
        rank = components[rank];
    }
    return rank;
}

void unite(std::vector<uint32_t>& components, uint32_t a, uint32_t b) {
    const auto [low, high] = std::minmax({find_root(components, a), find_root(components, b)});
    components[high] = low;
}

}  // namespace

RegionComponents::Key RegionComponents::key_of(const NavmeshAbstraction& regions, const QueryCosts& costs) {
    Key key{0, costs.include, costs.exclude, regions.version()};
    for (uint32_t area = 0; area < costs.cost.size(); ++area) {
        if (costs.cost[area] > 0) key.areas |= uint64_t{1} << area;
    }
    return key;
}

// Returns the entry for `key`, or else the least recently used one, cleared; moves it to the front.
RegionComponents::Entry& RegionComponents::find(const Key& key) {
    const auto same = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
    const auto found = same != entries_.end() ? same : entries_.end() - 1;
    std::rotate(entries_.begin(), found, found + 1);
    if (entries_.front().key != key) {
        entries_.front().key = key;
        entries_.front().components.clear();
    }
    return entries_.front();
}

void RegionComponents::label(const NavmeshAbstraction& regions, const QueryCosts& costs, std::vector<uint32_t>& components) {
    components.resize(regions.region_count());
    std::iota(components.begin(), components.end(), 0u);
    for (uint32_t slot = 0; slot < regions.slots(); ++slot) {
        for (uint32_t number = 0; number < regions.regions_in(slot).size(); ++number) {
            const NavmeshRegionId id = regions.id(slot, number);
            if (costs.of(regions.region(id)) == 0) continue;
            for (const NavmeshEdge& edge : regions.edges_of(id)) {
                if (costs.of(edge.area, edge.flags) > 0) unite(components, regions.rank(id), regions.rank(edge.to));
            }
        }
    }
    // Parents have lower ranks than their children, so they are final when they are read.
    for (uint32_t& component : components) component = components[component];
}

bool RegionComponents::may_reach(const NavmeshAbstraction& regions, const QueryCosts& costs, NavmeshRegionId from, NavmeshRegionId to) {
    Entry& entry = find(key_of(regions, costs));
    if (entry.components.empty()) label(regions, costs, entry.components);
    return entry.components[regions.rank(from)] == entry.components[regions.rank(to)];
}

size_t RegionComponents::bytes() const {
    size_t sum = 0;
    for (const Entry& entry : entries_) sum += entry.components.capacity() * sizeof(uint32_t);
    return sum;
}

}  // namespace terrane
