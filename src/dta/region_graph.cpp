#include "dta/region_graph.h"

namespace terrane {

bool uses_diagonal_edges(const Ground& ground) {
    if (cuts_corners(ground.movement())) return true;
    for (uint32_t t = 0; t < kOutside; ++t) {
        if (ground.grid().count(static_cast<Terrain>(t)) > 0 && !ground.costs().passable(static_cast<Terrain>(t))) return false;
    }
    return true;
}

}  // namespace terrane
