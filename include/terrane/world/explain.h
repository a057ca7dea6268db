// Explains a path: its cost per terrain, the cost of a path through an area that it avoids, and which obstacles block it.
//
// These functions serve tools and user interfaces, not the game loop. Each runs one or two searches of the grid, up to all reachable
// cells (0.1 us per cell and search), and allocates its own memory (5 to 17 bytes per cell).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/grid/cell.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/path.h"
#include "terrane/grid/profile.h"

namespace terrane {

// The part of a path's cost that falls to one terrain.
struct TerrainShare {
    Terrain terrain = 0;
    uint32_t cells = 0;  // of the path, counted once per visit
    Cost cost = 0;
    friend bool operator==(const TerrainShare&, const TerrainShare&) = default;
};

// Returns the share of each terrain on a path, the most expensive first (ties: the smaller id). A step's cost is a sum of one part per
// cell (cost.h), so the shares are exact and add up to the path's cost. A path of one cell has one share of cost 0. Empty for no cells,
// and for cells that are not a legal path for this profile by any movement rule.
std::vector<TerrainShare> path_shares(const GridSnapshot& grid, const CostTable& costs, std::span<const Cell> cells);

// Finds the cheapest path from start to goal with a cell in `area` (both ends count). Exact. Ties: a path through the first of the area's
// cells in row order. It may visit a cell twice, on the way into the area and out of it. kUnreachable: no path enters the area, which may
// be empty, off the map or blocked. The other statuses are those of a plain query.
Path find_through(const Ground& ground, Cell start, Cell goal, const Rect& area);

// The fewest obstacles between two cells.
struct Obstacle {
    Status status = Status::kOutsideMap;  // of a plain query: kFound, kUnreachable, kBlockedStart, kBlockedGoal, kOutsideMap
    uint64_t reached = 0;                 // cells reachable from the start, including it; 0 if the start is blocked or off the map
    uint32_t blocked = 0;                 // the fewest cells that must become passable for a path to exist, blocked ends included
    Cell first;                           // the first of them on `path`; only if blocked > 0
    Terrain terrain = kOutside;           // the terrain of `first`; kOutside if blocked is 0

    // kFound: the cheapest path. Off the map: empty. Otherwise kPartial, at cost 0: a path that is legal once its `blocked` blocked cells
    // are passable. It is the cheapest path to a cell adjacent to the first of them, and from there the shortest one, with diagonals of
    // 1.4 and regardless of terrain.
    Path path;
};

// Returns the fewest cells that block the path. `blocked` is exact for every movement rule. Without corner cutting, a path never needs a
// diagonal step: where one is legal, both adjacent cells are passable and lead around it. So the minimum is over paths of straight steps,
// or of any steps if corners may be cut.
Obstacle find_obstacle(const Ground& ground, Cell start, Cell goal);

}  // namespace terrane
