// The distances from the landmarks of a portal overlay to all of its portals, computed for a new overlay and repaired after an edit.
// Based on: Ramalingam, Reps 1996 (dynamic shortest paths): only portals whose distance changes are visited, and their neighbours.
//
// Distances are exact, so a repaired overlay has the potentials of a new one. A leg of length zero, between portals in one cell, counts as
// one unit: each portal outside of the landmark then has a neighbour with a smaller distance that explains its own.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "overlay/portal_graph.h"
#include "terrane/overlay/portal_overlay.h"
#include "terrane/search/heap_queue.h"

namespace terrane::detail {

// Returns the potentials of a segment whose portals were selected again: those of portals that stayed, kMaxPotential for new ones.
std::shared_ptr<int32_t[]> carry_over_potentials(const OverlayData& data, uint32_t segment, const SegmentRecord& before,
                                                 const SegmentRecord& after);

// Computes all potentials of a new overlay, in slices.
class LandmarkBuild {
public:
    // `data` has its portals and tables, and must outlive this.
    explicit LandmarkBuild(OverlayData& data);
    ~LandmarkBuild();

    // Settles at most `budget` more portals. Returns true when the potentials of all landmarks are computed.
    bool run(uint64_t budget);
    uint32_t finished() const { return landmark_; }
    // Writes the coarse potentials into the clusters' tables. Call once, after run() returned true.
    void make_coarse();

private:
    OverlayData& data_;
    uint32_t landmark_ = 0;
    std::unique_ptr<class DistanceRepair> distances_;
};

// Repairs potentials after `touched` clusters, ascending, were rebuilt, and the coarse potentials of all clusters where they changed.
// `segments` are those whose portals were selected again, and `before` is the overlay before the edit.
void repair_landmarks(OverlayData& data, const OverlayData& before, std::span<const uint32_t> touched, std::span<const uint32_t> segments);

}  // namespace terrane::detail
