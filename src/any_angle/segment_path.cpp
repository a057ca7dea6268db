#include "any_angle/segment_path.h"

#include <algorithm>

namespace terrane {

namespace {

// Trimming removes this percentage of a segment's cells from its end before the next segment is searched. minimal_memory:16 on seven dao
// maps, for 0 / 25 / 50 / 75: 1.062 / 1.033 / 1.018 / 1.009 times the optimum, with 349 / 427 / 710 / 2,109 expansions.
constexpr size_t kTrimmed = 50;

// Smoothing waits for this many cells (fewer at the start), smooths them together and releases all but the last kSmoothedAgain, which are
// smoothed again with the next ones.
constexpr size_t kSmoothedFirst = 128;
constexpr size_t kSmoothed = 256;
constexpr size_t kSmoothedAgain = 64;

}  // namespace

void SegmentPath::clear() {
    cells_.clear();
    ready_ = 0;
    trimmed_ = {};
}

void SegmentPath::begin(const Ground& ground, Cell start, bool trim, bool smooth) {
    clear();
    ground_ = ground;
    trims_ = trim;
    smooths_ = smooth;
    cells_.push_back(start);
}

size_t SegmentPath::kept_cells() const { return cells_.size() - (cells_.size() - 1 - segment_begin_) * kTrimmed / 100; }

void SegmentPath::make_ready(bool last) {
    if (!smooths_) {
        ready_ = cells_.size();
        return;
    }
    const bool enough = cells_.size() - ready_ >= (ready_ == 0 ? kSmoothedFirst : kSmoothed);
    if (last || enough) smooth(last ? 0 : kSmoothedAgain);
}

// Smooths all cells from the last final one; makes all but the last `keep_open` final.
void SegmentPath::smooth(size_t keep_open) {
    const size_t first = ready_ == 0 ? 0 : ready_ - 1;
    piece_.assign(cells_.begin() + static_cast<std::ptrdiff_t>(first), cells_.end());
    smooth_path(ground_, piece_, smoothing_);
    cells_.resize(first);
    cells_.insert(cells_.end(), piece_.begin(), piece_.end());
    ready_ = std::max(ready_, cells_.size() - std::min(cells_.size(), keep_open));
}

}  // namespace terrane
