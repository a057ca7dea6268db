// A* as textbooks and tutorials write it: std::priority_queue and std::unordered_map. Frozen: the baseline that
// every bench compares with. Do not improve it.
#pragma once
#include <cstdint>
#include <vector>

#include "terrane/grid/grid_graph.h"

namespace terrane {

struct TextbookMap {
    int32_t width = 0;
    int32_t height = 0;
    std::vector<double> cost;  // per cell by rows; 0 is blocked
    double cheapest = 0;

    TextbookMap(const GridSnapshot& grid, const CostTable& costs);
};

struct TextbookResult {
    bool found = false;
    double cost = 0;
    uint64_t expansions = 0;
    std::vector<Cell> cells;
};

// 8-connected with the corner rule.
TextbookResult textbook_astar(const TextbookMap& map, Cell start, Cell goal);

}  // namespace terrane
