// Partitions triangles into tiles, and builds all tiles in parallel.
#pragma once
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "navmesh/building/tile_builder.h"

struct dtNavMeshParams;  // NOLINT(readability-identifier-naming): Detour's

namespace terrane::detail {

// Tiles in rows along x; the first one has its minimum corner at (left, near).
struct TileGrid {
    float left = 0, near = 0, side = 0;
    int32_t columns = 0, rows = 0;

    int32_t column(double x) const { return static_cast<int32_t>(std::floor((x - double{left}) / double{side})); }
    int32_t row(double z) const { return static_cast<int32_t>(std::floor((z - double{near}) / double{side})); }
    uint32_t tiles() const { return static_cast<uint32_t>(columns) * static_cast<uint32_t>(rows); }
    TilePlace place(int32_t x, int32_t y) const {
        return {x, y, static_cast<float>(double{left} + double{side} * x), static_cast<float>(double{near} + double{side} * y)};
    }
    TilePlace place(uint32_t tile) const {
        return place(static_cast<int32_t>(tile % static_cast<uint32_t>(columns)),
                     static_cast<int32_t>(tile / static_cast<uint32_t>(columns)));
    }
};

// The triangles that overlap each tile or its border: those of tile t are triangles[first[t]] to triangles[first[t + 1] - 1].
struct TileLists {
    std::vector<uint32_t> first, triangles;
};

// Returns false for a degenerate triangle.
bool has_area(const TriangleMesh& mesh, uint32_t triangle);
bool overlaps(const TileGrid& grid, const BuildConfig& config, const TriangleMesh& mesh, uint32_t triangle, int32_t x, int32_t y);

// Return the error if the input is invalid.
std::optional<Error> check_mesh(const TriangleMesh& mesh, const BuildConfig& config);
std::optional<Error> check_links(const TileGrid& grid, const BuildConfig& config);

// The grid covers all non-degenerate triangles. Fails if there are none, or too many tiles.
Result<TileGrid> make_grid(const TriangleMesh& mesh, const BuildConfig& config);
Result<TileLists> list_triangles(const TriangleMesh& mesh, const TileGrid& grid, const BuildConfig& config);

// Validated input of a build.
struct TilePlan {
    BuildConfig config;
    TileGrid grid;
    TileLists lists;
    float lowest = 0;  // minimum y of all vertices
};
Result<TilePlan> plan_tiles(const TriangleMesh& mesh, const NavmeshBuildOptions& options, const NavmeshAreas& areas);

// Calls `build(config, place, triangles)` for every tile, on `threads` threads. Returns the results in tile order.
template <class Build>
auto build_tiles(const TilePlan& plan, const TriangleMesh& mesh, uint32_t threads, const TileProgress& progress, Build&& build) {
    using Built = decltype(build(plan.config, TilePlace{}, std::declval<TileTriangles&>()));
    const uint32_t count = plan.grid.tiles();
    std::vector<std::optional<Built>> tiles(count);
    std::vector<TileTriangles> scratch(workers_for(threads, count));
    std::mutex mutex;
    uint32_t done = 0;
    parallel_for(threads, count, [&](uint32_t t, uint32_t worker) {
        TileTriangles& triangles = scratch[worker];
        triangles.clear();
        for (uint32_t i = plan.lists.first[t]; i < plan.lists.first[t + 1]; ++i) triangles.add(mesh, plan.lists.triangles[i], plan.config);
        tiles[t].emplace(build(plan.config, plan.grid.place(t), triangles));
        if (!progress) return;
        const std::lock_guard lock(mutex);
        progress(++done, count);
    });
    return tiles;
}

using MeshOwner = std::unique_ptr<dtNavMesh, void (*)(dtNavMesh*)>;
// Returns a mesh without tiles. Fails if Detour rejects the parameters, and with kNoMemory if a Detour allocation fails.
Result<MeshOwner> make_mesh(const dtNavMeshParams& params);
// Returns the number of polygons per tile that Detour's refs can address in a mesh of `tiles` tiles.
uint32_t polygons_per_tile(uint32_t tiles);
// Returns a mesh with `tiles` empty tile slots and the origin of the grid.
Result<MeshOwner> empty_mesh(const TilePlan& plan, uint32_t tiles);
// On success the mesh owns the data.
bool add_tile(dtNavMesh& mesh, TileData& tile);

}  // namespace terrane::detail
