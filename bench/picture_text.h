// Text and legends in pictures.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "terrane/io/picture.h"

namespace terrane {

// What lies outside the picture is not drawn.
void fill_pixels(Picture& picture, const Rect& rect, Rgb colour);

// In pixels, for letters of 5x7 dots of `scale` pixels. A line is kTextDots * scale pixels high.
int32_t text_width(std::string_view text, int32_t scale);
inline constexpr int32_t kTextDots = 8;

// Printable ASCII; `at` is the upper left corner.
void draw_text(Picture& picture, Cell at, std::string_view text, int32_t scale, Rgb colour);
// Upwards; `at` is the lower left corner of the rotated text.
void draw_text_up(Picture& picture, Cell at, std::string_view text, int32_t scale, Rgb colour);

// Adds a strip below the picture: a swatch of colour and a text for each entry, then `note`. What does not fit the width is cut off.
struct LegendEntry {
    std::string text;
    Rgb colour;
};
void add_legend(Picture& picture, std::span<const LegendEntry> entries, std::string_view note);

}  // namespace terrane
