// Search over the portals of terrain regions, from one cell to another: weighted A*, sliced.
//
// A node is a portal. Its g-value is the cost up to the middle of the step between its two cells, half of which each of the two regions
// pays. A path continues only into the region that it has not just crossed: distances inside a region are lengths of shortest paths, so it
// never pays to cross the same region twice in a row.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "regions/region_portals.h"
#include "terrane/grid/ground.h"
#include "terrane/search/best_first.h"

namespace terrane {

class PortalRoute {
public:
    PortalRoute();
    ~PortalRoute();
    PortalRoute(PortalRoute&&) noexcept;
    PortalRoute& operator=(PortalRoute&&) noexcept;

    // Both cells must be passable. Everything passed must outlive the search.
    void begin(const detail::RegionPortals& portals, const Ground& ground, Cell start, Cell goal);

    // Expands at most `budget` more portals. Final: kFound, kUnreachable.
    Status run(uint64_t budget = kUnlimited);

    uint64_t expansions() const;
    // After kFound. The cost of the best path through the portals of the route.
    Cost cost() const;
    // Writes the two cells of each portal, in travel order, then the goal. The first of two cells is in the region of the cell before it.
    void waypoints(std::vector<Cell>& out) const;

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
