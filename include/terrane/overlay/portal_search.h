// Finds paths with a portal overlay: searches over portals, optimises the crossing points on cluster borders, and reads the cells off the
// clusters' first-move tables.
//
// Start and goal connect to the portals of their clusters through first-move tables. The crossings of border segments between the first
// and the last one then move along their borders, by dynamic programming over the cells of all of these borders. portal_tree.h shares one
// search among many starts.
//
// Between near ends, portals may force a detour. There A* on the cells of the whole map runs first, and usually finds the optimum before
// a search over portals would pay off. If not, the portals' path becomes the incumbent, and A* continues until no path can be cheaper.
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
    bool optimise_crossings = true;  // move crossing points along their border segments
    uint64_t cells_first = 0;        // expansions of A* on cells before the search over portals, even between far ends; 0: near ends only
};

// Scratch memory and state of one search at a time, reused; allocates nothing after warm-up. One thread at a time. Caches the first-move
// tables that an overlay has no room for, in at most `first_move_bytes` (least recently used goes first). Answers do not depend on the
// cache.
class TERRANE_EXPERIMENTAL PortalSearch {
public:
    explicit PortalSearch(size_t first_move_bytes = size_t{4} << 20);
    ~PortalSearch();
    PortalSearch(PortalSearch&&) noexcept;
    PortalSearch& operator=(PortalSearch&&) noexcept;

    // Begins a search and drops the previous one. Both cells are on the map and passable. `overlay` must outlive the search.
    void begin(const PortalOverlay& overlay, Cell start, Cell goal, const PortalSearchOptions& options = {});

    // The same with the goal of `tree`: run() reads the portal path off the tree, and grows the tree first if it does not reach the start
    // yet. The path over portals costs no more than that of the other overload. `tree` must outlive the search and keep its goal
    // meanwhile.
    void begin(PortalTree& tree, Cell start, const PortalSearchOptions& options = {});

    // Expands at most `budget` more portals or cells, then writes the cells out: the first leg in a call of its own, unless the budget is
    // unlimited. Returns kBudgetSpent if there is more to do; kFound and kUnreachable are final.
    Status run(uint64_t budget = kUnlimited);

    // Makes the best path so far the final one. Returns kBudgetSpent if there is none yet.
    Status finish_early();

    // When found: whether no path costs less.
    bool optimal() const;
    // When found and not optimal: continues A* on cells, which is pruned by `incumbent`, the cost of a known path. Expands at most `budget`
    // more cells. kFound: cells() is the optimum now; kUnreachable: no path costs less than `incumbent`.
    Status improve(Cost incumbent, uint64_t budget);

    // Expanded portals and cells, plus crossings examined.
    uint64_t expansions() const;
    // The same when the first cells became final. Does not depend on the slicing.
    uint64_t expansions_first() const;

    // How often the path found goes from one cluster to the next.
    size_t crossings() const;

    // When found: the path, with start and goal. Before that: its final prefix, as far as it is written.
    const std::vector<Cell>& cells() const;
    // Of the cells, when found.
    Cost cost() const;
    // When found: swaps the cells with `out`, whose memory the next search reuses.
    void take_cells(std::vector<Cell>& out);

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
