// Shared searches for agents of one type with the same goal: groups of waiting agents, and one portal tree per goal (Dijkstra's algorithm
// from the goal over the portals of the overlay) that all routes of a group are read from.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "terrane/crowd/crowd.h"
#include "terrane/overlay/portal_tree.h"

namespace terrane::detail {

// Groups the agents that wait for a route by agent type and goal.
class GoalGroups {
public:
    // Counts each agent of the queue once for which is_waiting(agent) returns true; ignores the others.
    template <class IsWaiting>
    void count(const Crowd& crowd, const std::deque<AgentId>& queue, IsWaiting&& is_waiting) {
        if (!begin(crowd, queue.size())) return;
        for (const AgentId agent : queue) {
            if (is_waiting(agent)) add(crowd, agent);
        }
        group(crowd);
    }

    // The counted agents with the type and goal of `agent`, in queue order; includes `agent` if it was counted. Empty if they are too few
    // for one search from the goal to be cheaper than a search per agent. Valid until the next count().
    std::span<const AgentId> group_of(const Crowd& crowd, AgentId agent) const;

    size_t bytes() const;

private:
    bool begin(const Crowd& crowd, size_t queued);  // false if no group is possible
    void add(const Crowd& crowd, AgentId agent);
    void group(const Crowd& crowd);

    std::vector<uint8_t> has_overlay_;    // by agent type
    std::vector<uint32_t> counted_in_;    // by agent: count_id_ of the last count() that included it
    uint32_t count_id_ = 0;               // number of calls of count()
    std::vector<AgentId> requesters_;     // counted agents, in queue order
    std::vector<uint32_t> bucket_sizes_;  // counted agents by hash of type and goal; an upper bound of the group size
    std::vector<uint32_t> candidates_;    // indices into requesters_ of agents whose bucket is large enough, by type and goal
    std::vector<AgentId> members_;        // the same, as agents
};

// An LRU cache of portal trees of the current world.
class GoalTrees {
public:
    // A cached or new tree. Null if no overlay is prepared for the type. Valid until the next get() or discard_stale().
    PortalTree* get(const Crowd& crowd, uint16_t type, CellId goal);

    // Discards trees of other versions of the world and trees unused for a while, except `tree_in_use` (may be null).
    void discard_stale(const Crowd& crowd, const PortalTree* tree_in_use);

    size_t count() const { return trees_.size(); }
    size_t bytes() const;

private:
    struct Entry {
        uint16_t type;
        CellId goal;
        Tick last_used;
        size_t max_bytes;
        PortalTree tree;
    };
    void make_room(size_t bytes);

    std::vector<std::unique_ptr<Entry>> trees_;
};

}  // namespace terrane::detail
