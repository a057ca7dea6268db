// The octile heuristic: octile distance times the cheapest terrain cost. Consistent; admissible as long as the map has no terrain cheaper
// than `cheapest`.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "terrane/grid/movement.h"

namespace terrane {

// `Layout` maps nodes to coordinates: x(node), y(node). For 4-connected rules it is the Manhattan distance. With `cheapest` 0 it is 0
// everywhere (Dijkstra's algorithm).
template <class Layout, class Value>
class OctileHeuristic {
public:
    OctileHeuristic(const Layout& layout, Cell goal, uint32_t cheapest, const MovementRule& rule)
        : straight_(Value{2} * rule.per_longer * cheapest),
          extra_(Value{2} * rule.per_shorter * cheapest),
          layout_(layout),
          goal_x_(goal.x),
          goal_y_(goal.y) {}

    template <class Node>
    Value operator()(Node node) const {
        const auto dx = static_cast<uint32_t>(std::abs(layout_.x(node) - goal_x_));
        const auto dy = static_cast<uint32_t>(std::abs(layout_.y(node) - goal_y_));
        return straight_ * std::max(dx, dy) + extra_ * std::min(dx, dy);
    }

private:
    Value straight_;  // per step along the longer side
    Value extra_;     // additional, per step along the shorter side
    Layout layout_;
    int32_t goal_x_, goal_y_;
};

}  // namespace terrane
