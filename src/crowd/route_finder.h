// Finds a way for one agent at a time, in slices, by the best that the world has for its kind: the overlay prepared for it, or else the
// regions of its first sectors, smoothed, or else cells. What Planner does where it is not told otherwise, on a version that is given.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "planner/dta_query.h"
#include "terrane/grid_search.h"
#include "terrane/portal_search.h"
#include "terrane/world.h"

namespace terrane::detail {

class RouteFinder {
public:
    // What it takes to begin a search and to write its answer out, in expansions: 15 us of some 30, where an overlay has 70 of them.
    static constexpr uint64_t kFlatWork = 70;

    // Both cells are on the map. Holds the version until the next search begins.
    void begin(const WorldSnapshot& world, const CostTable& costs, Movement movement, Cell start, Cell goal);
    // kBudgetSpent: call again to go on. Anything else is final: kFound, kUnreachable, kBlockedStart, kBlockedGoal.
    Status run(uint64_t budget);

    uint64_t expansions() const;
    GridVersion version() const { return world_->version(); }
    // When found.
    const std::vector<Cell>& cells() const;
    size_t bytes() const;

private:
    enum class By : uint8_t { kPortals, kRegions, kCells };
    bool joined(const CostTable& costs, Movement movement, Cell start, Cell goal) const;
    void begin_regions(const CostTable& costs, Movement movement, Cell start, Cell goal);

    std::optional<WorldSnapshot> world_;
    By by_ = By::kCells;
    Status status_ = Status::kUnreachable;
    PortalSearch portals_;
    DtaQuery regions_{0};
    FindOptions region_options_;
    GridSearch cell_search_;
    Path path_;  // of the latter
};

}  // namespace terrane::detail
