// A map as one agent sees it: a snapshot of the terrain, a compiled profile and a movement rule. It alone decides which steps are legal and
// what they cost.
//
//   const Ground ground(world.grid(), deer, Movement::kEight);
//   Cost cost = ground.step_cost({3, 4}, {4, 5});
#pragma once
#include <cstdint>

#include "terrane/base/cost.h"
#include "terrane/base/status.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/movement.h"
#include "terrane/grid/profile.h"

namespace terrane {

// Bounds that a query needs before it picks a graph, in the profile's own units (those of CostTable, times kStraight or kDiagonal).
struct GridBounds {
    uint32_t cheapest = 0;      // least terrain cost present on the map; 0 if all is blocked
    uint32_t dearest = 0;       // greatest terrain cost present
    uint64_t longest_path = 0;  // no optimal path costs more
    uint64_t any_path = 0;      // nor any path at all that visits no cell twice
};
// For the named movement rules.
GridBounds grid_bounds(const GridSnapshot& grid, const CostTable& costs);

// Immutable. A copy shares the map and copies the cost table (1 KiB).
class Ground {
public:
    // An empty map, on which every cell is blocked.
    Ground() = default;
    Ground(const GridSnapshot& grid, const CostTable& costs, Movement movement) : Ground(grid, costs, rule_of(movement)) {}
    // `rule` must outlive it. nbs needs a rule that has the opposite of each of its steps.
    Ground(const GridSnapshot& grid, const CostTable& costs, const MovementRule& rule) : grid_(grid), costs_(costs), rule_(&rule) {}

    const GridSnapshot& grid() const { return grid_; }
    const GridLayout& layout() const { return grid_.layout(); }
    const CostTable& costs() const { return costs_; }
    Movement movement() const { return rule_->movement; }
    const MovementRule& rule() const { return *rule_; }

    // The same agent on another version of the map.
    Ground on(const GridSnapshot& grid) const { return {grid, costs_, *rule_}; }
    // Whether both are for the same costs and rule; their maps may differ.
    bool same_agent(const Ground& other) const { return rule_ == other.rule_ && costs_ == other.costs_; }
    // The same agent on the same version of the same grid.
    bool same_as(const Ground& other) const { return &grid_.root() == &other.grid_.root() && same_agent(other); }

    // Cells off the map are blocked.
    bool passable(Cell cell) const { return costs_.passable(grid_.at(cell)); }
    bool passable(CellId cell) const { return costs_.passable(grid_.at(cell)); }  // only for cells of the map

    // Whether an agent on `from` may step to `to`, or stay. `from` is taken to be passable.
    bool can_step(Cell from, Cell to) const;
    bool can_step(CellId from, CellId to) const { return can_step(layout().cell(from), layout().cell(to)); }
    // The legal moves from a cell of the map, a bit each. Only for the named rules.
    uint32_t legal_moves(CellId from) const;
    // What a step costs, in Cost units (cost.h); kInfiniteCost where it is not legal: for cells that are not neighbours, blocked or off the
    // map, too.
    Cost step_cost(Cell from, Cell to) const;

    GridBounds bounds() const;
    // No path from `start` to `goal` costs less: the octile distance at the cost of the cheapest terrain on the map.
    Cost octile_bound(Cell start, Cell goal) const;
    // kFound if a search may start: both cells are on the map and passable. Else kOutsideMap, kBlockedStart or kBlockedGoal.
    Status check_ends(Cell start, Cell goal) const;

private:
    bool is_free_beside(Cell from, const MoveStep& step) const;

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
