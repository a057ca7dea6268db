#include "overlay/first_move_cache.h"

#include <algorithm>

namespace terrane::detail {

FirstMoveCache::Entry& FirstMoveCache::find(const OverlayData& data, uint32_t cluster) {
    if (sets_ == 0) {
        const size_t first_moves = size_t{4} * data.options.portals_per_side * (kClusterSide * kClusterSide / 2 + 4 * kClusterSide * 2);
        sets_ = static_cast<uint32_t>(std::clamp<size_t>(max_bytes_ / first_moves / kWays, 1, 1 << 16));
        entries_.resize(size_t{sets_} * kWays);
    }
    const std::shared_ptr<const ClusterRecord>& record = data.clusters[cluster];
    Entry* const set = &entries_[size_t{cluster % sets_} * kWays];
    Entry* oldest = set;
    for (uint32_t way = 0; way < kWays; ++way) {
        if (set[way].record == record) {
            set[way].used = ++clock_;
            return set[way];
        }
        if (set[way].used < oldest->used) oldest = &set[way];
    }
    builder_.read(data, cluster);
    builder_.make_field();
    builder_.make_first_moves(oldest->first_moves);
    oldest->record = record;
    oldest->used = ++clock_;
    return *oldest;
}

size_t FirstMoveCache::bytes() const {
    size_t sum = entries_.capacity() * sizeof(Entry);
    for (const Entry& entry : entries_) sum += entry.first_moves.bytes() - sizeof(FirstMoveTable);
    return sum;
}

}  // namespace terrane::detail
