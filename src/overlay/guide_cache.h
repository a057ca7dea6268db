// The guides of windows whose overlay had no room for them: those made last.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "overlay/guide_maker.h"

namespace terrane::detail {

// Four places for each window number modulo the number of sets; the one used longest ago goes. An entry is known by the window's
// record, which it holds: a window that was made anew is another.
class GuideCache {
public:
    explicit GuideCache(size_t max_bytes) : max_bytes_(max_bytes) {}

    // The window's guide, kept by the overlay or here; null where all its cells cost the same. Valid until the cache was asked for three
    // others.
    const WindowGuide* get(const OverlayRoot& root, uint32_t window) {
        const WindowRecord& record = *root.windows[window];
        if (record.guide || record.uniform_cost != 0) return record.guide.get();
        return &find(root, window).guide;
    }

    size_t bytes() const;

private:
    static constexpr uint32_t kWays = 4;
    struct Entry {
        std::shared_ptr<const WindowRecord> record;
        uint64_t used = 0;
        WindowGuide guide;
    };
    Entry& find(const OverlayRoot& root, uint32_t window);

    size_t max_bytes_;
    Vector<Entry> entries_;
    uint32_t sets_ = 0;
    uint64_t clock_ = 0;
    GuideMaker maker_;
};

}  // namespace terrane::detail
