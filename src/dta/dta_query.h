// Query of Dynamic Terrain Abstraction: localise start and goal in regions, search the region graph, refine segment by segment
// (Sturtevant et al. 2019, 4.1).
#pragma once
#include <optional>
#include <vector>

#include "any_angle/segment_path.h"
#include "dta/refinement_cache.h"
#include "dta/region_search.h"
#include "grid_search/segment_query.h"

namespace terrane {

struct DtaQueryOptions {
    RegionSearchOptions search;  // of the region graph; the tables that it points to must outlive the query
    Weight refinement = {};      // above 1: refine with weighted A*
    bool trim = false;           // cut back the end of each refined segment before the next one is searched
    bool smooth = false;         // smooth the path (smoothing.h)
    bool cache = false;          // cache refined segments for later queries
    bool bfs = false;            // find a cell's region by breadth-first search, not by its stored label
};

class DtaQuery : public detail::SectorQuery<DtaQuery, SegmentPath> {
public:
    explicit DtaQuery(size_t cache_bytes) : cache_(cache_bytes) {}

    // Start and goal must be on the map, passable and connected; `regions` must outlive the query.
    void begin(const TerrainRegions& regions, const Ground& ground, Cell start, Cell goal, const DtaQueryOptions& options);

    // As Planner::run.
    Status run(uint64_t budget) { return run_segments(budget); }

    uint64_t expansions() const { return region_search_.expansions() + refiner_.expansions() + cached_expansions_; }
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
    std::optional<CachedRefinement> cached_;  // of this segment; `expansions` counts down while they are charged to the budget
    uint64_t cached_expansions_ = 0;          // charged for cached segments
};

}  // namespace terrane
