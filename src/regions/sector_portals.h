// The portals of one sector, and the distances between them inside its terrain regions.
//
// A portal is a pair of adjacent cells in two regions: the middle of each contiguous stretch of their common border. Under
// kEightCutCorners, two cells that touch at a corner only are a portal, too. An exit is a portal as seen from one of its two regions. The
// distance between two exits of a region is the length of the shortest path inside the region, so the cost between them is exact for any
// profile.
//
// The portals depend on the cells of the sector and on those around it, the distances on the cells of the sector.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "regions/mask_flood.h"
#include "terrane/base/memory.h"
#include "terrane/grid/grid.h"

namespace terrane::detail {

// The sides of a sector are numbered as moves (movement.h). Each portal belongs to one sector: to that of both cells, or the one to the
// west, north-west, north or north-east of the other. Both sectors list the portals of a common side in the same order.
inline constexpr uint32_t kSides = 8;
inline constexpr uint32_t kInside = kSides;  // the "side" of portals between two regions of the sector
constexpr bool owns_side(uint32_t side) { return (0b101100110u >> side & 1) != 0; }  // east, south, south-east, south-west, inside

struct RegionExit {
    uint8_t middle_x, middle_y;  // of the portal, in half cells from the middle of the sector's north-west corner cell, plus 1
    uint8_t side : 4;            // of the sector
    uint8_t move : 4;            // from the cell to the portal's other cell
    Terrain beyond;              // of the other cell
    uint16_t region : 15;        // number of the region in the sector
    uint16_t second : 1;         // of the two exits of a portal inside the sector: whether it is the second
    uint16_t position;           // of the portal along its side, or among those inside

    // The exit's cell in this region, relative to the sector's corner.
    Cell cell() const { return {(middle_x - 1 - kMoves[move].x) / 2, (middle_y - 1 - kMoves[move].y) / 2}; }
};

// Immutable, in one allocation: this header, regions, exits, indices, distances. Reference-counted; owners may be on any thread.
class SectorPortals {
public:
    uint32_t owned() const { return first_[kInside] + inside_; }  // number of portals that belong to the sector
    uint32_t regions() const { return region_count_; }
    uint32_t exit_count() const { return exit_count_; }
    const RegionExit& exit(size_t i) const { return exits()[i]; }
    Terrain terrain(uint32_t region) const { return rows()[region].terrain; }
    // The range of a region's exits.
    std::pair<uint32_t, uint32_t> exits_of(uint32_t region) const { return {rows()[region].first_exit, rows()[region + 1].first_exit}; }

    // The number of an owned portal.
    uint32_t number(uint32_t side, uint32_t position) const { return first_[side] + position; }
    // The index of an exit of an owned portal.
    uint32_t own_exit(uint32_t portal, bool second) const {
        return portal < first_[kInside] ? indices()[portal] : indices()[portal + (second ? inside_ : 0)];
    }
    // The index of the exit at `position` along a side whose portals belong to the neighbour.
    uint32_t foreign_exit(uint32_t side, uint32_t position) const { return indices()[first_[side] + position]; }

    // Calls visit(other, distance) for all other exits of the region of `exit`. Distances are in the units of cost.h, rounded up to a
    // multiple of kDistanceUnit; kUnknown if they are not stored: then MaskFlood measures them.
    template <class Visit>
    void for_each_other_exit(uint32_t exit, Visit&& visit) const {
        const RegionRow* row = rows() + exits()[exit].region;
        const uint32_t first = row->first_exit, count = row[1].first_exit - first, own = exit - first;
        const auto length = [&](uint32_t b, const uint16_t* stored) {
            return b < row->measured && *stored != kTooLong ? *stored * kDistanceUnit : kUnknown;
        };
        const uint16_t* stored = distances() + row->first_distance + own * (own - 1) / 2;  // the row of `exit` in the triangle
        for (uint32_t a = 0; a < own; ++a) visit(first + a, length(own, stored + a));
        stored += 2 * own;  // its column, from the next row on
        for (uint32_t b = own + 1; b < count; stored += b++) visit(first + b, length(b, stored));
    }
    static constexpr uint32_t kDistanceUnit = 2;  // 16 bits then hold paths of 133 straight steps
    static constexpr uint32_t kUnknown = 0xffffffff;

    size_t bytes() const { return bytes_; }
    bool operator==(const SectorPortals& other) const;

    // The reference count; one owner at first.
    void add_owner() const { owners_.fetch_add(1, std::memory_order_relaxed); }
    void remove_owner() const {
        if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(this);
    }
    struct RemoveOwner {
        void operator()(const SectorPortals* portals) const { portals->remove_owner(); }
    };
    using Owner = std::unique_ptr<const SectorPortals, RemoveOwner>;

private:
    friend class SectorPortalsBuilder;
    SectorPortals() = default;
    ~SectorPortals() = default;
    static void destroy(const SectorPortals* portals);
    static constexpr uint16_t kTooLong = 0xffff;  // a distance that 16 bits do not hold
    struct RegionRow {
        uint32_t first_distance;
        uint16_t first_exit;
        uint8_t measured;  // the distances between the first so many exits are stored
        Terrain terrain;
    };

    const RegionRow* rows() const { return reinterpret_cast<const RegionRow*>(this + 1); }
    const RegionExit* exits() const { return reinterpret_cast<const RegionExit*>(rows() + region_count_ + 1); }
    const uint16_t* indices() const { return reinterpret_cast<const uint16_t*>(exits() + exit_count_); }
    const uint16_t* distances() const { return indices() + exit_count_; }

    mutable std::atomic<uint32_t> owners_{1};
    uint32_t bytes_ = 0;
    Memory* memory_ = nullptr;
    uint16_t region_count_ = 0, exit_count_ = 0;
    uint16_t inside_ = 0;              // number of portals inside the sector
    uint16_t first_[kSides + 1] = {};  // by side: the number of the first owned portal, or the first index of an exit
};

}  // namespace terrane::detail
