// Makes moves that were proposed one by one into moves that can be made together: whoever cannot go stays, and so does whoever wanted to
// go there, until nothing is wrong any more. Everyone staying is always right, and nobody is sent where it did not want to go, so this
// ends, in time linear in the agents. The last step of every method that does not know its proposals to be consistent.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "terrane/crowd/crowd.h"

namespace terrane::detail {

// All who are present, each time another one first, so that nobody is always the last.
inline void rank_by_turn(const Crowd& crowd, std::vector<AgentId>& order) {
    const size_t count = crowd.agents().size();
    order.clear();
    order.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        const auto agent = static_cast<AgentId>((i + crowd.ticks()) % count);
        if (crowd.agents()[agent].present()) order.push_back(agent);
    }
}

class Settler {
public:
    // `next` as CrowdMethod::plan has it. Where two are in each other's way, the one that comes first in `order` goes; `order` has every
    // agent that is present, once. Illegal moves are not made. How many were made to stay.
    size_t settle(const Crowd& crowd, std::span<CellId> next, std::span<const AgentId> order) {
        claims_.resize(crowd.layout().id_limit(), kNoAgent);
        held_ = 0;
        claim_cells(crowd, next, order);
        for (const AgentId agent : order) keep_from_meeting(crowd, next, agent);
        for (const AgentId agent : order) claims_[next[agent]] = kNoAgent;
        return held_;
    }

    size_t bytes() const { return claims_.capacity() * sizeof(AgentId); }

private:
    void claim_cells(const Crowd& crowd, std::span<CellId> next, std::span<const AgentId> order) {
        for (const AgentId agent : order) {  // those who stay come first
            const CellId at = crowd.agents()[agent].at;
            if (!crowd.ground_of(agent).can_step(at, next[agent])) {
                next[agent] = at;
                ++held_;
            }
            if (next[agent] == at) claims_[at] = agent;
        }
        for (const AgentId agent : order) {
            if (next[agent] == crowd.agents()[agent].at) continue;
            if (claims_[next[agent]] != kNoAgent) {
                hold(crowd, next, agent);
            } else {
                claims_[next[agent]] = agent;
            }
        }
    }

    // Both of those who swap are held: the one because it comes later, the other because the first then stays in its way.
    void keep_from_meeting(const Crowd& crowd, std::span<CellId> next, AgentId agent) {
        const GridLayout& layout = crowd.layout();
        const CellId at = crowd.agents()[agent].at, to = next[agent];
        const Cell a = layout.cell(at), b = layout.cell(to);
        for (const CellId cell : {to, layout.id({a.x, b.y}), layout.id({b.x, a.y})}) {
            const AgentId met = crowd.agent_at(cell);
            if (next[agent] == at || met == kNoAgent || met == agent) continue;
            if (moves_meet(layout, at, to, cell, next[met])) hold(crowd, next, met);
        }
    }

    // The agent stays; so does whoever wanted its cell, and so on. None of them can have been held before.
    void hold(const Crowd& crowd, std::span<CellId> next, AgentId agent) {
        while (agent != kNoAgent) {
            if (claims_[next[agent]] == agent) claims_[next[agent]] = kNoAgent;
            const CellId at = crowd.agents()[agent].at;
            const AgentId other = claims_[at];
            next[agent] = at;
            claims_[at] = agent;
            ++held_;
            agent = other;
        }
    }

    std::vector<AgentId> claims_;  // by cell; kNoAgent between calls
    size_t held_ = 0;
};

}  // namespace terrane::detail
