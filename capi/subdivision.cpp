// Weighted regions in C: subdivisions, and paths over them.
#include <cmath>
#include <limits>
#include <utility>

#include "handles.h"
#include "terrane/weighted_regions/subdivision.h"
#include "terrane/weighted_regions/subdivision_file.h"
#include "terrane/weighted_regions/subdivision_from_grid.h"
#include "terrane/weighted_regions/subdivision_method.h"
#include "terrane/weighted_regions/subdivision_path.h"

using namespace terrane;
using namespace terrane::capi;

struct terrane_subdivision {
    Subdivision subdivision;
};

struct terrane_subdivision_path {
    std::optional<SubdivisionPlanner> planner;  // scratch; none at first and after an allocation failure
    SubdivisionPath path;
    std::vector<SubdivisionCrossing> crossings;
    bool has_result = false;  // a query has written it
};

namespace {

terrane_point point_to(Point p) { return {p.x, p.y}; }

template <class Make>
terrane_subdivision* made(terrane_error* error, Make&& make) {
    return guarded_or<terrane_subdivision*>(nullptr, error, [&]() -> terrane_subdivision* {
        Result<Subdivision> subdivision = make();
        if (!subdivision) return refuse(subdivision.error(), error), nullptr;
        return new terrane_subdivision{*std::move(subdivision)};
    });
}

VoronoiSubdivisionOptions voronoi_of(const terrane_subdivision_generator& given) {
    VoronoiSubdivisionOptions options;
    if (given.width != 0) options.width = given.width;
    if (given.height != 0) options.height = given.height;
    options.blocked = given.blocked;
    if (given.regions != 0) options.sites = given.regions;
    if (given.min_cost != 0) options.min_cost = given.min_cost;
    if (given.max_cost != 0) options.max_cost = given.max_cost;
    if (given.seed != 0) options.seed = given.seed;
    return options;
}

// The proven suboptimality bound, rounded up; 0 if nothing is proven.
double bound_of(const SubdivisionPath& path) {
    if (path.status != Status::kFound || path.cost <= path.lower_bound) return path.status == Status::kFound ? 1 : 0;
    return path.lower_bound > 0 ? std::nextafter(path.cost / path.lower_bound, std::numeric_limits<double>::infinity()) : 0;
}

Result<SubdivisionMethod> method_for(const Subdivision& subdivision, std::string_view name) {
    auto method = find_subdivision_method(name.empty() ? SubdivisionMethod{}.name : name);
    if (!method) return method;
    if (auto wrong = check_subdivision_method(subdivision, *method)) return *std::move(wrong);
    return method;
}

}  // namespace

terrane_subdivision* terrane_subdivision_voronoi(const terrane_subdivision_generator* generator, terrane_error* error) {
    return made(error, [&]() -> Result<Subdivision> {
        const auto with = options_of(generator, "terrane_subdivision_generator");
        if (!with) return with.error();
        return random_voronoi_subdivision(voronoi_of(*with));
    });
}

terrane_subdivision* terrane_subdivision_from_bytes(const void* json, size_t size, const char* name, terrane_error* error) {
    if (json == nullptr && size > 0) return refuse_null(error), nullptr;
    return made(error, [&] { return parse_subdivision({static_cast<const char*>(json), size}, text_or_empty(name)); });
}

terrane_subdivision* terrane_subdivision_from_world(const terrane_world* world, const terrane_profile* profile, double tolerance,
                                                    terrane_error* error) {
    if (world == nullptr || profile == nullptr) return refuse_null(error), nullptr;
    return made(error, [&]() -> Result<Subdivision> {
        const auto costs = costs_of(*profile, *world);
        if (!costs) return costs.error();
        return subdivision_from_grid(world->world.grid(), *costs, {.tolerance = tolerance});
    });
}

void terrane_subdivision_free(terrane_subdivision* subdivision) { delete subdivision; }

terrane_code terrane_subdivision_get_info(const terrane_subdivision* subdivision, terrane_subdivision_info* out, terrane_error* error) {
    if (subdivision == nullptr) return answer_null(out, error);
    const Point low = subdivision->subdivision.low(), high = subdivision->subdivision.high();
    terrane_subdivision_info info{};
    info.regions = static_cast<uint32_t>(subdivision->subdivision.size());
    info.width = high.x - low.x;
    info.height = high.y - low.y;
    info.x = low.x;
    info.y = low.y;
    return answer(info, out, "terrane_subdivision_info", error);
}

size_t terrane_subdivision_polygon(const terrane_subdivision* subdivision, uint32_t region, terrane_point* out, size_t capacity) {
    if (subdivision == nullptr || region >= subdivision->subdivision.size()) return 0;
    ListWriter list(out, capacity);
    for (const uint32_t corner : subdivision->subdivision.corners(region)) list.add(point_to(subdivision->subdivision.vertex(corner)));
    return list.count();
}

double terrane_subdivision_cost(const terrane_subdivision* subdivision, uint32_t region) {
    if (subdivision == nullptr || region >= subdivision->subdivision.size() || subdivision->subdivision.is_blocked(region)) return 0;
    return subdivision->subdivision.cost(region);
}

int32_t terrane_subdivision_region_at(const terrane_subdivision* subdivision, double x, double y) {
    const uint32_t region = subdivision == nullptr || !is_finite(Point{x, y}) ? kNoPolygon : subdivision->subdivision.locate({x, y});
    return region == kNoPolygon ? -1 : static_cast<int32_t>(region);
}

terrane_code terrane_subdivision_set_cost(terrane_subdivision* subdivision, uint32_t region, double cost, terrane_error* error) {
    if (subdivision == nullptr) return refuse_null(error);
    if (region >= subdivision->subdivision.size())
        return refuse(
            "there is no region " + std::to_string(region) + ": the subdivision has " + std::to_string(subdivision->subdivision.size()),
            error);
    if (!std::isfinite(cost) || cost < 0) return refuse("invalid cost: expected a finite number above 0, or 0 for blocked", error);
    subdivision->subdivision.set_cost(region, cost > 0 ? cost : kBlockedCost);
    return TERRANE_OK;
}

uint32_t terrane_subdivision_method_count(void) { return static_cast<uint32_t>(subdivision_methods().size()); }
const char* terrane_subdivision_method_usage(uint32_t i) { return info_text(subdivision_methods(), i, &MethodInfo::usage); }
const char* terrane_subdivision_method_summary(uint32_t i) { return info_text(subdivision_methods(), i, &MethodInfo::summary); }

terrane_subdivision_path* terrane_subdivision_path_new(terrane_error* error) {
    return guarded_or<terrane_subdivision_path*>(nullptr, error, [] { return new terrane_subdivision_path; });
}
void terrane_subdivision_path_free(terrane_subdivision_path* path) { delete path; }

terrane_code terrane_subdivision_find(const terrane_subdivision* subdivision, terrane_point from, terrane_point to, const char* method,
                                      terrane_subdivision_path* path, terrane_error* error) {
    if (subdivision == nullptr || path == nullptr) return refuse_null(error);
    if (!is_finite(Point{from.x, from.y}) || !is_finite(Point{to.x, to.y}))
        return refuse("invalid point: expected finite coordinates", error);
    const auto find = [&]() -> terrane_code {
        const auto known = method_for(subdivision->subdivision, text_or_empty(method));
        if (!known) return refuse(known.error(), error);
        if (!path->planner) path->planner.emplace();
        SubdivisionPath found = path->planner->find(subdivision->subdivision, {from.x, from.y}, {to.x, to.y}, *known);
        if (found.status == Status::kOutOfMemory) return refuse_no_memory(error);
        path->crossings = subdivision_path_crossings(subdivision->subdivision, found.points);
        path->path = std::move(found);
        path->has_result = true;
        return TERRANE_OK;
    };
    return detail::catch_bad_alloc(find, [&] {
        path->planner.reset();
        return refuse_no_memory(error);
    });
}

terrane_code terrane_subdivision_path_get_info(const terrane_subdivision_path* path, terrane_subdivision_path_info* out,
                                               terrane_error* error) {
    terrane_subdivision_path_info info{};
    info.status = TERRANE_NOT_ASKED;
    const terrane_subdivision_path_info none = info;
    if (path == nullptr) return answer_null(out, error, none);
    if (!path->has_result) return answer(none, out, "terrane_subdivision_path_info", error, none);
    info.status = status_to(path->path.status);
    info.cost = path->path.cost;
    info.bound = bound_of(path->path);
    info.expansions = path->path.expansions;
    info.points = static_cast<uint32_t>(path->path.points.size());
    return answer(info, out, "terrane_subdivision_path_info", error, none);
}

size_t terrane_subdivision_path_points(const terrane_subdivision_path* path, terrane_point* out, size_t capacity) {
    if (path == nullptr) return 0;
    ListWriter list(out, capacity);
    for (const Point p : path->path.points) list.add(point_to(p));
    return list.count();
}

size_t terrane_subdivision_path_crossings(const terrane_subdivision_path* path, terrane_crossing* out, size_t capacity) {
    if (path == nullptr) return 0;
    ListWriter list(out, capacity);
    for (const SubdivisionCrossing& c : path->crossings) {
        list.add({point_to(c.at), point_to(c.normal), c.cost_from, c.cost_to, c.angle_from, c.angle_to});
    }
    return list.count();
}
