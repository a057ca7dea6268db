// The format: https://doc.mapeditor.org/en/stable/reference/tmx-map-format/
#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/text.h"
#include "io/tiled.h"
#include "terrane/grid/grid.h"

#if defined(TERRANE_HAS_XML)
#include <tinyxml2.h>
#endif

namespace terrane::detail {

#if defined(TERRANE_HAS_XML)

namespace {

using tinyxml2::XMLDocument;
using tinyxml2::XMLElement;

constexpr uint32_t kMaxId = kGidMask;

uint32_t line_of(const tinyxml2::XMLNode& node) { return static_cast<uint32_t>(std::max(node.GetLineNum(), 0)); }

std::string_view attribute(const XMLElement& element, const char* name) {
    const char* value = element.Attribute(name);
    return value != nullptr ? std::string_view(value) : std::string_view();
}

bool is(const XMLElement& element, const char* name) { return std::strcmp(element.Name(), name) == 0; }

// Calls visit(child) for each child element until one fails.
template <class Visit>
Result<void> for_each_child(const XMLElement& parent, Visit&& visit) {
    for (const XMLElement* child = parent.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
        if (const Result<void> visited = visit(*child); !visited) return visited;
    }
    return {};
}

// Finds input on which tinyxml2 takes quadratic time: it compares each attribute of an element with all before it, and searches the whole
// rest of the text for the end of each entity.
class XmlPrecheck {
public:
    explicit XmlPrecheck(std::string_view text) : text_(text) {}

    // Returns what is wrong; null if nothing is. Other syntax errors are left to tinyxml2.
    const char* find() {
        while (at_ < text_.size()) {
            if (text_[at_] == '&' && !entity_ends()) return kUnterminated;
            if (text_[at_] != '<') {
                ++at_;
            } else if (const char* wrong = pass_markup()) {
                return wrong;
            }
        }
        return nullptr;
    }
    uint32_t line() const { return 1 + static_cast<uint32_t>(std::ranges::count(text_.substr(0, at_), '\n')); }

private:
    static constexpr size_t kMaxAttributes = 256;  // per element; Tiled writes at most 20
    static constexpr size_t kLongestEntity = 12;
    static constexpr const char* kUnterminated = "not XML: a '&' without its ';'";

    bool entity_ends() const { return text_.substr(at_, kLongestEntity).find(';') != std::string_view::npos; }
    const char* pass_markup() {
        static constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
            {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
        for (const auto& [begin, end] : kOthers) {
            if (!text_.substr(at_).starts_with(begin)) continue;
            const size_t found = text_.find(end, at_ + begin.size());
            at_ = found == std::string_view::npos ? text_.size() : found + end.size();
            return nullptr;
        }
        return pass_tag();
    }
    const char* pass_tag() {
        size_t attributes = 0;
        char quoted = 0;  // the quotation mark of the current value; 0 outside values
        for (; at_ < text_.size() && (quoted != 0 || text_[at_] != '>'); ++at_) {
            const char c = text_[at_];
            if (c == '&' && !entity_ends()) return kUnterminated;
            if (quoted != 0) {
                if (c == quoted) quoted = 0;
            } else if (c == '"' || c == '\'') {
                quoted = c;
                if (++attributes > kMaxAttributes) return "an element has more than 256 attributes";
            }
        }
        return nullptr;
    }

    std::string_view text_;
    size_t at_ = 0;
};

// Returns the root element, which must be `name`; only comments may follow it.
Result<const XMLElement*> parse_xml(XMLDocument& document, const TiledSource& source, const char* name) {
    if (source.text.find('\0') != std::string_view::npos) return source.refuse(ErrorCode::kBadValue, 0, "not XML: it contains null bytes");
    XmlPrecheck precheck(source.text);
    if (const char* wrong = precheck.find()) return source.refuse(ErrorCode::kBadValue, precheck.line(), wrong);
    if (document.Parse(source.text.data(), source.text.size()) != tinyxml2::XML_SUCCESS) {
        return source.refuse(ErrorCode::kBadValue, static_cast<uint32_t>(std::max(document.ErrorLineNum(), 0)),
                             std::string("not XML: ") + XMLDocument::ErrorIDToName(document.ErrorID()));
    }
    const XMLElement* root = document.RootElement();
    if (root == nullptr || !is(*root, name))
        return source.refuse(ErrorCode::kBadHeader, 1, std::string("expected an element <") + name + ">");
    for (const auto* node = root->NextSibling(); node != nullptr; node = node->NextSibling()) {
        if (node->ToComment() == nullptr)
            return source.refuse(ErrorCode::kTrailing, line_of(*node), "the file goes on after its last element");
    }
    return root;
}

class XmlReader {
public:
    explicit XmlReader(const TiledSource& source) : source_(source) {}

    Result<TiledMap> map(const XMLElement& root) {
        const auto ok = check_map(source_, attribute(root, "orientation"), line_of(root));
        if (!ok) return ok.error();
        TiledMap map;
        map.infinite = attribute(root, "infinite") == "1";
        if (!map.infinite) {
            if (const auto size = read_size(root, map.width, map.height, "the map"); !size) return size.error();
        }
        const auto sets = for_each_child(root, [&](const XMLElement& child) -> Result<void> {
            if (!is(child, "tileset")) return {};
            auto set = tileset(child);
            if (!set) return set.error();
            map.tilesets.push_back(*std::move(set));
            return {};
        });
        if (!sets) return sets.error();
        if (const auto layers = add_layers(root, map); !layers) return layers.error();
        return map;
    }

    Result<TiledTileset> tileset(const XMLElement& element) {
        TiledTileset set;
        set.line = line_of(element);
        if (element.Attribute("firstgid") != nullptr) {
            const auto first = parse_integer<uint32_t>(attribute(element, "firstgid"), 1, kMaxId);
            if (!first) return bad(element, "a tileset's firstgid is not a positive number");
            set.first_gid = *first;
        }
        set.source = std::string(attribute(element, "source"));
        if (!set.source.empty()) return set;
        const auto tiles = for_each_child(element, [&](const XMLElement& tile) { return add_tile(tile, set); });
        if (!tiles) return tiles.error();
        return set;
    }

private:
    Error bad(const XMLElement& element, std::string reason) const {
        return source_.refuse(ErrorCode::kBadValue, line_of(element), std::move(reason));
    }

    Result<void> read_size(const XMLElement& element, int32_t& width, int32_t& height, const std::string& what) const {
        const auto w = parse_integer<int32_t>(attribute(element, "width"), 1, kMaxSide);
        const auto h = parse_integer<int32_t>(attribute(element, "height"), 1, kMaxSide);
        if (!w || !h) return bad(element, "width and height of " + what + " are not numbers from 1 to " + std::to_string(kMaxSide));
        width = *w;
        height = *h;
        return {};
    }

    Result<void> add_tile(const XMLElement& tile, TiledTileset& set) const {
        if (!is(tile, "tile")) return {};
        const auto id = parse_integer<uint32_t>(attribute(tile, "id"), 0, kMaxId);
        if (!id) return bad(tile, "a tile's id is not a number >= 0");
        const XMLElement* properties = tile.FirstChildElement("properties");
        if (properties == nullptr) return {};
        return for_each_child(*properties, [&](const XMLElement& property) -> Result<void> {
            if (attribute(property, "name") != source_.property) return {};
            const char* text = property.Attribute("value") != nullptr ? property.Attribute("value") : property.GetText();
            if (text == nullptr || *text == 0) {
                return bad(property,
                           "property " + quote(source_.property) + " of tile " + std::to_string(*id) + " is not a terrain's name");
            }
            set.properties[*id] = text;
            return {};
        });
    }

    // The recursion depth is bounded by tinyxml2.
    Result<void> add_layers(const XMLElement& parent, TiledMap& map) {
        return for_each_child(parent, [&](const XMLElement& child) -> Result<void> {
            if (attribute(child, "visible") == "0") return {};
            if (is(child, "layer")) return add_layer(child, map);
            if (is(child, "group")) return add_layers(child, map);
            return {};
        });
    }

    Result<void> add_layer(const XMLElement& element, TiledMap& map) {
        TileLayer layer{std::string(attribute(element, "name")), {}};
        const XMLElement* data = element.FirstChildElement("data");
        if (data == nullptr) return bad(element, "layer " + quote(layer.name) + " has no data");
        TileBlock form;
        if (const auto ok = read_form(*data, form); !ok) return ok;
        if (!map.infinite) {
            if (const auto size = read_size(element, form.width, form.height, "layer " + quote(layer.name)); !size) return size;
            if (const auto added = add_block(*data, std::move(form), layer); !added) return added;
        } else {
            const auto chunks = for_each_child(*data, [&](const XMLElement& chunk) { return add_chunk(chunk, form, layer); });
            if (!chunks) return chunks;
        }
        map.layers.push_back(std::move(layer));
        return {};
    }

    Result<void> read_form(const XMLElement& data, TileBlock& form) const {
        if (data.Attribute("encoding") == nullptr) return {};  // <tile> elements
        const auto encoding = tile_encoding(source_, attribute(data, "encoding"), line_of(data));
        if (!encoding) return encoding.error();
        const auto packing = tile_packing(source_, attribute(data, "compression"), line_of(data));
        if (!packing) return packing.error();
        form.encoding = *encoding;
        form.packing = *packing;
        return {};
    }

    Result<void> add_chunk(const XMLElement& element, TileBlock block, TileLayer& layer) const {
        if (!is(element, "chunk")) return {};
        if (const auto size = read_size(element, block.width, block.height, "a chunk of layer " + quote(layer.name)); !size) return size;
        const auto x = parse_integer<int32_t>(attribute(element, "x"), INT32_MIN / 2, INT32_MAX / 2);
        const auto y = parse_integer<int32_t>(attribute(element, "y"), INT32_MIN / 2, INT32_MAX / 2);
        if (!x || !y) return bad(element, "a chunk of layer " + quote(layer.name) + " has no position");
        block.x = *x;
        block.y = *y;
        return add_block(element, std::move(block), layer);
    }

    Result<void> add_block(const XMLElement& element, TileBlock block, TileLayer& layer) const {
        block.line = line_of(element);
        if (block.encoding != TileEncoding::kNumbers) {
            const char* text = element.GetText();
            if (text == nullptr) return bad(element, "layer " + quote(layer.name) + " has no data");
            block.text = text;
        } else {
            const auto tiles = for_each_child(element, [&](const XMLElement& tile) -> Result<void> {
                const std::string_view gid = attribute(tile, "gid");
                const auto number = parse_integer<uint32_t>(gid.empty() ? "0" : gid, 0, 0xffffffff);
                if (!is(tile, "tile") || !number) return bad(tile, "expected a <tile> with a gid in layer " + quote(layer.name));
                block.numbers.push_back(*number);
                return {};
            });
            if (!tiles) return tiles;
        }
        layer.blocks.push_back(std::move(block));
        return {};
    }

    const TiledSource& source_;
};

}  // namespace

Result<TiledMap> read_tiled_xml(const TiledSource& source) {
    XMLDocument document;
    const auto root = parse_xml(document, source, "map");
    if (!root) return root.error();
    return XmlReader(source).map(**root);
}

Result<TiledTileset> read_tileset_xml(const TiledSource& source) {
    XMLDocument document;
    const auto root = parse_xml(document, source, "tileset");
    if (!root) return root.error();
    return XmlReader(source).tileset(**root);
}

#else

Result<TiledMap> read_tiled_xml(const TiledSource& source) {
    return source.refuse(ErrorCode::kUnsupported, 0, "built without tinyxml2: Tiled's XML cannot be read");
}

Result<TiledTileset> read_tileset_xml(const TiledSource& source) {
    return source.refuse(ErrorCode::kUnsupported, 0, "built without tinyxml2: Tiled's XML cannot be read");
}

#endif

}  // namespace terrane::detail
