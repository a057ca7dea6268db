#include "planner/mm_query.h"

#include <algorithm>
#include <cstdint>

namespace terrane {

namespace {

// +trim cuts this share of a segment's cells off its end, in hundredths, before the next one is searched for: as dta does. On seven dao
// maps, sectors of 16, for 0 / 25 / 50 / 75: 1.062 / 1.033 / 1.018 / 1.009 times optimal, with 349 / 427 / 710 / 2,109 expansions
// (untrimmed: 1.156 and 354). To cut back only to the cell nearest the next centre: 1.056, and 350.
constexpr size_t kTrimmed = 50;

// +smooth: so many cells are waited for (fewer of the first), smoothed together, and given out but for the last ones, which are
// smoothed again with the next. As dta has it.
constexpr size_t kSmoothedFirst = 128;
constexpr size_t kSmoothed = 256;
constexpr size_t kSmoothedAgain = 64;

}  // namespace

void MmQuery::begin(const MinimalMemory& memory, const CostTable& costs, Cell start, Cell goal, const MmQueryOptions& options) {
    memory_ = &memory;
    costs_ = costs;
    options_ = options;
    goal_ = goal;
    cells_.clear();
    route_.clear();
    waypoints_.clear();
    trimmed_ = {};
    ready_ = next_ = 0;
    expansions_first_ = 0;
    status_ = refuse(start);
    begun_ = status_ == Status::kBudgetSpent;
    if (!begun_) return;
    cells_.push_back(start);
    search_.begin(memory, options.movement, end_at(start), end_at(goal));
    refiner_.begin(memory.grid(), costs, options.movement, options.refinement);
}

// kBudgetSpent where nothing stands against starting.
Status MmQuery::refuse(Cell start) const {
    const GridSnapshot& grid = memory_->grid();
    if (PassableSet::of(costs_, options_.movement) != memory_->set()) return Status::kStale;
    if (!grid.layout().contains(start) || !grid.layout().contains(goal_)) return Status::kOutsideMap;
    if (!costs_.passable(grid.at(start))) return Status::kBlockedStart;
    if (!costs_.passable(grid.at(goal_))) return Status::kBlockedGoal;
    return Status::kBudgetSpent;
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
    segment_begin_ = cells_.size() - 1;
    const Rect window = hull(sector_at(cells_.back()), sector_at(waypoints_[next_]));
    refiner_.aim(cells_.back(), waypoints_[next_], hull(window, trimmed_));  // the way back to where the segment before ended is in it
}

Status MmQuery::refine(uint64_t budget) {
    const Status refined = refiner_.run(budget);
    if (refined != Status::kFound) return refined;
    refiner_.append_to(cells_);
    finish_segment();
    return next_ == waypoints_.size() ? Status::kFound : Status::kBudgetSpent;
}

void MmQuery::finish_segment() {
    ++next_;
    const bool last = next_ == waypoints_.size();
    if (options_.trim && !last) trim();
    if (options_.smooth) {
        const bool enough = cells_.size() - ready_ >= (ready_ == 0 ? kSmoothedFirst : kSmoothed);
        if (last || enough) smooth(last ? 0 : kSmoothedAgain);
    } else {
        ready_ = cells_.size();
    }
    if (expansions_first_ == 0 && ready_ > 0) expansions_first_ = expansions();
    if (!last) aim();
}

void MmQuery::trim() {
    const size_t kept = cells_.size() - (cells_.size() - 1 - segment_begin_) * kTrimmed / 100;
    trimmed_ = {};
    for (size_t i = kept; i < cells_.size(); ++i) trimmed_ = hull(trimmed_, sector_at(cells_[i]));
    cells_.resize(kept);
}

// All cells from the last one that is ready on; makes them ready but for the last `keep_open`.
void MmQuery::smooth(size_t keep_open) {
    const size_t first = ready_ == 0 ? 0 : ready_ - 1;
    piece_.assign(cells_.begin() + static_cast<std::ptrdiff_t>(first), cells_.end());
    smooth_path(memory_->grid(), costs_, options_.movement, piece_, smoothing_);
    cells_.resize(first);
    cells_.insert(cells_.end(), piece_.begin(), piece_.end());
    ready_ = std::max(ready_, cells_.size() - std::min(cells_.size(), keep_open));
}

size_t MmQuery::bytes() const {
    return search_.bytes() + refiner_.bytes() + smoothing_.bytes() + route_.capacity() * sizeof(RegionId) +
           (waypoints_.capacity() + cells_.capacity() + piece_.capacity()) * sizeof(Cell);
}

}  // namespace terrane
