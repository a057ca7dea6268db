// Searches of the region graph: from one region to another, by A*, weighted A* or from both ends; sliced.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dta/region_graph.h"
#include "terrane/dta/region_heuristics.h"
#include "terrane/search/best_first.h"

namespace terrane {

struct RegionSearchOptions {
    Weight weight = {};      // above 1: weighted A*
    bool both_ends = false;  // near-optimal bidirectional search; without weight

    // A better heuristic than octile distance, or exact edge costs, not both: a heuristic bounds estimates. Each must be valid for
    // regions, profile and movement, and outlive the search.
    const RegionHeuristic* heuristic = nullptr;
    const ExactEdgeCosts* edge_costs = nullptr;
};

// Scratch and state of one search at a time: one per thread, reused. After warm-up a search allocates nothing.
class RegionSearch {
public:
    RegionSearch();
    ~RegionSearch();
    RegionSearch(RegionSearch&&) noexcept;
    RegionSearch& operator=(RegionSearch&&) noexcept;

    // Begins a search, dropping the one before. `regions` must outlive it; start and goal are regions that the profile may
    // enter.
    void begin(const TerrainRegions& regions, const Ground& ground, RegionId start, RegionId goal, const RegionSearchOptions& options = {});

    // Expands at most `budget` more regions. kBudgetSpent: call again to go on. Final: kFound, kUnreachable, kStale (heuristic or
    // edge costs of another version, profile or rule).
    Status run(uint64_t budget = kUnlimited);

    uint64_t expansions() const;
    // What the path found is taken to cost, in the profile's own units.
    uint64_t cost() const;
    // From start to goal, both included; once where they are the same. Only when found.
    void path(std::vector<RegionId>& out) const;

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
