#include "minimal_memory/mm_query.h"

#include <algorithm>
#include <cstdint>

namespace terrane {

void MmQuery::begin(const MinimalMemory& memory, const Ground& ground, Cell start, Cell goal, const MmQueryOptions& options) {
    memory_ = &memory;
    ground_ = ground;
    options_ = options;
    goal_ = goal;
    path_.clear();
    route_.clear();
    waypoints_.clear();
    next_ = 0;
    expansions_first_ = 0;
    cells_first_ = 0;
    status_ = refuse(start);
    begun_ = status_ == Status::kBudgetSpent;
    if (!begun_) return;
    path_.begin(ground, start, options.trim, options.smooth);
    search_.begin(memory, ground.movement(), end_at(start), end_at(goal));
    refiner_.begin(ground, options.refinement);
}

// kBudgetSpent: the search may start.
Status MmQuery::refuse(Cell start) const {
    if (!memory_->valid_for(ground_)) return Status::kStale;
    const Status ends = ground_.check_ends(start, goal_);
    return ends == Status::kFound ? Status::kBudgetSpent : ends;
}

RegionEnd MmQuery::end_at(Cell c) const {
    const RegionId region = memory_->region_of(c);
    return {region, options_.stand_in ? c : memory_->centre(region)};
}

Status MmQuery::run(uint64_t budget) { return run_until(budget, SIZE_MAX); }

Status MmQuery::step(uint64_t budget) { return run_until(budget, next_ + 1); }

// At most so many segments in all.
Status MmQuery::run_until(uint64_t budget, size_t segments) {
    const uint64_t before = expansions();
    const auto left = [&] { return budget == kUnlimited ? budget : budget - std::min(budget, expansions() - before); };
    if (status_ == Status::kBudgetSpent && waypoints_.empty()) {
        const Status searched = search_.run(left());
        if (searched == Status::kFound) {
            take_waypoints();
        } else {
            status_ = searched;
        }
    }
    while (status_ == Status::kBudgetSpent && !waypoints_.empty() && next_ < segments && left() > 0) status_ = refine(left());
    return status_;
}

// Inside one region one goes straight; else by the centres.
void MmQuery::take_waypoints() {
    search_.path(route_);
    const size_t skipped = options_.trim || route_.size() == 1 ? 1 : 0;
    for (size_t i = skipped; i + skipped < route_.size(); ++i) waypoints_.push_back(memory_->centre(route_[i]));
    waypoints_.push_back(goal_);
    aim();
}

// Two regions that are joined are so in the rectangle of their sectors: a segment is found there, and looks nowhere else.
void MmQuery::aim() {
    path_.begin_segment();
    const Cell from = path_.cells().back();
    const Rect window = hull(sector_at(from), sector_at(waypoints_[next_]));
    refiner_.aim(from, waypoints_[next_], hull(window, path_.trimmed()));
}

Status MmQuery::refine(uint64_t budget) {
    const Status refined = refiner_.run(budget);
    if (refined != Status::kFound) return refined;
    refiner_.append_to(path_.cells());
    finish_segment();
    return next_ == waypoints_.size() ? Status::kFound : Status::kBudgetSpent;
}

void MmQuery::finish_segment() {
    ++next_;
    const bool last = next_ == waypoints_.size();
    path_.finish_segment(last, [&](Cell c) { return sector_at(c); });
    if (expansions_first_ == 0 && ready() > 0) expansions_first_ = expansions();
    if (cells_first_ == 0) cells_first_ = ready();
    if (!last) aim();
}

size_t MmQuery::bytes() const {
    return search_.bytes() + refiner_.bytes() + path_.bytes() + route_.capacity() * sizeof(RegionId) + waypoints_.capacity() * sizeof(Cell);
}

}  // namespace terrane
