// A path that grows segment by segment: what queries over sectors do with each one that was refined. Trimmed and smoothed, if asked for.
#pragma once
#include <cstddef>
#include <vector>

#include "terrane/any_angle/smoothing.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/profile.h"

namespace terrane {

// Scratch and state of one query at a time, reused. After warm-up nothing is allocated.
class SegmentPath {
public:
    void clear();
    void begin(const Ground& ground, Cell start, bool trim, bool smooth);

    std::vector<Cell>& cells() { return cells_; }
    const std::vector<Cell>& cells() const { return cells_; }
    size_t ready() const { return ready_; }  // of them: they will not change

    void begin_segment() { segment_begin_ = cells_.size() - 1; }
    // Its cells are there. `sector_at(cell)` is the rectangle of a cell's sector.
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
    // The sectors of what was cut off last: the way back to where that segment ended is in them.
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
