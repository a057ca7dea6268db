// The portals of an overlay as a Graph for the search kernel.
#pragma once
#include <cstdint>

#include "terrane/overlay/portal_overlay.h"
#include "terrane/search/graph.h"

namespace terrane::detail {

inline constexpr uint32_t kNoCluster = 0xffffffff;

// Predecessor of a portal, and the cluster between the two. A portal that was reached through a cluster has no successors in it:
// distances inside a cluster are exact, so the predecessor reaches all its portals at no more cost.
struct PortalVia {
    PortalId from = kNoPortal;
    uint32_t cluster = kNoCluster;
};

// `data` must outlive the graph.
class PortalGraph {
public:
    using Node = PortalId;
    using Value = uint64_t;
    using Via = PortalVia;

    explicit PortalGraph(const OverlayData& data) : data_(&data) {}

    // One past the largest portal id, plus one id for a virtual goal node.
    static PortalId id_limit(const OverlayData& data) { return (data.segment_count() << data.shift) + 1; }

    template <class Label, class Emit>
    void expand(PortalId node, const Label& label, Emit&& emit) const {
        const uint32_t segment = node >> data_->shift;
        for (const bool second : {false, true}) {
            const uint32_t cluster = data_->cluster_of(segment, second);
            if (cluster == label.via.cluster) continue;
            const PortalTable table = data_->table(cluster);
            const uint32_t own = table.first(OverlayData::side_of(segment, second)) + data_->index_in_segment(node);
            const uint32_t* row = table.row(own);
            for (uint32_t i = 0; i < table.count(); ++i) {
                if (i != own && row[i] != kNoPath) emit(data_->id(table.keys()[i]), label.g + row[i], PortalVia{node, cluster});
            }
        }
    }

    PortalId origin(PortalId, PortalVia via) const { return via.from; }

    // Calls visit(portal, index in the cluster) for each portal of a cluster.
    template <class Visit>
    static void for_each_portal(const OverlayData& data, uint32_t cluster, Visit&& visit) {
        const PortalTable table = data.table(cluster);
        for (uint32_t i = 0; i < table.count(); ++i) visit(data.id(table.keys()[i]), i);
    }

    // The index, among the portals of a cluster, of a portal on one of its border segments.
    static uint32_t index_in(const OverlayData& data, uint32_t cluster, PortalId portal) {
        const uint32_t segment = portal >> data.shift;
        return data.table(cluster).first(OverlayData::side_of(segment, data.cluster_of(segment, true) == cluster)) +
               data.index_in_segment(portal);
    }

private:
    const OverlayData* data_;
};

}  // namespace terrane::detail
