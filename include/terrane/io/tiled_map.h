// Maps drawn with Tiled (mapeditor.org): TMX and JSON, orthogonal, finite or infinite. A tile's terrain is the string
// property `terrain` that its tileset gives it.
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
    std::string property = "terrain";     // of tiles; its value is a terrain's name
    std::string otherwise;                // terrain of cells that have no tile, or none with the property; empty: they are refused
    uint64_t max_cells = kMaxTiledCells;  // larger maps are refused before memory is taken
};

// Hands over the text of an external tileset by its name in the map, relative to the map's folder.
using TilesetReader = CompanionReader;

// Text of either kind: TMX begins with `<`, JSON with `{`. Of the visible tile layers, groups included, the topmost tile
// that has a terrain makes the cell; flips and rotations do not matter. Layer data may be CSV, JSON numbers, <tile>
// elements, or base64, bare or packed with zlib or gzip. An infinite map is cut to the cells that have tiles.
// Names are made lower case, with _ for blanks and -; the catalogue is standard() or octile() where that has them
// all, else their own, in the order of the tilesets.
// Refused with file, reason and, where it is known, line: what is malformed; tiles without a terrain, with their gid and
// cell; other orientations; zstd. Needs tinyxml2 for TMX and .tsx, nlohmann-json for JSON and .tsj, and zlib for
// packed data: without them, kUnsupported.
Result<TerrainGrid> parse_tiled(std::string_view text, const TiledOptions& options = {}, std::string_view file = {},
                                const TilesetReader& read_tileset = {});

// External tilesets are read from the map's folder or below it: absolute names and those that lead out of it with `..`
// are refused. Limit: 64 MiB a file.
Result<TerrainGrid> load_tiled(const std::string& path, const TiledOptions& options = {});

}  // namespace terrane
