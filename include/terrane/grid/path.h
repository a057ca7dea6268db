// A path over a grid, and what is known of it.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "terrane/base/cost.h"
#include "terrane/base/plane.h"
#include "terrane/base/status.h"
#include "terrane/grid/cell.h"
#include "terrane/grid/ground.h"

namespace terrane {

// `cells` runs from start to goal, both included (one cell where they are the same). kPartial: to the cell in reach that is
// nearest to the goal. Empty with any other status than these two.
struct Path {
    Status status = Status::kUnreachable;
    std::vector<Cell> cells;
    Cost cost = 0;                  // the sum of the steps' costs (cost.h)
    double bound = 1;               // proven: cost <= bound * the optimal cost
    uint64_t expansions = 0;        // of the search that found it
    uint64_t expansions_first = 0;  // of those, before the first segment could be walked
    GridVersion version = 0;        // of the map that it was found on
    std::string method = {};        // the name of the method that answered; a Planner sets it

    // For methods with +refract: a line near the path, from centre to centre (refraction.h), and what it costs there, in the units of
    // exact_cost: never more than the path. All else is the path's. Empty without +refract, and where there are no cells.
    std::vector<Point> line = {};
    double line_cost = 0;

    explicit operator bool() const { return status == Status::kFound; }

    // Whether no tile of the map (32x32 cells) that it crosses, or its line, has changed since. False means: look again (path_cost tells
    // what it costs now, World::watch which edit touched it). `world` is the path's own, or a snapshot of its map.
    bool still_valid(const GridSnapshot& grid) const;
    template <class World>
    bool still_valid(const World& world) const {
        return still_valid(world.grid());
    }
};

// The sum of the steps' costs; kInfiniteCost if any step is illegal or a cell is blocked or outside. 0 for no
// cells and for one passable cell.
Cost path_cost(const Ground& ground, std::span<const Cell> cells);

// The same sum with sqrt 2 to double precision, as published benchmark lengths have it. Only for legal paths.
double exact_cost(const GridSnapshot& grid, const CostTable& costs, std::span<const Cell> cells);

}  // namespace terrane
