// Map files of any format: load_map() opens one, save_map() writes one.
//
//   Result<TerrainGrid> map = load_map("village.tmx");
//   save_map("village.terrane", map->snapshot());
//
// A map's first bytes decide its format; its name decides where they do not. docs/formats.md lists the formats and shows how to add one.
// All functions are thread-safe.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/grid/grid.h"

namespace terrane {

struct MapFormat;
struct Palette;
using MapFormats = std::span<const MapFormat* const>;

// What the letters of a MovingAI map mean. A file's own catalogue goes before kGuess and kTerrain.
enum class Letters : uint8_t {
    kGuess,    // octile if there is nothing but `. G O @ T S W`, lettered otherwise
    kOctile,   // Catalogue::octile(), whatever the file says
    kTerrain,  // `A` + id, up to `~`: Catalogue::standard(), then made-up types named by id (`terrain_19`)
};

// Cells of a map that is loaded: all that a grid can have, or 2^26 where addresses have 32 bits and more could not be held.
inline constexpr uint64_t kMaxMapCells = sizeof(void*) > 4 ? uint64_t{kMaxSide} * kMaxSide : uint64_t{1} << 26;

// Each format reads the fields that concern it (MapFormat::options). What they point to must outlive the call.
struct MapOptions {
    Letters letters = Letters::kGuess;           // MovingAI
    uint64_t max_cells = kMaxMapCells;           // all formats: larger maps are refused before memory is taken
    const Palette* palette = nullptr;            // PNG: the terrain of each colour (image_map.h); null: colours are masked to 64 types
    int32_t tolerance = 0;                       // PNG with a palette: distance to its nearest colour, 0 to 442
    std::string_view tile_property = "terrain";  // Tiled: the property of tiles that names their terrain
    std::string_view otherwise = {};             // Tiled: terrain of cells that have none; empty: they are refused
    MapFormats formats = {};                     // the formats to choose from; empty: map_formats()
};

// Returns the text of another file that a map names, such as a tileset; `name` is relative to the map's folder.
using CompanionReader = std::function<Result<std::string>(const std::string& name)>;

struct MapSource {
    std::string_view bytes;
    std::string_view file;  // for messages; may be empty
    const MapOptions& options;
    const CompanionReader& read_companion;  // may be empty: there are no other files
};

// A map format. Its strings and functions have static lifetime; the functions are thread-safe.
struct MapFormat {
    const char* name = "";        // "MovingAI map"
    const char* extensions = "";  // ".tmx .tmj .json", between blanks; the first is the usual one
    const char* summary = "";     // one line for --help
    const char* options = "";     // the fields of MapOptions that it reads besides max_cells: "letters"
    const char* missing = "";     // the libraries that this build lacks, between blanks: "tinyxml2 zlib"; what needs them is refused

    // Whether a file that begins with these bytes (kProbeBytes of them, or all) has this format.
    bool (*detect)(std::string_view first_bytes) = nullptr;
    // Bytes of the longest file that can be valid: longer ones are not read.
    uint64_t (*max_bytes)(const MapOptions& options) = nullptr;
    // Refuses anything malformed, with file, line and reason. Null: the format is only written.
    Result<TerrainGrid> (*parse)(const MapSource& source) = nullptr;
    // The bytes of a file. Null: the format is only read.
    Result<std::string> (*format)(const GridSnapshot& grid) = nullptr;

    // Whether a file of this name has one of the extensions, in upper or lower case.
    bool has_extension(std::string_view file) const;
};

inline constexpr size_t kProbeBytes = 64;

// The formats of this library, in the order in which they are tried.
MapFormats map_formats();
// By content first, then by the name's extension; null where neither is known.
const MapFormat* detect_map_format(std::string_view first_bytes, std::string_view file = {}, MapFormats formats = map_formats());
// "MovingAI map (.map), PNG image (.png)": those that can be read, or written.
enum class MapAccess : uint8_t { kRead, kWrite };
std::string list_map_formats(MapAccess access, MapFormats formats = map_formats());

// A map of any format. `file` is its name: for messages, and for the format where the bytes do not tell.
// Refused with file, line and reason: an unknown format (the error lists those that are known), and whatever its parser refuses.
Result<TerrainGrid> parse_map(std::string_view bytes, const MapOptions& options = {}, std::string_view file = {},
                              const CompanionReader& read_companion = {});
Result<TerrainGrid> load_map(const std::string& path, const MapOptions& options = {});

// Writes the map in the format that the name's extension says. Refused: names of no format that can be written, and maps that the
// format cannot hold. The file is replaced whole or not at all.
Result<Done> save_map(const std::string& path, const GridSnapshot& grid, const MapOptions& options = {});

// The two steps of load_map(), for those who read more of a file than its map.
Result<std::string> read_map_file(const std::string& path, const MapOptions& options = {});
CompanionReader companions_of(const std::string& path);  // from the map's folder or below it

}  // namespace terrane
