#include "terrane/grid/path.h"

#include <cmath>

#include "grid/line_cells.h"

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
    bool all = true;
    for_each_cell_along(polyline, [&](Cell c) { all = all && (!grid.layout().contains(c) || unchanged(c)); });
    return all;
}

namespace {

Cost sum_of_steps(const Ground& ground, std::span<const Cell> cells) {
    if (!ground.passable(cells[0])) return kInfiniteCost;
    Cost sum = 0;
    for (size_t i = 1; i < cells.size(); ++i) {
        const Cost step = ground.step_cost(cells[i - 1], cells[i]);
        if (step == kInfiniteCost) return kInfiniteCost;
        sum += step;
    }
    return sum;
}

}  // namespace

// Equals the sum of step_cost(), but reads each cell once and applies the unit once.
Cost path_cost(const Ground& ground, std::span<const Cell> cells) {
    const auto cost = [&](Cell c) { return ground.costs().cost[ground.grid().at(c)]; };  // 0: blocked, or outside
    if (cells.empty()) return 0;
    if (ground.movement() == Movement::kCustom) return sum_of_steps(ground, cells);
    uint64_t straight = 0, diagonal = 0;
    uint32_t own = cost(cells[0]);
    bool legal = own != 0;
    for (size_t i = 1; legal && i < cells.size(); ++i) {
        const Cell from = cells[i - 1], to = cells[i];
        const auto near = [](int32_t a, int32_t b) { return a == b || int64_t{a} - b == 1 || int64_t{b} - a == 1; };
        const bool diagonal_step = from.x != to.x && from.y != to.y;
        const uint32_t next = cost(to);
        legal = next != 0 && from != to && near(from.x, to.x) && near(from.y, to.y);
        if (diagonal_step && legal) legal = diagonal_is_legal(ground.movement(), cost({from.x, to.y}) != 0, cost({to.x, from.y}) != 0);
        (diagonal_step ? diagonal : straight) += uint64_t{own} + next;
        own = next;
    }
    return legal ? (straight * kStraight + diagonal * kDiagonal) * ground.costs().divisor : kInfiniteCost;
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
