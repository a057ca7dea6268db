// The portals of all sectors of a map under one movement rule. A sector's portals are found when a query first needs them, and shared by
// all threads and by the later versions of the map in which neither the sector nor its border changed. They depend on the map only.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "regions/sector_portals.h"
#include "regions/sector_portals_builder.h"
#include "terrane/base/memory.h"
#include "terrane/base/paged_vector.h"
#include "terrane/grid/grid.h"

namespace terrane::detail {

// One version. Thread-safe.
class RegionPortals {
public:
    // `side`: cells of a sector, at most kLargestPortalSector. Time and memory: 8 bytes per sector.
    RegionPortals(const GridSnapshot& grid, uint32_t side, Movement movement);
    // The portals for the map after `edit`, which begins at this version.
    RegionPortals(const RegionPortals& before, const EditResult& edit);

    const GridSnapshot& grid() const { return grid_; }
    uint32_t side() const { return side_; }
    Movement movement() const { return movement_; }

    uint32_t sectors() const { return sectors_x_ * sectors_y_; }
    uint32_t sector_at(Cell c) const { return static_cast<uint32_t>(c.y) / side_ * sectors_x_ + static_cast<uint32_t>(c.x) / side_; }
    // The sector beyond a side (movement.h). Only if there is one.
    uint32_t neighbour(uint32_t sector, uint32_t side) const {
        return sector + static_cast<uint32_t>(kMoves[side].y * static_cast<int32_t>(sectors_x_) + kMoves[side].x);
    }
    Cell corner(uint32_t sector) const {
        return {static_cast<int32_t>(sector % sectors_x_ * side_), static_cast<int32_t>(sector / sectors_x_ * side_)};
    }
    Rect rect(uint32_t sector) const;
    // Finds the portals on first use. The reference is valid as long as this object. `builder` is the calling thread's.
    const SectorPortals& at(uint32_t sector, SectorPortalsBuilder& builder) const;
    // Counts what is shared with other versions in full.
    size_t bytes() const;

private:
    static constexpr uint32_t kPageShift = 6;
    static constexpr uint32_t kPageSectors = 1u << kPageShift;
    struct Page {
        Page() = default;
        Page(const Page& other);
        ~Page();
        Page& operator=(const Page&) = delete;
        std::array<std::atomic<const SectorPortals*>, kPageSectors> sectors{};  // null until found
    };
    void drop(const RegionPortals& before, uint32_t sector);

    GridSnapshot grid_;
    uint32_t side_, sectors_x_, sectors_y_;
    Movement movement_;
    PagedVector<std::shared_ptr<Page>> pages_;
};

}  // namespace terrane::detail
