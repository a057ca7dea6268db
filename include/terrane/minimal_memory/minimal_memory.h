// Minimal-memory abstraction: a map cut into sectors, each sector into the regions that hang together, and the graph of those regions, kept
// and searched in a few bytes a sector. For one set of passable terrains; what they cost is left to refinement.
// Based on: Sturtevant 2007, "Memory-Efficient Abstractions for Pathfinding" (AIIDE), and the slides "Abstraction in Pathfinding", 5 to 50.
//
// A region is what steps over passable cells join inside a sector: orthogonal steps, or, where corners may be cut, diagonal ones too.
// Regions of a sector are numbered by their first cells, by rows. Two regions of neighbouring sectors are joined where a legal step leads
// from one to the other; across a corner, where a legal diagonal step does (kFour, which has none, walks around that corner). So two joined
// regions are joined inside the rectangle of their two sectors, and a path of regions exists if and only if one of cells does.
//
// How it is kept. A sector has a record of 32 bits: how many regions, and where their data are. A region has 8 bits for its centre (16 in
// sectors above 16x16), 8 for the number of its edges, and 8 for each edge: 3 for the direction, 5 for the number of the region there.
// Sectors that are as most are (one region, centred, joined to region 0 of all eight neighbours) need no data at all. A sector that does
// not fit (more than 253 regions, a region with more than 255 edges, an edge to a region above 31) takes 16 bits for each of these. Options
// make records of 16 bits (more than 13 regions do not fit those) and keep an edge once instead of at both its ends. All of them hold the
// same graph in the same order, and answers do not depend on them.
//
// A MinimalMemory is one version and never changes; updated() makes the next, which shares all pages of 64 sectors that the edit left
// alone. It equals, byte for byte, one built from scratch, by any number of threads.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "terrane/base/memory.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/ground.h"
#include "terrane/terrain_regions/reachability.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

// What a cell would be worth as the centre of its region: the least wins (ties: the cell nearest the mean, then the first by rows).
// `neighbours` are cells of the regions that it is joined to, each the one nearest its region's mean. May depend on these and on the cells
// of the nine sectors around, and on nothing else, or a repair would not be what a build is. Called by several threads where a build has
// them.
using CentreCost = std::function<uint64_t(const GridSnapshot& grid, Cell candidate, std::span<const Cell> neighbours)>;

struct MinimalMemoryOptions {
    uint32_t sector = 16;       // cells a side: kMinSector..kMaxSector
    uint32_t record_bits = 32;  // of a sector's record: 32 or 16
    bool skip_defaults = true;  // default sectors have no data
    bool edges_once = false;    // with the first of their two sectors; searches then look for the others there. Half the bytes of edges
    bool labels = false;        // keep each cell's region where a sector has several: region_of in a step. Without: by breadth-first search
    bool optimise_centres = false;  // else a centre is the cell nearest the mean (to a 256th of a cell; ties: the first by rows)
    CentreCost centre_cost = {};    // to optimise; none: see below
    uint32_t threads = 1;           // to build with; 0: as many as the machine has
};

// Optimised centres. The cost of a cell is the most expansions that A* takes from there to a neighbouring region, in the rectangle of the
// two sectors, all terrain at the same cost. The neighbours' ends are at their mean centres, not at the optimised ones: so a centre depends
// on the nine sectors around it, and a repair goes no further than that.

// Bytes by what they are for.
struct MinimalMemoryBytes {
    size_t sectors = 0;  // records, and counts that do not fit those
    size_t centres = 0;
    size_t edges = 0;  // their numbers and themselves
    size_t labels = 0;
    size_t directory = 0;  // pages: pointers, sizes, what the allocator's owners count

    size_t encoded() const { return sectors + centres + edges; }  // what the slides count
    size_t total() const { return encoded() + labels + directory; }
};

// What an update did.
struct MinimalMemoryRepair {
    uint32_t sectors = 0;  // made anew: those whose passable cells changed, and their neighbours
    uint32_t pages = 0;
};

namespace detail {

inline constexpr uint32_t kMmPageShift = 6;  // sectors per page: 64
inline constexpr uint32_t kMmPage = 1u << kMmPageShift;

// Bytes: the page's size (4), a record's (1), how many sectors (1), 2 unused; then the records; then the sectors' data, in their order. A
// record tells where those are, from the page's beginning.
using MmPage = std::shared_ptr<const uint8_t[]>;
inline constexpr uint32_t kMmHeader = 8;

// In a record: a number of regions, or one of these.
inline constexpr uint32_t kMmDefault = 254;
inline constexpr uint32_t kMmWide = 255;

// Directions by rows, north-west to south-east: the opposite of d is 7 - d, and those below 4 lead to sectors with smaller numbers.
inline constexpr uint32_t kMmDirections = 8;
inline constexpr std::array<Cell, kMmDirections> kMmSteps = {{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

struct MmEdge {
    uint32_t direction = 0;
    uint32_t number = 0;  // of the region there
    friend bool operator==(const MmEdge&, const MmEdge&) = default;
};

// 1 or 2 bytes, the lower one first.
inline uint32_t mm_read(const uint8_t* p, uint32_t bytes) { return bytes == 1 ? p[0] : p[0] | static_cast<uint32_t>(p[1]) << 8; }

inline uint32_t mm_read32(const uint8_t* p) { return mm_read(p, 2) | mm_read(p + 2, 2) << 16; }

// Where the data of a sector are, and how wide.
struct MmSector {
    const uint8_t* data = nullptr;  // of its first region
    uint32_t regions = 0;
    uint32_t centre_bytes = 1;
    uint32_t edge_bytes = 1;  // of an edge, and of how many there are

    // A region's data; past the last region: the labels.
    const uint8_t* region(uint32_t number) const {
        const uint8_t* p = data;
        for (; number > 0; --number) p = end_of(p);
        return p;
    }
    const uint8_t* end_of(const uint8_t* region) const { return region + centre_bytes + edge_bytes * (1 + edges(region)); }
    uint32_t edges(const uint8_t* region) const { return mm_read(region + centre_bytes, edge_bytes); }
    MmEdge edge(const uint8_t* region, uint32_t i) const {
        const uint32_t code = mm_read(region + centre_bytes + edge_bytes * (1 + i), edge_bytes);
        return edge_bytes == 1 ? MmEdge{code >> 5, code & 31} : MmEdge{code >> 13, code & 0x1fff};
    }
    // From the sector's corner.
    Cell centre(const uint8_t* region) const {
        const uint32_t code = mm_read(region, centre_bytes), half = 4 * centre_bytes;
        return {static_cast<int32_t>(code & ((1u << half) - 1)), static_cast<int32_t>(code >> half)};
    }
};

struct MinimalMemoryRoot {
    GridSnapshot grid;
    PassableSet set;
    Movement movement = Movement::kEight;
    MinimalMemoryOptions options;
    uint32_t sectors_x = 0, sectors_y = 0;
    uint32_t shift = 0;  // of RegionId
    uint64_t regions = 0, edges = 0;
    std::array<uint32_t, 33> widths{};                            // sectors whose region numbers need so many bits
    std::array<uint8_t, 2 + 1 + kMmDirections> default_sector{};  // what the data of one would be
    Vector<MmPage> pages;

    uint32_t sectors() const { return sectors_x * sectors_y; }
    Cell corner(uint32_t sector) const {
        return {static_cast<int32_t>(sector % sectors_x * options.sector), static_cast<int32_t>(sector / sectors_x * options.sector)};
    }
    Rect rect(uint32_t sector) const {
        const Cell at = corner(sector);
        const auto side = static_cast<int32_t>(options.sector);
        return {at.x, at.y, std::min(at.x + side, grid.width()), std::min(at.y + side, grid.height())};
    }
    // Only where there is one.
    uint32_t neighbour(uint32_t sector, uint32_t direction) const {
        const Cell step = kMmSteps[direction];
        return sector + static_cast<uint32_t>(step.y) * sectors_x + static_cast<uint32_t>(step.x);
    }
    bool has_neighbour(uint32_t sector, uint32_t direction) const {
        const Cell step = kMmSteps[direction];
        return sector % sectors_x + static_cast<uint32_t>(step.x) < sectors_x &&
               sector / sectors_x + static_cast<uint32_t>(step.y) < sectors_y;
    }

    MmSector read(uint32_t sector) const {
        const uint8_t* page = pages[sector >> kMmPageShift].get();
        const uint32_t i = sector & (kMmPage - 1);
        uint32_t count, offset;
        if (page[4] == 4) {
            const uint32_t record = mm_read32(page + kMmHeader + 4 * i);
            offset = record & 0xffffff;
            count = record >> 24;
        } else {
            const uint32_t record = mm_read(page + kMmHeader + 2 * i, 2);
            offset = record & 0xfff;
            count = record >> 12;
            if (count >= 14) count += kMmDefault - 14;
        }
        const uint8_t* data = page + offset;
        if (count == kMmWide) return {data + 2, mm_read(data, 2), 2, 2};
        const bool is_default = count == kMmDefault;
        return {is_default ? default_sector.data() : data, is_default ? 1 : count, options.sector <= 16 ? 1u : 2u, 1};
    }
    bool is_default(const MmSector& s) const { return s.data == default_sector.data(); }

    // From the sector's corner.
    Cell centre(uint32_t sector, uint32_t number) const {
        const MmSector s = read(sector);
        return s.centre(s.region(number));
    }

    // Calls visit(number, centre) for every region; centres are from the sector's corner.
    template <class Visit>
    void for_each_centre(uint32_t sector, Visit&& visit) const {
        const MmSector s = read(sector);
        const uint8_t* region = s.data;
        for (uint32_t r = 0; r < s.regions; ++r, region = s.end_of(region)) visit(r, s.centre(region));
    }
    // The region with this centre, given from the sector's corner. Only where there is one.
    uint32_t number_at(uint32_t sector, Cell at) const {
        uint32_t found = 0;
        for_each_centre(sector, [&](uint32_t number, Cell c) { found = c == at ? number : found; });
        return found;
    }

    // Calls visit(direction, number there) for every edge of a region, in that order.
    template <class Visit>
    void for_each_edge(uint32_t sector, uint32_t number, Visit&& visit) const {
        const MmSector s = read(sector);
        if (options.edges_once) for_each_edge_back(sector, number, visit);
        const uint8_t* region = s.region(number);
        if (s.edge_bytes == 1) {  // nearly always; the rest is right for these, too, and slower
            const uint8_t* next = region + s.centre_bytes;
            for (uint32_t n = *next++; n > 0; --n, ++next) visit(static_cast<uint32_t>(*next >> 5), static_cast<uint32_t>(*next & 31));
            return;
        }
        for (uint32_t i = 0, n = s.edges(region); i < n; ++i) {
            const MmEdge e = s.edge(region, i);
            visit(e.direction, e.number);
        }
    }

private:
    // The edges that are kept with the sectors at their other ends.
    template <class Visit>
    void for_each_edge_back(uint32_t sector, uint32_t number, Visit&& visit) const {
        for (uint32_t d = 0; d < kMmDirections / 2; ++d) {
            if (!has_neighbour(sector, d)) continue;
            const MmSector there = read(neighbour(sector, d));
            const MmEdge here{7 - d, number};
            const uint8_t* region = there.data;
            for (uint32_t r = 0; r < there.regions; ++r, region = there.end_of(region)) {
                for (uint32_t i = 0, n = there.edges(region); i < n; ++i) {
                    if (there.edge(region, i) == here) visit(d, r);
                }
            }
        }
    }
};

}  // namespace detail

// Copying it copies a pointer. Any thread may use any copy.
class MinimalMemory {
public:
    // An empty world: no sectors.
    MinimalMemory();

    // Options within their limits, and a set that is of this movement (PassableSet::of), are the caller's contract. kEight and kFour have
    // the same regions and edges; `movement` tells optimised centres how one walks.
    static MinimalMemory build(const GridSnapshot& grid, const PassableSet& set, Movement movement,
                               const MinimalMemoryOptions& options = {});

    // For the map after an edit of the map that this was made for; nothing if `edit` began at another version. Edits that change no cell
    // from passable to blocked or back take no work.
    std::optional<MinimalMemory> updated(const EditResult& edit, MinimalMemoryRepair* report = nullptr) const;

    // Whether it is for this very version of the map, and for the walls of this profile.
    bool valid_for(const Ground& ground) const {
        return &ground.grid().root() == &root_->grid.root() && PassableSet::of(ground.costs(), ground.movement()) == root_->set;
    }
    const GridSnapshot& grid() const { return root_->grid; }
    GridVersion version() const { return root_->grid.version(); }
    const PassableSet& set() const { return root_->set; }
    const MinimalMemoryOptions& options() const { return root_->options; }

    uint32_t sectors_x() const { return root_->sectors_x; }
    uint32_t sectors_y() const { return root_->sectors_y; }
    uint32_t sectors() const { return root_->sectors(); }
    Rect sector_rect(uint32_t sector) const { return root_->rect(sector); }
    uint32_t sector_at(Cell c) const {
        return static_cast<uint32_t>(c.y) / root_->options.sector * root_->sectors_x + static_cast<uint32_t>(c.x) / root_->options.sector;
    }

    uint64_t region_count() const { return root_->regions; }
    uint64_t edge_count() const { return root_->edges; }  // each way counts
    // Of all that this owns, pages shared with other versions included; without the grid's. Time is linear in the sectors.
    MinimalMemoryBytes bytes() const;

    // All ids are below this; not all of them are regions. Ids of one version mean nothing to another.
    RegionId id_limit() const { return root_->sectors() << root_->shift; }
    uint32_t regions_in(uint32_t sector) const { return root_->read(sector).regions; }
    bool is_default(uint32_t sector) const { return root_->is_default(root_->read(sector)); }
    // Whether it takes 16 bits for what should fit 8.
    bool is_wide(uint32_t sector) const { return root_->read(sector).edge_bytes == 2; }
    RegionId id(uint32_t sector, uint32_t number) const { return sector << root_->shift | number; }
    uint32_t sector_of(RegionId id) const { return id >> root_->shift; }
    uint32_t number_of(RegionId id) const { return id & ((1u << root_->shift) - 1); }
    Cell centre(RegionId id) const {
        const Cell corner = root_->corner(sector_of(id)), at = root_->centre(sector_of(id), number_of(id));
        return {corner.x + at.x, corner.y + at.y};
    }

    // kNoRegion for a cell that is blocked or off the map. At once where a sector has one region; else by label, or without labels by
    // search.
    RegionId region_of(Cell cell) const;
    // The same by breadth-first search of the region for its centre. `looked_at`, if given, is set to the number of cells that took.
    RegionId search_region_of(Cell cell, uint64_t* looked_at = nullptr) const;

    // Calls visit(to) for every edge of a region, by direction and number.
    template <class Visit>
    void for_each_edge(RegionId from, Visit&& visit) const {
        const uint32_t sector = sector_of(from);
        root_->for_each_edge(sector, number_of(from),
                             [&](uint32_t direction, uint32_t number) { visit(id(root_->neighbour(sector, direction), number)); });
    }

    // The same bytes. Versions do not count, nor do caller's functions and threads.
    friend bool operator==(const MinimalMemory& a, const MinimalMemory& b);

    const detail::MinimalMemoryRoot& root() const { return *root_; }

private:
    explicit MinimalMemory(std::shared_ptr<const detail::MinimalMemoryRoot> root) : root_(std::move(root)) {}
    std::shared_ptr<const detail::MinimalMemoryRoot> root_;
};

}  // namespace terrane
