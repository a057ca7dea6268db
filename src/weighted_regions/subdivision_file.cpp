#include "terrane/weighted_regions/subdivision_file.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "terrane/base/file.h"
#include "weighted_regions/polygon_checks.h"
#include "weighted_regions/vertex_welder.h"

#if defined(TERRANE_HAS_JSON)
#include "base/json_text.h"
#endif

namespace terrane {

using namespace detail;

#if defined(TERRANE_HAS_JSON)

namespace {

// ---- Points and costs, in both formats
std::optional<Point> read_point(const Json& json, size_t most_numbers) {
    if (!json.is_array() || json.size() < 2 || json.size() > most_numbers || !json[0].is_number() || !json[1].is_number())
        return std::nullopt;
    return Point{json[0].get<double>(), json[1].get<double>()};
}

// Reads `cost` or `blocked: true` of an object.
std::optional<double> read_cost(const Json* json) {
    if (json == nullptr) return std::nullopt;
    const Json *blocked = json_member(*json, "blocked"), *cost = json_member(*json, "cost");
    if (blocked != nullptr && !blocked->is_boolean()) return std::nullopt;
    if (blocked != nullptr && blocked->get<bool>()) return kBlockedCost;
    if (cost == nullptr || !cost->is_number()) return std::nullopt;
    return cost->get<double>();
}

Error bad_polygon(size_t polygon, const char* reason) { return bad_polygons("polygon " + std::to_string(polygon) + " " + reason); }

class OwnReader {
public:
    Result<PolygonSet> read(const Json& json) {
        const Json *vertices = json_member(json, "vertices"), *polygons = json_member(json, "polygons");
        if (vertices == nullptr || !vertices->is_array()) return bad_polygons("missing array 'vertices'");
        if (polygons == nullptr || !polygons->is_array()) return bad_polygons("missing array 'polygons'");
        set_.vertices.reserve(vertices->size());
        for (const Json& vertex : *vertices) {
            const auto p = read_point(vertex, 2);
            if (!p) return bad_polygons("vertex " + std::to_string(set_.vertices.size()) + ": expected two numbers");
            set_.vertices.push_back(*p);
        }
        for (const Json& polygon : *polygons) {
            if (const auto ok = add(polygon); !ok) return ok.error();
        }
        return std::move(set_);
    }

private:
    Result<void> add(const Json& json) {
        const Json* corners = json_member(json, "corners");
        if (corners == nullptr || !corners->is_array()) return bad_polygon(set_.size(), "has no array 'corners'");
        ring_.clear();
        for (const Json& corner : *corners) {
            if (!corner.is_number_unsigned() || corner.get<uint64_t>() >= set_.vertices.size()) {
                return bad_polygon(set_.size(), ("has no valid vertex index at corner " + std::to_string(ring_.size())).c_str());
            }
            ring_.push_back(corner.get<uint32_t>());
        }
        const auto cost = read_cost(&json);
        if (!cost) return bad_polygon(set_.size(), "needs a numeric 'cost' or 'blocked': true");
        set_.add(ring_, *cost);
        return {};
    }

    PolygonSet set_;
    std::vector<uint32_t> ring_;
};

class GeoReader {
public:
    Result<PolygonSet> read(const Json& json) {
        if (const auto ok = add_object(json, nullptr); !ok) return ok.error();
        return weld();
    }

private:
    struct Ring {
        size_t begin = 0, end = 0;  // in points_
        double cost = 0;
    };

    static bool is_a(const Json& json, const char* type) {
        const Json* member = json_member(json, "type");
        return member != nullptr && member->is_string() && member->get_ref<const std::string&>() == type;
    }

    // The JSON parser bounds the recursion depth.
    Result<void> add_object(const Json& json, const Json* properties) {
        if (is_a(json, "FeatureCollection")) return add_list(json_member(json, "features"), properties);
        if (is_a(json, "GeometryCollection")) return add_list(json_member(json, "geometries"), properties);
        if (is_a(json, "Feature")) {
            const Json* geometry = json_member(json, "geometry");
            if (geometry == nullptr || geometry->is_null()) return {};
            return add_object(*geometry, json_member(json, "properties"));
        }
        const Json* coordinates = json_member(json, "coordinates");
        if (coordinates == nullptr || !coordinates->is_array()) return bad_polygon(rings_.size(), "has no coordinates");
        if (is_a(json, "Polygon")) return add_polygon(*coordinates, properties);
        if (!is_a(json, "MultiPolygon")) return bad_polygon(rings_.size(), "must be of type Polygon or MultiPolygon");
        for (const Json& part : *coordinates) {
            if (const auto ok = add_polygon(part, properties); !ok) return ok;
        }
        return {};
    }

    Result<void> add_list(const Json* list, const Json* properties) {
        if (list == nullptr || !list->is_array()) return bad_polygons("a collection has no array of features or geometries");
        for (const Json& part : *list) {
            if (const auto ok = add_object(part, properties); !ok) return ok;
        }
        return {};
    }

    Result<void> add_polygon(const Json& rings, const Json* properties) {
        if (!rings.is_array() || rings.empty() || !rings[0].is_array()) return bad_polygon(rings_.size(), "has no ring");
        if (rings.size() > 1) return bad_polygon(rings_.size(), "has a hole, which is not supported");
        const auto cost = read_cost(properties);
        if (!cost) return bad_polygon(rings_.size(), "needs a numeric 'cost' or 'blocked': true");
        Ring ring{points_.size(), 0, *cost};
        for (const Json& position : rings[0]) {
            const auto p = read_point(position, 4);
            if (!p || !is_finite(*p)) return bad_polygon(rings_.size(), "has a position that is not 2 to 4 finite numbers");
            points_.push_back(*p);
        }
        if (points_.size() < ring.begin + 4) return bad_polygon(rings_.size(), "has fewer than three corners");
        if (points_.back() != points_[ring.begin]) return bad_polygon(rings_.size(), "has a ring that is not closed");
        points_.pop_back();
        ring.end = points_.size();
        rings_.push_back(ring);
        return {};
    }

    Result<PolygonSet> weld() {
        if (rings_.empty()) return bad_polygons("no polygons: expected at least one");
        Point low = points_[0], high = points_[0];
        for (const Point p : points_) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
        const double size = std::max(high.x - low.x, high.y - low.y), furthest = std::max({-low.x, -low.y, high.x, high.y});
        if (!(size > 0 && furthest <= kMaxSubdivisionCoordinate && furthest <= size * 1e5)) {
            return bad_polygons("the polygons have no extent, or are too far from the origin");
        }
        VertexWelder welder(2 * kSubdivisionTolerance * size, points_.size());
        PolygonSet set;
        std::vector<uint32_t> corners;
        for (const Ring& ring : rings_) {
            corners.clear();
            double doubled = 0;
            for (size_t i = ring.begin; i < ring.end; ++i) {
                corners.push_back(welder.add(points_[i]));
                if (i > ring.begin) doubled += cross(points_[i - 1] - points_[ring.begin], points_[i] - points_[ring.begin]);
            }
            if (doubled < 0) std::ranges::reverse(corners);
            set.add(corners, ring.cost);
        }
        set.vertices = welder.points();
        return set;
    }

    std::vector<Point> points_;
    std::vector<Ring> rings_;
};

Result<Subdivision> read_subdivision(const Json& json) {
    auto set = json_member(json, "type") != nullptr ? GeoReader().read(json) : OwnReader().read(json);
    if (!set) return set.error();
    return make_subdivision(*std::move(set));
}

}  // namespace

Result<Subdivision> parse_subdivision(std::string_view text, std::string_view file) {
    const auto json = parse_json_object(text, file, "not a subdivision: expected '{' at the beginning");
    if (!json) return json.error();
    auto read = read_subdivision(*json);
    if (read) return read;
    Error error = read.error();
    error.file = std::string(file);
    return error;
}

#else

Result<Subdivision> parse_subdivision(std::string_view, std::string_view file) {
    return Error{ErrorCode::kUnsupported, std::string(file), 0, "built without nlohmann-json: subdivisions cannot be read"};
}

#endif

Result<Subdivision> load_subdivision(const std::string& path) {
    const auto text = read_file(path, kMaxSubdivisionBytes);
    if (!text) return text.error();
    return parse_subdivision(*text, path);
}

namespace {

// Appends the shortest text that parses to the same number.
void append(std::string& out, double value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    out.append(text, end);
}

}  // namespace

std::string format_subdivision(const Subdivision& subdivision) {
    const PolygonSet& set = subdivision.polygons();
    std::string out = "{\"vertices\": [";
    for (size_t v = 0; v < set.vertices.size(); ++v) {
        out += v > 0 ? ",\n[" : "\n[";
        append(out, set.vertices[v].x);
        out += ", ";
        append(out, set.vertices[v].y);
        out += ']';
    }
    out += "],\n\"polygons\": [";
    for (size_t p = 0; p < set.size(); ++p) {
        out += p > 0 ? ",\n{\"corners\": [" : "\n{\"corners\": [";
        const auto corners = set.polygon(p);
        for (size_t i = 0; i < corners.size(); ++i) out += (i > 0 ? ", " : "") + std::to_string(corners[i]);
        if (set.costs[p] == kBlockedCost) {
            out += "], \"blocked\": true}";
        } else {
            out += "], \"cost\": ";
            append(out, set.costs[p]);
            out += '}';
        }
    }
    return out + "]}\n";
}

Result<void> save_subdivision(const Subdivision& subdivision, const std::string& path) {
    return write_file(path, format_subdivision(subdivision));
}

}  // namespace terrane
