// Connects the ends of a path to the top graph of an overlay's levels, and turns a path of that graph into one over portals.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "overlay/first_move_cache.h"
#include "overlay/landmark_portals.h"
#include "overlay/level_cells.h"
#include "terrane/search/best_first.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::detail {

// log2 of the buckets per cheapest straight step. 1 to 6 take the same time on the weighted benchmark maps; -1 expands twice as many
// portals.
inline constexpr uint32_t kBucketBits = 3;

using PortalLabels = PagedLabels<PortalId, uint64_t, LandmarkVia, 64>;
using PortalQueue = LinkedBucketQueue<PortalId, uint64_t>;
using PortalEngine = BestFirst<LandmarkPortals, KnownBound, OneGoal<PortalId>, PortalLabels, PortalQueue>;

// Distances from one end of a path to the borders of the cells around it, bottom up.
class LevelEnd {
public:
    void begin(const OverlayData& data, FirstMoveCache& first_move_tables, Cell end);

    struct CellEnd {
        uint32_t id = kNoCluster;
        Vector<int32_t> distance;  // to each border portal; kMaxPotential: none
    };
    std::span<const CellEnd> cells(uint32_t level) const { return std::span(cells_[level]).first(counts_[level]); }
    const CellEnd* cell(uint32_t level, uint32_t id) const;
    // The path from the end to a border portal of a cell of the top level, portal by portal.
    void descend(const OverlayData& data, const Levels& levels, uint32_t id, uint32_t border, Vector<PortalStep>& out) const;

private:
    struct Leg {
        uint32_t cluster, index;
        int32_t distance;
    };
    void rise(const OverlayData& data, const Levels& levels);
    void take(const Levels& levels, uint32_t level, uint32_t id, uint32_t node, int32_t distance);

    Vector<Leg> legs_;
    std::array<Vector<CellEnd>, kLevels> cells_;  // reused: only the first `counts_` are of this end
    std::array<uint32_t, kLevels> counts_{};
};

// A* over the top graph, then the shortest path over all portals of the borders that its path crosses. Scratch memory, reused.
class LevelSearch {
public:
    void reset() { engine_.reset(); }
    // `data` has levels and must outlive the search.
    void begin(const OverlayData& data, FirstMoveCache& first_move_tables, Cell start, Cell goal);
    // If both ends are in one cell of the top level, sets `clusters` to those of the cell.
    bool shared_cell(Cell start, Rect& clusters) const;

    // Ends the search once no path is shorter than this. Call at most once, before run().
    void set_limit(uint64_t distance);
    // Expands at most `budget` more portals. With a limit, kFound may also mean that no path is shorter.
    Status run(uint64_t budget);
    uint64_t expansions() const { return engine_ ? engine_->expansions() : 0; }
    // Once found: whether its path is shorter than `other`.
    bool is_better_than(uint64_t other) const { return found_ && distance_ < other; }
    // The portals of the path, and the cluster behind the last of them.
    const Vector<PortalStep>& steps(uint32_t& last_cluster);
    size_t bytes() const { return labels_.bytes() + queue_.bytes(); }

private:
    struct Stage {
        uint32_t segment = 0, cell = 0;  // of the top graph; the cell that the path comes from
        uint32_t count = 0;
        Vector<uint64_t> distance;
        Vector<uint32_t> from;  // portal of the stage before
    };
    uint32_t first_on(uint32_t cell, uint32_t segment) const;
    int32_t distance_to(const LevelEnd::CellEnd& end, PortalId id) const;
    void set_last_legs();
    void start_engine();
    void list_stages();
    void optimise();
    void advance(const Stage& before, Stage& stage) const;

    const OverlayData* data_ = nullptr;
    const Levels* levels_ = nullptr;
    Cell goal_;
    LevelEnd start_end_, goal_end_;
    std::array<LastLeg, 4> last_legs_;
    std::array<Vector<uint32_t>, 4> last_distances_;
    uint32_t last_legs_count_ = 0;
    PortalLabels labels_;
    PortalQueue queue_;
    std::optional<PortalBound> bound_;
    std::optional<PortalEngine> engine_;
    bool found_ = false;
    uint64_t distance_ = 0;
    Vector<Stage> stages_;
    size_t stage_count_ = 0;
    uint32_t last_cell_ = 0;
    Vector<uint32_t> chosen_;  // portal of each stage
    Vector<PortalStep> steps_, back_;
};

}  // namespace terrane::detail
