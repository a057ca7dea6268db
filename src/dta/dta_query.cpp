#include "dta/dta_query.h"

#include <algorithm>

namespace terrane {

void DtaQuery::begin(const TerrainRegions& regions, const Ground& ground, Cell start, Cell goal, const DtaQueryOptions& options) {
    regions_ = &regions;
    options_ = options;
    goal_ = goal;
    begin_query();
    path_.begin(ground, start, options_.trim, options_.smooth);
    cached_.reset();
    cached_expansions_ = 0;
    const auto localise = [&](Cell c) {
        const RegionId searched = options_.bfs ? regions.search_region_of(c) : kNoRegion;
        return searched != kNoRegion ? searched : regions.region_of(c);
    };
    region_search_.begin(regions, ground, localise(start), localise(goal), options_.search);
    refiner_.begin(ground, options_.refinement);
}

// Waypoints are the representatives of all regions of the path, except the first and the last: start and goal replace those.
void DtaQuery::take_waypoints() {
    region_search_.path(route_);
    for (size_t i = 1; i + 1 < route_.size(); ++i) waypoints_.push_back(regions_->region(route_[i]).representative());
    waypoints_.push_back(goal_);
    begin_next_segment();
}

Status DtaQuery::refine(uint64_t budget) {
    const Status refined = refine_segment(budget);
    if (refined != Status::kFound) return refined;
    cached_.reset();
    return finish_segment();
}

// Appends the segment's cells. A cached segment charges its expansions to the budget as if it were searched, so that the results of a
// budget do not depend on the cache.
Status DtaQuery::refine_segment(uint64_t budget) {
    if (options_.cache && !cached_) cached_ = cache_.find(refiner_, path_.cells());
    if (cached_) {
        const uint64_t paid = std::min(budget, cached_->expansions);
        cached_->expansions -= paid;
        cached_expansions_ += paid;
        return paid == budget ? Status::kBudgetSpent : cached_->status;
    }
    const Status refined = refiner_.run(budget);
    if (refined == Status::kFound) refiner_.append_to(path_.cells());
    if (options_.cache) cache_.put(refiner_);
    return refined;
}

size_t DtaQuery::bytes() const {
    return bytes_of_query() + region_search_.bytes() + cache_.bytes() + path_.bytes() + route_.capacity() * sizeof(RegionId);
}

}  // namespace terrane
