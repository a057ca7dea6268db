#include "dta/dta_query.h"

#include <algorithm>

namespace terrane {

void DtaQuery::begin(const TerrainRegions& regions, const Ground& ground, Cell start, Cell goal, const DtaQueryOptions& options) {
    regions_ = &regions;
    options_ = options;
    goal_ = goal;
    begin_query();
    path_.begin(ground, start, options_.trim, options_.smooth);
    known_.reset();
    remembered_ = 0;
    const auto localise = [&](Cell c) {
        const RegionId searched = options_.bfs ? regions.search_region_of(c) : kNoRegion;
        return searched != kNoRegion ? searched : regions.region_of(c);
    };
    region_search_.begin(regions, ground, localise(start), localise(goal), options_.search);
    refiner_.begin(ground, options_.refinement);
}

// Representatives of all regions on the way but the first and the last, which start and goal stand in for.
void DtaQuery::take_waypoints() {
    region_search_.path(route_);
    for (size_t i = 1; i + 1 < route_.size(); ++i) waypoints_.push_back(regions_->region(route_[i]).representative());
    waypoints_.push_back(goal_);
    aim();
}

Status DtaQuery::refine(uint64_t budget) {
    const Status refined = refine_segment(budget);
    if (refined != Status::kFound) return refined;
    known_.reset();
    return finish_segment();
}

// Appends the segment's cells. What is known from before is paid for as if it were searched again, so that a budget gives the same
// answers whatever is cached.
Status DtaQuery::refine_segment(uint64_t budget) {
    if (options_.cache && !known_) known_ = cache_.find(refiner_, path_.cells());
    if (known_) {
        const uint64_t paid = std::min(budget, known_->expansions);
        known_->expansions -= paid;
        remembered_ += paid;
        return paid == budget ? Status::kBudgetSpent : known_->status;
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
