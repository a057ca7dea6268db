// Search of the region graph from one region to another: A*, weighted A* or near-optimal bidirectional search (NBS); sliced.
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
    Weight weight = {};          // above 1: weighted A*
    bool bidirectional = false;  // NBS; ignores the weight

    // A heuristic stronger than octile distance, or exact edge costs; not both, because the heuristics bound estimated costs. It must
    // be valid for regions, profile and movement rule, and outlive the search.
    const RegionHeuristic* heuristic = nullptr;
    const ExactEdgeCosts* edge_costs = nullptr;
};

// One search at a time, with its scratch memory: use one per thread and reuse it. After warm-up a search allocates nothing.
class RegionSearch {
public:
    RegionSearch();
    ~RegionSearch();
    RegionSearch(RegionSearch&&) noexcept;
    RegionSearch& operator=(RegionSearch&&) noexcept;

    // Begins a search and discards the previous one. `regions` must outlive it; start and goal must be regions that the profile can
    // enter.
    void begin(const TerrainRegions& regions, const Ground& ground, RegionId start, RegionId goal, const RegionSearchOptions& options = {});

    // Expands at most `budget` more regions. kBudgetSpent: call again to continue. Final statuses: kFound, kUnreachable, kStale
    // (heuristic or edge costs of another version, profile or rule).
    Status run(uint64_t budget = kUnlimited);

    uint64_t expansions() const;
    // Cost of the path in the region graph, in the profile's units.
    uint64_t cost() const;
    // From start to goal, both included; a single region if they are equal. Only after kFound.
    void path(std::vector<RegionId>& out) const;

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
