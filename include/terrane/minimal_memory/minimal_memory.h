// Minimal-memory abstraction: cuts the map into sectors and each sector into connected regions, and stores the graph of the regions in a
// few bytes per sector. Built for one set of passable terrains; terrain costs matter only in refinement. Based on: Sturtevant 2007,
// "Memory-Efficient Abstractions for Pathfinding" (AIIDE), and the slides "Abstraction in Pathfinding", 5 to 50.
//
// A region is a connected component of passable cells inside a sector, by orthogonal steps and, if corners may be cut, diagonal ones.
// Regions of a sector are numbered by their first cells in row-major order. Regions of neighbouring sectors are adjacent if a legal step
// leads from one to the other; across a corner, if a legal diagonal step does (kFour has none and walks around that corner). So adjacent
// regions are connected inside the rectangle of their two sectors, and a path of regions exists if and only if a path of cells does.
//
// Encoding. A sector has a record of 32 bits: the number of regions, and the offset of their data. A region has 8 bits for its centre (16
// in sectors above 16x16), 8 for the number of its edges, and 8 per edge: 3 for the direction, 5 for the region's number there. Default
// sectors (one region, centred, adjacent to region 0 of all eight neighbours) need no data. A sector that does not fit (more than 253
// regions, a region with more than 255 edges, an edge to a region above 31) uses 16 bits for each of these. Options select records of 16
// bits (for at most 13 regions) and store an edge once instead of at both ends. All encodings hold the same graph in the same order and
// give the same answers.
//
// A MinimalMemory is an immutable version. updated() makes the next one, which shares all pages of 64 sectors that the edit did not affect.
// It equals a new build byte for byte, for any number of threads.
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
#include "terrane/terrain_regions/connected_components.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

// Cost of a cell as the centre of its region; the cell of least cost wins (ties: the cell nearest the mean, then row-major order).
// `neighbours` holds one cell per adjacent region, the one nearest its mean. The result may depend only on these cells and on the cells of
// the 3x3 sectors around; otherwise updated() would differ from a new build. Must be thread-safe if the build uses several threads.
using CentreCost = std::function<uint64_t(const GridSnapshot& grid, Cell candidate, std::span<const Cell> neighbours)>;

struct MinimalMemoryOptions {
    uint32_t sector = 16;           // side in cells, kMinSector..kMaxSector
    uint32_t record_bits = 32;      // of a sector's record: 32 or 16
    bool skip_defaults = true;      // store no data for default sectors
    bool edges_once = false;        // store an edge at one end only: half the bytes of edges, slower searches
    bool labels = false;            // store each cell's region in sectors with several: region_of() in constant time instead of a search
    bool optimise_centres = false;  // false: the centre is the cell nearest the mean (to a 256th of a cell; ties: row-major order)
    CentreCost centre_cost = {};    // for optimise_centres; default: see below
    uint32_t threads = 1;           // for the build; 0: all threads of the machine
};

// Default centre cost: the maximum number of expansions of A* from the cell to an adjacent region, in the rectangle of the two sectors,
// with uniform terrain cost. A* ends at the neighbour's mean centre, not at its optimised one. So a centre depends on the 3x3 sectors
// around it only, and so does a repair.

// Bytes by purpose.
struct MinimalMemoryBytes {
    size_t sectors = 0;  // records, and region counts that do not fit them
    size_t centres = 0;
    size_t edges = 0;  // edges and their counts
    size_t labels = 0;
    size_t directory = 0;  // page pointers, page headers, reference counts

    size_t encoded() const { return sectors + centres + edges; }  // as the slides count
    size_t total() const { return encoded() + labels + directory; }
};

// The work of an update.
struct MinimalMemoryRepair {
    uint32_t sectors = 0;  // rebuilt: sectors whose passable cells changed, and their neighbours
    uint32_t pages = 0;
};

namespace detail {

inline constexpr uint32_t kMinimalMemoryPageShift = 6;  // sectors per page: 64
inline constexpr uint32_t kMinimalMemoryPage = 1u << kMinimalMemoryPageShift;

// A page: its size (4 bytes), the size of a record (1), the number of sectors (1), 2 unused bytes; the records; the sectors' data, in
// order. A record holds the offset of its sector's data from the beginning of the page.
using MinimalMemoryPage = std::shared_ptr<const uint8_t[]>;
inline constexpr uint32_t kMinimalMemoryHeader = 8;

// A record holds the number of regions, or one of these.
inline constexpr uint32_t kMinimalMemoryDefault = 254;
inline constexpr uint32_t kMinimalMemoryWide = 255;

// Directions in row-major order, north-west to south-east. The opposite of d is 7 - d; directions below 4 lead to sectors with smaller
// numbers.
inline constexpr uint32_t kMinimalMemoryDirections = 8;
inline constexpr std::array<Cell, kMinimalMemoryDirections> kMinimalMemorySteps = {
    {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

struct MinimalMemoryEdge {
    uint32_t direction = 0;
    uint32_t number = 0;  // of the region there
    friend bool operator==(const MinimalMemoryEdge&, const MinimalMemoryEdge&) = default;
};

// Reads 1 or 2 bytes, little-endian.
inline uint32_t minimal_memory_read(const uint8_t* p, uint32_t bytes) {
    return bytes == 1 ? p[0] : p[0] | static_cast<uint32_t>(p[1]) << 8;
}

inline uint32_t minimal_memory_read32(const uint8_t* p) { return minimal_memory_read(p, 2) | minimal_memory_read(p + 2, 2) << 16; }

// Location and field widths of a sector's data.
struct MinimalMemorySector {
    const uint8_t* data = nullptr;  // of its first region
    uint32_t regions = 0;
    uint32_t centre_bytes = 1;
    uint32_t edge_bytes = 1;  // of an edge, and of an edge count

    // Returns a region's data; for `regions`, the labels that follow.
    const uint8_t* region(uint32_t number) const {
        const uint8_t* p = data;
        for (; number > 0; --number) p = end_of(p);
        return p;
    }
    const uint8_t* end_of(const uint8_t* region) const { return region + centre_bytes + edge_bytes * (1 + edges(region)); }
    uint32_t edges(const uint8_t* region) const { return minimal_memory_read(region + centre_bytes, edge_bytes); }
    MinimalMemoryEdge edge(const uint8_t* region, uint32_t i) const {
        const uint32_t code = minimal_memory_read(region + centre_bytes + edge_bytes * (1 + i), edge_bytes);
        return edge_bytes == 1 ? MinimalMemoryEdge{code >> 5, code & 31} : MinimalMemoryEdge{code >> 13, code & 0x1fff};
    }
    // Relative to the sector's corner.
    Cell centre(const uint8_t* region) const {
        const uint32_t code = minimal_memory_read(region, centre_bytes), half = 4 * centre_bytes;
        return {static_cast<int32_t>(code & ((1u << half) - 1)), static_cast<int32_t>(code >> half)};
    }
};

struct MinimalMemoryData {
    GridSnapshot grid;
    PassableSet set;
    Movement movement = Movement::kEightNoCornerCutting;
    MinimalMemoryOptions options;
    uint32_t sectors_x = 0, sectors_y = 0;
    uint32_t shift = 0;  // of RegionId
    uint64_t regions = 0, edges = 0;
    std::array<uint32_t, 33> widths{};                                       // number of sectors by the bits that their region numbers need
    std::array<uint8_t, 2 + 1 + kMinimalMemoryDirections> default_sector{};  // data of a default sector
    Vector<MinimalMemoryPage> pages;

    uint32_t sectors() const { return sectors_x * sectors_y; }
    Cell corner(uint32_t sector) const {
        return {static_cast<int32_t>(sector % sectors_x * options.sector), static_cast<int32_t>(sector / sectors_x * options.sector)};
    }
    Rect rect(uint32_t sector) const {
        const Cell at = corner(sector);
        const auto side = static_cast<int32_t>(options.sector);
        return {at, {std::min(side, grid.width() - at.x), std::min(side, grid.height() - at.y)}};
    }
    // Precondition: has_neighbour().
    uint32_t neighbour(uint32_t sector, uint32_t direction) const {
        const Cell step = kMinimalMemorySteps[direction];
        return sector + static_cast<uint32_t>(step.y) * sectors_x + static_cast<uint32_t>(step.x);
    }
    bool has_neighbour(uint32_t sector, uint32_t direction) const {
        const Cell step = kMinimalMemorySteps[direction];
        return sector % sectors_x + static_cast<uint32_t>(step.x) < sectors_x &&
               sector / sectors_x + static_cast<uint32_t>(step.y) < sectors_y;
    }

    MinimalMemorySector read(uint32_t sector) const {
        const uint8_t* page = pages[sector >> kMinimalMemoryPageShift].get();
        const uint32_t i = sector & (kMinimalMemoryPage - 1);
        uint32_t count, offset;
        if (page[4] == 4) {
            const uint32_t record = minimal_memory_read32(page + kMinimalMemoryHeader + 4 * i);
            offset = record & 0xffffff;
            count = record >> 24;
        } else {
            const uint32_t record = minimal_memory_read(page + kMinimalMemoryHeader + 2 * i, 2);
            offset = record & 0xfff;
            count = record >> 12;
            if (count >= 14) count += kMinimalMemoryDefault - 14;
        }
        const uint8_t* data = page + offset;
        if (count == kMinimalMemoryWide) return {data + 2, minimal_memory_read(data, 2), 2, 2};
        const bool is_default = count == kMinimalMemoryDefault;
        return {is_default ? default_sector.data() : data, is_default ? 1 : count, options.sector <= 16 ? 1u : 2u, 1};
    }
    bool is_default(const MinimalMemorySector& s) const { return s.data == default_sector.data(); }

    // Relative to the sector's corner.
    Cell centre(uint32_t sector, uint32_t number) const {
        const MinimalMemorySector s = read(sector);
        return s.centre(s.region(number));
    }

    // Calls visit(number, centre) for every region; centres are relative to the sector's corner.
    template <class Visit>
    void for_each_centre(uint32_t sector, Visit&& visit) const {
        const MinimalMemorySector s = read(sector);
        const uint8_t* region = s.data;
        for (uint32_t r = 0; r < s.regions; ++r, region = s.end_of(region)) visit(r, s.centre(region));
    }
    // Returns the region with this centre, relative to the sector's corner. Precondition: it exists.
    uint32_t number_at(uint32_t sector, Cell at) const {
        uint32_t found = 0;
        for_each_centre(sector, [&](uint32_t number, Cell c) { found = c == at ? number : found; });
        return found;
    }

    // Calls visit(direction, number) for every edge of a region, ascending by direction, then by the neighbour's number.
    template <class Visit>
    void for_each_edge(uint32_t sector, uint32_t number, Visit&& visit) const {
        const MinimalMemorySector s = read(sector);
        if (options.edges_once) for_each_incoming_edge(sector, number, visit);
        const uint8_t* region = s.region(number);
        if (s.edge_bytes == 1) {  // the common case, specialised for speed
            const uint8_t* next = region + s.centre_bytes;
            for (uint32_t n = *next++; n > 0; --n, ++next) visit(static_cast<uint32_t>(*next >> 5), static_cast<uint32_t>(*next & 31));
            return;
        }
        for (uint32_t i = 0, n = s.edges(region); i < n; ++i) {
            const MinimalMemoryEdge e = s.edge(region, i);
            visit(e.direction, e.number);
        }
    }

private:
    // With edges_once: visits the edges that are stored at their other ends.
    template <class Visit>
    void for_each_incoming_edge(uint32_t sector, uint32_t number, Visit&& visit) const {
        for (uint32_t d = 0; d < kMinimalMemoryDirections / 2; ++d) {
            if (!has_neighbour(sector, d)) continue;
            const MinimalMemorySector there = read(neighbour(sector, d));
            const MinimalMemoryEdge here{7 - d, number};
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

// Thread-safe; copying it copies a pointer.
class MinimalMemory {
public:
    // An empty world: no sectors.
    MinimalMemory();

    // Precondition: options are within their limits, and `set` is for `movement` (PassableSet::of). kEightNoCornerCutting and kFour have
    // the same regions and edges; `movement` matters for optimised centres.
    static MinimalMemory build(const GridSnapshot& grid, const PassableSet& set, Movement movement,
                               const MinimalMemoryOptions& options = {});

    // Returns the abstraction of the map after an edit; nothing if `edit` starts from another version than this one's. Rebuilds nothing if
    // no cell changes between passable and blocked.
    std::optional<MinimalMemory> updated(const EditResult& edit, MinimalMemoryRepair* report = nullptr) const;

    // Whether it was built for this version of the map and for the blocked set of this profile.
    bool valid_for(const Ground& ground) const {
        return &ground.grid().data() == &data_->grid.data() && PassableSet::of(ground.costs(), ground.movement()) == data_->set;
    }
    const GridSnapshot& grid() const { return data_->grid; }
    GridVersion version() const { return data_->grid.version(); }
    const PassableSet& set() const { return data_->set; }
    const MinimalMemoryOptions& options() const { return data_->options; }

    uint32_t sectors_x() const { return data_->sectors_x; }
    uint32_t sectors_y() const { return data_->sectors_y; }
    uint32_t sectors() const { return data_->sectors(); }
    Rect sector_rect(uint32_t sector) const { return data_->rect(sector); }
    uint32_t sector_at(Cell c) const {
        return static_cast<uint32_t>(c.y) / data_->options.sector * data_->sectors_x + static_cast<uint32_t>(c.x) / data_->options.sector;
    }

    uint64_t region_count() const { return data_->regions; }
    uint64_t edge_count() const { return data_->edges; }  // directed
    // Includes pages shared with other versions; excludes the grid. Takes time linear in the number of sectors.
    MinimalMemoryBytes bytes() const;

    // All ids are below this; not all of them are regions. Ids are valid for one version only.
    RegionId id_limit() const { return data_->sectors() << data_->shift; }
    uint32_t regions_in(uint32_t sector) const { return data_->read(sector).regions; }
    bool is_default(uint32_t sector) const { return data_->is_default(data_->read(sector)); }
    // Whether the sector does not fit fields of 8 bits and uses 16.
    bool is_wide(uint32_t sector) const { return data_->read(sector).edge_bytes == 2; }
    RegionId id(uint32_t sector, uint32_t number) const { return sector << data_->shift | number; }
    uint32_t sector_of(RegionId id) const { return id >> data_->shift; }
    uint32_t number_of(RegionId id) const { return id & ((1u << data_->shift) - 1); }
    Cell centre(RegionId id) const {
        const Cell corner = data_->corner(sector_of(id)), at = data_->centre(sector_of(id), number_of(id));
        return {corner.x + at.x, corner.y + at.y};
    }

    // Returns kNoRegion for a cell that is blocked or outside the map. Constant time if the sector has one region or there are labels, else
    // search_region_of().
    RegionId region_of(Cell cell) const;
    // The same, by breadth-first search from the cell to its region's centre. Sets `visited`, if given, to the number of cells expanded.
    RegionId search_region_of(Cell cell, uint64_t* visited = nullptr) const;

    // Calls visit(to) for every edge of a region, ascending by direction and number.
    template <class Visit>
    void for_each_edge(RegionId from, Visit&& visit) const {
        const uint32_t sector = sector_of(from);
        data_->for_each_edge(sector, number_of(from),
                             [&](uint32_t direction, uint32_t number) { visit(id(data_->neighbour(sector, direction), number)); });
    }

    // Compares bytes; ignores versions, centre_cost and threads.
    friend bool operator==(const MinimalMemory& a, const MinimalMemory& b);

    const detail::MinimalMemoryData& data() const { return *data_; }

private:
    explicit MinimalMemory(std::shared_ptr<const detail::MinimalMemoryData> data) : data_(std::move(data)) {}
    std::shared_ptr<const detail::MinimalMemoryData> data_;
};

}  // namespace terrane
