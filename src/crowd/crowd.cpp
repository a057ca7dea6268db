#include "terrane/crowd/crowd.h"

#include <algorithm>
#include <cstdlib>

#include "base/catch_bad_alloc.h"
#include "terrane/base/assert.h"
#include "terrane/base/memory.h"

namespace terrane {

namespace {

// The two cells beside a diagonal move.
struct Sides {
    Cell one, other;
};
Sides sides_of(Cell from, Cell to) { return {{from.x, to.y}, {to.x, from.y}}; }
bool is_diagonal(Cell from, Cell to) { return from.x != to.x && from.y != to.y; }

}  // namespace

AgentType::AgentType(const CostTable& table) : costs(table) {
    Hundredths cheapest = kMaxTerrainCost;
    for (const uint32_t cost : table.cost) {
        if (cost != 0) cheapest = std::min(cheapest, cost * table.divisor);
    }
    wait = Cost{2} * kStraight * cheapest;
}

const char* to_string(CrowdFaultType type) {
    switch (type) {
        case CrowdFaultType::kCollision: return "two agents on one cell";
        case CrowdFaultType::kSwap: return "two agents swap cells";
        case CrowdFaultType::kCrossing: return "two agents cross on diagonals";
        case CrowdFaultType::kIllegalMove: break;
    }
    return "an illegal move";
}

std::optional<CrowdFaultType> moves_conflict(const GridLayout& layout, CellId from, CellId to, CellId other_from, CellId other_to) {
    if (from == to || other_from == other_to) return std::nullopt;
    if (from == other_to && to == other_from) return CrowdFaultType::kSwap;
    const Cell a = layout.cell(from), b = layout.cell(to), c = layout.cell(other_from), d = layout.cell(other_to);
    // The same midpoint but other cells: the other diagonal.
    if (is_diagonal(a, b) && a.x + b.x == c.x + d.x && a.y + b.y == c.y + d.y) return CrowdFaultType::kCrossing;
    return std::nullopt;
}

Crowd::Crowd(const World& world, std::vector<CostTable> types, std::unique_ptr<CrowdMethod> method, const CrowdOptions& options)
    : world_(&world),
      options_(options),
      snapshot_(world.snapshot()),
      types_(types.begin(), types.end()),
      method_(std::move(method)),
      occupied_(layout().id_limit(), kNoAgent),
      claimed_(occupied_) {
    TERRANE_ASSERT(!types_.empty() && types_.size() <= 0x10000 && method_ != nullptr);
    grounds_.reserve(types_.size());
    for (const AgentType& type : types_) grounds_.emplace_back(grid(), type.costs, options_.movement);
}

// Calls the method. On bad_alloc, undoes the change that it was notified of and rethrows.
template <class Notify, class Undo>
void Crowd::notify_method(Notify&& notify, Undo&& undo) {
    detail::catch_bad_alloc(notify, [&] {
        method_lost_ = true;
        undo();
        detail::throw_bad_alloc();
    });
}

void Crowd::replace_lost_method() {
    if (!method_lost_) return;
    std::unique_ptr<CrowdMethod> fresh = method_->fresh();
    if (fresh == nullptr) detail::throw_bad_alloc();
    method_ = std::move(fresh);
    for (AgentId agent = 0; agent < agents_.size(); ++agent) {
        if (agents_[agent].present()) method_->agent_joined(*this, agent);
    }
    method_lost_ = false;
}

// Replaces the state of an agent and updates occupied_ and the counters.
void Crowd::set_agent(AgentId agent, const CrowdAgent& now) {
    const auto count = [&](const CrowdAgent& state, AgentId occupant, size_t one) {
        if (!state.present()) return;
        occupied_[state.at] = occupant;
        present_ += one;
        at_goal_ += state.at_goal() ? one : 0;
    };
    count(agents_[agent], kNoAgent, SIZE_MAX);  // adds -1
    agents_[agent] = now;
    count(now, agent, 1);
}

AgentId Crowd::add(Cell at, Cell goal, uint16_t type) {
    TERRANE_ASSERT(type < types_.size());
    replace_lost_method();
    refresh_snapshot();
    if (agents_.size() >= kMaxAgents || !layout().contains(at) || !layout().contains(goal)) return kNoAgent;
    const CellId cell = layout().id(at);
    if (!grounds_[type].passable(cell) || occupied_[cell] != kNoAgent) return kNoAgent;
    const auto agent = static_cast<AgentId>(agents_.size());
    agents_.emplace_back();
    set_agent(agent, {.at = cell, .goal = layout().id(goal), .type = type});
    notify_method([&] { method_->agent_joined(*this, agent); },
                  [&] {
                      set_agent(agent, {});
                      agents_.pop_back();
                  });
    return agent;
}

void Crowd::rollback_to(AgentId first) {
    if (first >= agents_.size()) return;
    for (AgentId agent = first; agent < agents_.size(); ++agent) set_agent(agent, {});
    agents_.resize(first);
    method_lost_ = true;
}

bool Crowd::remove(AgentId agent) {
    if (agent >= agents_.size() || !agents_[agent].present()) return false;
    replace_lost_method();
    const CrowdAgent before = agents_[agent];
    CrowdAgent now = before;
    now.at = now.goal = kNoCell;
    set_agent(agent, now);
    notify_method([&] { method_->agent_left(*this, agent); }, [&] { set_agent(agent, before); });
    return true;
}

bool Crowd::set_goal(AgentId agent, Cell goal) {
    if (agent >= agents_.size() || !agents_[agent].present() || !layout().contains(goal)) return false;
    replace_lost_method();
    const CrowdAgent before = agents_[agent];
    CrowdAgent now = before;
    now.goals_met += before.at_goal() ? 1 : 0;
    now.goal = layout().id(goal);
    now.idle = 0;
    set_agent(agent, now);
    notify_method([&] { method_->goal_changed(*this, agent); }, [&] { set_agent(agent, before); });
    return true;
}

std::optional<CrowdFault> Crowd::tick() {
    replace_lost_method();
    refresh_snapshot();
    next_.resize(agents_.size());
    for (size_t i = 0; i < agents_.size(); ++i) next_[i] = agents_[i].at;
    notify_method([&] { method_->plan(*this, next_); }, [] {});
    ++tick_;
    const std::optional<CrowdFault> fault = check(next_);
    if (fault) {
        ++faults_;
        return fault;
    }
    for (const CrowdAgent& agent : agents_) {
        if (agent.present()) occupied_[agent.at] = kNoAgent;
    }
    for (AgentId agent = 0; agent < agents_.size(); ++agent) {
        if (agents_[agent].present()) move(agent, next_[agent]);
    }
    return std::nullopt;
}

std::optional<CrowdFault> Crowd::check(std::span<const CellId> next) {
    TERRANE_ASSERT(next.size() == agents_.size());
    std::optional<CrowdFault> fault;
    AgentId checked = 0;
    for (; checked < agents_.size() && !fault; ++checked) {
        if (agents_[checked].present()) fault = check_agent(checked, next);
    }
    for (AgentId agent = 0; agent < checked; ++agent) {
        if (agents_[agent].present() && next[agent] < claimed_.size()) claimed_[next[agent]] = kNoAgent;
    }
    return fault;
}

std::optional<CrowdFault> Crowd::check_agent(AgentId agent, std::span<const CellId> next) {
    const CrowdAgent& state = agents_[agent];
    const CellId to = next[agent];
    const auto fault = [&](CrowdFaultType type, AgentId other) { return CrowdFault{type, agent, other, state.at, to}; };
    if (to >= claimed_.size() || !layout().contains(layout().cell(to)) || !grounds_[state.type].can_step(state.at, to)) {
        return fault(CrowdFaultType::kIllegalMove, kNoAgent);
    }
    if (claimed_[to] != kNoAgent) return fault(CrowdFaultType::kCollision, claimed_[to]);
    claimed_[to] = agent;
    if (to == state.at) return std::nullopt;
    const Cell a = layout().cell(state.at), b = layout().cell(to);
    const auto [one, other] = sides_of(a, b);
    for (const Cell cell : {b, one, other}) {  // where agents stand whose moves may conflict
        const AgentId neighbour = occupied_[layout().id(cell)];
        if (neighbour == kNoAgent || neighbour == agent) continue;
        if (const auto type = moves_conflict(layout(), state.at, to, agents_[neighbour].at, next[neighbour]))
            return fault(*type, neighbour);
    }
    return std::nullopt;
}

void Crowd::refresh_snapshot() {
    WorldSnapshot now = world_->snapshot();
    if (now.version() == snapshot_.version()) return;
    const EditResult edit = edit_between(snapshot_.grid(), now.grid());
    snapshot_ = std::move(now);
    for (Ground& ground : grounds_) ground = ground.on(grid());
    notify_method([&] { method_->world_changed(*this, edit); }, [] {});
}

void Crowd::move(AgentId agent, CellId to) {
    CrowdAgent& state = agents_[agent];
    occupied_[to] = agent;
    const bool was_at_goal = state.at_goal();
    if (was_at_goal && to == state.at) {
        ++state.idle;
        return;
    }
    state.cost += state.idle * types_[state.type].wait + move_cost(state, to);
    state.idle = 0;
    state.at = to;
    if (was_at_goal) --at_goal_;
    if (!state.at_goal()) return;
    ++at_goal_;
    ++arrivals_;
    state.arrived = tick_;
}

Cost Crowd::move_cost(const CrowdAgent& agent, CellId to) const {
    if (to == agent.at) return types_[agent.type].wait;
    const CostTable& costs = types_[agent.type].costs;
    const Cost sum = Cost{costs.hundredths(grid().at(agent.at))} + costs.hundredths(grid().at(to));
    return sum * (is_diagonal(layout().cell(agent.at), layout().cell(to)) ? kDiagonal : kStraight);
}

}  // namespace terrane
