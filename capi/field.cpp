// Open terrain: convex regions with costs, and paths that bend where the cost changes.
#include <cmath>
#include <limits>
#include <utility>

#include "handles.h"
#include "terrane/weighted_regions/open_method.h"
#include "terrane/weighted_regions/open_path.h"
#include "terrane/weighted_regions/subdivision.h"
#include "terrane/weighted_regions/subdivision_file.h"

using namespace terrane;
using namespace terrane::capi;

struct terrane_field {
    Subdivision field;
};

struct terrane_field_path {
    std::optional<OpenPlanner> planner;  // scratch; none at first, and where memory ran out
    OpenPath path;
    std::vector<OpenCrossing> crossings;
    bool asked = false;  // some query was put into it
};

namespace {

terrane_point point_to(Point p) { return {p.x, p.y}; }

template <class Make>
terrane_field* made(terrane_error* error, Make&& make) {
    return guarded_or<terrane_field*>(nullptr, error, [&]() -> terrane_field* {
        Result<Subdivision> field = make();
        if (!field) return refuse(field.error(), error), nullptr;
        return new terrane_field{*std::move(field)};
    });
}

VoronoiFieldOptions voronoi_of(const terrane_field_generator& given) {
    VoronoiFieldOptions options;
    options.width = given.width != 0 ? given.width : 1000;
    options.height = given.height != 0 ? given.height : 1000;
    options.blocked = given.blocked;
    if (given.regions != 0) options.sites = given.regions;
    if (given.min_cost != 0) options.min_cost = given.min_cost;
    if (given.max_cost != 0) options.max_cost = given.max_cost;
    if (given.seed != 0) options.seed = given.seed;
    return options;
}

// Proven too: the division may have rounded down.
double bound_of(const OpenPath& path) {
    if (path.status != Status::kFound || path.cost <= path.lower_bound) return path.status == Status::kFound ? 1 : 0;
    return path.lower_bound > 0 ? std::nextafter(path.cost / path.lower_bound, std::numeric_limits<double>::infinity()) : 0;
}

Result<OpenMethod> open_method_of(const Subdivision& field, std::string_view name) {
    auto method = find_open_method(name.empty() ? "brep+proven" : name);
    if (!method) return method;
    if (auto wrong = check_open_method(field, *method)) return *std::move(wrong);
    return method;
}

}  // namespace

terrane_field* terrane_field_voronoi(const terrane_field_generator* generator, terrane_error* error) {
    return made(error, [&]() -> Result<Subdivision> {
        const auto with = options_of(generator, "terrane_field_generator");
        if (!with) return with.error();
        return random_voronoi_subdivision(voronoi_of(*with));
    });
}

terrane_field* terrane_field_from_bytes(const void* json, size_t size, const char* name, terrane_error* error) {
    if (json == nullptr && size > 0) return refuse_null(error), nullptr;
    return made(error, [&] { return parse_subdivision({static_cast<const char*>(json), size}, text_or_empty(name)); });
}

void terrane_field_free(terrane_field* field) { delete field; }

terrane_code terrane_field_get_info(const terrane_field* field, terrane_field_info* out) {
    if (field == nullptr) return give({}, out), TERRANE_BAD_VALUE;
    const Point low = field->field.low(), high = field->field.high();
    terrane_field_info info{};
    info.regions = static_cast<uint32_t>(field->field.size());
    info.width = high.x - low.x;
    info.height = high.y - low.y;
    info.x = low.x;
    info.y = low.y;
    return give(info, out);
}

size_t terrane_field_polygon(const terrane_field* field, uint32_t region, terrane_point* out, size_t capacity) {
    if (field == nullptr || region >= field->field.size()) return 0;
    ListWriter list(out, capacity);
    for (const uint32_t corner : field->field.corners(region)) list.add(point_to(field->field.vertex(corner)));
    return list.count();
}

double terrane_field_cost(const terrane_field* field, uint32_t region) {
    if (field == nullptr || region >= field->field.size() || field->field.is_blocked(region)) return 0;
    return field->field.cost(region);
}

int32_t terrane_field_region_at(const terrane_field* field, double x, double y) {
    const uint32_t region = field == nullptr || !is_finite(Point{x, y}) ? kNoPolygon : field->field.locate({x, y});
    return region == kNoPolygon ? -1 : static_cast<int32_t>(region);
}

terrane_code terrane_field_set_cost(terrane_field* field, uint32_t region, double cost, terrane_error* error) {
    if (field == nullptr) return refuse_null(error);
    if (region >= field->field.size()) return refuse("there is no region " + std::to_string(region), error);
    if (!std::isfinite(cost) || cost < 0) return refuse("a region costs more than 0, or 0 where it is blocked", error);
    field->field.set_cost(region, cost > 0 ? cost : kBlockedCost);
    return TERRANE_OK;
}

uint32_t terrane_field_method_count(void) { return static_cast<uint32_t>(open_methods().size()); }
const char* terrane_field_method_usage(uint32_t i) { return info_text(open_methods(), i, &MethodInfo::usage); }
const char* terrane_field_method_summary(uint32_t i) { return info_text(open_methods(), i, &MethodInfo::summary); }

terrane_field_path* terrane_field_path_new(void) {
    return guarded_or<terrane_field_path*>(nullptr, nullptr, [] { return new terrane_field_path; });
}
void terrane_field_path_free(terrane_field_path* path) { delete path; }

terrane_code terrane_field_find(const terrane_field* field, terrane_point from, terrane_point to, const char* method,
                                terrane_field_path* path, terrane_error* error) {
    if (field == nullptr || path == nullptr) return refuse_null(error);
    if (!is_finite(Point{from.x, from.y}) || !is_finite(Point{to.x, to.y})) return refuse("a point is not finite", error);
    const auto find = [&]() -> terrane_code {
        const auto known = open_method_of(field->field, text_or_empty(method));
        if (!known) return refuse(known.error(), error);
        if (!path->planner) path->planner.emplace();
        OpenPath found = path->planner->find(field->field, {from.x, from.y}, {to.x, to.y}, *known);
        if (found.status == Status::kOutOfMemory) return refuse_no_memory(error);
        path->crossings = open_path_crossings(field->field, found.points);
        path->path = std::move(found);
        path->asked = true;
        return TERRANE_OK;
    };
    return detail::attempt(find, [&] {
        path->planner.reset();
        return refuse_no_memory(error);
    });
}

terrane_code terrane_field_path_get_info(const terrane_field_path* path, terrane_field_path_info* out) {
    terrane_field_path_info info{};
    info.status = TERRANE_NOT_ASKED;
    const terrane_field_path_info none = info;
    if (path == nullptr) return give(none, out, none), TERRANE_BAD_VALUE;
    if (!path->asked) return give(none, out, none);
    info.status = status_to(path->path.status);
    info.cost = path->path.cost;
    info.bound = bound_of(path->path);
    info.expansions = path->path.expansions;
    info.points = static_cast<uint32_t>(path->path.points.size());
    return give(info, out, none);
}

size_t terrane_field_path_points(const terrane_field_path* path, terrane_point* out, size_t capacity) {
    if (path == nullptr) return 0;
    ListWriter list(out, capacity);
    for (const Point p : path->path.points) list.add(point_to(p));
    return list.count();
}

size_t terrane_field_path_crossings(const terrane_field_path* path, terrane_crossing* out, size_t capacity) {
    if (path == nullptr) return 0;
    ListWriter list(out, capacity);
    for (const OpenCrossing& c : path->crossings) {
        list.add({point_to(c.at), point_to(c.normal), c.cost_from, c.cost_to, c.angle_from, c.angle_to});
    }
    return list.count();
}
