#include "navmesh/building/tile_grid.h"

#include <recastnavigation/DetourAlloc.h>
#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourStatus.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace terrane::detail {

namespace {

constexpr uint64_t kMaxTileOverlaps = uint64_t{1} << 28;  // pairs of a triangle and a tile; 4 bytes each
constexpr uint32_t kTileAndPolygonBits = 22;              // of 32-bit refs; Detour needs ten bits for the salt

Error refuse(ErrorCode code, std::string reason) { return {code, {}, 0, std::move(reason)}; }

struct Box {
    double left, near, right, far;  // along x and z
};

Box box_of(const TriangleMesh& mesh, uint32_t triangle) {
    const auto& t = mesh.triangles[triangle];
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    return {std::min({a.x, b.x, c.x}), std::min({a.z, b.z, c.z}), std::max({a.x, b.x, c.x}), std::max({a.z, b.z, c.z})};
}

struct TileRange {
    int32_t first_column, last_column, first_row, last_row;

    bool contains(int32_t x, int32_t y) const { return x >= first_column && x <= last_column && y >= first_row && y <= last_row; }
};

// Returns the tiles that a triangle overlaps, with their borders. They may lie outside of the grid.
TileRange overlapped_tiles(const TileGrid& grid, const BuildConfig& config, const Box& box) {
    const double border = config.border();
    return {grid.column(box.left - border), grid.column(box.right + border), grid.row(box.near - border), grid.row(box.far + border)};
}

template <class Visit>
void each_tile_of(const TileGrid& grid, const TileRange& range, Visit&& visit) {
    for (int32_t y = std::max(range.first_row, 0); y <= std::min(range.last_row, grid.rows - 1); ++y) {
        for (int32_t x = std::max(range.first_column, 0); x <= std::min(range.last_column, grid.columns - 1); ++x) {
            visit(static_cast<uint32_t>(y * grid.columns + x));
        }
    }
}

// Rejects triangles that are more than a tile away.
bool may_overlap(const TileGrid& grid, const BuildConfig& config, const Box& box, int32_t x, int32_t y) {
    const double slack = double{config.border()} + double{grid.side};
    const TilePlace at = grid.place(x, y);
    return box.right >= at.left - slack && box.left <= at.left + grid.side + slack && box.far >= at.near - slack &&
           box.near <= at.near + grid.side + slack;
}

}  // namespace

bool has_area(const TriangleMesh& mesh, uint32_t triangle) {
    const auto& t = mesh.triangles[triangle];
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const double ux = double{b.x} - a.x, uy = double{b.y} - a.y, uz = double{b.z} - a.z;
    const double vx = double{c.x} - a.x, vy = double{c.y} - a.y, vz = double{c.z} - a.z;
    return uy * vz - uz * vy != 0 || uz * vx - ux * vz != 0 || ux * vy - uy * vx != 0;
}

bool overlaps(const TileGrid& grid, const BuildConfig& config, const TriangleMesh& mesh, uint32_t triangle, int32_t x, int32_t y) {
    const Box box = box_of(mesh, triangle);
    return may_overlap(grid, config, box, x, y) && overlapped_tiles(grid, config, box).contains(x, y);
}

std::optional<Error> check_mesh(const TriangleMesh& mesh, const BuildConfig& config) {
    if (mesh.vertices.empty() || mesh.triangles.empty()) return refuse(ErrorCode::kBadValue, "empty mesh: expected at least one triangle");
    if (mesh.triangles.size() > kMaxObjTriangles)
        return refuse(ErrorCode::kTooLarge, "more than " + std::to_string(kMaxObjTriangles) + " triangles");
    for (size_t i = 0; i < mesh.vertices.size(); ++i) {
        const Vec3& v = mesh.vertices[i];
        const auto is_valid = [](float c) { return std::abs(c) <= kMaxNavmeshCoordinate; };  // false for NaN
        if (is_valid(v.x) && is_valid(v.y) && is_valid(v.z)) continue;
        return refuse(ErrorCode::kBadValue, "vertex " + std::to_string(i) + " is not finite or more than " +
                                                std::to_string(static_cast<int>(kMaxNavmeshCoordinate)) + " metres from the origin");
    }
    for (size_t i = 0; i < mesh.triangles.size(); ++i) {
        if (std::ranges::all_of(mesh.triangles[i], [&](uint32_t v) { return v < mesh.vertices.size(); })) continue;
        return refuse(ErrorCode::kBadValue, "triangle " + std::to_string(i) + " has a vertex index out of range");
    }
    if (!mesh.areas.empty() && mesh.areas.size() != mesh.triangles.size()) {
        return refuse(ErrorCode::kBadValue, "areas for some triangles only: expected one per triangle, or none");
    }
    if (std::ranges::any_of(mesh.areas, [&](Terrain a) { return a != kOutside && a >= config.areas; })) {
        return refuse(ErrorCode::kBadValue, "a triangle has an area that is not in the catalogue");
    }
    return std::nullopt;
}

// Detour connects an end only within the tile of the start and the eight adjacent tiles.
std::optional<Error> check_links(const TileGrid& grid, const BuildConfig& config) {
    for (size_t i = 0; i < config.links.radius.size(); ++i) {
        const float* ends = config.links.ends.data() + i * 6;
        const auto far = [](int32_t a, int32_t b) { return a > b + 1 || b > a + 1; };
        if (!far(grid.column(ends[0]), grid.column(ends[3])) && !far(grid.row(ends[2]), grid.row(ends[5]))) continue;
        return refuse(ErrorCode::kBadValue,
                      "link " + std::to_string(i) + ": it ends beyond the adjacent tiles: shorten it or increase tile_size");
    }
    return std::nullopt;
}

Result<TileGrid> make_grid(const TriangleMesh& mesh, const BuildConfig& config) {
    std::optional<Box> all;
    for (uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        if (!has_area(mesh, t)) continue;
        const Box box = box_of(mesh, t);
        if (!all) all = box;
        *all = {std::min(all->left, box.left), std::min(all->near, box.near), std::max(all->right, box.right), std::max(all->far, box.far)};
    }
    if (!all) return refuse(ErrorCode::kBadValue, "all triangles are degenerate: their corners coincide or are collinear");
    const auto along = [&](double low, double high) { return std::max(1.0, std::ceil((high - low) / double{config.tile_side})); };
    const double columns = along(all->left, all->right), rows = along(all->near, all->far);
    if (columns * rows > kMaxNavmeshTiles) {
        return refuse(ErrorCode::kTooLarge, "more than " + std::to_string(kMaxNavmeshTiles) + " tiles: increase tile_size");
    }
    return TileGrid{static_cast<float>(all->left), static_cast<float>(all->near), config.tile_side, static_cast<int32_t>(columns),
                    static_cast<int32_t>(rows)};
}

Result<TileLists> list_triangles(const TriangleMesh& mesh, const TileGrid& grid, const BuildConfig& config) {
    TileLists lists;
    lists.first.assign(grid.tiles() + 1, 0);
    const auto each = [&](auto&& visit) {
        for (uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            if (has_area(mesh, t))
                each_tile_of(grid, overlapped_tiles(grid, config, box_of(mesh, t)), [&](uint32_t tile) { visit(tile, t); });
        }
    };
    uint64_t overlap_count = 0;
    each([&](uint32_t tile, uint32_t) {
        if (overlap_count++ < kMaxTileOverlaps) ++lists.first[tile + 1];
    });
    if (overlap_count > kMaxTileOverlaps) return refuse(ErrorCode::kTooLarge, "too many pairs of triangle and tile: increase tile_size");
    for (size_t i = 1; i < lists.first.size(); ++i) lists.first[i] += lists.first[i - 1];
    lists.triangles.resize(overlap_count);
    std::vector<uint32_t> next = lists.first;
    each([&](uint32_t tile, uint32_t t) { lists.triangles[next[tile]++] = t; });
    return lists;
}

Result<TilePlan> plan_tiles(const TriangleMesh& mesh, const NavmeshBuildOptions& options, const NavmeshAreas& areas) {
    auto config = make_build_config(options, areas);
    if (!config) return config.error();
    if (auto error = check_mesh(mesh, *config)) return *std::move(error);
    const auto grid = make_grid(mesh, *config);
    if (!grid) return grid.error();
    if (auto error = check_links(*grid, *config)) return *std::move(error);
    auto lists = list_triangles(mesh, *grid, *config);
    if (!lists) return lists.error();
    return TilePlan{std::move(*config), *grid, std::move(*lists), std::ranges::min(mesh.vertices, {}, &Vec3::y).y};
}

// A power of two.
uint32_t polygons_per_tile(uint32_t tiles) {
    const auto tile_bits = static_cast<uint32_t>(std::bit_width(std::bit_ceil(tiles)) - 1);
    return std::min(1u << (kTileAndPolygonBits - tile_bits), kMaxNavmeshTilePolygons);
}

// If init() fails to allocate, Detour's destructor would read tiles that are null or uninitialised, so the mesh is freed without it.
Result<MeshOwner> make_mesh(const dtNavMeshParams& params) {
    MeshOwner mesh(dtAllocNavMesh(), dtFreeNavMesh);
    const dtStatus status = mesh == nullptr ? DT_FAILURE | DT_OUT_OF_MEMORY : mesh->init(&params);
    if (dtStatusDetail(status, DT_OUT_OF_MEMORY)) {
        if (mesh != nullptr) dtFree(const_cast<dtMeshTile*>(std::as_const(*mesh).getTile(0)));
        dtFree(mesh.release());
        return refuse(ErrorCode::kNoMemory, "out of memory for the mesh");
    }
    if (dtStatusFailed(status)) {
        return refuse(ErrorCode::kBadValue,
                      "Detour rejected the mesh parameters: the maximum numbers of tiles and of polygons in a tile, "
                      "rounded up to powers of two, may have 22 bits together");
    }
    return mesh;
}

Result<MeshOwner> empty_mesh(const TilePlan& plan, uint32_t tiles) {
    dtNavMeshParams params{};
    params.orig[0] = plan.grid.left;
    params.orig[1] = plan.lowest;
    params.orig[2] = plan.grid.near;
    params.tileWidth = params.tileHeight = plan.grid.side;
    params.maxTiles = static_cast<int>(tiles);
    params.maxPolys = static_cast<int>(polygons_per_tile(tiles));
    return make_mesh(params);
}

bool add_tile(dtNavMesh& mesh, TileData& tile) {
    unsigned char* data = tile.data.release();
    if (dtStatusSucceed(mesh.addTile(data, tile.size, DT_TILE_FREE_DATA, 0, nullptr))) return true;
    tile.data.reset(data);
    return false;
}

}  // namespace terrane::detail
