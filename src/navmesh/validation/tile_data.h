// Tile data on its way into a mesh and out of it.
#pragma once
#include <recastnavigation/DetourNavMesh.h>

#include <string>
#include <string_view>
#include <vector>

#include "navmesh/building/tile_builder.h"
#include "terrane/base/result.h"

namespace terrane::detail {

// Returns whether untrusted parameters are finite and in range. Detour may still reject them.
bool valid_params(const dtNavMeshParams& params);

// Copies untrusted tile data into Detour's memory. Fails if a mesh with these parameters must not add it.
Result<TileData> copy_valid_tile(std::string_view bytes, const dtNavMeshParams& params);

inline const dtMeshHeader& header_of(const TileData& tile) { return *reinterpret_cast<const dtMeshHeader*>(tile.data.get()); }

// Returns the tiles of a mesh, sorted by y, x and layer.
std::vector<const dtMeshTile*> tiles_in_order(const dtNavMesh& mesh);

// Appends the data of a tile without what addTile wrote into it.
void append_tile_data(std::string& out, const dtMeshTile& tile);

}  // namespace terrane::detail
