// Finds the portals of a sector and measures the distances between them.
#pragma once
#include <cstdint>
#include <span>
#include <tuple>

#include "regions/mask_flood.h"
#include "regions/sector_portals.h"
#include "terrain_regions/sector_labels.h"
#include "terrane/base/memory.h"

namespace terrane::detail {

// Scratch memory of one thread, reused for all sectors.
class SectorPortalsBuilder {
public:
    // `rect` is the sector's rectangle, of at most kLargestPortalSector cells a side.
    SectorPortals::Owner build(const GridSnapshot& grid, const Rect& rect, Movement movement);
    // Measures what SectorPortals does not store: the lengths from a cell to the cells of its region. Coordinates are relative to `rect`.
    const MaskFlood& flood(const GridSnapshot& grid, const Rect& rect, Movement movement, Cell from);

private:
    static constexpr int32_t kBlock = static_cast<int32_t>(kLargestPortalSector) + 2;

    struct Contact {         // two cells in two regions of the sector
        uint16_t low, high;  // the regions; low < high
        Cell cell;           // in `low`
        Move move;           // to the cell in `high`
        uint16_t run = 0;    // index of the first contact of the same contiguous stretch

        bool diagonal() const { return move >= 4; }
        auto key() const { return std::tuple(low, high, diagonal(), cell.y, cell.x, move); }
    };

    static size_t index(Cell c) { return static_cast<uint32_t>((c.y + 1) * kBlock + c.x + 1); }
    // Coordinates are relative to the sector's corner, and may be one cell outside.
    Terrain at(Cell c) const { return cells_[index(c)]; }
    uint16_t region_of(Cell c) const { return regions_[index(c)]; }

    void read_cells(const GridSnapshot& grid, const Rect& rect);
    void find_side_portals(uint32_t side);
    void find_corner_portal(uint32_t side);
    void find_contacts();
    void add_contact(Cell cell, Move move);
    bool touch_at_corner_only(Cell cell, Move move) const;
    void find_inner_portals();
    void add_inner_portals(std::span<Contact> contacts);
    uint16_t first_of_run(std::span<Contact> contacts, uint16_t contact) const;
    void join_runs(std::span<Contact> contacts);
    void add_inner_portal(const Contact& contact);
    void add_exit(Cell cell, uint32_t side, Move move, bool second, uint32_t position);
    uint32_t measured(uint32_t region) const;
    SectorPortals::Owner write();
    void write_indices(SectorPortals& portals) const;
    void measure(SectorPortals& portals);
    const TerrainMask& cells_like(Cell cell);

    Movement movement_ = Movement::kEightNoCornerCutting;
    Size size_;
    SectorLabels labels_;
    Terrain cells_[kBlock * kBlock] = {};
    uint16_t regions_[kBlock * kBlock] = {};
    uint16_t run_at_[kBlock * kBlock] = {};  // by corner between cells: a contact that ends there
    Vector<Contact> contacts_;
    Vector<RegionExit> exits_;
    Vector<uint16_t> first_exit_;       // by region, plus the end
    uint32_t counts_[kSides + 1] = {};  // portals by side
    TerrainMask same_;                  // the cells of `same_terrain_`
    Terrain same_terrain_ = kOutside;
    MaskFlood flood_;
};

}  // namespace terrane::detail
