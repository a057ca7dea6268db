// A query over a minimal-memory abstraction: localises start and goal, searches the regions, and refines edge by edge ("Abstraction in
// Pathfinding", slides 18 to 32).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "any_angle/segment_path.h"
#include "grid_search/segment_query.h"
#include "minimal_memory/minimal_memory_search.h"
#include "terrane/grid/ground.h"

namespace terrane {

// The defaults give the slides' simplest form: from the start to its region's centre, from centre to centre, and from the last to the goal.
struct MinimalMemoryQueryOptions {
    Weight refinement = {};  // above 1: refine with weighted A*
    bool trim = false;       // omit the first and the last centre; cut each segment back before the next is searched
    bool smooth = false;     // smooth the found path (smoothing.h)
    bool stand_in = false;   // the region search uses start and goal instead of their regions' centres
};

class MinimalMemoryQuery : public detail::SectorQuery<MinimalMemoryQuery, SegmentPath> {
public:
    // `memory` must outlive the query.
    void begin(const MinimalMemory& memory, const Ground& ground, Cell start, Cell goal, const MinimalMemoryQueryOptions& options = {});

    // Expands at most `budget` more nodes (regions or cells). Returns kBudgetSpent if it must be called again, else kFound, kUnreachable,
    // kOutsideMap, kBlockedStart or kBlockedGoal; kStale if `memory` is not valid for the profile and version of the ground.
    Status run(uint64_t budget = kUnlimited) { return run_segments(budget); }
    // The same, but also returns kBudgetSpent after refining one more edge: the slides' planning step (the first one also searches the
    // regions). You may mix steps and runs; the answer is the same.
    Status step(uint64_t budget = kUnlimited) { return run_segments(budget, next_ + 1); }

    // Expansions of regions and cells, like Planner::expansions(); and of regions alone.
    uint64_t expansions() const { return search_expansions() + (begun_ ? refiner_.expansions() : 0); }
    uint64_t search_expansions() const { return begun_ ? search_.expansions() : 0; }
    // The regions of the path; empty until the region search is finished.
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
    MinimalMemoryQueryOptions options_;
    Cell goal_;
    bool begun_ = false;  // the endpoints were valid

    MinimalMemorySearch search_;

    std::vector<RegionId> route_;
};

}  // namespace terrane
