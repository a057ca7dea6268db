// The portals of an overlay as a Graph for the search kernel.
#pragma once
#include <cstdint>

#include "terrane/overlay/portal_overlay.h"
#include "terrane/search/graph.h"

namespace terrane::detail {

inline constexpr uint32_t kNoWindow = 0xffffffff;

// How a portal was reached: from which one, and through which window. From a portal that was reached through a window, nothing new lies
// in that window: its distances are exact, so the portal before reaches all of it as cheaply.
struct PortalVia {
    PortalId from = kNoPortal;
    uint32_t window = kNoWindow;
};

// `root` must outlive the graph.
class PortalGraph {
public:
    using Node = PortalId;
    using Value = uint64_t;
    using Via = PortalVia;

    explicit PortalGraph(const OverlayRoot& root) : root_(&root) {}

    // One more than there are, for who needs a node of his own.
    static PortalId id_limit(const OverlayRoot& root) { return (root.segment_count() << root.shift) + 1; }

    template <class Label, class Emit>
    void expand(PortalId node, const Label& label, Emit&& emit) const {
        const uint32_t segment = node >> root_->shift;
        for (const bool second : {false, true}) {
            const uint32_t window = root_->window_of(segment, second);
            if (window == label.via.window) continue;
            const PortalTable table = root_->table(window);
            const uint32_t own = table.first(OverlayRoot::side_of(segment, second)) + root_->number(node);
            const uint32_t* row = table.row(own);
            for (uint32_t i = 0; i < table.count(); ++i) {
                if (i != own && row[i] != kNoWay) emit(root_->id(table.names()[i]), label.g + row[i], PortalVia{node, window});
            }
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
    const OverlayRoot* root_;
};

}  // namespace terrane::detail
