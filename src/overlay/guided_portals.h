// The portals of an overlay as a Graph for a search to one goal, led by landmarks.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "base/eight.h"
#include "overlay/portal_graph.h"
#include "overlay/window_field.h"

namespace terrane::detail {

// How a portal was reached, as in PortalVia, and how far it is from the goal at least.
struct GuidedVia {
    PortalId from = kNoPortal;
    uint32_t window = kNoWindow;
    uint32_t bound = 0;
};

// What a label knows already.
struct KnownBound {
    uint32_t operator()(PortalId, const GuidedVia& via) const { return via.bound; }
};

// A portal from which the goal is in reach inside a window.
struct LastLeg {
    uint32_t window = kNoWindow;
    std::span<const uint32_t> distance;  // of each of the window's portals to the goal
};

// Bounds the distance from any portal to the goal. A way to the goal ends with one of its legs q, of length d(q); so by landmark it is no
// shorter than hi - p or p - lo, with hi the least p(q) + d(q) and lo the greatest p(q) - d(q). In the units of the coarse potentials, of
// which it may be one too large: what is found may be that much longer than the best way over portals, 0.01% of it (rounded downwards
// it would not be, and searches would expand 1.4 times as many). Where octile distance says more at the start, it is used instead.
class PortalBound {
public:
    PortalBound(const OverlayRoot& root, Cell goal, uint32_t cheapest) : root_(&root), goal_(goal), lanes_(root.options.landmarks) {
        straight_ = uint64_t{2} * kFieldStraight * cheapest;
        extra_ = uint64_t{2} * (has_diagonals(root.ground.movement()) ? kFieldDiagonal - kFieldStraight : kFieldStraight) * cheapest;
    }
    // `for_each_leg(visit)` calls visit(portal, distance) for each of the goal's legs; for searches that begin in a window, with its
    // portal `index`.
    template <class Legs>
    void set_ends(const PortalTable& table, uint32_t index, Legs&& for_each_leg) {
        std::array<int32_t, kMaxLandmarks> hi, lo;
        hi.fill(kMaxPotential);
        lo.fill(0);
        for_each_leg([&](PortalId portal, uint32_t distance) {
            const int32_t* p = root_->potential(portal);
            const auto d = static_cast<int32_t>(std::min<uint32_t>(distance, kMaxPotential));
            for (uint32_t i = 0; i < lanes_; ++i) {
                hi[i] = std::min(hi[i], p[i] + d);
                lo[i] = std::max(lo[i], p[i] - d);
            }
        });
        const auto coarse = [&](int32_t value) { return static_cast<int16_t>(std::min(value >> root_->coarse_shift, 32767)); };
        for (uint32_t i = 0; i < lanes_; ++i) {
            hi_[i] = coarse(hi[i]);
            lo_[i] = coarse(lo[i]);
        }
        by_octile_ = by_landmarks(table, index) <= octile(table, index);
    }

    // Of a window's portal.
    TERRANE_INLINE uint32_t operator()(const PortalTable& table, uint32_t index) const {
        return by_octile_ ? octile(table, index) : by_landmarks(table, index);
    }

private:
    static constexpr uint32_t kMaxLandmarks = 64;
    using Lanes = Eight<int16_t>;

    TERRANE_COLD uint32_t octile(const PortalTable& table, uint32_t index) const {
        const Cell c = root_->portal(root_->id(table.names()[index]));
        const auto dx = static_cast<uint32_t>(std::abs(c.x - goal_.x)), dy = static_cast<uint32_t>(std::abs(c.y - goal_.y));
        return static_cast<uint32_t>(std::min<uint64_t>(straight_ * std::max(dx, dy) + extra_ * std::min(dx, dy), kNoWay));
    }
    TERRANE_INLINE uint32_t by_landmarks(const PortalTable& table, uint32_t index) const {
        const int16_t* p = table.coarse() + size_t{index} * lanes_;
        Lanes most = Lanes::all(0);
        if (lanes_ == 32) {  // written out, and not left to compilers: half the instructions
            most = look(p, 0, look(p, 8, look(p, 16, look(p, 24, most))));
        } else {
            for (uint32_t i = 0; i < lanes_; i += kLanes) most = look(p, i, most);
        }
        return static_cast<uint32_t>(greatest_lane(most)) << root_->coarse_shift;
    }
    TERRANE_INLINE Lanes look(const int16_t* p, uint32_t at, Lanes most) const {
        const Lanes own = Lanes::load(p + at);
        most = Lanes::greatest(most, Lanes::load(&hi_[at]) - own);
        return Lanes::greatest(most, own - Lanes::load(&lo_[at]));
    }

    std::array<int16_t, kMaxLandmarks> hi_{}, lo_{};  // first, for they are read as vectors
    const OverlayRoot* root_;
    Cell goal_;
    uint32_t lanes_;
    uint64_t straight_, extra_;
    bool by_octile_ = true;
};

// `root` and `bound` must outlive the graph. The goal is the node past all portals.
class GuidedPortals {
public:
    using Node = PortalId;
    using Value = uint64_t;
    using Via = GuidedVia;

    GuidedPortals(const OverlayRoot& root, const PortalBound& bound, std::span<const LastLeg> last_legs)
        : root_(&root), bound_(&bound), last_legs_(last_legs) {}

    PortalId goal() const { return root_->segment_count() << root_->shift; }

    // `emit` tells, besides, what ways are compared with (BestFirst): most lead where a better one does, and need no bound.
    template <class Label, class Emit>
    void expand(PortalId node, const Label& label, Emit&& emit) const {
        const uint32_t segment = node >> root_->shift;
        for (const bool second : {false, true}) {
            const uint32_t window = root_->window_of(segment, second);
            if (window != label.via.window) expand_in(window, OverlayRoot::side_of(segment, second), node, label.g, emit);
        }
    }

    PortalId origin(PortalId, const GuidedVia& via) const { return via.from; }

private:
    template <class Emit>
    void expand_in(uint32_t window, uint32_t side, PortalId node, uint64_t g, Emit&& emit) const {
        const PortalTable table = root_->table(window);
        const uint32_t count = table.count(), own = table.first(side) + root_->number(node);
        prefetch(table.row(own));
        const int16_t* coarse = table.coarse();
        const uint32_t numbers = count * root_->options.landmarks;
        for (uint32_t i = 0; i < numbers; i += 32) prefetch(coarse + i);
        if (count <= 64) {
            expand_sides(window, table, own, 0, 4, node, g, emit);
        } else {
            for (uint32_t at = 0; at < 4; ++at) expand_sides(window, table, own, at, at + 1, node, g, emit);
        }
        for (const LastLeg& leg : last_legs_) {
            if (leg.window == window && leg.distance[own] != kNoWay) emit(goal(), g + leg.distance[own], GuidedVia{node, window, 0});
        }
    }

    // To the portals of these sides of a window, at most 64. The labels of a line stand side by side, so that all are compared at once.
    template <class Emit>
    TERRANE_INLINE void expand_sides(uint32_t window, const PortalTable& table, uint32_t own, uint32_t first_side, uint32_t end_side,
                                     PortalId node, uint64_t g, Emit&& emit) const {
        const std::array<uint32_t, 4> lines = {2 * (window - root_->windows_x) + 1, 2 * window, 2 * window + 1, 2 * (window - 1)};
        const uint32_t* row = table.row(own);
        uint64_t better = 0;  // a bit for each, and for those that are not joined, too
        uint32_t first = table.first(end_side);
        for (uint32_t at = end_side; at-- > first_side;) {
            uint32_t i = first;
            first = table.first(at);
            if (i == first) continue;
            const uint64_t* known = emit.g_from(lines[at] << root_->shift);
            do {
                --i;
                better += better + (g + row[i] < known[i - first] ? 1 : 0);
            } while (i > first);
        }
        for (; better != 0; better &= better - 1) {
            const uint32_t i = first + static_cast<uint32_t>(std::countr_zero(better));
            if (row[i] == kNoWay) continue;
            emit(root_->id(table.names()[i]), g + row[i], GuidedVia{node, window, (*bound_)(table, i)});
        }
    }

    const OverlayRoot* root_;
    const PortalBound* bound_;
    std::span<const LastLeg> last_legs_;
};

}  // namespace terrane::detail
