// Finds a way for one agent at a time, in slices, by the best that the world has for its kind: the overlay prepared for it, or else the
// regions of its first sectors, smoothed, or else cells. What Planner does where it is not told otherwise, on a version that is given.
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
    // What it takes to begin a search and to write its answer out, in expansions: 15 us of some 30, where an overlay has 70 of them. Where
    // the way is read off a tree, the goal's windows are not looked at, and few of the start's portals: 5 us of 9.
    static constexpr uint64_t kFlatWork = 70, kTreeFlatWork = 30;

    // Both cells are on the map. Holds the version until the next search begins. `tree`: of the goal, and of the overlay that is prepared
    // for these costs in this version; the route is read off it. It must outlive the search. Null: there is none.
    void begin(const WorldSnapshot& world, const Ground& ground, Cell start, Cell goal, PortalTree* tree = nullptr);
    // kBudgetSpent: call again to go on. Anything else is final: kFound, kUnreachable, kBlockedStart, kBlockedGoal.
    Status run(uint64_t budget);

    uint64_t expansions() const;
    // Of the search that goes on, or ended last.
    uint64_t flat_work() const { return by_tree_ ? kTreeFlatWork : kFlatWork; }
    GridVersion version() const { return world_->version(); }
    // When found.
    const std::vector<Cell>& cells() const;
    size_t bytes() const;

private:
    enum class By : uint8_t { kPortals, kRegions, kCells };
    bool joined(const Ground& ground, Cell start, Cell goal) const;

    std::optional<WorldSnapshot> world_;
    By by_ = By::kCells;
    bool by_tree_ = false;
    Status status_ = Status::kUnreachable;
    PortalSearch portals_;
    DtaQuery regions_{0};
    GridSearch cell_search_;
    Path path_;  // of the latter
};

}  // namespace terrane::detail
