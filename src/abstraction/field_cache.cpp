#include "abstraction/field_cache.h"

#include <algorithm>

#include "terrane/assert.h"

namespace terrane::detail {

FieldCache::Entry& FieldCache::find(const OverlayRoot& root, uint32_t window) {
    if (sets_ == 0) {
        const size_t field = size_t{(kWindowStep + 1) * (kWindowStep + 1)} * 4 * root.options.slots * 2;
        sets_ = static_cast<uint32_t>(std::clamp<size_t>(max_bytes_ / field / kWays, 1, 1 << 16));
        entries_.resize(size_t{sets_} * kWays);
    }
    const WindowRecord* record = root.windows[window].get();
    Entry* const set = &entries_[size_t{window % sets_} * kWays];
    Entry* oldest = set;
    for (uint32_t way = 0; way < kWays; ++way) {
        if (set[way].record.get() == record) {
            ++hits_;
            return set[way];
        }
        if (set[way].used < oldest->used) oldest = &set[way];
    }
    ++misses_;
    fill(*oldest, root, window);
    return *oldest;
}

void FieldCache::fill(Entry& entry, const OverlayRoot& root, uint32_t window) {
    const Rect rect = root.window_rect(window);
    costs_.read(root.grid, root.small, root.movement, rect);
    portals_.clear();
    for (uint32_t side = 0; side < 4; ++side) {
        const uint32_t segment = root.segment_of(window, side);
        if (segment == kNoSegment) continue;
        for (const Cell c : root.segments[segment]->portals) portals_.push_back(window_cell(rect, c));
    }
    entry.record = root.windows[window];
    entry.is_wide = !make_field(costs_, portals_, entry.narrow);
    if (!entry.is_wide) return;
    const bool fits = make_field(costs_, portals_, entry.wide);
    TERRANE_ASSERT(fits);
}

WindowField FieldCache::get(const OverlayRoot& root, uint32_t window) {
    WindowField field;
    field.root_ = &root;
    field.record_ = root.windows[window].get();
    field.window_ = window;
    field.rect_ = root.window_rect(window);
    if (field.record_->uniform_cost != 0) return field;
    Entry& entry = find(root, window);
    entry.used = ++clock_;
    if (entry.is_wide) {
        field.wide_ = &entry.wide;
    } else {
        field.narrow_ = &entry.narrow;
    }
    return field;
}

size_t FieldCache::bytes() const {
    size_t sum = entries_.capacity() * sizeof(Entry);
    for (const Entry& e : entries_) sum += e.narrow.values.capacity() * 2 + e.wide.values.capacity() * 4;
    return sum;
}

}  // namespace terrane::detail
