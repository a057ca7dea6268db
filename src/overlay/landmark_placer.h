// Places the landmarks of a portal overlay, and writes down how far every portal is from them.
#pragma once
#include <cstdint>
#include <optional>

#include "overlay/portal_graph.h"
#include "terrane/overlay/portal_overlay.h"
#include "terrane/search/best_first.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::detail {

// In the largest part of the graph: each the farthest portal from those before it (ties: the smallest id), the first the farthest from the
// part's first portal. In slices. Only portals at the edge of the map, or all but 8 or 16 of them: 0 to 7% more expansions on the weighted
// benchmark maps.
class LandmarkPlacer {
public:
    // `root` has its portals and tables, and must outlive this.
    explicit LandmarkPlacer(OverlayRoot& root);

    // Takes what it expands off the budget; true when all are placed.
    bool run(uint64_t budget);
    uint32_t placed() const { return lane_; }
    // Once all are: into the windows' tables.
    void make_coarse();

private:
    using Labels = PagedLabels<PortalId, uint64_t, PortalVia>;
    using Queue = HeapQueue<PortalId, uint64_t>;

    void find_first();
    void flood_from(PortalId id);
    bool flood(uint64_t& budget);
    void take();
    PortalId farthest() const;

    OverlayRoot& root_;
    uint32_t lanes_, lane_ = 0;
    Vector<uint64_t> nearest_;
    bool first_ = true;

    // Distances from one portal to all, by Dijkstra's algorithm.
    Labels labels_;
    Queue queue_;
    std::optional<BestFirst<PortalGraph, ZeroHeuristic, NoGoal, Labels, Queue, NoObserver, ExpandOnce>> search_;
    bool flooding_ = false;
};

}  // namespace terrane::detail
