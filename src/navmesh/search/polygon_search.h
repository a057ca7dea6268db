// A* over the polygons of a few regions, by their portals; sliced. Refines one segment of a route at a time.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "navmesh/search/corridor.h"
#include "navmesh/search/region_route.h"

namespace terrane {

// From a point of a polygon to a point of another, or into a region.
struct PolygonTask {
    std::span<const NavmeshRegionId> regions;  // that may be entered, those of both ends among them; must outlive the search
    PolygonNumber from = kNoMeshPolygon;
    MeshPoint start;
    PolygonNumber to = kNoMeshPolygon;        // kNoMeshPolygon: the first polygon of `into`
    NavmeshRegionId into = kNoNavmeshRegion;  // where there is no `to`
    MeshPoint goal;                           // in `to`; or where to aim at
    NavmeshMethod method;                     // without portals, polygons are entered at the middles of their edges
};

class PolygonSearch {
public:
    PolygonSearch();
    ~PolygonSearch();

    // Begins a segment. `regions` and `costs` must outlive it.
    void begin(const NavmeshAbstraction& regions, const MeshView& view, const QueryCosts& costs, const PolygonTask& task);

    // As BestFirst::run; kStale where a polygon was met whose area or flags are not those of its region.
    Status run(uint64_t budget);
    uint64_t expansions() const;  // of this segment

    // Only when found. Appends the polygons after `from`.
    void append_to(std::vector<CorridorStep>& out) const;
    // Where the last of them is entered; `goal` where there is a `to`.
    MeshPoint end() const;

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
