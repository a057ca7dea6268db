// Turns a grid path into an any-angle path: the locally cheapest polyline near it, refracted by Snell's law where the terrain cost changes.
//
// Cell (x, y) is the unit square from (x, y) to (x + 1, y + 1); travel through it costs its terrain's cost per unit length. The polyline
// through the cell centres of a grid path costs exactly what the path costs on the grid (exact_cost, path.h). Crossing points come from the
// solver in bp_solver.h. Based on: Goodwin, Menon, Price 2006, section 7 (the hierarchy left to future work).
//
// Uses only + - * / and square roots of doubles: the same bits from every compiler.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/grid/cell.h"
#include "terrane/grid/ground.h"

namespace terrane {

// Returns the cost of a polyline in the units of exact_cost (path.h); infinite if it leaves the map or enters a blocked cell. Along a side
// between two cells the cheaper one counts; sides of blocked cells and the border of the map are walkable. Within 1e-9 cells of a side or
// corner counts as on it; points within 1e-9 of their predecessor are skipped. 0 for no points.
//
// The movement rule matters in one case only: with kEightCutCorners, a polyline may pass through a corner between two blocked cells. A
// polyline through a corner beside one blocked cell is legal under every rule, since it can pass the corner at any small distance. Over
// passable cells every direction is legal, even with kFour.
double polyline_cost(const Ground& ground, std::span<const Point> points);

// Scratch memory of one thread, reused between calls. Grows with the longest path seen, about 270 bytes per cell, and allocates nothing
// otherwise.
class Refractor {
public:
    Refractor();
    ~Refractor();
    Refractor(Refractor&&) noexcept;
    Refractor& operator=(Refractor&&) noexcept;

    // Replaces `points` with an any-angle path from the centre of the first cell to the centre of the last, and returns its cost
    // (polyline_cost), which never exceeds that of the grid path (exact_cost). It bends at corners of cells and, by Snell's law, where the
    // terrain cost changes; it equals the grid path if nothing was gained. `cells` must be a legal path (path_cost). One cell gives one
    // point, no cells give none.
    //
    // The result is a local optimum: it may leave the cells of the path, but does not switch to another side of an obstacle.
    // Takes 1 to 2 us per cell of the path on the weighted benchmark maps; at most 200 rounds.
    double refract(const Ground& ground, std::span<const Cell> cells, std::vector<Point>& points);

    size_t bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace terrane
