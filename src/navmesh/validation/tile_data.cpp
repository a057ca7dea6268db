#include "navmesh/validation/tile_data.h"

#include <algorithm>
#include <climits>
#include <span>
#include <tuple>

#include "navmesh/validation/validate_tile.h"
#include "terrane/navmesh/navmesh_builder.h"

namespace terrane::detail {

namespace {

constexpr float kMinTile = 0.01f;  // metres: Detour visits every tile within the extents of a query

}  // namespace

bool valid_params(const dtNavMeshParams& params) {
    const auto within = [](int count, uint32_t most) { return count >= 1 && static_cast<uint32_t>(count) <= most; };
    return std::ranges::all_of(params.orig, valid_coordinate) && valid_coordinate(params.tileWidth) &&
           valid_coordinate(params.tileHeight) && params.tileWidth >= kMinTile && params.tileHeight >= kMinTile &&
           within(params.maxTiles, kMaxNavmeshTiles) && within(params.maxPolys, kMaxNavmeshTilePolygons);
}

Result<TileData> copy_valid_tile(std::string_view bytes, const dtNavMeshParams& params) {
    if (bytes.size() > INT_MAX) return Error{ErrorCode::kTooLarge, {}, 0, "the data of a tile has 2 GiB or more"};
    TileData tile;
    tile.data.reset(static_cast<unsigned char*>(dtAlloc(bytes.size() + 1, DT_ALLOC_PERM)));
    if (tile.data == nullptr) return Error{ErrorCode::kNoMemory, {}, 0, "out of memory for a tile"};
    std::ranges::copy(bytes, tile.data.get());
    tile.size = static_cast<int>(bytes.size());
    const std::span<unsigned char> data(tile.data.get(), bytes.size());
    if (const std::string reason = validate_tile(data, params); !reason.empty())
        return Error{ErrorCode::kBadValue, {}, 0, "a tile: " + reason};
    reset_links(data);
    tile.polygons = static_cast<uint32_t>(header_of(tile).polyCount);
    return tile;
}

std::vector<const dtMeshTile*> tiles_in_order(const dtNavMesh& mesh) {
    std::vector<const dtMeshTile*> tiles;
    for (int i = 0; i < mesh.getMaxTiles(); ++i) {
        if (mesh.getTile(i)->header != nullptr) tiles.push_back(mesh.getTile(i));
    }
    std::ranges::sort(tiles, {}, [](const dtMeshTile* tile) { return std::tuple(tile->header->y, tile->header->x, tile->header->layer); });
    return tiles;
}

void append_tile_data(std::string& out, const dtMeshTile& tile) {
    const auto size = static_cast<size_t>(tile.dataSize);
    std::vector<unsigned char> data(tile.data, tile.data + size);
    reset_links(data);
    out.append(reinterpret_cast<const char*>(data.data()), size);
}

}  // namespace terrane::detail
