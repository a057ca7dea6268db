// Pictures of subdivisions: polygons shaded by cost, paths, expanded and open nodes.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "terrane/io/picture.h"
#include "terrane/weighted_regions/square_search.h"
#include "terrane/weighted_regions/subdivision.h"
#include "terrane/weighted_regions/subdivision_path.h"

namespace terrane {

struct SubdivisionPolyline {
    std::span<const Point> points;
    Rgb colour{236, 58, 54};
    std::string label = {};  // tooltip in SVG; may be empty
};

// Everything that it refers to must outlive the call. Higher costs are darker; blocked polygons are brown. Expanded nodes are purple, open
// nodes cyan. y points down, as on a map, unless `y_up`.
struct SubdivisionDrawing {
    const Subdivision* subdivision = nullptr;
    std::vector<SubdivisionPolyline> polylines = {};
    const SubdivisionTrace* trace = nullptr;           // optional
    std::span<const SquareSearch::Leaf> squares = {};  // drawn as outlines
    int32_t pixels = 800;                              // length of the longer side; 16 to kMaxPictureSide
    bool y_up = false;
};

Picture draw_subdivision(const SubdivisionDrawing& drawing);

// `pixels` may exceed kMaxPictureSide: it sets the nominal size of the SVG.
std::string draw_subdivision_svg(const SubdivisionDrawing& drawing);

}  // namespace terrane
