// The query of an abstraction, in two phases and in slices: search the abstract graph, then refine the path that was found into cells,
// segment by segment. dta, minimal_memory and hpa derive from it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid_search/refiner.h"
#include "terrane/base/status.h"
#include "terrane/search/best_first.h"

namespace terrane::detail {

// `Derived` has:
//   Status search(uint64_t budget)   runs the abstract search
//   void take_waypoints()            fills waypoints_ when it has found a path, and aims refiner_ at the first segment
//   Status refine(uint64_t budget)   refines the current segment: kFound when the last one is done, kBudgetSpent until then
//   uint64_t expansions() const      of both phases
//   size_t ready() const             cells that will not change any more
template <class Derived>
class SegmentQuery {
    SegmentQuery() = default;
    friend Derived;
    template <class, class>
    friend class SectorQuery;

public:
    uint64_t expansions_first() const { return expansions_first_; }
    size_t cells_first() const { return cells_first_; }  // that were ready then

protected:
    void begin_query() {
        status_ = Status::kBudgetSpent;
        waypoints_.clear();
        next_ = 0;
        expansions_first_ = 0;
        cells_first_ = 0;
    }

    // As Planner::run; until `segments` are refined in all.
    Status run_segments(uint64_t budget, size_t segments = SIZE_MAX) {
        Derived& query = static_cast<Derived&>(*this);
        const uint64_t before = query.expansions();
        const auto left = [&] { return budget == kUnlimited ? budget : budget - std::min(budget, query.expansions() - before); };
        if (status_ == Status::kBudgetSpent && waypoints_.empty()) {
            const Status searched = query.search(left());
            if (searched == Status::kFound) {
                query.take_waypoints();
            } else {
                status_ = searched;
            }
        }
        while (status_ == Status::kBudgetSpent && !waypoints_.empty() && next_ < segments && left() > 0) status_ = query.refine(left());
        return status_;
    }

    // After each segment: when, and with how many cells, the first of them could be walked.
    void note_ready() {
        const Derived& query = static_cast<const Derived&>(*this);
        if (expansions_first_ == 0 && query.ready() > 0) expansions_first_ = query.expansions();
        if (cells_first_ == 0) cells_first_ = query.ready();
    }

    size_t bytes_of_query() const { return refiner_.bytes() + waypoints_.capacity() * sizeof(Cell); }

    Status status_ = Status::kUnreachable;
    Refiner refiner_;
    std::vector<Cell> waypoints_;  // where segments end; none until the abstract search has found a path
    size_t next_ = 0;              // of them

private:
    uint64_t expansions_first_ = 0;
    size_t cells_first_ = 0;
};

// The same over sectors, for dta and minimal_memory: a segment stays in the rectangle of the sectors that it joins, so it is a function of
// their cells alone; and it is found there, since the two regions are connected there. `Path` is a SegmentPath (any_angle).
// `Derived` also has Rect sector_at(Cell) const.
template <class Derived, class Path>
class SectorQuery : public SegmentQuery<Derived> {
    SectorQuery() = default;
    friend Derived;

public:
    const std::vector<Cell>& cells() const { return path_.cells(); }
    size_t ready() const { return path_.ready(); }  // of them

protected:
    // With all of the map to search, and so with the cost of the map's cheapest terrain for the heuristic, segments took 4 / 4 / 3 times
    // the expansions (dta, sectors of 8 / 16 / 32, the paper's maps), and paths were 0.01% shorter.
    void aim() {
        const Derived& query = static_cast<const Derived&>(*this);
        path_.begin_segment();
        const Cell from = path_.cells().back(), to = this->waypoints_[this->next_];
        this->refiner_.aim(from, to, hull(hull(query.sector_at(from), query.sector_at(to)), path_.trimmed()));
    }

    // The cells of the segment are appended. kFound after the last one.
    Status finish_segment() {
        const Derived& query = static_cast<const Derived&>(*this);
        const bool last = ++this->next_ == this->waypoints_.size();
        path_.finish_segment(last, [&](Cell c) { return query.sector_at(c); });
        this->note_ready();
        if (!last) aim();
        return last ? Status::kFound : Status::kBudgetSpent;
    }

    Path path_;
};

}  // namespace terrane::detail
