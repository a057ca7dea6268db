#include "overlay/landmark_repair.h"

#include <algorithm>
#include <array>

#include "base/simd8.h"
#include "overlay/portal_graph.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::detail {

namespace {

using Potentials = Simd8<int32_t>;

// Lowering steps per raising step: 2 gives 1.0 ms per edit (32x32 cells, two weighted benchmark maps); lowering alone 2.5 ms.
constexpr uint32_t kLoweringsPerRaise = 2;

// Clamps the distance of two portals, so that adding it to a potential does not overflow.
uint32_t as_potential(uint32_t distance) { return std::min<uint32_t>(distance, kMaxPotential - 1); }

// Lowers one landmark's potentials until they are feasible: Dijkstra's algorithm from the portals whose potentials are too large, so that
// each is lowered once. Raising is the same with negated potentials. Keeps the new potentials to itself; the caller writes them.
class Frontier {
public:
    Frontier(const OverlayData& data, bool raises) : data_(data), raises_(raises) {}

    void begin(uint32_t landmark) {
        landmark_ = landmark;
        labels_.reset(PortalGraph::id_limit(data_));
        queue_.reset();
    }
    // Relaxes the other portals of a cluster: potential + distance.
    void relax(PortalId id, uint32_t cluster) {
        const uint32_t* distance = data_.table(cluster).row(PortalGraph::index_in(data_, cluster, id));
        const uint32_t own = potential(id);
        PortalGraph::for_each_portal(data_, cluster, [&](PortalId to, uint32_t i) {
            if (distance[i] == kNoPath) return;
            const uint32_t relaxed = own + as_potential(distance[i]);
            if (relaxed >= potential(to)) return;
            labels_.improve(to, relaxed, id, 0);
            queue_.push(relaxed, to, relaxed);
        });
    }
    // Expands one portal. Returns false if the frontier is empty.
    bool step() {
        while (!queue_.empty()) {
            const auto [id, value] = queue_.pop();
            if (labels_.g(id) != value) continue;  // stale: a lower value was found since
            for (const bool second : {false, true}) relax(id, data_.cluster_of(id >> data_.shift, second));
            return true;
        }
        return false;
    }
    // Calls visit(portal, new potential) for each portal whose potential changed.
    template <class Visit>
    void for_each(Visit&& visit) const {
        labels_.for_each([&](PortalId id, uint32_t value) { visit(id, static_cast<int32_t>(negated_if_raising(value))); });
    }

private:
    uint32_t negated_if_raising(uint32_t value) const { return raises_ ? kMaxPotential - value : value; }
    uint32_t potential(PortalId id) const {
        const uint32_t known = labels_.g(id);
        return known != kInfinite<uint32_t> ? known : negated_if_raising(static_cast<uint32_t>(data_.potential(id)[landmark_]));
    }

    const OverlayData& data_;
    const bool raises_;
    uint32_t landmark_ = 0;
    PagedLabels<PortalId, uint32_t, uint8_t, 64> labels_;
    HeapQueue<PortalId, uint32_t> queue_;
};

class LandmarkRepair {
public:
    explicit LandmarkRepair(OverlayData& data) : data_(data), owned_(data.segment_count()), lower_(data, false), raise_(data, true) {}

    void relax_new_portals(std::span<const uint32_t> clusters, std::span<const PortalTable::Key> new_portals);
    void repair(std::span<const uint32_t> clusters);
    Vector<uint32_t>& changed() { return changed_; }

private:
    template <class Visit>
    void for_each_pair(uint32_t cluster, Visit&& visit) const;
    template <class Visit>
    bool violates(PortalId from, PortalId to, Potentials distance, Visit&& visit) const;
    void find_infeasible(uint32_t cluster);
    void repair_landmark(uint32_t landmark, std::span<const uint32_t> clusters);
    bool lowering_finishes_first(bool may_raise);
    int32_t* writable(PortalId id);

    OverlayData& data_;
    std::array<int32_t, 64> infeasible_{};  // not 0: the landmark's potentials are infeasible somewhere
    Vector<uint32_t> changed_;              // segments
    Vector<bool> owned_;                    // segments whose potentials this version no longer shares
    Frontier lower_, raise_;
};

// Calls visit(from, to, key of `to`, distance) for each connected pair of a cluster's portals.
template <class Visit>
void LandmarkRepair::for_each_pair(uint32_t cluster, Visit&& visit) const {
    const PortalTable table = data_.table(cluster);
    PortalGraph::for_each_portal(data_, cluster, [&](PortalId from, uint32_t a) {
        PortalGraph::for_each_portal(data_, cluster, [&](PortalId to, uint32_t b) {
            const uint32_t distance = table.row(a)[b];
            if (distance != kNoPath) visit(from, to, table.keys()[b], Potentials::all(static_cast<int32_t>(as_potential(distance))));
        });
    });
}

// Returns whether p(to) > p(from) + distance for any landmark. Calls visit(first landmark, mask of the violations among eight).
template <class Visit>
bool LandmarkRepair::violates(PortalId from, PortalId to, Potentials distance, Visit&& visit) const {
    const int32_t *near = data_.potential(from), *far = data_.potential(to);
    Potentials any = Potentials::all(0);
    for (uint32_t landmark = 0; landmark < data_.options.landmarks; landmark += kLanes) {
        const Potentials here = Potentials::load(near + landmark) + distance < Potentials::load(far + landmark);
        visit(landmark, here);
        any = any | here;
    }
    return any.any();
}

// Sets the potentials of new portals to the largest feasible values, given the other portals of their clusters.
void LandmarkRepair::relax_new_portals(std::span<const uint32_t> clusters, std::span<const PortalTable::Key> new_portals) {
    for (bool changed = !new_portals.empty(); changed;) {
        changed = false;
        for (const uint32_t cluster : clusters) {
            for_each_pair(cluster, [&](PortalId from, PortalId to, PortalTable::Key key, Potentials distance) {
                if (!std::ranges::binary_search(new_portals, key) || !violates(from, to, distance, [](uint32_t, Potentials) {})) return;
                int32_t* const own = writable(to);  // before potential(from): copying moves both if they share a segment
                const int32_t* const near = data_.potential(from);
                for (uint32_t landmark = 0; landmark < data_.options.landmarks; landmark += kLanes) {
                    Potentials::least(Potentials::load(near + landmark) + distance, Potentials::load(own + landmark)).store(own + landmark);
                }
                changed = true;
            });
        }
    }
}

void LandmarkRepair::find_infeasible(uint32_t cluster) {
    for_each_pair(cluster, [&](PortalId from, PortalId to, PortalTable::Key, Potentials distance) {
        violates(from, to, distance, [&](uint32_t landmark, Potentials far) {
            (Potentials::load(&infeasible_[landmark]) | far).store(&infeasible_[landmark]);
        });
    });
}

// Advances both frontiers in turns until one is empty.
bool LandmarkRepair::lowering_finishes_first(bool may_raise) {
    for (;;) {
        for (uint32_t i = 0; i < kLoweringsPerRaise; ++i) {
            if (!lower_.step()) return true;
        }
        if (may_raise && !raise_.step()) return false;
    }
}

// If a portal was unreachable from the landmark, potentials may only be lowered: raising would spread kMaxPotential to all others.
void LandmarkRepair::repair_landmark(uint32_t landmark, std::span<const uint32_t> clusters) {
    bool may_raise = true;
    lower_.begin(landmark);
    raise_.begin(landmark);
    for (const uint32_t cluster : clusters) {
        PortalGraph::for_each_portal(data_, cluster, [&](PortalId id, uint32_t) {
            lower_.relax(id, cluster);
            raise_.relax(id, cluster);
            may_raise = may_raise && data_.potential(id)[landmark] < kMaxPotential;
        });
    }
    (lowering_finishes_first(may_raise) ? lower_ : raise_).for_each([&](PortalId id, int32_t potential) {
        writable(id)[landmark] = potential;
    });
}

void LandmarkRepair::repair(std::span<const uint32_t> clusters) {
    infeasible_.fill(0);
    for (const uint32_t cluster : clusters) find_infeasible(cluster);
    for (uint32_t landmark = 0; landmark < data_.options.landmarks; ++landmark) {
        if (infeasible_[landmark] != 0) repair_landmark(landmark, clusters);
    }
}

int32_t* LandmarkRepair::writable(PortalId id) {
    const uint32_t segment = id >> data_.shift, landmarks = data_.options.landmarks;
    if (!owned_[segment]) {
        changed_.push_back(segment);
        const size_t size = data_.segments[segment]->portals.size() * landmarks;
        auto copy = make_scoped_shared<int32_t[]>(size);
        std::copy_n(data_.potentials[segment].get(), size, copy.get());
        data_.potentials.set(segment, std::move(copy));
    }
    owned_[segment] = true;
    return data_.potentials[segment].get() + size_t{data_.index_in_segment(id)} * landmarks;
}

// Groups the touched clusters into connected components by shared border segments, so that distant edit sites are repaired separately.
// Calls visit(clusters) for each.
template <class Visit>
void for_each_component(const OverlayData& data, std::span<const uint32_t> clusters, Visit&& visit) {
    Vector<bool> seen(clusters.size());
    Vector<uint32_t> component;
    const auto add = [&](uint32_t cluster) {
        const auto at = static_cast<size_t>(std::ranges::lower_bound(clusters, cluster) - clusters.begin());
        if (at == clusters.size() || clusters[at] != cluster || seen[at]) return;
        seen[at] = true;
        component.push_back(cluster);
    };
    for (const uint32_t first : clusters) {
        component.clear();
        add(first);
        for (size_t next = 0; next < component.size(); ++next) {
            const uint32_t cluster = component[next], x = cluster % data.clusters_x;
            add(cluster - data.clusters_x);
            add(cluster + data.clusters_x);
            if (x > 0) add(cluster - 1);
            if (x + 1 < data.clusters_x) add(cluster + 1);
        }
        if (!component.empty()) visit(std::span<const uint32_t>(component));
    }
}

}  // namespace

std::shared_ptr<int32_t[]> carry_over_potentials(const OverlayData& data, uint32_t segment, const SegmentRecord& before,
                                                 const SegmentRecord& after, Vector<PortalTable::Key>& new_portals) {
    const uint32_t landmarks = data.options.landmarks;
    auto out = make_scoped_shared<int32_t[]>(after.portals.size() * landmarks, kMaxPotential);
    for (uint32_t i = 0; i < after.portals.size(); ++i) {
        const auto same = std::find(before.portals.begin(), before.portals.end(), after.portals[i]);
        if (same == before.portals.end()) {
            new_portals.push_back(segment << 8 | i);
        } else {
            std::copy_n(data.potentials[segment].get() + (same - before.portals.begin()) * landmarks, landmarks,
                        out.get() + size_t{i} * landmarks);
        }
    }
    return out;
}

Vector<uint32_t> repair_landmarks(OverlayData& data, std::span<const uint32_t> clusters, std::span<const PortalTable::Key> new_portals) {
    LandmarkRepair repair(data);
    repair.relax_new_portals(clusters, new_portals);
    for_each_component(data, clusters, [&](std::span<const uint32_t> component) { repair.repair(component); });
    return std::move(repair.changed());
}

}  // namespace terrane::detail
