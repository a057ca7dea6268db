// Where each agent of a swarm would rather be: the wishes of PushStep.
#pragma once
#include <cstdint>
#include <span>

#include "crowd/pibt/push_step.h"
#include "crowd/swarm/swarm_route.h"
#include "terrane/crowd/direction_map.h"

namespace terrane::detail {

// Who has a route goes along it. Where that cannot be, a cell is worth what it would cost to go from it, straight, to the cheapest of the
// next cells of the route, and on; more if someone stands there. Who has none stays, or goes where it is cheap; off ground that it cannot
// be on, if it can.
class SwarmWisher {
public:
    // For one tick. `routes` by agent; `flow` may be null.
    void begin(const Crowd& crowd, std::span<const Route> routes, const DirectionMap* flow) {
        crowd_ = &crowd;
        routes_ = routes;
        flow_ = flow;
    }

    CellId first(AgentId agent) const;
    void rank(AgentId agent, Wishes& out) const;

private:
    struct View;
    uint32_t worth(const View& view, Cell to) const;

    const Crowd* crowd_ = nullptr;
    std::span<const Route> routes_;
    const DirectionMap* flow_ = nullptr;
};

}  // namespace terrane::detail
