// Pictures of subdivisions: polygons shaded by cost, paths, what a search looked at.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "terrane/io/picture.h"
#include "terrane/weighted_regions/open_path.h"
#include "terrane/weighted_regions/square_search.h"
#include "terrane/weighted_regions/subdivision.h"

namespace terrane {

struct FieldLine {
    std::span<const Point> points;
    Rgb colour{236, 58, 54};
    std::string label = {};  // shown in SVG where the pointer rests; may be empty
};

// What it refers to must outlive the call. Dearer is darker; blocked polygons are brown. Expanded nodes are purple, those left open
// cyan. y points down, as on a map, unless `y_up`.
struct FieldDrawing {
    const Subdivision* field = nullptr;
    std::vector<FieldLine> lines = {};
    const OpenTrace* trace = nullptr;                  // if any
    std::span<const SquareSearch::Leaf> squares = {};  // drawn as outlines
    int32_t pixels = 800;                              // longer side; 16 to kMaxPictureSide
    bool y_up = false;
};

Picture draw_field(const FieldDrawing& drawing);

// Any size: one unit is a pixel, as it is first shown.
std::string draw_field_svg(const FieldDrawing& drawing);

}  // namespace terrane
