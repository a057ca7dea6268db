// Triangles joined to convex polygons.
// Based on: Hertel, Mehlhorn 1983.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/grid/profile.h"
#include "terrane/weighted_regions/subdivision.h"
#include "weighted_regions/triangulation.h"

namespace terrane::detail {

// Sides that no wall is on are left out where what they part is convex together. Every part of the triangulation that walls enclose must
// have walls of one terrain on its side. Corners of 180 degrees are left out, too.
PolygonSet join_triangles(std::span<const LatticePoint> points, std::span<const Triangle> triangles, const CostTable& costs);

}  // namespace terrane::detail
