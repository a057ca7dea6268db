// The plans of cooperative agents, and their reservations, kept together: what a plan says is reserved, and nothing else is.
#pragma once
#include <cstddef>
#include <vector>

#include "terrane/crowd/reservations.h"

namespace terrane::detail {

class PlanBook {
public:
    explicit PlanBook(const GridLayout& layout) : table_(layout) {}

    // At the start of a tick. Plans that did not come true are dropped, and with `check` those that the map no longer allows. From here on
    // everyone holds the cell that it stands on now.
    void begin_tick(const Crowd& crowd, bool check);

    // Only after begin_tick, and until the next tick:

    // Whether the agent knows what to do next.
    bool has_next(AgentId agent) const { return position(plans_[agent], now_ + 1) != kNoCell; }
    // Where it has no plan: where it stands.
    CellId next(AgentId agent) const { return has_next(agent) ? position(plans_[agent], now_ + 1) : position(plans_[agent], now_); }

    // A new plan: a cell a tick, the first where the agent is now. Others whose plans are in its way lose them, and are added to
    // `evicted`. `parks`: it stays on the last cell for ever; nobody may be in its way.
    void adopt(AgentId agent, const std::vector<CellId>& cells, bool parks, std::vector<AgentId>& evicted);
    // The agent stays where it is for some ticks.
    void hold(AgentId agent, uint32_t ticks, std::vector<AgentId>& evicted);

    // At any time: forgets a plan. The agent may be gone.
    void drop(AgentId agent);

    // The first tick from which on nobody else passes over a cell, so that an agent could stay there for ever; nothing else may be parked
    // there.
    Tick free_from(AgentId agent, CellId cell) const;
    bool parked_by_other(AgentId agent, CellId cell) const;

    const ReservationTable& table() const { return table_; }
    const Tick* parked_since() const { return parked_.data(); }
    size_t bytes() const;

private:
    struct Plan {
        std::vector<CellId> cells;  // from `begin` on, one a tick; none: no plan
        Tick begin = 0;
        bool parks = false;
    };

    static CellId position(const Plan& plan, Tick tick) {
        const size_t i = tick - plan.begin;
        if (i < plan.cells.size()) return plan.cells[i];
        return plan.parks ? plan.cells.back() : kNoCell;
    }
    void write(AgentId agent, const std::vector<CellId>& cells, bool parks);
    bool came_true(const Crowd& crowd, AgentId agent, bool check) const;
    void evict(AgentId agent, std::vector<AgentId>& evicted);

    ReservationTable table_;
    std::vector<Plan> plans_;   // by agent
    std::vector<Tick> parked_;  // by agent: since when, where it parks
    Tick now_ = 0;
    Tick horizon_ = 0;  // no plan is longer
};

}  // namespace terrane::detail
