// What is wrong with polygons, each for itself.
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

// "polygon 3, vertex 17: "
std::string at_corner(size_t polygon, uint32_t vertex);

// Sizes, vertices and costs; where the polygons are.
Result<Extent> check_set(const PolygonSet& set);

// Corners, orientation, convexity, thickness. `set` has passed check_set.
Result<Done> check_polygon(const PolygonSet& set, size_t polygon, double tolerance);

}  // namespace terrane::detail
