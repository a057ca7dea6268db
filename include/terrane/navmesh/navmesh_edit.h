// Changes a navigation mesh together with its abstraction: adds and removes tiles of untrusted Detour data, sets areas and flags.
//
//   Navmesh navmesh = make_navmesh({.tile_width = 32, .tile_height = 32, .max_tiles = 256, .max_polygons = 1024}).value();
//   NavmeshAbstraction regions(navmesh.mesh());
//   const NavmeshTilePlace place = add_navmesh_tile(navmesh, regions, bytes).value();
//
// `regions` must be an abstraction of `navmesh` and current. If an allocation fails, the functions throw std::bad_alloc and leave both
// unchanged. Do not use them on the mesh of NavmeshObstacles, which rebuilds its tiles itself, except for set_navmesh_polygons().
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/navmesh/navmesh.h"
#include "terrane/navmesh/navmesh_abstraction.h"

namespace terrane {

// The parameters of dtNavMesh.
struct NavmeshParams {
    Vec3 origin;
    float tile_width = 0;       // along x, in metres; at least 0.01
    float tile_height = 0;      // along z
    uint32_t max_tiles = 0;     // 1 to 65536
    uint32_t max_polygons = 0;  // in a tile; 1 to 32768
};

NavmeshParams navmesh_params(const Navmesh& navmesh);

// Creates a mesh without tiles. Fails if a parameter is out of range, or if Detour cannot address that many tiles and polygons: each is
// rounded up to a power of two, and their product is at most 2^22.
Result<Navmesh> make_navmesh(const NavmeshParams& params, Catalogue areas = Catalogue::standard());

struct NavmeshTilePlace {
    int32_t x = 0, y = 0, layer = 0;

    friend bool operator==(const NavmeshTilePlace&, const NavmeshTilePlace&) = default;
};

struct NavmeshTileInfo {
    NavmeshTilePlace place;
    size_t bytes = 0;
};

// Returns the tiles of a mesh, sorted by y, x and layer.
std::vector<NavmeshTileInfo> navmesh_tiles(const Navmesh& navmesh);

// Returns the data of a tile for add_navmesh_tile() or dtNavMesh::addTile, with its present areas and flags; empty if there is no such
// tile.
std::string format_navmesh_tile(const Navmesh& navmesh, NavmeshTilePlace place);

// Adds a copy of Detour's tile data, after validating every count and index. Fails if the data is invalid, if there already is a tile at
// its location, or if all tile slots are in use.
Result<NavmeshTilePlace> add_navmesh_tile(Navmesh& navmesh, NavmeshAbstraction& regions, std::string_view data);

// Returns false if there is no such tile.
bool remove_navmesh_tile(Navmesh& navmesh, NavmeshAbstraction& regions, NavmeshTilePlace place);

// What to change; nullopt leaves it as it is.
struct NavmeshPolygonChange {
    std::optional<uint8_t> area;  // below kMaxNavmeshAreas
    std::optional<uint16_t> flags;
};

// Changes all polygons and off-mesh connections that touch a box, and returns their number. A polygon touches it if their projections to
// the xz plane intersect and the ranges of their heights overlap. O(polygons), plus the update of the tiles that have changed.
uint32_t set_navmesh_polygons(Navmesh& navmesh, NavmeshAbstraction& regions, const NavmeshBounds& box, const NavmeshPolygonChange& change);

}  // namespace terrane
