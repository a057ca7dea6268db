// Dynamic Terrain Abstraction: divides a map into sectors, each sector into regions of one terrain, and connects adjacent regions by
// edges. One region graph serves every profile. An edit rebuilds only the sectors that it touches.
// Based on: Sturtevant, Sigurdson, Taylor, Gibson 2019, "Pathfinding and Abstraction with Dynamic Terrain Costs" (AIIDE).
//
// A region is a 4-connected component of cells of one terrain inside a sector, passable or not: the profile decides at query time which
// regions can be entered. Its representative is the cell closest to the mean of its cells (to 1/256 of a cell; ties: the first by rows).
// Regions of a sector are numbered by their first cells, by rows. Two regions are adjacent if a cell of one is an 8-neighbour of a cell
// of the other. The edge is diagonal-only if they touch only at corners.
//
// A TerrainRegions is one immutable version; updated() returns the next version, which shares all sectors that the edit did not
// affect. The result is bit-identical to a build from scratch, with any number of threads.
//
// Time is linear in the number of cells (labelling works on runs of equal cells). Memory: one record per sector, with 12 bytes per
// region, 4 per edge, and log2(regions) bits per cell for the labels, rounded up to a power of two.
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

// sector << shift | number of the region in the sector. An id is valid for one version only.
using RegionId = uint32_t;
inline constexpr RegionId kNoRegion = 0xffffffff;

inline constexpr uint32_t kMinSector = 4;    // cells a side
inline constexpr uint32_t kMaxSector = 128;  // cells a side
inline constexpr uint32_t kWholeMap = 0;     // a sector size: one sector covers the map, which has at most 2^27 cells

struct RegionOptions {
    uint32_t sector = 16;  // kMinSector..kMaxSector, or kWholeMap
    bool labels = true;    // store each cell's region, for region_of() in constant time; without: breadth-first search
    uint32_t threads = 1;  // for the build; 0: one per hardware thread
};

// A region as stored in its sector's record.
struct Region {
    uint16_t x = 0, y = 0;    // of the representative
    uint32_t first_edge = 0;  // index in its sector's edge list
    Terrain terrain = 0;

    Cell representative() const { return {x, y}; }
    friend bool operator==(const Region&, const Region&) = default;
};

// A directed edge, stored with its source region: the side on which the target's sector lies (kHere: the same sector), the target's
// number in that sector, and whether the regions touch only at corners. Sorted by side and number.
struct RegionEdge {
    uint32_t bits = 0;

    static constexpr uint32_t kHere = 4;  // the side of the same sector
    static constexpr RegionEdge to(uint32_t side, uint32_t number, bool diagonal_only) {
        return {side << 28 | number << 1 | (diagonal_only ? 1u : 0u)};
    }
    uint32_t side() const { return bits >> 28; }  // (dy + 1) * 3 + dx + 1
    uint32_t number() const { return bits >> 1 & 0x7ffffff; }
    bool diagonal_only() const { return (bits & 1) != 0; }
    friend bool operator==(const RegionEdge&, const RegionEdge&) = default;
};

namespace detail {

// One allocation: the record, the regions, the edges, the packed labels. Reference-counted; owners may be on any thread.
struct SectorRecord {
    mutable std::atomic<uint32_t> owners{0};
    uint32_t region_count = 0;
    uint32_t edge_count = 0;
    uint16_t label_bits = 0;        // per cell: 0, 1, 2, 4, 8, 16 or 32
    bool custom_allocator = false;  // allocated by a Memory; its address is stored in front of the record
    uint32_t label_words = 0;
    uint32_t width = 0;       // cells
    GridVersion version = 0;  // of the map that the record was built for

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
    // The region number of a cell, relative to the sector's corner. Only if there are labels (or one region).
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

// Shared ownership of a record.
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

struct RegionData {
    GridSnapshot grid;
    uint32_t side = 0;  // of a sector, in cells; the longer side of the map if one sector covers it
    uint32_t sectors_x = 0, sectors_y = 0;
    uint32_t sector = 0;  // as in RegionOptions
    bool labels = true;
    uint32_t shift = 0;  // of RegionId
    uint64_t regions = 0, edges = 0, record_bytes = 0;
    std::array<uint32_t, 33> widths{};  // number of sectors by the bit width of their region numbers
    Vector<std::shared_ptr<const SectorPage>> pages;

    uint32_t sectors() const { return sectors_x * sectors_y; }
    const SectorRecord& record(uint32_t s) const { return *pages[s >> kSectorPageShift]->sectors[s & (kSectorPage - 1)].get(); }
    Rect rect(uint32_t s) const {
        const auto x = static_cast<int32_t>(s % sectors_x * side), y = static_cast<int32_t>(s / sectors_x * side);
        const auto reach = static_cast<int32_t>(side);
        return {{x, y}, {std::min(reach, grid.width() - x), std::min(reach, grid.height() - y)}};
    }
};

}  // namespace detail

// What TerrainRegions::updated() changed.
struct RepairReport {
    uint32_t cells_moved = 0;          // local repairs: a cell moved from one region to another, nothing else changed
    uint32_t sectors_labelled = 0;     // relabelled sectors
    uint32_t sectors_reconnected = 0;  // further sectors whose edges changed
    std::vector<uint32_t> sectors;     // all sectors whose records changed, ascending
};

class TerrainRegions {
public:
    // An empty map without sectors.
    TerrainRegions();

    // `options` must be within their limits (asserted).
    static TerrainRegions build(const GridSnapshot& grid, const RegionOptions& options = {});

    // The regions for the map after `edit`; empty if `edit` starts from another version or belongs to another grid.
    std::optional<TerrainRegions> updated(const EditResult& edit, RepairReport* report = nullptr) const;

    const GridSnapshot& grid() const { return data_->grid; }
    GridVersion version() const { return data_->grid.version(); }
    uint32_t sector() const { return data_->sector; }  // as in RegionOptions
    bool labels() const { return data_->labels; }
    uint32_t sectors_x() const { return data_->sectors_x; }
    uint32_t sectors_y() const { return data_->sectors_y; }
    uint32_t sectors() const { return data_->sectors(); }
    Rect sector_rect(uint32_t sector) const { return data_->rect(sector); }
    uint32_t sector_at(Cell c) const {
        return static_cast<uint32_t>(c.y) / data_->side * data_->sectors_x + static_cast<uint32_t>(c.x) / data_->side;
    }
    // The map version that last changed this sector's regions or edges.
    GridVersion sector_version(uint32_t sector) const { return data_->record(sector).version; }

    uint64_t region_count() const { return data_->regions; }
    uint64_t edge_count() const { return data_->edges; }  // directed edges
    // Counts records shared with other versions in full; without the grid.
    size_t bytes() const;

    // All ids are below this limit; not every id is a region.
    RegionId id_limit() const { return data_->sectors() << data_->shift; }
    uint32_t regions_in(uint32_t sector) const { return data_->record(sector).region_count; }
    RegionId id(uint32_t sector, uint32_t number) const { return sector << data_->shift | number; }
    uint32_t sector_of(RegionId id) const { return id >> data_->shift; }
    uint32_t number_of(RegionId id) const { return id & ((1u << data_->shift) - 1); }
    const Region& region(RegionId id) const { return data_->record(sector_of(id)).regions()[number_of(id)]; }

    // The region of a cell, by its label or, without labels, by search_region_of(); kNoRegion for a cell off the map.
    RegionId region_of(Cell cell) const;
    // The same by breadth-first search for the region's representative, as in the paper. Sets `visited_cells`, if given, to the number
    // of cells visited.
    RegionId search_region_of(Cell cell, uint64_t* visited_cells = nullptr) const;

    // Calls visit(to, diagonal_only) for every edge of a region, ordered by side and number.
    template <class Visit>
    void for_each_edge(RegionId from, Visit&& visit) const {
        const uint32_t sector = sector_of(from);
        for (const RegionEdge e : data_->record(sector).edges_of(number_of(from))) {
            visit(id(neighbour(sector, e.side()), e.number()), e.diagonal_only());
        }
    }
    // The sector on a side (see RegionEdge). Only if there is one.
    uint32_t neighbour(uint32_t sector, uint32_t side) const {
        return sector + (side / 3) * data_->sectors_x + side % 3 - data_->sectors_x - 1;
    }

    // Compares sectors, regions, edges and labels, not versions.
    friend bool operator==(const TerrainRegions& a, const TerrainRegions& b);

    const detail::RegionData& data() const { return *data_; }

private:
    friend class RegionFile;
    explicit TerrainRegions(std::shared_ptr<const detail::RegionData> data) : data_(std::move(data)) {}
    std::shared_ptr<const detail::RegionData> data_;
};

}  // namespace terrane
