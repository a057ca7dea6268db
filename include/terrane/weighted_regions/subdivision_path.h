// A path over a subdivision, its cost and lower bound, and its crossings.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/base/status.h"
#include "terrane/weighted_regions/subdivision.h"

namespace terrane {

// The result of a search over a subdivision. `points` is a polyline from start to goal, both included; two equal points if start and goal
// are the same. A unit of length costs the polygon's cost; along a boundary, the cost of the cheaper side; along the outline or a blocked
// polygon, the cost of the passable side. A path cannot pass between two blocked polygons that meet in a corner.
//
// `points` is empty unless the status is kFound, or kBudgetSpent and the search has an incumbent. kBlockedStart, kBlockedGoal: all polygons
// there are blocked. kOutsideMap: in no polygon, or not finite. A start or goal on a boundary is in all polygons around it. kOutOfMemory:
// the search has discarded its state and rebuilds it for the next query; only constructors throw (std::bad_alloc).
struct SubdivisionPath {
    Status status = Status::kUnreachable;
    std::vector<Point> points;
    double cost = 0;
    // No path costs less; proven, rounding errors included. The straight-line bound (distance times the lowest cost of a polygon) if the
    // method proves none of its own.
    double lower_bound = 0;
    uint64_t expansions = 0;

    explicit operator bool() const { return status == Status::kFound; }
    // Upper bound on (cost - optimum) / cost.
    double gap() const { return cost > 0 ? (cost - lower_bound) / cost : 0; }
};

// The nodes of a search, for pictures. A boundary or square is shown as its representative point.
struct SubdivisionTrace {
    std::vector<Point> expanded;  // in order
    std::vector<Point> open;      // in the open list at the end
};

// Returns the cost of a polyline, computed polygon by polygon without a search. Infinite if it leaves the subdivision or enters a blocked
// polygon by more than the tolerance, or passes between two blocked polygons at a corner. A piece within the tolerance of a boundary counts
// as travel along it; a piece hardly longer than the tolerance must be closer than that. 0 for fewer than two points. Takes time linear in
// the number of polygons that the polyline touches, a few microseconds for a path across 24.
double subdivision_path_cost(const Subdivision& subdivision, std::span<const Point> points);

// A point where a polyline passes from one cost to another.
struct SubdivisionCrossing {
    Point at;
    Point normal;                       // unit normal of the boundary, towards the side that the polyline enters; 0 at a corner
    double cost_from = 0, cost_to = 0;  // per unit length; along a boundary, of the cheaper side
    // Between the polyline and the normal, 0 to pi/2; 0 at a corner. The only results here whose last bit may depend on the C library.
    double angle_from = 0, angle_to = 0;
};

// Returns the crossings of a polyline in order; none if its subdivision_path_cost is infinite. An optimal path satisfies Snell's law at
// each crossing that is not a corner: cost_from * sin(angle_from) == cost_to * sin(angle_to). An angle of pi/2 is a piece along the
// boundary. Pieces no longer than the tolerance are ignored.
std::vector<SubdivisionCrossing> subdivision_path_crossings(const Subdivision& subdivision, std::span<const Point> points);

// Validates the endpoints of a query: kFound if both are in passable polygons, otherwise the status of the failed query. `from_in` and
// `to_in` receive the passable polygons that contain each, in ascending order.
Status subdivision_path_ends(const Subdivision& subdivision, Point from, Point to, std::vector<uint32_t>& from_in,
                             std::vector<uint32_t>& to_in);

}  // namespace terrane
