// String pulling through a corridor of linked polygons, optimisation of the crossing points, and the cost of the path.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/bp_solver.h"
#include "navmesh/abstraction/mesh_view.h"
#include "navmesh/search/query_costs.h"

namespace terrane {

struct CorridorStep {
    PolygonNumber polygon = kNoMeshPolygon;
    uint32_t link = 0;  // link of the previous polygon that leads here; unused in the first step
};

struct CorridorMeasure {
    double cost = 0;
    double length = 0;
};

// Removes loops: everything between two visits to the same polygon.
void cut_loops(std::vector<CorridorStep>& steps, std::vector<uint64_t>& scratch);

// Computes one path at a time and reuses its memory. All tiles of the corridor must exist.
class CorridorPath {
public:
    // Computes the shortest path, in the xz plane, through the corridor from a point of its first polygon to a point of its last.
    void pull_straight(const MeshView& view, const QueryCosts& costs, std::span<const CorridorStep> steps, const MeshPoint& start,
                       const MeshPoint& goal);
    // Optimises the crossing points of that path if its polygons have different costs; keeps the result if it is cheaper.
    void optimise_crossing_points();

    CorridorMeasure measure() const { return measure_; }
    // Appends start, turns, both ends of off-mesh connections and goal; with `crossings`, every portal crossing. A single point if start
    // and goal coincide.
    void points(bool crossings, std::vector<Vec3>& out) const;

    size_t bytes() const;

private:
    void load(const MeshView& view, const QueryCosts& costs, std::span<const CorridorStep> steps);
    void funnel();
    void cross_portals(int64_t after, const Point& from, int64_t before, const Point& to);
    MeshPoint crossing_point(size_t portal) const { return lerp(portals_[portal].left, portals_[portal].right, crossings_[portal]); }
    CorridorMeasure measure_path() const;
    bool is_fixed(size_t portal) const;
    bool may_bend(size_t portal) const;
    void load_bends();
    void place_bends();

    MeshPoint start_, goal_;
    std::vector<Portal> portals_;    // between polygons i and i + 1; left and right in walking direction
    std::vector<double> costs_;      // of polygon i
    std::vector<double> crossings_;  // position on portal i, 0 at the left end and 1 at the right
    CorridorMeasure measure_;

    BoundaryPointSolver solver_;
    std::vector<size_t> bends_;      // portals where the path may bend
    std::vector<Segment> segments_;  // of those portals
    std::vector<double> bend_costs_, bend_crossings_;
    std::vector<double> previous_crossings_;
};

}  // namespace terrane
