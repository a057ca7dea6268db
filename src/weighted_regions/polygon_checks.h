// Validates polygons individually. subdivision_maker.h checks how they fit together.
#pragma once
#include <string>

#include "terrane/base/result.h"
#include "terrane/weighted_regions/subdivision.h"

namespace terrane::detail {

inline constexpr double kSubdivisionTolerance = 1e-9;  // times the extent

struct Extent {
    Point low, high;
    double tolerance = 0;
};

inline Error refuse_polygons(ErrorCode code, std::string reason) { return {code, {}, 0, std::move(reason)}; }
inline Error bad_polygons(std::string reason) { return refuse_polygons(ErrorCode::kBadValue, std::move(reason)); }

// Message prefix "polygon 3, vertex 17: ".
std::string at_corner(size_t polygon, uint32_t vertex);

// Checks sizes, vertices and costs; returns the extent of the polygons.
Result<Extent> check_set(const PolygonSet& set);

// Checks corners, orientation, convexity and thickness. `set` must have passed check_set.
Result<void> check_polygon(const PolygonSet& set, size_t polygon, double tolerance);

}  // namespace terrane::detail
