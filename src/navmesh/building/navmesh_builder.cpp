#include "terrane/navmesh/navmesh_builder.h"

#include <recastnavigation/DetourNavMesh.h>

#include <string>

#include "navmesh/building/tile_grid.h"

namespace terrane {

using detail::TileData;
using detail::TileGrid;

namespace {

Error refuse(ErrorCode code, std::string reason) { return {code, {}, 0, std::move(reason)}; }

std::optional<Error> check_polygons(const TileData& tile, uint32_t most, int32_t x, int32_t y) {
    if (tile.polygons <= most) return std::nullopt;
    return refuse(ErrorCode::kTooLarge, "tile " + std::to_string(x) + "," + std::to_string(y) + " has " + std::to_string(tile.polygons) +
                                            " polygons; Detour can number " + std::to_string(most) + " in each of so many tiles");
}

Result<Navmesh> join_tiles(std::vector<std::optional<Result<TileData>>> tiles, const detail::TilePlan& plan, const Catalogue& areas) {
    auto mesh = detail::empty_mesh(plan, plan.grid.tiles());
    if (!mesh) return mesh.error();
    Catalogue names = areas;
    uint32_t added = 0;
    for (uint32_t t = 0; t < tiles.size(); ++t) {
        Result<TileData>& tile = *tiles[t];
        if (!tile) return tile.error();
        if (tile->data == nullptr) continue;
        const detail::TilePlace place = plan.grid.place(t);
        if (auto error = check_polygons(*tile, detail::polygons_per_tile(plan.grid.tiles()), place.x, place.y)) return *std::move(error);
        if (!add_tile(**mesh, *tile)) return refuse(ErrorCode::kTooLarge, "Detour could not take a tile");
        ++added;
    }
    if (added == 0) return refuse(ErrorCode::kBadValue, "no agent can stand on it: too steep, too low, too narrow, or upside down");
    return Navmesh(mesh->release(), std::move(names));
}

}  // namespace

Result<Navmesh> build_navmesh(const TriangleMesh& mesh, const NavmeshBuildOptions& options, const NavmeshAreas& areas,
                              const TileProgress& progress) {
    const auto plan = detail::plan_tiles(mesh, options, areas);
    if (!plan) return plan.error();
    return join_tiles(detail::build_tiles(*plan, mesh, options.threads, progress, detail::build_tile), *plan, areas.catalogue);
}

Result<Done> rebuild_tile(Navmesh& navmesh, const TriangleMesh& mesh, const NavmeshBuildOptions& options, const NavmeshAreas& areas,
                          int32_t x, int32_t y) {
    const auto recipe = detail::make_recipe(options, areas);
    if (!recipe) return recipe.error();
    if (auto error = detail::check_mesh(mesh, *recipe)) return *std::move(error);
    dtNavMesh& to = navmesh.mesh();
    const dtNavMeshParams& params = *to.getParams();
    if (params.tileWidth != recipe->tile_side || params.tileHeight != recipe->tile_side || !(areas.catalogue == navmesh.areas())) {
        return refuse(ErrorCode::kBadValue, "the mesh was built with tiles of another size, or other areas");
    }
    if (x < 0 || y < 0 || x >= static_cast<int32_t>(kMaxNavmeshTiles) || y >= static_cast<int32_t>(kMaxNavmeshTiles)) {
        return refuse(ErrorCode::kBadValue, "no such tile");
    }
    const TileGrid grid{params.orig[0], params.orig[2], recipe->tile_side, 0, 0};
    if (auto error = detail::check_links(grid, *recipe)) return *std::move(error);
    detail::TileTriangles triangles;
    for (uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        if (reaches(grid, *recipe, mesh, t, x, y) && detail::has_area(mesh, t)) triangles.add(mesh, t, *recipe);
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
    for (uint32_t t = 0; t < mesh.triangles.size(); ++t) count += detail::has_area(mesh, t) ? 0 : 1;
    return count;
}

}  // namespace terrane
