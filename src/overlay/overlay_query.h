// A query over a portal overlay, at rising quality levels: the path over portals, with crossing points optimised along cluster borders, the
// cheapest path near that, the optimum; and a proven bound on the suboptimality of each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/any_angle/smoothing.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/overlay/overlay_data.h"
#include "terrane/overlay/portal_search.h"

namespace terrane {

enum class OverlayQuality : uint8_t { kPortals, kCrossings, kCorridor, kOptimal };

// Scratch and state of one query at a time: one per thread, reused. After warm-up nothing is allocated.
class OverlayQuery {
public:
    // Start and goal are on the map, passable and connected; `data` must outlive the query. It escalates to `quality`, and from there on
    // while `bound` (0: none is asked for) is not proven.
    void begin(const OverlayData& data, Cell start, Cell goal, OverlayQuality quality, double bound);

    // As Planner::run.
    Status run(uint64_t budget);
    // No more is to be spent: the best answer so far is final. kBudgetSpent where there is none yet.
    Status finish_early();

    uint64_t expansions() const { return portals_.expansions() + (level_ == OverlayQuality::kOptimal ? optimal_.expansions() : 0); }
    uint64_t expansions_first() const { return expansions_first_; }
    size_t cells_first() const { return cells().size(); }  // one piece
    const std::vector<Cell>& cells() const { return done_ ? cells_ : portals_.cells(); }
    size_t ready() const { return improves_ || done_ || is_short() ? 0 : portals_.cells().size(); }  // of them, before it is found
    // When found.
    Cost cost() const { return cost_; }
    double bound() const;
    size_t bytes() const;

private:
    void escalate();
    bool proven() const;
    bool is_short() const;

    const OverlayData* data_ = nullptr;
    Cell start_, goal_;
    OverlayQuality asked_ = OverlayQuality::kCrossings;
    OverlayQuality level_ = OverlayQuality::kPortals;  // kPortals, kCrossings; kOptimal while that is searched, and then
    double bound_ = 0;
    bool improves_ = false;  // what the portals gave may still change
    bool done_ = false;
    Status status_ = Status::kUnreachable;

    PortalSearch portals_;
    GridSearch optimal_;
    SmoothingScratch smoothing_;
    std::vector<Cell> cells_;
    Path path_;  // of the optimal level
    Cost cost_ = 0;
    Cost least_ = 0;  // no path costs less
    uint64_t expansions_first_ = 0;
};

}  // namespace terrane
