// Straightens a path over a grid in the plane: the cheapest line near it, bent by Snell's law where the ground changes.
//
// In the plane, cell (x, y) is the unit square from (x, y) to (x + 1, y + 1), and a unit of the way through it costs what its terrain does.
// There a grid path, from centre to centre, costs just what it costs on the grid (exact_cost, path.h). With the point solver of
// boundary_points.h. Based on: Goodwin, Menon, Price 2006, section 7 (the hierarchy left to future work).
//
// Only + - * / and square roots of doubles: the same bits from every compiler.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/grid/cell.h"
#include "terrane/grid/ground.h"

namespace terrane {

// What the line through the points costs, in the units of exact_cost (path.h); infinite where it leaves the map or enters a blocked cell.
// Along a side between two cells the cheaper one counts, and a wall's side or the map's edge can be walked along. What is nearer than 1e-9
// to a side or a corner is on it; points nearer than that to the one before are passed over. 0 for no points.
//
// Movement matters at one place alone: with kCutting, a line may slip through a corner between two blocked cells. A line through a corner
// beside one blocked cell is legal under every rule, since there is a way past it, however narrow; and over passable cells any direction
// is, with kFour as well.
double line_cost(const Ground& ground, std::span<const Point> points);

// Scratch: one per thread, reused; grows with the longest path that it has seen, some 270 bytes for each cell, and allocates nothing
// otherwise.
class Refractor {
public:
    Refractor();
    ~Refractor();
    Refractor(Refractor&&) noexcept;
    Refractor& operator=(Refractor&&) noexcept;

    // Replaces what is in `points` by a line from the centre of the first cell to that of the last, and returns what it costs (line_cost):
    // never more than the path does (exact_cost). It bends at corners of cells and where the ground changes, there by Snell's law; where
    // nothing was to be gained, it is the path. `cells` must be a legal path (path_cost). No points for none, one for one.
    //
    // The best line nearby, not always the best of all: it may leave the cells of the path, but not for another way around something.
    // One to two microseconds for each cell of a path on the weighted maps, 200 rounds over it at most.
    double refract(const Ground& ground, std::span<const Cell> cells, std::vector<Point>& points);

    size_t bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace terrane
