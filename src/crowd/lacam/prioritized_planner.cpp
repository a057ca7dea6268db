#include "crowd/lacam/prioritized_planner.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace terrane {

namespace {

// Measured on the public benchmark; docs/notes/crowd.md has the alternatives.
constexpr uint32_t kMaxSoftPaths = 20;                  // per order; 100 and 300 solved no more instances
constexpr uint32_t kMaxEarlySoftPaths = 2;              // before half of the agents are planned, with fail_when_congested
constexpr uint64_t kPrioritizedSearchBudget = 1 << 14;  // expansions of one search

}  // namespace

Status PrioritizedPlanner::run(uint64_t budget, bool fail_when_congested) {
    if (plan_->agents() == 0) return Status::kFound;
    const uint64_t limit = expansion_limit(expansions(), budget);
    while (!unplanned_.empty() || begin_next_order()) {
        if (expansions() >= limit) return Status::kBudgetSpent;
        const AgentId agent = unplanned_.back();
        unplanned_.pop_back();
        SpotPath path;
        if (plan_->find_path(agent, kInfiniteCost, kPrioritizedSearchBudget, path) == Status::kFound) {
            plan_->insert(agent, std::move(path));
            ++planned_;
            planned_individual_cost_ += plan_->individual_cost(agent);
            if (planned_ == plan_->agents()) return Status::kFound;
            if (fail_when_congested && congested()) return Status::kUnreachable;
        } else if (fail_when_congested && soft_paths_ == kMaxEarlySoftPaths && planned_ * 2 <= plan_->agents()) {
            return Status::kUnreachable;
        } else if (!insert_with_conflicts(agent)) {
            if (fail_when_congested) return Status::kUnreachable;
            abandon_order();
        }
    }
    return Status::kUnreachable;
}

// Cheapest first: short paths leave room for others, and no agent waits for late traffic before it can occupy its goal. If those goals
// block other agents, the reverse order may succeed.
bool PrioritizedPlanner::begin_next_order() {
    if (orders_tried_ == 2) return false;
    const bool costliest_first = orders_tried_++ == 1;
    unplanned_.resize(plan_->agents());
    std::iota(unplanned_.begin(), unplanned_.end(), AgentId{0});
    std::sort(unplanned_.begin(), unplanned_.end(), [&](AgentId a, AgentId b) {
        if (plan_->individual_cost(a) == plan_->individual_cost(b)) return a < b;
        return (plan_->individual_cost(a) < plan_->individual_cost(b)) == costliest_first;
    });
    weights_.assign(plan_->agents(), 0);
    planned_ = 0;
    planned_individual_cost_ = 0;
    soft_paths_ = 0;
    return true;
}

void PrioritizedPlanner::abandon_order() {
    for (AgentId agent = 0; agent < plan_->agents(); ++agent) {
        if (!plan_->paths()[agent].empty()) plan_->remove(agent);
    }
    unplanned_.clear();
}

// Whether the delay of the planned agents, extrapolated to all agents, exceeds half of their individual costs. Early agents are delayed
// least, so 3/4 of that threshold is enough until 5/8 of the agents are planned.
bool PrioritizedPlanner::congested() const {
    if (planned_ * 4 <= plan_->agents()) return false;
    const Cost delay = (plan_->cost() - planned_individual_cost_) / planned_ * 2, threshold = planned_individual_cost_ / plan_->agents();
    return delay > (planned_ * 8 <= plan_->agents() * 5 ? threshold / 4 * 3 : threshold);
}

// Gives the agent a path with soft conflicts and removes the paths of the conflicting agents.
bool PrioritizedPlanner::insert_with_conflicts(AgentId agent) {
    SpotPath path;
    std::vector<AgentId> conflicting;
    if (++soft_paths_ > kMaxSoftPaths) return false;
    if (soft_search_.find(plan_->walker(agent), plan_->paths(), plan_->intervals(), weights_, plan_->start(agent), kPrioritizedSearchBudget,
                          path, conflicting) != Status::kFound) {
        return false;
    }
    ++weights_[agent];
    for (const AgentId other : conflicting) {
        plan_->remove(other);
        planned_individual_cost_ -= plan_->individual_cost(other);
        unplanned_.push_back(other);
    }
    planned_ -= conflicting.size();
    plan_->insert(agent, std::move(path));
    ++planned_;
    planned_individual_cost_ += plan_->individual_cost(agent);
    return true;
}

size_t PrioritizedPlanner::bytes() const {
    return soft_search_.bytes() + unplanned_.capacity() * sizeof(AgentId) + weights_.capacity() * sizeof(uint32_t);
}

}  // namespace terrane
