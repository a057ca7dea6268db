// A path on a grid: cells, cost, proven bound and provenance.
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

// `cells` runs from start to goal, inclusive; a single cell if they are equal. With kPartial it ends at the reachable cell nearest to the
// goal. It is empty with any other status.
struct Path {
    Status status = Status::kUnreachable;
    std::vector<Cell> cells;
    Cost cost = 0;                  // sum of the step costs (cost.h)
    double bound = 1;               // proven suboptimality bound: cost <= bound * optimum
    uint64_t expansions = 0;        // of the search that found it
    uint64_t expansions_first = 0;  // of these, until the first segment was ready to walk
    GridVersion version = 0;        // of the map on which it was found
    std::string method = {};        // name of the method that answered; set by Planner

    // Any-angle path of methods with +any_angle: a polyline near the path, from the centre of the start cell to that of the goal cell,
    // and its cost in the units of exact_cost(), never above that of the path (refraction.h). Empty without +any_angle or without cells.
    // All other members describe `cells`.
    std::vector<Point> polyline = {};
    double polyline_cost = 0;

    explicit operator bool() const { return status == Status::kFound; }

    // Whether no 32x32 tile that the path, its corners or its polyline cross has changed since it was found. If false, check again:
    // path_cost() returns the current cost, World::watch() reports which edit touched it. Pass the world of the path or a snapshot of it.
    bool still_valid(const GridSnapshot& grid) const;
    template <class World>
    bool still_valid(const World& world) const {
        return still_valid(world.grid());
    }
};

// The sum of the step costs; kInfiniteCost if a step is illegal or a cell is blocked or off the map. 0 for no cells and for one passable
// cell.
Cost path_cost(const Ground& ground, std::span<const Cell> cells);

// The same sum with sqrt(2) in double precision, as in published benchmark lengths: 1.0 is one straight step over terrain of cost 1.
// Requires a legal path.
double exact_cost(const GridSnapshot& grid, const CostTable& costs, std::span<const Cell> cells);

}  // namespace terrane
