#include "crowd/lacam/large_neighbourhood_search.h"

#include <algorithm>
#include <utility>

namespace terrane {

namespace {

// Measured on the public benchmark; docs/notes/crowd.md has the alternatives.
constexpr size_t kMaxNeighbourhood = 8;      // or 4 or 2, at random: 8 gains most without congestion, 2 with it; 16 was half as good
constexpr uint64_t kLnsSearchBudget = 4000;  // expansions of one search
constexpr uint32_t kRandomWalks = 10;        // from the path of the delayed agent
constexpr size_t kSpotsAround = 64;          // spots that pick_around_spot() visits

}  // namespace

LargeNeighbourhoodSearch::LargeNeighbourhoodSearch(JointPlan& plan, const CrowdGround& ground, uint64_t seed)
    : ground_(&ground), plan_(&plan), rng_(seed), is_picked_(plan.agents(), 0), tabu_(plan.agents(), 0) {}

Status LargeNeighbourhoodSearch::improve(uint64_t budget) {
    plan_->index();
    const uint64_t limit = expansion_limit(plan_->expansions(), budget);
    while (plan_->cost() > plan_->lower_bound()) {
        if (plan_->expansions() >= limit) return Status::kBudgetSpent;
        neighbourhood_.clear();
        max_size_ = kMaxNeighbourhood >> rng_.below(3);
        if (rng_.chance(1, 2)) {
            pick_around_delayed_agent();
        } else {
            pick_around_spot();
        }
        for (const AgentId agent : neighbourhood_) is_picked_[agent] = 0;
        replan();
    }
    return Status::kFound;
}

void LargeNeighbourhoodSearch::pick(AgentId agent) {
    if (agent == kNoAgent || is_picked_[agent] != 0 || !plan_->walker(agent).must_arrive || neighbourhood_.size() >= max_size_) return;
    is_picked_[agent] = 1;
    neighbourhood_.push_back(agent);
}

// The most delayed agent that is not tabu. kNoAgent clears the tabu list.
AgentId LargeNeighbourhoodSearch::most_delayed() {
    AgentId most = kNoAgent;
    for (AgentId agent = 0; agent < plan_->agents(); ++agent) {
        if (tabu_[agent] == 0 && plan_->walker(agent).must_arrive && plan_->delay(agent) > 0 &&
            (most == kNoAgent || plan_->delay(agent) > plan_->delay(most))) {
            most = agent;
        }
    }
    if (most == kNoAgent) std::fill(tabu_.begin(), tabu_.end(), uint8_t{0});
    return most;
}

// The agent-based neighbourhood: the most delayed agent and the agents that random walks from its path run into.
void LargeNeighbourhoodSearch::pick_around_delayed_agent() {
    AgentId agent = most_delayed();
    if (agent == kNoAgent) agent = most_delayed();
    tabu_[agent] = 1;
    pick(agent);
    random_walk(agent, 0);
    for (uint32_t walk = 0; walk < kRandomWalks && neighbourhood_.size() < max_size_; ++walk) {
        random_walk(agent, rng_.below(static_cast<uint32_t>(plan_->paths()[agent].size())));
    }
}

void LargeNeighbourhoodSearch::random_walk(AgentId agent, Tick tick) {
    const SpotPath& path = plan_->paths()[agent];
    Spot at = path[tick];
    for (; tick < path.size() && neighbourhood_.size() < max_size_; ++tick) {
        const uint32_t legal = ground_->legal(plan_->walker(agent).type, at);
        uint32_t skip = rng_.below(static_cast<uint32_t>(std::popcount(legal)) + 1);
        if (skip == 0) continue;
        uint32_t moves = legal;
        while (--skip > 0) moves &= moves - 1;
        at = ground_->neighbour(at, static_cast<Move>(std::countr_zero(moves)));
        pick(plan_->intervals().agent_at(at, tick + 1));
    }
}

// The map-based neighbourhood: the agents that visit a random spot of a random path, then those that visit the spots around it.
void LargeNeighbourhoodSearch::pick_around_spot() {
    const auto agent = rng_.below(static_cast<uint32_t>(plan_->agents()));
    const SpotPath& path = plan_->paths()[agent];
    std::vector<Spot> queue = {path[rng_.below(static_cast<uint32_t>(path.size()))]};
    for (size_t i = 0; i < queue.size() && i < kSpotsAround && neighbourhood_.size() < max_size_; ++i) {
        for (const SafeIntervals::Visit& visit : plan_->intervals().at(queue[i])) pick(visit.agent);
        for (uint32_t moves = ground_->legal(plan_->walker(agent).type, queue[i]); moves != 0; moves &= moves - 1) {
            const Spot to = ground_->neighbour(queue[i], static_cast<Move>(std::countr_zero(moves)));
            if (std::find(queue.begin(), queue.end(), to) == queue.end()) queue.push_back(to);
        }
    }
}

// Replans the neighbourhood in random order or by ascending individual cost. Restores the old paths if that fails
// or costs more.
void LargeNeighbourhoodSearch::replan() {
    for (size_t i = neighbourhood_.size(); i > 1; --i) {
        std::swap(neighbourhood_[i - 1], neighbourhood_[rng_.below(static_cast<uint32_t>(i))]);
    }
    if (rng_.chance(1, 2)) {
        std::sort(neighbourhood_.begin(), neighbourhood_.end(), [&](AgentId a, AgentId b) {
            return plan_->individual_cost(a) != plan_->individual_cost(b) ? plan_->individual_cost(a) < plan_->individual_cost(b) : a < b;
        });
    }
    Cost before = 0, individual = 0;
    for (const AgentId agent : neighbourhood_) {
        before += plan_->cost(agent);
        individual += plan_->individual_cost(agent);
    }
    if (before == individual) return;
    old_paths_.clear();
    for (const AgentId agent : neighbourhood_) old_paths_.push_back(plan_->remove(agent));
    const size_t replanned = replan_until_failure(before - individual);
    if (replanned == neighbourhood_.size()) return;
    for (size_t i = 0; i < replanned; ++i) plan_->remove(neighbourhood_[i]);
    for (size_t i = 0; i < neighbourhood_.size(); ++i) plan_->insert(neighbourhood_[i], std::move(old_paths_[i]));
}

// Replans agents in order until one fails or their total delay exceeds `slack`. Returns how many succeeded.
size_t LargeNeighbourhoodSearch::replan_until_failure(Cost slack) {
    size_t replanned = 0;
    for (; replanned < neighbourhood_.size(); ++replanned) {
        const AgentId agent = neighbourhood_[replanned];
        SpotPath path;
        const Cost max_cost = plan_->individual_cost(agent) + slack;
        if (plan_->find_path(agent, max_cost, kLnsSearchBudget, path) != Status::kFound) break;
        const Cost cost = plan_->path_cost(agent, path);
        if (cost > max_cost) break;  // possible where moves differ in cost: SIPP can underestimate the path
        slack -= cost - plan_->individual_cost(agent);
        plan_->insert(agent, std::move(path));
    }
    return replanned;
}

size_t LargeNeighbourhoodSearch::bytes() const {
    size_t bytes =
        neighbourhood_.capacity() * sizeof(AgentId) + is_picked_.capacity() + tabu_.capacity() + old_paths_.capacity() * sizeof(SpotPath);
    for (const SpotPath& path : old_paths_) bytes += path.capacity() * sizeof(Spot);
    return bytes;
}

}  // namespace terrane
