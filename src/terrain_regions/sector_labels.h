// Connected-component labelling of one sector by runs: union-find merges each row's runs of one terrain with the runs that they touch
// in the row above. Regions and their numbers equal those of a breadth-first search from every unlabelled cell (Sturtevant et al. 2019,
// 4.1). Time is linear in the number of cells.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane::detail {

// Collects edges as keys: the region's number, then the bits of RegionEdge. A small cache skips most duplicates. sorted() returns each
// pair once, orthogonal if any contact is.
class EdgeCollector {
public:
    void clear() {
        keys_.clear();
        recent_.fill(kNone);
    }
    void add(uint32_t from, uint32_t side, uint32_t to, bool diagonal_only) {
        const uint64_t key = uint64_t{from} << 32 | RegionEdge::to(side, to, diagonal_only).bits;
        uint64_t& slot = recent_[(from * 31 + to * 7 + side) % recent_.size()];
        if (slot == key || slot == (key & ~uint64_t{1})) return;
        slot = key;
        keys_.push_back(key);
    }
    void add(uint32_t from, RegionEdge edge) { keys_.push_back(uint64_t{from} << 32 | edge.bits); }
    std::span<const uint64_t> sorted();

private:
    static constexpr uint64_t kNone = ~uint64_t{0};
    Vector<uint64_t> keys_;
    std::array<uint64_t, 64> recent_{};
};

// Scratch memory, reused for all sectors.
class SectorLabels {
public:
    // Labels the cells of `rect`, which must be on the map.
    void label(const GridSnapshot& grid, const Rect& rect);

    std::span<const Region> regions() const { return regions_; }  // first_edge is not set
    // Adds the edges between regions of this sector.
    void inner_edges(EdgeCollector& edges) const;

    // Calls visit(row, begin, end, region number) for every run, by rows; coordinates are relative to the rectangle's corner.
    template <class Visit>
    void for_each_run(Visit&& visit) const {
        for (uint32_t row = 0; row + 1 < row_begin_.size(); ++row) {
            for (uint32_t i = row_begin_[row]; i < row_begin_[row + 1]; ++i) visit(row, runs_[i].begin, runs_[i].end, runs_[i].region);
        }
    }

private:
    struct Run {
        uint32_t begin, end;
        uint32_t region;  // before numbering: the run's parent in the union-find; the root is the smallest run
        Terrain terrain;
    };
    void find_runs(const Terrain* row, uint32_t width);
    void merge_with_row_above(uint32_t row);
    uint32_t root(uint32_t run);
    void number_regions();
    void place_representatives(const Rect& rect);

    Vector<Terrain> row_;
    Vector<Run> runs_;
    Vector<uint32_t> row_begin_;  // first run of each row, plus the end
    Vector<Region> regions_;
    struct Sum {
        uint64_t cells, x, y;
        uint64_t best;  // squared distance of the best representative so far
    };
    Vector<Sum> sums_;
};

// The mean in 1/256 of a cell.
inline int64_t mean_256(uint64_t sum, uint64_t count) { return static_cast<int64_t>((sum * 256 + count / 2) / count); }

// The cell of a run that is closest to the mean: its squared distance, in (1/256 of a cell)^2, and its x (ties: the left one).
struct Closest {
    uint64_t distance;
    uint32_t x;
};
Closest closest_in_run(int64_t mean_x, int64_t mean_y, uint32_t row, uint32_t begin, uint32_t end);

}  // namespace terrane::detail
