#include "terrane/io/svg.h"

#include <algorithm>
#include <array>
#include <vector>

#include "io/colours.h"
#include "io/svg_shapes.h"
#include "terrane/base/file.h"

namespace terrane {

namespace {

using detail::decimal;

constexpr uint8_t kNothing = 255;     // a cell that no shape covers
constexpr uint32_t kHeatLevels = 32;  // shades of a search; one per expansion would give too many shapes

// Covers the cells of each value with rectangles: runs of a row, extended downwards while the next row has the same run.
class Shapes {
public:
    Shapes(const std::vector<uint8_t>& values, const GridLayout& layout) : values_(values), width_(static_cast<size_t>(layout.width)) {
        std::vector<Rect> open;
        for (int32_t y = 0; y < layout.height; ++y) open = next_row(y, open);
        for (const Rect& rect : open) add(rect);
    }

    uint64_t count() const { return count_; }
    const std::string& path(uint8_t value) const { return paths_[value]; }

private:
    uint8_t at(int32_t x, int32_t y) const { return values_[static_cast<size_t>(y) * width_ + static_cast<size_t>(x)]; }

    // Returns the open rectangles of this row from left to right: extended ones and new ones. Emits the others.
    std::vector<Rect> next_row(int32_t y, const std::vector<Rect>& above) {
        std::vector<Rect> row;
        auto old = above.begin();
        const auto width = static_cast<int32_t>(width_);
        for (int32_t left = 0, right = 0; left < width; left = right) {
            while (right < width && at(right, y) == at(left, y)) ++right;
            if (at(left, y) == kNothing) continue;
            for (; old != above.end() && old->x < left; ++old) add(*old);
            const bool extends = old != above.end() && old->x == left && old->right() == right && at(left, old->y) == at(left, y);
            row.push_back(extends ? Rect{old->corner(), {old->width, old->height + 1}} : Rect{{left, y}, {right - left, 1}});
            if (extends) ++old;
        }
        for (; old != above.end(); ++old) add(*old);
        return row;
    }

    // "M3 4h5v1h-5z"
    void add(const Rect& r) {
        const std::string width = std::to_string(r.width);
        ++count_;
        paths_[at(r.x, r.y)] +=
            'M' + std::to_string(r.x) + ' ' + std::to_string(r.y) + 'h' + width + 'v' + std::to_string(r.height) + "h-" + width + 'z';
    }

    const std::vector<uint8_t>& values_;
    size_t width_;
    std::array<std::string, 256> paths_;
    uint64_t count_ = 0;
};

Terrain most_frequent(const GridSnapshot& grid) {
    Terrain best = 0;
    for (uint32_t t = 1; t < grid.catalogue().size(); ++t) {
        if (grid.count(static_cast<Terrain>(t)) > grid.count(best)) best = static_cast<Terrain>(t);
    }
    return best;
}

// The most frequent terrain is one rectangle behind the others.
uint64_t append_terrain(std::string& out, const GridSnapshot& grid) {
    const Terrain back = most_frequent(grid);
    std::vector<uint8_t> values = grid.cells();
    std::ranges::replace(values, back, kNothing);
    const Shapes shapes(values, grid.layout());
    const auto group = [&](Terrain t, const std::string& path) {
        const TerrainType& type = grid.catalogue()[t];
        out += "<path fill=\"#" + detail::hex(type.colour) + "\" d=\"" + path + "\"><title>" + type.name + "</title></path>\n";
    };
    out += "<g shape-rendering=\"crispEdges\">\n";
    group(back, "M0 0h" + std::to_string(grid.width()) + 'v' + std::to_string(grid.height()) + "H0z");
    for (uint32_t t = 0; t < grid.catalogue().size(); ++t) {
        const auto terrain = static_cast<Terrain>(t);
        if (!shapes.path(terrain).empty()) group(terrain, shapes.path(terrain));
    }
    out += "</g>\n";
    return shapes.count() + 1;
}

uint64_t append_heat(std::string& out, std::span<const uint32_t> order, const GridLayout& layout) {
    const uint32_t last = std::max(*std::ranges::max_element(order), 1u);
    std::vector<uint8_t> levels(order.size(), kNothing);
    for (size_t i = 0; i < order.size(); ++i) {
        if (order[i] > 0) levels[i] = static_cast<uint8_t>(uint64_t{order[i] - 1} * kHeatLevels / last);
    }
    const Shapes shapes(levels, layout);
    out += "<g shape-rendering=\"crispEdges\" fill-opacity=\"0.66\">\n";
    for (uint32_t level = 0; level < kHeatLevels; ++level) {
        const std::string& path = shapes.path(static_cast<uint8_t>(level));
        if (!path.empty()) {
            out += "<path fill=\"#" + detail::hex(detail::heat_colour(level + 1, kHeatLevels)) + "\" d=\"" + path + "\"/>\n";
        }
    }
    out += "</g>\n";
    return shapes.count();
}

// The centres of the cells where the path turns, and of its ends.
std::vector<Point> corners_of(std::span<const Cell> cells) {
    const auto straight = [&](size_t i) {
        const Cell a = cells[i - 1], b = cells[i], c = cells[i + 1];
        return b.x - a.x == c.x - b.x && b.y - a.y == c.y - b.y;
    };
    std::vector<Point> points;
    for (size_t i = 0; i < cells.size(); ++i) {
        if (i == 0 || i + 1 == cells.size() || !straight(i)) points.push_back({cells[i].x + 0.5, cells[i].y + 0.5});
    }
    return points;
}

std::vector<Point> points_of(const SvgPath& path) {
    return path.polyline.empty() ? corners_of(path.cells) : std::vector<Point>(path.polyline.begin(), path.polyline.end());
}

}  // namespace

Result<std::string> draw_svg(const GridSnapshot& grid, std::span<const SvgPath> paths, const SvgOptions& options) {
    if (grid.layout().cells() == 0) return Error{ErrorCode::kUnsupported, {}, 0, "a map without cells cannot be drawn"};
    TERRANE_ASSERT(options.order.empty() || options.order.size() == grid.layout().cells());
    const int32_t side = std::max(grid.width(), grid.height());
    const double pixels = static_cast<double>(std::max(options.pixels, 1)) / side;  // per cell
    const std::string width = std::to_string(grid.width()), height = std::to_string(grid.height());
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
                      decimal(grid.width() * pixels) + "\" height=\"" + decimal(grid.height() * pixels) + "\" viewBox=\"0 0 " + width +
                      ' ' + height + "\">\n";
    uint64_t shapes = append_terrain(out, grid);
    if (!options.order.empty()) shapes += append_heat(out, options.order, grid.layout());
    if (shapes > options.max_shapes) {
        return Error{ErrorCode::kTooLarge,
                     {},
                     0,
                     "the drawing has " + std::to_string(shapes) + " shapes, more than the limit of " + std::to_string(options.max_shapes) +
                         "; draw it as a PNG"};
    }
    for (const SvgPath& path : paths)
        detail::append_polyline(out, points_of(path), path.colour, path.label, std::max(3 / pixels, 0.2), std::max(6 / pixels, 0.3));
    out += "</svg>\n";
    return out;
}

Result<void> save_svg(const std::string& path, const GridSnapshot& grid, std::span<const SvgPath> paths, const SvgOptions& options) {
    const auto svg = draw_svg(grid, paths, options);
    if (!svg) return Error{svg.error().code, path, 0, svg.error().reason};
    return write_file(path, *svg);
}

}  // namespace terrane
