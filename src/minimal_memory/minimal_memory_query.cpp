#include "minimal_memory/minimal_memory_query.h"

#include <algorithm>
#include <cstdint>

namespace terrane {

void MinimalMemoryQuery::begin(const MinimalMemory& memory, const Ground& ground, Cell start, Cell goal,
                               const MinimalMemoryQueryOptions& options) {
    memory_ = &memory;
    ground_ = ground;
    options_ = options;
    goal_ = goal;
    path_.clear();
    route_.clear();
    begin_query();
    status_ = refuse(start);
    begun_ = status_ == Status::kBudgetSpent;
    if (!begun_) return;
    path_.begin(ground, start, options.trim, options.smooth);
    search_.begin(memory, ground.movement(), end_at(start), end_at(goal));
    refiner_.begin(ground, options.refinement);
}

// Validates the endpoints; kBudgetSpent means that the search may start.
Status MinimalMemoryQuery::refuse(Cell start) const {
    if (!memory_->valid_for(ground_)) return Status::kStale;
    const Status ends = ground_.check_ends(start, goal_);
    return ends == Status::kFound ? Status::kBudgetSpent : ends;
}

RegionEnd MinimalMemoryQuery::end_at(Cell c) const {
    const RegionId region = memory_->region_of(c);
    return {region, options_.stand_in ? c : memory_->centre(region)};
}

// The waypoints are the regions' centres; none within a single region.
void MinimalMemoryQuery::take_waypoints() {
    search_.path(route_);
    const size_t skipped = options_.trim || route_.size() == 1 ? 1 : 0;
    for (size_t i = skipped; i + skipped < route_.size(); ++i) waypoints_.push_back(memory_->centre(route_[i]));
    waypoints_.push_back(goal_);
    begin_next_segment();
}

Status MinimalMemoryQuery::refine(uint64_t budget) {
    const Status refined = refiner_.run(budget);
    if (refined != Status::kFound) return refined;
    refiner_.append_to(path_.cells());
    return finish_segment();
}

size_t MinimalMemoryQuery::bytes() const {
    return bytes_of_query() + search_.bytes() + path_.bytes() + route_.capacity() * sizeof(RegionId);
}

}  // namespace terrane
