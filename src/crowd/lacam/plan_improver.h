// A plan for all agents, made and made better one agent at a time.
// Based on: Silver 2005 (one by one); Li, Chen, Harabor, Stuckey, Koenig 2021 (MAPF-LNS: anytime, by large neighbourhood search).
//
// One by one: each agent takes the best way among those before it, and where there is none, gets one at the expense of a few of them, who
// must look again. Near to optimal where there is room; where there is not, it gives up. Improvement: the paths of a few agents that are in
// each other's way are taken out and found anew, and kept if they are cheaper together.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/lacam/gap_search.h"
#include "crowd/lacam/yield_search.h"

namespace terrane {

class PlanImprover {
public:
    // `walkers` and `start` must outlive it, and what `ground` and `fields` refer to. `alone`: what each way costs if nobody else is there.
    // Agents that must not be anywhere keep the paths they are given.
    PlanImprover(const CrowdGround& ground, GoalFields& fields, std::span<const Walker> walkers, std::span<const Spot> start,
                 std::span<const Cost> alone, uint64_t seed);

    // All agents, one by one. All of them must be able to get to their goals, no two to the same. kFound, kBudgetSpent (call again), or
    // kUnreachable: no order that was tried is any good. `crowded_is_no_good`: gives up as soon as it is seen
    // to be crowded: when several find no way before half of them have one, or they pay half as much again as if each were alone.
    Status plan_one_by_one(uint64_t budget, bool crowded_is_no_good);

    // A plan that is complete and meets no one: `plan[tick][agent]`.
    void take_plan(const std::vector<std::vector<Spot>>& plan);

    // Only with a plan. kBudgetSpent; kFound: there is nothing to be had any more.
    Status improve(uint64_t budget);

    const std::vector<SpotPath>& paths() const { return paths_; }
    Cost cost() const { return cost_; }                // of those who must be at their goals
    Cost lower_bound() const { return lower_bound_; }  // if everyone were alone
    uint64_t expansions() const { return search_.expansions() + yield_.expansions(); }
    size_t bytes() const;

private:
    Cost path_cost(AgentId agent, const SpotPath& path) const;
    Cost delay(AgentId agent) const { return costs_[agent] - alone_[agent]; }
    void put(AgentId agent, SpotPath path);
    void keep(AgentId agent, SpotPath path);
    void lift(AgentId agent);
    bool is_crowded() const;
    bool next_order();
    bool push_through(AgentId agent);
    void give_up_order();

    void pick_around_delayed();
    void pick_around_spot();
    void pick(AgentId agent);
    AgentId most_delayed();
    void walk_from(AgentId agent, Tick tick);
    void replan();
    size_t place_picked(Cost slack);

    const CrowdGround* ground_;
    std::span<const Walker> walkers_;
    std::span<const Spot> start_;
    GapSearch search_;
    YieldSearch yield_;
    VisitTable visits_;  // of paths_; empty until take_plan()'s are improved
    Rng rng_;
    std::vector<SpotPath> paths_;
    std::vector<Cost> costs_, alone_;  // alone_: 0 for those who need not be anywhere
    Cost cost_ = 0, lower_bound_ = 0;
    bool plan_taken_ = false;  // and not improved yet

    std::vector<AgentId> waiting_;   // one by one: for their turn, the next one last
    std::vector<uint32_t> weights_;  // the same: how often each has pushed through
    size_t placed_ = 0;
    Cost placed_alone_ = 0;  // what those would cost if each were alone
    uint32_t tries_ = 0, pushes_ = 0;

    std::vector<AgentId> picked_;
    size_t group_ = 0;  // most that are picked
    std::vector<uint8_t> is_picked_, tabu_;
    std::vector<SpotPath> kept_;
};

}  // namespace terrane
