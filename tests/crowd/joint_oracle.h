// Brute-force oracle: whether a few agents can reach their goals, by visiting every reachable configuration.
#pragma once
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "terrane/crowd/crowd.h"

namespace terrane::test {

using Configuration = std::vector<CellId>;

// Whether one tick may lead from one configuration to the other.
inline bool joint_step_legal(const Ground& ground, const Configuration& from, const Configuration& to) {
    for (size_t i = 0; i < from.size(); ++i) {
        if (!ground.can_step(from[i], to[i])) return false;
        for (size_t k = 0; k < i; ++k) {
            if (to[i] == to[k] || moves_conflict(ground.grid().layout(), from[i], to[i], from[k], to[k])) return false;
        }
    }
    return true;
}

inline std::vector<Configuration> joint_steps(const Ground& ground, const Configuration& from) {
    std::vector<Configuration> steps = {{}};
    for (const CellId at : from) {
        std::vector<Configuration> longer;
        const Cell cell = ground.grid().layout().cell(at);
        for (int32_t dy = -1; dy <= 1; ++dy) {
            for (int32_t dx = -1; dx <= 1; ++dx) {
                const Cell to{cell.x + dx, cell.y + dy};
                if (!ground.grid().layout().contains(to) || !ground.can_step(at, ground.layout().id(to))) continue;
                for (const Configuration& step : steps) {
                    longer.push_back(step);
                    longer.back().push_back(ground.grid().layout().id(to));
                }
            }
        }
        steps = std::move(longer);
    }
    std::erase_if(steps, [&](const Configuration& to) { return !joint_step_legal(ground, from, to); });
    return steps;
}

// Whether some plan brings all agents to their goals.
inline bool joint_solvable(const Ground& ground, const Configuration& start, const Configuration& goal) {
    std::set<Configuration> seen = {start};
    std::vector<Configuration> stack = {start};
    while (!stack.empty()) {
        const Configuration at = std::move(stack.back());
        stack.pop_back();
        if (at == goal) return true;
        for (Configuration& to : joint_steps(ground, at)) {
            if (seen.insert(to).second) stack.push_back(std::move(to));
        }
    }
    return false;
}

}  // namespace terrane::test
