// Queries a portal overlay at increasing quality levels: the path over portals, the same with optimised crossing points, smoothed,
// optimal; with a proven bound on the suboptimality of the answer.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/any_angle/smoothing.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/overlay/portal_search.h"
#include "terrane/overlay/prepared_overlay.h"

namespace terrane {

enum class OverlayQuality : uint8_t { kPortals, kCrossings, kSmooth, kOptimal };

// Scratch memory and state of one query at a time, reused; allocates nothing after warm-up. One thread at a time.
class OverlayQuery {
public:
    // Start and goal are on the map, passable and connected; `data` must outlive the query. The query escalates to `quality`, and further
    // until `bound` is proven (0: no bound requested).
    void begin(const PreparedOverlay& data, Cell start, Cell goal, OverlayQuality quality, double bound);

    // As Planner::run.
    Status run(uint64_t budget);
    // Makes the best path so far the final answer. Returns kBudgetSpent if there is none yet.
    Status finish_early();

    uint64_t expansions() const { return portals_.expansions() + (searches_with_bounds() ? optimal_.expansions() : 0); }
    uint64_t expansions_first() const { return expansions_first_; }
    size_t cells_first() const { return cells().size(); }  // the path is found in one piece
    const std::vector<Cell>& cells() const { return portals_done_ ? cells_ : portals_.cells(); }
    // Length of the final prefix of cells() before the path is found.
    size_t ready() const { return may_improve_ || portals_done_ || is_short() ? 0 : portals_.cells().size(); }
    // When found.
    Cost cost() const { return cost_; }
    double bound() const;
    size_t bytes() const;

private:
    void escalate();
    void smooth();
    bool improve(uint64_t budget);
    bool searches_with_bounds() const { return level_ == OverlayQuality::kOptimal && uses_bounds_; }
    bool proven() const;
    bool is_short() const;

    const PreparedOverlay* data_ = nullptr;
    Cell start_, goal_;
    OverlayQuality requested_ = OverlayQuality::kCrossings;
    OverlayQuality level_ = OverlayQuality::kPortals;  // of the portal search; kOptimal once the search for the optimum has begun
    double bound_ = 0;
    bool uses_bounds_ = false;   // the search for the optimum uses the lower-bound table
    bool may_improve_ = false;   // a later level may replace the path of the portal search
    bool portals_done_ = false;  // cells_ holds the path of the portal search or better
    Status status_ = Status::kUnreachable;

    PortalSearch portals_;
    GridSearch optimal_;
    SmoothingScratch smoothing_;
    std::vector<Cell> cells_;
    Path path_;  // of the search for the optimum
    Cost cost_ = 0;
    Cost lower_bound_ = 0;  // of the cost of any path
    uint64_t expansions_first_ = 0;
};

}  // namespace terrane
