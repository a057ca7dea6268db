#include "bench/region_picture.h"

#include <algorithm>
#include <cmath>

#include "io/brush.h"

namespace terrane {

namespace {

using detail::blend;
using detail::distance_to_segment;

// Chosen by eye on pictures of 1 to 32 pixels per cell.
constexpr double kMinBorderCell = 4;    // pixels
constexpr double kMinSector = 8;        // pixels
constexpr double kMinSpacing = 20;      // pixels
constexpr int32_t kRegionBorder = 110;  // of 256
constexpr int32_t kSectorBorder = 170;  // of 256
constexpr int32_t kHalo = 120;          // of 256: a shadow below edges, which keeps them visible on light terrain
constexpr int32_t kCornerEdge = 190;    // of 256
constexpr Rgb kDark{16, 14, 20};
constexpr Rgb kWhite{255, 255, 255};

struct Ink {
    Rgb colour;
    double radius;     // pixels
    int32_t strength;  // of 256
};

// Blends ink into a pixel whose centre is `distance` from the stroke, by the share of the pixel within the ink's radius. Clips.
void dab(Picture& picture, int32_t x, int32_t y, double distance, const Ink& ink) {
    if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) return;
    Rgb& pixel = picture.at(x, y);
    pixel = blend(pixel, ink.colour, detail::coverage(distance, ink.radius) * ink.strength / 256);
}

// Draws column by column along the longer axis (row by row for steep lines), so that each pixel is inked once.
void stroke(Picture& picture, Point a, Point b, const Ink& ink) {
    const bool steep = std::fabs(b.y - a.y) > std::fabs(b.x - a.x);
    const auto turned = [&](Point p) { return steep ? Point{p.y, p.x} : p; };
    const Point from = turned(a), to = turned(b);
    const double low = std::min(from.x, to.x), high = std::max(from.x, to.x), reach = ink.radius + 1;
    const double slope = high > low ? (to.y - from.y) / (to.x - from.x) : 0;
    for (auto u = static_cast<int32_t>(std::floor(low - reach)); u <= static_cast<int32_t>(high + reach); ++u) {
        const double middle = from.y + slope * (std::clamp(u + 0.5, low, high) - from.x), across = reach * 1.5;
        for (auto v = static_cast<int32_t>(std::floor(middle - across)); v <= static_cast<int32_t>(middle + across); ++v) {
            dab(picture, steep ? v : u, steep ? u : v, distance_to_segment({u + 0.5, v + 0.5}, from, to), ink);
        }
    }
}

void disc(Picture& picture, Point at, const Ink& ink) {
    const double reach = ink.radius + 1;
    for (auto y = static_cast<int32_t>(std::floor(at.y - reach)); y <= static_cast<int32_t>(at.y + reach); ++y) {
        for (auto x = static_cast<int32_t>(std::floor(at.x - reach)); x <= static_cast<int32_t>(at.x + reach); ++x) {
            dab(picture, x, y, std::hypot(x + 0.5 - at.x, y + 0.5 - at.y), ink);
        }
    }
}

void draw_dot(Picture& picture, Point at, double radius, Rgb colour) {
    disc(picture, at, {kDark, radius + 1.2, 256});
    disc(picture, at, {colour, radius, 256});
}

Point middle_of(Cell c, PictureScale scale) {
    const double pixels = static_cast<double>(scale.scale) / scale.shrink;
    return {(c.x + 0.5) * pixels, (c.y + 0.5) * pixels};
}

// Returns the pixels of the cells, clipped to the picture.
Rect pixels_of(const Rect& cells, PictureScale scale, const Picture& picture) {
    const auto pixel = [&](int32_t cell) { return cell * scale.scale / scale.shrink; };
    const Cell first{pixel(cells.x), pixel(cells.y)}, end{pixel(cells.right()), pixel(cells.bottom())};
    return intersection({first, {end.x - first.x, end.y - first.y}}, {{}, {picture.width, picture.height}});
}

class Drawing {
public:
    Drawing(Picture& picture, const TerrainRegions& regions, PictureScale scale, const RegionPictureOptions& options)
        : picture_(picture), regions_(regions), scale_(scale), options_(options), cell_(static_cast<double>(scale.scale) / scale.shrink) {}

    // Within a sector, adjacent cells are in different regions exactly if their terrains differ.
    void region_borders() {
        if (cell_ < kMinBorderCell) return;
        const GridSnapshot& grid = regions_.grid();
        for (int32_t y = 0; y < grid.height(); ++y) {
            for (int32_t x = 0; x < grid.width(); ++x) {
                const Rect pixels = pixels_of({{x, y}, {1, 1}}, scale_, picture_);
                const Terrain here = grid.at(Cell{x, y});
                if (x + 1 < grid.width() && grid.at(Cell{x + 1, y}) != here)
                    shade({{pixels.right() - 1, pixels.y}, {1, pixels.height}}, kRegionBorder);
                if (y + 1 < grid.height() && grid.at(Cell{x, y + 1}) != here)
                    shade({{pixels.x, pixels.bottom() - 1}, {pixels.width, 1}}, kRegionBorder);
            }
        }
    }

    // Draws the upper and left sides of all sectors but the first.
    void sector_borders() {
        const Rect first = regions_.sectors() > 0 ? regions_.sector_rect(0) : Rect{};
        const double side = std::max(first.right(), first.bottom()) * cell_;
        if (side < kMinSector) return;
        const int32_t width = side >= 48 ? 2 : 1;
        for (uint32_t i = 1; i < regions_.sectors_x(); ++i) {
            const int32_t x = pixels_of(regions_.sector_rect(i), scale_, picture_).x;
            shade({{x - width / 2, 0}, {width, picture_.height}}, kSectorBorder);
        }
        for (uint32_t i = 1; i < regions_.sectors_y(); ++i) {
            const int32_t y = pixels_of(regions_.sector_rect(i * regions_.sectors_x()), scale_, picture_).y;
            shade({{0, y - width / 2}, {picture_.width, width}}, kSectorBorder);
        }
    }

    void graph() {
        const double spacing =
            std::sqrt(static_cast<double>(picture_.pixels.size()) / static_cast<double>(std::max<uint64_t>(regions_.region_count(), 1)));
        if (spacing < kMinSpacing) return;
        const double line = std::clamp(spacing / 40, 0.6, 1.3), dot = std::clamp(spacing / 10, 1.8, 5.0);
        edges(true, {options_.corner_edge, line * 0.6, kCornerEdge});
        edges(false, {kDark, line + 1, kHalo});
        edges(false, {options_.edge, line, 256});
        for_each_region([&](RegionId id) { draw_dot(picture_, centre(id), dot, kWhite); });
    }

private:
    void shade(const Rect& pixels, int32_t strength) {
        const Rect inside = intersection(pixels, {{}, {picture_.width, picture_.height}});
        for (int32_t y = inside.y; y < inside.bottom(); ++y) {
            for (int32_t x = inside.x; x < inside.right(); ++x) picture_.at(x, y) = blend(picture_.at(x, y), kDark, strength);
        }
    }

    bool shown(RegionId id) const { return options_.costs == nullptr || options_.costs->passable(regions_.region(id).terrain); }

    template <class Visit>
    void for_each_region(Visit&& visit) const {
        for (uint32_t sector = 0; sector < regions_.sectors(); ++sector) {
            for (uint32_t number = 0; number < regions_.regions_in(sector); ++number) {
                if (const RegionId id = regions_.id(sector, number); shown(id)) visit(id);
            }
        }
    }

    void edges(bool corner, const Ink& ink) {
        for_each_region([&](RegionId from) {
            regions_.for_each_edge(from, [&](RegionId to, bool diagonal_only) {
                if (from < to && diagonal_only == corner && shown(to)) stroke(picture_, centre(from), centre(to), ink);
            });
        });
    }

    Point centre(RegionId id) const { return middle_of(regions_.region(id).representative(), scale_); }

    Picture& picture_;
    const TerrainRegions& regions_;
    PictureScale scale_;
    const RegionPictureOptions& options_;
    double cell_;  // pixels a side
};

}  // namespace

void draw_regions(Picture& picture, const TerrainRegions& regions, PictureScale scale, const RegionPictureOptions& options) {
    Drawing drawing(picture, regions, scale, options);
    drawing.region_borders();
    drawing.sector_borders();
    if (options.graph) drawing.graph();
}

void draw_waypoints(Picture& picture, std::span<const Cell> cells, Rgb colour, PictureScale scale) {
    constexpr double kLine = 0.8, kDot = 3.2;  // pixels
    for (const Ink& ink : {Ink{kDark, kLine + 0.8, 256}, Ink{colour, kLine, 256}}) {
        for (size_t i = 1; i < cells.size(); ++i) stroke(picture, middle_of(cells[i - 1], scale), middle_of(cells[i], scale), ink);
    }
    for (const Cell c : cells) draw_dot(picture, middle_of(c, scale), kDot, colour);
}

void tint_cells(Picture& picture, const Rect& cells, Rgb colour, int32_t strength, PictureScale scale) {
    const Rect pixels = pixels_of(cells, scale, picture);
    for (int32_t y = pixels.y; y < pixels.bottom(); ++y) {
        for (int32_t x = pixels.x; x < pixels.right(); ++x) picture.at(x, y) = blend(picture.at(x, y), colour, strength);
    }
}

Picture crop_to_cells(const Picture& picture, const Rect& cells, PictureScale scale) {
    const Rect pixels = pixels_of(cells, scale, picture);
    Picture part{pixels.width, pixels.height, {}};
    part.pixels.reserve(static_cast<size_t>(part.width) * static_cast<size_t>(part.height));
    for (int32_t y = pixels.y; y < pixels.bottom(); ++y) {
        for (int32_t x = pixels.x; x < pixels.right(); ++x) part.pixels.push_back(picture.at(x, y));
    }
    return part;
}

}  // namespace terrane
