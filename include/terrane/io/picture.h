// Draws maps, paths and searches as pictures, and writes PNG.
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

// An image with 8-bit RGB pixels in row-major order.
struct Picture {
    int32_t width = 0;
    int32_t height = 0;
    std::vector<Rgb> pixels;

    Rgb& at(int32_t x, int32_t y) { return pixels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)]; }
    const Rgb& at(int32_t x, int32_t y) const {
        return pixels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
    }
};

// Colours for the paths of agents: distinct on every terrain, also for colour-blind viewers. The studio uses the same list. The preset
// profiles (Profile::presets) have the first ones.
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

// The scale of a picture: `scale` pixels per cell (1 to 32) or, for large maps, `shrink` cells per pixel (the most frequent terrain is
// shown). One of the two is 1. fit() chooses them for a longer side of about `pixels`.
struct PictureScale {
    int32_t scale = 1;
    int32_t shrink = 1;
    static PictureScale fit(const GridLayout& layout, int32_t pixels = 1024);

    // Whether the picture's sides are at most kMaxPictureSide.
    bool fits(const GridLayout& layout) const;
};

// Draws the terrain, with faint grid lines at 8 or more pixels per cell. The picture is empty unless scale.fits().
Picture draw_terrain(const GridSnapshot& grid, PictureScale scale = {});

// Draws a path onto a picture of the same map and scale: a line `width` pixels wide (0: chosen by scale) with a dark outline, a disc at
// the start and a square at the goal. Clips at the picture's edges.
void draw_path(Picture& picture, std::span<const Cell> cells, Rgb colour, PictureScale scale = {}, int32_t width = 0);
// The same for a polyline of finite points, in units of cells: (x + 0.5, y + 0.5) is the centre of cell (x, y).
void draw_line(Picture& picture, std::span<const Point> points, Rgb colour, PictureScale scale = {}, int32_t width = 0);

// Tints the cells that a search expanded, from cool (early) to hot (late). `order` has one value per cell in row-major order: 0 for cells
// that were not expanded, otherwise their position in the order of expansion, from 1. If cells share a pixel, it shows the earliest.
void draw_heat(Picture& picture, std::span<const uint32_t> order, const GridLayout& layout, PictureScale scale = {});

// Encodes a PNG; deterministic for a given version of libpng. Fails for pictures that are empty or larger than kMaxPictureSide, and
// always, with kUnsupported, if the library was built without libpng.
Result<std::string> encode_png(const Picture& picture);
Result<void> save_png(const std::string& path, const Picture& picture);

}  // namespace terrane
