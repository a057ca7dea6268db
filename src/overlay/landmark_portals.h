// The portals of an overlay as a Graph for a search to one goal, with a landmark heuristic (ALT).
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "base/simd8.h"
#include "overlay/cluster_field.h"
#include "overlay/portal_graph.h"

namespace terrane::detail {

// Predecessor of a portal, as in PortalVia, and a lower bound of its distance to the goal.
struct LandmarkVia {
    PortalId from = kNoPortal;
    uint32_t cluster = kNoCluster;
    uint32_t bound = 0;
};

// Heuristic that reads the bound stored with the label.
struct KnownBound {
    uint32_t operator()(PortalId, const LandmarkVia& via) const { return via.bound; }
};

// A cluster that holds the goal.
struct LastLeg {
    uint32_t cluster = kNoCluster;
    std::span<const uint32_t> distance;  // from each of the cluster's portals to the goal; kNoPath if not connected
};

// Bounds the distance from any portal to the goal from below. A path to the goal ends with one of the legs q, of length d(q). By the
// potentials p of a landmark, a portal with potential p is therefore no nearer than hi - p and p - lo, where hi is the least p(q) + d(q)
// and lo the greatest p(q) - d(q). Coarse units may overestimate by one unit: the path found costs up to 0.01% more than the best one
// over portals. (Rounding down would be admissible, with 1.4x the expansions.) If octile distance gives the larger bound at the start, it
// replaces the landmarks.
class PortalBound {
public:
    PortalBound(const OverlayData& data, Cell goal, uint32_t cheapest) : data_(&data), goal_(goal), landmarks_(data.options.landmarks) {
        straight_ = uint64_t{2} * kFieldStraight * cheapest;
        extra_ = uint64_t{2} * (has_diagonals(data.ground.movement()) ? kFieldDiagonal - kFieldStraight : kFieldStraight) * cheapest;
    }
    // `for_each_leg(visit)` calls visit(portal, distance) for each of the goal's legs. The search starts at portal `index` of the cluster
    // of `table`.
    template <class Legs>
    void set_ends(const PortalTable& table, uint32_t index, Legs&& for_each_leg) {
        by_octile_ = true;
        if (landmarks_ == 0) return;
        std::array<int32_t, kMaxLandmarks> hi, lo;
        hi.fill(kMaxPotential);
        lo.fill(0);
        for_each_leg([&](PortalId portal, uint32_t distance) {
            const size_t portals = data_->segments[portal >> data_->shift]->portals.size();
            const int32_t* p = data_->potentials[portal >> data_->shift].get() + data_->index_in_segment(portal);
            const auto d = static_cast<int32_t>(std::min<uint32_t>(distance, kMaxPotential));
            for (uint32_t i = 0; i < landmarks_; ++i) {
                hi[i] = std::min(hi[i], p[i * portals] + d);
                lo[i] = std::max(lo[i], p[i * portals] - d);
            }
        });
        const auto coarse = [&](int32_t value) { return static_cast<int16_t>(std::min(value >> data_->coarse_shift, 32767)); };
        for (uint32_t i = 0; i < landmarks_; ++i) {
            hi_[i] = coarse(hi[i]);
            lo_[i] = coarse(lo[i]);
        }
        by_octile_ = by_landmarks(table, index) <= octile(table, index);
    }

    // The bound of portal `index` of a cluster.
    TERRANE_INLINE uint32_t operator()(const PortalTable& table, uint32_t index) const {
        return by_octile_ ? octile(table, index) : by_landmarks(table, index);
    }

private:
    static constexpr uint32_t kMaxLandmarks = 64;
    using Lanes = Simd8<int16_t>;

    TERRANE_COLD uint32_t octile(const PortalTable& table, uint32_t index) const {
        const Cell c = data_->portal(data_->id(table.keys()[index]));
        const auto dx = static_cast<uint32_t>(std::abs(c.x - goal_.x)), dy = static_cast<uint32_t>(std::abs(c.y - goal_.y));
        return static_cast<uint32_t>(std::min<uint64_t>(straight_ * std::max(dx, dy) + extra_ * std::min(dx, dy), kNoPath));
    }
    TERRANE_INLINE uint32_t by_landmarks(const PortalTable& table, uint32_t index) const {
        const int16_t* p = table.coarse() + size_t{index} * landmarks_;
        Lanes most = Lanes::all(0);
        if (landmarks_ == 32) {  // unrolled by hand: half the instructions
            most = max_bound(p, 0, max_bound(p, 8, max_bound(p, 16, max_bound(p, 24, most))));
        } else {
            for (uint32_t i = 0; i < landmarks_; i += kLanes) most = max_bound(p, i, most);
        }
        return static_cast<uint32_t>(greatest_lane(most)) << data_->coarse_shift;
    }
    TERRANE_INLINE Lanes max_bound(const int16_t* p, uint32_t at, Lanes most) const {
        const Lanes own = Lanes::load(p + at);
        most = Lanes::greatest(most, Lanes::load(&hi_[at]) - own);
        return Lanes::greatest(most, own - Lanes::load(&lo_[at]));
    }

    std::array<int16_t, kMaxLandmarks> hi_{}, lo_{};  // first, for alignment: they are read as vectors
    const OverlayData* data_;
    Cell goal_;
    uint32_t landmarks_;
    uint64_t straight_, extra_;
    bool by_octile_ = true;
};

// `data` and `bound` must outlive the graph. The goal is a virtual node with the first id past all portals.
class LandmarkPortals {
public:
    using Node = PortalId;
    using Value = uint64_t;
    using Via = LandmarkVia;

    LandmarkPortals(const OverlayData& data, const PortalBound& bound, std::span<const LastLeg> last_legs)
        : data_(&data), bound_(&bound), last_legs_(last_legs) {}

    // Searches only these clusters.
    void stay_in(const Rect& clusters) { clusters_ = clusters; }

    PortalId goal() const { return data_->segment_count() << data_->shift; }

    // `emit` also gives access to g-values (BestFirst), so that dominated successors are pruned before their bounds are computed.
    template <class Label, class Emit>
    void expand(PortalId node, const Label& label, Emit&& emit) const {
        const uint32_t segment = node >> data_->shift;
        for (const bool second : {false, true}) {
            const uint32_t cluster = data_->cluster_of(segment, second);
            if (cluster != label.via.cluster && is_inside(cluster))
                expand_in(cluster, OverlayData::side_of(segment, second), node, label.g, emit);
        }
    }

    PortalId origin(PortalId, const LandmarkVia& via) const { return via.from; }

private:
    template <class Emit>
    void expand_in(uint32_t cluster, uint32_t side, PortalId node, uint64_t g, Emit&& emit) const {
        const PortalTable table = data_->table(cluster);
        const uint32_t count = table.count(), own = table.first(side) + data_->index_in_segment(node);
        prefetch(table.row(own));
        const int16_t* coarse = table.coarse();
        const uint32_t potentials = count * data_->options.landmarks;
        for (uint32_t i = 0; i < potentials; i += 32) prefetch(coarse + i);
        if (count <= 64) {
            expand_sides(cluster, table, own, 0, 4, node, g, emit);
        } else {
            for (uint32_t at = 0; at < 4; ++at) expand_sides(cluster, table, own, at, at + 1, node, g, emit);
        }
        for (const LastLeg& leg : last_legs_) {
            if (leg.cluster == cluster && leg.distance[own] != kNoPath) emit(goal(), g + leg.distance[own], LandmarkVia{node, cluster, 0});
        }
    }

    // Successors on these sides of a cluster, at most 64. The labels of a segment are adjacent in memory and are compared in one pass.
    template <class Emit>
    TERRANE_INLINE void expand_sides(uint32_t cluster, const PortalTable& table, uint32_t own, uint32_t first_side, uint32_t end_side,
                                     PortalId node, uint64_t g, Emit&& emit) const {
        const std::array<uint32_t, 4> segments = {2 * (cluster - data_->clusters_x) + 1, 2 * cluster, 2 * cluster + 1, 2 * (cluster - 1)};
        const uint32_t* row = table.row(own);
        uint64_t improved = 0;  // one bit per portal; may be set for unconnected ones
        uint32_t first = table.first(end_side);
        for (uint32_t at = end_side; at-- > first_side;) {
            uint32_t i = first;
            first = table.first(at);
            if (i == first) continue;
            const uint64_t* known = emit.g_from(segments[at] << data_->shift);
            do {
                --i;
                improved += improved + (g + row[i] < known[i - first] ? 1 : 0);
            } while (i > first);
        }
        for (; improved != 0; improved &= improved - 1) {
            const uint32_t i = first + static_cast<uint32_t>(std::countr_zero(improved));
            if (row[i] == kNoPath) continue;
            emit(data_->id(table.keys()[i]), g + row[i], LandmarkVia{node, cluster, (*bound_)(table, i)});
        }
    }

    bool is_inside(uint32_t cluster) const {
        if (clusters_.width == 0) return true;
        return clusters_.contains({static_cast<int32_t>(cluster % data_->clusters_x), static_cast<int32_t>(cluster / data_->clusters_x)});
    }

    const OverlayData* data_;
    const PortalBound* bound_;
    std::span<const LastLeg> last_legs_;
    Rect clusters_;  // of no width: all clusters
};

}  // namespace terrane::detail
