// Reads and writes map files of all supported formats.
//
//   Result<TerrainGrid> map = load_map("village.tmx");
//   save_map("village.terrane", map->snapshot());
//
// The first bytes of a file determine its format; if they do not, its extension does. docs/formats.md lists the formats and shows how to
// add one. All functions are thread-safe.
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

// The meaning of the letters in a MovingAI map. A catalogue in the file takes precedence over kGuess and kTerrain.
enum class Letters : uint8_t {
    kGuess,    // kOctile if the map has only `. G O @ T S W`, else kTerrain
    kOctile,   // Catalogue::octile(), whatever the file contains
    kTerrain,  // `A` + id, up to `~`: Catalogue::standard(), then generated types named by id (`terrain_19`)
};

// Maximum number of cells of a loaded map: that of a grid, or 2^26 on 32-bit systems.
inline constexpr uint64_t kMaxMapCells = sizeof(void*) > 4 ? uint64_t{kMaxSide} * kMaxSide : uint64_t{1} << 26;

// Each format reads the fields that concern it (MapFormat::options). Everything they refer to must outlive the call.
struct MapOptions {
    Letters letters = Letters::kGuess;           // MovingAI
    uint64_t max_cells = kMaxMapCells;           // all formats: larger maps are refused before memory is allocated
    const Palette* palette = nullptr;            // PNG: the terrain of each colour (image_map.h); null: colours are masked to 64 types
    int32_t tolerance = 0;                       // PNG with a palette: maximum distance to the nearest colour, 0 to 442
    std::string_view tile_property = "terrain";  // Tiled: the tile property that holds the terrain's name
    std::string_view otherwise = {};             // Tiled: terrain of cells without one; empty: such cells are refused
    MapFormats formats = {};                     // the formats to choose from; empty: map_formats()
};

// Returns the text of another file that a map refers to, such as a tileset. `name` is relative to the map's folder.
using CompanionReader = std::function<Result<std::string>(const std::string& name)>;

struct MapSource {
    std::string_view bytes;
    std::string_view file;  // for error messages; may be empty
    const MapOptions& options;
    const CompanionReader& read_companion;  // may be empty: no other files are available
};

// A map format. Its strings and functions have static lifetime; the functions are thread-safe.
struct MapFormat {
    const char* name = "";        // "MovingAI map"
    const char* extensions = "";  // separated by blanks, the usual one first: ".tmx .tmj .json"
    const char* summary = "";     // one line for --help
    const char* options = "";     // the fields of MapOptions that it reads besides max_cells: "letters"
    const char* missing = "";     // the libraries that this build lacks, separated by blanks: "tinyxml2 zlib"

    // Whether a file with these first bytes (kProbeBytes, or the whole file if shorter) has this format.
    bool (*detect)(std::string_view first_bytes) = nullptr;
    // Maximum size of a valid file, in bytes; larger files are not read.
    uint64_t (*max_bytes)(const MapOptions& options) = nullptr;
    // Parses a file. Errors have file, line and reason. Null: write-only format.
    Result<TerrainGrid> (*parse)(const MapSource& source) = nullptr;
    // Returns the bytes of a file. Null: read-only format.
    Result<std::string> (*format)(const GridSnapshot& grid) = nullptr;

    // Whether the file name has one of the extensions; ignores case.
    bool has_extension(std::string_view file) const;
};

inline constexpr size_t kProbeBytes = 64;

// The formats of this library, in the order in which they are tried.
MapFormats map_formats();
// Detects by content first, then by extension. Null if neither is known.
const MapFormat* detect_map_format(std::string_view first_bytes, std::string_view file = {}, MapFormats formats = map_formats());
// Lists the formats that can be read, or written: "MovingAI map (.map), PNG image (.png)".
enum class MapAccess : uint8_t { kRead, kWrite };
std::string list_map_formats(MapAccess access, MapFormats formats = map_formats());

// Parses a map of any format. `file` is used in error messages, and to detect the format if the bytes do not determine it. Fails for
// unknown formats (the error lists the known ones) and for malformed content, with file, line and reason.
Result<TerrainGrid> parse_map(std::string_view bytes, const MapOptions& options = {}, std::string_view file = {},
                              const CompanionReader& read_companion = {});
Result<TerrainGrid> load_map(const std::string& path, const MapOptions& options = {});

// Writes the map in the format of the path's extension, atomically (file.h). Fails for extensions without a writable format and for maps
// that the format cannot represent.
Result<void> save_map(const std::string& path, const GridSnapshot& grid, const MapOptions& options = {});

// The two steps of load_map(), for callers that need more of a file than its map.
Result<std::string> read_map_file(const std::string& path, const MapOptions& options = {});
CompanionReader companions_of(const std::string& path);  // reads files in the map's folder or below

}  // namespace terrane
