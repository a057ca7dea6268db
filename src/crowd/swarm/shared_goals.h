// Agents of one kind that ask for a way to the same goal: who they are, and the trees that their routes are read off.
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

// Those who ask at one time, by kind and goal.
class GoalGroups {
public:
    // Of the queue, those for whom asks(agent) says so, once each. The rest of the queue is of no account.
    template <class Asks>
    void count(const Crowd& crowd, const std::deque<AgentId>& queue, Asks&& asks) {
        if (!begin(crowd, queue.size())) return;
        for (const AgentId agent : queue) {
            if (asks(agent)) note(crowd, agent);
        }
        group(crowd);
    }

    // Those counted who want to go where `agent` does, itself included where it was counted, in the order of the queue. Empty where they
    // are too few for a search from the goal to be cheaper than one for each. Valid until the next count.
    std::span<const AgentId> sharing_with(const Crowd& crowd, AgentId agent) const;

    size_t bytes() const;

private:
    bool begin(const Crowd& crowd, size_t queued);  // false where nobody can share
    void note(const Crowd& crowd, AgentId agent);
    void group(const Crowd& crowd);

    std::vector<uint8_t> shares_;   // by kind: whether there is an overlay for it
    std::vector<uint32_t> noted_;   // by agent: in which count it was last
    uint32_t counted_ = 0;          // how often
    std::vector<AgentId> asking_;   // in the order of the queue
    std::vector<uint32_t> counts_;  // of agents by a hash of kind and goal
    std::vector<uint32_t> places_;  // in asking_, of those who may share, by kind and goal
    std::vector<AgentId> members_;  // the same, as agents
};

// The trees of the goals that were asked for last, for the world as it is.
class GoalTrees {
public:
    // Begun or kept. Null where no overlay is prepared for the kind. Valid until drop_old() finds it old, or another is asked for.
    PortalTree* get(const Crowd& crowd, uint16_t kind, CellId goal);

    // Those of other versions of the world, and those that nobody has asked for in a while; but for the one in use (null: none is).
    void drop_old(const Crowd& crowd, const PortalTree* in_use);

    size_t count() const { return trees_.size(); }
    size_t bytes() const;

private:
    struct Entry {
        uint16_t kind;
        CellId goal;
        Tick used;
        size_t most_bytes;
        PortalTree tree;
    };
    void make_room(size_t bytes);

    std::vector<std::unique_ptr<Entry>> trees_;
};

}  // namespace terrane::detail
