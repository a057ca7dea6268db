#include "planner/dta_query.h"

#include <algorithm>

namespace terrane {

namespace {

// +trim cuts this share of a segment's cells off its end, in hundredths, before the next one is searched for.
constexpr size_t kTrimmed = 50;

// +smooth: so many cells are waited for (fewer of the first), smoothed together, and given out but for the last ones, which are
// smoothed again with the next.
constexpr size_t kSmoothedFirst = 128;
constexpr size_t kSmoothed = 256;
constexpr size_t kSmoothedAgain = 64;

RegionSearchOptions search_options(const FindOptions& options) {
    const Method::SubSearch& search = options.method.abstract_search;
    return {search.weight, search.family == Family::kNbs, options.region_heuristic, options.method.exact ? options.edge_costs : nullptr};
}

}  // namespace

void DtaQuery::begin(const TerrainRegions& regions, const CostTable& costs, Cell start, Cell goal, const FindOptions& options) {
    regions_ = &regions;
    costs_ = costs;
    movement_ = options.movement;
    method_ = options.method;
    goal_ = goal;
    status_ = Status::kBudgetSpent;
    cells_.assign(1, start);
    ready_ = next_ = 0;
    waypoints_.clear();
    trimmed_ = {};
    expansions_first_ = remembered_ = 0;
    const auto localise = [&](Cell c) {
        const RegionId searched = method_.bfs ? regions.search_region_of(c) : kNoRegion;
        return searched != kNoRegion ? searched : regions.region_of(c);
    };
    region_search_.begin(regions, costs, movement_, localise(start), localise(goal), search_options(options));
    refiner_.begin(regions.grid(), costs, movement_, method_.refinement.weight);
}

Status DtaQuery::run(uint64_t budget) {
    const uint64_t before = expansions();
    const auto left = [&] { return budget == kUnlimited ? budget : budget - std::min(budget, expansions() - before); };
    if (status_ == Status::kBudgetSpent && waypoints_.empty()) {
        const Status searched = region_search_.run(left());
        if (searched == Status::kFound) {
            take_waypoints();
        } else {
            status_ = searched;
        }
    }
    while (status_ == Status::kBudgetSpent && !waypoints_.empty() && left() > 0) status_ = refine(left());
    return status_;
}

// Representatives of all regions on the way but the first and the last, which start and goal stand in for.
void DtaQuery::take_waypoints() {
    region_search_.path(route_);
    for (size_t i = 1; i + 1 < route_.size(); ++i) waypoints_.push_back(regions_->region(route_[i]).representative());
    waypoints_.push_back(goal_);
    aim();
}

// A segment stays in the rectangle of the sectors that it joins, so it is a function of their cells alone; and it is found there,
// since the two regions are joined there. With all of the map to search, and so with the price of the map's cheapest terrain for a
// heuristic, segments took 4 / 4 / 3 times the expansions (sectors of 8 / 16 / 32, the paper's maps), and paths were 0.01% shorter.
void DtaQuery::aim() {
    segment_begin_ = cells_.size() - 1;
    known_.reset();
    Rect window = hull(sector_at(cells_.back()), sector_at(waypoints_[next_]));
    window = hull(window, trimmed_);  // or the way back to where the segment before ended might not be in it
    refiner_.aim(cells_.back(), waypoints_[next_], window);
}

Status DtaQuery::refine(uint64_t budget) {
    const Status refined = refine_segment(budget);
    if (refined != Status::kFound) return refined;
    finish_segment();
    return next_ == waypoints_.size() ? Status::kFound : Status::kBudgetSpent;
}

// Appends the segment's cells. What is known from before is paid for as if it were searched again, so that a budget gives the same
// answers whatever is cached.
Status DtaQuery::refine_segment(uint64_t budget) {
    if (method_.cache && !known_) known_ = cache_.find(refiner_, cells_);
    if (known_) {
        const uint64_t paid = std::min(budget, known_->expansions);
        known_->expansions -= paid;
        remembered_ += paid;
        return paid == budget ? Status::kBudgetSpent : known_->status;
    }
    const Status refined = refiner_.run(budget);
    if (refined == Status::kFound) refiner_.append_to(cells_);
    if (method_.cache) cache_.put(refiner_);
    return refined;
}

void DtaQuery::finish_segment() {
    ++next_;
    const bool last = next_ == waypoints_.size();
    if (method_.trim && !last) trim();
    if (method_.smooth) {
        const bool enough = cells_.size() - ready_ >= (ready_ == 0 ? kSmoothedFirst : kSmoothed);
        if (last || enough) smooth(last ? 0 : kSmoothedAgain);
    } else {
        ready_ = cells_.size();
    }
    if (expansions_first_ == 0 && ready_ > 0) expansions_first_ = expansions();
    if (!last) aim();
}

void DtaQuery::trim() {
    const size_t kept = cells_.size() - (cells_.size() - 1 - segment_begin_) * kTrimmed / 100;
    trimmed_ = {};
    for (size_t i = kept; i < cells_.size(); ++i) trimmed_ = hull(trimmed_, sector_at(cells_[i]));
    cells_.resize(kept);
}

// All cells from the last one that is ready on; makes them ready but for the last `keep_open`.
void DtaQuery::smooth(size_t keep_open) {
    const size_t first = ready_ == 0 ? 0 : ready_ - 1;
    piece_.assign(cells_.begin() + static_cast<std::ptrdiff_t>(first), cells_.end());
    smooth_path(regions_->grid(), costs_, movement_, piece_, smoothing_);
    cells_.resize(first);
    cells_.insert(cells_.end(), piece_.begin(), piece_.end());
    ready_ = std::max(ready_, cells_.size() - std::min(cells_.size(), keep_open));
}

size_t DtaQuery::bytes() const {
    return region_search_.bytes() + refiner_.bytes() + cache_.bytes() + smoothing_.bytes() + route_.capacity() * sizeof(RegionId) +
           (waypoints_.capacity() + cells_.capacity() + piece_.capacity()) * sizeof(Cell);
}

}  // namespace terrane
