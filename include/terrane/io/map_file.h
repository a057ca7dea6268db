// MovingAI .map files: `type octile`, height, width, then a letter per cell. load_map() and save_map() (map_formats.h) read and write
// them in files.
#pragma once
#include <string>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/grid/grid.h"
#include "terrane/io/map_formats.h"

namespace terrane {

// A map file may end with its catalogue, which other readers ignore: a line for each terrain in the
// order of their ids, with `none` for a type without a letter,
//   terrain A deep_water #2e4a74
// Refused with file, line and reason: anything truncated, oversized or inconsistent, unknown letters.
// Memory stays within a few times the text's own size, whatever its header says.
// A byte-order mark and bytes that are no text have a message of their own.
Result<TerrainGrid> parse_movingai_map(std::string_view text, const MapOptions& options = {}, std::string_view file = {});

// The text of a .map. The catalogue is added unless a reader that guesses would find the same one from
// the letters alone. Refused: an empty map, terrains in use without a letter, letters not of printable ASCII.
Result<std::string> format_movingai_map(const GridSnapshot& grid);

}  // namespace terrane
