#include "terrane/path.h"

#include <cmath>

namespace terrane {

bool Path::still_valid(const GridSnapshot& grid) const {
    uint32_t last = kNoCell;
    const auto unchanged = [&](Cell c) {
        if (!grid.layout().contains(c)) return false;
        const uint32_t tile = grid.layout().id(c) / kTileCells;
        if (tile == last) return true;
        last = tile;
        return grid.tile_version(tile) <= version;
    };
    for (size_t i = 0; i < cells.size(); ++i) {
        if (!unchanged(cells[i])) return false;
        if (i == 0 || cells[i].x == cells[i - 1].x || cells[i].y == cells[i - 1].y) continue;
        if (!unchanged({cells[i - 1].x, cells[i].y}) || !unchanged({cells[i].x, cells[i - 1].y})) return false;
    }
    return true;
}

Cost path_cost(const GridSnapshot& grid, const CostTable& costs, Movement movement, std::span<const Cell> cells) {
    if (!cells.empty() && !costs.passable(grid.at(cells[0]))) return kInfiniteCost;
    Cost sum = 0;
    for (size_t i = 1; i < cells.size(); ++i) {
        const Cost step = step_cost(grid, costs, movement, cells[i - 1], cells[i]);
        if (step == kInfiniteCost) return kInfiniteCost;
        sum += step;
    }
    return sum;
}

double exact_cost(const GridSnapshot& grid, const CostTable& costs, std::span<const Cell> cells) {
    uint64_t straight = 0, diagonal = 0;  // in half hundredths
    for (size_t i = 1; i < cells.size(); ++i) {
        const uint64_t sum = costs.hundredths(grid.at(cells[i - 1])) + uint64_t{costs.hundredths(grid.at(cells[i]))};
        (cells[i - 1].x == cells[i].x || cells[i - 1].y == cells[i].y ? straight : diagonal) += sum;
    }
    return (static_cast<double>(straight) + static_cast<double>(diagonal) * std::sqrt(2.0)) / 200;
}

}  // namespace terrane
