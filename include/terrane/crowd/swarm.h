// `swarm`: ten thousand agents in a world that is edited, within the time of a frame.
// Based on: Okumura, Machida, Defago, Tamura 2022 (priority inheritance with backtracking, PIBT); Okumura 2023 (LaCAM), for jams.
//
// Each agent has a route of its own: the moves from where it is to its goal, a byte each, found by way of the overlay prepared for its
// kind, or else of the world's regions, or else cell by cell. Routes are searched one after another, so many expansions a tick; who waits
// for one stands, and makes room. An edit makes routes that cross its tiles be searched again, when their turn comes; nobody goes on where
// the ground is gone.
//
// Where 32 agents of a kind, or more, are waiting for a way to the same goal, they share one search from the goal over the portals of the
// overlay (portal_tree.h), and are served one after another. The trees of the goals asked for last are kept, 8 MB of them or one, until the
// world changes or nobody has asked for 60 ticks; who shares does not depend on them. No other distances are kept, for agents or for goals.
//
// A tick is one round of PIBT. Who has been under way to its goal for longest goes first, and may push others out of its way; who has
// arrived, or waits, gives way to all. Where the next cell of its route is taken, an agent looks for the cheapest cell around it, as seen
// from the route a few cells on. Who was pushed off its route finds back by a search of a few cells; who has come no nearer for a while
// goes around those who stand there; and where agents are found to wait for one another, a plan is made for the twelve who are nearest, on
// a window of 21x21 cells.
//
// An agent whose goal cannot be reached waits, and tries again after the next edit. Not complete: jams larger than such a window may last.
// Ten thousand agents on a map of 1024x1024 cells take 10 ms a tick (18 at the 99th percentile) and 1.6 KB each (bench
// crowd-swarm).
#pragma once
#include <cstdint>
#include <memory>

#include "terrane/crowd/crowd.h"
#include "terrane/crowd/direction_map.h"

namespace terrane {

struct SwarmOptions {
    uint64_t budget = 20000;   // of expansions a tick for routes, and again for help; at least one search goes on in each. 0: no limit
    uint32_t stuck_ticks = 8;  // without coming nearer, until an agent is helped; at least 1
    bool jams = true;          // plans for all who are near, where going around did not help
    bool share = true;         // one search for many who ask for a way to the same goal, where that is cheaper; needs an overlay
    bool flow = false;         // agents that must leave their route rather do so the way that others went (direction_map.h)
    DirectionMapOptions flow_options = {.compact = true};
};

std::unique_ptr<CrowdMethod> make_swarm(const SwarmOptions& options = {});

}  // namespace terrane
