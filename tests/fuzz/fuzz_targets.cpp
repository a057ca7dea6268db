// parse_targets: cells of the map, one for each line that has any, and the same again when they are written.
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
    if (!cells) return require_honest(cells.error(), "fuzz.txt"), 0;
    require(cells->size() <= static_cast<size_t>(std::ranges::count(text, '\n')) + 1, "a line has one cell");
    std::string written;
    for (const Cell cell : *cells) {
        require(layout.contains(cell), "cells lie on the map");
        written += std::to_string(cell.x) + " " + std::to_string(cell.y) + "\n";
    }
    const auto again = cli::parse_targets(written, layout, "fuzz.txt");
    require(again.has_value() && *again == *cells, "what was written can be read");
    // Nothing but numbers, blanks and the ends of lines, outside of comments.
    bool comment = false;
    for (const char c : text) {
        comment = c != '\n' && (comment || c == '#');
        require(comment || c == '\n' || std::string_view("0123456789-# \t\r").find(c) != std::string_view::npos, "all of a line is read");
    }
    return 0;
}
