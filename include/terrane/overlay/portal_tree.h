// Shortest-path tree over the portals of an overlay, rooted at a goal: one backward search for all agents that go there.
//
//   PortalTree tree;
//   tree.begin(overlay, castle);
//   for (const Cell soldier : army) {
//       search.begin(tree, soldier);                         // a PortalSearch: reads the path off the tree
//       if (search.run() == Status::kFound) march(search.cells());
//   }
//
// Dijkstra's algorithm from the goal, as far out as the queries so far needed: a query from nearby does not pay for the whole map, and
// the next one pays only for what lies farther out. Answers do not depend on earlier queries.
//
// Memory: 16 bytes per possible portal id (every segment has as many as the one with the most portals, rounded up to a power of two), in
// pages of 64, for the part that the search reached; plus the search's queue.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "terrane/base/attributes.h"
#include "terrane/overlay/portal_overlay.h"
#include "terrane/search/best_first.h"

namespace terrane {

// One goal at a time; one thread at a time. After std::bad_alloc, call begin() again.
class TERRANE_EXPERIMENTAL PortalTree {
public:
    PortalTree();
    ~PortalTree();
    PortalTree(PortalTree&&) noexcept;
    PortalTree& operator=(PortalTree&&) noexcept;

    // Begins a tree and drops the previous one. `goal` is on the map and passable. Keeps the overlay alive.
    void begin(const PortalOverlay& overlay, Cell goal);

    // All below: only after begin().
    const PortalOverlay& overlay() const;
    Cell goal() const;

    // Expands at most `budget` more portals. Returns true when all portals that connect to the goal are settled.
    bool run(uint64_t budget = kUnlimited);

    // Portals nearer to the goal than this are settled: distance() and step() are final. kInfinite when all are.
    uint64_t settled_radius() const;

    // From a portal to the goal, in the overlay's units; an upper bound until settled. kInfinite if no path is known.
    uint64_t distance(PortalId portal) const;

    struct Step {
        PortalId next = kNoPortal;  // kNoPortal: the goal itself
        uint32_t cluster = 0;       // the step stays inside it
    };
    // The first step from a portal towards the goal. Only if distance() is finite.
    Step step(PortalId portal) const;

    uint64_t expansions() const;
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
