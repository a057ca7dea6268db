#include "terrane/picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "formats/colours.h"

namespace terrane {

namespace {

constexpr int32_t kMaxScale = 32;
constexpr int32_t kGridLineScale = 8;  // cells smaller than this would drown in lines
constexpr Rgb kOutline{20, 18, 24};
constexpr Rgb kWhite{255, 255, 255};

// Early to late: five stops of the plasma colour map (Smith, van der Walt 2015), which no terrain's colour resembles.
constexpr std::array<Rgb, 5> kHeat{{{13, 8, 135}, {126, 3, 168}, {204, 71, 120}, {248, 149, 64}, {240, 249, 33}}};
constexpr int32_t kHeatStrength = 168;  // of 256

int32_t round_up(int32_t n, int32_t d) { return (n + d - 1) / d; }

// `share` of 256 of `top` over `bottom`.
Rgb blend(Rgb bottom, Rgb top, int32_t share) {
    const auto mix = [&](int32_t b, int32_t t) { return static_cast<uint8_t>((b * (256 - share) + t * share + 128) / 256); };
    return {mix(bottom.r, top.r), mix(bottom.g, top.g), mix(bottom.b, top.b)};
}

// Counts the terrains of a block of cells; reused from block to block.
class Ballot {
public:
    Ballot(const std::vector<Terrain>& cells, int32_t map_width) : cells_(cells), width_(static_cast<size_t>(map_width)) {}

    // The commonest terrain of the cells in `block`, the smallest id of those that tie.
    Terrain commonest(const Rect& block) {
        Terrain best = at(block.left, block.top);
        for_each(block, [&](Terrain t) { ++votes_[t]; });
        for_each(block, [&](Terrain t) {
            if (votes_[t] > votes_[best] || (votes_[t] == votes_[best] && t < best)) best = t;
        });
        for_each(block, [&](Terrain t) { votes_[t] = 0; });
        return best;
    }

private:
    Terrain at(int32_t x, int32_t y) const { return cells_[static_cast<size_t>(y) * width_ + static_cast<size_t>(x)]; }

    template <class Visit>
    void for_each(const Rect& block, Visit&& visit) const {
        for (int32_t y = block.top; y < block.bottom; ++y) {
            for (int32_t x = block.left; x < block.right; ++x) visit(at(x, y));
        }
    }

    const std::vector<Terrain>& cells_;
    size_t width_;
    std::array<uint32_t, 256> votes_{};
};

// Fills the square of a cell. The last pixels of large ones are darker: a grid.
void fill_cell(Picture& picture, int32_t px, int32_t py, int32_t side, Rgb colour) {
    const Rgb edge = side >= kGridLineScale ? blend(colour, kOutline, 40) : colour;
    for (int32_t y = 0; y < side; ++y) {
        for (int32_t x = 0; x < side; ++x) picture.at(px + x, py + y) = x == side - 1 || y == side - 1 ? edge : colour;
    }
}

// Calls visit(pixel x, pixel y, cells) for every pixel of a shrunken picture, or every cell of a scaled one.
template <class Visit>
void for_each_block(const Picture& picture, const GridLayout& layout, PictureScale scale, Visit&& visit) {
    for (int32_t y = 0; y * scale.scale < picture.height; ++y) {
        for (int32_t x = 0; x * scale.scale < picture.width; ++x) {
            const Rect cells{x * scale.shrink, y * scale.shrink, (x + 1) * scale.shrink, (y + 1) * scale.shrink};
            visit(x * scale.scale, y * scale.scale, intersection(cells, layout.rect()));
        }
    }
}

struct Point {
    double x = 0;
    double y = 0;
};

Point centre(Cell c, PictureScale scale) {
    const double pixels = static_cast<double>(scale.scale) / scale.shrink;
    return {(c.x + 0.5) * pixels, (c.y + 0.5) * pixels};
}

double distance_to_segment(Point p, Point a, Point b) {
    const double dx = b.x - a.x, dy = b.y - a.y, squared = dx * dx + dy * dy;
    const double along = squared > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / squared, 0.0, 1.0) : 0.0;
    const double ex = p.x - (a.x + along * dx), ey = p.y - (a.y + along * dy);
    return std::sqrt(ex * ex + ey * ey);
}

// How much of a pixel, of 256, lies within `radius`, where its middle lies at `distance`.
int32_t coverage(double distance, double radius) { return static_cast<int32_t>(std::clamp(radius - distance + 0.5, 0.0, 1.0) * 256); }

// Narrows the part first..last (of 0..1) of a segment to where it lies between `low` and `high` on one axis.
void clip(double from, double to, double low, double high, double& first, double& last) {
    if (from == to) {
        if (from < low || from > high) last = -1;
        return;
    }
    const double a = (low - from) / (to - from), b = (high - from) / (to - from);
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
}

Rect pixels_around(Point low, Point high, double reach, const Picture& picture) {
    const auto pixel = [](double v, int32_t side) { return static_cast<int32_t>(std::clamp(v, 0.0, static_cast<double>(side))); };
    return {pixel(std::floor(low.x - reach), picture.width), pixel(std::floor(low.y - reach), picture.height),
            pixel(std::ceil(high.x + reach), picture.width), pixel(std::ceil(high.y + reach), picture.height)};
}

// The distance of every pixel from a line, as far as it matters. The line is painted from this at once,
// since painting it by segments would darken their joints.
class LineField {
public:
    LineField(const Picture& picture, double reach)
        : picture_(picture), reach_(reach), distance_(picture.pixels.size(), static_cast<float>(reach)) {}

    // In pieces, so that the pixels looked at grow with the line's length and not with its box.
    void add(Point a, Point b) {
        constexpr double kPiece = 16;  // pixels
        double first = 0, last = 1;
        clip(a.x, b.x, -reach_, picture_.width + reach_, first, last);
        clip(a.y, b.y, -reach_, picture_.height + reach_, first, last);
        if (last < first) return;
        const double length = std::max(std::fabs(b.x - a.x), std::fabs(b.y - a.y)) * (last - first);
        const int32_t pieces = 1 + static_cast<int32_t>(length / kPiece);
        const auto at = [&](int32_t i) {
            const double along = first + (last - first) * i / pieces;
            return Point{a.x + (b.x - a.x) * along, a.y + (b.y - a.y) * along};
        };
        for (int32_t i = 0; i < pieces; ++i) add_piece(at(i), at(i + 1));
    }

    void paint(Picture& picture, Rgb colour, double radius) const {
        for (size_t i = 0; i < distance_.size(); ++i) {
            if (distance_[i] < static_cast<float>(reach_))
                picture.pixels[i] = blend(picture.pixels[i], colour, coverage(distance_[i], radius));
        }
    }

private:
    void add_piece(Point a, Point b) {
        const Rect box =
            pixels_around({std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}, reach_, picture_);
        for (int32_t y = box.top; y < box.bottom; ++y) {
            for (int32_t x = box.left; x < box.right; ++x) {
                float& distance = distance_[static_cast<size_t>(y) * static_cast<size_t>(picture_.width) + static_cast<size_t>(x)];
                distance = std::min(distance, static_cast<float>(distance_to_segment({x + 0.5, y + 0.5}, a, b)));
            }
        }
    }

    const Picture& picture_;
    double reach_;
    std::vector<float> distance_;  // float: a picture may have 2^28 pixels
};

enum class Mark { kDisc, kSquare };

// White with a dark rim and a coloured heart.
void draw_mark(Picture& picture, Point at, Mark mark, double radius, double rim, Rgb colour) {
    const Rect box = pixels_around(at, at, radius + rim + 1, picture);
    for (int32_t y = box.top; y < box.bottom; ++y) {
        for (int32_t x = box.left; x < box.right; ++x) {
            const double dx = std::fabs(x + 0.5 - at.x), dy = std::fabs(y + 0.5 - at.y);
            const double distance = mark == Mark::kDisc ? std::sqrt(dx * dx + dy * dy) : std::max(dx, dy);
            Rgb& pixel = picture.at(x, y);
            pixel = blend(pixel, kOutline, coverage(distance, radius + rim));
            pixel = blend(pixel, kWhite, coverage(distance, radius));
            pixel = blend(pixel, colour, coverage(distance, radius * 0.6));
        }
    }
}

// The earliest turn in a block; 0 where none was expanded.
uint32_t earliest(std::span<const uint32_t> order, int32_t map_width, const Rect& block) {
    uint32_t first = 0;
    for (int32_t y = block.top; y < block.bottom; ++y) {
        for (int32_t x = block.left; x < block.right; ++x) {
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
    const size_t stop = std::min<size_t>(at / 256, kHeat.size() - 2);
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
    Ballot ballot(cells, grid.width());
    for_each_block(picture, grid.layout(), scale, [&](int32_t px, int32_t py, const Rect& block) {
        const Terrain terrain = ballot.commonest(block);
        fill_cell(picture, px, py, scale.scale, grid.catalogue()[terrain].colour);
    });
    return picture;
}

void draw_path(Picture& picture, std::span<const Cell> cells, Rgb colour, PictureScale scale, int32_t width) {
    if (cells.empty()) return;
    const double radius = (width > 0 ? width : std::clamp(scale.scale / 5, 3, 6)) / 2.0;
    const double rim = std::max(1.0, radius / 2);
    LineField line(picture, radius + rim + 1);
    for (size_t i = 0; i + 1 < cells.size(); ++i) line.add(centre(cells[i], scale), centre(cells[i + 1], scale));
    line.paint(picture, kOutline, radius + rim);
    line.paint(picture, colour, radius);

    const double mark = std::max({radius * 3, scale.scale * 0.3, 6.0});
    draw_mark(picture, centre(cells.back(), scale), Mark::kSquare, mark * 0.9, rim, colour);
    draw_mark(picture, centre(cells.front(), scale), Mark::kDisc, mark, rim, colour);
}

void draw_heat(Picture& picture, std::span<const uint32_t> order, const GridLayout& layout, PictureScale scale) {
    TERRANE_ASSERT(order.size() == layout.cells());
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
