// MovingAI .map files: `type octile`, height, width, then a letter per cell.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "terrane/grid/grid.h"
#include "terrane/base/result.h"

namespace terrane {

// What a map's letters mean. A file's own catalogue goes before kGuess and kTerrain.
enum class Letters : uint8_t {
    kGuess,    // octile if there is nothing but `. G O @ T S W`, lettered otherwise
    kOctile,   // Catalogue::octile(), whatever the file says
    kTerrain,  // `A` + id, up to `~`: Catalogue::standard(), then made-up types named by id (`terrain_19`)
};

// Cells of a map that is loaded: all that a grid can have, or 2^26 where addresses have 32 bits and more could not be held.
inline constexpr uint64_t kMaxMapCells = sizeof(void*) > 4 ? uint64_t{kMaxSide} * kMaxSide : uint64_t{1} << 26;

struct MapOptions {
    Letters letters = Letters::kGuess;
    uint64_t max_cells = kMaxMapCells;  // larger maps are refused before memory is taken
};

// A map file may end with its catalogue, which other readers ignore: a line for each terrain in the
// order of their ids, with `none` for a type without a letter,
//   terrain A deep_water #2e4a74
// Refused with file, line and reason: anything truncated, oversized or inconsistent, unknown letters.
// Memory stays within a few times the text's own size, whatever its header says.
Result<TerrainGrid> parse_map(std::string_view text, const MapOptions& options = {}, std::string_view file = {});
Result<TerrainGrid> load_map(const std::string& path, const MapOptions& options = {});

// The text of a .map. The catalogue is added unless a reader that guesses would find the same one from
// the letters alone. Refused: an empty map, terrains in use without a letter, letters not of printable ASCII.
Result<std::string> format_map(const GridSnapshot& grid);
Result<Done> save_map(const std::string& path, const GridSnapshot& grid);

}  // namespace terrane
