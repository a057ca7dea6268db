// Removes the conflicts from a set of independently proposed moves: an agent whose move is in conflict waits, and so do the agents that
// wanted to enter its cell. The last step of every method whose proposals may conflict.
//
// Terminates because waiting is always legal and no agent is ever given a move that it did not propose. O(agents) per tick.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "terrane/crowd/crowd.h"

namespace terrane::detail {

// Writes the present agents to `order`, starting with another agent in each tick, so that no agent always has the lowest priority.
inline void rotate_order(const Crowd& crowd, std::vector<AgentId>& order) {
    const size_t count = crowd.agents().size();
    order.clear();
    order.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        const auto agent = static_cast<AgentId>((i + crowd.ticks()) % count);
        if (crowd.agents()[agent].present()) order.push_back(agent);
    }
}

class ConflictResolver {
public:
    // Changes moves in `next` (see CrowdMethod::plan) to waits until no two conflict and all are legal. Of two conflicting agents, the one
    // earlier in `order` moves. `order` holds every present agent exactly once. Returns the number of moves that became waits.
    size_t resolve(const Crowd& crowd, std::span<CellId> next, std::span<const AgentId> order) {
        claims_.resize(crowd.layout().id_limit(), kNoAgent);
        held_ = 0;
        claim_cells(crowd, next, order);
        for (const AgentId agent : order) resolve_swaps(crowd, next, agent);
        for (const AgentId agent : order) claims_[next[agent]] = kNoAgent;
        return held_;
    }

    size_t bytes() const { return claims_.capacity() * sizeof(AgentId); }

private:
    void claim_cells(const Crowd& crowd, std::span<CellId> next, std::span<const AgentId> order) {
        for (const AgentId agent : order) {  // waiting agents claim their cells first
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

    // Of two agents that swap, both end up waiting: the later one is held, and that holds the one that wanted to enter its cell.
    void resolve_swaps(const Crowd& crowd, std::span<CellId> next, AgentId agent) {
        const GridLayout& layout = crowd.layout();
        const CellId at = crowd.agents()[agent].at, to = next[agent];
        const Cell a = layout.cell(at), b = layout.cell(to);
        for (const CellId cell : {to, layout.id({a.x, b.y}), layout.id({b.x, a.y})}) {
            const AgentId other = crowd.agent_at(cell);
            if (next[agent] == at || other == kNoAgent || other == agent) continue;
            if (moves_conflict(layout, at, to, cell, next[other])) hold(crowd, next, other);
        }
    }

    // Makes the agent wait, then the agent that claimed its cell, and so on. No agent in this chain was held before.
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
