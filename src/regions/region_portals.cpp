#include "regions/region_portals.h"

#include <algorithm>

#include "base/ceil_div.h"
#include "terrane/base/assert.h"

namespace terrane::detail {

RegionPortals::RegionPortals(const GridSnapshot& grid, uint32_t side, Movement movement)
    : grid_(grid),
      side_(side),
      sectors_x_(ceil_div(static_cast<uint32_t>(grid.width()), side)),
      sectors_y_(ceil_div(static_cast<uint32_t>(grid.height()), side)),
      movement_(movement),
      pages_(ceil_div(sectors(), kPageSectors)) {
    TERRANE_ASSERT(side <= kLargestPortalSector && movement != Movement::kCustom);
    for (size_t i = 0; i < pages_.size(); ++i) pages_.set(i, make_scoped_shared<Page>());
}

// A changed cell invalidates the portals of its sector and of the sectors that it touches.
RegionPortals::RegionPortals(const RegionPortals& before, const EditResult& edit)
    : grid_(edit.after),
      side_(before.side_),
      sectors_x_(before.sectors_x_),
      sectors_y_(before.sectors_y_),
      movement_(before.movement_),
      pages_(before.pages_) {
    TERRANE_ASSERT(edit.before.version() == before.grid_.version() && edit.before.same_grid(before.grid_));
    const Rect map = grid_.layout().rect();
    for_each_changed_cell(edit, [&](CellId id, Terrain, Terrain) {
        const Cell c = grid_.layout().cell(id);
        const Rect around = intersection(Rect({c.x - 1, c.y - 1}, {3, 3}), map);
        const uint32_t first = sector_at(around.corner()), last = sector_at({around.right() - 1, around.bottom() - 1});
        for (uint32_t row = first; row <= last; row += sectors_x_) {
            for (uint32_t sector = row; sector <= row + (last - first) % sectors_x_; ++sector) drop(before, sector);
        }
    });
}

void RegionPortals::drop(const RegionPortals& before, uint32_t sector) {
    const uint32_t page = sector >> kPageShift;
    if (pages_[page] == before.pages_[page]) pages_.set(page, make_scoped_shared<Page>(*pages_[page]));
    const SectorPortals* dropped = pages_[page]->sectors[sector & (kPageSectors - 1)].exchange(nullptr, std::memory_order_relaxed);
    if (dropped != nullptr) dropped->remove_owner();
}

Rect RegionPortals::rect(uint32_t sector) const {
    const Cell c = corner(sector);
    const auto side = static_cast<int32_t>(side_);
    return {c, {std::min(side, grid_.width() - c.x), std::min(side, grid_.height() - c.y)}};
}

// Two threads may both find a sector's portals; they are equal, and the first ones stay.
const SectorPortals& RegionPortals::at(uint32_t sector, SectorPortalsBuilder& builder) const {
    std::atomic<const SectorPortals*>& slot = pages_[sector >> kPageShift]->sectors[sector & (kPageSectors - 1)];
    const SectorPortals* known = slot.load(std::memory_order_acquire);
    if (known != nullptr) return *known;
    SectorPortals::Owner built = builder.build(grid_, rect(sector), movement_);
    if (slot.compare_exchange_strong(known, built.get(), std::memory_order_acq_rel)) return *built.release();
    return *known;
}

RegionPortals::Page::Page(const Page& other) {
    for (size_t i = 0; i < kPageSectors; ++i) {
        const SectorPortals* portals = other.sectors[i].load(std::memory_order_acquire);
        if (portals != nullptr) portals->add_owner();
        sectors[i].store(portals, std::memory_order_relaxed);
    }
}

RegionPortals::Page::~Page() {
    for (const auto& slot : sectors) {
        const SectorPortals* portals = slot.load(std::memory_order_relaxed);
        if (portals != nullptr) portals->remove_owner();
    }
}

size_t RegionPortals::bytes() const {
    size_t sum = sizeof(RegionPortals) + pages_.bytes() + pages_.size() * sizeof(Page);
    for (size_t i = 0; i < pages_.size(); ++i) {
        for (const auto& slot : pages_[i]->sectors) {
            const SectorPortals* portals = slot.load(std::memory_order_acquire);
            if (portals != nullptr) sum += portals->bytes();
        }
    }
    return sum;
}

}  // namespace terrane::detail
