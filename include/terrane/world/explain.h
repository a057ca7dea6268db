// Questions about a path: what it costs on each terrain, what it would cost to go through an area that it avoids, and why there is none.
//
// They are for people who look at a map, not for the game loop: each is a search or two of the grid, over all that is in reach where it
// must be (0.1 us a cell and search), with memory of its own (5 to 17 bytes a cell).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/grid/cell.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/path.h"
#include "terrane/grid/profile.h"

namespace terrane {

// What a path costs on one terrain.
struct TerrainShare {
    Terrain terrain = 0;
    uint32_t cells = 0;  // of the path, each time that it comes by
    Cost cost = 0;
    friend bool operator==(const TerrainShare&, const TerrainShare&) = default;
};

// The terrains that a path walks on, the dearest first (ties: the smaller id). A step's cost is the sum of a part for each of its two
// cells (cost.h), so each terrain's share is exact, and their sum is the path's cost. One cell: its terrain, at no cost. None for no cells,
// and for cells that are no path for this profile by any movement rule.
std::vector<TerrainShare> path_shares(const GridSnapshot& grid, const CostTable& costs, std::span<const Cell> cells);

// The cheapest path from start to goal that has a cell in `area` (both ends count): what it would cost to go there. Exact. Of several
// cheapest, one through the first of the area's cells by rows. It may visit a cell twice: on the way there and on the way back.
// kUnreachable: no path enters the area, which may be empty, off the map, or all walls. The other statuses are those of a plain query.
Path find_through(const Ground& ground, Cell start, Cell goal, const Rect& area);

// What stands in the way.
struct Obstacle {
    Status status = Status::kOutsideMap;  // of a plain query: kFound, kUnreachable, kBlockedStart, kBlockedGoal, kOutsideMap
    uint64_t reached = 0;                 // cells that can be reached from the start, with itself; 0 where that is blocked or off the map
    uint32_t blocked = 0;                 // the fewest cells that would have to be passable for there to be a path, blocked ends included
    Cell first;                           // of those on `way`, the first; only where there are any
    Terrain terrain = kOutside;           // what that is; kOutside where there are none

    // kFound: the cheapest path. Off the map: none. Else kPartial: a way that is legal once its `blocked` blocked cells are passable, at
    // cost 0: the cheapest path to a cell beside the first of them; from there on the shortest, diagonals taken for 1.4, whatever the
    // terrain.
    Path way;
};

// `blocked` is exact for every movement rule. By the corner rule (kEight), a path never needs a diagonal step: where one is legal both
// cells beside it are passable, and lead around. So the fewest are those on a way of straight steps, or of any steps where corners may be
// cut.
Obstacle find_obstacle(const Ground& ground, Cell start, Cell goal);

}  // namespace terrane
