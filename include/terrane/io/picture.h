// Pictures of worlds, paths and searches.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/base/result.h"
#include "terrane/grid/grid.h"

namespace terrane {

inline constexpr int32_t kMaxPictureSide = 16384;  // pixels

// Eight bits of red, green and blue per pixel, by rows.
struct Picture {
    int32_t width = 0;
    int32_t height = 0;
    std::vector<Rgb> pixels;

    Rgb& at(int32_t x, int32_t y) { return pixels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)]; }
    const Rgb& at(int32_t x, int32_t y) const {
        return pixels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
    }
};

// Colours for the paths of creatures: distinct on every terrain, also for colour-blind viewers. The studio uses the same list, and the
// preset profiles (Profile::presets) have the first ones.
struct NamedColour {
    const char* name;
    Rgb colour;
};
inline constexpr std::array<NamedColour, 8> kCreatureColours = {{
    {"yellow", {255, 211, 77}},
    {"orange", {255, 127, 92}},
    {"violet", {197, 139, 255}},
    {"cyan", {79, 216, 232}},
    {"white", {255, 255, 255}},
    {"pink", {255, 111, 168}},
    {"green", {181, 230, 85}},
    {"blue", {143, 179, 255}},
}};

// A map is drawn at `scale` pixels per cell (1..32) or, for maps too large to look at, at `shrink` cells
// per pixel (the commonest terrain wins); one of the two is 1. fit() picks for a longer side of about
// `pixels`.
struct PictureScale {
    int32_t scale = 1;
    int32_t shrink = 1;
    static PictureScale fit(const GridLayout& layout, int32_t pixels = 1024);

    // Whether the picture's sides are at most kMaxPictureSide.
    bool fits(const GridLayout& layout) const;
};

// With faint lines between cells of 8 pixels and more. The scale must fit, or the picture is empty.
Picture draw_terrain(const GridSnapshot& grid, PictureScale scale = {});

// Over a picture of the same map and scale. The line is `width` pixels wide (0: what suits the scale),
// outlined dark so that it shows on any terrain; a disc marks its start, a square its goal. What lies
// outside the picture is not drawn.
void draw_path(Picture& picture, std::span<const Cell> cells, Rgb colour, PictureScale scale = {}, int32_t width = 0);
// The same along any line of finite points, in units of cells: (x + 0.5, y + 0.5) is the centre of cell (x, y).
void draw_line(Picture& picture, std::span<const Point> points, Rgb colour, PictureScale scale = {}, int32_t width = 0);

// Tints the cells a search expanded, from cool (early) to hot (late). `order` has a value per cell by
// rows: 0 for cells never expanded, else their turn, counted from 1. Where cells share a pixel, the
// earliest shows.
void draw_heat(Picture& picture, std::span<const uint32_t> order, const GridLayout& layout, PictureScale scale = {});

// The same bytes for the same picture, with the same libpng. Refused: pictures that are empty or larger
// than kMaxPictureSide; all, with kUnsupported, where the library was built without libpng.
Result<std::string> encode_png(const Picture& picture);
Result<Done> save_png(const std::string& path, const Picture& picture);

}  // namespace terrane
