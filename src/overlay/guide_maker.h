// Makes the field and the guide of a window towards its portals. Scratch of one thread, reused.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "overlay/window_field.h"
#include "terrane/overlay/portal_overlay.h"

namespace terrane::detail {

class GuideMaker {
public:
    // Reads a window of `root`: its lines' portals, and the costs of its cells. Returns the first portal of each side, and their end.
    std::array<uint32_t, 5> read(const OverlayRoot& root, uint32_t window);

    // Of those portals, into as many places.
    void name_portals(PortalTable::Name* out) const { std::copy(names_.begin(), names_.end(), out); }

    // Of all its cells; 0 where they differ.
    uint32_t uniform_cost() const { return costs_.uniform() ? costs_.dearest() : 0; }
    uint32_t uniform(uint32_t a, uint32_t b, Movement movement) const {
        return uniform_distance(portals_[a], portals_[b], costs_.dearest(), movement);
    }

    // Where they do: in 16 bits, or in 32 where those are too few.
    void make_field();
    uint32_t distance(uint32_t a, uint32_t b) const { return is_wide_ ? wide_.distance(targets_[a], b) : narrow_.distance(targets_[a], b); }
    std::shared_ptr<const WindowGuide> make_guide() const;
    // The same, in the memory of one that is no longer needed.
    void make_guide(WindowGuide& out) const;

private:
    WindowCosts costs_;
    std::vector<Cell> portals_;
    Vector<PortalTable::Name> names_;
    Vector<WindowCell> targets_;
    Field<int16_t> narrow_;
    Field<int32_t> wide_;
    bool is_wide_ = false;
};

}  // namespace terrane::detail
