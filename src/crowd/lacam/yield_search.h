// One agent's way through others who can be asked to yield: where it would meet one of them costs as much as a detour.
// Based on: Li, Chen, Harabor, Stuckey, Koenig 2022 (MAPF-LNS2), whose search this is without its safe intervals.
//
// For the few agents that find no way among paths that are fixed. A node is a spot and a tick.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/lacam/rest_table.h"
#include "crowd/lacam/visit_table.h"
#include "terrane/search/best_first.h"
#include "terrane/search/hashed_labels.h"
#include "terrane/search/heap_queue.h"

namespace terrane {

class YieldSearch {
public:
    YieldSearch(const CrowdGround& ground, GoalFields& fields) : ground_(&ground), rest_(ground, fields) {}

    // From `start` at tick 0 to the agent's goal, for good. `weights`, by agent: how much more than the least each is to be spared. kFound:
    // `path`, and in `met` the agents that it meets, each once, ascending. kBudgetSpent, kUnreachable.
    Status find(const Walker& walker, const std::vector<SpotPath>& paths, const VisitTable& visits, std::span<const uint32_t> weights,
                Spot start, uint64_t budget, SpotPath& path, std::vector<AgentId>& met);
    uint64_t expansions() const { return expansions_; }
    size_t bytes() const { return labels_.bytes() + queue_.bytes() + rest_.bytes(); }

private:
    using Node = uint64_t;  // spot and tick
    struct Ways;
    struct Rest;
    static constexpr Node kThere = ~Node{0};  // at the goal for good
    static Spot spot_of(Node node) { return static_cast<Spot>(node >> 32); }
    static Tick tick_of(Node node) { return static_cast<Tick>(node); }

    // Calls use(agent) for everyone whom a move that begins at `tick` meets; for everyone who comes by after it.
    void for_each_met(Spot from, Spot to, Tick tick, const auto& use) const;
    void for_each_later(Spot spot, Tick tick, const auto& use) const;
    Spot place_of(AgentId agent, Tick tick) const;
    void trace(Node last, Spot start, SpotPath& path, std::vector<AgentId>& met) const;

    const CrowdGround* ground_;
    RestTable rest_;
    HashedLabels<Node, Cost, uint8_t> labels_;
    HeapQueue<Node, Cost> queue_;
    const Walker* walker_ = nullptr;
    const std::vector<SpotPath>* paths_ = nullptr;
    const VisitTable* visits_ = nullptr;
    std::span<const uint32_t> weights_;
    uint64_t expansions_ = 0;
};

}  // namespace terrane
