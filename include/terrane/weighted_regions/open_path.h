// A path over a subdivision, and what is known of it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/base/status.h"
#include "terrane/weighted_regions/subdivision.h"

namespace terrane {

// `points` runs from start to goal, both included (two, the same, where they are), straight in between. The way of a unit through a polygon
// costs what the polygon does; along a boundary, what the cheaper side does; along the outline or a blocked polygon, what the one passable
// side does. No path leads between two blocked polygons that meet in a corner.
//
// Empty with any other status than kFound; with kBudgetSpent a search that has a path to show, shows it. kBlockedStart, kBlockedGoal:
// all polygons there are blocked. kOutsideMap: in no polygon, or not finite. A start or goal on a boundary is in all polygons around it.
// kOutOfMemory: the search has dropped what it had, and begins the next query anew; only its constructor throws (std::bad_alloc).
struct OpenPath {
    Status status = Status::kUnreachable;
    std::vector<Point> points;
    double cost = 0;
    double lower_bound =
        0;  // proven, rounding errors included: no path costs less. Cheapest ground as the crow flies, where the method knows no better
    uint64_t expansions = 0;  // of the search that found it

    explicit operator bool() const { return status == Status::kFound; }
    // How far above optimal it may be at most, as a share of its cost.
    double gap() const { return cost > 0 ? (cost - lower_bound) / cost : 0; }
};

// What a search looked at, for pictures.
struct OpenTrace {
    std::vector<Point> expanded;  // in order; of an expanded boundary or square, the point that stands for it
    std::vector<Point> open;      // what was left waiting at the end
};

// What the line through the points costs, worked out polygon by polygon, without any search: infinite where it leaves the subdivision or
// enters a blocked polygon by more than the tolerance, or slips through a corner as above. A stretch within the tolerance of a boundary
// runs along it; one that is hardly longer than the tolerance has to be nearer. 0 for no points and for one. Takes time in proportion to
// the polygons that the line touches, a few microseconds for a path across 24.
double open_path_cost(const Subdivision& field, std::span<const Point> points);

// Where a line passes from ground of one cost to ground of another.
struct OpenCrossing {
    Point at;
    Point normal;                       // of the boundary, of length 1, towards the side that the line goes to; 0 at a corner
    double cost_from = 0, cost_to = 0;  // of a unit of the way; along a boundary, that of the cheaper side
    // Between the line and the normal, 0 to pi/2; 0 at a corner. Their last bit may differ from one C library to another: nothing else here
    // does.
    double angle_from = 0, angle_to = 0;
};

// Those of a line that open_path_cost gives a finite cost, in order. A best path keeps Snell's law at each that is no corner:
// cost_from * sin(angle_from) == cost_to * sin(angle_to); an angle of pi/2 is that of a stretch along the boundary. Stretches within the
// tolerance are passed over. Empty for a line that cannot be walked.
std::vector<OpenCrossing> open_path_crossings(const Subdivision& field, std::span<const Point> points);

// kFound where both are in passable polygons, or the status that says why not. `from_in` and `to_in` get the passable polygons around
// each, in order. The first thing that every search does.
Status open_path_ends(const Subdivision& field, Point from, Point to, std::vector<uint32_t>& from_in, std::vector<uint32_t>& to_in);

}  // namespace terrane
