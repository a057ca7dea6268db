// Hierarchical query in two phases, sliced: search the abstract graph, then refine the abstract path into cells, segment by segment.
// Base class (CRTP) of the queries of dta, minimal_memory and hpa.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid_search/refiner.h"
#include "terrane/base/status.h"
#include "terrane/search/best_first.h"

namespace terrane::detail {

// `Derived` provides:
//   Status search(uint64_t budget)   runs the abstract search
//   void take_waypoints()            fills waypoints_ from the abstract path and begins the first segment of refiner_
//   Status refine(uint64_t budget)   refines the current segment: kFound after the last segment, kBudgetSpent before
//   uint64_t expansions() const      of both phases
//   size_t ready() const             number of leading cells that are final
template <class Derived>
class SegmentQuery {
    SegmentQuery() = default;
    friend Derived;
    template <class, class>
    friend class SectorQuery;

public:
    uint64_t expansions_first() const { return expansions_first_; }
    size_t cells_first() const { return cells_first_; }  // cells that were ready at expansions_first()

protected:
    void begin_query() {
        status_ = Status::kBudgetSpent;
        waypoints_.clear();
        next_ = 0;
        expansions_first_ = 0;
        cells_first_ = 0;
    }

    // As Planner::run, but stops once `segments` segments are refined in total.
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

    // Call after each segment. Records the expansions and the number of cells at which the first cells became final.
    void note_ready() {
        const Derived& query = static_cast<const Derived&>(*this);
        if (expansions_first_ == 0 && query.ready() > 0) expansions_first_ = query.expansions();
        if (cells_first_ == 0) cells_first_ = query.ready();
    }

    size_t bytes_of_query() const { return refiner_.bytes() + waypoints_.capacity() * sizeof(Cell); }

    Status status_ = Status::kUnreachable;
    Refiner refiner_;
    std::vector<Cell> waypoints_;  // ends of the segments; empty until the abstract search has found a path
    size_t next_ = 0;              // index of the current segment in waypoints_

private:
    uint64_t expansions_first_ = 0;
    size_t cells_first_ = 0;
};

// The same for abstractions over sectors (dta, minimal_memory). A segment stays in the bounding rectangle of its ends' sectors, so it
// depends only on their cells. A path exists there, because the two regions are connected there. `Path` is a SegmentPath (any_angle).
// `Derived` also provides Rect sector_at(Cell) const.
template <class Derived, class Path>
class SectorQuery : public SegmentQuery<Derived> {
    SectorQuery() = default;
    friend Derived;

public:
    const std::vector<Cell>& cells() const { return path_.cells(); }
    size_t ready() const { return path_.ready(); }  // number of leading cells that are final

protected:
    // The window cuts the expansions to a third or a quarter, for paths that are 0.01% longer (docs/notes/grid_search.md).
    void begin_next_segment() {
        const Derived& query = static_cast<const Derived&>(*this);
        path_.begin_segment();
        const Cell from = path_.cells().back(), to = this->waypoints_[this->next_];
        this->refiner_.begin_segment(from, to, hull(hull(query.sector_at(from), query.sector_at(to)), path_.trimmed()));
    }

    // Call when the segment's cells are appended. Returns kFound after the last segment.
    Status finish_segment() {
        const Derived& query = static_cast<const Derived&>(*this);
        const bool last = ++this->next_ == this->waypoints_.size();
        path_.finish_segment(last, [&](Cell c) { return query.sector_at(c); });
        this->note_ready();
        if (!last) begin_next_segment();
        return last ? Status::kFound : Status::kBudgetSpent;
    }

    Path path_;
};

}  // namespace terrane::detail
