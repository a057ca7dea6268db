#include "terrane/navmesh/navmesh_edit.h"

#include <recastnavigation/DetourNavMesh.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

#include "base/catch_bad_alloc.h"
#include "navmesh/abstraction/mesh_view.h"
#include "navmesh/building/tile_grid.h"
#include "navmesh/validation/tile_data.h"
#include "terrane/base/assert.h"
#include "terrane/base/memory.h"

namespace terrane {

namespace {

NavmeshTilePlace place_of(const dtMeshHeader& header) { return {header.x, header.y, header.layer}; }

std::string text_of(NavmeshTilePlace place) {
    return std::to_string(place.x) + "," + std::to_string(place.y) + ", layer " + std::to_string(place.layer);
}

// ---- polygons in a box

struct Interval {
    double low, high;

    bool overlaps(const Interval& other) const { return low <= other.high && other.low <= high; }
};

// The projection of points to an axis.
template <class Project>
Interval interval_of(std::span<const MeshPoint> points, Project&& project) {
    Interval all{project(points[0]), project(points[0])};
    for (const MeshPoint& p : points) all = {std::min(all.low, project(p)), std::max(all.high, project(p))};
    return all;
}

// Tries the axes that may separate two convex outlines in the xz plane: the normals of the sides of both.
bool touches(std::span<const MeshPoint> polygon, const NavmeshBounds& box) {
    const MeshPoint low = to_mesh_point(box.low), high = to_mesh_point(box.high);
    const std::array<MeshPoint, 4> corners = {low, {low.x, low.y, high.z}, high, {high.x, high.y, low.z}};
    const auto overlap = [&](auto&& project) { return interval_of(polygon, project).overlaps(interval_of(corners, project)); };
    if (!overlap([](const MeshPoint& p) { return p.x; }) || !overlap([](const MeshPoint& p) { return p.y; }) ||
        !overlap([](const MeshPoint& p) { return p.z; }))
        return false;
    for (size_t i = 0; i < polygon.size(); ++i) {
        const MeshPoint &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        if (!overlap([&](const MeshPoint& p) { return (b.z - a.z) * (p.x - a.x) - (b.x - a.x) * (p.z - a.z); })) return false;
    }
    return true;
}

// A polygon with its area and flags.
struct Attributes {
    dtPolyRef polygon;
    uint8_t area;
    uint16_t flags;

    friend bool operator==(const Attributes&, const Attributes&) = default;
};

std::vector<Attributes> polygons_in(const dtNavMesh& mesh, const NavmeshBounds& box) {
    const MeshView view(mesh);
    std::vector<Attributes> found;
    std::vector<MeshPoint> corners;
    for (uint32_t slot = 0; slot < static_cast<uint32_t>(mesh.getMaxTiles()); ++slot) {
        const dtMeshTile& tile = view.tile(slot);
        const auto count = static_cast<uint32_t>(tile.header == nullptr ? 0 : tile.header->polyCount);
        for (uint32_t i = 0; i < count; ++i) {
            const dtPoly& polygon = tile.polys[i];
            corners.clear();
            for (uint32_t v = 0; v < polygon.vertCount; ++v) corners.push_back(view.vertex(view.number(slot, i), v));
            if (touches(corners, box)) found.push_back({mesh.encodePolyId(tile.salt, slot, i), polygon.getArea(), polygon.flags});
        }
    }
    return found;
}

void set_attributes(dtNavMesh& mesh, std::span<const Attributes> changes) {
    for (const Attributes& change : changes) {
        mesh.setPolyArea(change.polygon, change.area);
        mesh.setPolyFlags(change.polygon, change.flags);
    }
}

// Returns a ref of each tile with one of the polygons, which are sorted by tile.
std::vector<NavmeshTileRef> tiles_of(const dtNavMesh& mesh, std::span<const Attributes> polygons) {
    std::vector<NavmeshTileRef> tiles;
    for (const Attributes& p : polygons) {
        if (tiles.empty() || mesh.decodePolyIdTile(tiles.back()) != mesh.decodePolyIdTile(p.polygon)) tiles.push_back(p.polygon);
    }
    return tiles;
}

}  // namespace

NavmeshParams navmesh_params(const Navmesh& navmesh) {
    const dtNavMeshParams& p = *navmesh.mesh().getParams();
    return {
        {p.orig[0], p.orig[1], p.orig[2]}, p.tileWidth, p.tileHeight, static_cast<uint32_t>(p.maxTiles), static_cast<uint32_t>(p.maxPolys)};
}

Result<Navmesh> make_navmesh(const NavmeshParams& params, Catalogue areas) {
    dtNavMeshParams p{};
    p.orig[0] = params.origin.x;
    p.orig[1] = params.origin.y;
    p.orig[2] = params.origin.z;
    p.tileWidth = params.tile_width;
    p.tileHeight = params.tile_height;
    p.maxTiles = static_cast<int>(params.max_tiles);
    p.maxPolys = static_cast<int>(params.max_polygons);
    if (!detail::valid_params(p)) {
        return Error{ErrorCode::kBadValue,
                     {},
                     0,
                     "invalid mesh parameters: expected a finite origin, tiles of at least 0.01 metres, 1 to 65536 tiles, and 1 to 32768 "
                     "polygons in a tile"};
    }
    auto mesh = detail::make_mesh(p);
    if (!mesh) return mesh.error();
    return Navmesh(mesh->release(), std::move(areas));
}

std::vector<NavmeshTileInfo> navmesh_tiles(const Navmesh& navmesh) {
    std::vector<NavmeshTileInfo> tiles;
    for (const dtMeshTile* tile : detail::tiles_in_order(navmesh.mesh())) {
        tiles.push_back({place_of(*tile->header), static_cast<size_t>(tile->dataSize)});
    }
    return tiles;
}

std::string format_navmesh_tile(const Navmesh& navmesh, NavmeshTilePlace place) {
    std::string data;
    if (const dtMeshTile* tile = navmesh.mesh().getTileAt(place.x, place.y, place.layer)) detail::append_tile_data(data, *tile);
    return data;
}

Result<NavmeshTilePlace> add_navmesh_tile(Navmesh& navmesh, NavmeshAbstraction& regions, std::string_view data) {
    dtNavMesh& mesh = navmesh.mesh();
    auto tile = detail::copy_valid_tile(data, *mesh.getParams());
    if (!tile) return tile.error();
    const NavmeshTilePlace place = place_of(detail::header_of(*tile));
    if (mesh.getTileAt(place.x, place.y, place.layer) != nullptr)
        return Error{ErrorCode::kBadValue, {}, 0, "there already is a tile at " + text_of(place) + ": remove it first"};
    if (!detail::add_tile(mesh, *tile))
        return Error{ErrorCode::kTooLarge, {}, 0, "the mesh has no free tile slot: it was created for fewer tiles"};
    const dtTileRef ref = mesh.getTileRefAt(place.x, place.y, place.layer);
    const auto tell = [&] { static_cast<void>(regions.tile_changed(ref)); };
    detail::catch_bad_alloc(tell, [&] {
        mesh.removeTile(ref, nullptr, nullptr);
        detail::throw_bad_alloc();
    });
    return place;
}

bool remove_navmesh_tile(Navmesh& navmesh, NavmeshAbstraction& regions, NavmeshTilePlace place) {
    dtNavMesh& mesh = navmesh.mesh();
    const dtTileRef ref = mesh.getTileRefAt(place.x, place.y, place.layer);
    if (ref == 0) return false;
    const_cast<dtMeshTile*>(mesh.getTileByRef(ref))->flags &= ~DT_TILE_FREE_DATA;  // so that Detour returns the data
    detail::TileData tile;
    unsigned char* released = nullptr;
    mesh.removeTile(ref, &released, &tile.size);
    tile.data.reset(released);
    const auto tell = [&] { static_cast<void>(regions.tile_changed(ref)); };
    detail::catch_bad_alloc(tell, [&] {
        // With the same ref and the same data, the abstraction is current again.
        mesh.addTile(tile.data.release(), tile.size, DT_TILE_FREE_DATA, ref, nullptr);
        detail::throw_bad_alloc();
    });
    return true;
}

uint32_t set_navmesh_polygons(Navmesh& navmesh, NavmeshAbstraction& regions, const NavmeshBounds& box, const NavmeshPolygonChange& change) {
    TERRANE_ASSERT(!change.area || *change.area < kMaxNavmeshAreas);
    dtNavMesh& mesh = navmesh.mesh();
    std::vector<Attributes> old = polygons_in(mesh, box);
    const auto count = static_cast<uint32_t>(old.size());
    const auto changed = [&](const Attributes& a) -> Attributes {
        return {a.polygon, change.area.value_or(a.area), change.flags.value_or(a.flags)};
    };
    std::erase_if(old, [&](const Attributes& a) { return changed(a) == a; });
    std::vector<Attributes> fresh;
    fresh.reserve(old.size());
    std::ranges::transform(old, std::back_inserter(fresh), changed);
    const std::vector<NavmeshTileRef> tiles = tiles_of(mesh, old);
    std::optional<NavmeshAbstraction> before;  // tile_changed() alone is all or nothing
    if (tiles.size() > 1) before = regions;
    set_attributes(mesh, fresh);
    const auto tell = [&] {
        for (const NavmeshTileRef tile : tiles) regions.tile_changed(tile);
    };
    detail::catch_bad_alloc(tell, [&] {
        set_attributes(mesh, old);
        if (before) regions = *std::move(before);
        detail::throw_bad_alloc();
    });
    return count;
}

}  // namespace terrane
