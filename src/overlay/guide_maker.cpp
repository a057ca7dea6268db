#include "overlay/guide_maker.h"

#include "terrane/base/assert.h"

namespace terrane::detail {

std::array<uint32_t, 5> GuideMaker::read(const OverlayRoot& root, uint32_t window) {
    std::array<uint32_t, 5> first{};
    const Rect rect = root.window_rect(window);
    portals_.clear();
    names_.clear();
    targets_.clear();
    for (uint32_t side = 0; side < 4; ++side) {
        first[side] = static_cast<uint32_t>(targets_.size());
        const uint32_t segment = root.segment_of(window, side);
        if (segment == kNoSegment) continue;
        for (const Cell c : root.segments[segment]->portals) {
            portals_.push_back(c);
            names_.push_back(segment << 8 | (static_cast<uint32_t>(targets_.size()) - first[side]));
            targets_.push_back(window_cell(rect, c));
        }
    }
    first[4] = static_cast<uint32_t>(targets_.size());
    costs_.read(root.ground.grid(), root.small, root.ground.movement(), rect);
    return first;
}

void GuideMaker::make_field() {
    is_wide_ = !detail::make_field(costs_, targets_, narrow_);
    const bool fits = !is_wide_ || detail::make_field(costs_, targets_, wide_);
    TERRANE_ASSERT(fits);
}

void GuideMaker::make_guide(WindowGuide& out) const {
    const auto count = static_cast<uint32_t>(targets_.size());
    if (is_wide_) {
        detail::make_guide(costs_, wide_, count, out);
    } else {
        detail::make_guide(costs_, narrow_, count, out);
    }
}

std::shared_ptr<const WindowGuide> GuideMaker::make_guide() const {
    auto guide = share<WindowGuide>();
    make_guide(*guide);
    return guide;
}

}  // namespace terrane::detail
