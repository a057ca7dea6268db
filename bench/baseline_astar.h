// Baseline A*: std::priority_queue and std::unordered_map, as most tutorials write it. Every bench compares with it.
// Frozen: do not optimise it.
#pragma once
#include <cstdint>
#include <vector>

#include "terrane/grid/grid_graph.h"

namespace terrane {

struct BaselineMap {
    int32_t width = 0;
    int32_t height = 0;
    std::vector<double> cost;  // per cell, row by row; 0: blocked
    double cheapest = 0;       // lowest cost of a passable cell

    BaselineMap(const GridSnapshot& grid, const CostTable& costs);
};

struct BaselineResult {
    bool found = false;
    double cost = 0;
    uint64_t expansions = 0;
    std::vector<Cell> cells;
};

// Eight-connected, without corner cutting. Octile heuristic, scaled by the lowest terrain cost.
BaselineResult baseline_astar(const BaselineMap& map, Cell start, Cell goal);

}  // namespace terrane
