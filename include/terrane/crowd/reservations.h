// Who will be where, and when: a hash of (cell, tick) to agent.
// Based on: Silver 2005 (cooperative pathfinding); abstraction-slides, 67.
//
// A test, a reservation and a release each take constant time, on average. Moves need no entries of their own: a move is refused where one
// agent has both ends the other way around (a swap), or both ends of the other diagonal of the same four cells. For that to see everyone,
// an agent must hold the cell that it stands on now, not only those that it goes to.
//
// Agents come and go, and change their minds: release what they held, reserve anew. 12 bytes a slot, of which at most half are used: 24 to
// 48 bytes for each reservation, what was forgotten since the table last grew included.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/crowd/crowd.h"

namespace terrane {

struct Reservation {
    CellId cell = kNoCell;
    Tick tick = 0;
    AgentId agent = kNoAgent;

    friend bool operator==(const Reservation&, const Reservation&) = default;
};

class ReservationTable {
public:
    // From some tick on, for ever: a tick of its own, which is never forgotten.
    static constexpr Tick kAlways = 0xffffffff;

    explicit ReservationTable(const GridLayout& layout);

    // kNoAgent: free, or forgotten.
    AgentId holder(CellId cell, Tick tick) const;

    // Whether `agent` could go from one cell at `tick` to another (or the same) at tick + 1: free or its own there, and no one met on the
    // way.
    bool can_move(AgentId agent, CellId from, CellId to, Tick tick) const {
        return meets(from, to, tick, [=](AgentId who) { return who != agent; }) == kNoAgent;
    }
    // The first found of those who hold what the move needs, of all that `counts` says true for; kNoAgent: there is none.
    template <class Counts>
    AgentId meets(CellId from, CellId to, Tick tick, Counts&& counts) const;

    // Reserves a cell that is free or the agent's own, at a tick that was not forgotten.
    void reserve(AgentId agent, CellId cell, Tick tick);
    // False where the agent does not hold it.
    bool release(AgentId agent, CellId cell, Tick tick);
    // Forgets all before `tick`, at once; the memory is used again when the table would have to grow. Only ever forwards.
    void forget_before(Tick tick);
    void clear();

    // Reservations there are. Looks at every slot, as list() does: for reports and pictures.
    size_t size() const;
    // All from `first` on, by tick, then by cell; those for ever come last.
    std::vector<Reservation> list(Tick first = 0) const;
    size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

private:
    using Slot = Reservation;  // without a cell: was never used; without an agent: released

    bool live(const Slot& slot) const { return slot.agent != kNoAgent && slot.tick >= first_; }
    // The slot of a reservation, or that where it would be put.
    size_t find(CellId cell, Tick tick) const;
    void rebuild();

    GridLayout layout_;
    std::vector<Slot> slots_;
    size_t used_ = 0;  // of the slots, dead ones included
    Tick first_ = 0;   // all before is forgotten
};

template <class Counts>
AgentId ReservationTable::meets(CellId from, CellId to, Tick tick, Counts&& counts) const {
    const auto counting = [&](AgentId who) { return who != kNoAgent && counts(who); };
    if (const AgentId who = holder(to, tick + 1); counting(who)) return who;
    if (from == to) return kNoAgent;
    const auto goes = [&](CellId a, CellId b) {  // who goes from one to the other
        const AgentId who = holder(a, tick);
        return counting(who) && holder(b, tick + 1) == who ? who : kNoAgent;
    };
    if (const AgentId who = goes(to, from); who != kNoAgent) return who;
    const Cell a = layout_.cell(from), b = layout_.cell(to);
    if (a.x == b.x || a.y == b.y) return kNoAgent;
    const CellId one = layout_.id({a.x, b.y}), other = layout_.id({b.x, a.y});
    const AgentId who = goes(one, other);
    return who != kNoAgent ? who : goes(other, one);
}

}  // namespace terrane
