// The content of a Tiled map, independent of its encoding, and the XML and JSON readers. Terrain is assigned in tiled_map.cpp.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"

namespace terrane::detail {

inline constexpr uint64_t kMaxTiledBytes = 64 << 20;

inline constexpr size_t kMaxTiledDepth = 64;  // of nested groups, arrays, elements

// The bits of a tile number that are the gid; the others are flip and rotation flags.
inline constexpr uint32_t kGidMask = 0x0fffffff;

enum class TileEncoding : uint8_t { kNumbers, kCsv, kBase64 };
enum class TilePacking : uint8_t { kNone, kZlib };  // kZlib: zlib or gzip, detected from the data

// A rectangle of tiles: decoded in `numbers` if kNumbers, otherwise encoded in `text`.
struct TileBlock {
    int32_t x = 0, y = 0, width = 0, height = 0;
    TileEncoding encoding = TileEncoding::kNumbers;
    TilePacking packing = TilePacking::kNone;
    std::string text;
    std::vector<uint32_t> numbers;
    uint32_t line = 0;
};

struct TileLayer {
    std::string name;
    std::vector<TileBlock> blocks;
};

struct TiledTileset {
    uint32_t first_gid = 1;
    std::string source;                          // file name of an external tileset that has not been read yet
    std::map<uint32_t, std::string> properties;  // terrain property by local tile id, for the tiles that have it
    uint32_t line = 0;
};

struct TiledMap {
    int32_t width = 0, height = 0;  // 0 for infinite maps
    bool infinite = false;
    std::vector<TiledTileset> tilesets;
    std::vector<TileLayer> layers;  // the visible ones, from bottom to top
};

// `property` is the name of the tile property that holds the terrain.
struct TiledSource {
    std::string_view text;
    std::string_view file;
    std::string_view property;

    Error refuse(ErrorCode code, uint32_t line, std::string reason) const { return {code, std::string(file), line, std::move(reason)}; }
};

Result<TiledMap> read_tiled_json(const TiledSource& source);
Result<TiledTileset> read_tileset_json(const TiledSource& source);
Result<TiledMap> read_tiled_xml(const TiledSource& source);
Result<TiledTileset> read_tileset_xml(const TiledSource& source);

// Checks shared by both readers.
Result<TileEncoding> tile_encoding(const TiledSource& source, std::string_view encoding, uint32_t line);
Result<TilePacking> tile_packing(const TiledSource& source, std::string_view compression, uint32_t line);
Result<void> check_map(const TiledSource& source, std::string_view orientation, uint32_t line);
Result<void> check_block(const TiledSource& source, const TileBlock& block, const std::string& layer);
// Checks that the data is long enough for the declared number of tiles. Call it before allocating them.
Result<void> check_length(const TiledSource& source, const TileBlock& block, const std::string& layer);

// Decodes the width * height tile numbers of a block, including their flags.
Result<std::vector<uint32_t>> read_tiles(const TiledSource& source, const TileBlock& block, const std::string& layer);

}  // namespace terrane::detail
