#include "terrane/navmesh/navmesh_builder.h"

#include <recastnavigation/DetourNavMesh.h>

#include <string>

#include "navmesh/building/tile_grid.h"

namespace terrane {

using detail::TileData;
using detail::TileGrid;

namespace {

Error refuse(ErrorCode code, std::string reason) { return {code, {}, 0, std::move(reason)}; }

std::optional<Error> check_polygons(const TileData& tile, uint32_t max_polygons, int32_t x, int32_t y) {
    if (tile.polygons <= max_polygons) return std::nullopt;
    return refuse(ErrorCode::kTooLarge, "tile " + std::to_string(x) + "," + std::to_string(y) + " has " + std::to_string(tile.polygons) +
                                            " polygons; Detour can address " + std::to_string(max_polygons) +
                                            " per tile with this many tiles");
}

Result<Navmesh> assemble_mesh(std::vector<std::optional<Result<TileData>>> tiles, const detail::TilePlan& plan, const Catalogue& areas) {
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
        if (!add_tile(**mesh, *tile)) return refuse(ErrorCode::kTooLarge, "Detour rejected a tile");
        ++added;
    }
    if (added == 0)
        return refuse(ErrorCode::kBadValue, "no walkable surface: the triangles are too steep, too low, too narrow or upside down");
    return Navmesh(mesh->release(), std::move(names));
}

}  // namespace

Result<Navmesh> build_navmesh(const TriangleMesh& mesh, const NavmeshBuildOptions& options, const NavmeshAreas& areas,
                              const TileProgress& progress) {
    const auto plan = detail::plan_tiles(mesh, options, areas);
    if (!plan) return plan.error();
    return assemble_mesh(detail::build_tiles(*plan, mesh, options.threads, progress, detail::build_tile), *plan, areas.catalogue);
}

Result<void> rebuild_tile(Navmesh& navmesh, const TriangleMesh& mesh, const NavmeshBuildOptions& options, const NavmeshAreas& areas,
                          int32_t x, int32_t y) {
    const auto config = detail::make_build_config(options, areas);
    if (!config) return config.error();
    if (auto error = detail::check_mesh(mesh, *config)) return *std::move(error);
    dtNavMesh& to = navmesh.mesh();
    const dtNavMeshParams& params = *to.getParams();
    if (params.tileWidth != config->tile_side || params.tileHeight != config->tile_side || !(areas.catalogue == navmesh.areas())) {
        return refuse(ErrorCode::kBadValue, "tile size or areas differ from those that the mesh was built with");
    }
    if (x < 0 || y < 0 || x >= static_cast<int32_t>(kMaxNavmeshTiles) || y >= static_cast<int32_t>(kMaxNavmeshTiles)) {
        return refuse(ErrorCode::kBadValue, "no tile " + std::to_string(x) + "," + std::to_string(y));
    }
    const TileGrid grid{params.orig[0], params.orig[2], config->tile_side, 0, 0};
    if (auto error = detail::check_links(grid, *config)) return *std::move(error);
    detail::TileTriangles triangles;
    for (uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        if (overlaps(grid, *config, mesh, t, x, y) && detail::has_area(mesh, t)) triangles.add(mesh, t, *config);
    }
    auto tile = detail::build_tile(*config, grid.place(x, y), triangles);
    if (!tile) return tile.error();
    if (auto error = check_polygons(*tile, static_cast<uint32_t>(params.maxPolys), x, y)) return *std::move(error);
    if (const dtTileRef old = to.getTileRefAt(x, y, 0); old != 0) to.removeTile(old, nullptr, nullptr);
    if (tile->data != nullptr && !add_tile(to, *tile)) return refuse(ErrorCode::kTooLarge, "the mesh has no free tile slot");
    return {};
}

uint64_t count_degenerate(const TriangleMesh& mesh) {
    uint64_t count = 0;
    for (uint32_t t = 0; t < mesh.triangles.size(); ++t) count += detail::has_area(mesh, t) ? 0 : 1;
    return count;
}

}  // namespace terrane
