#include "overlay/cluster_builder.h"

#include "terrane/base/assert.h"

namespace terrane::detail {

std::array<uint32_t, 5> ClusterBuilder::read(const OverlayData& data, uint32_t cluster) {
    std::array<uint32_t, 5> first{};
    const Rect rect = data.cluster_rect(cluster);
    portals_.clear();
    keys_.clear();
    targets_.clear();
    for (uint32_t side = 0; side < 4; ++side) {
        first[side] = static_cast<uint32_t>(targets_.size());
        const uint32_t segment = data.segment_of(cluster, side);
        if (segment == kNoSegment) continue;
        for (const Cell c : data.segments[segment]->portals) {
            portals_.push_back(c);
            keys_.push_back(segment << 8 | (static_cast<uint32_t>(targets_.size()) - first[side]));
            targets_.push_back(cluster_cell(rect, c));
        }
    }
    first[4] = static_cast<uint32_t>(targets_.size());
    costs_.read(data.ground.grid(), data.table_costs, data.ground.movement(), rect);
    return first;
}

void ClusterBuilder::make_field() {
    is_wide_ = !detail::make_field(costs_, targets_, narrow_);
    const bool fits = !is_wide_ || detail::make_field(costs_, targets_, wide_);
    TERRANE_ASSERT(fits);
}

void ClusterBuilder::make_first_moves(FirstMoveTable& out) const {
    const auto count = static_cast<uint32_t>(targets_.size());
    if (is_wide_) {
        detail::make_first_moves(costs_, wide_, count, out);
    } else {
        detail::make_first_moves(costs_, narrow_, count, out);
    }
}

std::shared_ptr<const FirstMoveTable> ClusterBuilder::make_first_moves() const {
    auto first_moves = make_scoped_shared<FirstMoveTable>();
    make_first_moves(*first_moves);
    return first_moves;
}

}  // namespace terrane::detail
