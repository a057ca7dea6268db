#include "crowd/lacam/joint_plan.h"

#include <utility>

namespace terrane {

JointPlan::JointPlan(const CrowdGround& ground, GoalFields& fields, std::span<const Walker> walkers, std::span<const Spot> start,
                     std::span<const Cost> individual_costs)
    : ground_(&ground),
      walkers_(walkers),
      start_(start),
      sipp_(ground, fields),
      intervals_(ground.size()),
      paths_(walkers.size()),
      costs_(walkers.size(), 0),
      individual_costs_(walkers.size(), 0) {
    for (size_t i = 0; i < walkers.size(); ++i) {
        if (walkers[i].must_arrive) lower_bound_ += individual_costs_[i] = individual_costs[i];
    }
}

Cost JointPlan::path_cost(AgentId agent, const SpotPath& path) const {
    if (!walkers_[agent].must_arrive) return 0;
    const uint16_t type = walkers_[agent].type;
    Cost cost = 0;
    if (ground_->uniform(type)) {
        for (size_t i = 1; i < path.size(); ++i) cost += path[i] == path[i - 1] ? ground_->wait_cost(type) : ground_->uniform_step(type);
        return cost;
    }
    for (size_t i = 1; i < path.size(); ++i) {
        cost += path[i] == path[i - 1] ? ground_->wait_cost(type)
                                       : ground_->step_cost(type, path[i - 1], ground_->move_between(path[i - 1], path[i]));
    }
    return cost;
}

void JointPlan::insert(AgentId agent, SpotPath path) {
    intervals_.add(agent, path);
    set_path(agent, std::move(path));
}

void JointPlan::set_path(AgentId agent, SpotPath path) {
    costs_[agent] = path_cost(agent, path);
    cost_ += costs_[agent];
    paths_[agent] = std::move(path);
}

SpotPath JointPlan::remove(AgentId agent) {
    intervals_.remove(paths_[agent]);
    cost_ -= costs_[agent];
    return std::exchange(paths_[agent], {});
}

void JointPlan::assign(const std::vector<std::vector<Spot>>& configurations) {
    for (AgentId agent = 0; agent < walkers_.size(); ++agent) {
        SpotPath path;
        path.reserve(configurations.size());
        for (const auto& spots : configurations) path.push_back(spots[agent]);
        while (path.size() > 1 && path[path.size() - 1] == path[path.size() - 2]) path.pop_back();
        set_path(agent, std::move(path));
    }
    indexed_ = false;
}

void JointPlan::index() {
    if (std::exchange(indexed_, true)) return;
    for (AgentId agent = 0; agent < paths_.size(); ++agent) intervals_.add(agent, paths_[agent]);
}

size_t JointPlan::bytes() const {
    size_t bytes = sipp_.bytes() + intervals_.bytes() + (costs_.capacity() + individual_costs_.capacity()) * sizeof(Cost) +
                   paths_.capacity() * sizeof(SpotPath);
    for (const SpotPath& path : paths_) bytes += path.capacity() * sizeof(Spot);
    return bytes;
}

}  // namespace terrane
