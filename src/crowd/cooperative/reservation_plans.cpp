#include "crowd/cooperative/reservation_plans.h"

#include <algorithm>

namespace terrane::detail {

void ReservationPlans::begin_tick(const Crowd& crowd, bool check_map) {
    now_ = crowd.ticks();
    table_.discard_before(now_);
    plans_.resize(crowd.agents().size());
    parked_.resize(crowd.agents().size());
    for (AgentId agent = 0; agent < plans_.size(); ++agent) {
        if (crowd.agents()[agent].present() && !is_valid(crowd, agent, check_map)) drop(agent);
    }
    for (AgentId agent = 0; agent < plans_.size(); ++agent) {
        if (crowd.agents()[agent].present() && plans_[agent].cells.empty()) set_plan(agent, {crowd.agents()[agent].at}, false);
    }
}

// Whether the agent is where its plan has it and, with `check_map`, whether the map still allows the rest of the plan.
bool ReservationPlans::is_valid(const Crowd& crowd, AgentId agent, bool check_map) const {
    const Plan& plan = plans_[agent];
    if (plan.cells.empty() || position(plan, now_) != crowd.agents()[agent].at) return false;
    if (!check_map) return true;
    for (size_t i = now_ - plan.begin; i + 1 < plan.cells.size(); ++i) {
        if (!crowd.ground_of(agent).can_step(plan.cells[i], plan.cells[i + 1])) return false;
    }
    return true;
}

void ReservationPlans::adopt(AgentId agent, const std::vector<CellId>& cells, bool parks, std::vector<AgentId>& evicted) {
    const auto others = [=](AgentId other) { return other != agent; };
    for (size_t i = 0; i + 1 < cells.size(); ++i) {
        const Tick tick = now_ + static_cast<Tick>(i);
        for (AgentId blocker; (blocker = table_.find_conflict(cells[i], cells[i + 1], tick, others)) != kNoAgent;) evict(blocker, evicted);
    }
    set_plan(agent, cells, parks);
}

void ReservationPlans::set_plan(AgentId agent, const std::vector<CellId>& cells, bool parks) {
    drop(agent);
    Plan& plan = plans_[agent];
    plan.cells = cells;
    plan.begin = now_;
    plan.parks = parks;
    for (size_t i = 0; i < cells.size(); ++i) table_.reserve(agent, cells[i], now_ + static_cast<Tick>(i));
    const Tick end = now_ + static_cast<Tick>(cells.size() - 1);
    horizon_ = std::max(horizon_, end);
    if (!parks) return;
    table_.reserve(agent, cells.back(), ReservationTable::kAlways);
    parked_[agent] = end;
}

void ReservationPlans::hold(AgentId agent, uint32_t ticks, std::vector<AgentId>& evicted) {
    const CellId at = position(plans_[agent], now_);
    const AgentId parks = table_.holder(at, ReservationTable::kAlways);
    if (parks != kNoAgent && parks != agent && parked_[parks] <= now_ + ticks) evict(parks, evicted);
    adopt(agent, std::vector<CellId>(ticks + 1, at), false, evicted);
}

void ReservationPlans::evict(AgentId agent, std::vector<AgentId>& evicted) {
    set_plan(agent, {position(plans_[agent], now_)}, false);
    evicted.push_back(agent);
}

void ReservationPlans::drop(AgentId agent) {
    if (agent >= plans_.size()) return;
    Plan& plan = plans_[agent];
    for (size_t i = now_ - plan.begin; i < plan.cells.size(); ++i) {
        table_.release(agent, plan.cells[i], plan.begin + static_cast<Tick>(i));
    }
    if (plan.parks) table_.release(agent, plan.cells.back(), ReservationTable::kAlways);
    plan.cells.clear();
    plan.parks = false;
}

Tick ReservationPlans::free_from(AgentId agent, CellId cell) const {
    Tick first = now_;
    for (Tick tick = now_; tick <= horizon_; ++tick) {
        const AgentId other = table_.holder(cell, tick);
        if (other != kNoAgent && other != agent) first = tick + 1;
    }
    return first;
}

bool ReservationPlans::parked_by_other(AgentId agent, CellId cell) const {
    const AgentId other = table_.holder(cell, ReservationTable::kAlways);
    return other != kNoAgent && other != agent;
}

size_t ReservationPlans::bytes() const {
    size_t sum = table_.bytes() + plans_.capacity() * sizeof(Plan) + parked_.capacity() * sizeof(Tick);
    for (const Plan& plan : plans_) sum += plan.cells.capacity() * sizeof(CellId);
    return sum;
}

}  // namespace terrane::detail
