// Search over where all agents are at once: LaCAM, lazy constraints addition.
// Based on: Okumura 2023 (LaCAM; AAAI), Okumura 2023 (improving LaCAM; IJCAI).
//
// A node is a configuration: a spot for each agent. Its successors are too many to list, so they are made one at a time by StepMaker, the
// first as all agents would like it; whenever a node is come back to, with one more constraint of where some agent has to go, breadth
// first. So depth first, and in the end through every configuration in reach: it finds a plan where there is one, and ends where
// there is none (after as many nodes as there are configurations, which only tiny worlds live to see).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/pibt/step_maker.h"
#include "terrane/base/status.h"

namespace terrane {

class ConfigurationSearch {
public:
    // `walkers` must outlive it, and what `ground` and `fields` refer to. `alone`: what each way costs if nobody else is there; 0 for those
    // without a field.
    ConfigurationSearch(const CrowdGround& ground, GoalFields& fields, std::span<const Walker> walkers, std::span<const Spot> start,
                        std::span<const Cost> alone, const StepMaker::Options& options);

    // One expansion is one agent's step. kFound, kUnreachable, kBudgetSpent.
    Status run(uint64_t budget);

    // When found: where each agent is, tick by tick.
    std::vector<std::vector<Spot>> plan() const;

    uint64_t expansions() const { return expansions_; }
    size_t bytes() const;

private:
    using NodeId = uint32_t;
    static constexpr NodeId kNoNode = 0xffffffff;

    // That an agent go to a spot, and what its ancestors say.
    struct Constraint {
        uint32_t parent;
        uint32_t depth;
        AgentId agent;
        Spot spot;
    };
    struct Node {
        NodeId parent;
        uint32_t next = 0;  // constraint to try
        uint64_t hash;
        std::vector<Constraint> constraints;
    };

    std::span<const Spot> spots(NodeId node) const { return {spots_.data() + size_t{node} * walkers_.size(), walkers_.size()}; }
    uint64_t hash(std::span<const Spot> spots) const;
    size_t slot(std::span<const Spot> spots, uint64_t hash) const;
    void grow_slots();
    NodeId add(NodeId parent, std::span<const Spot> spots, uint64_t hash);
    bool arrived(std::span<const Spot> spots) const;
    void put_in_order(NodeId node);
    void branch(NodeId node, uint32_t constraint);
    bool next_step(NodeId node);
    void step_to(NodeId from);

    const CrowdGround* ground_;
    std::span<const Walker> walkers_;
    StepMaker maker_;
    Rng rng_;
    std::vector<uint32_t> rank_;  // of agents at the start: those who have far to go first

    std::vector<Node> nodes_;
    std::vector<Spot> spots_;       // of each node, for each agent
    std::vector<uint16_t> waited_;  // the same: ticks since the agent was at its goal
    std::vector<NodeId> slots_;     // of a hash table of nodes
    std::vector<NodeId> open_;      // a stack

    NodeId ordered_ = kNoNode;  // whose order this is
    std::vector<AgentId> order_;
    std::vector<uint64_t> keys_;
    std::vector<Spot> to_;
    NodeId goal_ = kNoNode;
    uint64_t expansions_ = 0;
};

}  // namespace terrane
