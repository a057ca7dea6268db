#include "bench/baseline_astar.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_map>

namespace terrane {

BaselineMap::BaselineMap(const GridSnapshot& grid, const CostTable& costs) : width(grid.width()), height(grid.height()) {
    for (const Terrain t : grid.cells()) cost.push_back(costs.hundredths(t) / 100.0);
    for (const double c : cost) {
        if (c > 0 && (cheapest == 0 || c < cheapest)) cheapest = c;
    }
}

BaselineResult baseline_astar(const BaselineMap& map, Cell start, Cell goal) {
    struct Record {
        double g;
        int parent;
        bool closed;
    };
    struct Open {
        double f;
        int cell;
        bool operator<(const Open& other) const { return f > other.f; }
    };
    const auto index = [&](int x, int y) { return y * map.width + x; };
    const auto cost_at = [&](int x, int y) {
        return x < 0 || y < 0 || x >= map.width || y >= map.height ? 0.0 : map.cost[static_cast<size_t>(index(x, y))];
    };
    const auto heuristic = [&](int x, int y) {
        const double dx = std::abs(x - goal.x), dy = std::abs(y - goal.y);
        return map.cheapest * (std::max(dx, dy) + (std::sqrt(2.0) - 1) * std::min(dx, dy));
    };

    BaselineResult result;
    std::priority_queue<Open> open;
    std::unordered_map<int, Record> records;
    records[index(start.x, start.y)] = {0, -1, false};
    open.push({heuristic(start.x, start.y), index(start.x, start.y)});
    while (!open.empty()) {
        const int cell = open.top().cell;
        open.pop();
        Record& record = records[cell];
        if (record.closed) continue;
        record.closed = true;
        const int x = cell % map.width, y = cell / map.width;
        if (x == goal.x && y == goal.y) {
            result.found = true;
            result.cost = record.g;
            for (int c = cell; c != -1; c = records[c].parent) result.cells.push_back({c % map.width, c / map.width});
            std::reverse(result.cells.begin(), result.cells.end());
            return result;
        }
        ++result.expansions;
        const double g = record.g;
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                if (dx == 0 && dy == 0) continue;
                const double here = cost_at(x, y), there = cost_at(x + dx, y + dy);
                if (there == 0) continue;
                if (dx != 0 && dy != 0 && (cost_at(x + dx, y) == 0 || cost_at(x, y + dy) == 0)) continue;
                const double new_g = g + (dx != 0 && dy != 0 ? std::sqrt(2.0) : 1.0) * (here + there) / 2;
                const int next = index(x + dx, y + dy);
                const auto known = records.find(next);
                if (known != records.end() && known->second.g <= new_g) continue;
                records[next] = {new_g, cell, false};
                open.push({new_g + heuristic(x + dx, y + dy), next});
            }
        }
    }
    return result;
}

}  // namespace terrane
