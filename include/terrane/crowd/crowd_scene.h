// Starts and goals for crowds: drawn at random or read from a scenario.
//
// Random starts and goals lie in the largest connected component that the agent's type can walk on, so every goal is reachable. All starts
// are distinct, and so are all goals. Agent i has type i mod the number of types.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/base/rng.h"
#include "terrane/crowd/crowd.h"
#include "terrane/io/scenario.h"

namespace terrane {

struct CrowdPlace {
    Cell start;
    Cell goal;
    uint16_t type = 0;

    friend bool operator==(const CrowdPlace&, const CrowdPlace&) = default;
};

// The cells of the largest connected component that `ground` allows, by rows; ties: the component that comes first by rows. Empty if all
// cells are blocked. `world` must have regions (WorldOptions::sectors).
std::vector<Cell> largest_component(const WorldSnapshot& world, const Ground& ground);

// Random starts and goals. Fails if there are fewer cells than agents; the error states how many agents fit. `world` must have regions.
Result<std::vector<CrowdPlace>> random_places(const WorldSnapshot& world, std::span<const CostTable> types, Movement movement,
                                              size_t agents, uint64_t seed);

// As random_places(), but half of the agents start in the leftmost eighth of the map with goals in the rightmost, the others vice versa.
Result<std::vector<CrowdPlace>> opposite_sides(const WorldSnapshot& world, std::span<const CostTable> types, Movement movement,
                                               size_t agents, uint64_t seed);

// One agent for each of the first `agents` problems of a scenario; 0: for all. Fails if there are too few problems, if a start or goal is
// off the map or blocked for its type, or if two agents share a start or a goal.
Result<std::vector<CrowdPlace>> scenario_places(const WorldSnapshot& world, std::span<const CostTable> types, const Scenario& scenario,
                                                size_t agents);

// New goals for agents that have arrived, drawn from the largest component at construction time. Skips cells that are blocked for the type
// in the crowd's current world, but at most 100 in a row.
class RandomGoals {
public:
    RandomGoals(const Crowd& crowd, uint64_t seed);
    bool has_any(uint16_t type) const { return !cells_[type].empty(); }  // false: all cells were blocked
    Cell next(const Crowd& crowd, uint16_t type);                        // requires has_any(type)

private:
    std::vector<std::vector<Cell>> cells_;  // by type
    Rng rng_;
};

}  // namespace terrane
