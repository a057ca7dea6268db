// A query over terrain regions: localise, search regions, refine segment by segment (Sturtevant et al. 2019, 4.1).
#pragma once
#include <optional>
#include <vector>

#include "any_angle/segment_path.h"
#include "dta/refinement_cache.h"
#include "dta/region_search.h"
#include "grid_search/refiner.h"
#include "terrane/world/planner.h"

namespace terrane {

class DtaQuery {
public:
    explicit DtaQuery(size_t cache_bytes) : cache_(cache_bytes) {}

    // Start and goal are on the map, passable and joined; `regions` and what `options` points to must outlive the query.
    void begin(const TerrainRegions& regions, const Ground& ground, Cell start, Cell goal, const FindOptions& options);

    // As Planner::run.
    Status run(uint64_t budget);

    uint64_t expansions() const { return region_search_.expansions() + refiner_.expansions() + remembered_; }
    uint64_t expansions_first() const { return expansions_first_; }
    size_t cells_first() const { return cells_first_; }  // that were ready then
    const std::vector<Cell>& cells() const { return path_.cells(); }
    size_t ready() const { return path_.ready(); }  // of them
    size_t bytes() const;

private:
    Rect sector_at(Cell c) const { return regions_->sector_rect(regions_->sector_at(c)); }
    void take_waypoints();
    void aim();
    Status refine(uint64_t budget);
    Status refine_segment(uint64_t budget);
    void finish_segment();

    const TerrainRegions* regions_ = nullptr;
    Method method_;
    Cell goal_;
    Status status_ = Status::kUnreachable;

    RegionSearch region_search_;
    Refiner refiner_;
    RefinementCache cache_;
    SegmentPath path_;

    std::vector<RegionId> route_;
    std::vector<Cell> waypoints_;  // where segments end: representatives, then the goal; none until the regions are searched
    size_t next_ = 0;              // of them
    uint64_t expansions_first_ = 0;
    size_t cells_first_ = 0;
    std::optional<CachedRefinement> known_;  // of this segment; its expansions are those still to be paid for
    uint64_t remembered_ = 0;                // expansions paid for what was in the cache
};

}  // namespace terrane
