#include "terrane/navmesh_builder.h"

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourStatus.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <optional>

#include "navmesh/tile_builder.h"
#include "terrane/parallel.h"

namespace terrane {

using detail::Recipe;
using detail::TileData;

namespace {

constexpr uint64_t kMaxVisits = uint64_t{1} << 28;  // of triangles to tiles: as many numbers are kept
constexpr uint32_t kTileAndPolygonBits = 22;        // Detour wants the other ten for a tile's salt

Error refuse(ErrorCode code, std::string reason) { return {code, {}, 0, std::move(reason)}; }

struct Box {
    double left, near, right, far;  // along x and z
};

Box box_of(const TriangleMesh& mesh, uint32_t triangle) {
    const auto& t = mesh.triangles[triangle];
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    return {std::min({a.x, b.x, c.x}), std::min({a.z, b.z, c.z}), std::max({a.x, b.x, c.x}), std::max({a.z, b.z, c.z})};
}

bool has_area(const TriangleMesh& mesh, uint32_t triangle) {
    const auto& t = mesh.triangles[triangle];
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const double ux = double{b.x} - a.x, uy = double{b.y} - a.y, uz = double{b.z} - a.z;
    const double vx = double{c.x} - a.x, vy = double{c.y} - a.y, vz = double{c.z} - a.z;
    return uy * vz - uz * vy != 0 || uz * vx - ux * vz != 0 || ux * vy - uy * vx != 0;
}

std::optional<Error> check_mesh(const TriangleMesh& mesh, const Recipe& recipe) {
    if (mesh.vertices.empty() || mesh.triangles.empty()) return refuse(ErrorCode::kBadValue, "an empty mesh: no triangles");
    if (mesh.triangles.size() > kMaxObjTriangles) return refuse(ErrorCode::kTooLarge, "too many triangles");
    for (size_t i = 0; i < mesh.vertices.size(); ++i) {
        const Vec3& v = mesh.vertices[i];
        const auto sound = [](float c) { return std::abs(c) <= kMaxNavmeshCoordinate; };  // not NaN
        if (sound(v.x) && sound(v.y) && sound(v.z)) continue;
        return refuse(ErrorCode::kBadValue, "vertex " + std::to_string(i) + " is no number, or further than " +
                                                std::to_string(static_cast<int>(kMaxNavmeshCoordinate)) + " metres from the origin");
    }
    for (size_t i = 0; i < mesh.triangles.size(); ++i) {
        if (std::ranges::all_of(mesh.triangles[i], [&](uint32_t v) { return v < mesh.vertices.size(); })) continue;
        return refuse(ErrorCode::kBadValue, "triangle " + std::to_string(i) + " has a vertex that is not there");
    }
    if (!mesh.areas.empty() && mesh.areas.size() != mesh.triangles.size()) {
        return refuse(ErrorCode::kBadValue, "areas for some triangles, and not for others");
    }
    if (std::ranges::any_of(mesh.areas, [&](Terrain a) { return a != kOutside && a >= recipe.areas; })) {
        return refuse(ErrorCode::kBadValue, "a triangle has an area that the catalogue lacks");
    }
    return std::nullopt;
}

// Tiles in rows along x, the first one's corner at (left, near).
struct TileGrid {
    float left = 0, near = 0, side = 0;
    int32_t columns = 0, rows = 0;

    int32_t column(double x) const { return static_cast<int32_t>(std::floor((x - double{left}) / double{side})); }
    int32_t row(double z) const { return static_cast<int32_t>(std::floor((z - double{near}) / double{side})); }
    uint32_t tiles() const { return static_cast<uint32_t>(columns) * static_cast<uint32_t>(rows); }
    detail::TilePlace place(int32_t x, int32_t y) const {
        return {x, y, static_cast<float>(double{left} + double{side} * x), static_cast<float>(double{near} + double{side} * y)};
    }
};

struct TileRange {
    int32_t first_column, last_column, first_row, last_row;

    bool contains(int32_t x, int32_t y) const { return x >= first_column && x <= last_column && y >= first_row && y <= last_row; }
};

// The tiles that a triangle reaches, their borders included. They need not be on the grid.
TileRange reach(const TileGrid& grid, const Recipe& recipe, const Box& box) {
    const double border = recipe.border();
    return {grid.column(box.left - border), grid.column(box.right + border), grid.row(box.near - border), grid.row(box.far + border)};
}

// A quick no for triangles that are a tile away and more.
bool may_reach(const TileGrid& grid, const Recipe& recipe, const Box& box, int32_t x, int32_t y) {
    const double slack = double{recipe.border()} + double{grid.side};
    const detail::TilePlace at = grid.place(x, y);
    return box.right >= at.left - slack && box.left <= at.left + grid.side + slack && box.far >= at.near - slack &&
           box.near <= at.near + grid.side + slack;
}

Result<TileGrid> make_grid(const TriangleMesh& mesh, const Recipe& recipe) {
    std::optional<Box> all;
    for (uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        if (!has_area(mesh, t)) continue;
        const Box box = box_of(mesh, t);
        if (!all) all = box;
        *all = {std::min(all->left, box.left), std::min(all->near, box.near), std::max(all->right, box.right), std::max(all->far, box.far)};
    }
    if (!all) return refuse(ErrorCode::kBadValue, "no triangle has an area: corners in one place, or all on a line");
    const auto along = [&](double low, double high) { return std::max(1.0, std::ceil((high - low) / double{recipe.tile_side})); };
    const double columns = along(all->left, all->right), rows = along(all->near, all->far);
    if (columns * rows > kMaxNavmeshTiles) {
        return refuse(ErrorCode::kTooLarge, "more than " + std::to_string(kMaxNavmeshTiles) + " tiles: make them larger");
    }
    return TileGrid{static_cast<float>(all->left), static_cast<float>(all->near), recipe.tile_side, static_cast<int32_t>(columns),
                    static_cast<int32_t>(rows)};
}

// Detour joins an end to the tile that it starts from and the eight around it, and to no other.
std::optional<Error> check_links(const TileGrid& grid, const Recipe& recipe) {
    for (size_t i = 0; i < recipe.links.radius.size(); ++i) {
        const float* ends = recipe.links.ends.data() + i * 6;
        const auto far = [](int32_t a, int32_t b) { return a > b + 1 || b > a + 1; };
        if (!far(grid.column(ends[0]), grid.column(ends[3])) && !far(grid.row(ends[2]), grid.row(ends[5]))) continue;
        return refuse(ErrorCode::kBadValue, "link " + std::to_string(i) + ": it ends beyond the tiles around the one where it starts");
    }
    return std::nullopt;
}

// Which triangles reach which tile: those of tile t are from first[t] to first[t + 1].
struct TileLists {
    std::vector<uint32_t> first, triangles;
};

template <class Visit>
void each_tile_of(const TileGrid& grid, const TileRange& range, Visit&& visit) {
    for (int32_t y = std::max(range.first_row, 0); y <= std::min(range.last_row, grid.rows - 1); ++y) {
        for (int32_t x = std::max(range.first_column, 0); x <= std::min(range.last_column, grid.columns - 1); ++x) {
            visit(static_cast<uint32_t>(y * grid.columns + x));
        }
    }
}

Result<TileLists> list_triangles(const TriangleMesh& mesh, const TileGrid& grid, const Recipe& recipe) {
    TileLists lists;
    lists.first.assign(grid.tiles() + 1, 0);
    const auto each = [&](auto&& visit) {
        for (uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            if (has_area(mesh, t)) each_tile_of(grid, reach(grid, recipe, box_of(mesh, t)), [&](uint32_t tile) { visit(tile, t); });
        }
    };
    uint64_t visits = 0;
    each([&](uint32_t tile, uint32_t) {
        if (visits++ < kMaxVisits) ++lists.first[tile + 1];
    });
    if (visits > kMaxVisits) return refuse(ErrorCode::kTooLarge, "too many triangles over too many tiles");
    for (size_t i = 1; i < lists.first.size(); ++i) lists.first[i] += lists.first[i - 1];
    lists.triangles.resize(visits);
    std::vector<uint32_t> next = lists.first;
    each([&](uint32_t tile, uint32_t t) { lists.triangles[next[tile]++] = t; });
    return lists;
}

using MeshOwner = std::unique_ptr<dtNavMesh, void (*)(dtNavMesh*)>;

// How many polygons a tile may have, a power of two.
uint32_t polygons_per_tile(const TileGrid& grid) {
    const auto tile_bits = static_cast<uint32_t>(std::bit_width(std::bit_ceil(grid.tiles())) - 1);
    return std::min(1u << (kTileAndPolygonBits - tile_bits), kMaxNavmeshTilePolygons);
}

Result<MeshOwner> empty_mesh(const TileGrid& grid, float lowest) {
    MeshOwner mesh(dtAllocNavMesh(), dtFreeNavMesh);
    dtNavMeshParams params{};
    params.orig[0] = grid.left;
    params.orig[1] = lowest;
    params.orig[2] = grid.near;
    params.tileWidth = params.tileHeight = grid.side;
    params.maxTiles = static_cast<int>(grid.tiles());
    params.maxPolys = static_cast<int>(polygons_per_tile(grid));
    if (mesh == nullptr || dtStatusFailed(mesh->init(&params))) return refuse(ErrorCode::kTooLarge, "Detour could not take the tiles");
    return mesh;
}

std::optional<Error> check_polygons(const TileData& tile, uint32_t most, int32_t x, int32_t y) {
    if (tile.polygons <= most) return std::nullopt;
    return refuse(ErrorCode::kTooLarge, "tile " + std::to_string(x) + "," + std::to_string(y) + " has " + std::to_string(tile.polygons) +
                                            " polygons; Detour can number " + std::to_string(most) + " in each of so many tiles");
}

// The mesh takes over the data where it succeeds.
bool add_tile(dtNavMesh& mesh, TileData& tile) {
    unsigned char* data = tile.data.release();
    if (dtStatusSucceed(mesh.addTile(data, tile.size, DT_TILE_FREE_DATA, 0, nullptr))) return true;
    tile.data.reset(data);
    return false;
}

std::vector<Result<TileData>> build_tiles(const TriangleMesh& mesh, const TileGrid& grid, const Recipe& recipe, const TileLists& lists,
                                          uint32_t threads, const TileProgress& progress) {
    std::vector<Result<TileData>> tiles;
    tiles.reserve(grid.tiles());
    for (uint32_t t = 0; t < grid.tiles(); ++t) tiles.emplace_back(TileData{});
    std::vector<detail::TileTriangles> scratch(workers_for(threads, grid.tiles()));
    std::mutex mutex;
    uint32_t done = 0;
    parallel_for(threads, grid.tiles(), [&](uint32_t t, uint32_t worker) {
        detail::TileTriangles& triangles = scratch[worker];
        triangles.clear();
        for (uint32_t i = lists.first[t]; i < lists.first[t + 1]; ++i) triangles.add(mesh, lists.triangles[i], recipe);
        const auto columns = static_cast<uint32_t>(grid.columns);
        tiles[t] = detail::build_tile(recipe, grid.place(static_cast<int32_t>(t % columns), static_cast<int32_t>(t / columns)), triangles);
        if (!progress) return;
        const std::lock_guard lock(mutex);
        progress(++done, grid.tiles());
    });
    return tiles;
}

Result<Navmesh> join_tiles(std::vector<Result<TileData>> tiles, const TileGrid& grid, float lowest, const Catalogue& areas) {
    auto mesh = empty_mesh(grid, lowest);
    if (!mesh) return mesh.error();
    uint32_t added = 0;
    for (uint32_t t = 0; t < tiles.size(); ++t) {
        if (!tiles[t]) return tiles[t].error();
        if (tiles[t]->data == nullptr) continue;
        const auto columns = static_cast<uint32_t>(grid.columns);
        const auto x = static_cast<int32_t>(t % columns), y = static_cast<int32_t>(t / columns);
        if (auto error = check_polygons(*tiles[t], polygons_per_tile(grid), x, y)) return *std::move(error);
        if (!add_tile(**mesh, *tiles[t])) return refuse(ErrorCode::kTooLarge, "Detour could not take a tile");
        ++added;
    }
    if (added == 0) return refuse(ErrorCode::kBadValue, "no agent can stand on it: too steep, too low, too narrow, or upside down");
    return Navmesh(mesh->release(), areas);
}

}  // namespace

Result<Navmesh> build_navmesh(const TriangleMesh& mesh, const NavmeshBuildOptions& options, const NavmeshAreas& areas,
                              const TileProgress& progress) {
    const auto recipe = detail::make_recipe(options, areas);
    if (!recipe) return recipe.error();
    if (auto error = check_mesh(mesh, *recipe)) return *std::move(error);
    const auto grid = make_grid(mesh, *recipe);
    if (!grid) return grid.error();
    if (auto error = check_links(*grid, *recipe)) return *std::move(error);
    const auto lists = list_triangles(mesh, *grid, *recipe);
    if (!lists) return lists.error();
    const float lowest = std::ranges::min(mesh.vertices, {}, &Vec3::y).y;
    return join_tiles(build_tiles(mesh, *grid, *recipe, *lists, options.threads, progress), *grid, lowest, areas.catalogue);
}

Result<Done> rebuild_tile(Navmesh& navmesh, const TriangleMesh& mesh, const NavmeshBuildOptions& options, const NavmeshAreas& areas,
                          int32_t x, int32_t y) {
    const auto recipe = detail::make_recipe(options, areas);
    if (!recipe) return recipe.error();
    if (auto error = check_mesh(mesh, *recipe)) return *std::move(error);
    dtNavMesh& to = navmesh.mesh();
    const dtNavMeshParams& params = *to.getParams();
    if (params.tileWidth != recipe->tile_side || params.tileHeight != recipe->tile_side || !(areas.catalogue == navmesh.areas())) {
        return refuse(ErrorCode::kBadValue, "the mesh was built with tiles of another size, or other areas");
    }
    if (x < 0 || y < 0 || x >= static_cast<int32_t>(kMaxNavmeshTiles) || y >= static_cast<int32_t>(kMaxNavmeshTiles)) {
        return refuse(ErrorCode::kBadValue, "no such tile");
    }
    const TileGrid grid{params.orig[0], params.orig[2], recipe->tile_side, 0, 0};
    if (auto error = check_links(grid, *recipe)) return *std::move(error);
    detail::TileTriangles triangles;
    for (uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const Box box = box_of(mesh, t);
        if (may_reach(grid, *recipe, box, x, y) && reach(grid, *recipe, box).contains(x, y) && has_area(mesh, t)) {
            triangles.add(mesh, t, *recipe);
        }
    }
    auto tile = detail::build_tile(*recipe, grid.place(x, y), triangles);
    if (!tile) return tile.error();
    if (auto error = check_polygons(*tile, static_cast<uint32_t>(params.maxPolys), x, y)) return *std::move(error);
    if (const dtTileRef old = to.getTileRefAt(x, y, 0); old != 0) to.removeTile(old, nullptr, nullptr);
    if (tile->data != nullptr && !add_tile(to, *tile)) return refuse(ErrorCode::kTooLarge, "the mesh has no room for another tile");
    return Done{};
}

uint64_t count_degenerate(const TriangleMesh& mesh) {
    uint64_t count = 0;
    for (uint32_t t = 0; t < mesh.triangles.size(); ++t) count += has_area(mesh, t) ? 0 : 1;
    return count;
}

}  // namespace terrane
