// Adapts CpdSearch to the interface of the planner's queries.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/cpd/cpd_search.h"

namespace terrane {

class CpdQuery {
public:
    // `database` and `perturbation` must outlive the query. `bound` replaces options.bound unless it is 0. Returns kNotPrepared if `goal`
    // is not a target of the database.
    Status begin(const PathDatabase& database, const Perturbation& perturbation, Cell start, Cell goal, CpdSearchOptions options,
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
    size_t cells_first() const { return cells_.size(); }  // the path arrives in one piece
    const std::vector<Cell>& cells() const { return cells_; }
    size_t ready() const { return cells_.size(); }
    double bound() const {
        const uint64_t lower_bound = search_.lower_bound();
        return lower_bound == 0 ? 1 : std::max(1.0, static_cast<double>(search_.cost()) / static_cast<double>(lower_bound));
    }
    size_t bytes() const { return search_.bytes() + cells_.capacity() * sizeof(Cell); }

    // The largest weight within the limits of CpdSearchOptions that does not exceed `bound`, nor 1000, in thousandths.
    static Weight weight_of(double bound) {
        const auto thousandths = static_cast<uint32_t>(std::clamp(bound, 1.0, 1000.0) * 1000 + 1e-6);
        Weight best;
        for (uint32_t d = 1; d <= kMaxCpdDenominator; ++d) {
            const uint32_t n = thousandths * d / 1000;
            if (n > kMaxCpdNumerator) break;
            if (n * best.denominator > best.numerator * d) best = {n, d};
        }
        return best;
    }

private:
    CpdSearch search_;
    Status status_ = Status::kUnreachable;
    std::vector<Cell> cells_;
};

}  // namespace terrane
