// PIBT for swarms: chooses the next cells of a crowd by priority inheritance with backtracking.
// Okumura, Machida, Defago, Tamura 2022 (PIBT).
//
// An agent takes the first of its preferred cells that is free. If an agent that has not chosen yet stands there, that agent inherits the
// priority and chooses at once, without that cell. If it has to stay, the first agent backtracks to its next preferred cell. Beyond
// PIBT, with eight neighbours: no two moves cross on the diagonals of the same four cells.
//
// ConstrainedPibt (constrained_pibt.h) is the other PIBT: with constraints and swaps, on spots and goal fields, for LaCAM and the method
// `pibt`. Both exist because the agents of a swarm follow routes and have neither spots nor goal fields.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/crowd/crowd.h"

namespace terrane::detail {

// All neighbours and the agent's own cell.
inline constexpr size_t kMaxPreferredCells = 9;
struct PreferredCells {
    std::array<CellId, kMaxPreferredCells> cells;
    size_t count = 0;
};

// Call begin(), choose() for each agent by descending priority, then end(). `Preferences` has
//   CellId first_choice(AgentId)                       the best cell; kNoCell: unknown, rank_candidates() decides
//   void rank_candidates(AgentId, PreferredCells&)     all cells that the agent may go to, its own included, best first
// and proposes legal moves only. Reusable; allocates nothing once it has seen a crowd of the same size. One thread at a time.
template <class Preferences>
class PibtStep {
public:
    // The longest chain of priority inheritance. Bounds the stack: 250 bytes per level.
    static constexpr uint32_t kMaxInheritanceDepth = 128;

    // `next` as in CrowdMethod::plan(). All arguments must live until end().
    void begin(const Crowd& crowd, std::span<CellId> next, Preferences& preferences) {
        crowd_ = &crowd;
        next_ = next;
        preferences_ = &preferences;
        taken_.resize(crowd.layout().id_limit(), kNoAgent);
        chosen_.assign(next.size(), 0);
    }

    bool chosen(AgentId agent) const { return chosen_[agent] != 0; }

    // Chooses the agent's next cell, unless it has chosen by priority inheritance.
    void choose(AgentId agent) {
        if (!chosen(agent)) static_cast<void>(inherit(agent, 0));
    }

    // Whether a move conflicts with no agent that has chosen.
    bool free(AgentId agent, CellId to) const {
        if (taken_[to] != kNoAgent) return false;
        const CellId at = at_of(agent);
        if (to == at) return true;
        if (const AgentId other = crowd_->agent_at(to); other != kNoAgent && chosen(other) && next_[other] == at) return false;
        return !crosses(at, to);
    }

    // Fixes the agent's next cell without checks.
    void take(AgentId agent, CellId to) {
        chosen_[agent] = 1;
        taken_[to] = agent;
        next_[agent] = to;
    }

    // Call after all agents have chosen.
    void end() {
        for (const CellId cell : next_) {
            if (cell != kNoCell) taken_[cell] = kNoAgent;
        }
    }

    size_t bytes() const { return taken_.capacity() * sizeof(AgentId) + chosen_.capacity(); }

private:
    CellId at_of(AgentId agent) const { return crowd_->agents()[agent].at; }

    bool crosses(CellId from, CellId to) const {
        const GridLayout& layout = crowd_->layout();
        const Cell a = layout.cell(from), b = layout.cell(to);
        if (a.x == b.x || a.y == b.y) return false;
        const CellId one = layout.id({a.x, b.y}), two = layout.id({b.x, a.y});
        return moves_between(one, two) || moves_between(two, one);
    }
    bool moves_between(CellId from, CellId to) const {
        const AgentId agent = crowd_->agent_at(from);
        return agent != kNoAgent && chosen(agent) && next_[agent] == to;
    }

    // Tries the agent's preferred cells in order. False: the agent has to stay.
    bool inherit(AgentId agent, uint32_t depth) {
        chosen_[agent] = 1;
        const CellId first = preferences_->first_choice(agent);
        if (first != kNoCell && try_cell(agent, first, depth)) return true;
        PreferredCells candidates;
        preferences_->rank_candidates(agent, candidates);
        for (size_t i = 0; i < candidates.count; ++i) {
            if (candidates.cells[i] != first && try_cell(agent, candidates.cells[i], depth)) return true;
        }
        take(agent, at_of(agent));
        return false;
    }

    bool try_cell(AgentId agent, CellId to, uint32_t depth) {
        if (!free(agent, to)) return false;
        const AgentId other = crowd_->agent_at(to);
        const bool inherits = other != kNoAgent && !chosen(other);
        if (inherits && depth == kMaxInheritanceDepth) return false;
        take(agent, to);
        return !inherits || inherit(other, depth + 1);
    }

    const Crowd* crowd_ = nullptr;
    std::span<CellId> next_;
    Preferences* preferences_ = nullptr;
    std::vector<AgentId> taken_;   // by cell: the agent that goes there; kNoAgent between ticks
    std::vector<uint8_t> chosen_;  // by agent
};

}  // namespace terrane::detail
