// Finds the route of one agent at a time, in slices, with the best method that the world has for the agent's type: A* over the portals of
// a prepared overlay; else DTA over the regions of the first sector size, smoothed; else A* on cells. The same choice as Planner's
// default, on a given version of the world.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dta/dta_query.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/overlay/portal_search.h"
#include "terrane/world/world.h"

namespace terrane::detail {

class RouteFinder {
public:
    // Cost of starting a search and writing its cells, in expansions. Overlay: 15 of about 30 us, when the search has 70 expansions.
    // Portal tree: 5 of 9 us, because the goal's clusters and most of the start's portals are not examined.
    static constexpr uint64_t kOverhead = 70, kTreeOverhead = 30;

    // Both cells must be on the map. Pins the version of `world` until the next begin(). `tree`, if not null, must belong to the goal and
    // to the overlay that this version holds for `ground`, and must outlive the search; the route is then read from it.
    void begin(const WorldSnapshot& world, const Ground& ground, Cell start, Cell goal, PortalTree* tree = nullptr);
    // kBudgetSpent: call again to continue. Final: kFound, kUnreachable, kBlockedStart, kBlockedGoal.
    Status run(uint64_t budget);

    uint64_t expansions() const;
    // Of the current or last search; charge it once per call of run().
    uint64_t overhead() const { return uses_tree_ ? kTreeOverhead : kOverhead; }
    GridVersion version() const { return world_->version(); }
    // Only after kFound.
    const std::vector<Cell>& cells() const;
    size_t bytes() const;

private:
    enum class Backend : uint8_t { kPortals, kRegions, kCells };
    bool may_be_connected(const Ground& ground, Cell start, Cell goal) const;

    std::optional<WorldSnapshot> world_;
    Backend backend_ = Backend::kCells;
    bool uses_tree_ = false;
    Status status_ = Status::kUnreachable;
    PortalSearch portals_;
    DtaQuery regions_{0};
    GridSearch cell_search_;
    Path path_;  // result of cell_search_
};

}  // namespace terrane::detail
