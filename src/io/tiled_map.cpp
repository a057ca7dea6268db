// Layers are decoded and painted from bottom to top, so that only one decoded block is in memory at a time.
#include "terrane/io/tiled_map.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/text.h"
#include "io/map_format_list.h"
#include "io/named.h"
#include "io/tiled.h"

namespace terrane {

using detail::quote;
using detail::TileBlock;
using detail::TiledMap;
using detail::TiledSource;
using detail::TiledTileset;
using detail::TileLayer;

namespace {

constexpr uint64_t kMaxTiles = uint64_t{1} << 28;  // of all layers together: compressed data can declare many tiles in few bytes
constexpr size_t kMaxTilesets = 1024;
constexpr uint64_t kMaxTilesetBytes = 32 << 20;  // of external ones together: a map may refer to one many times

// The first character that is not blank; 0 if there is none.
char first_character(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos ? text[first] : '\0';
}

bool is_xml(std::string_view text) { return first_character(text) == '<'; }

// Converts "Deep Water" to deep_water.
std::string plain_name(std::string name) {
    for (char& c : name) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (c == ' ' || c == '-') c = '_';
    }
    return name;
}

// ---- tilesets

Result<void> read_external(TiledMap& map, const TiledSource& source, const TilesetReader& read) {
    uint64_t bytes = 0;
    for (TiledTileset& set : map.tilesets) {
        if (set.source.empty()) continue;
        const std::string named = "tileset " + quote(set.source);
        if (!read)
            return source.refuse(ErrorCode::kUnsupported, set.line, named + " is in another file, and no other files are available here");
        const auto text = read(set.source);
        if (!text) return source.refuse(text.error().code, set.line, named + ": " + text.error().reason);
        bytes += text->size();
        if (bytes > kMaxTilesetBytes) {
            return source.refuse(ErrorCode::kTooLarge, set.line,
                                 named + ": the map's tilesets have more than " + std::to_string(kMaxTilesetBytes) + " bytes in all");
        }
        const TiledSource inner{*text, set.source, source.property};
        auto external = is_xml(*text) ? read_tileset_xml(inner) : read_tileset_json(inner);
        if (!external) {
            const std::string line = external.error().line > 0 ? ", line " + std::to_string(external.error().line) : "";
            return source.refuse(external.error().code, set.line, named + line + ": " + external.error().reason);
        }
        set.properties = std::move(external->properties);
    }
    return {};
}

// The terrain of each gid.
class GidTable {
public:
    // Fails for invalid terrain names, and for more than 255.
    static Result<GidTable> make(const TiledMap& map, const TiledSource& source, const std::string& otherwise) {
        GidTable table;
        std::vector<detail::NamedTerrain> names;
        for (const TiledTileset& set : map.tilesets) {
            for (const auto& [id, name] : set.properties) names.push_back({plain_name(name), {}});
        }
        if (!otherwise.empty()) names.push_back({plain_name(otherwise), {}});
        auto catalogue = detail::catalogue_of(names);
        if (!catalogue) return source.refuse(catalogue.error().code, 0, catalogue.error().reason);
        table.catalogue_ = *std::move(catalogue);
        for (const TiledTileset& set : map.tilesets) table.add(set);
        std::ranges::sort(table.sets_, {}, &Set::first);
        if (!otherwise.empty()) table.otherwise_ = table.catalogue_.find(plain_name(otherwise));
        return table;
    }

    // kOutside if the tile has no terrain.
    Terrain find(uint32_t gid) const {
        const auto after = std::ranges::upper_bound(sets_, gid, {}, &Set::first);
        if (after == sets_.begin()) return kOutside;
        const Set& set = *(after - 1);
        const auto it = std::ranges::lower_bound(set.tiles, gid - set.first, {}, &Set::Tile::id);
        return it != set.tiles.end() && it->id == gid - set.first ? it->terrain : kOutside;
    }

    const Catalogue& catalogue() const { return catalogue_; }
    std::optional<Terrain> otherwise() const { return otherwise_; }

private:
    struct Set {
        struct Tile {
            uint32_t id = 0;
            Terrain terrain = 0;
        };
        uint32_t first = 0;
        std::vector<Tile> tiles;  // by id
    };

    void add(const TiledTileset& from) {
        Set set{from.first_gid, {}};
        for (const auto& [id, name] : from.properties) set.tiles.push_back({id, *catalogue_.find(plain_name(name))});
        sets_.push_back(std::move(set));
    }

    std::vector<Set> sets_;
    Catalogue catalogue_;
    std::optional<Terrain> otherwise_;
};

// ---- layers

Rect rect_of(const TileBlock& b) { return {{b.x, b.y}, {b.width, b.height}}; }

// The bounds of the map: its declared size if finite, otherwise the hull of its chunks. Checks the limits.
Result<Rect> find_bounds(const TiledMap& map, const TiledSource& source, uint64_t max_cells) {
    Rect bounds{{0, 0}, {map.width, map.height}};
    uint64_t tiles = 0;
    for (const TileLayer& layer : map.layers) {
        for (const TileBlock& block : layer.blocks) {
            const auto ok = check_block(source, block, layer.name);
            if (!ok) return ok.error();
            tiles += rect_of(block).area();
            if (map.infinite) bounds = hull(bounds, rect_of(block));
            if (!map.infinite && intersection(bounds, rect_of(block)) != rect_of(block)) {
                return source.refuse(ErrorCode::kBadValue, block.line, "layer " + quote(layer.name) + " extends beyond the map");
            }
        }
    }
    if (tiles == 0) return source.refuse(ErrorCode::kBadValue, 0, "the map has no visible tile layer with tiles");
    if (bounds.width > kMaxSide || bounds.height > kMaxSide || bounds.area() > max_cells || tiles > kMaxTiles) {
        return source.refuse(ErrorCode::kTooLarge, 0,
                             "a map of " + std::to_string(bounds.width) + " x " + std::to_string(bounds.height) + " cells and " +
                                 std::to_string(tiles) + " tiles is larger than the limit: " + std::to_string(kMaxSide) +
                                 " cells a side, " + std::to_string(max_cells) + " cells and " + std::to_string(kMaxTiles) +
                                 " tiles in all");
    }
    return bounds;
}

// The layers painted so far: the terrain of each cell, and its topmost tile for error messages and cropping.
class Canvas {
public:
    explicit Canvas(const Rect& bounds)
        : bounds_(bounds),
          width_(static_cast<size_t>(bounds.width)),
          terrains_(static_cast<size_t>(bounds.area()), kOutside),
          gids_(static_cast<size_t>(bounds.area())) {}

    void paint(const TileBlock& block, const std::vector<uint32_t>& tiles, const GidTable& table) {
        auto tile = tiles.begin();
        for (int32_t y = block.y; y < block.y + block.height; ++y) {
            for (int32_t x = block.x; x < block.x + block.width; ++x, ++tile) {
                const uint32_t gid = *tile & detail::kGidMask;
                if (gid == 0) continue;
                const size_t at = index({x, y});
                const Terrain terrain = lookup(gid, table);
                if (terrain != kOutside) terrains_[at] = terrain;
                gids_[at] = gid;
            }
        }
    }

    // The hull of the cells that have tiles; empty if none has.
    Rect used() const {
        Rect used;
        for (int32_t y = bounds_.y; y < bounds_.bottom(); ++y) {
            for (int32_t x = bounds_.x; x < bounds_.right(); ++x) {
                if (gids_[index({x, y})] != 0) used = hull(used, {{x, y}, {1, 1}});
            }
        }
        return used;
    }

    Result<TerrainGrid> cut(const Rect& part, const GidTable& table, const TiledSource& source) const {
        std::vector<Terrain> cells;
        cells.reserve(static_cast<size_t>(part.area()));
        for (int32_t y = part.y; y < part.bottom(); ++y) {
            for (int32_t x = part.x; x < part.right(); ++x) {
                const Terrain terrain = terrains_[index({x, y})];
                if (terrain == kOutside && !table.otherwise()) return no_terrain({x, y}, source);
                cells.push_back(terrain == kOutside ? *table.otherwise() : terrain);
            }
        }
        return TerrainGrid(part.width, part.height, cells, table.catalogue());
    }

private:
    size_t index(Cell c) const { return static_cast<size_t>(c.y - bounds_.y) * width_ + static_cast<size_t>(c.x - bounds_.x); }

    // Caches the last gid: neighbours often have the same tile.
    Terrain lookup(uint32_t gid, const GidTable& table) {
        if (gid != last_gid_) last_terrain_ = table.find(gid);
        last_gid_ = gid;
        return last_terrain_;
    }

    Error no_terrain(Cell c, const TiledSource& source) const {
        const uint32_t gid = gids_[index(c)];
        const std::string where = "cell " + std::to_string(c.x) + "," + std::to_string(c.y);
        const std::string property = quote(source.property);
        return source.refuse(ErrorCode::kUnknownName, 0,
                             gid == 0 ? where + " has no tile: add one, or set 'otherwise'"
                                      : "tile " + std::to_string(gid) + " at " + where + " has no terrain: give it a property " + property +
                                            " in its tileset, or set 'otherwise'");
    }

    Rect bounds_;
    size_t width_;
    std::vector<Terrain> terrains_;
    std::vector<uint32_t> gids_;
    uint32_t last_gid_ = 0;
    Terrain last_terrain_ = kOutside;
};

Result<TerrainGrid> build(const TiledMap& map, const TiledSource& source, const TiledOptions& options) {
    const auto table = GidTable::make(map, source, options.otherwise);
    if (!table) return table.error();
    const auto bounds = find_bounds(map, source, options.max_cells);
    if (!bounds) return bounds.error();
    for (const TileLayer& layer : map.layers) {
        for (const TileBlock& block : layer.blocks) {
            if (const auto enough = check_length(source, block, layer.name); !enough) return enough.error();
        }
    }
    Canvas canvas(*bounds);
    for (const TileLayer& layer : map.layers) {
        for (const TileBlock& block : layer.blocks) {
            const auto tiles = read_tiles(source, block, layer.name);
            if (!tiles) return tiles.error();
            canvas.paint(block, *tiles, *table);
        }
    }
    const Rect part = map.infinite ? canvas.used() : *bounds;
    if (part.empty()) return source.refuse(ErrorCode::kBadValue, 0, "the map has no tiles");
    return canvas.cut(part, *table, source);
}

constexpr const char* kMissingLibraries =
    ""
#ifndef TERRANE_HAS_XML
    "tinyxml2 "
#endif
#ifndef TERRANE_HAS_JSON
    "nlohmann-json "
#endif
#ifndef TERRANE_HAS_ZLIB
    "zlib "
#endif
    ;

Result<TerrainGrid> parse_tiled_map(const MapSource& source) {
    const TiledOptions options{std::string(source.options.tile_property), std::string(source.options.otherwise),
                               std::min(source.options.max_cells, kMaxTiledCells)};
    return parse_tiled(source.bytes, options, source.file, source.read_companion);
}

}  // namespace

Result<TerrainGrid> parse_tiled(std::string_view text, const TiledOptions& options, std::string_view file,
                                const TilesetReader& read_tileset) {
    const TiledSource source{text, file, options.property};
    if (text.size() > detail::kMaxTiledBytes)
        return source.refuse(ErrorCode::kTooLarge, 0, "larger than the limit of " + std::to_string(detail::kMaxTiledBytes) + " bytes");
    auto map = is_xml(text) ? read_tiled_xml(source) : read_tiled_json(source);
    if (!map) return map.error();
    if (map->tilesets.size() > kMaxTilesets) return source.refuse(ErrorCode::kTooLarge, 0, "a map has at most 1024 tilesets");
    const auto complete = read_external(*map, source, read_tileset);
    if (!complete) return complete.error();
    return build(*map, source, options);
}

constinit const MapFormat detail::kTiledFormat{
    .name = "Tiled map",
    .extensions = ".tmx .tmj .json",
    .summary = "XML or JSON; a tile's terrain is its string property `terrain`",
    .options = "tile_property, otherwise",
    .missing = kMissingLibraries,
    .detect = [](std::string_view bytes) { return first_character(bytes) == '<' || first_character(bytes) == '{'; },
    .max_bytes = [](const MapOptions&) { return detail::kMaxTiledBytes; },
    .parse = parse_tiled_map,
};

}  // namespace terrane
