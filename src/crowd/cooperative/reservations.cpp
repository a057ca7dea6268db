#include "terrane/crowd/reservations.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "terrane/base/assert.h"
#include "terrane/base/rng.h"

namespace terrane {

namespace {

constexpr size_t kFirstSlots = 64;

}  // namespace

ReservationTable::ReservationTable(const GridLayout& layout) : layout_(layout), slots_(kFirstSlots) {}

AgentId ReservationTable::holder(CellId cell, Tick tick) const {
    const Slot& slot = slots_[find(cell, tick)];
    return slot.cell == cell && slot.tick == tick && live(slot) ? slot.agent : kNoAgent;
}

void ReservationTable::reserve(AgentId agent, CellId cell, Tick tick) {
    TERRANE_ASSERT(agent != kNoAgent && cell < layout_.id_limit() && tick >= first_);
    size_t i = find(cell, tick);
    if (slots_[i].cell == kNoCell) {
        if ((used_ + 1) * 2 > slots_.size()) {
            rebuild();
            i = find(cell, tick);
        }
        ++used_;
    }
    TERRANE_ASSERT(holder(cell, tick) == kNoAgent || holder(cell, tick) == agent);
    slots_[i] = {cell, tick, agent};
}

bool ReservationTable::release(AgentId agent, CellId cell, Tick tick) {
    if (agent == kNoAgent || holder(cell, tick) != agent) return false;
    slots_[find(cell, tick)].agent = kNoAgent;
    return true;
}

void ReservationTable::discard_before(Tick tick) {
    TERRANE_ASSERT(tick >= first_);
    first_ = tick;
}

void ReservationTable::clear() {
    slots_.assign(slots_.size(), Slot{});
    used_ = 0;
    first_ = 0;
}

size_t ReservationTable::size() const {
    size_t count = 0;
    for (const Slot& slot : slots_) count += live(slot) ? 1 : 0;
    return count;
}

std::vector<Reservation> ReservationTable::list(Tick first) const {
    std::vector<Reservation> all;
    std::ranges::copy_if(slots_, std::back_inserter(all), [&](const Slot& slot) { return live(slot) && slot.tick >= first; });
    std::ranges::sort(all, {}, [](const Reservation& r) { return std::pair(r.tick, r.cell); });
    return all;
}

size_t ReservationTable::find(CellId cell, Tick tick) const {
    const size_t mask = slots_.size() - 1;
    size_t i = static_cast<size_t>(mix64(uint64_t{tick} << 32 | cell)) & mask;
    while (slots_[i].cell != kNoCell && (slots_[i].cell != cell || slots_[i].tick != tick)) i = (i + 1) & mask;
    return i;
}

// Drops released and expired slots and resizes the table to a load factor of at most 1/4.
void ReservationTable::rebuild() {
    const std::vector<Slot> old = std::move(slots_);
    const Tick first = first_;
    size_t living = 0;
    for (const Slot& slot : old) living += live(slot) ? 1 : 0;
    slots_.assign(std::max(kFirstSlots, std::bit_ceil(4 * (living + 1))), Slot{});
    used_ = living;
    first_ = first;
    for (const Slot& slot : old) {
        if (live(slot)) slots_[find(slot.cell, slot.tick)] = slot;
    }
}

}  // namespace terrane
