// Dijkstra's algorithm as independent ground truth: doubles and std::set, no code of the library.
#pragma once
#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace oracle {

enum class Rule { kStrict, kCutting, kFour };

struct Map {
    int width = 0, height = 0;
    std::vector<double> cost;  // by rows; negative is blocked
    double at(int x, int y) const { return x < 0 || y < 0 || x >= width || y >= height ? -1 : cost[static_cast<size_t>(y * width + x)]; }
};

constexpr double kFar = std::numeric_limits<double>::infinity();

// Cost from (sx, sy) to every cell; kFar if unreachable.
inline std::vector<double> distances(const Map& map, int sx, int sy, Rule rule) {
    std::vector<double> best(map.cost.size(), kFar);
    if (map.at(sx, sy) < 0) return best;
    std::set<std::pair<double, int>> open;
    best[static_cast<size_t>(sy * map.width + sx)] = 0;
    open.insert({0.0, sy * map.width + sx});
    while (!open.empty()) {
        const auto [d, cell] = *open.begin();
        open.erase(open.begin());
        const int x = cell % map.width, y = cell / map.width;
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                if ((dx == 0 && dy == 0) || map.at(x + dx, y + dy) < 0) continue;
                const bool diagonal = dx != 0 && dy != 0;
                if (diagonal && rule == Rule::kFour) continue;
                if (diagonal && rule == Rule::kStrict && (map.at(x + dx, y) < 0 || map.at(x, y + dy) < 0)) continue;
                const double step = (diagonal ? std::sqrt(2.0) : 1.0) * (map.at(x, y) + map.at(x + dx, y + dy)) / 2;
                const int to = (y + dy) * map.width + x + dx;
                double& known = best[static_cast<size_t>(to)];
                if (d + step >= known) continue;
                open.erase({known, to});
                known = d + step;
                open.insert({known, to});
            }
        }
    }
    return best;
}

}  // namespace oracle
