// One tick of a crowd, agent by agent: who goes where, who is pushed, who gives way.
// Based on: Okumura, Machida, Defago, Tamura 2022 (priority inheritance with backtracking).
//
// An agent takes the first of the cells it wishes for that is free. Where another stands there that has not chosen yet, that one chooses
// first, with the cell gone for it; if it finds no other cell, it stays, and the one that pushed tries its next wish. Beyond PIBT, on
// eight neighbours: no two moves cross on the diagonals of the same four cells.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/crowd/crowd.h"

namespace terrane::detail {

// At most all neighbours, and staying.
inline constexpr size_t kMaxWishes = 9;
struct Wishes {
    std::array<CellId, kMaxWishes> cells;
    size_t count = 0;
};

// `Wisher` has
//   CellId first(AgentId):  the cell it would go to if nobody else were there; kNoCell: see rank()
//   void rank(AgentId, Wishes&): all that it can go to, its own cell among them, the best first
// of legal moves only. Reused from tick to tick; nothing is allocated once it has seen the crowd.
template <class Wisher>
class PushStep {
public:
    // Whoever would have to push more than so many, one after another, does not. Bounds the stack: 250 bytes each.
    static constexpr uint32_t kLongestPush = 128;

    // `next` as CrowdMethod::plan has it. All of them must outlive the tick.
    void begin(const Crowd& crowd, std::span<CellId> next, Wisher& wisher) {
        crowd_ = &crowd;
        next_ = next;
        wisher_ = &wisher;
        taken_.resize(crowd.layout().id_limit(), kNoAgent);
        chosen_.assign(next.size(), 0);
    }

    bool chosen(AgentId agent) const { return chosen_[agent] != 0; }

    // It chooses, unless it was pushed before.
    void choose(AgentId agent) {
        if (!chosen(agent)) static_cast<void>(push(agent, 0));
    }

    // Whether a cell can be had in spite of those who have chosen.
    bool free(AgentId agent, CellId to) const {
        if (taken_[to] != kNoAgent) return false;
        const CellId at = at_of(agent);
        if (to == at) return true;
        if (const AgentId other = crowd_->agent_at(to); other != kNoAgent && chosen(other) && next_[other] == at) return false;
        return !crosses(at, to);
    }

    // Without asking.
    void take(AgentId agent, CellId to) {
        chosen_[agent] = 1;
        taken_[to] = agent;
        next_[agent] = to;
    }

    // After all have chosen.
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
        return goes(one, two) || goes(two, one);
    }
    bool goes(CellId from, CellId to) const {
        const AgentId agent = crowd_->agent_at(from);
        return agent != kNoAgent && chosen(agent) && next_[agent] == to;
    }

    // False: it cannot but stay.
    bool push(AgentId agent, uint32_t pushed) {
        chosen_[agent] = 1;
        const CellId first = wisher_->first(agent);
        if (first != kNoCell && go(agent, first, pushed)) return true;
        Wishes wishes;
        wisher_->rank(agent, wishes);
        for (size_t i = 0; i < wishes.count; ++i) {
            if (wishes.cells[i] != first && go(agent, wishes.cells[i], pushed)) return true;
        }
        take(agent, at_of(agent));
        return false;
    }

    bool go(AgentId agent, CellId to, uint32_t pushed) {
        if (!free(agent, to)) return false;
        const AgentId other = crowd_->agent_at(to);
        const bool pushes = other != kNoAgent && !chosen(other);
        if (pushes && pushed == kLongestPush) return false;
        take(agent, to);
        return !pushes || push(other, pushed + 1);
    }

    const Crowd* crowd_ = nullptr;
    std::span<CellId> next_;
    Wisher* wisher_ = nullptr;
    std::vector<AgentId> taken_;   // by cell: who goes there; kNoAgent between ticks
    std::vector<uint8_t> chosen_;  // by agent
};

}  // namespace terrane::detail
