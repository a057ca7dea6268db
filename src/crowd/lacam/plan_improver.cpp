#include "crowd/lacam/plan_improver.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace terrane {

namespace {

// One by one, without pushes, on 7 maps of the public benchmark with 400 agents: those with a short way first found a plan on 5 of them,
// at 1.005 to 1.08 times the lower bound; those with a long way first on 1; random order on none. With pushes, one of the first two found a
// plan on 9 of 10 maps.
constexpr uint32_t kMostPushes = 20;     // in one order; 100 and 300 found no more, as agents push each other in turn
constexpr uint32_t kFewPushes = 2;       // before half of them are placed, where crowded is no good
constexpr uint64_t kPerAgent = 1 << 14;  // expansions of one search

// Improvement: groups of 2 to 8, as those of 8 gain most where there is room and those of 2 where there is none; 16 were half as good.
// Agents picked at random were not worth their time; nor was taking out one at a time. Those with a short way first: from a poor plan on
// random-64-64-20, with 2000 expansions an agent, that came to 1.14 times the lower bound, random order to 1.20, orders by cost or delay to
// 1.16 and more; from good plans it gained less than random order. So each has its turns.
constexpr size_t kGroup = 8;
constexpr uint64_t kPerAgentAgain = 4000;  // expansions of one search
constexpr uint32_t kWalks = 10;            // random walks from a delayed agent's path
constexpr size_t kAround = 64;             // spots that are looked at around one

uint64_t limit_of(uint64_t done, uint64_t budget) { return budget > kUnlimited - done ? kUnlimited : done + budget; }

}  // namespace

PlanImprover::PlanImprover(const CrowdGround& ground, GoalFields& fields, std::span<const Walker> walkers, std::span<const Spot> start,
                           std::span<const Cost> alone, uint64_t seed)
    : ground_(&ground),
      walkers_(walkers),
      start_(start),
      search_(ground, fields),
      yield_(ground, fields),
      visits_(ground.size()),
      rng_(seed),
      paths_(walkers.size()),
      costs_(walkers.size(), 0),
      alone_(walkers.size(), 0),
      is_picked_(walkers.size(), 0),
      tabu_(walkers.size(), 0) {
    for (size_t i = 0; i < walkers.size(); ++i) {
        if (walkers[i].must) lower_bound_ += alone_[i] = alone[i];
    }
}

// Of those who must be somewhere.
Cost PlanImprover::path_cost(AgentId agent, const SpotPath& path) const {
    if (!walkers_[agent].must) return 0;
    const uint16_t kind = walkers_[agent].kind;
    Cost cost = 0;
    if (ground_->uniform(kind)) {
        for (size_t i = 1; i < path.size(); ++i) cost += path[i] == path[i - 1] ? ground_->wait_cost(kind) : ground_->uniform_step(kind);
        return cost;
    }
    for (size_t i = 1; i < path.size(); ++i) {
        cost += path[i] == path[i - 1] ? ground_->wait_cost(kind)
                                       : ground_->step_cost(kind, path[i - 1], ground_->move_between(path[i - 1], path[i]));
    }
    return cost;
}

void PlanImprover::put(AgentId agent, SpotPath path) {
    visits_.add(agent, path);
    keep(agent, std::move(path));
}

void PlanImprover::keep(AgentId agent, SpotPath path) {
    costs_[agent] = path_cost(agent, path);
    cost_ += costs_[agent];
    paths_[agent] = std::move(path);
}

void PlanImprover::lift(AgentId agent) {
    visits_.remove(paths_[agent]);
    cost_ -= costs_[agent];
}

// ---- One by one

Status PlanImprover::plan_one_by_one(uint64_t budget, bool crowded_is_no_good) {
    if (walkers_.empty()) return Status::kFound;
    const uint64_t limit = limit_of(expansions(), budget);
    while (!waiting_.empty() || next_order()) {
        if (expansions() >= limit) return Status::kBudgetSpent;
        const AgentId agent = waiting_.back();
        waiting_.pop_back();
        SpotPath path;
        if (search_.find(walkers_[agent], paths_, visits_, start_[agent], kInfiniteCost, kPerAgent, path) == Status::kFound) {
            put(agent, std::move(path));
            ++placed_;
            placed_alone_ += alone_[agent];
            if (placed_ == walkers_.size()) return Status::kFound;
            if (crowded_is_no_good && is_crowded()) return Status::kUnreachable;
        } else if (crowded_is_no_good && pushes_ == kFewPushes && placed_ * 2 <= walkers_.size()) {
            return Status::kUnreachable;
        } else if (!push_through(agent)) {
            if (crowded_is_no_good) return Status::kUnreachable;
            give_up_order();
        }
    }
    return Status::kUnreachable;
}

// Whether what is placed costs more than half as much again as each alone, or is on its way there, if delays go on as they began. To give
// up only at that half, whatever the number placed, found the same plans for 400 to 1,000 agents and took a quarter longer in rooms. Those
// who come first are delayed least, so until five eighths are placed three quarters of it are enough: the same plans, and up to three times
// as quick where it is crowded. Until three quarters are placed: one plan in 36 for 400 agents in rooms 11% dearer.
bool PlanImprover::is_crowded() const {
    if (placed_ * 4 <= walkers_.size()) return false;
    const Cost delay = (cost_ - placed_alone_) / placed_ * 2, most = placed_alone_ / walkers_.size();
    return delay > (placed_ * 8 <= walkers_.size() * 5 ? most / 4 * 3 : most);
}

// Those who have a short way first: what they do not take from the others is little, and nobody has to wait for those who come by late to
// be at its goal. Where they bar the way of others by that, the other way around.
bool PlanImprover::next_order() {
    if (tries_ == 2) return false;
    const bool far_first = tries_++ == 1;
    waiting_.resize(walkers_.size());
    std::iota(waiting_.begin(), waiting_.end(), AgentId{0});
    std::sort(waiting_.begin(), waiting_.end(), [&](AgentId a, AgentId b) {
        if (alone_[a] == alone_[b]) return a < b;
        return (alone_[a] < alone_[b]) == far_first;
    });
    weights_.assign(walkers_.size(), 0);
    placed_ = 0;
    placed_alone_ = 0;
    pushes_ = 0;
    return true;
}

// An agent that finds no way gets one; those who are on it must look for another.
bool PlanImprover::push_through(AgentId agent) {
    SpotPath path;
    std::vector<AgentId> met;
    if (++pushes_ > kMostPushes) return false;
    if (yield_.find(walkers_[agent], paths_, visits_, weights_, start_[agent], kPerAgent, path, met) != Status::kFound) return false;
    ++weights_[agent];
    for (const AgentId other : met) {
        lift(other);
        paths_[other].clear();
        placed_alone_ -= alone_[other];
        waiting_.push_back(other);
    }
    placed_ -= met.size();
    put(agent, std::move(path));
    ++placed_;
    placed_alone_ += alone_[agent];
    return true;
}

void PlanImprover::give_up_order() {
    for (AgentId agent = 0; agent < walkers_.size(); ++agent) {
        if (!paths_[agent].empty()) lift(agent);
        paths_[agent].clear();
    }
    waiting_.clear();
}

void PlanImprover::take_plan(const std::vector<std::vector<Spot>>& plan) {
    for (AgentId agent = 0; agent < walkers_.size(); ++agent) {
        SpotPath path;
        path.reserve(plan.size());
        for (const auto& spots : plan) path.push_back(spots[agent]);
        while (path.size() > 1 && path[path.size() - 1] == path[path.size() - 2]) path.pop_back();
        keep(agent, std::move(path));
    }
    plan_taken_ = true;
}

// ---- Large neighbourhood search

Status PlanImprover::improve(uint64_t budget) {
    if (std::exchange(plan_taken_, false)) {
        for (AgentId agent = 0; agent < paths_.size(); ++agent) visits_.add(agent, paths_[agent]);
    }
    const uint64_t limit = limit_of(expansions(), budget);
    while (cost_ > lower_bound_) {
        if (expansions() >= limit) return Status::kBudgetSpent;
        picked_.clear();
        group_ = kGroup >> rng_.below(3);
        if (rng_.chance(1, 2)) {
            pick_around_delayed();
        } else {
            pick_around_spot();
        }
        for (const AgentId agent : picked_) is_picked_[agent] = 0;
        replan();
    }
    return Status::kFound;
}

void PlanImprover::pick(AgentId agent) {
    if (agent == kNoAgent || is_picked_[agent] != 0 || !walkers_[agent].must || picked_.size() >= group_) return;
    is_picked_[agent] = 1;
    picked_.push_back(agent);
}

AgentId PlanImprover::most_delayed() {
    AgentId most = kNoAgent;
    for (AgentId agent = 0; agent < walkers_.size(); ++agent) {
        if (tabu_[agent] == 0 && walkers_[agent].must && delay(agent) > 0 && (most == kNoAgent || delay(agent) > delay(most))) most = agent;
    }
    if (most == kNoAgent) std::fill(tabu_.begin(), tabu_.end(), uint8_t{0});
    return most;
}

// The most delayed agent, and those that random walks off its path come across where it could go if it were alone.
void PlanImprover::pick_around_delayed() {
    AgentId agent = most_delayed();
    if (agent == kNoAgent) agent = most_delayed();
    tabu_[agent] = 1;
    pick(agent);
    walk_from(agent, 0);
    for (uint32_t walk = 0; walk < kWalks && picked_.size() < group_; ++walk) {
        walk_from(agent, rng_.below(static_cast<uint32_t>(paths_[agent].size())));
    }
}

void PlanImprover::walk_from(AgentId agent, Tick tick) {
    Spot at = paths_[agent][tick];
    for (; tick < paths_[agent].size() && picked_.size() < group_; ++tick) {
        const uint32_t legal = ground_->legal(walkers_[agent].kind, at);
        uint32_t skip = rng_.below(static_cast<uint32_t>(std::popcount(legal)) + 1);
        if (skip == 0) continue;
        uint32_t moves = legal;
        while (--skip > 0) moves &= moves - 1;
        at = ground_->neighbour(at, static_cast<Move>(std::countr_zero(moves)));
        pick(visits_.who(at, tick + 1));
    }
}

// Those who come by one spot, and by those around it.
void PlanImprover::pick_around_spot() {
    const auto agent = rng_.below(static_cast<uint32_t>(paths_.size()));
    const SpotPath& path = paths_[agent];
    std::vector<Spot> queue = {path[rng_.below(static_cast<uint32_t>(path.size()))]};
    for (size_t i = 0; i < queue.size() && i < kAround && picked_.size() < group_; ++i) {
        for (const VisitTable::Visit& visit : visits_.at(queue[i])) pick(visit.agent);
        for (uint32_t moves = ground_->legal(walkers_[agent].kind, queue[i]); moves != 0; moves &= moves - 1) {
            const Spot to = ground_->neighbour(queue[i], static_cast<Move>(std::countr_zero(moves)));
            if (std::find(queue.begin(), queue.end(), to) == queue.end()) queue.push_back(to);
        }
    }
}

// The picked agents anew, in random order or those with a short way first; back as it was where that is no better.
void PlanImprover::replan() {
    for (size_t i = picked_.size(); i > 1; --i) std::swap(picked_[i - 1], picked_[rng_.below(static_cast<uint32_t>(i))]);
    if (rng_.chance(1, 2)) {
        std::sort(picked_.begin(), picked_.end(),
                  [&](AgentId a, AgentId b) { return alone_[a] != alone_[b] ? alone_[a] < alone_[b] : a < b; });
    }
    Cost before = 0, alone = 0;
    for (const AgentId agent : picked_) {
        before += costs_[agent];
        alone += alone_[agent];
    }
    if (before == alone) return;
    kept_.clear();
    for (const AgentId agent : picked_) {
        lift(agent);
        kept_.push_back(std::move(paths_[agent]));
    }
    const size_t placed = place_picked(before - alone);
    if (placed == picked_.size()) return;
    for (size_t i = 0; i < placed; ++i) lift(picked_[i]);
    for (size_t i = 0; i < picked_.size(); ++i) put(picked_[i], std::move(kept_[i]));
}

// How many find a way, if they are not to be later than by `slack` all together.
size_t PlanImprover::place_picked(Cost slack) {
    size_t placed = 0;
    for (; placed < picked_.size(); ++placed) {
        const AgentId agent = picked_[placed];
        SpotPath path;
        const Cost most = alone_[agent] + slack;
        if (search_.find(walkers_[agent], paths_, visits_, start_[agent], most, kPerAgentAgain, path) != Status::kFound) break;
        const Cost cost = path_cost(agent, path);
        if (cost > most) break;  // where moves differ in cost, what the search took for it can be too little
        slack -= cost - alone_[agent];
        put(agent, std::move(path));
    }
    return placed;
}

size_t PlanImprover::bytes() const {
    size_t bytes = search_.bytes() + yield_.bytes() + visits_.bytes() + (costs_.capacity() + alone_.capacity()) * sizeof(Cost) +
                   (waiting_.capacity() + picked_.capacity()) * sizeof(AgentId) + weights_.capacity() * sizeof(uint32_t) +
                   is_picked_.capacity() + tabu_.capacity();
    for (const auto* paths : {&paths_, &kept_}) {
        bytes += paths->capacity() * sizeof(SpotPath);
        for (const SpotPath& path : *paths) bytes += path.capacity() * sizeof(Spot);
    }
    return bytes;
}

}  // namespace terrane
