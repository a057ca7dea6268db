// The polygon nearest to a point, of those that a filter lets pass.
#pragma once
#include <memory>
#include <span>

#include "navmesh/abstraction/mesh_view.h"
#include "navmesh/search/query_costs.h"

class dtNavMeshQuery;

namespace terrane {

struct Localised {
    PolygonNumber polygon = kNoMeshPolygon;
    MeshPoint spot;        // the point of it that is nearest
    bool blocked = false;  // no such polygon, but others

    explicit operator bool() const { return polygon != kNoMeshPolygon; }
};

class PolygonLocator {
public:
    explicit PolygonLocator(const dtNavMesh& mesh);

    // Within the extents, along each axis. Ties: the smaller number. Every tile is as `regions` know it.
    Localised locate(const NavmeshAbstraction& regions, const MeshView& view, const QueryCosts& costs, Vec3 point, Vec3 extents) const;

    // The same of the polygons of some regions, ascending, however far; off-mesh connections aside. There is one.
    Localised locate_among(std::span<const NavmeshRegionId> among, const NavmeshAbstraction& regions, const MeshView& view,
                           Vec3 point) const;

private:
    struct Free {
        void operator()(dtNavMeshQuery* query) const;
    };
    std::unique_ptr<dtNavMeshQuery, Free> query_;
};

}  // namespace terrane
