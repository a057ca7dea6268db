// `pibt`: every tick, all agents choose their next cells at once, by priority inheritance with backtracking.
// Based on: Okumura, Machida, Defago, Tamura 2022 (AIJ; first in 2019); the swap of Okumura 2023 ("Improving LaCAM for scalable eventually
// optimal multi-agent pathfinding").
//
// No plan is kept: whoever is on its way for longest goes first, and whoever is in its way makes room. On ground where every
// cell is on a circle everyone arrives sooner or later; in dead ends agents can be in each other's way for ever, less often with the swap.
// Then `lacam` (lacam.h) is what finds a way.
// Agents with the same goal share a field (goal_fields.h). An edit makes the numbering of cells and all fields anew, at the next tick.
// About 0.15 us an agent and tick where every move costs the same.
#pragma once
#include <cstdint>
#include <memory>

#include "terrane/crowd/crowd.h"
#include "terrane/crowd/direction_map.h"

namespace terrane {

struct PibtOptions {
    bool swap = true;              // agents in a corridor change places where there is room
    bool flow = false;             // of cells that are as near, the one that the direction map makes cheapest; learned as agents move
    DirectionMapOptions map = {};  // of that
    uint32_t threads = 1;          // to make fields with; the same result for any number; 0: as many as the machine has
    uint64_t seed = 1;             // of what decides between equals
};

std::unique_ptr<CrowdMethod> make_pibt(const PibtOptions& options = {});

}  // namespace terrane
