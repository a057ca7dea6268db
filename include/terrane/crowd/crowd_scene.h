// Who begins where and wants to go where: crowds to begin with.
//
// Places drawn at random lie in the largest connected part of the map that the agent's kind can walk on, so that every goal can be
// reached; no two agents begin on one cell, and no two have one goal. Agents take the kinds in turn: the first the first, and so on.
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
    uint16_t kind = 0;

    friend bool operator==(const CrowdPlace&, const CrowdPlace&) = default;
};

// The cells of the largest connected part that a kind can walk on, by rows; of parts as large as each other, the one that comes first.
// Empty where all is blocked. `world` must keep regions.
std::vector<Cell> largest_part(const WorldSnapshot& world, const Ground& ground);

// Refused, all of them: more agents than there is room for, with how many there is. `world` must keep regions.
Result<std::vector<CrowdPlace>> random_places(const WorldSnapshot& world, std::span<const CostTable> kinds, Movement movement,
                                              size_t agents, uint64_t seed);

// Half of the agents begin in the leftmost eighth of the map and want to go to the rightmost, the others the other way.
Result<std::vector<CrowdPlace>> opposite_sides(const WorldSnapshot& world, std::span<const CostTable> kinds, Movement movement,
                                               size_t agents, uint64_t seed);

// The first problems of a scenario, an agent each; all of them for 0. Refused: too few, one that is not on the map, blocked for its kind,
// or two that begin on one cell or have one goal.
Result<std::vector<CrowdPlace>> scenario_places(const WorldSnapshot& world, std::span<const CostTable> kinds, const Scenario& scenario,
                                                size_t agents);

// New goals for agents that have arrived, drawn from what was the largest part when it was made; not one that the crowd's world, as it is
// now, blocks for the kind, unless a hundred in a row were.
class RandomGoals {
public:
    RandomGoals(const Crowd& crowd, uint64_t seed);
    bool has_any(uint16_t kind) const { return !cells_[kind].empty(); }  // false: all was blocked
    Cell next(const Crowd& crowd, uint16_t kind);                        // only where it has any

private:
    std::vector<std::vector<Cell>> cells_;  // by kind
    Rng rng_;
};

}  // namespace terrane
