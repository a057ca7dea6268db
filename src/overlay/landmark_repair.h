// Keeps the landmarks of a portal overlay right after an edit.
//
// What a search needs of landmarks is that no two portals of a window have numbers farther apart than their distance. Ground that got
// dearer leaves them so. Where it got cheaper, two portals may be too far apart, and either the greater number is lowered, and with it
// those of all that lies behind, seen from the landmark; or the lesser one is raised, and with it those of what lies between it and the
// landmark. Both keep the promise, and bounds between all others as they are; so for each landmark both are begun, in turns, and the one
// that is done first is taken: behind an edit near a landmark lies half the map, and before one far from it. Each place that an edit
// touched is seen to by itself.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "terrane/overlay/portal_overlay.h"

namespace terrane::detail {

// The numbers of a line whose portals were picked anew: those of portals that stayed; kMaxPotential for others, which are added to `fresh`.
std::shared_ptr<int32_t[]> carry_over(const OverlayRoot& root, uint32_t segment, const SegmentRecord& before, const SegmentRecord& after,
                                      Vector<PortalTable::Name>& fresh);

// After these windows were made anew, and these portals picked; both ascending. Returns the lines with other numbers than before.
Vector<uint32_t> repair_landmarks(OverlayRoot& root, std::span<const uint32_t> windows, std::span<const PortalTable::Name> fresh);

}  // namespace terrane::detail
