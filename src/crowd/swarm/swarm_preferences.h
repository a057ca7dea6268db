// The preferences of swarm agents for PIBT: which cell each agent wants to enter next.
#pragma once
#include <cstdint>
#include <span>

#include "crowd/pibt/pibt_step.h"
#include "crowd/swarm/swarm_route.h"
#include "terrane/crowd/direction_map.h"

namespace terrane::detail {

// An agent with a route prefers its next cell. Other cells are ranked by the octile cost to the best of the next kLookahead route cells
// plus the cost of the route from there, with a penalty for occupied cells. An agent without a route prefers to wait, then the cheapest
// terrain. An agent on a blocked cell prefers to leave it.
class SwarmPreferences {
public:
    // Starts a tick. `routes` by agent; `direction_map` may be null.
    void begin(const Crowd& crowd, std::span<const Route> routes, const DirectionMap* direction_map) {
        crowd_ = &crowd;
        routes_ = routes;
        direction_map_ = direction_map;
    }

    CellId first_choice(AgentId agent) const;
    void rank_candidates(AgentId agent, PreferredCells& out) const;

private:
    struct View;
    uint32_t route_cost(const View& view, Cell to) const;

    const Crowd* crowd_ = nullptr;
    std::span<const Route> routes_;
    const DirectionMap* direction_map_ = nullptr;
};

}  // namespace terrane::detail
