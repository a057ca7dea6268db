// Finds the polygon nearest to a point among those that pass a filter.
#pragma once
#include <memory>
#include <span>

#include "navmesh/abstraction/mesh_view.h"
#include "navmesh/search/query_costs.h"

class dtNavMeshQuery;

namespace terrane {

struct PolygonLocation {
    PolygonNumber polygon = kNoMeshPolygon;
    MeshPoint point;       // nearest point on the polygon
    bool blocked = false;  // only polygons that do not pass the filter were found

    explicit operator bool() const { return polygon != kNoMeshPolygon; }
};

class PolygonLocator {
public:
    explicit PolygonLocator(const dtNavMesh& mesh);

    // Searches within the extents along each axis. Ties: the smaller polygon number. `regions` must be current.
    PolygonLocation locate(const NavmeshAbstraction& regions, const MeshView& view, const QueryCosts& costs, Vec3 point,
                           Vec3 extents) const;

    // Searches the polygons of the regions `among` (sorted by id) without a distance limit. Ignores off-mesh connections; at least one
    // other polygon must exist.
    PolygonLocation locate_among(std::span<const NavmeshRegionId> among, const NavmeshAbstraction& regions, const MeshView& view,
                                 Vec3 point) const;

private:
    struct Free {
        void operator()(dtNavMeshQuery* query) const;
    };
    std::unique_ptr<dtNavMeshQuery, Free> query_;
};

}  // namespace terrane
