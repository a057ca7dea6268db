// The format: https://doc.mapeditor.org/en/stable/reference/json-map-format/
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "io/tiled.h"
#include "terrane/grid/grid.h"

#if defined(TERRANE_HAS_JSON)
#include "base/json_text.h"
#endif

namespace terrane::detail {

#if defined(TERRANE_HAS_JSON)

namespace {

constexpr int64_t kMaxJsonId = kGidMask;

Result<Json> parse_json(const TiledSource& source) {
    return parse_json_object(source.text, source.file, "not a Tiled map: expected '{' or '<' at the beginning");
}

// Members of an object by type; members of another type count as absent.
std::string text_of(const Json& object, const char* key) {
    const Json* m = json_member(object, key);
    return m != nullptr && m->is_string() ? m->get<std::string>() : std::string();
}
bool flag_of(const Json& object, const char* key, bool otherwise) {
    const Json* m = json_member(object, key);
    return m != nullptr && m->is_boolean() ? m->get<bool>() : otherwise;
}
const Json* array_of(const Json& object, const char* key) {
    const Json* m = json_member(object, key);
    return m != nullptr && m->is_array() ? m : nullptr;
}
std::optional<int64_t> number_of(const Json& object, const char* key) {
    const Json* m = json_member(object, key);
    if (m == nullptr || !m->is_number_integer()) return std::nullopt;
    if (m->is_number_unsigned() && m->get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
    return m->get<int64_t>();
}

class JsonReader {
public:
    explicit JsonReader(const TiledSource& source) : source_(source) {}

    Result<TiledMap> map(const Json& json) {
        if (text_of(json, "type") != "map" && array_of(json, "layers") == nullptr) return bad("not a Tiled map: it has no layers");
        const auto ok = check_map(source_, text_of(json, "orientation"), 0);
        if (!ok) return ok.error();
        TiledMap map;
        map.infinite = flag_of(json, "infinite", false);
        if (!map.infinite && !(side(json, "width", map.width) && side(json, "height", map.height))) {
            return bad("the map's width and height are not numbers from 1 to " + std::to_string(kMaxSide));
        }
        if (const Json* sets = array_of(json, "tilesets")) {
            for (const Json& set : *sets) {
                auto read = tileset(set);
                if (!read) return read.error();
                map.tilesets.push_back(*std::move(read));
            }
        }
        const Json* layers = array_of(json, "layers");
        if (layers == nullptr) return bad("the map has no layers");
        if (const auto read = add_layers(*layers, map); !read) return read.error();
        return map;
    }

    Result<TiledTileset> tileset(const Json& json) {
        TiledTileset set;
        const auto first = number_of(json, "firstgid");
        if (!json.is_object() || (json_member(json, "firstgid") != nullptr && (!first || *first < 1 || *first > kMaxJsonId))) {
            return bad("a tileset's firstgid is not a positive number");
        }
        if (first) set.first_gid = static_cast<uint32_t>(*first);
        set.source = text_of(json, "source");
        if (!set.source.empty()) return set;
        const Json* tiles = json_member(json, "tiles");
        if (tiles == nullptr) return set;
        if (!tiles->is_array()) return bad("the tiles of a tileset are not a list: save it with a newer Tiled");
        for (const Json& tile : *tiles) {
            const auto id = number_of(tile, "id");
            if (!id || *id < 0 || *id > kMaxJsonId) return bad("a tile's id is not a number >= 0");
            if (const auto read = add_property(tile, static_cast<uint32_t>(*id), set); !read) return read.error();
        }
        return set;
    }

private:
    Error bad(std::string reason) const { return source_.refuse(ErrorCode::kBadValue, 0, std::move(reason)); }

    static bool side(const Json& json, const char* key, int32_t& out) {
        const auto n = number_of(json, key);
        if (!n || *n < 1 || *n > kMaxSide) return false;
        out = static_cast<int32_t>(*n);
        return true;
    }

    Result<void> add_property(const Json& tile, uint32_t id, TiledTileset& set) const {
        const Json* properties = array_of(tile, "properties");
        if (properties == nullptr) return {};
        for (const Json& property : *properties) {
            if (text_of(property, "name") != source_.property) continue;
            const std::string value = text_of(property, "value");
            if (value.empty())
                return bad("property " + quote(source_.property) + " of tile " + std::to_string(id) + " is not a terrain's name");
            set.properties[id] = value;
        }
        return {};
    }

    // The recursion depth is bounded by kMaxJsonDepth.
    Result<void> add_layers(const Json& layers, TiledMap& map) {
        for (const Json& layer : layers) {
            if (!flag_of(layer, "visible", true)) continue;
            const std::string type = text_of(layer, "type");
            Result<void> read;
            if (type == "tilelayer") read = add_tiles(layer, map);
            if (const Json* inner = array_of(layer, "layers"); inner != nullptr && type == "group") read = add_layers(*inner, map);
            if (!read) return read;
        }
        return {};
    }

    Result<void> add_tiles(const Json& json, TiledMap& map) {
        TileLayer layer{text_of(json, "name"), {}};
        const std::string encoding = text_of(json, "encoding"), compression = text_of(json, "compression");
        const Json* chunks = array_of(json, "chunks");
        if (chunks == nullptr) {
            if (const auto added = add_block(json, json, map, encoding, compression, layer); !added) return added;
        } else {
            for (const Json& chunk : *chunks) {
                if (const auto added = add_block(chunk, json, map, encoding, compression, layer); !added) return added;
            }
        }
        map.layers.push_back(std::move(layer));
        return {};
    }

    Result<void> add_block(const Json& json, const Json& parent, const TiledMap& map, const std::string& encoding,
                           const std::string& compression, TileLayer& layer) {
        TileBlock block;
        const bool chunk = &json != &parent;
        if (!chunk && map.infinite && json_member(json, "data") == nullptr) return {};  // an empty layer
        if (!side(json, "width", block.width) || !side(json, "height", block.height)) {
            return bad("the width and height of layer " + quote(layer.name) + " are not numbers from 1 to " + std::to_string(kMaxSide));
        }
        const auto x = number_of(json, "x"), y = number_of(json, "y");
        if (chunk && (!x || !y || std::max(std::abs(*x), std::abs(*y)) > INT32_MAX / 2)) {
            return bad("a chunk of layer " + quote(layer.name) + " has no position");
        }
        if (chunk) block.x = static_cast<int32_t>(*x);
        if (chunk) block.y = static_cast<int32_t>(*y);
        const Json* data = json_member(json, "data");
        const auto ok =
            data != nullptr && data->is_array() ? add_numbers(*data, block, layer) : add_text(data, block, encoding, compression, layer);
        if (ok) layer.blocks.push_back(std::move(block));
        return ok;
    }

    Result<void> add_numbers(const Json& data, TileBlock& block, const TileLayer& layer) const {
        block.numbers.reserve(data.size());
        for (const Json& tile : data) {
            if (!tile.is_number_unsigned() || tile.get<uint64_t>() > 0xffffffff) {
                return bad("tile " + std::to_string(block.numbers.size() + 1) + " of layer " + quote(layer.name) + " is not a tile number");
            }
            block.numbers.push_back(tile.get<uint32_t>());
        }
        return {};
    }

    Result<void> add_text(const Json* data, TileBlock& block, const std::string& encoding, const std::string& compression,
                          const TileLayer& layer) const {
        if (data == nullptr || !data->is_string()) return bad("layer " + quote(layer.name) + " has no data");
        const auto known = tile_encoding(source_, encoding, 0);
        if (!known) return known.error();
        const auto packing = tile_packing(source_, compression, 0);
        if (!packing) return packing.error();
        block.encoding = *known;
        block.packing = *packing;
        block.text = data->get<std::string>();
        return {};
    }

    const TiledSource& source_;
};

}  // namespace

Result<TiledMap> read_tiled_json(const TiledSource& source) {
    const auto json = parse_json(source);
    if (!json) return json.error();
    return JsonReader(source).map(*json);
}

Result<TiledTileset> read_tileset_json(const TiledSource& source) {
    const auto json = parse_json(source);
    if (!json) return json.error();
    return JsonReader(source).tileset(*json);
}

#else

Result<TiledMap> read_tiled_json(const TiledSource& source) {
    return source.refuse(ErrorCode::kUnsupported, 0, "built without nlohmann-json: Tiled's JSON cannot be read");
}

Result<TiledTileset> read_tileset_json(const TiledSource& source) {
    return source.refuse(ErrorCode::kUnsupported, 0, "built without nlohmann-json: Tiled's JSON cannot be read");
}

#endif

}  // namespace terrane::detail
