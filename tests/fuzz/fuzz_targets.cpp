// parse_targets: accepted cells are on the map, at most one per line, and read back the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/targets_file.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const GridLayout layout(300, 40);
    const auto cells = cli::parse_targets(text, layout, "fuzz.txt");
    if (!cells) return require_valid_error(cells.error(), "fuzz.txt"), 0;
    require(cells->size() <= static_cast<size_t>(std::ranges::count(text, '\n')) + 1, "a line has at most one cell");
    std::string written;
    for (const Cell cell : *cells) {
        require(layout.contains(cell), "cells lie on the map");
        written += std::to_string(cell.x) + " " + std::to_string(cell.y) + "\n";
    }
    const auto again = cli::parse_targets(written, layout, "fuzz.txt");
    require(again.has_value() && *again == *cells, "written output can be read");
    // Outside of comments there are only numbers, blanks and line ends.
    bool comment = false;
    for (const char c : text) {
        comment = c != '\n' && (comment || c == '#');
        require(comment || c == '\n' || std::string_view("0123456789-# \t\r").find(c) != std::string_view::npos, "all of a line is read");
    }
    return 0;
}
