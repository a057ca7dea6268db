#include "overlay/guide_cache.h"

#include <algorithm>

namespace terrane::detail {

GuideCache::Entry& GuideCache::find(const OverlayRoot& root, uint32_t window) {
    if (sets_ == 0) {
        const size_t guide = size_t{4} * root.options.slots * (kWindowSide * kWindowSide / 2 + 4 * kWindowSide * 2);
        sets_ = static_cast<uint32_t>(std::clamp<size_t>(max_bytes_ / guide / kWays, 1, 1 << 16));
        entries_.resize(size_t{sets_} * kWays);
    }
    const std::shared_ptr<const WindowRecord>& record = root.windows[window];
    Entry* const set = &entries_[size_t{window % sets_} * kWays];
    Entry* oldest = set;
    for (uint32_t way = 0; way < kWays; ++way) {
        if (set[way].record == record) {
            set[way].used = ++clock_;
            return set[way];
        }
        if (set[way].used < oldest->used) oldest = &set[way];
    }
    maker_.read(root, window);
    maker_.make_field();
    maker_.make_guide(oldest->guide);
    oldest->record = record;
    oldest->used = ++clock_;
    return *oldest;
}

size_t GuideCache::bytes() const {
    size_t sum = entries_.capacity() * sizeof(Entry);
    for (const Entry& entry : entries_) sum += entry.guide.bytes() - sizeof(WindowGuide);
    return sum;
}

}  // namespace terrane::detail
