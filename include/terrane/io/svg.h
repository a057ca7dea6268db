// Draws maps, searches and paths as SVG.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "terrane/base/plane.h"
#include "terrane/base/result.h"
#include "terrane/grid/grid.h"

namespace terrane {

// A path in a drawing. Everything it refers to must outlive the call.
struct SvgPath {
    std::span<const Cell> cells;
    Rgb colour{236, 58, 54};
    std::string label;                     // tooltip; may be empty
    std::span<const Point> polyline = {};  // drawn instead of the cells if not empty, in units of cells
};

struct SvgOptions {
    int32_t pixels = 1024;            // initial size of the longer side
    std::span<const uint32_t> order;  // the order of expansion, as for draw_heat() (picture.h); empty: none
    uint64_t max_shapes = 1'000'000;  // of terrain and search; drawings with more are refused: use a PNG
};

// Draws the terrain as rectangles, one group per terrain with its name and colour; then the expanded cells, tinted from cool to hot; then
// each path with an outline, a disc at its start and a square at its goal. One unit is a cell. Deterministic. Fails for maps without
// cells and for more than max_shapes shapes.
Result<std::string> draw_svg(const GridSnapshot& grid, std::span<const SvgPath> paths = {}, const SvgOptions& options = {});
Result<void> save_svg(const std::string& path, const GridSnapshot& grid, std::span<const SvgPath> paths = {},
                      const SvgOptions& options = {});

}  // namespace terrane
