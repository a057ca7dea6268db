// The ways from all portals of an overlay to one goal: one search, from the goal backwards, for all who go there.
//
//   PortalTree tree;
//   tree.begin(overlay, castle);
//   for (const Cell soldier : army) {
//       search.begin(tree, soldier);                         // a PortalSearch: the way is read off
//       if (search.run() == Status::kFound) march(search.cells());
//   }
//
// Dijkstra's algorithm over portals, as far from the goal as anyone who asked has needed: who asks from near by does not pay for the
// whole map, and who asks next pays for what is farther out only. What is read off does not depend on who asked before.
//
// Memory: 16 bytes for each number that a portal may have (a line has as many as the line with the most portals, rounded up to a power of
// two), in pages of 64, for the part that the search came to; and the queue of the search.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "terrane/base/attributes.h"
#include "terrane/overlay/portal_overlay.h"
#include "terrane/search/best_first.h"

namespace terrane {

// One goal at a time; belongs to one thread. Where memory runs out (std::bad_alloc), it must begin again.
class TERRANE_EXPERIMENTAL PortalTree {
public:
    PortalTree();
    ~PortalTree();
    PortalTree(PortalTree&&) noexcept;
    PortalTree& operator=(PortalTree&&) noexcept;

    // Begins a tree, dropping the one before. Holds on to the overlay; `goal` is on its map and passable.
    void begin(const PortalOverlay& overlay, Cell goal);

    // All below: only once it has begun.
    const PortalOverlay& overlay() const;
    Cell goal() const;

    // Expands at most `budget` more portals; true when all that lead to the goal are known.
    bool run(uint64_t budget = kUnlimited);

    // Portals nearer to the goal than this have their distances and steps for good; kInfinite when all do.
    uint64_t reach() const;

    // From a portal to the goal, in the overlay's units, as far as is known: kInfinite where no way is.
    uint64_t distance(PortalId portal) const;

    struct Step {
        PortalId next = kNoPortal;  // kNoPortal: to the goal itself
        uint32_t window = 0;        // that it goes through
    };
    // The first step from a portal to the goal. Only where a way is known.
    Step step(PortalId portal) const;

    uint64_t expansions() const;
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
