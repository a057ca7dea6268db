// Reads maps of the Tiled editor (mapeditor.org): TMX and JSON, orthogonal, finite or infinite. The string property `terrain` of a tile
// in its tileset is its terrain.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/grid/grid.h"
#include "terrane/io/map_formats.h"

namespace terrane {

inline constexpr uint64_t kMaxTiledCells = uint64_t{1} << 26;

struct TiledOptions {
    std::string property = "terrain";     // the tile property that holds the terrain's name
    std::string otherwise;                // terrain of cells without a tile or without the property; empty: such cells are refused
    uint64_t max_cells = kMaxTiledCells;  // larger maps are refused before memory is allocated
};

// Returns the text of an external tileset. The name is as in the map, relative to the map's folder.
using TilesetReader = CompanionReader;

// Parses TMX (begins with `<`) or JSON (begins with `{`). A cell gets the terrain of its topmost tile that has one, in the visible tile
// layers, groups included; flips and rotations are ignored. Layer data may be CSV, JSON numbers, <tile> elements, or base64, plain or
// compressed with zlib or gzip. An infinite map is cropped to the cells that have tiles. Names are converted to lower case, with _ for
// blanks and -. The catalogue is standard() or octile() if that has all names; otherwise it consists of these names in the order of the
// tilesets.
//
// Fails, with file, reason and, if known, line, for malformed input, tiles without a terrain (with gid and cell), other orientations, and
// zstd. Needs tinyxml2 for TMX and .tsx, nlohmann-json for JSON and .tsj, and zlib for compressed data; kUnsupported without them.
Result<TerrainGrid> parse_tiled(std::string_view text, const TiledOptions& options = {}, std::string_view file = {},
                                const TilesetReader& read_tileset = {});

// Loads a map. External tilesets must be in the map's folder or below: absolute names and names that lead out of it with `..` are
// refused. At most 64 MiB per file.
Result<TerrainGrid> load_tiled(const std::string& path, const TiledOptions& options = {});

}  // namespace terrane
