// Dynamic Terrain Abstraction over a Detour navigation mesh: regions of polygons instead of cells.
// Based on: Sturtevant, Sigurdson, Taylor, Gibson 2019, "Pathfinding and Abstraction with Dynamic Terrain Costs" (AIIDE), section 5.3.
//
// Sectors are the tiles of the mesh, one per layer. A region is a connected component of polygons of one tile that have the same area and
// flags and are linked in both directions. Regions do not depend on a filter, so one abstraction serves all agents. The position of a
// region is the mean of its polygon centres. An off-mesh connection is a region of its own. Region ids follow the order of their first
// polygons.
//
// An edge leads from region A to region B if a polygon of A links to a polygon of B in the same tile, an adjacent tile or another layer.
// Portals between A and B that are at most 1/100 of the tile width apart form one edge. Edges of off-mesh connections follow Detour's
// direction: one-way or bidirectional.
//
// Polygons with non-finite vertices belong to no region and are impassable.
//
// Memory: 32 bytes per region and per edge, 4 per polygon, 116 per tile slot of the mesh.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "terrane/base/vec3.h"

class dtNavMesh;  // NOLINT(readability-identifier-naming): Detour's

namespace terrane {

// A dtPolyRef and a dtTileRef of 32 bits.
using NavmeshPolygon = uint32_t;
using NavmeshTileRef = uint32_t;

// Tile slot in the high bits, index of the region in its tile in the low bits. Invalid after the tile has changed.
using NavmeshRegionId = uint32_t;
inline constexpr NavmeshRegionId kNoNavmeshRegion = 0xffffffff;

struct NavmeshRegion {
    Vec3 position;            // mean of the polygon centres; of an off-mesh connection: mean of its ends
    uint32_t polygon = 0;     // index in the tile of the polygon whose centre is nearest to `position`; ties: the lowest index
    uint32_t polygons = 0;    // number of polygons
    uint32_t first_edge = 0;  // index in the tile's edge list
    uint16_t flags = 0;
    uint8_t area = 0;
    bool off_mesh = false;

    friend bool operator==(const NavmeshRegion&, const NavmeshRegion&) = default;
};

// A portal to another region, from `a` to `b`. If its polygon portals are not collinear, `a` and `b` are its extreme points along the
// longer side of its bounding box. For an off-mesh connection, a == b.
struct NavmeshEdge {
    NavmeshRegionId to = kNoNavmeshRegion;
    Vec3 a, b;
    uint16_t flags = 0;  // flags and area of the target region
    uint8_t area = 0;

    friend bool operator==(const NavmeshEdge&, const NavmeshEdge&) = default;
};

namespace detail {

// The regions and edges of the tile in one slot of the mesh.
struct NavmeshTile {
    const void* header = nullptr;  // null: empty slot. Header, salt and size identify the tile
    uint32_t salt = 0;
    int32_t data_size = 0;
    uint32_t links = 0;  // link capacity
    int32_t x = 0, y = 0, layer = 0;
    std::vector<NavmeshRegion> regions;
    std::vector<NavmeshEdge> edges;       // sorted by region, then by `to`
    std::vector<NavmeshRegionId> labels;  // region of each polygon

    std::span<const NavmeshEdge> edges_of(uint32_t number) const {
        const size_t first = regions[number].first_edge;
        const size_t last = number + 1 < regions.size() ? regions[number + 1].first_edge : edges.size();
        return {edges.data() + first, last - first};
    }
    friend bool operator==(const NavmeshTile&, const NavmeshTile&) = default;
};

}  // namespace detail

// Thread-safe for concurrent readers; no thread may read while tile_changed() runs or the mesh is modified.
class NavmeshAbstraction {
public:
    // `mesh` must be initialised and must outlive the abstraction, which does not own it.
    explicit NavmeshAbstraction(const dtNavMesh& mesh);

    // Rebuilds the regions of a tile and its edges to the adjacent tiles. Call it after you add, remove or replace a tile, or change areas
    // or flags of its polygons. Any past or present ref of the tile works, as does its location. You may report several changes in any
    // order after making all of them; is_current() is false until then. Returns false if no tile is or was there. Throws std::bad_alloc and
    // leaves the abstraction unchanged if an allocation fails; call it again.
    bool tile_changed(NavmeshTileRef tile);
    bool tile_changed(int32_t x, int32_t y, int32_t layer);

    // Returns whether every tile of the mesh is the one that tile_changed() last saw, by salt, data address and data size. Detour does not
    // report changes of areas and flags; the planner detects them when its search reads such polygons. O(tiles).
    bool is_current() const;
    // Increases with every reported change.
    uint64_t version() const { return version_; }

    const dtNavMesh& mesh() const { return *mesh_; }
    uint32_t tile_count() const { return tile_count_; }
    uint64_t region_count() const { return region_count_; }
    uint64_t edge_count() const { return edge_count_; }        // directed
    uint64_t polygon_count() const { return polygon_count_; }  // with off-mesh connections
    size_t bytes() const;
    // Returns the number of regions with this area (0 to 63).
    uint32_t regions_with_area(uint32_t area) const { return areas_[area]; }

    // Number of tile slots of the mesh; slots may be empty.
    uint32_t slots() const { return static_cast<uint32_t>(tiles_.size()); }
    std::span<const NavmeshRegion> regions_in(uint32_t slot) const { return tiles_[slot].regions; }
    NavmeshRegionId id(uint32_t slot, uint32_t number) const { return slot << shift_ | number; }
    uint32_t slot_of(NavmeshRegionId id) const { return id >> shift_; }
    uint32_t number_of(NavmeshRegionId id) const { return id & ((1u << shift_) - 1); }
    NavmeshRegionId id_limit() const { return slots() << shift_; }
    // Dense index of a region, below region_count(); id_limit() has the rank region_count(). Ranks change with every update.
    uint32_t rank(NavmeshRegionId id) const { return ranks_[slot_of(id)] + number_of(id); }
    const NavmeshRegion& region(NavmeshRegionId id) const { return tiles_[slot_of(id)].regions[number_of(id)]; }
    std::span<const NavmeshEdge> edges_of(NavmeshRegionId id) const { return tiles_[slot_of(id)].edges_of(number_of(id)); }
    // Returns the polygon whose centre is nearest to the region's position.
    NavmeshPolygon polygon_of(NavmeshRegionId id) const;
    // Returns kNoNavmeshRegion for polygons that the abstraction does not know, for example those of a removed tile.
    NavmeshRegionId region_of(NavmeshPolygon polygon) const;

    // Returns the largest link capacity of any tile.
    uint32_t max_links_per_tile() const { return max_links_; }
    const detail::NavmeshTile& tile(uint32_t slot) const { return tiles_[slot]; }

    // Compares mesh, tiles, regions and edges; ignores versions.
    friend bool operator==(const NavmeshAbstraction& a, const NavmeshAbstraction& b);

private:
    using ChangedTiles = std::vector<std::pair<uint32_t, detail::NavmeshTile>>;  // slot and new content

    detail::NavmeshTile build_regions(uint32_t slot) const;
    detail::NavmeshTile build_edges(uint32_t slot) const;
    void relink_around(int32_t x, int32_t y, ChangedTiles& changed) const;
    void count();
    void update_slot(uint32_t slot);

    const dtNavMesh* mesh_;
    std::vector<detail::NavmeshTile> tiles_;
    std::vector<uint32_t> ranks_;  // rank of each slot's first region, then region_count()
    uint32_t shift_ = 0;           // bits of a polygon index in a ref; a tile has at most as many regions as polygons
    uint64_t version_ = 0;

    uint32_t tile_count_ = 0, max_links_ = 0;
    uint64_t region_count_ = 0, edge_count_ = 0, polygon_count_ = 0;
    std::array<uint32_t, 64> areas_{};
};

}  // namespace terrane
