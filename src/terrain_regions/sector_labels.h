// The regions of one sector, found by runs: a row's stretches of one terrain are joined to those they touch in the row above
// by union-find. The regions, and their numbers, are those that a breadth-first search from every unlabelled cell would
// give (Sturtevant et al. 2019, 4.1), in time linear in the cells to read and the runs to join.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane::detail {

// Edges as they are collected: the region's number, then RegionEdge's bits. Adding one again is almost free; sorted() gives
// each pair once, orthogonal where any contact was.
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

// Scratch, reused from sector to sector.
class SectorLabels {
public:
    // Labels the cells of `rect`, a rectangle on the map.
    void label(const GridSnapshot& grid, const Rect& rect);

    std::span<const Region> regions() const { return regions_; }  // first_edge is not set
    // Adds the edges between them.
    void inner_edges(EdgeCollector& edges) const;

    // Calls visit(row, begin, end, region number) for every run, by rows; coordinates are from the rectangle's corner.
    template <class Visit>
    void for_each_run(Visit&& visit) const {
        for (uint32_t row = 0; row + 1 < row_begin_.size(); ++row) {
            for (uint32_t i = row_begin_[row]; i < row_begin_[row + 1]; ++i) visit(row, runs_[i].begin, runs_[i].end, runs_[i].region);
        }
    }

private:
    struct Run {
        uint32_t begin, end;
        uint32_t region;  // until numbered: the run's parent, of which the smallest is the root
        Terrain terrain;
    };
    void find_runs(const Terrain* row, uint32_t width);
    void join_to_row_above(uint32_t row);
    uint32_t root(uint32_t run);
    void number_regions();
    void place_representatives(const Rect& rect);

    Vector<Terrain> row_;
    Vector<Run> runs_;
    Vector<uint32_t> row_begin_;  // first run of each row, and one past the last
    Vector<Region> regions_;
    struct Sum {
        uint64_t cells, x, y;
        uint64_t best;  // squared distance of the representative so far
    };
    Vector<Sum> sums_;
};

// The mean in 256ths of a cell.
inline int64_t mean_256(uint64_t sum, uint64_t count) { return static_cast<int64_t>((sum * 256 + count / 2) / count); }

// The squared distance, in 256ths of a cell, of the cell of a run that is closest to the mean, and its x (the left of two).
struct Closest {
    uint64_t distance;
    uint32_t x;
};
Closest closest_in_run(int64_t mean_x, int64_t mean_y, uint32_t row, uint32_t begin, uint32_t end);

}  // namespace terrane::detail
