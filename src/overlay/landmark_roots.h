// Places the landmarks of a portal overlay as a function of the current map alone, so that repaired overlays equal new ones.
#pragma once
#include <array>
#include <cstdint>

#include "overlay/portal_graph.h"
#include "terrane/overlay/portal_overlay.h"

namespace terrane::detail {

// How well a cluster suits as a landmark. Clusters with a gap in their borders come second: they may be parts of small components.
enum class RootClass : uint8_t { kNoPortal, kSomeBorders, kAllBorders };
RootClass root_class(const OverlayData& data, uint32_t cluster);

// The cluster of each landmark, in which all portals have potential 0; kNoCluster for landmarks past the clusters that have portals.
// Landmark i prefers the i-th of evenly spaced positions along the edge of the map and takes the nearest cluster of the best class that
// no earlier landmark has (ties: the smaller cluster).
LandmarkClusters landmark_roots(const OverlayData& data);

}  // namespace terrane::detail
