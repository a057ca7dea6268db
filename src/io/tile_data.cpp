// Decodes the tiles of a layer: CSV, base64, zlib, gzip.
#include <algorithm>
#include <array>
#include <optional>

#include "base/bytes.h"
#include "base/text.h"
#include "io/tiled.h"
#include "terrane/grid/grid.h"

#if defined(TERRANE_HAS_ZLIB)
#include <zlib.h>
#endif

namespace terrane::detail {

namespace {

constexpr int32_t kMaxOffset = 1 << 24;  // of a chunk from the origin of an infinite map
constexpr std::string_view kSpaces = " \t\r\n";

std::string of_layer(const std::string& layer) { return " of layer " + quote(layer); }

// The value of each byte of base64; -1 for all others.
constexpr std::array<int8_t, 256> kBase64 = [] {
    std::array<int8_t, 256> values{};
    values.fill(-1);
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < kDigits.size(); ++i) values[static_cast<uint8_t>(kDigits[i])] = static_cast<int8_t>(i);
    return values;
}();

// Skips blanks and line breaks.
std::optional<std::string> decode_base64(std::string_view text) {
    std::string out;
    uint32_t bits = 0;
    int count = 0, padding = 0;
    for (const char c : text) {
        if (kSpaces.find(c) != std::string_view::npos) continue;
        const int8_t value = kBase64[static_cast<uint8_t>(c)];
        if (c == '=' && count % 4 >= 2) {
            ++padding;
        } else if (value < 0 || padding > 0) {
            return std::nullopt;
        }
        bits = bits << 6 | static_cast<uint32_t>(c == '=' ? 0 : value);
        if (++count % 4 == 0)
            out += {static_cast<char>(bits >> 16 & 255), static_cast<char>(bits >> 8 & 255), static_cast<char>(bits & 255)};
    }
    if (count % 4 != 0) return std::nullopt;
    out.resize(out.size() - static_cast<size_t>(padding));
    return out;
}

#if defined(TERRANE_HAS_ZLIB)

// Decompresses to exactly `size` bytes; fails for anything else, so decompression bombs stop here.
std::optional<std::string> decompress(std::string_view compressed, size_t size) {
    if (compressed.size() > 0xffffffff || size >= 0xffffffff) return std::nullopt;
    std::string out(size + 1, '\0');  // one extra byte detects longer data
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 32) != Z_OK) return std::nullopt;  // 32: zlib or gzip
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
    stream.avail_in = static_cast<uInt>(compressed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int result = inflate(&stream, Z_FINISH);
    const bool whole = result == Z_STREAM_END && stream.total_out == size && stream.avail_in == 0;
    inflateEnd(&stream);
    if (!whole) return std::nullopt;
    out.resize(size);
    return out;
}

#endif

Result<std::vector<uint32_t>> read_csv(const TiledSource& source, const TileBlock& block, const std::string& layer) {
    const size_t wanted = static_cast<size_t>(block.width) * static_cast<size_t>(block.height);
    std::vector<uint32_t> tiles;
    tiles.reserve(std::min(wanted, block.text.size() / 2 + 1));
    uint32_t line = block.line;
    std::string_view rest = block.text;
    for (bool more = true; more;) {
        const size_t comma = rest.find(',');
        more = comma != std::string_view::npos;
        std::string_view word = rest.substr(0, comma);
        rest.remove_prefix(more ? comma + 1 : rest.size());
        const std::string_view before = word.substr(0, std::min(word.find_first_not_of(kSpaces), word.size()));
        line += static_cast<uint32_t>(std::ranges::count(before, '\n'));
        const std::string_view digits = take_word(word, kSpaces);
        const auto tile = parse_integer<uint32_t>(digits, 0, 0xffffffff);
        if (!tile || !take_word(word, kSpaces).empty()) {
            return source.refuse(ErrorCode::kBadValue, line,
                                 "tile " + std::to_string(tiles.size() + 1) + of_layer(layer) + " is " + quote(digits) + ", not a number");
        }
        tiles.push_back(*tile);
        if (tiles.size() > wanted) {
            return source.refuse(ErrorCode::kBadValue, line,
                                 "the data" + of_layer(layer) + " has more than " + std::to_string(wanted) + " tiles");
        }
    }
    return tiles;
}

Result<std::vector<uint32_t>> read_base64(const TiledSource& source, const TileBlock& block, const std::string& layer) {
    auto bytes = decode_base64(block.text);
    if (!bytes) return source.refuse(ErrorCode::kBadValue, block.line, "the data" + of_layer(layer) + " is not base64");
    if (block.packing == TilePacking::kZlib) {
#if defined(TERRANE_HAS_ZLIB)
        const size_t size = static_cast<size_t>(block.width) * static_cast<size_t>(block.height) * 4;
        bytes = decompress(*bytes, size);
        if (!bytes) {
            return source.refuse(ErrorCode::kBadValue, block.line,
                                 "the data" + of_layer(layer) + " does not decompress to " + std::to_string(size / 4) + " tiles");
        }
#else
        return source.refuse(ErrorCode::kUnsupported, block.line,
                             "the data" + of_layer(layer) + " is compressed, but this build lacks zlib");
#endif
    }
    std::vector<uint32_t> tiles;
    tiles.reserve(bytes->size() / 4);
    ByteReader in(*bytes);
    while (in.rest().size() >= 4) tiles.push_back(in.u32());
    if (!in.rest().empty()) return source.refuse(ErrorCode::kBadValue, block.line, "the data" + of_layer(layer) + " ends within a tile");
    return tiles;
}

// The maximum number of tiles that text of this length can contain.
uint64_t max_tiles(const TileBlock& block) {
    constexpr uint64_t kMaxExpansion = 1032;  // maximum compression ratio of deflate
    switch (block.encoding) {
        case TileEncoding::kCsv: return block.text.size() / 2 + 1;
        case TileEncoding::kBase64: return block.text.size() * 3 / 16 * (block.packing == TilePacking::kZlib ? kMaxExpansion : 1);
        case TileEncoding::kNumbers: break;
    }
    return block.numbers.size();
}

Result<std::vector<uint32_t>> read_any(const TiledSource& source, const TileBlock& block, const std::string& layer) {
    switch (block.encoding) {
        case TileEncoding::kCsv: return read_csv(source, block, layer);
        case TileEncoding::kBase64: return read_base64(source, block, layer);
        case TileEncoding::kNumbers: break;
    }
    return block.numbers;
}

}  // namespace

Result<TileEncoding> tile_encoding(const TiledSource& source, std::string_view encoding, uint32_t line) {
    if (encoding == "csv") return TileEncoding::kCsv;
    if (encoding == "base64") return TileEncoding::kBase64;
    return source.refuse(ErrorCode::kUnsupported, line, "tile data is encoded as " + quote(encoding) + "; expected 'csv' or 'base64'");
}

Result<TilePacking> tile_packing(const TiledSource& source, std::string_view compression, uint32_t line) {
    if (compression.empty()) return TilePacking::kNone;
    if (compression == "zlib" || compression == "gzip") return TilePacking::kZlib;
    return source.refuse(ErrorCode::kUnsupported, line,
                         "tile data is compressed with " + quote(compression) +
                             "; choose CSV, base64 or base64 with zlib or gzip as the tile layer format in Tiled's map properties");
}

Result<void> check_map(const TiledSource& source, std::string_view orientation, uint32_t line) {
    if (orientation == "orthogonal") return {};
    return source.refuse(ErrorCode::kUnsupported, line, "the map is " + quote(orientation) + "; only orthogonal maps can be read");
}

Result<void> check_block(const TiledSource& source, const TileBlock& block, const std::string& layer) {
    const auto side_ok = [](int32_t side) { return side >= 1 && side <= kMaxSide; };
    const auto near = [](int32_t at) { return at >= -kMaxOffset && at <= kMaxOffset; };
    if (side_ok(block.width) && side_ok(block.height) && near(block.x) && near(block.y)) return {};
    return source.refuse(ErrorCode::kTooLarge, block.line,
                         "the size or position" + of_layer(layer) + " is out of range: 1 to " + std::to_string(kMaxSide) + " tiles a side");
}

Result<void> check_length(const TiledSource& source, const TileBlock& block, const std::string& layer) {
    constexpr uint64_t kFew = 1 << 16;  // small blocks are not checked here: reading them gives a better error message
    const uint64_t wanted = static_cast<uint64_t>(block.width) * static_cast<uint64_t>(block.height);
    if (wanted <= kFew || wanted <= max_tiles(block)) return {};
    return source.refuse(ErrorCode::kBadValue, block.line,
                         "the data" + of_layer(layer) + " is too short for " + std::to_string(wanted) + " tiles");
}

Result<std::vector<uint32_t>> read_tiles(const TiledSource& source, const TileBlock& block, const std::string& layer) {
    auto tiles = read_any(source, block, layer);
    const size_t wanted = static_cast<size_t>(block.width) * static_cast<size_t>(block.height);
    if (tiles && tiles->size() != wanted) {
        return source.refuse(
            ErrorCode::kBadValue, block.line,
            "the data" + of_layer(layer) + " has " + std::to_string(tiles->size()) + " tiles, expected " + std::to_string(wanted));
    }
    return tiles;
}

}  // namespace terrane::detail
