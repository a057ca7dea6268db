// MAPF-LNS: improves a complete plan by replanning small groups of agents, at any time until the budget is spent.
// Li, Chen, Harabor, Stuckey, Koenig 2021 (MAPF-LNS: anytime multi-agent path finding via large neighbourhood search).
//
// Each iteration picks a neighbourhood of up to 8 agents that delay each other, removes their paths, replans them with prioritized SIPP,
// and keeps the new paths only if their sum of costs is no higher.
#pragma once
#include <cstdint>
#include <vector>

#include "crowd/lacam/joint_plan.h"
#include "terrane/base/rng.h"

namespace terrane {

class LargeNeighbourhoodSearch {
public:
    // `plan` must be complete, and `plan` and `ground` must outlive the search. Agents that need not arrive keep their paths.
    LargeNeighbourhoodSearch(JointPlan& plan, const CrowdGround& ground, uint64_t seed);

    // kBudgetSpent after `budget` expansions: call again to continue. kFound: the cost equals the lower bound.
    Status improve(uint64_t budget);

    size_t bytes() const;

private:
    void pick_around_delayed_agent();
    void pick_around_spot();
    void pick(AgentId agent);
    AgentId most_delayed();
    void random_walk(AgentId agent, Tick tick);
    void replan();
    size_t replan_until_failure(Cost slack);

    const CrowdGround* ground_;
    JointPlan* plan_;
    Rng rng_;
    std::vector<AgentId> neighbourhood_;
    size_t max_size_ = 0;  // of this neighbourhood
    std::vector<uint8_t> is_picked_, tabu_;
    std::vector<SpotPath> old_paths_;  // of the neighbourhood
};

}  // namespace terrane
