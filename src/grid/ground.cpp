#include "terrane/grid/ground.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "terrane/grid/octile.h"

namespace terrane {

namespace {

// The move for an offset, by 3 * dy + dx + 4.
constexpr std::array<Move, 9> kMoveTo = {7, 0, 4, 3, kNoMove, 1, 6, 2, 5};

// The rule's step from `from` to `to`; null if it has none.
const MoveStep* step_between(const MovementRule& rule, Cell from, Cell to) {
    const int64_t dx = int64_t{to.x} - from.x, dy = int64_t{to.y} - from.y;  // any two cells: no overflow
    if (rule.movement == Movement::kCustom) {
        const auto step =
            std::find_if(rule.steps.begin(), rule.steps.end(), [=](const MoveStep& s) { return s.offset.x == dx && s.offset.y == dy; });
        return step == rule.steps.end() ? nullptr : &*step;
    }
    if (std::max(std::abs(dx), std::abs(dy)) > 1) return nullptr;
    const Move move = kMoveTo[static_cast<size_t>(3 * dy + dx + 4)];
    return move < rule.steps.size() ? &rule.steps[move] : nullptr;
}

}  // namespace

// A cell belongs to at most two edges of a simple path, and contributes at most kDiagonal times its terrain cost to each. If nothing is
// blocked, an optimal path costs no more than a direct one: as many steps as the longer side (4-connected: the sum of both sides), none
// costlier than a diagonal step on the most expensive terrain.
GridBounds grid_bounds(const GridSnapshot& grid, const CostTable& costs) {
    GridBounds bounds;
    uint64_t mass = 0;
    bool blocked = false;
    for (uint32_t t = 0; t < kOutside; ++t) {
        const uint64_t cells = grid.count(static_cast<Terrain>(t));
        if (cells == 0) continue;
        const uint32_t cost = costs.cost[t];
        if (cost == 0) {
            blocked = true;
            continue;
        }
        bounds.cheapest = bounds.cheapest == 0 ? cost : std::min(bounds.cheapest, cost);
        bounds.most_expensive = std::max(bounds.most_expensive, cost);
        mass += cells * cost;
    }
    bounds.max_optimal_cost = bounds.max_simple_cost = 2 * kDiagonal * mass;
    if (!blocked) {
        const uint64_t steps = static_cast<uint64_t>(grid.width()) + static_cast<uint64_t>(grid.height());
        bounds.max_optimal_cost = std::min(bounds.max_optimal_cost, steps * 2 * kDiagonal * bounds.most_expensive);
    }
    return bounds;
}

bool Ground::can_step(Cell from, Cell to) const {
    if (from == to) return true;
    const MoveStep* step = step_between(*rule_, from, to);
    return step != nullptr && passable(to) && corners_are_free(from, *step);
}

bool Ground::corners_are_free(Cell from, const MoveStep& step) const {
    for (uint32_t left = step.beside; left != 0; left &= left - 1) {
        const Cell offset = rule_->steps[static_cast<size_t>(std::countr_zero(left))].offset;
        if (!passable(Cell{from.x + offset.x, from.y + offset.y})) return false;
    }
    return true;
}

Cost Ground::step_cost(Cell from, Cell to) const {
    const MoveStep* step = step_between(*rule_, from, to);
    if (step == nullptr || !passable(from) || !passable(to) || !corners_are_free(from, *step)) return kInfiniteCost;
    return Cost{step->length} * (uint64_t{costs_.hundredths(grid_.at(from))} + costs_.hundredths(grid_.at(to)));
}

GridBounds Ground::bounds() const {
    GridBounds bounds = grid_bounds(grid_, costs_);
    if (movement() != Movement::kCustom) return bounds;
    uint64_t longest = kDiagonal;
    for (const MoveStep& step : rule_->steps) longest = std::max<uint64_t>(longest, step.length);
    bounds.max_optimal_cost = bounds.max_simple_cost = (bounds.max_simple_cost + kDiagonal - 1) / kDiagonal * longest;
    return bounds;
}

Cost Ground::octile_bound(Cell start, Cell goal) const {
    const OctileHeuristic<GridLayout, uint64_t> octile(layout(), goal, bounds().cheapest, *rule_);
    return octile(layout().id(start)) * costs_.divisor;
}

Status Ground::check_ends(Cell start, Cell goal) const {
    if (!layout().contains(start) || !layout().contains(goal)) return Status::kOutsideMap;
    if (!passable(start)) return Status::kBlockedStart;
    return passable(goal) ? Status::kFound : Status::kBlockedGoal;
}

}  // namespace terrane
