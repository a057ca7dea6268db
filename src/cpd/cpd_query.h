// A query over a path database: PathdbSearch in the form that the planner has for all its methods.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/cpd/pathdb_search.h"

namespace terrane {

class CpdQuery {
public:
    // Database and perturbation must outlive the query. `bound` replaces that of the options, unless it is 0. kNotPrepared: the database
    // does not lead to that goal.
    Status begin(const PathDatabase& database, const Perturbation& perturbation, Cell start, Cell goal, PathdbSearchOptions options,
                 double bound) {
        cells_.clear();
        if (bound > 0) options.bound = weight_of(bound);
        return status_ = search_.begin(database, perturbation, start, goal, options);
    }

    Status run(uint64_t budget) {
        if (status_ == Status::kBudgetSpent) status_ = search_.run(budget);
        if (status_ == Status::kFound && cells_.empty()) search_.path(cells_);
        return status_;
    }

    uint64_t expansions() const { return search_.expansions(); }
    uint64_t expansions_first() const { return expansions(); }
    size_t cells_first() const { return cells_.size(); }  // one piece
    const std::vector<Cell>& cells() const { return cells_; }
    size_t ready() const { return cells_.size(); }
    double bound() const {
        const uint64_t least = search_.lower_bound();
        return least == 0 ? 1 : std::max(1.0, static_cast<double>(search_.cost()) / static_cast<double>(least));
    }
    size_t bytes() const { return search_.bytes() + cells_.capacity() * sizeof(Cell); }

private:
    // In thousandths, downwards: never more than was asked for.
    static Weight weight_of(double bound) {
        constexpr uint32_t kParts = 1000, kMost = 1000;
        return {static_cast<uint32_t>(std::clamp(bound, 1.0, double{kMost}) * kParts + 1e-6), kParts};
    }

    PathdbSearch search_;
    Status status_ = Status::kUnreachable;
    std::vector<Cell> cells_;
};

}  // namespace terrane
