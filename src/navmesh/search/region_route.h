// Time-sliced search for a route through the regions of a navigation mesh, by region centres or by entry points.
#pragma once
#include <memory>
#include <vector>

#include "navmesh/abstraction/mesh_view.h"
#include "navmesh/search/query_costs.h"
#include "terrane/search/best_first.h"

namespace terrane {

// A region of a route and its entry point.
struct RouteStop {
    NavmeshRegionId region = kNoNavmeshRegion;
    MeshPoint point;  // the region's position; with portals, a point on its border. In the first region: the start
};

class RegionRoute {
public:
    RegionRoute();
    ~RegionRoute();

    // Discards the search and resets expansions().
    void clear();
    // `regions` and `costs` must outlive the search. Both regions must pass the filter. If `to` is kNoNavmeshRegion, the search finds no
    // route and visits all reachable regions.
    void begin(const NavmeshAbstraction& regions, const QueryCosts& costs, NavmeshMethod method, NavmeshRegionId from,
               const MeshPoint& start, NavmeshRegionId to, const MeshPoint& goal);

    // Like BestFirst::run.
    Status run(uint64_t budget);
    uint64_t expansions() const;

    // Writes the route from the start region to the goal region. Call it only after kFound.
    void stops(std::vector<RouteStop>& out) const;

    // Appends all regions that the search has reached, sorted by id.
    void reached(std::vector<NavmeshRegionId>& out) const;

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
