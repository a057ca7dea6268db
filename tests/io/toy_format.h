// A map format for tests: `toy`, a blank, and a row of digits, which are terrain ids. This is a complete format; to use it, add it to a
// list of formats.
#pragma once
#include <string>
#include <vector>

#include "terrane/io/map_formats.h"

namespace terrane {

inline Result<TerrainGrid> parse_toy(const MapSource& source) {
    const auto refuse = [&](ErrorCode code, const char* reason) { return Error{code, std::string(source.file), 1, reason}; };
    if (!source.bytes.starts_with("toy ")) return refuse(ErrorCode::kBadHeader, "expected 'toy' and a row of digits");
    std::vector<Terrain> cells;
    for (const char c : source.bytes.substr(4)) {
        if (c < '0' || c > '9') return refuse(ErrorCode::kBadLetter, "expected a digit");
        if (cells.size() == source.options.max_cells) return refuse(ErrorCode::kTooLarge, "too many cells");
        cells.push_back(static_cast<Terrain>(c - '0'));
    }
    if (cells.empty()) return refuse(ErrorCode::kTruncated, "expected a digit");
    return TerrainGrid(static_cast<int32_t>(cells.size()), 1, cells);
}

inline Result<std::string> format_toy(const GridSnapshot& grid) {
    std::string text = "toy ";
    for (const Terrain t : grid.cells()) text += static_cast<char>('0' + t);
    return text;
}

inline constexpr MapFormat kToyFormat{
    .name = "toy map",
    .extensions = ".toy",
    .summary = "a row of digits",
    .detect = [](std::string_view bytes) { return bytes.starts_with("toy "); },
    .max_bytes = [](const MapOptions& options) { return 4 + options.max_cells; },
    .parse = parse_toy,
    .format = format_toy,
};

}  // namespace terrane
