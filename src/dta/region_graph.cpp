#include "dta/region_graph.h"

namespace terrane {

bool uses_diagonal_edges(const GridSnapshot& grid, const CostTable& costs, Movement movement) {
    if (movement == Movement::kCutting) return true;
    for (uint32_t t = 0; t < kOutside; ++t) {
        if (grid.count(static_cast<Terrain>(t)) > 0 && !costs.passable(static_cast<Terrain>(t))) return false;
    }
    return true;
}

}  // namespace terrane
