// LaCAM: depth-first search over configurations with lazily added constraints.
// Okumura 2023 (LaCAM, AAAI); Okumura 2023 (improving LaCAM, IJCAI).
//
// A node is a configuration: one spot per agent. ConstrainedPibt generates its successors one at a time: the first without constraints,
// each later one under the next node of the constraint tree, breadth first. The search is complete: it reaches every reachable
// configuration in the end, so it finds a plan if one exists and terminates otherwise. Termination takes as many nodes as there are
// reachable configurations, which is feasible in tiny worlds only.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/pibt/constrained_pibt.h"
#include "terrane/base/status.h"

namespace terrane {

class LacamSearch {
public:
    // `individual_costs`, by agent: the cost of its optimal path without other agents; 0 for agents without a goal field. They set the
    // initial priorities. `ground`, `fields` and `walkers` must outlive the search.
    LacamSearch(const CrowdGround& ground, GoalFields& fields, std::span<const Walker> walkers, std::span<const Spot> start,
                std::span<const Cost> individual_costs, const ConstrainedPibt::Options& options);

    // kFound, kUnreachable, or kBudgetSpent: call again to continue. One expansion is one agent's step: a successor counts as many as
    // there are agents.
    Status run(uint64_t budget);

    // After kFound: the configuration at each tick.
    std::vector<std::vector<Spot>> plan() const;

    uint64_t expansions() const { return expansions_; }
    size_t bytes() const;

private:
    using NodeId = uint32_t;
    static constexpr NodeId kNoNode = 0xffffffff;

    // A node of the constraint tree: `agent` must go to `spot`, and the constraints of all ancestors hold.
    struct Constraint {
        uint32_t parent;
        uint32_t depth;
        AgentId agent;
        Spot spot;
    };
    struct Node {
        NodeId parent;
        uint32_t next = 0;  // 1 + the constraint to try next; 0: no constraint
        uint64_t hash;
        std::vector<Constraint> constraints;
    };

    std::span<const Spot> spots(NodeId node) const { return {spots_.data() + size_t{node} * walkers_.size(), walkers_.size()}; }
    uint64_t hash(std::span<const Spot> spots) const;
    size_t slot(std::span<const Spot> spots, uint64_t hash) const;
    void grow_slots();
    NodeId add_node(NodeId parent, std::span<const Spot> spots, uint64_t hash);
    bool is_goal(std::span<const Spot> spots) const;
    void sort_by_priority(NodeId node);
    void add_constraints(NodeId node, uint32_t parent);
    bool generate_successor(NodeId node);
    void push_successor(NodeId from);

    const CrowdGround* ground_;
    std::span<const Walker> walkers_;
    ConstrainedPibt pibt_;
    Rng rng_;
    std::vector<uint32_t> initial_priority_;  // by agent: larger for longer individual paths

    std::vector<Node> nodes_;
    std::vector<Spot> spots_;        // by node and agent
    std::vector<uint16_t> elapsed_;  // by node and agent: ticks since the agent was last at its goal
    std::vector<NodeId> slots_;      // hash table of nodes_, linear probing
    std::vector<NodeId> open_;       // a stack

    NodeId ordered_ = kNoNode;  // the node that order_ belongs to
    std::vector<AgentId> order_;
    std::vector<uint64_t> keys_;
    std::vector<Spot> to_;  // the successor
    NodeId goal_ = kNoNode;
    uint64_t expansions_ = 0;
};

}  // namespace terrane
