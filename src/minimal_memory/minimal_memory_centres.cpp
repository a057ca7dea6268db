#include "minimal_memory/minimal_memory_centres.h"

#include <algorithm>
#include <cstdlib>

namespace terrane::detail {

namespace {

// All passable terrain at the same cost.
CostTable flat_costs(const PassableSet& set) {
    CostTable costs;
    for (uint32_t t = 0; t < kOutside; ++t) costs.cost[t] = set.contains(static_cast<Terrain>(t)) ? 1 : 0;
    costs.divisor = 100;
    return costs;
}

// No way is shorter, so no search takes fewer expansions.
uint64_t least_steps(Cell a, Cell b) { return static_cast<uint64_t>(std::max(std::abs(a.x - b.x), std::abs(a.y - b.y))); }

}  // namespace

CentreFinder::CentreFinder(const GridSnapshot& grid, const PassableSet& set, Movement movement, const CentreCost& cost)
    : grid_(grid), cost_(cost) {
    refiner_.begin({grid, flat_costs(set), movement});
}

// Searches give up at the least so far, so that most cells take one short search. Tried: a flood from each neighbour, to bound all cells by
// their steps and to begin with the best of them. It took as long.
Cell CentreFinder::find(Cell mean, std::span<const Cell> cells, std::span<const Neighbour> neighbours) {
    if (neighbours.empty()) return mean;
    hardest_ = 0;
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

// Where it is `limit` or more, any such number. The neighbour that was too far goes first the next time: mostly it is too far again.
uint64_t CentreFinder::cost(Cell cell, std::span<const Neighbour> neighbours, uint64_t limit) {
    if (cost_) return cost_(grid_, cell, ends_);
    uint64_t most = 0;
    for (size_t i = 0; i < neighbours.size(); ++i) {
        const size_t which = i == 0 ? hardest_ : i == hardest_ ? 0 : i;
        const Neighbour& to = neighbours[which];
        bool too_far = least_steps(cell, to.centre) >= limit;
        if (!too_far) {
            refiner_.aim(cell, to.centre, to.window);
            too_far = refiner_.run(limit) != Status::kFound;
        }
        if (too_far) {
            hardest_ = which;
            return limit;
        }
        most = std::max(most, refiner_.segment_expansions());
    }
    return most;
}

}  // namespace terrane::detail
