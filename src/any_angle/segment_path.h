// Builds a path from refined segments one by one, with optional trimming and smoothing.
#pragma once
#include <cstddef>
#include <vector>

#include "terrane/any_angle/smoothing.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/profile.h"

namespace terrane {

// State of one query at a time, reused. Allocates nothing after warm-up.
class SegmentPath {
public:
    void clear();
    void begin(const Ground& ground, Cell start, bool trim, bool smooth);

    std::vector<Cell>& cells() { return cells_; }
    const std::vector<Cell>& cells() const { return cells_; }
    size_t ready() const { return ready_; }  // number of leading cells that are final

    void begin_segment() { segment_begin_ = cells_.size() - 1; }
    // Call after appending the segment's cells. `sector_at(cell)` returns the rectangle of a cell's sector.
    template <class SectorAt>
    void finish_segment(bool last, SectorAt&& sector_at) {
        if (trims_ && !last) {
            const size_t kept = kept_cells();
            trimmed_ = {};
            for (size_t i = kept; i < cells_.size(); ++i) trimmed_ = hull(trimmed_, sector_at(cells_[i]));
            cells_.resize(kept);
        }
        make_ready(last);
    }
    // Hull of the sectors of the cells trimmed last: a path back to the end of that segment lies in it.
    const Rect& trimmed() const { return trimmed_; }

    size_t bytes() const { return smoothing_.bytes() + (cells_.capacity() + piece_.capacity()) * sizeof(Cell); }

private:
    size_t kept_cells() const;
    void make_ready(bool last);
    void smooth(size_t keep_open);

    Ground ground_;
    bool trims_ = false, smooths_ = false;
    std::vector<Cell> cells_;
    size_t segment_begin_ = 0;  // in cells_
    size_t ready_ = 0;
    Rect trimmed_;
    std::vector<Cell> piece_;  // being smoothed
    SmoothingScratch smoothing_;
};

}  // namespace terrane
