// Converts a terrain grid to a subdivision.
//
// Traces the outlines of regions from junction to junction, simplifies each once for both sides, so that neighbours still match,
// triangulates the regions (exactly, in integers), and merges the triangles into convex polygons.
// Based on: Douglas, Peucker 1973; Sloan 1993 (constrained Delaunay triangulation); Hertel, Mehlhorn 1983 (convex partition).
#pragma once
#include <cstdint>

#include "terrane/base/result.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/profile.h"
#include "terrane/weighted_regions/subdivision.h"

namespace terrane {

inline constexpr int32_t kMaxSubdivisionSide = 8192;  // cells

struct SubdivisionFromGridOptions {
    double tolerance = 0;  // simplifies outlines by at most this distance, in cells; finite. 0: exact outlines
};

// Builds convex polygons from the regions of one cost: orthogonally connected cells, where terrains of the same cost, and all terrains that
// the profile blocks, count as one. Cell (x, y) is the unit square from (x, y) to (x + 1, y + 1). The cost per unit length is the
// profile's divided by 100; terrain that the profile blocks is blocked.
//
// Guarantees at any tolerance: outlines do not cross or touch where they did not before, no region is lost or gets other neighbours, the
// border of the map stays exact, and vertices are corners of cells. Where these require it, outlines are simplified less.
//
// kBadValue: a map without cells, a tolerance that is negative or not finite. kTooLarge: sides above kMaxSubdivisionSide, or more polygons
// than make_subdivision accepts. Temporary memory: two bytes per cell.
//
// At tolerances 0 and 1: 51,160 and 16,852 polygons for a 2048x2048 map of 16 terrains, 0.4 and 0.2 s; 1,842 and 1,497 for a 512x512
// game map, 15 ms; 72,704 and 69,305 for a 512x512 maze with corridors one cell wide, 0.4 s.
Result<Subdivision> subdivision_from_grid(const GridSnapshot& grid, const CostTable& costs, const SubdivisionFromGridOptions& options = {});

}  // namespace terrane
