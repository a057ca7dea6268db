#include "world/dta_query.h"

#include <algorithm>

namespace terrane {

namespace {

RegionSearchOptions search_options(const FindOptions& options) {
    const Method::SubSearch& search = options.method.abstract_search;
    return {search.weight, search.family == Family::kNbs, options.region_heuristic, options.method.exact ? options.edge_costs : nullptr};
}

}  // namespace

void DtaQuery::begin(const TerrainRegions& regions, const Ground& ground, Cell start, Cell goal, const FindOptions& options) {
    regions_ = &regions;
    method_ = options.method;
    goal_ = goal;
    status_ = Status::kBudgetSpent;
    path_.begin(ground, start, method_.trim, method_.smooth);
    next_ = 0;
    waypoints_.clear();
    expansions_first_ = remembered_ = 0;
    cells_first_ = 0;
    const auto localise = [&](Cell c) {
        const RegionId searched = method_.bfs ? regions.search_region_of(c) : kNoRegion;
        return searched != kNoRegion ? searched : regions.region_of(c);
    };
    region_search_.begin(regions, ground, localise(start), localise(goal), search_options(options));
    refiner_.begin(ground, method_.refinement.weight);
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
    path_.begin_segment();
    known_.reset();
    const Cell from = path_.cells().back();
    const Rect window = hull(sector_at(from), sector_at(waypoints_[next_]));
    refiner_.aim(from, waypoints_[next_], hull(window, path_.trimmed()));
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
    if (method_.cache && !known_) known_ = cache_.find(refiner_, path_.cells());
    if (known_) {
        const uint64_t paid = std::min(budget, known_->expansions);
        known_->expansions -= paid;
        remembered_ += paid;
        return paid == budget ? Status::kBudgetSpent : known_->status;
    }
    const Status refined = refiner_.run(budget);
    if (refined == Status::kFound) refiner_.append_to(path_.cells());
    if (method_.cache) cache_.put(refiner_);
    return refined;
}

void DtaQuery::finish_segment() {
    ++next_;
    const bool last = next_ == waypoints_.size();
    path_.finish_segment(last, [&](Cell c) { return sector_at(c); });
    if (expansions_first_ == 0 && ready() > 0) expansions_first_ = expansions();
    if (cells_first_ == 0) cells_first_ = ready();
    if (!last) aim();
}

size_t DtaQuery::bytes() const {
    return region_search_.bytes() + refiner_.bytes() + cache_.bytes() + path_.bytes() + route_.capacity() * sizeof(RegionId) +
           waypoints_.capacity() * sizeof(Cell);
}

}  // namespace terrane
