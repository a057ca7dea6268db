// Builds one sector of a MinimalMemory from the cells of the 3x3 sectors around it.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "minimal_memory/minimal_memory_centres.h"
#include "minimal_memory/minimal_memory_code.h"

namespace terrane::detail {

// The regions of a single sector: union-find over runs of passable cells, as sector_labels.h does for terrain.
class SectorOutline {
public:
    static constexpr uint16_t kBlockedCell = 0xffff;

    struct Run {
        uint16_t row, begin, end;  // relative to the sector's corner
        uint16_t region;           // until number_regions(): the union-find parent; the root is the run of least index
    };

    void make(const GridSnapshot& grid, const Rect& rect, const std::array<bool, 256>& passable, bool cutting);

    uint32_t regions() const { return static_cast<uint32_t>(means_.size()); }
    Cell mean(uint32_t region) const { return means_[region]; }  // the cell nearest the mean, relative to the sector's corner
    const Vector<Run>& runs() const { return runs_; }            // in row-major order
    // The regions of the cells along the side that faces a direction: a row, a column or a corner cell.
    std::span<const uint16_t> border(uint32_t direction) const;

private:
    void find_runs(const Terrain* row, uint32_t y, const std::array<bool, 256>& passable);
    void unite_with_row_above(size_t row_begin, bool cutting);
    uint16_t root(uint16_t run);
    void number_regions();
    void find_means();
    void fill_borders();

    struct Sum {
        uint64_t cells, x, y;
        uint64_t best;  // squared distance from the mean to the best cell so far
    };
    using Border = std::array<uint16_t, kMaxSector>;
    Vector<Run> runs_;
    std::vector<Cell> means_;
    Vector<Sum> sums_;
    size_t above_ = 0;  // first run of the row above
    uint32_t width_ = 0, height_ = 0;
    Border top_, bottom_, left_, right_;
};

// Builds sectors in any order; sectors near each other share cached outlines. `data` needs grid, set, movement, options and sector counts,
// and must outlive this.
class SectorMaker {
public:
    // Size of the outline cache, in sectors; rounded up to powers of two. Three rows are needed at a time.
    SectorMaker(const MinimalMemoryData& data, uint32_t columns, uint32_t rows);

    // The result is valid until the next call.
    const EncodedSector& make(uint32_t sector);

private:
    const SectorOutline& outline(uint32_t sector);
    void find_edges(uint32_t sector);
    void find_edges_across(uint32_t sector, uint32_t direction);
    void store_edges();
    void place_centres(uint32_t sector);
    void write_labels(uint32_t sector);

    struct CachedOutline {
        uint32_t sector = 0xffffffff;
        SectorOutline outline;
    };
    const MinimalMemoryData* data_;
    std::array<bool, 256> passable_{};
    uint32_t columns_, rows_;
    Vector<CachedOutline> cache_;
    std::optional<CentreFinder> centres_;

    Vector<uint32_t> keys_;  // edges of the sector: region << 16 | direction << 13 | number
    PlainSector plain_;
    EncodedSector encoded_;
    std::vector<Cell> cells_;
    Vector<CentreFinder::Neighbour> neighbours_;
};

}  // namespace terrane::detail
