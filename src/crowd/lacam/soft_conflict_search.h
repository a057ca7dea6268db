// Path of one agent that may conflict with other agents, at a penalty per conflict: space-time A* with soft conflicts.
// Li, Chen, Harabor, Stuckey, Koenig 2022 (MAPF-LNS2): their search without safe intervals.
//
// PrioritizedPlanner uses it for the few agents that have no conflict-free path. A node is a spot and a tick.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/lacam/distance_cache.h"
#include "crowd/lacam/safe_intervals.h"
#include "terrane/search/best_first.h"
#include "terrane/search/hashed_labels.h"
#include "terrane/search/heap_queue.h"

namespace terrane {

class SoftConflictSearch {
public:
    SoftConflictSearch(const CrowdGround& ground, GoalFields& fields) : ground_(&ground), distances_(ground, fields) {}

    // Finds a path from `start` at tick 0 to the agent's goal, where the agent stays. `intervals` holds `paths`, by agent. A conflict
    // with agent i costs 1 + weights[i] times the base penalty.
    // kFound: `path` is set, and `conflicting` lists the agents that it conflicts with, ascending, without duplicates. kUnreachable.
    // kBudgetSpent after `budget` expansions.
    Status find(const Walker& walker, const std::vector<SpotPath>& paths, const SafeIntervals& intervals, std::span<const uint32_t> weights,
                Spot start, uint64_t budget, SpotPath& path, std::vector<AgentId>& conflicting);
    uint64_t expansions() const { return expansions_; }  // of all searches
    size_t bytes() const { return labels_.bytes() + queue_.bytes() + distances_.bytes(); }

private:
    using Node = uint64_t;  // spot << 32 | tick
    struct SpaceTimeGraph;  // what BestFirst searches
    struct Heuristic;
    static constexpr Node kArrived = ~Node{0};  // at the goal forever
    static Spot spot_of(Node node) { return static_cast<Spot>(node >> 32); }
    static Tick tick_of(Node node) { return static_cast<Tick>(node); }

    // Calls use(agent) for each agent that a move or wait from `tick` to `tick` + 1 conflicts with.
    void for_each_conflict(Spot from, Spot to, Tick tick, const auto& use) const;
    // Calls use(agent) for each visit to a spot that does not end before `tick`.
    void for_each_later_visit(Spot spot, Tick tick, const auto& use) const;
    Spot position_of(AgentId agent, Tick tick) const;
    void extract_path(Node last, Spot start, SpotPath& path, std::vector<AgentId>& conflicting) const;

    const CrowdGround* ground_;
    DistanceCache distances_;
    HashedLabels<Node, Cost, uint8_t> labels_;
    HeapQueue<Node, Cost> queue_;
    const Walker* walker_ = nullptr;
    const std::vector<SpotPath>* paths_ = nullptr;
    const SafeIntervals* intervals_ = nullptr;
    std::span<const uint32_t> weights_;
    uint64_t expansions_ = 0;
};

}  // namespace terrane
