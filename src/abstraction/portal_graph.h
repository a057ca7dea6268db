// The portals of an overlay as a Graph for the search kernel, with start and goal joined to it.
#pragma once
#include <cstdint>
#include <span>

#include "base/eight.h"
#include "terrane/graph.h"
#include "terrane/portal_overlay.h"

namespace terrane::detail {

inline constexpr uint32_t kNoWindow = 0xffffffff;

// How a portal was reached: from which one, and through which window. From a portal that was reached through a window, nothing new lies
// in that window: its distances are exact, so the portal before reaches all of it as cheaply.
struct PortalVia {
    PortalId from = kNoPortal;
    uint32_t window = kNoWindow;
    uint32_t index = 0;  // of the portal in that window
};

// A portal from which the goal is in reach inside a window.
struct LastLeg {
    uint32_t window = kNoWindow;
    std::span<const uint32_t> distance;  // of each of the window's portals to the goal
};

// `root` must outlive the graph. The goal is the node past all portals.
class PortalGraph {
public:
    using Node = PortalId;
    using Value = uint64_t;
    using Via = PortalVia;

    explicit PortalGraph(const OverlayRoot& root, std::span<const LastLeg> last_legs = {}) : root_(&root), last_legs_(last_legs) {}

    static PortalId id_limit(const OverlayRoot& root) { return (root.segment_count() << root.shift) + 1; }
    PortalId goal() const { return root_->segment_count() << root_->shift; }

    template <class Label, class Emit>
    void expand(PortalId node, const Label& label, Emit&& emit) const {
        const uint32_t segment = node >> root_->shift;
        for (const bool second : {false, true}) {
            const uint32_t window = root_->window_of(segment, second);
            if (window != label.via.window) expand_in(window, OverlayRoot::side_of(segment, second), node, label.g, emit);
        }
    }

    PortalId origin(PortalId, PortalVia via) const { return via.from; }

    // Calls visit(portal, index in the window) for a window's portals.
    template <class Visit>
    static void for_each_portal(const OverlayRoot& root, uint32_t window, Visit&& visit) {
        const PortalTable table = root.table(window);
        for (uint32_t i = 0; i < table.count(); ++i) visit(root.id(table.names()[i]), i);
    }

    // The index in a window of a portal on one of its lines.
    static uint32_t index_in(const OverlayRoot& root, uint32_t window, PortalId portal) {
        const uint32_t segment = portal >> root.shift;
        return root.table(window).first(OverlayRoot::side_of(segment, root.window_of(segment, true) == window)) + root.number(portal);
    }

private:
    template <class Emit>
    void expand_in(uint32_t window, uint32_t side, PortalId node, uint64_t g, Emit&& emit) const {
        const PortalTable table = root_->table(window);
        const uint32_t own = table.first(side) + root_->number(node);
        const uint32_t* row = table.row(own);
        const uint32_t count = table.count();
        prefetch(row);
        const auto* coarse = table.coarse();
        const uint32_t numbers = count * root_->options.landmarks;
        for (uint32_t i = 0; i < numbers; i += 32) prefetch(coarse + i);
        for (uint32_t i = 0; i < count; ++i) {
            if (i != own && row[i] != kNoWay) emit(root_->id(table.names()[i]), g + row[i], PortalVia{node, window, i});
        }
        for (const LastLeg& leg : last_legs_) {
            if (leg.window == window && leg.distance[own] != kNoWay) emit(goal(), g + leg.distance[own], PortalVia{node, window});
        }
    }

    const OverlayRoot* root_;
    std::span<const LastLeg> last_legs_;
};

}  // namespace terrane::detail
