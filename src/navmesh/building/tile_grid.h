// The tiles that triangles are divided into, and which triangles reach which.
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

// Tiles in rows along x, the first one's corner at (left, near).
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

// Which triangles reach which tile, its border included: those of tile t are from first[t] to first[t + 1].
struct TileLists {
    std::vector<uint32_t> first, triangles;
};

bool has_area(const TriangleMesh& mesh, uint32_t triangle);
bool reaches(const TileGrid& grid, const Recipe& recipe, const TriangleMesh& mesh, uint32_t triangle, int32_t x, int32_t y);

// Why nothing can be built of it.
std::optional<Error> check_mesh(const TriangleMesh& mesh, const Recipe& recipe);
std::optional<Error> check_links(const TileGrid& grid, const Recipe& recipe);

// Around all triangles that have an area. Refused: where none has, or there are too many tiles.
Result<TileGrid> make_grid(const TriangleMesh& mesh, const Recipe& recipe);
Result<TileLists> list_triangles(const TriangleMesh& mesh, const TileGrid& grid, const Recipe& recipe);

// What to build, checked.
struct TilePlan {
    Recipe recipe;
    TileGrid grid;
    TileLists lists;
    float lowest = 0;  // y of the lowest vertex
};
Result<TilePlan> plan_tiles(const TriangleMesh& mesh, const NavmeshBuildOptions& options, const NavmeshAreas& areas);

// Builds every tile by `build(recipe, place, triangles)`, on so many threads. Results are in the order of tiles.
template <class Build>
auto build_tiles(const TilePlan& plan, const TriangleMesh& mesh, uint32_t threads, const TileProgress& progress, Build&& build) {
    using Built = decltype(build(plan.recipe, TilePlace{}, std::declval<TileTriangles&>()));
    const uint32_t count = plan.grid.tiles();
    std::vector<std::optional<Built>> tiles(count);
    std::vector<TileTriangles> scratch(workers_for(threads, count));
    std::mutex mutex;
    uint32_t done = 0;
    parallel_for(threads, count, [&](uint32_t t, uint32_t worker) {
        TileTriangles& triangles = scratch[worker];
        triangles.clear();
        for (uint32_t i = plan.lists.first[t]; i < plan.lists.first[t + 1]; ++i) triangles.add(mesh, plan.lists.triangles[i], plan.recipe);
        tiles[t].emplace(build(plan.recipe, plan.grid.place(t), triangles));
        if (!progress) return;
        const std::lock_guard lock(mutex);
        progress(++done, count);
    });
    return tiles;
}

using MeshOwner = std::unique_ptr<dtNavMesh, void (*)(dtNavMesh*)>;
// dtNavMesh::init, as a dtStatus; the mesh is gone where Detour had no memory.
uint32_t init_mesh(MeshOwner& mesh, const dtNavMeshParams& params);
// A mesh without tiles that has room for `tiles` of them, at the grid's place; and how many polygons each may have.
uint32_t polygons_per_tile(uint32_t tiles);
Result<MeshOwner> empty_mesh(const TilePlan& plan, uint32_t tiles);
// The mesh takes over the data where it succeeds.
bool add_tile(dtNavMesh& mesh, TileData& tile);

}  // namespace terrane::detail
