// The paths of all agents, with their costs and safe intervals: what PrioritizedPlanner builds and LargeNeighbourhoodSearch improves.
//
// Holds the one SIPP search that both use, so that its scratch memory exists once.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/lacam/sipp.h"

namespace terrane {

// The value of an expansion counter at which a budget is spent; saturates at kUnlimited.
inline uint64_t expansion_limit(uint64_t expansions, uint64_t budget) {
    return budget > kUnlimited - expansions ? kUnlimited : expansions + budget;
}

class JointPlan {
public:
    // `individual_costs`, by agent: the cost of its optimal path without other agents. Everything passed by reference or span, apart from
    // `individual_costs`, must outlive the plan.
    JointPlan(const CrowdGround& ground, GoalFields& fields, std::span<const Walker> walkers, std::span<const Spot> start,
              std::span<const Cost> individual_costs);

    // SIPP: the agent's path among the inserted ones (Sipp::find).
    Status find_path(AgentId agent, Cost max_cost, uint64_t budget, SpotPath& path) {
        return sipp_.find(walkers_[agent], paths_, intervals_, start_[agent], max_cost, budget, path);
    }

    // Adds a path that conflicts with no inserted one. The agent must have none.
    void insert(AgentId agent, SpotPath path);
    // Removes and returns the agent's path.
    SpotPath remove(AgentId agent);

    // Replaces an empty plan by a complete one without conflicts: `configurations[tick][agent]`. Call index() before paths change.
    void assign(const std::vector<std::vector<Spot>>& configurations);
    // Builds the safe intervals of an assigned plan; does nothing if they are up to date.
    void index();

    size_t agents() const { return walkers_.size(); }
    const Walker& walker(AgentId agent) const { return walkers_[agent]; }
    Spot start(AgentId agent) const { return start_[agent]; }
    const std::vector<SpotPath>& paths() const { return paths_; }  // empty for agents without one
    const SafeIntervals& intervals() const { return intervals_; }

    // Costs of agents that need not arrive count as 0.
    Cost cost() const { return cost_; }                // sum of costs of the inserted paths
    Cost lower_bound() const { return lower_bound_; }  // sum of individual costs of all agents
    Cost cost(AgentId agent) const { return costs_[agent]; }
    Cost individual_cost(AgentId agent) const { return individual_costs_[agent]; }
    Cost delay(AgentId agent) const { return costs_[agent] - individual_costs_[agent]; }
    Cost path_cost(AgentId agent, const SpotPath& path) const;

    uint64_t expansions() const { return sipp_.expansions(); }
    size_t bytes() const;

private:
    void set_path(AgentId agent, SpotPath path);

    const CrowdGround* ground_;
    std::span<const Walker> walkers_;
    std::span<const Spot> start_;
    Sipp sipp_;
    SafeIntervals intervals_;  // of paths_
    std::vector<SpotPath> paths_;
    std::vector<Cost> costs_, individual_costs_;
    Cost cost_ = 0, lower_bound_ = 0;
    bool indexed_ = true;  // false: intervals_ is empty although there are paths
};

}  // namespace terrane
