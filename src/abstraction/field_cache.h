// The fields of windows that were made last.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "abstraction/window_field.h"
#include "terrane/portal_overlay.h"

namespace terrane::detail {

// The distances of all cells of a window to its portals; in closed form where all its cells cost the same. Valid until the cache was
// asked for three others.
class WindowField {
public:
    // kFarPortal where there is no way.
    uint32_t distance(WindowCell cell, uint32_t portal) const {
        if (narrow_ != nullptr) {
            const uint16_t v = narrow_->row(cell)[portal];
            return v == Field<uint16_t>::kFar ? kFarPortal : v;
        }
        if (wide_ != nullptr) return wide_->row(cell)[portal];
        const auto width = static_cast<uint32_t>(rect_.right - rect_.left);
        return uniform_distance(width, cell, window_cell(rect_, portal_cell(portal)), record_->uniform_cost, root_->movement);
    }
    bool uniform() const { return narrow_ == nullptr && wide_ == nullptr; }
    const Rect& rect() const { return rect_; }
    uint32_t portal_count() const { return record_->first[4]; }
    Cell portal_cell(uint32_t portal) const {
        uint32_t side = 0;
        while (portal >= record_->first[side + 1]) ++side;
        return root_->segments[root_->segment_of(window_, side)]->portals[portal - record_->first[side]];
    }

private:
    friend class FieldCache;
    const Field<uint16_t>* narrow_ = nullptr;
    const Field<uint32_t>* wide_ = nullptr;
    const OverlayRoot* root_ = nullptr;
    const WindowRecord* record_ = nullptr;
    uint32_t window_ = 0;
    Rect rect_;
};

// Four places for each window number modulo the number of sets; the one used longest ago goes. An entry is known by the window's
// record, which it holds: a window that was made anew is another.
class FieldCache {
public:
    explicit FieldCache(size_t max_bytes) : max_bytes_(max_bytes) {}

    WindowField get(const OverlayRoot& root, uint32_t window);

    uint64_t hits() const { return hits_; }
    uint64_t misses() const { return misses_; }
    size_t bytes() const;

private:
    static constexpr uint32_t kWays = 4;
    struct Entry {
        std::shared_ptr<const WindowRecord> record;
        uint64_t used = 0;
        bool is_wide = false;
        Field<uint16_t> narrow;
        Field<uint32_t> wide;
    };
    Entry& find(const OverlayRoot& root, uint32_t window);
    void fill(Entry& entry, const OverlayRoot& root, uint32_t window);

    size_t max_bytes_;
    std::vector<Entry> entries_;
    uint32_t sets_ = 0;
    uint64_t clock_ = 0, hits_ = 0, misses_ = 0;
    WindowCosts costs_;
    std::vector<WindowCell> portals_;
};

}  // namespace terrane::detail
