// A NavmeshFilter, precomputed for a query.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "terrane/navmesh/navmesh_planner.h"

namespace terrane {

struct QueryCosts {
    std::array<double, 64> cost{};  // per unit of length, by area; 0: blocked
    uint16_t include = 0, exclude = 0;
    double min_cost = 0;  // over the areas that the mesh has and the filter passes; 0 if there are none
    double max_cost = 0;

    // Heuristic weights of dta+portals (weighted A*). With several costs, the straight line at the minimum cost is a weak heuristic, and
    // labels are inexact anyway because crossing points are greedy. With uniform costs a weight gains little and bends straight paths.
    // 1.3: 41% (person) and 14% (deer) fewer expansions than 1, for 0.5 and 0.6 percentage points of path cost
    // (docs/notes/navmesh.md).
    bool is_uniform() const { return min_cost == max_cost; }
    Weight region_weight() const { return is_uniform() ? Weight{} : Weight{13, 10}; }
    Weight polygon_weight() const { return is_uniform() ? Weight{} : Weight{11, 10}; }

    // Returns 0 if the filter does not pass.
    double of(uint8_t area, uint16_t flags) const { return (flags & include) != 0 && (flags & exclude) == 0 ? cost[area] : 0; }
    double of(const NavmeshRegion& region) const { return of(region.area, region.flags); }
};

inline QueryCosts query_costs(const NavmeshFilter& filter, const NavmeshAbstraction& regions) {
    QueryCosts q;
    q.include = filter.include_flags;
    q.exclude = filter.exclude_flags;
    for (uint32_t area = 0; area < q.cost.size(); ++area) {
        q.cost[area] = filter.cost(static_cast<uint8_t>(area));
        if (q.cost[area] == 0 || regions.regions_with_area(area) == 0) continue;
        q.max_cost = std::max(q.max_cost, q.cost[area]);
        q.min_cost = q.min_cost == 0 ? q.cost[area] : std::min(q.min_cost, q.cost[area]);
    }
    return q;
}

}  // namespace terrane
