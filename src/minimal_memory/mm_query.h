// A query over a minimal-memory abstraction: localise, search regions, refine edge by edge ("Abstraction in Pathfinding", slides 18 to 32).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "any_angle/segment_path.h"
#include "grid_search/segment_query.h"
#include "minimal_memory/mm_search.h"
#include "terrane/grid/ground.h"

namespace terrane {

// None of them is the slides' simplest form: from the start to its region's centre, from centre to centre, from the last one to the goal.
struct MmQueryOptions {
    Weight refinement = {};  // above 1: weighted A*
    bool trim = false;       // leaves out the first and the last centre; cuts segments back before the next is searched
    bool smooth = false;     // the path found is smoothed (smoothing.h)
    bool stand_in = false;   // start and goal stand in for their regions' centres while regions are searched
};

class MmQuery : public detail::SectorQuery<MmQuery, SegmentPath> {
public:
    // `memory` must outlive the query.
    void begin(const MinimalMemory& memory, const Ground& ground, Cell start, Cell goal, const MmQueryOptions& options = {});

    // Expands at most `budget` more nodes (regions or cells). kBudgetSpent: call again to go on. Final: kFound, kUnreachable, kOutsideMap,
    // kBlockedStart, kBlockedGoal; kStale where `memory` is for other walls than the profile's.
    Status run(uint64_t budget = kUnlimited) { return run_segments(budget); }
    // The same, but ends, with kBudgetSpent, when one more edge is refined: the slides' step of planning (the first one searches the
    // regions, too). Steps and runs may alternate, and the answer is the same.
    Status step(uint64_t budget = kUnlimited) { return run_segments(budget, next_ + 1); }

    // As Planner::expansions; those of regions alone.
    uint64_t expansions() const { return search_expansions() + (begun_ ? refiner_.expansions() : 0); }
    uint64_t search_expansions() const { return begun_ ? search_.expansions() : 0; }
    // The regions on the way; none until they are searched.
    const std::vector<RegionId>& route() const { return route_; }
    size_t bytes() const;

private:
    friend SegmentQuery;
    friend SectorQuery;
    Status search(uint64_t budget) { return search_.run(budget); }
    Status refuse(Cell start) const;
    Rect sector_at(Cell c) const { return memory_->sector_rect(memory_->sector_at(c)); }
    RegionEnd end_at(Cell c) const;
    void take_waypoints();
    Status refine(uint64_t budget);

    const MinimalMemory* memory_ = nullptr;
    Ground ground_;
    MmQueryOptions options_;
    Cell goal_;
    bool begun_ = false;  // not refused

    MinimalMemorySearch search_;

    std::vector<RegionId> route_;
};

}  // namespace terrane
