// The checks that every query makes before it searches.
#pragma once
#include "terrane/base/status.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/profile.h"

namespace terrane::detail {

// kFound if a search may start: both cells are on the map and passable.
inline Status check_endpoints(const GridSnapshot& grid, const CostTable& costs, Cell start, Cell goal) {
    if (!grid.layout().contains(start) || !grid.layout().contains(goal)) return Status::kOutsideMap;
    if (!costs.passable(grid.at(start))) return Status::kBlockedStart;
    return costs.passable(grid.at(goal)) ? Status::kFound : Status::kBlockedGoal;
}

}  // namespace terrane::detail
