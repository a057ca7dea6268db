// One sector of a MinimalMemory, made from the cells of the nine sectors around it.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "minimal_memory/minimal_memory_centres.h"
#include "minimal_memory/minimal_memory_code.h"

namespace terrane::detail {

// The regions of a sector by itself, found by runs of passable cells, as sector_labels.h does for terrain.
class SectorOutline {
public:
    static constexpr uint16_t kBlockedCell = 0xffff;

    struct Run {
        uint16_t row, begin, end;  // from the sector's corner
        uint16_t region;           // until numbered: the run's parent, of which the smallest is the root
    };

    void make(const GridSnapshot& grid, const Rect& rect, const std::array<bool, 256>& passable, bool cutting);

    uint32_t regions() const { return static_cast<uint32_t>(means_.size()); }
    Cell mean(uint32_t region) const { return means_[region]; }  // the cell nearest the mean, from the sector's corner
    const Vector<Run>& runs() const { return runs_; }            // by rows
    // The regions of the cells along the side that faces a direction: a row, a column, or a corner cell.
    std::span<const uint16_t> line(uint32_t direction) const;

private:
    void find_runs(const Terrain* row, uint32_t y, const std::array<bool, 256>& passable);
    void join_to_row_above(size_t row_begin, bool cutting);
    uint16_t root(uint16_t run);
    void number_regions();
    void find_means();
    void draw_lines();

    struct Sum {
        uint64_t cells, x, y;
        uint64_t best;  // squared distance of the mean's cell so far
    };
    using Line = std::array<uint16_t, kMaxSector>;
    Vector<Run> runs_;
    std::vector<Cell> means_;
    Vector<Sum> sums_;
    size_t above_ = 0;  // first run of the row above
    uint32_t width_ = 0, height_ = 0;
    Line top_, bottom_, left_, right_;
};

// Makes sectors, in any order; sectors near each other share work. `root` needs grid, set, movement, options and its numbers of sectors,
// and must outlive this.
class SectorMaker {
public:
    // Keeps the outlines of a window of so many columns and rows of sectors, rounded up to powers of two. Three rows are needed at a time.
    SectorMaker(const MinimalMemoryRoot& root, uint32_t columns, uint32_t rows);

    // Valid until the next.
    const EncodedSector& make(uint32_t sector);

private:
    const SectorOutline& outline(uint32_t sector);
    void join(uint32_t sector);
    void join_side(uint32_t sector, uint32_t direction);
    void take_edges();
    void place_centres(uint32_t sector);
    void write_labels(uint32_t sector);

    struct Kept {
        uint32_t sector = 0xffffffff;
        SectorOutline outline;
    };
    const MinimalMemoryRoot* root_;
    std::array<bool, 256> passable_{};
    uint32_t columns_, rows_;
    Vector<Kept> kept_;
    std::optional<CentreFinder> centres_;

    Vector<uint32_t> keys_;  // edges of the sector: region << 16 | direction << 13 | number
    PlainSector plain_;
    EncodedSector encoded_;
    std::vector<Cell> cells_;
    Vector<CentreFinder::Neighbour> neighbours_;
};

}  // namespace terrane::detail
