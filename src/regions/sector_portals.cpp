#include "regions/sector_portals.h"

namespace terrane::detail {

void SectorPortals::destroy(const SectorPortals* portals) {
    Memory* const memory = portals->memory_;
    const size_t bytes = portals->bytes_;
    portals->~SectorPortals();
    deallocate_to(memory, const_cast<SectorPortals*>(portals), bytes, alignof(SectorPortals));
}

}  // namespace terrane::detail
