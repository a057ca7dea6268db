// Connected components of the region graph under a filter: detects unreachable goals without a search.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "navmesh/search/query_costs.h"

namespace terrane {

// Caches the components of the most recently used filters for one abstraction; recomputes them after it changes (0.3 ms for 7,720 regions).
class RegionComponents {
public:
    // Returns false if there is no path. Components ignore edge directions: true means that there is a path unless one-way connections
    // prevent it. Both regions must pass the filter.
    bool may_reach(const NavmeshAbstraction& regions, const QueryCosts& costs, NavmeshRegionId from, NavmeshRegionId to);

    size_t bytes() const;

private:
    // What reachability depends on. Costs are not part of it: agents that may enter the same areas share an entry.
    struct Key {
        uint64_t areas = 0;  // bit i: area i is passable
        uint16_t include = 0, exclude = 0;
        uint64_t version = 0;  // of the abstraction

        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Entry {
        Key key;
        std::vector<uint32_t> components;  // by rank: rank of the component's first region. Empty: not computed yet
    };
    static constexpr size_t kEntries = 8;

    static Key key_of(const NavmeshAbstraction& regions, const QueryCosts& costs);
    Entry& find(const Key& key);
    static void label(const NavmeshAbstraction& regions, const QueryCosts& costs, std::vector<uint32_t>& components);

    std::array<Entry, kEntries> entries_;  // most recently used first
};

}  // namespace terrane
