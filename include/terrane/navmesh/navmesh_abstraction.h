// Regions over a Detour navigation mesh: Dynamic Terrain Abstraction where the map is polygons instead of cells.
// Based on: Sturtevant, Sigurdson, Taylor, Gibson 2019, "Pathfinding and Abstraction with Dynamic Terrain Costs" (AIIDE), section 5.3.
//
// The mesh's tiles, each layer its own, are the sectors. A region is a set of polygons of one tile with the same area and the same flags
// that are linked to one another, both ways; who may enter is the filter's business, so that one abstraction serves all. Its position is
// the mean of its polygons' centres. An off-mesh connection is a region by itself. Regions are numbered by their first polygons.
//
// An edge leads from a region to another where a polygon of the one has a link to a polygon of the other, in the same tile, in a tile
// beside it or in another layer: one edge for each stretch of their border (portals no farther apart than a hundredth of a tile's width are
// one stretch). Off-mesh connections are entered and left where Detour lets them be: one way or both.
//
// Polygons with corners that are no finite numbers belong to no region: nobody walks there.
//
// Memory: 32 bytes a region and an edge each, 4 a polygon, and 116 a tile that the mesh has room for.
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

// A dtPolyRef and a dtTileRef, of 32 bits.
using NavmeshPolygon = uint32_t;
using NavmeshTileRef = uint32_t;

// The tile's place in the mesh, shifted, and the region's number in it. Means nothing after the tile has changed.
using NavmeshRegionId = uint32_t;
inline constexpr NavmeshRegionId kNoNavmeshRegion = 0xffffffff;

struct NavmeshRegion {
    Vec3 position;            // the mean of its polygons' centres; of an off-mesh connection: of its ends
    uint32_t polygon = 0;     // number in the tile of the polygon whose centre is nearest to that; ties: the first
    uint32_t polygons = 0;    // how many it has
    uint32_t first_edge = 0;  // in its tile's list
    uint16_t flags = 0;
    uint8_t area = 0;
    bool off_mesh = false;

    friend bool operator==(const NavmeshRegion&, const NavmeshRegion&) = default;
};

// A stretch of the border to another region, from end to end (the ends of its bounding box's longer side, where it is not straight). One
// point for an off-mesh connection.
struct NavmeshEdge {
    NavmeshRegionId to = kNoNavmeshRegion;
    Vec3 a, b;
    uint16_t flags = 0;  // of the region that it leads to
    uint8_t area = 0;

    friend bool operator==(const NavmeshEdge&, const NavmeshEdge&) = default;
};

namespace detail {

// What is known of the tile in one of the mesh's places.
struct NavmeshTile {
    const void* header = nullptr;  // null: no tile. With what follows, tells whether the tile is still the same
    uint32_t salt = 0;
    int32_t data_size = 0;
    uint32_t links = 0;  // that it has room for
    int32_t x = 0, y = 0, layer = 0;
    std::vector<NavmeshRegion> regions;
    std::vector<NavmeshEdge> edges;       // by region, then by `to`
    std::vector<NavmeshRegionId> labels;  // the region of each polygon

    std::span<const NavmeshEdge> edges_of(uint32_t number) const {
        const size_t first = regions[number].first_edge;
        const size_t last = number + 1 < regions.size() ? regions[number + 1].first_edge : edges.size();
        return {edges.data() + first, last - first};
    }
    friend bool operator==(const NavmeshTile&, const NavmeshTile&) = default;
};

}  // namespace detail

// Any number of threads may read it; none may while tile_changed() runs, and none while the mesh is changed.
class NavmeshAbstraction {
public:
    // `mesh` has been initialised, and must outlive the abstraction, which owns nothing of it.
    explicit NavmeshAbstraction(const dtNavMesh& mesh);

    // To be called after a tile was added, removed or replaced, or after polygons of it were given other areas or flags: discards
    // its regions, makes them anew, and joins them with the tiles around. Any ref that the tile has or had will do, or its place. Several
    // changes may be told of in any order once all are made; until then is_current() is false. False, and nothing done, where no tile
    // is or was. Where memory runs out, std::bad_alloc, and nothing done, too: to be called again.
    bool tile_changed(NavmeshTileRef tile);
    bool tile_changed(int32_t x, int32_t y, int32_t layer);

    // Whether every tile of the mesh is the one that tile_changed() was last called for, by its salt, the address and the size of its
    // data. Detour does not tell when areas or flags are set; the planner notices where its path meets such polygons. O(tiles).
    bool is_current() const;
    // Goes up with each change told of.
    uint64_t version() const { return version_; }

    const dtNavMesh& mesh() const { return *mesh_; }
    uint32_t tile_count() const { return tile_count_; }
    uint64_t region_count() const { return region_count_; }
    uint64_t edge_count() const { return edge_count_; }        // each way counts
    uint64_t polygon_count() const { return polygon_count_; }  // off-mesh connections included
    size_t bytes() const;
    // How many regions have an area, 0 to 63.
    uint32_t regions_with_area(uint32_t area) const { return areas_[area]; }

    // Places for tiles; all may be empty. Numbers of tiles are below.
    uint32_t slots() const { return static_cast<uint32_t>(tiles_.size()); }
    std::span<const NavmeshRegion> regions_in(uint32_t slot) const { return tiles_[slot].regions; }
    NavmeshRegionId id(uint32_t slot, uint32_t number) const { return slot << shift_ | number; }
    uint32_t slot_of(NavmeshRegionId id) const { return id >> shift_; }
    uint32_t number_of(NavmeshRegionId id) const { return id & ((1u << shift_) - 1); }
    NavmeshRegionId id_limit() const { return slots() << shift_; }
    // Regions one after the other, from 0 to region_count(), which is that of id_limit(). Other numbers after any change.
    uint32_t rank(NavmeshRegionId id) const { return ranks_[slot_of(id)] + number_of(id); }
    const NavmeshRegion& region(NavmeshRegionId id) const { return tiles_[slot_of(id)].regions[number_of(id)]; }
    std::span<const NavmeshEdge> edges_of(NavmeshRegionId id) const { return tiles_[slot_of(id)].edges_of(number_of(id)); }
    // The polygon of a region that is nearest to its position.
    NavmeshPolygon polygon_of(NavmeshRegionId id) const;
    // kNoNavmeshRegion for a polygon that the abstraction does not know, one of a tile that is gone among them.
    NavmeshRegionId region_of(NavmeshPolygon polygon) const;

    // The most links that any one tile has room for.
    uint32_t links_in_fullest_tile() const { return most_links_; }
    const detail::NavmeshTile& tile(uint32_t slot) const { return tiles_[slot]; }

    // The same mesh, tiles, regions and edges. Versions do not count.
    friend bool operator==(const NavmeshAbstraction& a, const NavmeshAbstraction& b);

private:
    using Joined = std::vector<std::pair<uint32_t, detail::NavmeshTile>>;  // places, and what is to be there

    detail::NavmeshTile with_regions(uint32_t slot) const;
    detail::NavmeshTile with_edges(uint32_t slot) const;
    void join_around(int32_t x, int32_t y, Joined& joined) const;
    void count();
    void change(uint32_t slot);

    const dtNavMesh* mesh_;
    std::vector<detail::NavmeshTile> tiles_;
    std::vector<uint32_t> ranks_;  // of each tile's first region; then how many there are
    uint32_t shift_ = 0;           // bits of a polygon's number in a ref; regions are no more than polygons
    uint64_t version_ = 0;

    uint32_t tile_count_ = 0, most_links_ = 0;
    uint64_t region_count_ = 0, edge_count_ = 0, polygon_count_ = 0;
    std::array<uint32_t, 64> areas_{};
};

}  // namespace terrane
