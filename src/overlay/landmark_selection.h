// Selects the landmarks of a portal overlay and stores the distance of every portal to each of them.
#pragma once
#include <cstdint>
#include <optional>

#include "overlay/portal_graph.h"
#include "terrane/overlay/portal_overlay.h"
#include "terrane/search/best_first.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::detail {

// Farthest-point selection in the largest connected component, in slices: each landmark is the portal farthest from all earlier ones
// (ties: the smallest id). The first is the farthest from the component's first portal.
class LandmarkSelection {
public:
    // `data` has its portals and tables, and must outlive this.
    explicit LandmarkSelection(OverlayData& data);

    // Expands at most `budget` more portals. Returns true when all landmarks are selected.
    bool run(uint64_t budget);
    uint32_t selected() const { return landmark_; }
    // Writes the coarse potentials into the clusters' tables. Call once, after run() returned true.
    void make_coarse();

private:
    using Labels = PagedLabels<PortalId, uint64_t, PortalVia>;
    using Queue = HeapQueue<PortalId, uint64_t>;

    void find_seed();
    void flood_from(PortalId id);
    bool flood(uint64_t& budget);
    void take_distances();
    PortalId farthest() const;

    OverlayData& data_;
    uint32_t landmarks_, landmark_ = 0;
    Vector<uint64_t> nearest_distance_;  // of each portal to its nearest landmark so far
    bool from_seed_ = true;              // the current flood starts at the component's first portal, not at a landmark

    // Dijkstra's algorithm from one portal to all.
    Labels labels_;
    Queue queue_;
    std::optional<BestFirst<PortalGraph, ZeroHeuristic, NoGoal, Labels, Queue, NoObserver, ExpandOnce>> search_;
    bool flooding_ = false;
};

}  // namespace terrane::detail
