#include "regions/sector_portals.h"

#include <cstring>

namespace terrane::detail {

void SectorPortals::destroy(const SectorPortals* portals) {
    Memory* const memory = portals->memory_;
    const size_t bytes = portals->bytes_;
    portals->~SectorPortals();
    deallocate_to(memory, const_cast<SectorPortals*>(portals), bytes, alignof(SectorPortals));
}

bool SectorPortals::operator==(const SectorPortals& other) const {
    return region_count_ == other.region_count_ && exit_count_ == other.exit_count_ && inside_ == other.inside_ &&
           std::ranges::equal(first_, other.first_) && bytes_ == other.bytes_ &&
           std::memcmp(this + 1, &other + 1, bytes_ - sizeof(SectorPortals)) == 0;
}

}  // namespace terrane::detail
