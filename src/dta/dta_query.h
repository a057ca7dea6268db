// A query over terrain regions: localise, search regions, refine segment by segment (Sturtevant et al. 2019, 4.1).
#pragma once
#include <optional>
#include <vector>

#include "any_angle/segment_path.h"
#include "dta/refinement_cache.h"
#include "dta/region_search.h"
#include "grid_search/segment_query.h"

namespace terrane {

struct DtaQueryOptions {
    RegionSearchOptions search;  // of regions; what it points to must outlive the query
    Weight refinement = {};      // of cells; above 1: weighted A*
    bool trim = false;           // cuts the end of each refined segment back before the next one is searched
    bool smooth = false;         // the path found is smoothed (smoothing.h)
    bool cache = false;          // refined segments are kept for later queries
    bool bfs = false;            // a cell's region is found by breadth-first search, not by its stored label
};

class DtaQuery : public detail::SectorQuery<DtaQuery, SegmentPath> {
public:
    explicit DtaQuery(size_t cache_bytes) : cache_(cache_bytes) {}

    // Start and goal are on the map, passable and connected; `regions` must outlive the query.
    void begin(const TerrainRegions& regions, const Ground& ground, Cell start, Cell goal, const DtaQueryOptions& options);

    // As Planner::run.
    Status run(uint64_t budget) { return run_segments(budget); }

    uint64_t expansions() const { return region_search_.expansions() + refiner_.expansions() + remembered_; }
    size_t bytes() const;

private:
    friend SegmentQuery;
    friend SectorQuery;
    Status search(uint64_t budget) { return region_search_.run(budget); }
    Rect sector_at(Cell c) const { return regions_->sector_rect(regions_->sector_at(c)); }
    void take_waypoints();
    Status refine(uint64_t budget);
    Status refine_segment(uint64_t budget);

    const TerrainRegions* regions_ = nullptr;
    DtaQueryOptions options_;
    Cell goal_;

    RegionSearch region_search_;
    RefinementCache cache_;

    std::vector<RegionId> route_;
    std::optional<CachedRefinement> known_;  // of this segment; its expansions are those still to be paid for
    uint64_t remembered_ = 0;                // expansions paid for what was in the cache
};

}  // namespace terrane
