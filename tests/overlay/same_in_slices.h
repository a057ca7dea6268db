// Compares a search in slices with the same search in one run.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "terrane/overlay/portal_search.h"

namespace terrane {

inline void expect_same_in_slices(PortalSearch& search, const PortalOverlay& overlay, Cell a, Cell b) {
    search.begin(overlay, a, b);
    const Status whole = search.run();
    const std::vector<Cell> cells = search.cells();
    const uint64_t expansions = search.expansions();
    search.begin(overlay, a, b);
    Status sliced = search.run(3);
    while (sliced == Status::kBudgetSpent) {
        ASSERT_TRUE(std::equal(search.cells().begin(), search.cells().end(), cells.begin()));  // the prefix is final
        sliced = search.run(3);
    }
    ASSERT_EQ(whole, sliced);
    if (whole != Status::kFound) return;
    ASSERT_EQ(cells, search.cells());
    ASSERT_EQ(expansions, search.expansions());
}

}  // namespace terrane
