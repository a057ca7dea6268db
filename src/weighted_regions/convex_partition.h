// Merges triangles into convex polygons.
// Based on: Hertel, Mehlhorn 1983.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/grid/profile.h"
#include "terrane/weighted_regions/subdivision.h"
#include "weighted_regions/triangulation.h"

namespace terrane::detail {

// Removes an unconstrained edge if the polygons on its two sides are convex together. All constraints around one connected part of the
// triangulation must have the same terrain on its side. Corners of 180 degrees are removed, too.
PolygonSet merge_triangles(std::span<const LatticePoint> points, std::span<const Triangle> triangles, const CostTable& costs);

}  // namespace terrane::detail
