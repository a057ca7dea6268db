#include "terrane/io/picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "io/brush.h"
#include "io/colours.h"

namespace terrane {

namespace {

using detail::blend;

constexpr int32_t kMaxScale = 32;
constexpr int32_t kGridLineScale = 8;  // pixels per cell from which grid lines are drawn

// Early to late: five stops of the plasma colour map (Smith, van der Walt 2015), which resembles no terrain's colour.
constexpr std::array<Rgb, 5> kHeat{{{13, 8, 135}, {126, 3, 168}, {204, 71, 120}, {248, 149, 64}, {240, 249, 33}}};
constexpr int32_t kHeatStrength = 168;  // of 256

int32_t round_up(int32_t n, int32_t d) { return (n + d - 1) / d; }

// Finds the most frequent terrain of blocks of cells.
class TerrainCounter {
public:
    TerrainCounter(const std::vector<Terrain>& cells, int32_t map_width) : cells_(cells), width_(static_cast<size_t>(map_width)) {}

    // The most frequent terrain in `block`; ties go to the smallest id.
    Terrain most_frequent(const Rect& block) {
        Terrain best = at(block.x, block.y);
        for_each(block, [&](Terrain t) { ++counts_[t]; });
        for_each(block, [&](Terrain t) {
            if (counts_[t] > counts_[best] || (counts_[t] == counts_[best] && t < best)) best = t;
        });
        for_each(block, [&](Terrain t) { counts_[t] = 0; });
        return best;
    }

private:
    Terrain at(int32_t x, int32_t y) const { return cells_[static_cast<size_t>(y) * width_ + static_cast<size_t>(x)]; }

    template <class Visit>
    void for_each(const Rect& block, Visit&& visit) const {
        for (int32_t y = block.y; y < block.bottom(); ++y) {
            for (int32_t x = block.x; x < block.right(); ++x) visit(at(x, y));
        }
    }

    const std::vector<Terrain>& cells_;
    size_t width_;
    std::array<uint32_t, 256> counts_{};
};

// Fills the square of a cell. The last row and column of large cells are darker: grid lines.
void fill_cell(Picture& picture, int32_t px, int32_t py, int32_t side, Rgb colour) {
    const Rgb edge = side >= kGridLineScale ? blend(colour, detail::kOutline, 40) : colour;
    for (int32_t y = 0; y < side; ++y) {
        for (int32_t x = 0; x < side; ++x) picture.at(px + x, py + y) = x == side - 1 || y == side - 1 ? edge : colour;
    }
}

// Calls visit(x, y, cells) for every pixel of a shrunken picture, or for every cell of an enlarged one; x, y is the first pixel.
template <class Visit>
void for_each_block(const Picture& picture, const GridLayout& layout, PictureScale scale, Visit&& visit) {
    for (int32_t y = 0; y * scale.scale < picture.height; ++y) {
        for (int32_t x = 0; x * scale.scale < picture.width; ++x) {
            const Rect cells{{x * scale.shrink, y * scale.shrink}, {scale.shrink, scale.shrink}};
            visit(x * scale.scale, y * scale.scale, intersection(cells, layout.rect()));
        }
    }
}

// The earliest expansion in a block; 0 if no cell was expanded.
uint32_t earliest(std::span<const uint32_t> order, int32_t map_width, const Rect& block) {
    uint32_t first = 0;
    for (int32_t y = block.y; y < block.bottom(); ++y) {
        for (int32_t x = block.x; x < block.right(); ++x) {
            const uint32_t turn = order[static_cast<size_t>(y) * static_cast<size_t>(map_width) + static_cast<size_t>(x)];
            if (turn != 0 && (first == 0 || turn < first)) first = turn;
        }
    }
    return first;
}

}  // namespace

Rgb detail::heat_colour(uint32_t turn, uint32_t last) {
    constexpr uint64_t kSteps = (kHeat.size() - 1) * 256;
    const uint64_t at = last > 1 ? (turn - 1) * kSteps / (last - 1) : 0;
    const size_t stop = static_cast<size_t>(std::min<uint64_t>(at / 256, kHeat.size() - 2));
    return blend(kHeat[stop], kHeat[stop + 1], static_cast<int32_t>(at - stop * 256));
}

PictureScale PictureScale::fit(const GridLayout& layout, int32_t pixels) {
    TERRANE_ASSERT(pixels >= 1);
    const int32_t side = std::max({layout.width, layout.height, 1});
    const int32_t wanted = std::clamp(pixels, 1, kMaxPictureSide);
    if (side <= wanted) return {std::min(wanted / side, kMaxScale), 1};
    PictureScale result{1, std::max(1, (side + wanted / 2) / wanted)};
    while (!result.fits(layout)) ++result.shrink;
    return result;
}

bool PictureScale::fits(const GridLayout& layout) const {
    if (scale < 1 || scale > kMaxScale || shrink < 1 || (scale > 1 && shrink > 1)) return false;
    return round_up(std::max(layout.width, layout.height), shrink) * scale <= kMaxPictureSide;
}

Picture draw_terrain(const GridSnapshot& grid, PictureScale scale) {
    TERRANE_ASSERT(scale.fits(grid.layout()));
    if (!scale.fits(grid.layout())) return {};
    Picture picture{round_up(grid.width(), scale.shrink) * scale.scale, round_up(grid.height(), scale.shrink) * scale.scale, {}};
    picture.pixels.resize(static_cast<size_t>(picture.width) * static_cast<size_t>(picture.height));
    const std::vector<Terrain> cells = grid.cells();
    TerrainCounter counter(cells, grid.width());
    for_each_block(picture, grid.layout(), scale, [&](int32_t px, int32_t py, const Rect& block) {
        const Terrain terrain = counter.most_frequent(block);
        fill_cell(picture, px, py, scale.scale, grid.catalogue()[terrain].colour);
    });
    return picture;
}

void draw_path(Picture& picture, std::span<const Cell> cells, Rgb colour, PictureScale scale, int32_t width) {
    std::vector<Point> points;
    points.reserve(cells.size());
    for (const Cell c : cells) points.push_back({c.x + 0.5, c.y + 0.5});
    draw_line(picture, points, colour, scale, width);
}

void draw_line(Picture& picture, std::span<const Point> points, Rgb colour, PictureScale scale, int32_t width) {
    TERRANE_ASSERT(scale.scale >= 1 && scale.shrink >= 1 && width >= 0);
    TERRANE_ASSERT(std::ranges::all_of(points, is_finite));
    const double pixels = static_cast<double>(scale.scale) / scale.shrink;
    std::vector<Point> at;
    at.reserve(points.size());
    for (const Point p : points) at.push_back(pixels * p);
    const double radius = (width > 0 ? width : std::clamp(scale.scale / 5, 3, 6)) / 2.0;
    detail::draw_path_line(picture, at, colour, radius, std::max({radius * 3, scale.scale * 0.3, 6.0}));
}

void draw_heat(Picture& picture, std::span<const uint32_t> order, const GridLayout& layout, PictureScale scale) {
    TERRANE_ASSERT(order.size() == layout.cells() && scale.fits(layout));
    TERRANE_ASSERT(picture.width == round_up(layout.width, scale.shrink) * scale.scale);
    TERRANE_ASSERT(picture.height == round_up(layout.height, scale.shrink) * scale.scale);
    const uint32_t last = order.empty() ? 0 : *std::ranges::max_element(order);
    for_each_block(picture, layout, scale, [&](int32_t px, int32_t py, const Rect& block) {
        const uint32_t turn = earliest(order, layout.width, block);
        if (turn == 0) return;
        const Rgb tint = detail::heat_colour(turn, last);
        for (int32_t y = py; y < py + scale.scale; ++y) {
            for (int32_t x = px; x < px + scale.scale; ++x) picture.at(x, y) = blend(picture.at(x, y), tint, kHeatStrength);
        }
    });
}

}  // namespace terrane
