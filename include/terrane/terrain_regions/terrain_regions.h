// Dynamic Terrain Abstraction: a map cut into sectors, each sector into regions of one terrain, and the graph of those
// regions. One serves every profile; an edit repairs the sectors that it touched.
// Based on: Sturtevant, Sigurdson, Taylor, Gibson 2019, "Pathfinding and Abstraction with Dynamic Terrain Costs" (AIIDE).
//
// A region is a 4-connected component of one terrain inside a sector, passable or not: who may enter is the profile's
// business. Its representative is the cell closest to the mean of its cells (to a 256th of a cell; ties: the first by
// rows). Regions of a sector are numbered by their first cells, by rows. Two regions are joined where cells of theirs are
// 8-neighbours: orthogonally, or, where they touch at corners only, diagonally.
//
// A TerrainRegions is one version and never changes; updated() makes the next, which shares every sector that the edit
// left alone. It equals, bit for bit, one built from scratch, by any number of threads.
//
// Time is linear in the cells (sectors are labelled by runs of equal cells, not cell by cell). Memory: a record for each sector, with
// 12 bytes a region, 4 an edge, and log2 of the number of regions, rounded up to a power of two, bits a cell for the labels.
#pragma once
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "terrane/base/memory.h"
#include "terrane/grid/grid.h"

namespace terrane {

// Sector and number in it: sector << shift | number. Numbers of one version mean nothing to another.
using RegionId = uint32_t;
inline constexpr RegionId kNoRegion = 0xffffffff;

inline constexpr uint32_t kMinSector = 4;    // cells a side
inline constexpr uint32_t kMaxSector = 128;  // cells a side
inline constexpr uint32_t kWholeMap = 0;     // a sector size: one sector for all of the map, of at most 2^27 cells

struct RegionOptions {
    uint32_t sector = 16;  // kMinSector..kMaxSector, or kWholeMap
    bool labels = true;    // keep each cell's region: region_of in a step. Without: by breadth-first search
    uint32_t threads = 1;  // to build with; 0: as many as the machine has
};

// A region as it is stored.
struct Region {
    uint16_t x = 0, y = 0;    // of the representative
    uint32_t first_edge = 0;  // in its sector's list
    Terrain terrain = 0;

    Cell representative() const { return {x, y}; }
    friend bool operator==(const Region&, const Region&) = default;
};

// An edge as it is stored with the region that it leaves: the sector of the other (itself, or one of the eight around it),
// the region's number there, and how they touch. Sorted by side and number.
struct RegionEdge {
    uint32_t bits = 0;

    static constexpr uint32_t kHere = 4;  // the side that means the same sector
    static constexpr RegionEdge to(uint32_t side, uint32_t number, bool diagonal_only) {
        return {side << 28 | number << 1 | (diagonal_only ? 1u : 0u)};
    }
    uint32_t side() const { return bits >> 28; }  // (dy + 1) * 3 + dx + 1
    uint32_t number() const { return bits >> 1 & 0x7ffffff; }
    bool diagonal_only() const { return (bits & 1) != 0; }
    friend bool operator==(const RegionEdge&, const RegionEdge&) = default;
};

namespace detail {

// One allocation: this, the regions, the edges, the packed labels. Counted by its owners, which may be on any thread.
struct SectorRecord {
    mutable std::atomic<uint32_t> owners{0};
    uint32_t region_count = 0;
    uint32_t edge_count = 0;
    uint16_t label_bits = 0;  // a cell: 0, 1, 2, 4, 8, 16 or 32
    bool hooked = false;      // its memory came from a Memory, which is written before it
    uint32_t label_words = 0;
    uint32_t width = 0;       // cells
    GridVersion version = 0;  // of the map that this record was made for

    const Region* regions() const { return reinterpret_cast<const Region*>(this + 1); }
    const RegionEdge* edges() const { return reinterpret_cast<const RegionEdge*>(regions() + region_count); }
    const uint32_t* labels() const { return reinterpret_cast<const uint32_t*>(edges() + edge_count); }
    Region* regions() { return reinterpret_cast<Region*>(this + 1); }
    RegionEdge* edges() { return reinterpret_cast<RegionEdge*>(regions() + region_count); }
    uint32_t* labels() { return reinterpret_cast<uint32_t*>(edges() + edge_count); }

    std::span<const RegionEdge> edges_of(uint32_t number) const {
        const uint32_t first = regions()[number].first_edge;
        const uint32_t last = number + 1 < region_count ? regions()[number + 1].first_edge : edge_count;
        return {edges() + first, last - first};
    }
    // The region's number at a cell, given from the sector's corner. Only where there are labels (or one region).
    uint32_t label(uint32_t x, uint32_t y) const {
        if (label_bits == 0) return 0;
        const size_t bit = (size_t{y} * width + x) * label_bits;
        const uint32_t mask = label_bits == 32 ? ~0u : (1u << label_bits) - 1;
        return labels()[bit / 32] >> (bit % 32) & mask;
    }
    size_t bytes() const {
        return sizeof(SectorRecord) + region_count * sizeof(Region) + edge_count * sizeof(RegionEdge) + size_t{label_words} * 4;
    }
};

// Owns a share of a record.
class SectorRef {
public:
    SectorRef() = default;
    explicit SectorRef(const SectorRecord* record) : record_(record) { add(); }
    SectorRef(const SectorRef& other) : record_(other.record_) { add(); }
    SectorRef(SectorRef&& other) noexcept : record_(std::exchange(other.record_, nullptr)) {}
    SectorRef& operator=(SectorRef other) noexcept {
        std::swap(record_, other.record_);
        return *this;
    }
    ~SectorRef() {
        if (record_ != nullptr && record_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(record_);
    }
    const SectorRecord* get() const { return record_; }
    const SectorRecord* operator->() const { return record_; }

private:
    static void destroy(const SectorRecord* record);
    void add() {
        if (record_ != nullptr) record_->owners.fetch_add(1, std::memory_order_relaxed);
    }
    const SectorRecord* record_ = nullptr;
};

inline constexpr uint32_t kSectorPageShift = 6;  // records per directory page: 64
inline constexpr uint32_t kSectorPage = 1u << kSectorPageShift;

struct SectorPage {
    std::array<SectorRef, kSectorPage> sectors;
};

struct RegionRoot {
    GridSnapshot grid;
    uint32_t side = 0;  // cells; as wide as the longer side of the map where there is one sector
    uint32_t sectors_x = 0, sectors_y = 0;
    uint32_t sector = 0;  // as in RegionOptions
    bool labels = true;
    uint32_t shift = 0;  // of RegionId
    uint64_t regions = 0, edges = 0, record_bytes = 0;
    std::array<uint32_t, 33> widths{};  // sectors whose region numbers need so many bits
    Vector<std::shared_ptr<const SectorPage>> pages;

    uint32_t sectors() const { return sectors_x * sectors_y; }
    const SectorRecord& record(uint32_t s) const { return *pages[s >> kSectorPageShift]->sectors[s & (kSectorPage - 1)].get(); }
    Rect rect(uint32_t s) const {
        const auto x = static_cast<int32_t>(s % sectors_x * side), y = static_cast<int32_t>(s / sectors_x * side);
        const auto reach = static_cast<int32_t>(side);
        return {x, y, std::min(x + reach, grid.width()), std::min(y + reach, grid.height())};
    }
};

}  // namespace detail

// What an update did.
struct RepairReport {
    uint32_t cells_moved = 0;       // local changes: a cell went from one region to another, nothing else
    uint32_t sectors_labelled = 0;  // anew
    uint32_t sectors_joined = 0;    // whose edges changed, besides those
    std::vector<uint32_t> sectors;  // every one whose record changed, ascending
};

class TerrainRegions {
public:
    // An empty world: no sectors.
    TerrainRegions();

    // Options within their limits are the caller's contract.
    static TerrainRegions build(const GridSnapshot& grid, const RegionOptions& options = {});

    // For the map after an edit of the map that this was made for; nothing if `edit` began at another version, or is of another grid.
    std::optional<TerrainRegions> updated(const EditResult& edit, RepairReport* report = nullptr) const;

    const GridSnapshot& grid() const { return root_->grid; }
    GridVersion version() const { return root_->grid.version(); }
    uint32_t sector() const { return root_->sector; }  // as in RegionOptions
    bool labels() const { return root_->labels; }
    uint32_t sectors_x() const { return root_->sectors_x; }
    uint32_t sectors_y() const { return root_->sectors_y; }
    uint32_t sectors() const { return root_->sectors(); }
    Rect sector_rect(uint32_t sector) const { return root_->rect(sector); }
    uint32_t sector_at(Cell c) const {
        return static_cast<uint32_t>(c.y) / root_->side * root_->sectors_x + static_cast<uint32_t>(c.x) / root_->side;
    }
    // The version of the map that last changed this sector's regions or edges.
    GridVersion sector_version(uint32_t sector) const { return root_->record(sector).version; }

    uint64_t region_count() const { return root_->regions; }
    uint64_t edge_count() const { return root_->edges; }  // each way counts
    // Every byte that this owns, records shared with other versions included; without the grid's.
    size_t bytes() const;

    // All ids are below this; not all of them are regions.
    RegionId id_limit() const { return root_->sectors() << root_->shift; }
    uint32_t regions_in(uint32_t sector) const { return root_->record(sector).region_count; }
    RegionId id(uint32_t sector, uint32_t number) const { return sector << root_->shift | number; }
    uint32_t sector_of(RegionId id) const { return id >> root_->shift; }
    uint32_t number_of(RegionId id) const { return id & ((1u << root_->shift) - 1); }
    const Region& region(RegionId id) const { return root_->record(sector_of(id)).regions()[number_of(id)]; }

    // kNoRegion for a cell off the map. By label, or without labels by search().
    RegionId region_of(Cell cell) const;
    // The same by breadth-first search of the region for a representative, as the paper offers it. `looked_at`, if given,
    // is set to the number of cells that took.
    RegionId search_region_of(Cell cell, uint64_t* looked_at = nullptr) const;

    // Calls visit(to, diagonal_only) for every edge of a region, by side and number.
    template <class Visit>
    void for_each_edge(RegionId from, Visit&& visit) const {
        const uint32_t sector = sector_of(from);
        for (const RegionEdge e : root_->record(sector).edges_of(number_of(from))) {
            visit(id(neighbour(sector, e.side()), e.number()), e.diagonal_only());
        }
    }
    // The sector on a side (RegionEdge). Only where there is one.
    uint32_t neighbour(uint32_t sector, uint32_t side) const {
        return sector + (side / 3) * root_->sectors_x + side % 3 - root_->sectors_x - 1;
    }

    // The same sectors, regions, edges and labels. Versions do not count.
    friend bool operator==(const TerrainRegions& a, const TerrainRegions& b);

    const detail::RegionRoot& root() const { return *root_; }

private:
    friend class RegionFile;
    explicit TerrainRegions(std::shared_ptr<const detail::RegionRoot> root) : root_(std::move(root)) {}
    std::shared_ptr<const detail::RegionRoot> root_;
};

}  // namespace terrane
