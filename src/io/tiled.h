// What a Tiled map is, however it was written; and its two readers, which know nothing of terrain.
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

// The lowest bits of a tile number; the rest say how the tile is flipped and rotated.
inline constexpr uint32_t kGidMask = 0x0fffffff;

enum class TileEncoding : uint8_t { kNumbers, kCsv, kBase64 };
enum class TilePacking : uint8_t { kNone, kZlib };  // zlib or gzip: the bytes tell

// A rectangle of tiles, not yet read unless kNumbers.
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
    std::string source;                          // of an external one, not yet read
    std::map<uint32_t, std::string> properties;  // of the tiles that have the property wanted, by local id
    uint32_t line = 0;
};

struct TiledMap {
    int32_t width = 0, height = 0;  // 0 for infinite maps
    bool infinite = false;
    std::vector<TiledTileset> tilesets;
    std::vector<TileLayer> layers;  // the visible ones, from the bottom up
};

// `property`: that of tiles which says their terrain.
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

// What both readers check alike.
Result<TileEncoding> tile_encoding(const TiledSource& source, std::string_view encoding, uint32_t line);
Result<TilePacking> tile_packing(const TiledSource& source, std::string_view compression, uint32_t line);
Result<Done> check_map(const TiledSource& source, std::string_view orientation, uint32_t line);
Result<Done> check_block(const TiledSource& source, const TileBlock& block, const std::string& layer);
// Whether what is there can be as many tiles as were promised: to be asked before memory is taken for them.
Result<Done> check_length(const TiledSource& source, const TileBlock& block, const std::string& layer);

// The tile numbers of a block, width * height of them, flags and all.
Result<std::vector<uint32_t>> read_tiles(const TiledSource& source, const TileBlock& block, const std::string& layer);

}  // namespace terrane::detail
