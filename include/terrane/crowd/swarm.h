// `swarm`: moves ten thousand agents within the time of a frame, in a world that may be edited.
// Based on: Okumura, Machida, Defago, Tamura 2022 (priority inheritance with backtracking, PIBT); Okumura 2023 (LaCAM), for jams.
//
// Each agent has its own route, one byte per move. Routes are found with the overlay prepared for the agent's type, else with the world's
// regions, else by A* on cells. Searches run one after another within a budget per tick; an agent without a route stands and makes room.
// After an edit, routes that cross the changed tiles are searched again in turn. No agent enters a cell that has become blocked.
//
// Where at least 32 agents of a type wait for a route to the same goal, they share one search from the goal over the portals of the
// overlay (portal_tree.h). The trees of recent goals are cached, up to 8 MB or one tree, until the world changes or a tree is unused for
// 60 ticks. Which agents share does not depend on the cache. No other distances are stored, neither per agent nor per goal.
//
// A tick is one step of PIBT. Agents with the oldest goals have the highest priority and may push others; agents that have arrived or wait
// give way to all. Where the next cell of its route is taken, an agent prefers the neighbour with the least estimated cost along the
// route. An agent that was pushed off its route returns by a local search. An agent without progress searches a detour around the agents
// in front of it. Where agents wait for each other in a deadlock, a local LaCAM plans for the nearest twelve agents in a square of 21x21
// cells.
//
// An agent whose goal is unreachable waits and tries again after the next edit. Not complete: jams larger than that square may persist.
// Ten thousand agents on a 1024x1024 map take 10 ms per tick (mean; p99 18 ms) and 1.6 KB each (terrane bench crowd-swarm).
#pragma once
#include <cstdint>
#include <memory>

#include "terrane/crowd/crowd.h"
#include "terrane/crowd/direction_map.h"

namespace terrane {

struct SwarmOptions {
    uint64_t budget = 20000;   // expansions per tick for routes, and as many for local searches; at least one search runs. 0: no limit
    uint32_t stuck_ticks = 8;  // ticks without progress after which an agent searches a detour; at least 1
    bool solve_jams = true;    // plan jointly for the agents of a jam where detours did not help
    bool share_goal_searches = true;  // one search for many agents with the same goal where that is cheaper; needs an overlay
    bool flow = false;                // agents that leave their route prefer the directions in which others went (direction_map.h)
    DirectionMapOptions direction_map = {.compact = true};
};

std::unique_ptr<CrowdMethod> make_swarm(const SwarmOptions& options = {});

}  // namespace terrane
