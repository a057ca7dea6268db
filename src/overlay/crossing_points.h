// Moves the crossing points of a path over portals to the best cells of their cluster borders.
//
// Dynamic programming from border to border: the least distance to each cell of a border, over the cells of the border before it. Inside a
// uniform cluster all pairs of cells count, by their distance in closed form. Inside other clusters those pairs count of which at least
// one cell is a portal of its border, by the distances in the cluster's first-move table. The first and the last crossing stay.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/simd8.h"
#include "overlay/cluster_field.h"
#include "overlay/first_move_cache.h"
#include "terrane/base/memory.h"
#include "terrane/overlay/portal_overlay.h"

namespace terrane::detail {

// A point where the path goes from one cluster to the next.
struct PathCrossing {
    PortalId portal;   // at `cell`; kNoPortal if there is none
    uint32_t segment;  // that it crosses
    uint32_t cluster;  // that the path comes from
    Cell cell;
};

// Scratch memory of one search, reused.
class CrossingPoints {
public:
    // Each crossing is at a portal, on a border of its cluster and of the next one's.
    void optimise(const OverlayData& data, FirstMoveCache& first_move_tables, Vector<PathCrossing>& crossings);

    size_t bytes() const { return narrow_.capacity() * sizeof(Row<int16_t>) + wide_.capacity() * sizeof(Row<int32_t>); }

private:
    static constexpr size_t kPadded = (kClusterSide + kLanes - 1) / kLanes * kLanes;
    // Distances by cell of a border: from the first crossing, less the least of them and offset so that numeric_limits<T>::min() is 0 and
    // max() means no path, or one too long for T; or inside a cluster, as unsigned numbers, where all bits set mean no path.
    template <class T>
    using Row = std::array<T, kPadded>;
    template <class T>
    struct Step;

    template <class T>
    bool optimise_as(const OverlayData& data, FirstMoveCache& first_move_tables, Vector<PathCrossing>& crossings, Vector<Row<T>>& rows);

    Vector<Row<int16_t>> narrow_;
    Vector<Row<int32_t>> wide_;  // where 16 bits are too few
};

}  // namespace terrane::detail
