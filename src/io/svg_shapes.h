// Shapes shared by SVG drawings.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/plane.h"
#include "terrane/grid/terrain.h"

namespace terrane::detail {

// Formats a number with at most three decimals: "12.5".
std::string decimal(double value);

// Escapes text for XML content. Control characters, which XML cannot represent, become `?`.
std::string escape_xml(std::string_view text);

// "1,2 3.5,4"
std::string svg_points(std::span<const Point> points);

// Appends an outlined polyline with a disc at its start and a square at its end. `label` is its tooltip; `width` and `mark` (the radius
// of the marks) are in units of the drawing.
void append_polyline(std::string& out, std::span<const Point> points, Rgb colour, std::string_view label, double width, double mark);

}  // namespace terrane::detail
