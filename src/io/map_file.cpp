// The format: https://movingai.com/benchmarks/formats.html. The parser makes two passes: the first validates the rows and collects their
// letters, the second allocates and fills the grid.
#include "terrane/io/map_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/text.h"
#include "io/colours.h"
#include "io/letters.h"
#include "io/map_format_list.h"

namespace terrane {

using detail::LetterSet;
using detail::LineReader;
using detail::quote;
using detail::take_word;

namespace {

// Limit for header, catalogue and trailing blank lines; a full catalogue has 255 lines of at most 60 bytes.
constexpr uint64_t kMaxExtraBytes = 64 << 10;

struct MapSize {
    int32_t width = 0;
    int32_t height = 0;
};

struct Rows {
    std::string_view text;
    uint32_t first_line = 0;
    LetterSet letters{};
};

std::string numbered(const char* what, uint64_t number) { return what + (' ' + std::to_string(number)); }

// Reads a line `key value` and returns the value.
Result<std::string_view> read_field(LineReader& lines, std::string_view key) {
    std::string_view line;
    if (!lines.next(line)) return lines.refuse(ErrorCode::kTruncated, "the file ends before " + quote(key));
    const std::string_view whole = line, word = take_word(line), value = take_word(line);
    if (word != key || !take_word(line).empty()) {
        return lines.refuse(ErrorCode::kBadHeader, "expected " + quote(key) + ", not " + quote(whole));
    }
    return value;
}

Result<int32_t> read_side(LineReader& lines, std::string_view key) {
    const auto text = read_field(lines, key);
    if (!text) return text.error();
    if (const auto side = detail::parse_integer<int32_t>(*text, 1, kMaxSide)) return *side;
    const bool digits = !text->empty() && text->find_first_not_of("0123456789") == std::string_view::npos;
    const bool zero = digits && text->find_first_not_of('0') == std::string_view::npos;
    return lines.refuse(digits && !zero ? ErrorCode::kTooLarge : ErrorCode::kBadValue,
                        std::string(key) + ' ' + quote(*text) + " is not a number from 1 to " + std::to_string(kMaxSide));
}

// `height` and `width`, in either order.
Result<MapSize> read_size(LineReader& lines) {
    std::string_view peek = lines.rest();
    const bool width_first = take_word(peek) == "width";
    const auto first = read_side(lines, width_first ? "width" : "height");
    if (!first) return first.error();
    const auto second = read_side(lines, width_first ? "height" : "width");
    if (!second) return second.error();
    return width_first ? MapSize{*first, *second} : MapSize{*second, *first};
}

Result<MapSize> read_header(LineReader& lines, uint64_t max_cells) {
    std::string_view peek = lines.rest();
    const std::string_view binary = take_word(peek) != "type" ? detail::describe_binary(lines.rest()) : "";
    if (!binary.empty()) {
        return lines.refuse_line(ErrorCode::kBadHeader, 1, "expected 'type octile', the text of a map; this is " + std::string(binary));
    }
    const auto type = read_field(lines, "type");
    if (!type) return type.error();
    if (*type != "octile") return lines.refuse(ErrorCode::kBadHeader, "map type " + quote(*type) + " is not 'octile'");
    const auto size = read_size(lines);
    if (!size) return size.error();
    const uint64_t cells = static_cast<uint64_t>(size->width) * static_cast<uint64_t>(size->height);
    if (cells > max_cells) {
        return lines.refuse(ErrorCode::kTooLarge, numbered("the map has", cells) + numbered(" cells, more than the limit of", max_cells));
    }
    const auto map = read_field(lines, "map");
    if (!map) return map.error();
    if (!map->empty()) return lines.refuse(ErrorCode::kBadHeader, "unexpected " + quote(*map) + " after 'map'");
    return *size;
}

Error wrong_row(const LineReader& lines, int32_t y, size_t cells, int32_t width) {
    const std::string row = numbered("row", static_cast<uint64_t>(y) + 1);
    if (lines.at_end() && cells < static_cast<size_t>(width)) {
        return lines.refuse(ErrorCode::kTruncated,
                            "the file ends in " + row + ", after " + std::to_string(cells) + " of " + std::to_string(width) + " cells");
    }
    return lines.refuse(ErrorCode::kBadValue, row + numbered(" has", cells) + numbered(" cells, expected", static_cast<uint64_t>(width)));
}

// Checks the length of every row and collects the letters in use.
Result<Rows> scan_rows(LineReader& lines, const MapSize& size) {
    Rows rows{lines.rest(), lines.line() + 1};
    std::string_view row;
    for (int32_t y = 0; y < size.height; ++y) {
        if (!lines.next(row)) {
            return lines.refuse(ErrorCode::kTruncated, numbered("the file ends after", static_cast<uint64_t>(y)) +
                                                           numbered(" rows, expected", static_cast<uint64_t>(size.height)));
        }
        if (row.size() != static_cast<size_t>(size.width)) return wrong_row(lines, y, row.size(), size.width);
        for (const char c : row) rows.letters[static_cast<uint8_t>(c)] = 1;
    }
    return rows;
}

// "terrain A deep_water #2e4a74"
Result<TerrainType> parse_type(const LineReader& lines, std::string_view line) {
    const std::string_view whole = line;
    if (take_word(line) != "terrain") return lines.refuse(ErrorCode::kTrailing, "unexpected " + quote(whole) + " after the last row");
    const std::string_view letter = take_word(line), name = take_word(line);
    const auto colour = detail::parse_colour(take_word(line));
    const bool known = letter == "none" || (letter.size() == 1 && detail::is_printable(letter[0]));
    if (!known || !colour || !take_word(line).empty()) {
        return lines.refuse(ErrorCode::kBadValue,
                            "expected a letter, a name and a colour, as in 'terrain A deep_water #2e4a74', not " + quote(whole));
    }
    return TerrainType{std::string(name), letter.size() == 1 ? letter[0] : '\0', *colour};
}

// Reads the catalogue after the rows; empty if there is none.
Result<Catalogue> read_catalogue(LineReader& lines) {
    Catalogue catalogue;
    for (std::string_view line; lines.next(line);) {
        if (detail::is_blank(line)) continue;
        const auto type = parse_type(lines, line);
        if (!type) return type.error();
        const auto added = catalogue.add(*type);
        if (!added) return lines.refuse(added.error().code, added.error().reason);
    }
    return catalogue;
}

// The terrain of each letter; kOutside for letters that the catalogue lacks.
std::array<Terrain, 256> terrain_of_letters(const Catalogue& catalogue) {
    std::array<Terrain, 256> terrains;
    terrains.fill(kOutside);
    for (uint32_t t = 0; t < catalogue.size(); ++t) {
        const auto letter = static_cast<uint8_t>(catalogue[static_cast<Terrain>(t)].letter);
        if (letter != 0) terrains[letter] = static_cast<Terrain>(t);
    }
    return terrains;
}

bool explains(const std::array<Terrain, 256>& terrains, const LetterSet& letters) {
    for (size_t byte = 0; byte < letters.size(); ++byte) {
        if (letters[byte] && terrains[byte] == kOutside) return false;
    }
    return true;
}

struct LetterPlace {
    char letter = 0;
    uint32_t line = 0;
    size_t column = 0;  // from 1
};

// The first cell whose letter satisfies `wanted`. Requires one.
template <class Wanted>
LetterPlace first_letter(const Rows& rows, Wanted&& wanted) {
    LineReader lines(rows.text);
    for (std::string_view row; lines.next(row);) {
        const auto it = std::ranges::find_if(row, wanted);
        if (it != row.end()) return {*it, rows.first_line + lines.line() - 1, static_cast<size_t>(it - row.begin()) + 1};
    }
    return {};
}

Error bad_letter(const LineReader& lines, const Rows& rows, const std::array<Terrain, 256>& terrains, Letters letters, bool own) {
    const LetterPlace bad = first_letter(rows, [&](char c) { return terrains[static_cast<uint8_t>(c)] == kOutside; });
    std::string reason = numbered("column", bad.column) + ": " + quote({&bad.letter, 1});
    if (own) {
        reason += " is not in the file's catalogue";
    } else if (letters == Letters::kOctile) {
        reason += " is not an octile letter (. G O @ T S W)";
    } else {
        reason += " is not a terrain letter (A to ~)";
    }
    if (!own && letters == Letters::kGuess && detail::is_octile(bad.letter)) {
        const LetterPlace cause = first_letter(rows, [](char c) { return !detail::is_octile(c); });
        reason += "; " + quote({&cause.letter, 1}) + numbered(" in line", cause.line) + " makes this a map of terrain letters";
    }
    return lines.refuse_line(ErrorCode::kBadLetter, bad.line, std::move(reason));
}

std::vector<Terrain> read_cells(const Rows& rows, const MapSize& size, const std::array<Terrain, 256>& terrains) {
    std::vector<Terrain> cells(static_cast<size_t>(size.width) * static_cast<size_t>(size.height));
    LineReader lines(rows.text);
    auto out = cells.begin();
    std::string_view row;
    for (int32_t y = 0; y < size.height && lines.next(row); ++y) {
        out = std::ranges::transform(row, out, [&](char c) { return terrains[static_cast<uint8_t>(c)]; }).out;
    }
    return cells;
}

// The first terrain that the format cannot represent, as an error.
std::optional<Error> find_unwritable(const GridSnapshot& grid) {
    for (uint32_t t = 0; t < grid.catalogue().size(); ++t) {
        const TerrainType& type = grid.catalogue()[static_cast<Terrain>(t)];
        if (type.letter != 0 && !detail::is_printable(type.letter)) {
            return Error{
                ErrorCode::kUnsupported,
                {},
                0,
                "letter " + quote({&type.letter, 1}) + " of terrain '" + type.name + "' cannot be written: it is not printable ASCII"};
        }
        if (type.letter == 0 && grid.count(static_cast<Terrain>(t)) > 0) {
            return Error{ErrorCode::kUnsupported, {}, 0, "terrain '" + type.name + "' is on the map but has no letter"};
        }
    }
    return std::nullopt;
}

LetterSet letters_in_use(const GridSnapshot& grid) {
    LetterSet letters{};
    for (uint32_t t = 0; t < grid.catalogue().size(); ++t) {
        const auto terrain = static_cast<Terrain>(t);
        if (grid.count(terrain) > 0) letters[static_cast<uint8_t>(grid.catalogue()[terrain].letter)] = 1;
    }
    return letters;
}

void append_rows(std::string& text, const GridSnapshot& grid) {
    const std::vector<Terrain> cells = grid.cells();
    const std::vector<TerrainType>& types = grid.catalogue().types();
    const auto width = static_cast<size_t>(grid.width());
    std::array<char, 256> letters{};
    for (size_t t = 0; t < types.size(); ++t) letters[t] = types[t].letter;
    for (size_t from = 0; from < cells.size(); from += width) {
        const size_t to = text.size();
        text.resize(to + width + 1, '\n');
        std::transform(&cells[from], &cells[from] + width, &text[to], [&](Terrain t) { return letters[t]; });
    }
}

void append_type(std::string& text, const TerrainType& type) {
    text += "terrain ";
    text += type.letter != 0 ? std::string(1, type.letter) : "none";
    text += ' ' + type.name + " #" + detail::hex(type.colour) + '\n';
}

// Accepts a byte-order mark: the parser refuses it with its own message.
bool detect_movingai(std::string_view bytes) {
    if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
    return take_word(bytes, " \t\r\n") == "type";
}

uint64_t max_movingai_bytes(const MapOptions& options) {
    const uint64_t max_cells = std::min(options.max_cells, kMaxMapCells);
    return max_cells + 2 * uint64_t{kMaxSide} + kMaxExtraBytes;  // rows may end with \r\n
}

}  // namespace

Result<TerrainGrid> parse_movingai_map(std::string_view text, const MapOptions& options, std::string_view file) {
    LineReader lines(text, file);
    const auto size = read_header(lines, options.max_cells);
    if (!size) return size.error();
    const auto rows = scan_rows(lines, *size);
    if (!rows) return rows.error();
    auto catalogue = read_catalogue(lines);
    if (!catalogue) return catalogue.error();

    const bool own = catalogue->size() > 0 && options.letters != Letters::kOctile;
    if (!own) *catalogue = detail::implied_catalogue(rows->letters, options.letters);
    const auto terrains = terrain_of_letters(*catalogue);
    if (!explains(terrains, rows->letters)) return bad_letter(lines, *rows, terrains, options.letters, own);
    return TerrainGrid(size->width, size->height, read_cells(*rows, *size, terrains), std::move(*catalogue));
}

Result<std::string> format_movingai_map(const GridSnapshot& grid) {
    if (grid.layout().cells() == 0) return Error{ErrorCode::kUnsupported, {}, 0, "a map without cells cannot be written"};
    if (auto error = find_unwritable(grid)) return *std::move(error);
    std::string text = "type octile\nheight " + std::to_string(grid.height()) + "\nwidth " + std::to_string(grid.width()) + "\nmap\n";
    text.reserve(text.size() + static_cast<size_t>(grid.layout().cells()) + static_cast<size_t>(grid.height()) + kMaxExtraBytes);
    append_rows(text, grid);
    if (grid.catalogue() != detail::implied_catalogue(letters_in_use(grid), Letters::kGuess)) {
        for (const TerrainType& type : grid.catalogue().types()) append_type(text, type);
    }
    return text;
}

constinit const MapFormat detail::kMovingAiFormat{
    .name = "MovingAI map",
    .extensions = ".map",
    .summary = "text, one letter per cell; the format of the MovingAI benchmarks",
    .options = "letters",
    .detect = detect_movingai,
    .max_bytes = max_movingai_bytes,
    .parse = [](const MapSource& source) { return parse_movingai_map(source.bytes, source.options, source.file); },
    .format = format_movingai_map,
};

}  // namespace terrane
