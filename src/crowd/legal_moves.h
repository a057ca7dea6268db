// The moves that an agent can make from a cell, all at once.
#pragma once
#include <array>
#include <cstdint>

#include "terrane/grid/grid_graph.h"

namespace terrane::detail {

// A bit for each move that can_step (crowd.h) allows.
inline uint32_t legal_moves(const GridSnapshot& grid, const CostTable& costs, Movement movement, CellId at) {
    uint32_t open = 0;
    const uint32_t row = (at >> 5) & 31, column = at & 31;
    if (row - 1 < 30 && column - 1 < 30) {  // all eight neighbours are in this tile
        constexpr std::array<int32_t, 8> kDeltas = {-32, 1, 32, -1, -31, 33, 31, -33};
        const Terrain* cell = grid.tile_cells(at / kTileCells) + at % kTileCells;
        for (size_t m = 0; m < 8; ++m) open |= (costs.passable(cell[kDeltas[m]]) ? 1u : 0u) << m;
    } else {
        const Cell c = grid.layout().cell(at);
        for (size_t m = 0; m < 8; ++m) open |= (costs.passable(grid.at(Cell{c.x + kMoves[m].x, c.y + kMoves[m].y})) ? 1u : 0u) << m;
    }
    if (movement == Movement::kFour) return open & 15;
    if (movement == Movement::kCutting) return open;
    const uint32_t straight = open & 15, turned = straight >> 1 | (straight & 1) << 3;  // the next one clockwise
    return open & (15 | (straight & turned) << 4);
}

}  // namespace terrane::detail
