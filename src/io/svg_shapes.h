// What drawings in SVG share.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/plane.h"
#include "terrane/grid/terrain.h"

namespace terrane::detail {

// "12.5": at most three decimals.
std::string decimal(double value);

// Text between tags. Control characters, which XML cannot hold, become `?`.
std::string escape_xml(std::string_view text);

// "1,2 3.5,4"
std::string svg_points(std::span<const Point> points);

// A line of this width, outlined, with a disc at its start and a square at its goal; the label is shown where the pointer rests.
void append_way(std::string& out, std::span<const Point> points, Rgb colour, std::string_view label, double width, double mark);

}  // namespace terrane::detail
