// Space-time reservation table: a hash table from (cell, tick) to the agent that will be there.
// Based on: Silver 2005 (cooperative pathfinding); abstraction-slides, 67.
//
// Lookup, reservation and release take O(1) on average. Moves have no entries of their own: a move conflicts if another agent holds both
// ends in the opposite direction (a swap), or both ends of the other diagonal of the same four cells. To make this detect all conflicts,
// every agent must also hold the cell that it stands on now.
//
// To change a plan, release the old reservations and make new ones. A slot takes 12 bytes and at most half of the slots are used: 24 to 48
// bytes per reservation, counting expired ones since the table last grew. One thread at a time.
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
    // A separate tick that stands for "from some tick on, forever". Never expires.
    static constexpr Tick kAlways = 0xffffffff;

    explicit ReservationTable(const GridLayout& layout);

    // kNoAgent if the cell is free at `tick`, or `tick` has expired.
    AgentId holder(CellId cell, Tick tick) const;

    // Whether `agent` could move from `from` at `tick` to `to` (or wait, if equal) at tick + 1 without a conflict with other agents.
    bool can_move(AgentId agent, CellId from, CellId to, Tick tick) const {
        return find_conflict(from, to, tick, [=](AgentId other) { return other != agent; }) == kNoAgent;
    }
    // Returns an agent whose reservations conflict with the move, among those for which filter(agent) is true; kNoAgent if there is none.
    template <class Filter>
    AgentId find_conflict(CellId from, CellId to, Tick tick, Filter&& filter) const;

    // The cell must be free or held by the agent, and `tick` must not have expired.
    void reserve(AgentId agent, CellId cell, Tick tick);
    // False if the agent does not hold the cell at `tick`.
    bool release(AgentId agent, CellId cell, Tick tick);
    // Expires all reservations before `tick` in O(1); `tick` must not decrease. Their memory is reused when the table would have to grow.
    void discard_before(Tick tick);
    void clear();

    // Number of reservations. O(slots), as list(): for reports and pictures.
    size_t size() const;
    // All reservations from `first` on, by tick, then by cell; those at kAlways come last.
    std::vector<Reservation> list(Tick first = 0) const;
    size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

private:
    using Slot = Reservation;  // kNoCell: never used; kNoAgent: released

    bool live(const Slot& slot) const { return slot.agent != kNoAgent && slot.tick >= first_; }
    // The slot of a reservation, or the slot to insert it into.
    size_t find(CellId cell, Tick tick) const;
    void rebuild();

    GridLayout layout_;
    std::vector<Slot> slots_;
    size_t used_ = 0;  // slots, including released and expired ones
    Tick first_ = 0;   // reservations before it have expired
};

template <class Filter>
AgentId ReservationTable::find_conflict(CellId from, CellId to, Tick tick, Filter&& filter) const {
    const auto counts = [&](AgentId other) { return other != kNoAgent && filter(other); };
    if (const AgentId other = holder(to, tick + 1); counts(other)) return other;
    if (from == to) return kNoAgent;
    const auto mover = [&](CellId a, CellId b) {  // the agent that moves from a to b
        const AgentId other = holder(a, tick);
        return counts(other) && holder(b, tick + 1) == other ? other : kNoAgent;
    };
    if (const AgentId other = mover(to, from); other != kNoAgent) return other;
    const Cell a = layout_.cell(from), b = layout_.cell(to);
    if (a.x == b.x || a.y == b.y) return kNoAgent;
    const CellId one = layout_.id({a.x, b.y}), two = layout_.id({b.x, a.y});
    const AgentId crossing = mover(one, two);
    return crossing != kNoAgent ? crossing : mover(two, one);
}

}  // namespace terrane
