#include "minimal_memory/minimal_memory_centres.h"

#include <algorithm>
#include <cstdlib>

namespace terrane::detail {

namespace {

// The same cost for all passable terrain.
CostTable flat_costs(const PassableSet& set) {
    CostTable costs;
    for (uint32_t t = 0; t < kOutside; ++t) costs.cost[t] = set.contains(static_cast<Terrain>(t)) ? 1 : 0;
    costs.divisor = 100;
    return costs;
}

// Lower bound on the steps of a path, hence on the expansions of a search.
uint64_t min_steps(Cell a, Cell b) { return static_cast<uint64_t>(std::max(std::abs(a.x - b.x), std::abs(a.y - b.y))); }

}  // namespace

CentreFinder::CentreFinder(const GridSnapshot& grid, const PassableSet& set, Movement movement, const CentreCost& cost)
    : grid_(grid), cost_(cost) {
    refiner_.begin({grid, flat_costs(set), movement});
}

// Searches stop at the least cost so far, so that most cells take one short search. Bounding all cells first by a flood from each neighbour
// took as long.
Cell CentreFinder::find(Cell mean, std::span<const Cell> cells, std::span<const Neighbour> neighbours) {
    if (neighbours.empty()) return mean;
    worst_neighbour_ = 0;
    ends_.clear();
    for (const Neighbour& to : neighbours) ends_.push_back(to.centre);
    Cell best = mean;
    uint64_t least = cost(mean, neighbours, kUnlimited);
    for (const Cell cell : cells) {
        const uint64_t here = cost(cell, neighbours, least);
        if (here >= least) continue;
        least = here;
        best = cell;
    }
    return best;
}

// Returns a cell's cost; any value >= limit if the cost is at least `limit`. Starts with the neighbour that exceeded the limit last, which
// mostly does so again.
uint64_t CentreFinder::cost(Cell cell, std::span<const Neighbour> neighbours, uint64_t limit) {
    if (cost_) return cost_(grid_, cell, ends_);
    uint64_t most = 0;
    for (size_t i = 0; i < neighbours.size(); ++i) {
        const size_t which = i == 0 ? worst_neighbour_ : i == worst_neighbour_ ? 0 : i;
        const Neighbour& to = neighbours[which];
        bool too_far = min_steps(cell, to.centre) >= limit;
        if (!too_far) {
            refiner_.begin_segment(cell, to.centre, to.bounds);
            too_far = refiner_.run(limit) != Status::kFound;
        }
        if (too_far) {
            worst_neighbour_ = which;
            return limit;
        }
        most = std::max(most, refiner_.segment_expansions());
    }
    return most;
}

}  // namespace terrane::detail
