// A query over a portal overlay, up a ladder of better and better answers: the way over portals, with crossings moved along their lines,
// the cheapest way near that, the cheapest of all; and how far from that each may be, proven.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/any_angle/smoothing.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/overlay/portal_search.h"
#include "terrane/world/prepared.h"

namespace terrane {

// Scratch and state of one query at a time: one per thread, reused. After warm-up nothing is allocated.
class OverlayQuery {
public:
    // Start and goal are on the map, passable and joined; `prepared` has an overlay, and must outlive the query. It climbs to the rung that
    // `method` names; from there on, while `bound` (0: none is asked for) is not proven, to the next.
    void begin(const PreparedMethod& prepared, Cell start, Cell goal, const Method& method, double bound);

    // As Planner::run.
    Status run(uint64_t budget);
    // No more is to be spent: the best answer so far is final. kBudgetSpent where there is none yet.
    Status settle();

    uint64_t expansions() const { return portals_.expansions() + (rung_ == Rung::kOptimal ? optimal_.expansions() : 0); }
    uint64_t expansions_first() const { return expansions_first_; }
    size_t cells_first() const { return cells().size(); }  // one piece
    const std::vector<Cell>& cells() const { return done_ ? cells_ : portals_.cells(); }
    size_t ready() const { return improves_ || done_ || is_short() ? 0 : portals_.cells().size(); }  // of them, before it is found
    // When found.
    Cost cost() const { return cost_; }
    double bound() const;
    size_t bytes() const;

private:
    enum class Rung : uint8_t { kPortals, kCrossings, kCorridor, kOptimal };

    void climb();
    bool proven() const;
    bool is_short() const;

    const PreparedMethod* prepared_ = nullptr;
    Cell start_, goal_;
    Rung asked_ = Rung::kCrossings;
    Rung rung_ = Rung::kPortals;  // kPortals, kCrossings; kOptimal while that is searched, and then
    double bound_ = 0;
    bool improves_ = false;  // what the portals gave may still change
    bool done_ = false;
    Status status_ = Status::kUnreachable;

    PortalSearch portals_;
    GridSearch optimal_;
    SmoothingScratch smoothing_;
    std::vector<Cell> cells_;
    Path path_;  // of the optimal rung
    Cost cost_ = 0;
    Cost least_ = 0;  // no way costs less
    uint64_t expansions_first_ = 0;
};

}  // namespace terrane
