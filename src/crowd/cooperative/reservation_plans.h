// The plans of cooperative agents and their reservations, kept consistent: exactly the cells of the plans are reserved.
#pragma once
#include <cstddef>
#include <vector>

#include "terrane/crowd/reservations.h"

namespace terrane::detail {

class ReservationPlans {
public:
    explicit ReservationPlans(const GridLayout& layout) : table_(layout) {}

    // Starts a tick. Drops plans that an agent deviated from and, with `check_map`, plans that the map no longer allows. Every present
    // agent then holds the cell that it stands on.
    void begin_tick(const Crowd& crowd, bool check_map);

    // The next four functions are valid from begin_tick() to the end of the tick.

    // Whether the agent's plan covers the next tick.
    bool has_next(AgentId agent) const { return position(plans_[agent], now_ + 1) != kNoCell; }
    // The planned cell of the next tick, or the agent's current cell if its plan ends now.
    CellId next(AgentId agent) const { return has_next(agent) ? position(plans_[agent], now_ + 1) : position(plans_[agent], now_); }

    // Replaces the agent's plan by `cells`: one per tick, the first where the agent stands now. Conflicting plans of other agents are
    // dropped, and those agents appended to `evicted`. `parks` reserves the last cell forever; no other agent may hold it from then on.
    void adopt(AgentId agent, const std::vector<CellId>& cells, bool parks, std::vector<AgentId>& evicted);
    // Makes the agent wait on its cell for `ticks` ticks, evicting others from it.
    void hold(AgentId agent, uint32_t ticks, std::vector<AgentId>& evicted);

    // Drops the agent's plan and reservations. May be called at any time, also after the agent has left.
    void drop(AgentId agent);

    // The first tick from which no other agent's plan crosses the cell, so that the agent could park there. No agent may be parked there.
    Tick free_from(AgentId agent, CellId cell) const;
    bool parked_by_other(AgentId agent, CellId cell) const;

    const ReservationTable& table() const { return table_; }
    const Tick* parked_since() const { return parked_.data(); }
    size_t bytes() const;

private:
    struct Plan {
        std::vector<CellId> cells;  // one per tick from `begin` on; empty if there is no plan
        Tick begin = 0;
        bool parks = false;
    };

    static CellId position(const Plan& plan, Tick tick) {
        const size_t i = tick - plan.begin;
        if (i < plan.cells.size()) return plan.cells[i];
        return plan.parks ? plan.cells.back() : kNoCell;
    }
    void set_plan(AgentId agent, const std::vector<CellId>& cells, bool parks);
    bool is_valid(const Crowd& crowd, AgentId agent, bool check_map) const;
    void evict(AgentId agent, std::vector<AgentId>& evicted);

    ReservationTable table_;
    std::vector<Plan> plans_;   // by agent
    std::vector<Tick> parked_;  // by agent: first tick of its parking reservation
    Tick now_ = 0;
    Tick horizon_ = 0;  // last tick of any plan
};

}  // namespace terrane::detail
