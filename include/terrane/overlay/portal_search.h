// Paths by way of a portal overlay: a search over portals, crossings made better along the lines, cells read off the windows' guides.
//
// Start and goal join the search by following the guides of their windows. Of the crossings found, some are moved along their lines
// to where the two windows' distances to the crossing before and after add up to the least: no two that follow each other,
// since then one would have nothing to be measured from, and of all such sets the one that gains most. Ends that are
// near each other are searched for on cells, too: a portal can be a long way round between neighbours.
// For many that go to one goal, the search over portals can be shared: portal_tree.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "terrane/base/attributes.h"
#include "terrane/overlay/portal_overlay.h"
#include "terrane/overlay/portal_tree.h"
#include "terrane/search/best_first.h"

namespace terrane {

struct PortalSearchOptions {
    bool crossings = true;  // are moved along their lines
};

// Scratch and state of one search at a time: one per thread, reused; allocates nothing after warm-up. Keeps the guides that an overlay
// had no room for, those made last, in at most `guide_bytes`. What a search answers does not depend on what is kept.
class TERRANE_EXPERIMENTAL PortalSearch {
public:
    explicit PortalSearch(size_t guide_bytes = size_t{4} << 20);
    ~PortalSearch();
    PortalSearch(PortalSearch&&) noexcept;
    PortalSearch& operator=(PortalSearch&&) noexcept;

    // Begins a search, dropping the one before. `overlay` must outlive it; both cells are on its map and passable.
    void begin(const PortalOverlay& overlay, Cell start, Cell goal, const PortalSearchOptions& options = {});

    // The same, for the goal of `tree`: the way over portals is read off, and run() takes the tree on where it does not reach far enough
    // yet. No dearer over portals than that of the other. `tree` must outlive the search and begin no other goal meanwhile.
    void begin(PortalTree& tree, Cell start, const PortalSearchOptions& options = {});

    // Expands at most `budget` more portals or cells; then writes the path out: a part of it first, unless there is no limit.
    // kBudgetSpent: call again to go on. Final: kFound, kUnreachable.
    Status run(uint64_t budget = kUnlimited);

    // Portals and cells expanded, and crossings looked at.
    uint64_t expansions() const;

    // How often the way found goes from one window to the next.
    size_t crossings() const;

    // From start to goal, both included, when found. Before that: as much of it as is written and will not change.
    const std::vector<Cell>& cells() const;
    // Of the cells, when found.
    Cost cost() const;
    // Hands them over, when found, for memory to write the next ones to.
    void take_cells(std::vector<Cell>& out);

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
