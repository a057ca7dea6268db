#include "terrane/crowd/crowd.h"

#include <algorithm>
#include <cstdlib>

#include "base/attempt.h"
#include "terrane/base/assert.h"
#include "terrane/base/memory.h"

namespace terrane {

namespace {

// The other two of the four cells that a diagonal move is across.
struct Sides {
    Cell one, other;
};
Sides sides_of(Cell from, Cell to) { return {{from.x, to.y}, {to.x, from.y}}; }
bool is_diagonal(Cell from, Cell to) { return from.x != to.x && from.y != to.y; }

}  // namespace

CrowdKind::CrowdKind(const CostTable& table) : costs(table) {
    Hundredths cheapest = kMaxTerrainCost;
    for (const uint32_t cost : table.cost) {
        if (cost != 0) cheapest = std::min(cheapest, cost * table.divisor);
    }
    wait = Cost{2} * kStraight * cheapest;
}

const char* to_string(CrowdFaultKind kind) {
    switch (kind) {
        case CrowdFaultKind::kCollision: return "two agents on one cell";
        case CrowdFaultKind::kSwap: return "two agents swap cells";
        case CrowdFaultKind::kCrossing: return "two agents cross on diagonals";
        case CrowdFaultKind::kIllegalMove: break;
    }
    return "an illegal move";
}

std::optional<CrowdFaultKind> moves_meet(const GridLayout& layout, CellId from, CellId to, CellId other_from, CellId other_to) {
    if (from == to || other_from == other_to) return std::nullopt;
    if (from == other_to && to == other_from) return CrowdFaultKind::kSwap;
    const Cell a = layout.cell(from), b = layout.cell(to), c = layout.cell(other_from), d = layout.cell(other_to);
    // The same middle, and not the same cells: the other diagonal.
    if (is_diagonal(a, b) && a.x + b.x == c.x + d.x && a.y + b.y == c.y + d.y) return CrowdFaultKind::kCrossing;
    return std::nullopt;
}

Crowd::Crowd(const World& world, std::vector<CostTable> kinds, std::unique_ptr<CrowdMethod> method, const CrowdOptions& options)
    : world_(&world),
      options_(options),
      snapshot_(world.snapshot()),
      kinds_(kinds.begin(), kinds.end()),
      method_(std::move(method)),
      occupied_(layout().id_limit(), kNoAgent),
      taken_(occupied_) {
    TERRANE_ASSERT(!kinds_.empty() && kinds_.size() <= 0x10000 && method_ != nullptr);
    grounds_.reserve(kinds_.size());
    for (const CrowdKind& kind : kinds_) grounds_.emplace_back(grid(), kind.costs, options_.movement);
}

// Tells the method something; where memory runs out in it, what it was told of is undone.
template <class Tell, class Undo>
void Crowd::tell_method(Tell&& tell, Undo&& undo) {
    detail::attempt(tell, [&] {
        spent_ = true;
        undo();
        detail::no_memory();
    });
}

void Crowd::renew_method() {
    if (!spent_) return;
    std::unique_ptr<CrowdMethod> fresh = method_->fresh();
    if (fresh == nullptr) detail::no_memory();
    method_ = std::move(fresh);
    for (AgentId agent = 0; agent < agents_.size(); ++agent) {
        if (agents_[agent].present()) method_->agent_joined(*this, agent);
    }
    spent_ = false;
}

// In the place of what was known of an agent, and all that follows from it.
void Crowd::put(AgentId agent, const CrowdAgent& now) {
    const auto count = [&](const CrowdAgent& who, AgentId on_its_cell, size_t one) {
        if (!who.present()) return;
        occupied_[who.at] = on_its_cell;
        present_ += one;
        at_goal_ += who.at_goal() ? one : 0;
    };
    count(agents_[agent], kNoAgent, SIZE_MAX);  // one less
    agents_[agent] = now;
    count(now, agent, 1);
}

AgentId Crowd::add(Cell at, Cell goal, uint16_t kind) {
    TERRANE_ASSERT(kind < kinds_.size());
    renew_method();
    look_at_world();
    if (agents_.size() >= kMaxAgents || !layout().contains(at) || !layout().contains(goal)) return kNoAgent;
    const CellId cell = layout().id(at);
    if (!grounds_[kind].passable(cell) || occupied_[cell] != kNoAgent) return kNoAgent;
    const auto agent = static_cast<AgentId>(agents_.size());
    agents_.emplace_back();
    put(agent, {.at = cell, .goal = layout().id(goal), .kind = kind});
    tell_method([&] { method_->agent_joined(*this, agent); },
                [&] {
                    put(agent, {});
                    agents_.pop_back();
                });
    return agent;
}

void Crowd::take_back(AgentId first) {
    if (first >= agents_.size()) return;
    for (AgentId agent = first; agent < agents_.size(); ++agent) put(agent, {});
    agents_.resize(first);
    spent_ = true;
}

bool Crowd::remove(AgentId agent) {
    if (agent >= agents_.size() || !agents_[agent].present()) return false;
    renew_method();
    const CrowdAgent before = agents_[agent];
    CrowdAgent now = before;
    now.at = now.goal = kNoCell;
    put(agent, now);
    tell_method([&] { method_->agent_left(*this, agent); }, [&] { put(agent, before); });
    return true;
}

bool Crowd::set_goal(AgentId agent, Cell goal) {
    if (agent >= agents_.size() || !agents_[agent].present() || !layout().contains(goal)) return false;
    renew_method();
    const CrowdAgent before = agents_[agent];
    CrowdAgent now = before;
    now.goals_met += before.at_goal() ? 1 : 0;
    now.goal = layout().id(goal);
    now.idle = 0;
    put(agent, now);
    tell_method([&] { method_->goal_changed(*this, agent); }, [&] { put(agent, before); });
    return true;
}

std::optional<CrowdFault> Crowd::tick() {
    renew_method();
    look_at_world();
    next_.resize(agents_.size());
    for (size_t i = 0; i < agents_.size(); ++i) next_[i] = agents_[i].at;
    tell_method([&] { method_->plan(*this, next_); }, [] {});
    ++tick_;
    const std::optional<CrowdFault> fault = check(next_);
    if (fault) {
        ++faults_;
        return fault;
    }
    for (const CrowdAgent& who : agents_) {
        if (who.present()) occupied_[who.at] = kNoAgent;
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
        if (agents_[agent].present() && next[agent] < taken_.size()) taken_[next[agent]] = kNoAgent;
    }
    return fault;
}

std::optional<CrowdFault> Crowd::check_agent(AgentId agent, std::span<const CellId> next) {
    const CrowdAgent& who = agents_[agent];
    const CellId to = next[agent];
    const auto fault = [&](CrowdFaultKind kind, AgentId other) { return CrowdFault{kind, agent, other, who.at, to}; };
    if (to >= taken_.size() || !layout().contains(layout().cell(to)) || !grounds_[who.kind].can_step(who.at, to)) {
        return fault(CrowdFaultKind::kIllegalMove, kNoAgent);
    }
    if (taken_[to] != kNoAgent) return fault(CrowdFaultKind::kCollision, taken_[to]);
    taken_[to] = agent;
    if (to == who.at) return std::nullopt;
    const Cell a = layout().cell(who.at), b = layout().cell(to);
    const auto [one, other] = sides_of(a, b);
    for (const Cell cell : {b, one, other}) {  // where someone stands who could be met
        const AgentId met = occupied_[layout().id(cell)];
        if (met == kNoAgent || met == agent) continue;
        if (const auto kind = moves_meet(layout(), who.at, to, agents_[met].at, next[met])) return fault(*kind, met);
    }
    return std::nullopt;
}

void Crowd::look_at_world() {
    WorldSnapshot now = world_->snapshot();
    if (now.version() == snapshot_.version()) return;
    const EditResult edit = edit_between(snapshot_.grid(), now.grid());
    snapshot_ = std::move(now);
    for (Ground& ground : grounds_) ground = ground.on(grid());
    tell_method([&] { method_->world_changed(*this, edit); }, [] {});
}

void Crowd::move(AgentId agent, CellId to) {
    CrowdAgent& who = agents_[agent];
    occupied_[to] = agent;
    const bool was_at_goal = who.at_goal();
    if (was_at_goal && to == who.at) {
        ++who.idle;
        return;
    }
    who.cost += who.idle * kinds_[who.kind].wait + cost_of(who, to);
    who.idle = 0;
    who.at = to;
    if (was_at_goal) --at_goal_;
    if (!who.at_goal()) return;
    ++at_goal_;
    ++arrivals_;
    who.arrived = tick_;
}

Cost Crowd::cost_of(const CrowdAgent& who, CellId to) const {
    if (to == who.at) return kinds_[who.kind].wait;
    const CostTable& costs = kinds_[who.kind].costs;
    const Cost sum = Cost{costs.hundredths(grid().at(who.at))} + costs.hundredths(grid().at(to));
    return sum * (is_diagonal(layout().cell(who.at), layout().cell(to)) ? kDiagonal : kStraight);
}

}  // namespace terrane
