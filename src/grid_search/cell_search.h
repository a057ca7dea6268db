// A method that searches cells, as one class: derive from CellSearch, and give it a row in methods.cpp. CONTRIBUTING.md shows how.
#pragma once
#include <memory>
#include <vector>

#include "terrane/base/status.h"
#include "terrane/grid/grid_graph.h"
#include "terrane/grid/profile.h"
#include "terrane/grid_search/method.h"

namespace terrane::detail {

// One question. Both ends are on the map and passable; `ground` stays as it is until the next one begins.
struct CellQuestion {
    const Ground& ground;
    CellId start, goal;
    const Method& method;
};

// Kept and reused from question to question: after warm-up it should allocate nothing. Its answers must be the same on every machine, and
// the same in slices as in one run.
class CellSearch {
public:
    virtual ~CellSearch() = default;
    // Start and goal may be the same cell.
    virtual void begin(const CellQuestion& question) = 0;
    // Expands at most `budget` more cells. kBudgetSpent: there is more to do. kFound, kUnreachable: done.
    virtual Status run(uint64_t budget) = 0;
    virtual uint64_t expansions() const = 0;
    // Where it was found: the path from start to goal, each step legal. What it costs is summed by who asks.
    virtual void path(std::vector<CellId>& out) const = 0;
    virtual size_t bytes() const = 0;
};

template <class Search>
std::unique_ptr<CellSearch> make_search() {
    return std::make_unique<Search>();
}

}  // namespace terrane::detail
