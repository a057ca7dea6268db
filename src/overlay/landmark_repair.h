// Repairs the landmark potentials of a portal overlay after an edit.
//
// Potentials stay feasible: |p(a) - p(b)| <= d(a, b) for any two portals a, b of a cluster. Costlier terrain preserves this. Cheaper
// terrain may violate it. Then either the larger potential is lowered, together with those of all portals behind it as seen from the
// landmark, or the smaller one is raised, together with those between it and the landmark. Both restore feasibility and preserve the
// bounds between all other portals. For each landmark, both repairs run in turns and the first to finish is applied: near a landmark half
// the map lies behind an edit, far from it half the map lies before it. Each connected component of touched clusters is repaired by
// itself.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "terrane/overlay/portal_overlay.h"

namespace terrane::detail {

// Returns the potentials of a segment whose portals were selected again: those of portals that stayed, kMaxPotential for new ones.
// Appends the new ones to `new_portals`.
std::shared_ptr<int32_t[]> carry_over_potentials(const OverlayData& data, uint32_t segment, const SegmentRecord& before,
                                                 const SegmentRecord& after, Vector<PortalTable::Key>& new_portals);

// Call after `clusters` were rebuilt with `new_portals`, both ascending. Returns the segments whose potentials changed.
Vector<uint32_t> repair_landmarks(OverlayData& data, std::span<const uint32_t> clusters, std::span<const PortalTable::Key> new_portals);

}  // namespace terrane::detail
