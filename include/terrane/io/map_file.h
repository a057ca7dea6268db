// MovingAI .map text: `type octile`, height, width, then one letter per cell. Use load_map() and save_map() (map_formats.h) for files.
#pragma once
#include <string>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/grid/grid.h"
#include "terrane/io/map_formats.h"

namespace terrane {

// Parses a map. The text may end with its catalogue, which other readers ignore: one line per terrain in the order of ids, with `none`
// for a type without a letter,
//   terrain A deep_water #2e4a74
// Fails, with file, line and reason, for truncated, oversized or inconsistent input and unknown letters; byte-order marks and binary data
// have their own message. Memory stays within a few times the size of the text, whatever the header claims.
Result<TerrainGrid> parse_movingai_map(std::string_view text, const MapOptions& options = {}, std::string_view file = {});

// Formats a map. Appends the catalogue unless a reader with Letters::kGuess would infer the same one from the letters. Fails for an empty
// map, for terrains in use without a letter, and for letters outside printable ASCII.
Result<std::string> format_movingai_map(const GridSnapshot& grid);

}  // namespace terrane
