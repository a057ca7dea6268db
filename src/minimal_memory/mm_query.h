// A query over a minimal-memory abstraction: localise, search regions, refine edge by edge ("Abstraction in Pathfinding", slides 18 to 32).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "any_angle/segment_path.h"
#include "grid_search/refiner.h"
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

class MmQuery {
public:
    // `memory` must outlive the query.
    void begin(const MinimalMemory& memory, const Ground& ground, Cell start, Cell goal, const MmQueryOptions& options = {});

    // Expands at most `budget` more nodes (regions or cells). kBudgetSpent: call again to go on. Final: kFound, kUnreachable, kOutsideMap,
    // kBlockedStart, kBlockedGoal; kStale where `memory` is for other walls than the profile's.
    Status run(uint64_t budget = kUnlimited);
    // The same, but ends, with kBudgetSpent, when one more edge is refined: the slides' step of planning (the first one searches the
    // regions, too). Steps and runs may alternate, and the answer is the same.
    Status step(uint64_t budget = kUnlimited);

    // As Planner::expansions and Path::expansions_first; those of regions alone.
    uint64_t expansions() const { return search_expansions() + (begun_ ? refiner_.expansions() : 0); }
    uint64_t expansions_first() const { return expansions_first_; }
    size_t cells_first() const { return cells_first_; }  // that were ready then
    uint64_t search_expansions() const { return begun_ ? search_.expansions() : 0; }
    const std::vector<Cell>& cells() const { return path_.cells(); }
    size_t ready() const { return path_.ready(); }  // of them
    // The regions on the way; none until they are searched.
    const std::vector<RegionId>& route() const { return route_; }
    size_t bytes() const;

private:
    Status refuse(Cell start) const;
    Rect sector_at(Cell c) const { return memory_->sector_rect(memory_->sector_at(c)); }
    RegionEnd end_at(Cell c) const;
    void take_waypoints();
    void aim();
    Status run_until(uint64_t budget, size_t segments);
    Status refine(uint64_t budget);
    void finish_segment();

    const MinimalMemory* memory_ = nullptr;
    Ground ground_;
    MmQueryOptions options_;
    Cell goal_;
    Status status_ = Status::kUnreachable;
    bool begun_ = false;  // not refused

    MinimalMemorySearch search_;
    Refiner refiner_;
    SegmentPath path_;

    std::vector<RegionId> route_;
    std::vector<Cell> waypoints_;  // where segments end: centres, then the goal; none until the regions are searched
    size_t next_ = 0;              // of them
    uint64_t expansions_first_ = 0;
    size_t cells_first_ = 0;
};

}  // namespace terrane
