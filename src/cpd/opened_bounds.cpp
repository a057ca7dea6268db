#include "cpd/opened_bounds.h"

#include <algorithm>

namespace terrane::detail {

static constexpr uint64_t kFar = kInfinite<uint64_t>;

void OpenedBounds::begin(const ChangedGrid& grid, PathBounds& bounds, CellId goal) {
    const PerturbationRoot& root = grid.root();
    blocks_.clear();
    octile_ = OctileBound(root.cheapest, has_diagonals(root.now.movement()));
    if (root.blocks.empty()) return;
    if (root.opened.empty()) {
        make_coarse_blocks(root, grid.layout().cell(goal));
    } else {
        make_blocks(root, bounds);
    }
    settle();
}

// From each block of cells: those that have a path, and those that have none.
void OpenedBounds::make_blocks(const PerturbationRoot& root, PathBounds& bounds) {
    places_.resize(root.opened.size());
    for (const OpenedBlock& from : root.blocks) {
        Block near{from.rect, kFar, 0, kFar, false};
        bool any_far = false, any_near = false;
        for (uint32_t i = from.first; i < from.first + from.count; ++i) {
            const uint64_t base = bounds(root.opened[i]).base;
            places_[i] = static_cast<uint32_t>(blocks_.size()) + (base == kFar ? 1 : 0);
            (base == kFar ? any_far : any_near) = true;
            near.low = std::min(near.low, base);
            if (base != kFar) near.high = std::max(near.high, base);
        }
        near.to_goal = near.low;
        if (any_near) blocks_.push_back(near);
        if (any_far) blocks_.push_back({from.rect, kFar, kFar, kFar, false});
        if (any_near) continue;
        for (uint32_t i = from.first; i < from.first + from.count; ++i) --places_[i];
    }
    const size_t count = blocks_.size();
    steps_.assign(count * count, kFar);
    for (const OpenedStep& step : root.opened_steps) {
        const size_t a = places_[step.a], b = places_[step.b];
        steps_[a * count + b] = steps_[b * count + a] = std::min(steps_[a * count + b], step.cost);
    }
}

// Without a look at their cells: any cost that octile distance allows.
void OpenedBounds::make_coarse_blocks(const PerturbationRoot& root, Cell goal) {
    for (const OpenedBlock& from : root.blocks) {
        const uint64_t low = octile_(goal, from.rect);
        blocks_.push_back({from.rect, low, kFar, low, false});
    }
    steps_.assign(blocks_.size() * blocks_.size(), kFar);
}

// The least difference between a base cost in [low, high] and one of the block's; kFar where one side has a path and the other has none.
uint64_t OpenedBounds::gap(uint64_t low, uint64_t high, const Block& block) {
    if (low > block.high) return low == kFar ? kFar : low - block.high;
    if (block.low > high) return block.low == kFar ? kFar : block.low - high;
    return 0;
}

uint64_t OpenedBounds::distance(const Block& a, const Block& b) const { return std::max(octile_(a.rect, b.rect), gap(a.low, a.high, b)); }

// Dijkstra's algorithm between all blocks.
void OpenedBounds::settle() {
    const size_t count = blocks_.size();
    for (size_t round = 0; round < count; ++round) {
        size_t next = count;
        for (size_t i = 0; i < count; ++i) {
            if (!blocks_[i].settled && (next == count || blocks_[i].to_goal < blocks_[next].to_goal)) next = i;
        }
        Block& from = blocks_[next];
        if (from.to_goal == kFar) return;
        from.settled = true;
        for (size_t i = 0; i < count; ++i) {
            const uint64_t step = std::min(steps_[next * count + i], distance(from, blocks_[i]));
            if (step != kFar) blocks_[i].to_goal = std::min(blocks_[i].to_goal, from.to_goal + step);
        }
    }
}

uint64_t OpenedBounds::operator()(Cell cell, uint64_t base) const {
    uint64_t least = base;
    for (const Block& block : blocks_) {
        const uint64_t apart = gap(base, base, block);
        if (apart == kFar || block.to_goal == kFar) continue;
        least = std::min(least, std::max(octile_(cell, block.rect), apart) + block.to_goal);
    }
    return least;
}

OpenedBounds::Entry OpenedBounds::from_start(const ChangedGrid& grid, PathBounds& back, Cell start, uint64_t base) const {
    const std::vector<CellId>& cells = grid.root().opened;
    if (cells.empty()) return {(*this)(start, base), kNoCell};
    Entry entry{base, kNoCell};
    for (size_t i = 0; i < cells.size(); ++i) {
        const uint64_t rest = blocks_[places_[i]].to_goal, way = back(cells[i]).base;
        if (rest != kFar && way != kFar && way + rest < entry.bound) entry = {way + rest, cells[i]};
    }
    return entry;
}

}  // namespace terrane::detail
