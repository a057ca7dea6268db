#include "terrain_regions/sector_labels.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace terrane::detail {

namespace {

// The end of the run of equal cells that starts at `x`.
uint32_t run_end(const Terrain* row, uint32_t x, uint32_t width) {
    const Terrain t = row[x];
    const uint64_t eight = uint64_t{t} * 0x0101010101010101u;
    uint32_t end = x + 1;
    for (uint64_t next = 0; end + 8 <= width; end += 8) {
        std::memcpy(&next, row + end, 8);
        if (next != eight) break;
    }
    while (end < width && row[end] == t) ++end;
    return end;
}

}  // namespace

std::span<const uint64_t> EdgeCollector::sorted() {
    std::sort(keys_.begin(), keys_.end());
    // The orthogonal key of a pair sorts before the diagonal-only one, so unique() keeps it.
    keys_.erase(std::unique(keys_.begin(), keys_.end(), [](uint64_t a, uint64_t b) { return a >> 1 == b >> 1; }), keys_.end());
    return keys_;
}

Closest closest_in_run(int64_t mean_x, int64_t mean_y, uint32_t row, uint32_t begin, uint32_t end) {
    const auto squared = [](int64_t v) { return static_cast<uint64_t>(v * v); };
    const int64_t first = begin, last = int64_t{end} - 1;
    const int64_t left = std::clamp(mean_x / 256, first, last), right = std::min(left + 1, last);
    const uint64_t to_left = squared(left * 256 - mean_x), to_right = squared(right * 256 - mean_x);
    const int64_t x = to_right < to_left ? right : left;
    return {std::min(to_left, to_right) + squared(int64_t{row} * 256 - mean_y), static_cast<uint32_t>(x)};
}

void SectorLabels::label(const GridSnapshot& grid, const Rect& rect) {
    const auto width = static_cast<uint32_t>(rect.width), height = static_cast<uint32_t>(rect.height);
    runs_.clear();
    row_begin_.clear();
    if (row_.size() < width) row_.resize(width);
    for (uint32_t row = 0; row < height; ++row) {
        row_begin_.push_back(static_cast<uint32_t>(runs_.size()));
        grid.copy_row({rect.x, rect.y + static_cast<int32_t>(row)}, width, row_.data());
        find_runs(row_.data(), width);
        if (row > 0) merge_with_row_above(row);
    }
    row_begin_.push_back(static_cast<uint32_t>(runs_.size()));
    number_regions();
    place_representatives(rect);
}

void SectorLabels::find_runs(const Terrain* row, uint32_t width) {
    for (uint32_t x = 0; x < width;) {
        const uint32_t end = run_end(row, x, width);
        runs_.push_back({x, end, static_cast<uint32_t>(runs_.size()), row[x]});
        x = end;
    }
}

uint32_t SectorLabels::root(uint32_t run) {
    while (runs_[run].region != run) run = runs_[run].region = runs_[runs_[run].region].region;
    return run;
}

void SectorLabels::merge_with_row_above(uint32_t row) {
    uint32_t above = row_begin_[row - 1];
    for (uint32_t i = row_begin_[row]; i < runs_.size(); ++i) {
        while (runs_[above].end <= runs_[i].begin) ++above;
        for (uint32_t a = above; a < row_begin_[row] && runs_[a].begin < runs_[i].end; ++a) {
            if (runs_[a].terrain != runs_[i].terrain) continue;
            const uint32_t x = root(a), y = root(i);
            runs_[std::max(x, y)].region = std::min(x, y);
        }
    }
}

// A root precedes the other runs of its set, so one pass suffices.
void SectorLabels::number_regions() {
    regions_.clear();
    for (uint32_t i = 0; i < runs_.size(); ++i) {
        if (runs_[i].region == i) {
            runs_[i].region = static_cast<uint32_t>(regions_.size());
            regions_.push_back({0, 0, 0, runs_[i].terrain});
        } else {
            runs_[i].region = runs_[runs_[i].region].region;
        }
    }
}

void SectorLabels::place_representatives(const Rect& rect) {
    sums_.assign(regions_.size(), {0, 0, 0, std::numeric_limits<uint64_t>::max()});
    for_each_run([&](uint32_t row, uint32_t begin, uint32_t end, uint32_t region) {
        const uint64_t cells = end - begin;
        Sum& sum = sums_[region];
        sum.cells += cells;
        sum.x += cells * (uint64_t{begin} + end - 1) / 2;
        sum.y += cells * row;
    });
    for_each_run([&](uint32_t row, uint32_t begin, uint32_t end, uint32_t region) {
        Sum& sum = sums_[region];
        const Closest closest = closest_in_run(mean_256(sum.x, sum.cells), mean_256(sum.y, sum.cells), row, begin, end);
        if (closest.distance >= sum.best) return;
        sum.best = closest.distance;
        regions_[region].x = static_cast<uint16_t>(static_cast<uint32_t>(rect.x) + closest.x);
        regions_[region].y = static_cast<uint16_t>(static_cast<uint32_t>(rect.y) + row);
    });
}

void SectorLabels::inner_edges(EdgeCollector& edges) const {
    if (regions_.size() < 2) return;
    const auto add_edges = [&](const Run& a, const Run& b, bool diagonal) {
        if (a.region == b.region) return;
        edges.add(a.region, RegionEdge::kHere, b.region, diagonal);
        edges.add(b.region, RegionEdge::kHere, a.region, diagonal);
    };
    for (size_t row = 0; row + 1 < row_begin_.size(); ++row) {
        const uint32_t first = row_begin_[row], last = row_begin_[row + 1];
        for (uint32_t i = first; i + 1 < last; ++i) add_edges(runs_[i], runs_[i + 1], false);
        if (row == 0) continue;
        uint32_t above = row_begin_[row - 1];
        for (uint32_t i = first; i < last; ++i) {
            while (runs_[above].end < runs_[i].begin) ++above;
            for (uint32_t a = above; a < first && runs_[a].begin <= runs_[i].end; ++a) {
                add_edges(runs_[a], runs_[i], runs_[a].end == runs_[i].begin || runs_[a].begin == runs_[i].end);
            }
        }
    }
}

}  // namespace terrane::detail
