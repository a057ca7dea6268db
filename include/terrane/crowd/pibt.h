// `pibt`: all agents choose their next cells tick by tick, by priority inheritance with backtracking.
// Okumura, Machida, Defago, Tamura 2022 (PIBT; AIJ, first in 2019); Okumura 2023 (swaps; "Improving LaCAM for scalable eventually optimal
// multi-agent pathfinding").
//
// There is no plan: priority goes to the agent that has been away from its goal for longest, and agents in its way make room. Every agent
// arrives in the end if every cell of the map lies on a cycle. In dead ends agents can block each other forever, less often with swaps; use
// `lacam` (lacam.h) there.
//
// About 0.15 us per agent and tick where all moves cost the same. Agents with the same goal share a field (goal_fields.h). After an edit
// the next tick rebuilds the graph of cells and all fields.
#pragma once
#include <cstdint>
#include <memory>

#include "terrane/crowd/crowd.h"
#include "terrane/crowd/direction_map.h"

namespace terrane {

struct PibtOptions {
    bool swap = true;                        // agents that meet in a corridor swap where it widens
    bool flow = false;                       // break ties by a direction map that is learned from the agents' moves
    DirectionMapOptions direction_map = {};  // of that map
    uint32_t threads = 1;                    // that build fields; the result is the same for any number; 0: one per hardware thread
    uint64_t seed = 1;                       // of random tie-breaking
};

std::unique_ptr<CrowdMethod> make_pibt(const PibtOptions& options = {});

}  // namespace terrane
