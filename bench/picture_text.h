// Text and legends in pictures.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "terrane/io/picture.h"

namespace terrane {

// Fills a rectangle, clipped to the picture.
void fill_pixels(Picture& picture, const Rect& rect, Rgb colour);

// Returns the width in pixels. A character has 5x7 dots of `scale` pixels; a line is kTextDots * scale pixels high.
int32_t text_width(std::string_view text, int32_t scale);
inline constexpr int32_t kTextDots = 8;

// Draws printable ASCII; `at` is the upper left corner.
void draw_text(Picture& picture, Cell at, std::string_view text, int32_t scale, Rgb colour);
// Draws upwards; `at` is the lower left corner of the rotated text.
void draw_text_up(Picture& picture, Cell at, std::string_view text, int32_t scale, Rgb colour);

// Adds a strip below the picture: a colour swatch and a text for each entry, then `note`. Clips to the picture's width.
struct LegendEntry {
    std::string text;
    Rgb colour;
};
void add_legend(Picture& picture, std::span<const LegendEntry> entries, std::string_view note);

}  // namespace terrane
