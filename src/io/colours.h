// Colours as text, and the colour scale of expansion orders.
#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "terrane/grid/terrain.h"

namespace terrane::detail {

// "2e4a74"
inline std::string hex(Rgb colour) {
    constexpr char kHex[] = "0123456789abcdef";
    std::string text;
    for (const uint8_t channel : {colour.r, colour.g, colour.b}) text += {kHex[channel >> 4], kHex[channel & 15]};
    return text;
}

// "#2e4a74"
inline std::optional<Rgb> parse_colour(std::string_view text) {
    uint32_t value = 0;
    if (text.size() != 7 || text[0] != '#') return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 7, value, 16);
    if (error != std::errc{} || end != text.data() + 7) return std::nullopt;
    return Rgb{static_cast<uint8_t>(value >> 16), static_cast<uint8_t>(value >> 8), static_cast<uint8_t>(value)};
}

// The colour of expansion number `turn` of `last`: cool for the first, hot for the last. 1 <= turn <= last.
Rgb heat_colour(uint32_t turn, uint32_t last);

}  // namespace terrane::detail
