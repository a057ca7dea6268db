// Prioritized planning over SIPP: plans the agents one after another, each around the paths of those before it.
// Silver 2005 (cooperative pathfinding); Li, Chen, Harabor, Stuckey, Koenig 2022 (MAPF-LNS2) for agents without a conflict-free path.
//
// Orders agents by individual cost: cheapest first, then, if that fails, most expensive first. An agent that finds no conflict-free path
// takes one with soft conflicts (soft_conflict_search.h); the conflicting agents lose their paths and replan.
// Near-optimal without congestion, but incomplete: with congestion it may fail although a plan exists.
#pragma once
#include <cstdint>
#include <vector>

#include "crowd/lacam/joint_plan.h"
#include "crowd/lacam/soft_conflict_search.h"

namespace terrane {

class PrioritizedPlanner {
public:
    // Fills `plan`, which must be empty. Every agent must be able to reach its goal, and no two agents may share one. All arguments must
    // outlive the planner.
    PrioritizedPlanner(JointPlan& plan, const CrowdGround& ground, GoalFields& fields) : plan_(&plan), soft_search_(ground, fields) {}

    // kFound: the plan is complete. kBudgetSpent after `budget` expansions: call again to continue. kUnreachable: both orders failed; the
    // plan is unspecified.
    // `fail_when_congested`: returns kUnreachable as soon as delays exceed a threshold (congested()), or when kMaxEarlySoftPaths agents
    // had no conflict-free path before half of them are planned. Use it if a method for congested instances follows.
    Status run(uint64_t budget, bool fail_when_congested);

    uint64_t expansions() const { return plan_->expansions() + soft_search_.expansions(); }  // of all runs
    size_t bytes() const;

private:
    bool begin_next_order();
    void abandon_order();
    bool congested() const;
    bool insert_with_conflicts(AgentId agent);

    JointPlan* plan_;
    SoftConflictSearch soft_search_;
    std::vector<AgentId> unplanned_;  // a stack: the next agent is last
    std::vector<uint32_t> weights_;   // by agent: how often it was planned with conflicts
    size_t planned_ = 0;
    Cost planned_individual_cost_ = 0;  // sum of individual costs of the planned agents
    uint32_t orders_tried_ = 0;
    uint32_t soft_paths_ = 0;  // paths with conflicts in this order
};

}  // namespace terrane
