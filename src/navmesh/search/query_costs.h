// A NavmeshFilter made ready for a query.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "terrane/navmesh/navmesh_planner.h"

namespace terrane {

struct QueryCosts {
    std::array<double, 64> cost{};  // of an area, a unit of length; 0: blocked
    uint16_t include = 0, exclude = 0;
    double cheapest = 0;  // of the areas that the mesh has and the filter lets pass; 0 where there is none
    double dearest = 0;

    // For dta+portals. Where a border or a portal is crossed is guessed on the way, so that labels are not exact anyway; and where costs
    // differ, the straight line at the cheapest is a weak guide. Where they do not, a weight buys little, and bends paths that should be
    // straight.
    // On the longer half of the queries of `terrane bench navmesh`, expansions and cost to Detour's, of person's and of deer's among them:
    //   regions at 1    2,933 and 4,434, +0.0% and +0.8%;     at 1.2  2,019 and 4,005, +0.3% and +1.1%;
    //   at 1.3          1,720 and 3,805, +0.5% and +1.4%;     at 1.4  1,538 and 3,592, +0.8% and +1.7%;
    //   at 1.5          1,414 and 3,386, +1.2% and +2.1%;     at 1.6  1,335 and 3,180, +1.7% and +2.5%;
    //   polygons at 1.2 instead (regions at 1.3)  1,694 and 3,667, +0.5% and +1.5%;     at 1.3  1,675 and 3,555, +0.5% and +1.7%.
    bool is_uniform() const { return cheapest == dearest; }
    Weight region_weight() const { return is_uniform() ? Weight{} : Weight{13, 10}; }
    Weight polygon_weight() const { return is_uniform() ? Weight{} : Weight{11, 10}; }

    // 0 where one may not go.
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
        q.dearest = std::max(q.dearest, q.cost[area]);
        q.cheapest = q.cheapest == 0 ? q.cost[area] : std::min(q.cheapest, q.cost[area]);
    }
    return q;
}

}  // namespace terrane
