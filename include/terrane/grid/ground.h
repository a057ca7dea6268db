// Ground: the map as one agent sees it. Combines a snapshot of the terrain, a compiled profile and a movement rule, and is the only
// definition of legal steps and their costs.
//
//   const Ground ground(world.grid(), deer, Movement::kEightNoCornerCutting);
//   Cost cost = ground.step_cost({3, 4}, {4, 5});
#pragma once
#include <cstdint>

#include "terrane/base/cost.h"
#include "terrane/base/status.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/movement.h"
#include "terrane/grid/profile.h"

namespace terrane {

// Bounds on terrain and path costs, from the terrain counts of the map. Terrain costs are in the units of CostTable; path costs in those
// units times kStraight or kDiagonal. Searches use them to choose the width of g-values.
struct GridBounds {
    uint32_t cheapest = 0;          // smallest terrain cost on the map; 0 if every cell is blocked
    uint32_t most_expensive = 0;    // largest terrain cost on the map
    uint64_t max_optimal_cost = 0;  // no optimal path costs more
    uint64_t max_simple_cost = 0;   // no path that visits each cell at most once costs more
};
// Valid for the named movement rules.
GridBounds grid_bounds(const GridSnapshot& grid, const CostTable& costs);

// Immutable and thread-safe. A copy shares the map and copies the cost table (1 KiB).
class Ground {
public:
    // An empty map, on which every cell is blocked.
    Ground() = default;
    Ground(const GridSnapshot& grid, const CostTable& costs, Movement movement) : Ground(grid, costs, rule_of(movement)) {}
    // `rule` must outlive the Ground. `nbs` requires a rule that contains the opposite of each of its steps.
    Ground(const GridSnapshot& grid, const CostTable& costs, const MovementRule& rule) : grid_(grid), costs_(costs), rule_(&rule) {}

    const GridSnapshot& grid() const { return grid_; }
    const GridLayout& layout() const { return grid_.layout(); }
    const CostTable& costs() const { return costs_; }
    Movement movement() const { return rule_->movement; }
    const MovementRule& rule() const { return *rule_; }

    // The same agent on another version of the map.
    Ground on(const GridSnapshot& grid) const { return {grid, costs_, *rule_}; }
    // Whether both have the same costs and rule; their maps may differ.
    bool same_agent(const Ground& other) const { return rule_ == other.rule_ && costs_ == other.costs_; }
    // Whether both have the same agent and the same version of the same grid.
    bool same_as(const Ground& other) const { return &grid_.data() == &other.grid_.data() && same_agent(other); }

    // Cells off the map are blocked.
    bool passable(Cell cell) const { return costs_.passable(grid_.at(cell)); }
    bool passable(CellId cell) const { return costs_.passable(grid_.at(cell)); }  // requires a cell of the map

    // Whether an agent on `from` may step to `to`, or wait (from == to). Assumes that `from` is passable.
    bool can_step(Cell from, Cell to) const;
    bool can_step(CellId from, CellId to) const { return can_step(layout().cell(from), layout().cell(to)); }
    // The legal moves from a cell of the map as a bit mask. Requires a named rule.
    uint32_t legal_moves(CellId from) const;
    // The cost of a step, in the units of cost.h; kInfiniteCost if it is illegal: no step of the rule, or a cell blocked or off the map.
    Cost step_cost(Cell from, Cell to) const;

    GridBounds bounds() const;
    // A lower bound on the cost of every path: the octile distance times the cheapest terrain cost on the map.
    Cost octile_bound(Cell start, Cell goal) const;
    // Validates the endpoints. kFound if a search may start; otherwise kOutsideMap, kBlockedStart or kBlockedGoal.
    Status check_ends(Cell start, Cell goal) const;

private:
    bool corners_are_free(Cell from, const MoveStep& step) const;

    GridSnapshot grid_;
    CostTable costs_;
    const MovementRule* rule_ = &detail::kMovementRules[0];
};

inline uint32_t Ground::legal_moves(CellId from) const {
    uint32_t open = 0;
    const uint32_t row = (from >> 5) & 31, column = from & 31;
    if (row - 1 < 30 && column - 1 < 30) {  // all eight neighbours are in this tile
        const Terrain* cell = grid_.tile_cells(from / kTileCells) + from % kTileCells;
        for (size_t m = 0; m < 8; ++m) open |= (costs_.passable(cell[detail::kTileDeltas[m]]) ? 1u : 0u) << m;
    } else {
        const Cell c = layout().cell(from);
        for (size_t m = 0; m < 8; ++m) open |= (passable(Cell{c.x + kMoves[m].x, c.y + kMoves[m].y}) ? 1u : 0u) << m;
    }
    return terrane::legal_moves(movement(), open);
}

}  // namespace terrane
