// A route through the regions of a navigation mesh, by their centres or by where they are entered; sliced.
#pragma once
#include <memory>
#include <vector>

#include "navmesh/abstraction/mesh_view.h"
#include "navmesh/search/query_costs.h"
#include "terrane/search/best_first.h"

namespace terrane {

// Where a route comes into a region.
struct RouteStop {
    NavmeshRegionId region = kNoNavmeshRegion;
    MeshPoint place;  // the region's position; with portals, a point of its border. Of the first region: the start
};

class RegionRoute {
public:
    RegionRoute();
    ~RegionRoute();

    // Forgets the search: no expansions.
    void clear();
    // `regions` and `costs` must outlive the search. Both ends are in regions that may be entered; without a `to`, no route is found, and
    // everything in reach is visited.
    void begin(const NavmeshAbstraction& regions, const QueryCosts& costs, NavmeshMethod method, NavmeshRegionId from,
               const MeshPoint& start, NavmeshRegionId to, const MeshPoint& goal);

    // As BestFirst::run.
    Status run(uint64_t budget);
    uint64_t expansions() const;

    // From the region of the start to that of the goal. Only when found.
    void stops(std::vector<RouteStop>& out) const;

    // Appends every region that the search has come to, ascending.
    void reached(std::vector<NavmeshRegionId>& out) const;

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
