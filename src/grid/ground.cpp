#include "terrane/grid/grid_graph.h"

#include <algorithm>

namespace terrane {

const char* to_string(Movement movement) {
    switch (movement) {
        case Movement::kEight: return "eight";
        case Movement::kCutting: return "cutting";
        case Movement::kFour: return "four";
    }
    return "unknown";
}

// A cell is in at most two edges of a path, and each takes at most kDiagonal times its terrain cost from
// it. Where nothing is blocked, an optimal path is no dearer than the one that goes straight: as many steps
// as the longer side has (twice that without diagonals), none dearer than a diagonal on the dearest terrain.
GridBounds grid_bounds(const GridSnapshot& grid, const CostTable& costs) {
    GridBounds bounds;
    uint64_t mass = 0;
    bool walls = false;
    for (uint32_t t = 0; t < kOutside; ++t) {
        const uint64_t cells = grid.count(static_cast<Terrain>(t));
        if (cells == 0) continue;
        const uint32_t cost = costs.cost[t];
        if (cost == 0) {
            walls = true;
            continue;
        }
        bounds.cheapest = bounds.cheapest == 0 ? cost : std::min(bounds.cheapest, cost);
        bounds.dearest = std::max(bounds.dearest, cost);
        mass += cells * cost;
    }
    bounds.longest_path = bounds.any_path = 2 * kDiagonal * mass;
    if (!walls) {
        const uint64_t steps = static_cast<uint64_t>(grid.width()) + static_cast<uint64_t>(grid.height());
        bounds.longest_path = std::min(bounds.longest_path, steps * 2 * kDiagonal * bounds.dearest);
    }
    return bounds;
}

Cost step_cost(const GridSnapshot& grid, const CostTable& costs, Movement movement, Cell from, Cell to) {
    const int64_t dx = int64_t{to.x} - from.x, dy = int64_t{to.y} - from.y;  // any two cells: no overflow
    if (std::max(dx < 0 ? -dx : dx, dy < 0 ? -dy : dy) != 1) return kInfiniteCost;
    const uint64_t a = costs.hundredths(grid.at(from)), b = costs.hundredths(grid.at(to));
    if (a == kBlocked || b == kBlocked) return kInfiniteCost;
    if (dx == 0 || dy == 0) return kStraight * (a + b);
    const bool squeezes = !costs.passable(grid.at(Cell{from.x, to.y})) || !costs.passable(grid.at(Cell{to.x, from.y}));
    if (movement == Movement::kFour || (movement == Movement::kEight && squeezes)) return kInfiniteCost;
    return kDiagonal * (a + b);
}

}  // namespace terrane
