// A sequence of linked polygons, and the path through it: pulled straight, refracted, measured.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/boundary_points.h"
#include "navmesh/abstraction/mesh_view.h"
#include "navmesh/search/query_costs.h"

namespace terrane {

struct CorridorStep {
    PolygonNumber polygon = kNoMeshPolygon;
    uint32_t link = 0;  // of the polygon before, by which this one is entered; of the first: anything
};

struct CorridorMeasure {
    double cost = 0;
    double length = 0;
};

// Leaves out every loop: what lies between two visits to a polygon.
void cut_loops(std::vector<CorridorStep>& steps, std::vector<uint64_t>& scratch);

// Scratch, and the last path. All tiles are there.
class CorridorPath {
public:
    // The shortest path through the corridor from a point of its first polygon to one of its last, seen from above.
    void pull_straight(const MeshView& view, const QueryCosts& costs, std::span<const CorridorStep> steps, const MeshPoint& start,
                       const MeshPoint& goal);
    // Refracts that path where its polygons have different costs, and keeps the result where it is cheaper.
    void refract();

    CorridorMeasure measure() const { return measure_; }
    // Where it bends, and both ends of off-mesh connections; or, with `crossings`, wherever it enters a polygon. Start and goal included,
    // once where they are the same point. Appends.
    void points(bool crossings, std::vector<Vec3>& out) const;

    size_t bytes() const;

private:
    void load(const MeshView& view, const QueryCosts& costs, std::span<const CorridorStep> steps);
    void funnel();
    void cross_portals(int64_t after, const Point& from, int64_t before, const Point& to);
    MeshPoint spot(size_t portal) const { return lerp(portals_[portal].left, portals_[portal].right, places_[portal]); }
    CorridorMeasure measure_path() const;
    bool is_fixed(size_t portal) const;
    bool may_bend(size_t portal) const;
    void load_bends();
    void place_bends();

    MeshPoint start_, goal_;
    std::vector<Portal> portals_;  // between polygons i and i + 1; left and right as one walks
    std::vector<double> costs_;    // of polygon i
    std::vector<double> places_;   // on the portals, 0 at the left end
    CorridorMeasure measure_;

    BoundaryPointSolver solver_;
    std::vector<size_t> bends_;      // portals
    std::vector<Segment> segments_;  // those
    std::vector<double> bend_costs_, bend_places_;
    std::vector<double> other_places_;
};

}  // namespace terrane
