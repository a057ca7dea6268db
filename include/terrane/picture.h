// Pictures of worlds, paths and searches.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "terrane/grid.h"
#include "terrane/result.h"

namespace terrane {

// Eight bits of red, green and blue per pixel, by rows.
struct Picture {
    int32_t width = 0;
    int32_t height = 0;
    std::vector<Rgb> pixels;

    Rgb& at(int32_t x, int32_t y) { return pixels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)]; }
    const Rgb& at(int32_t x, int32_t y) const { return pixels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)]; }
};

// A map is drawn at `scale` pixels per cell (1..32) or, for maps too large to look at, at `shrink` cells
// per pixel (the commonest terrain wins). fit() picks for a longer side of about `pixels`.
struct PictureScale {
    int32_t scale = 1;
    int32_t shrink = 1;
    static PictureScale fit(const GridLayout& layout, int32_t pixels = 1024);
};

Picture draw_terrain(const GridSnapshot& grid, PictureScale scale = {});

// Over a picture of the same map and scale. The line is `width` pixels wide, outlined dark so that it
// shows on any terrain; its ends are marked.
void draw_path(Picture& picture, std::span<const Cell> cells, Rgb colour, PictureScale scale = {}, int32_t width = 3);

// Tints the cells a search expanded, from cool (once, early) to hot (late). `order` has a value per cell
// by rows: 0 for cells never expanded, else their turn, counted from 1.
void draw_heat(Picture& picture, std::span<const uint32_t> order, const GridLayout& layout, PictureScale scale = {});

// Needs libpng at build time; otherwise refused with kUnsupported.
Result<std::string> encode_png(const Picture& picture);
Result<Done> save_png(const std::string& path, const Picture& picture);

}  // namespace terrane
