#include "cli/targets_file.h"

#include <limits>
#include <optional>

#include "base/text.h"

namespace terrane::cli {

namespace {

using detail::parse_integer;
using detail::take_word;

std::optional<Cell> parse_cell(std::string_view line) {
    constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
    const auto x = parse_integer<int32_t>(take_word(line), -kMost, kMost), y = parse_integer<int32_t>(take_word(line), -kMost, kMost);
    if (!x || !y || !detail::is_blank(line)) return std::nullopt;
    return Cell{*x, *y};
}

}  // namespace

Result<std::vector<Cell>> parse_targets(std::string_view text, const GridLayout& layout, std::string_view file) {
    std::vector<Cell> cells;
    detail::LineReader lines(text, file);
    if (const std::string_view binary = detail::describe_binary(text); !binary.empty())
        return lines.refuse_line(ErrorCode::kBadValue, 1, "expected cells, one 'X Y' per line; this is " + std::string(binary));
    for (std::string_view line; lines.next(line);) {
        line = line.substr(0, line.find('#'));
        if (detail::is_blank(line)) continue;
        const std::optional<Cell> cell = parse_cell(line);
        if (!cell) return lines.refuse(ErrorCode::kBadValue, "expected a cell: X Y");
        if (!layout.contains(*cell)) return lines.refuse(ErrorCode::kBadValue, "this cell is outside the map");
        cells.push_back(*cell);
    }
    return cells;
}

}  // namespace terrane::cli
