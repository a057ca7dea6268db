#include <recastnavigation/DetourNavMeshQuery.h>

#include <cfloat>
#include <cmath>

#include "terrane/navmesh/navmesh_planner.h"

namespace terrane {
namespace {

Hundredths to_hundredths(float cost) {
    if (!(cost >= 0.005F) || cost > static_cast<float>(kMaxTerrainCost) / 100) return kBlocked;
    return static_cast<Hundredths>(std::lround(static_cast<double>(cost) * 100));
}

}  // namespace

CostTable NavmeshFilter::uniform_costs() {
    CostTable table;
    for (int area = 0; area < DT_MAX_AREAS; ++area) table.cost[static_cast<size_t>(area)] = 1;
    table.divisor = 100;
    return table;
}

NavmeshFilter to_navmesh_filter(const dtQueryFilter& filter) {
    NavmeshFilter out;
    out.costs = {};
    for (int area = 0; area < DT_MAX_AREAS; ++area) out.costs.cost[static_cast<size_t>(area)] = to_hundredths(filter.getAreaCost(area));
    out.include_flags = filter.getIncludeFlags();
    out.exclude_flags = filter.getExcludeFlags();
    return out;
}

void to_detour_filter(const NavmeshFilter& filter, dtQueryFilter& out) {
    for (int area = 0; area < DT_MAX_AREAS; ++area) {
        const double cost = filter.cost(static_cast<uint8_t>(area));
        out.setAreaCost(area, cost == 0 ? FLT_MAX : static_cast<float>(cost));
    }
    out.setIncludeFlags(filter.include_flags);
    out.setExcludeFlags(filter.exclude_flags);
}

}  // namespace terrane
