#include "crowd/cooperative/plan_book.h"

#include <algorithm>

namespace terrane::detail {

void PlanBook::begin_tick(const Crowd& crowd, bool check) {
    now_ = crowd.ticks();
    table_.forget_before(now_);
    plans_.resize(crowd.agents().size());
    parked_.resize(crowd.agents().size());
    for (AgentId agent = 0; agent < plans_.size(); ++agent) {
        if (crowd.agents()[agent].present() && !came_true(crowd, agent, check)) drop(agent);
    }
    for (AgentId agent = 0; agent < plans_.size(); ++agent) {
        if (crowd.agents()[agent].present() && plans_[agent].cells.empty()) write(agent, {crowd.agents()[agent].at}, false);
    }
}

// So far, and as far as the map is concerned from now on.
bool PlanBook::came_true(const Crowd& crowd, AgentId agent, bool check) const {
    const Plan& plan = plans_[agent];
    if (plan.cells.empty() || position(plan, now_) != crowd.agents()[agent].at) return false;
    if (!check) return true;
    for (size_t i = now_ - plan.begin; i + 1 < plan.cells.size(); ++i) {
        if (!crowd.ground_of(agent).can_step(plan.cells[i], plan.cells[i + 1])) return false;
    }
    return true;
}

void PlanBook::adopt(AgentId agent, const std::vector<CellId>& cells, bool parks, std::vector<AgentId>& evicted) {
    const auto others = [=](AgentId who) { return who != agent; };
    for (size_t i = 0; i + 1 < cells.size(); ++i) {
        const Tick tick = now_ + static_cast<Tick>(i);
        for (AgentId who; (who = table_.meets(cells[i], cells[i + 1], tick, others)) != kNoAgent;) evict(who, evicted);
    }
    write(agent, cells, parks);
}

void PlanBook::write(AgentId agent, const std::vector<CellId>& cells, bool parks) {
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

void PlanBook::hold(AgentId agent, uint32_t ticks, std::vector<AgentId>& evicted) {
    const CellId at = position(plans_[agent], now_);
    const AgentId parks = table_.holder(at, ReservationTable::kAlways);
    if (parks != kNoAgent && parks != agent && parked_[parks] <= now_ + ticks) evict(parks, evicted);
    adopt(agent, std::vector<CellId>(ticks + 1, at), false, evicted);
}

void PlanBook::evict(AgentId agent, std::vector<AgentId>& evicted) {
    write(agent, {position(plans_[agent], now_)}, false);
    evicted.push_back(agent);
}

void PlanBook::drop(AgentId agent) {
    if (agent >= plans_.size()) return;
    Plan& plan = plans_[agent];
    for (size_t i = now_ - plan.begin; i < plan.cells.size(); ++i) {
        table_.release(agent, plan.cells[i], plan.begin + static_cast<Tick>(i));
    }
    if (plan.parks) table_.release(agent, plan.cells.back(), ReservationTable::kAlways);
    plan.cells.clear();
    plan.parks = false;
}

Tick PlanBook::free_from(AgentId agent, CellId cell) const {
    Tick first = now_;
    for (Tick tick = now_; tick <= horizon_; ++tick) {
        const AgentId other = table_.holder(cell, tick);
        if (other != kNoAgent && other != agent) first = tick + 1;
    }
    return first;
}

bool PlanBook::parked_by_other(AgentId agent, CellId cell) const {
    const AgentId other = table_.holder(cell, ReservationTable::kAlways);
    return other != kNoAgent && other != agent;
}

size_t PlanBook::bytes() const {
    size_t sum = table_.bytes() + plans_.capacity() * sizeof(Plan) + parked_.capacity() * sizeof(Tick);
    for (const Plan& plan : plans_) sum += plan.cells.capacity() * sizeof(CellId);
    return sum;
}

}  // namespace terrane::detail
