// Navigation meshes in C: meshes with their regions and obstacles, and paths over them.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "handles.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_edit.h"
#include "terrane/navmesh/navmesh_file.h"
#include "terrane/navmesh/navmesh_obstacles.h"
#include "terrane/navmesh/navmesh_planner.h"

using namespace terrane;
using namespace terrane::capi;

struct terrane_navmesh : SharedHandle<terrane_navmesh> {
    explicit terrane_navmesh(Navmesh made) : plain(std::move(made)), regions(plain->mesh()) {}
    explicit terrane_navmesh(NavmeshObstacles made) : obstacles(std::move(made)), regions(obstacles->navmesh().mesh()) {}

    Navmesh& navmesh() { return plain ? *plain : obstacles->navmesh(); }
    const Navmesh& navmesh() const { return plain ? *plain : obstacles->navmesh(); }

    std::optional<Navmesh> plain;  // or:
    std::optional<NavmeshObstacles> obstacles;
    NavmeshAbstraction regions;
};

struct terrane_navmesh_planner {
    explicit terrane_navmesh_planner(const terrane_navmesh& of) : navmesh(of.share()), planner(navmesh->regions) {}

    std::shared_ptr<const terrane_navmesh> navmesh;
    NavmeshPlanner planner;
    bool has_query = false;  // terrane_navmesh_begin was called
};

struct terrane_navmesh_path {
    NavmeshPath path;
    bool has_result = false;  // a query has written it
};

namespace {

constexpr uint32_t kMaxBuildThreads = 256;
constexpr double kMaxTilesInExtents = 1 << 20;  // Detour visits each of them
constexpr uint32_t kMaxPolygonFlags = 0xffff;

static_assert(TERRANE_KEEP == TERRANE_UNLIMITED && kAllTiles == TERRANE_UNLIMITED);
static_assert(std::extent_v<decltype(terrane_navmesh_filter::costs)> == kMaxNavmeshAreas);

Error navmesh_error(std::string reason, ErrorCode code = ErrorCode::kBadValue) { return {code, {}, 0, std::move(reason)}; }

Vec3 vec_of(terrane_position p) { return {p.x, p.y, p.z}; }
terrane_position position_to(const Vec3& v) { return {v.x, v.y, v.z}; }
bool is_finite(terrane_position p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

// Makes a handle of the result of load().
template <class Load>
terrane_navmesh* made_navmesh(terrane_error* error, Load&& load) {
    return guarded_or<terrane_navmesh*>(nullptr, error, [&]() -> terrane_navmesh* {
        auto loaded = load();
        if (!loaded) return refuse(loaded.error(), error), nullptr;
        return terrane_navmesh::make(std::move(*loaded));
    });
}

// Writes all bytes or none, and returns their number.
size_t write_navmesh_bytes(const std::string& bytes, void* out, size_t capacity) {
    if (out != nullptr && bytes.size() <= capacity) std::ranges::copy(bytes, static_cast<char*>(out));
    return bytes.size();
}

// ---- building

// Zero is the default, and a negative value zero.
void choose_number(float given, float& option) {
    if (given != 0) option = given < 0 ? 0 : given;
}
void choose_number(uint32_t given, uint32_t& option) {
    if (given != 0) option = given;
}

NavmeshBuildOptions build_options_of(const terrane_navmesh_options& given) {
    NavmeshBuildOptions options;
    const std::pair<float, float*> sizes[] = {{given.cell_size, &options.cell_size},
                                              {given.cell_height, &options.cell_height},
                                              {given.tile_size, &options.tile_size},
                                              {given.agent_height, &options.agent_height}};
    for (const auto& [size, option] : sizes) {
        if (size != 0) *option = size;
    }
    choose_number(given.agent_radius, options.agent_radius);
    choose_number(given.agent_climb, options.agent_climb);
    choose_number(given.agent_slope, options.agent_slope);
    choose_number(given.edge_length, options.edge_length);
    choose_number(given.edge_error, options.edge_error);
    choose_number(given.region_cells, options.region_cells);
    choose_number(given.merge_cells, options.merge_cells);
    choose_number(given.polygon_corners, options.polygon_corners);
    options.detail = given.no_detail == 0;
    options.threads = std::clamp(given.threads, 1u, kMaxBuildThreads);
    if (const std::string_view area = text_of(given.default_area); !area.empty()) options.default_area = area;
    return options;
}

Result<TriangleMesh> triangles_of(const terrane_position* vertices, size_t vertex_count, const uint32_t* triangles, size_t triangle_count,
                                  const uint8_t* areas) {
    if (vertices == nullptr || triangles == nullptr || vertex_count == 0 || triangle_count == 0)
        return navmesh_error("no vertices or no triangles");
    if (vertex_count > kMaxObjVertices || triangle_count > kMaxObjTriangles)
        return navmesh_error("too many triangles: expected at most " + std::to_string(kMaxObjTriangles), ErrorCode::kTooLarge);
    TriangleMesh mesh;
    mesh.vertices.reserve(vertex_count);
    for (size_t i = 0; i < vertex_count; ++i) mesh.vertices.push_back(vec_of(vertices[i]));
    mesh.triangles.reserve(triangle_count);
    for (size_t i = 0; i < triangle_count; ++i) mesh.triangles.push_back({triangles[i * 3], triangles[i * 3 + 1], triangles[i * 3 + 2]});
    if (areas != nullptr) mesh.areas.assign(areas, areas + triangle_count);
    return mesh;
}

std::string count_of(const Catalogue& areas) { return "the mesh has " + std::to_string(areas.size()) + " areas"; }

// ---- queries

Result<NavmeshFilter> filter_of(const terrane_navmesh_filter* given) {
    const auto known = options_of(given, "terrane_navmesh_filter");
    if (!known) return known.error();
    if (known->include_flags > kMaxPolygonFlags || known->exclude_flags > kMaxPolygonFlags)
        return navmesh_error("invalid flags: expected at most 65535");
    NavmeshFilter filter;
    if (known->include_flags != 0) filter.include_flags = static_cast<uint16_t>(known->include_flags);
    filter.exclude_flags = static_cast<uint16_t>(known->exclude_flags);
    filter.costs = {};
    for (uint32_t area = 0; area < kMaxNavmeshAreas; ++area) {
        const uint32_t cost = known->costs[area] == 0 ? 100 : known->costs[area];
        if (cost > kMaxTerrainCost)
            return navmesh_error("invalid cost of area " + std::to_string(area) + ": expected 1 to 65000, or 0 for 100");
        filter.costs.cost[area] = (known->blocked >> area & 1) != 0 ? kBlocked : cost;
    }
    return filter;
}

Result<NavmeshFindOptions> find_options_of(const terrane_navmesh_find_options* given, const Navmesh& navmesh) {
    const auto known = options_of(given, "terrane_navmesh_find_options");
    if (!known) return known.error();
    NavmeshFindOptions options;
    const std::string_view name = text_of(known->method);
    const auto method = find_navmesh_method(name.empty() ? NavmeshMethod{}.name() : name);
    if (!method) return method.error();
    options.method = *method;
    const terrane_position extents = known->extents;
    if (!is_finite(extents) || extents.x < 0 || extents.y < 0 || extents.z < 0) return navmesh_error("invalid extents: expected 0 or more");
    if (extents.x != 0) options.extents.x = extents.x;
    if (extents.y != 0) options.extents.y = extents.y;
    if (extents.z != 0) options.extents.z = extents.z;
    const NavmeshParams params = navmesh_params(navmesh);
    const auto tiles = [](float extent, float side) { return 2 * double{extent} / double{side} + 1; };
    if (tiles(options.extents.x, params.tile_width) * tiles(options.extents.z, params.tile_height) > kMaxTilesInExtents)
        return navmesh_error("the extents contain more than a million tiles", ErrorCode::kTooLarge);
    options.nearest = known->nearest != 0;
    options.crossings = known->crossings != 0;
    if (known->max_expansions != 0) options.max_expansions = known->max_expansions;
    return options;
}

// ---- changes

Error no_obstacles() { return navmesh_error("the mesh takes no obstacles: build it with `obstacles` 1", ErrorCode::kUnsupported); }
Error has_obstacles() { return navmesh_error("a mesh that takes obstacles builds its tiles itself", ErrorCode::kUnsupported); }

terrane_code refuse_tile(int32_t x, int32_t y, int32_t layer, terrane_error* error) {
    return refuse("there is no tile at " + std::to_string(x) + "," + std::to_string(y) + ", layer " + std::to_string(layer), error);
}

template <class Obstacle>
uint32_t add_obstacle(terrane_navmesh* navmesh, const Obstacle& obstacle, terrane_error* error) {
    if (navmesh == nullptr) return refuse_null(error), 0;
    return guarded_or<uint32_t>(0, error, [&]() -> uint32_t {
        if (!navmesh->obstacles) return refuse(no_obstacles(), error), 0;
        const auto added = navmesh->obstacles->add(obstacle);
        if (!added) return refuse(added.error(), error), 0;
        return *added;
    });
}

}  // namespace

int32_t terrane_navmesh_supported(void) { return 1; }

terrane_navmesh* terrane_navmesh_build(const terrane_position* vertices, size_t vertex_count, const uint32_t* triangles,
                                       size_t triangle_count, const uint8_t* areas, const char* area_text,
                                       const terrane_navmesh_options* options, terrane_error* error) {
    return guarded_or<terrane_navmesh*>(nullptr, error, [&]() -> terrane_navmesh* {
        const auto with = options_of(options, "terrane_navmesh_options");
        if (!with) return refuse(with.error(), error), nullptr;
        const auto known = parse_areas(text_or_empty(area_text), "area_text");
        if (!known) return refuse(known.error(), error), nullptr;
        const auto mesh = triangles_of(vertices, vertex_count, triangles, triangle_count, areas);
        if (!mesh) return refuse(mesh.error(), error), nullptr;
        const NavmeshBuildOptions build = build_options_of(*with);
        if (with->obstacles != 0) return made_navmesh(error, [&] { return build_navmesh_with_obstacles(*mesh, build, *known); });
        return made_navmesh(error, [&] { return build_navmesh(*mesh, build, *known); });
    });
}

terrane_navmesh* terrane_navmesh_new(const terrane_navmesh_params* params, const char* area_text, terrane_error* error) {
    if (params == nullptr) return refuse_null(error), nullptr;
    return made_navmesh(error, [&]() -> Result<Navmesh> {
        const auto with = options_of(params, "terrane_navmesh_params");
        if (!with) return with.error();
        auto known = parse_areas(text_or_empty(area_text), "area_text");
        if (!known) return known.error();
        return make_navmesh({vec_of(with->origin), with->tile_width, with->tile_height, with->max_tiles, with->max_polygons},
                            std::move(known->catalogue));
    });
}

terrane_navmesh* terrane_navmesh_from_bytes(const void* bytes, size_t size, const char* name, terrane_error* error) {
    if (bytes == nullptr && size > 0) return refuse_null(error), nullptr;
    return made_navmesh(error, [&] { return parse_navmesh({static_cast<const char*>(bytes), size}, text_or_empty(name)); });
}

terrane_navmesh* terrane_navmesh_load(const char* file, terrane_error* error) {
    return made_navmesh(error, [&] { return load_navmesh(std::string(text_or_empty(file))); });
}

void terrane_navmesh_free(terrane_navmesh* navmesh) { terrane_navmesh::free(navmesh); }

size_t terrane_navmesh_save(const terrane_navmesh* navmesh, void* out, size_t capacity, terrane_error* error) {
    if (navmesh == nullptr) return refuse_null(error), 0;
    return guarded_or<size_t>(0, error, [&]() -> size_t {
        if (navmesh->regions.tile_count() == 0) return refuse("the mesh has no tiles", error), 0;
        return write_navmesh_bytes(format_navmesh(navmesh->navmesh()), out, capacity);
    });
}

terrane_code terrane_navmesh_save_file(const terrane_navmesh* navmesh, const char* file, terrane_error* error) {
    if (navmesh == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        if (navmesh->regions.tile_count() == 0) return refuse("the mesh has no tiles", error);
        const auto saved = save_navmesh(navmesh->navmesh(), std::string(text_or_empty(file)));
        return saved ? terrane_code{TERRANE_OK} : refuse(saved.error(), error);
    });
}

terrane_code terrane_navmesh_get_info(const terrane_navmesh* navmesh, terrane_navmesh_info* out, terrane_error* error) {
    if (navmesh == nullptr) return answer_null(out, error);
    const Navmesh& mesh = navmesh->navmesh();
    const NavmeshAbstraction& regions = navmesh->regions;
    const NavmeshCounts counts = mesh.count();
    const NavmeshBounds bounds = mesh.bounds();
    const NavmeshParams params = navmesh_params(mesh);
    terrane_navmesh_info info{};
    info.tiles = counts.tiles;
    info.polygons = counts.polygons;
    info.off_mesh_connections = counts.off_mesh_connections;
    info.regions = static_cast<uint32_t>(regions.region_count());
    info.edges = static_cast<uint32_t>(regions.edge_count());
    info.areas = mesh.areas().size();
    info.obstacles = navmesh->obstacles ? navmesh->obstacles->size() : 0;
    info.bytes = counts.bytes + regions.bytes() + (navmesh->obstacles ? navmesh->obstacles->bytes() : 0);
    info.version = regions.version();
    info.low = position_to(bounds.low);
    info.high = position_to(bounds.high);
    info.origin = position_to(params.origin);
    info.tile_width = params.tile_width;
    info.tile_height = params.tile_height;
    info.max_tiles = params.max_tiles;
    info.max_polygons = params.max_polygons;
    info.takes_obstacles = navmesh->obstacles ? 1 : 0;
    return answer(info, out, "terrane_navmesh_info", error);
}

terrane_code terrane_navmesh_get_area(const terrane_navmesh* navmesh, uint32_t area, terrane_terrain* out, terrane_error* error) {
    if (navmesh == nullptr) return answer_null(out, error);
    const Catalogue& areas = navmesh->navmesh().areas();
    terrane_terrain info{};
    if (area >= areas.size()) {
        if (out != nullptr) static_cast<void>(write_struct(info, out));
        return guarded(error, [&] { return refuse("there is no area " + std::to_string(area) + ": " + count_of(areas), error); });
    }
    const TerrainType& type = areas[static_cast<Terrain>(area)];
    type.name.copy(info.name, sizeof info.name - 1);
    info.letter = type.letter;
    info.r = type.colour.r;
    info.g = type.colour.g;
    info.b = type.colour.b;
    return answer(info, out, "terrane_terrain", error);
}

size_t terrane_navmesh_triangles(const terrane_navmesh* navmesh, terrane_navmesh_triangle* out, size_t capacity) {
    if (navmesh == nullptr) return 0;
    return guarded_or<size_t>(0, nullptr, [&] {
        const TriangleMesh mesh = navmesh_triangles(navmesh->navmesh());
        ListWriter list(out, capacity);
        for (size_t i = 0; i < mesh.triangles.size(); ++i) {
            const auto corner = [&](size_t k) { return position_to(mesh.vertices[mesh.triangles[i][k]]); };
            list.add({corner(0), corner(1), corner(2), mesh.areas[i]});
        }
        return list.count();
    });
}

size_t terrane_navmesh_tiles(const terrane_navmesh* navmesh, terrane_navmesh_tile* out, size_t capacity) {
    if (navmesh == nullptr) return 0;
    return guarded_or<size_t>(0, nullptr, [&] {
        ListWriter list(out, capacity);
        for (const auto& [place, bytes] : navmesh_tiles(navmesh->navmesh())) {
            list.add({place.x, place.y, place.layer, static_cast<uint32_t>(bytes)});
        }
        return list.count();
    });
}

size_t terrane_navmesh_tile_data(const terrane_navmesh* navmesh, int32_t x, int32_t y, int32_t layer, void* out, size_t capacity,
                                 terrane_error* error) {
    if (navmesh == nullptr) return refuse_null(error), 0;
    return guarded_or<size_t>(0, error, [&]() -> size_t {
        const std::string data = format_navmesh_tile(navmesh->navmesh(), {x, y, layer});
        if (data.empty()) return refuse_tile(x, y, layer, error), 0;
        return write_navmesh_bytes(data, out, capacity);
    });
}

terrane_code terrane_navmesh_add_tile(terrane_navmesh* navmesh, const void* data, size_t size, terrane_navmesh_tile* added,
                                      terrane_error* error) {
    if (navmesh == nullptr || (data == nullptr && size > 0)) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        if (navmesh->obstacles) return refuse(has_obstacles(), error);
        const auto place = add_navmesh_tile(navmesh->navmesh(), navmesh->regions, {static_cast<const char*>(data), size});
        if (!place) return refuse(place.error(), error);
        if (added != nullptr) *added = {place->x, place->y, place->layer, static_cast<uint32_t>(size)};
        return TERRANE_OK;
    });
}

terrane_code terrane_navmesh_remove_tile(terrane_navmesh* navmesh, int32_t x, int32_t y, int32_t layer, terrane_error* error) {
    if (navmesh == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        if (navmesh->obstacles) return refuse(has_obstacles(), error);
        if (!remove_navmesh_tile(navmesh->navmesh(), navmesh->regions, {x, y, layer})) return refuse_tile(x, y, layer, error);
        return TERRANE_OK;
    });
}

terrane_code terrane_navmesh_set_area(terrane_navmesh* navmesh, terrane_position low, terrane_position high, uint32_t area, uint32_t flags,
                                      uint32_t* polygons, terrane_error* error) {
    if (navmesh == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        if (!is_finite(low) || !is_finite(high) || low.x > high.x || low.y > high.y || low.z > high.z)
            return refuse("invalid box: expected finite coordinates, and low <= high", error);
        if (area != TERRANE_KEEP && area >= kMaxNavmeshAreas) return refuse("invalid area: expected 0 to 63, or TERRANE_KEEP", error);
        if (flags != TERRANE_KEEP && flags > kMaxPolygonFlags) return refuse("invalid flags: expected 0 to 65535, or TERRANE_KEEP", error);
        NavmeshPolygonChange change;
        if (area != TERRANE_KEEP) change.area = static_cast<uint8_t>(area);
        if (flags != TERRANE_KEEP) change.flags = static_cast<uint16_t>(flags);
        const uint32_t count = set_navmesh_polygons(navmesh->navmesh(), navmesh->regions, {vec_of(low), vec_of(high)}, change);
        if (polygons != nullptr) *polygons = count;
        return TERRANE_OK;
    });
}

uint32_t terrane_navmesh_add_cylinder(terrane_navmesh* navmesh, terrane_position foot, float radius, float height, terrane_error* error) {
    return add_obstacle(navmesh, CylinderObstacle{vec_of(foot), radius, height}, error);
}

uint32_t terrane_navmesh_add_box(terrane_navmesh* navmesh, terrane_position low, terrane_position high, terrane_error* error) {
    return add_obstacle(navmesh, BoxObstacle{vec_of(low), vec_of(high)}, error);
}

terrane_code terrane_navmesh_remove_obstacle(terrane_navmesh* navmesh, uint32_t obstacle, terrane_error* error) {
    if (navmesh == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        if (!navmesh->obstacles) return refuse(no_obstacles(), error);
        if (navmesh->obstacles->remove(obstacle)) return TERRANE_OK;
        return refuse("there is no obstacle " + std::to_string(obstacle), error);
    });
}

terrane_code terrane_navmesh_update(terrane_navmesh* navmesh, uint32_t max_tiles, uint32_t* rebuilt, terrane_error* error) {
    if (navmesh == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        if (!navmesh->obstacles) return refuse(no_obstacles(), error);
        const auto tiles = navmesh->obstacles->update(navmesh->regions, max_tiles);
        if (!tiles) return refuse(tiles.error(), error);
        if (rebuilt != nullptr) *rebuilt = *tiles;
        return TERRANE_OK;
    });
}

int32_t terrane_navmesh_up_to_date(const terrane_navmesh* navmesh) {
    if (navmesh == nullptr || (navmesh->obstacles && !navmesh->obstacles->is_up_to_date())) return 0;
    return navmesh->regions.is_current() ? 1 : 0;
}

uint32_t terrane_navmesh_method_count(void) { return static_cast<uint32_t>(navmesh_methods().size()); }
const char* terrane_navmesh_method_usage(uint32_t i) { return info_text(navmesh_methods(), i, &MethodInfo::usage); }
const char* terrane_navmesh_method_summary(uint32_t i) { return info_text(navmesh_methods(), i, &MethodInfo::summary); }

terrane_code terrane_navmesh_filter_of(const terrane_navmesh* navmesh, const terrane_profile* profile, terrane_navmesh_filter* out,
                                       terrane_error* error) {
    if (navmesh == nullptr || profile == nullptr) return answer_null(out, error);
    if (const terrane_code code = check_out(out, "terrane_navmesh_filter", error); code != TERRANE_OK) return code;
    return guarded(error, [&]() -> terrane_code {
        const auto costs = costs_of(*profile, navmesh->navmesh().areas());
        if (!costs) return refuse(costs.error(), error);
        terrane_navmesh_filter filter{};
        for (uint32_t area = 0; area < kMaxNavmeshAreas; ++area) {
            filter.costs[area] = costs->hundredths(static_cast<Terrain>(area));
            if (filter.costs[area] == kBlocked) filter.blocked |= uint64_t{1} << area;
        }
        return answer(filter, out, "terrane_navmesh_filter", error);
    });
}

terrane_navmesh_planner* terrane_navmesh_planner_new(const terrane_navmesh* navmesh, terrane_error* error) {
    if (navmesh == nullptr) return refuse_null(error), nullptr;
    return guarded_or<terrane_navmesh_planner*>(nullptr, error, [&] { return new terrane_navmesh_planner(*navmesh); });
}
void terrane_navmesh_planner_free(terrane_navmesh_planner* planner) { delete planner; }

terrane_navmesh_path* terrane_navmesh_path_new(terrane_error* error) {
    return guarded_or<terrane_navmesh_path*>(nullptr, error, [] { return new terrane_navmesh_path; });
}
void terrane_navmesh_path_free(terrane_navmesh_path* path) { delete path; }

terrane_code terrane_navmesh_begin(terrane_navmesh_planner* planner, terrane_position from, terrane_position to,
                                   const terrane_navmesh_filter* filter, const terrane_navmesh_find_options* options,
                                   terrane_error* error) {
    if (planner == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        const auto costs = filter_of(filter);
        if (!costs) return refuse(costs.error(), error);
        const auto with = find_options_of(options, planner->navmesh->navmesh());
        if (!with) return refuse(with.error(), error);
        if (!is_finite(from) || !is_finite(to)) return refuse("invalid point: expected finite coordinates", error);
        planner->has_query = true;
        planner->planner.begin(vec_of(from), vec_of(to), *costs, *with);
        return planner->planner.status() == Status::kOutOfMemory ? refuse_no_memory(error) : TERRANE_OK;
    });
}

terrane_code terrane_navmesh_find(terrane_navmesh_planner* planner, terrane_position from, terrane_position to,
                                  const terrane_navmesh_filter* filter, const terrane_navmesh_find_options* options,
                                  terrane_navmesh_path* path, terrane_error* error) {
    if (path == nullptr) return refuse_null(error);
    if (const terrane_code code = terrane_navmesh_begin(planner, from, to, filter, options, error); code != TERRANE_OK) return code;
    planner->planner.run();
    return terrane_navmesh_take(planner, path, error);
}

terrane_status terrane_navmesh_run(terrane_navmesh_planner* planner, uint32_t budget) {
    if (planner == nullptr || !planner->has_query) return TERRANE_NOT_ASKED;
    return status_to(planner->planner.run(budget_of(budget)));
}

size_t terrane_navmesh_ready(const terrane_navmesh_planner* planner, terrane_position* out, size_t capacity) {
    if (planner == nullptr) return 0;
    ListWriter list(out, capacity);
    for (const Vec3& p : planner->planner.first_segment()) list.add(position_to(p));
    return list.count();
}

terrane_code terrane_navmesh_take(const terrane_navmesh_planner* planner, terrane_navmesh_path* path, terrane_error* error) {
    if (planner == nullptr || path == nullptr) return refuse_null(error);
    if (!planner->has_query) return refuse("the planner has no query: call terrane_navmesh_begin first", error);
    NavmeshPath taken;
    planner->planner.path(taken);
    if (taken.status == Status::kOutOfMemory) return refuse_no_memory(error);
    path->path = std::move(taken);
    path->has_result = true;
    return TERRANE_OK;
}

terrane_code terrane_navmesh_path_get_info(const terrane_navmesh_path* path, terrane_navmesh_path_info* out, terrane_error* error) {
    terrane_navmesh_path_info info{};
    info.status = TERRANE_NOT_ASKED;
    const terrane_navmesh_path_info none = info;
    if (path == nullptr) return answer_null(out, error, none);
    if (!path->has_result) return answer(none, out, "terrane_navmesh_path_info", error, none);
    const NavmeshPath& p = path->path;
    info.status = status_to(p.status);
    info.cost = p.cost;
    info.length = p.length;
    info.expansions = p.expansions;
    info.expansions_first = p.expansions_first;
    info.points = static_cast<uint32_t>(p.points.size());
    info.polygons = static_cast<uint32_t>(p.corridor.size());
    return answer(info, out, "terrane_navmesh_path_info", error, none);
}

size_t terrane_navmesh_path_points(const terrane_navmesh_path* path, terrane_position* out, size_t capacity) {
    if (path == nullptr) return 0;
    ListWriter list(out, capacity);
    for (const Vec3& p : path->path.points) list.add(position_to(p));
    return list.count();
}

size_t terrane_navmesh_path_polygons(const terrane_navmesh_path* path, uint32_t* out, size_t capacity) {
    return path == nullptr ? 0 : copy_list<uint32_t>(path->path.corridor, out, capacity);
}
