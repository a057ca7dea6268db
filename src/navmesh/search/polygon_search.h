// Time-sliced A* over the portals of the polygons of a few regions. Refines one segment of a region route.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "navmesh/search/corridor.h"
#include "navmesh/search/region_route.h"

namespace terrane {

// One segment: from a point on a polygon to a point on another polygon, or into a region.
struct PolygonTask {
    std::span<const NavmeshRegionId> regions;  // that may be entered, with those of both ends; must outlive the search
    PolygonNumber from = kNoMeshPolygon;
    MeshPoint start;
    PolygonNumber to = kNoMeshPolygon;               // kNoMeshPolygon: any polygon of `goal_region`
    NavmeshRegionId goal_region = kNoNavmeshRegion;  // if `to` is kNoMeshPolygon
    MeshPoint goal;                                  // on `to`, or the target of the heuristic
    NavmeshMethod method;                            // without portals, polygons are entered at the midpoints of their edges
};

class PolygonSearch {
public:
    PolygonSearch();
    ~PolygonSearch();

    // Begins a segment. `regions` and `costs` must outlive the search.
    void begin(const NavmeshAbstraction& regions, const MeshView& view, const QueryCosts& costs, const PolygonTask& task);

    // Like BestFirst::run; kStale if a polygon's area or flags differ from those of its region.
    Status run(uint64_t budget);
    uint64_t expansions() const;  // of this segment

    // Appends the polygons after `from`. Call it only after kFound.
    void append_to(std::vector<CorridorStep>& out) const;
    // Returns `goal` if the task has a `to`, else the entry point of the last polygon.
    MeshPoint end() const;

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
