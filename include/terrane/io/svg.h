// Drawings of maps, searches and paths that can be enlarged without end: SVG.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "terrane/base/plane.h"
#include "terrane/base/result.h"
#include "terrane/grid/grid.h"

namespace terrane {

// A path in a drawing. What it refers to must outlive the call.
struct SvgPath {
    std::span<const Cell> cells;
    Rgb colour{236, 58, 54};
    std::string label;                 // shown where the pointer rests; may be empty
    std::span<const Point> line = {};  // drawn in place of the cells, where there is one: in units of cells
};

struct SvgOptions {
    int32_t pixels = 1024;            // longer side, as it is first shown
    std::span<const uint32_t> order;  // what a search expanded, as of draw_heat (picture.h); empty: none
    uint64_t max_shapes = 1'000'000;  // of terrain and search; more is refused: such a map is better drawn as a PNG
};

// Terrain in rectangles, a group for each with its name and colour; then what was searched, tinted from cool to hot; then each
// path, outlined, with a disc at its start and a square at its goal. One unit is a cell. The same bytes for the same
// input. Refused: maps without cells, and those of too many shapes.
Result<std::string> draw_svg(const GridSnapshot& grid, std::span<const SvgPath> paths = {}, const SvgOptions& options = {});
Result<Done> save_svg(const std::string& path, const GridSnapshot& grid, std::span<const SvgPath> paths = {},
                      const SvgOptions& options = {});

}  // namespace terrane
