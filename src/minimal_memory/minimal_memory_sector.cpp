#include "minimal_memory/minimal_memory_sector.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "terrain_regions/sector_labels.h"

namespace terrane::detail {

void SectorOutline::make(const GridSnapshot& grid, const Rect& rect, const std::array<bool, 256>& passable, bool cutting) {
    width_ = static_cast<uint32_t>(rect.width);
    height_ = static_cast<uint32_t>(rect.height);
    runs_.clear();
    std::array<Terrain, kMaxSector> row;
    for (uint32_t y = 0; y < height_; ++y) {
        const size_t begin = runs_.size();
        grid.copy_row({rect.x, rect.y + static_cast<int32_t>(y)}, width_, row.data());
        find_runs(row.data(), y, passable);
        if (y > 0) unite_with_row_above(begin, cutting);
        above_ = begin;
    }
    number_regions();
    find_means();
    fill_borders();
}

void SectorOutline::find_runs(const Terrain* row, uint32_t y, const std::array<bool, 256>& passable) {
    for (uint32_t x = 0; x < width_; ++x) {
        if (!passable[row[x]]) continue;
        const uint32_t begin = x;
        while (x < width_ && passable[row[x]]) ++x;
        runs_.push_back(
            {static_cast<uint16_t>(y), static_cast<uint16_t>(begin), static_cast<uint16_t>(x), static_cast<uint16_t>(runs_.size())});
    }
}

uint16_t SectorOutline::root(uint16_t run) {
    while (runs_[run].region != run) run = runs_[run].region = runs_[runs_[run].region].region;
    return run;
}

// Unites runs of adjacent rows that overlap or, if corners may be cut, touch diagonally.
void SectorOutline::unite_with_row_above(size_t row_begin, bool cutting) {
    const uint32_t reach = cutting ? 1 : 0;
    size_t above = above_;
    for (size_t i = row_begin; i < runs_.size(); ++i) {
        while (above < row_begin && runs_[above].end + reach <= runs_[i].begin) ++above;
        for (size_t a = above; a < row_begin && runs_[a].begin < runs_[i].end + reach; ++a) {
            const uint16_t x = root(static_cast<uint16_t>(a)), y = root(static_cast<uint16_t>(i));
            runs_[std::max(x, y)].region = std::min(x, y);
        }
    }
}

// One pass suffices: a root precedes the other runs of its region.
void SectorOutline::number_regions() {
    means_.clear();
    for (size_t i = 0; i < runs_.size(); ++i) {
        if (runs_[i].region == i) {
            runs_[i].region = static_cast<uint16_t>(means_.size());
            means_.emplace_back();
        } else {
            runs_[i].region = runs_[runs_[i].region].region;
        }
    }
}

void SectorOutline::find_means() {
    sums_.assign(means_.size(), {0, 0, 0, std::numeric_limits<uint64_t>::max()});
    for (const Run& run : runs_) {
        const uint64_t cells = static_cast<uint64_t>(run.end - run.begin);
        Sum& sum = sums_[run.region];
        sum.cells += cells;
        sum.x += cells * (uint64_t{run.begin} + run.end - 1) / 2;
        sum.y += cells * run.row;
    }
    for (const Run& run : runs_) {
        Sum& sum = sums_[run.region];
        const Closest closest = closest_in_run(mean_256(sum.x, sum.cells), mean_256(sum.y, sum.cells), run.row, run.begin, run.end);
        if (closest.distance >= sum.best) continue;
        sum.best = closest.distance;
        means_[run.region] = {static_cast<int32_t>(closest.x), run.row};
    }
}

void SectorOutline::fill_borders() {
    for (Border* border : {&top_, &bottom_, &left_, &right_}) border->fill(kBlockedCell);
    for (const Run& run : runs_) {
        if (run.row == 0) std::fill(top_.begin() + run.begin, top_.begin() + run.end, run.region);
        if (run.row + 1u == height_) std::fill(bottom_.begin() + run.begin, bottom_.begin() + run.end, run.region);
        if (run.begin == 0) left_[run.row] = run.region;
        if (run.end == width_) right_[run.row] = run.region;
    }
}

std::span<const uint16_t> SectorOutline::border(uint32_t direction) const {
    const Cell step = kMinimalMemorySteps[direction];
    if (step.x == 0) return {step.y < 0 ? top_.data() : bottom_.data(), width_};
    if (step.y == 0) return {step.x < 0 ? left_.data() : right_.data(), height_};
    return {(step.y < 0 ? top_.data() : bottom_.data()) + (step.x < 0 ? 0 : width_ - 1), 1};
}

SectorMaker::SectorMaker(const MinimalMemoryData& data, uint32_t columns, uint32_t rows)
    : data_(&data), columns_(std::bit_ceil(columns)), rows_(std::bit_ceil(rows)), cache_(size_t{columns_} * rows_) {
    for (uint32_t t = 0; t < passable_.size(); ++t) passable_[t] = data.set.contains(static_cast<Terrain>(t));
    if (data.options.optimise_centres) centres_.emplace(data.grid, data.set, data.movement, data.options.centre_cost);
}

const SectorOutline& SectorMaker::outline(uint32_t sector) {
    const uint32_t x = sector % data_->sectors_x, y = sector / data_->sectors_x;
    CachedOutline& cached = cache_[size_t{y & (rows_ - 1)} * columns_ + (x & (columns_ - 1))];
    if (cached.sector != sector) {
        cached.outline.make(data_->grid, data_->rect(sector), passable_, data_->set.cutting);
        cached.sector = sector;
    }
    return cached.outline;
}

const EncodedSector& SectorMaker::make(uint32_t sector) {
    find_edges(sector);
    store_edges();
    place_centres(sector);
    plain_.labels.clear();
    if (data_->options.labels && plain_.regions.size() > 1) write_labels(sector);
    encode_sector(plain_, data_->options, encoded_);
    return encoded_;
}

void SectorMaker::find_edges(uint32_t sector) {
    keys_.clear();
    for (uint32_t d = 0; d < kMinimalMemoryDirections; ++d) {
        if (data_->has_neighbour(sector, d)) find_edges_across(sector, d);
    }
    std::ranges::sort(keys_);
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    plain_.regions.resize(outline(sector).regions());
}

void SectorMaker::find_edges_across(uint32_t sector, uint32_t direction) {
    const auto add = [&](uint16_t from, uint16_t to) {
        if (from == SectorOutline::kBlockedCell || to == SectorOutline::kBlockedCell) return;
        const uint32_t key = static_cast<uint32_t>(from) << 16 | direction << 13 | to;
        if (keys_.empty() || keys_.back() != key) keys_.push_back(key);
    };
    // A copy, since computing the neighbour's outline may evict the sector's own from the cache.
    std::array<uint16_t, kMaxSector> own;
    const std::span<const uint16_t> border = outline(sector).border(direction);
    std::ranges::copy(border, own.begin());
    const size_t length = border.size();
    const std::span<const uint16_t> other = outline(data_->neighbour(sector, direction)).border(7 - direction);
    const Cell step = kMinimalMemorySteps[direction];
    if (step.x != 0 && step.y != 0) {
        const Rect rect = data_->rect(sector);
        const Cell corner{step.x < 0 ? rect.x : rect.right() - 1, step.y < 0 ? rect.y : rect.bottom() - 1};
        const bool open =
            passable_[data_->grid.at(Cell{corner.x + step.x, corner.y})] && passable_[data_->grid.at(Cell{corner.x, corner.y + step.y})];
        if (open || data_->set.cutting) add(own[0], other[0]);
        return;
    }
    for (size_t i = 0; i < length; ++i) {
        add(own[i], other[i]);
        if (data_->set.cutting && i > 0) add(own[i], other[i - 1]);
        if (data_->set.cutting && i + 1 < length) add(own[i], other[i + 1]);
    }
}

void SectorMaker::store_edges() {
    plain_.edges.clear();
    size_t next = 0;
    for (uint32_t r = 0; r < plain_.regions.size(); ++r) {
        plain_.regions[r].first_edge = static_cast<uint32_t>(next);
        for (; next < keys_.size() && keys_[next] >> 16 == r; ++next) plain_.edges.push_back({keys_[next] >> 13 & 7, keys_[next] & 0x1fff});
    }
}

void SectorMaker::place_centres(uint32_t sector) {
    const auto regions = static_cast<uint32_t>(plain_.regions.size());
    for (uint32_t r = 0; r < regions; ++r) plain_.regions[r].centre = outline(sector).mean(r);
    if (!centres_) return;
    const Rect rect = data_->rect(sector);
    for (uint32_t r = 0; r < regions; ++r) {
        neighbours_.clear();
        for (const MinimalMemoryEdge& e : plain_.edges_of(r)) {
            const Rect there = data_->rect(data_->neighbour(sector, e.direction));
            const Cell mean = outline(data_->neighbour(sector, e.direction)).mean(e.number);
            neighbours_.push_back({{there.x + mean.x, there.y + mean.y}, hull(rect, there)});
        }
        cells_.clear();
        for (const SectorOutline::Run& run : outline(sector).runs()) {
            if (run.region != r) continue;
            for (int32_t x = run.begin; x < run.end; ++x) cells_.push_back({rect.x + x, rect.y + run.row});
        }
        const Cell mean = plain_.regions[r].centre;
        const Cell best = centres_->find({rect.x + mean.x, rect.y + mean.y}, cells_, neighbours_);
        plain_.regions[r].centre = {best.x - rect.x, best.y - rect.y};
    }
}

void SectorMaker::write_labels(uint32_t sector) {
    const Rect rect = data_->rect(sector);
    const auto width = static_cast<size_t>(rect.width);
    plain_.labels.assign(width * static_cast<size_t>(rect.height), 0);
    for (const SectorOutline::Run& run : outline(sector).runs()) {
        std::fill_n(plain_.labels.begin() + static_cast<std::ptrdiff_t>(run.row * width + run.begin), run.end - run.begin, run.region);
    }
}

}  // namespace terrane::detail
