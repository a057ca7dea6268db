#include "overlay/landmark_distances.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/simd8.h"
#include "overlay/landmark_roots.h"
#include "terrane/search/best_first.h"

namespace terrane::detail {

namespace {

using Lanes = Simd8<int32_t>;

// Clusters whose legs and potentials are at hand: all of a map of 2048x2048 cells.
constexpr uint32_t kViews = 4096;

// A leg as it counts for potentials: the sum of a potential and no leg is at least kMaxPotential.
int32_t leg(uint32_t distance) { return static_cast<int32_t>(std::clamp<uint32_t>(distance, 1, kMaxPotential)); }

// Copies of the legs between the portals of a cluster and of their potentials for one landmark, padded to whole vectors.
struct ClusterView : ScopeAllocated {
    uint32_t cluster = kNoCluster, landmark = kNoCluster;
    uint32_t count = 0, stride = 0;
    std::array<uint32_t, 5> first{};  // portal of each side, then their total
    Vector<PortalId> ids;
    Vector<int32_t> legs, potentials;

    const int32_t* row(uint32_t portal) const { return legs.data() + size_t{portal} * stride; }
    void read_legs(const OverlayData& data, uint32_t of);
    void read_potentials(const OverlayData& data, uint32_t of);
};

void ClusterView::read_legs(const OverlayData& data, uint32_t of) {
    const PortalTable table = data.table(of);
    cluster = of;
    landmark = kNoCluster;
    count = table.count();
    stride = (count + kLanes - 1) / kLanes * kLanes;
    for (uint32_t side = 0; side <= 4; ++side) first[side] = table.first(side);
    ids.resize(count);
    legs.assign(size_t{count} * stride, kMaxPotential);
    potentials.assign(stride, kMaxPotential);
    for (uint32_t a = 0; a < count; ++a) {
        ids[a] = data.id(table.keys()[a]);
        std::transform(table.row(a), table.row(a) + count, legs.data() + size_t{a} * stride, leg);
    }
}

void ClusterView::read_potentials(const OverlayData& data, uint32_t of) {
    landmark = of;
    for (uint32_t side = 0; side < 4; ++side) {
        const uint32_t portals = first[side + 1] - first[side];
        if (portals == 0) continue;
        const int32_t* from = data.potentials[ids[first[side]] >> data.shift].get();
        std::copy_n(from + size_t{of} * portals, portals, potentials.data() + first[side]);
    }
}

// Bits of the largest potential of a segment, those of unreachable portals aside; 0 if it has none.
uint32_t largest_width(const OverlayData& data, uint32_t segment) {
    const int32_t* p = data.potentials[segment].get();
    const size_t count = data.segments[segment]->portals.size() * data.options.landmarks;  // a multiple of kLanes
    const Lanes none = Lanes::all(kMaxPotential);
    Lanes bits = Lanes::all(0);  // of all, combined: as wide as the largest
    for (size_t i = 0; i < count; i += kLanes) {
        const Lanes here = Lanes::load(p + i);
        bits = bits | (here & (here < none));
    }
    std::array<int32_t, kLanes> lanes;
    bits.store(lanes.data());
    uint32_t all = 0;
    for (const int32_t lane : lanes) all |= static_cast<uint32_t>(lane);
    return static_cast<uint32_t>(std::bit_width(all));
}

uint32_t coarse_shift(const OverlayData& data) {
    uint32_t bits = 0;
    for (uint32_t b = 0; b < data.potential_widths.size(); ++b) {
        if (data.potential_widths[b] > 0) bits = b;
    }
    return bits > 15 ? bits - 15 : 0;
}

}  // namespace

// Distances of one landmark at a time. Writes to `data`, whose segments it copies before their first change.
class DistanceRepair : public ScopeAllocated {
public:
    // `owned`: no other version shares the potentials.
    DistanceRepair(OverlayData& data, bool owned)
        : data_(data),
          owned_(data.segment_count(), owned),
          dirty_(data.cluster_count()),
          suspected_(data.cluster_count()),
          views_(kViews) {}

    // All potentials of the landmark are kMaxPotential. Continue with run().
    void begin_flood(uint32_t landmark);
    // Relaxes clusters with about `budget` portals and decreases it. Returns false if there is more to do.
    bool run(uint64_t& budget);
    // `old_root`: the landmark's cluster before the edit.
    void repair(uint32_t landmark, std::span<const uint32_t> touched, uint32_t old_root);

    // A segment that is not shared with an older version. It counts as changed.
    void mark_owned(uint32_t segment) {
        owned_[segment] = true;
        changed_.push_back(segment);
    }
    const Vector<uint32_t>& changed() const { return changed_; }

private:
    template <class Visit>
    void for_each_portal(uint32_t cluster, Visit&& visit) const {
        PortalGraph::for_each_portal(data_, cluster, [&](PortalId id, uint32_t) { visit(id); });
    }
    const ClusterView& view(uint32_t cluster);
    uint32_t other_cluster(PortalId id, uint32_t cluster) const {
        return data_.cluster_of(id >> data_.shift, data_.cluster_of(id >> data_.shift, false) == cluster);
    }
    int32_t potential(PortalId id) const { return data_.potential(id, landmark_); }
    void set(PortalId id, int32_t value);
    void make_writable(uint32_t segment);
    bool is_root(PortalId id) const;
    bool is_explained(PortalId id, uint32_t cluster, int32_t value);
    void suspect(uint32_t cluster);
    bool invalidate_in(uint32_t cluster);
    void invalidate(std::span<const uint32_t> touched, uint32_t old_root);
    void start_at_root();
    void add_dirty(uint32_t cluster, int32_t key);
    void relax(uint32_t cluster);

    OverlayData& data_;
    Vector<bool> owned_;
    Vector<uint32_t> changed_;                    // segments
    Vector<bool> dirty_;                          // clusters in `queue_`
    Vector<bool> suspected_;                      // clusters in `suspects_` from the next one on
    Vector<std::unique_ptr<ClusterView>> views_;  // made on first use
    uint32_t landmark_ = 0;
    HeapQueue<uint32_t, uint32_t> queue_;  // clusters by a potential that changed there
    Vector<uint32_t> suspects_;            // clusters with potentials that may have lost their explanation
};

const ClusterView& DistanceRepair::view(uint32_t cluster) {
    std::unique_ptr<ClusterView>& slot = views_[cluster % kViews];
    if (slot == nullptr) slot = std::make_unique<ClusterView>();
    ClusterView& at = *slot;
    if (at.cluster != cluster) at.read_legs(data_, cluster);
    if (at.landmark != landmark_) at.read_potentials(data_, landmark_);
    return at;
}

void DistanceRepair::make_writable(uint32_t segment) {
    if (owned_[segment]) return;
    mark_owned(segment);
    const size_t size = data_.segments[segment]->portals.size() * data_.options.landmarks;
    auto copy = make_scoped_shared<int32_t[]>(size);
    std::copy_n(data_.potentials[segment].get(), size, copy.get());
    data_.potentials.set(segment, std::move(copy));
}

void DistanceRepair::set(PortalId id, int32_t value) {
    const uint32_t segment = id >> data_.shift, n = data_.index_in_segment(id);
    make_writable(segment);
    data_.potentials[segment].get()[landmark_ * data_.segments[segment]->portals.size() + n] = value;
    for (const bool second : {false, true}) {
        const uint32_t cluster = data_.cluster_of(segment, second);
        ClusterView* const at = views_[cluster % kViews].get();
        if (at == nullptr || at->cluster != cluster || at->landmark != landmark_) continue;
        at->potentials[at->first[OverlayData::side_of(segment, second)] + n] = value;
    }
}

bool DistanceRepair::is_root(PortalId id) const {
    const uint32_t segment = id >> data_.shift, root = data_.landmark_clusters[landmark_];
    return data_.cluster_of(segment, false) == root || data_.cluster_of(segment, true) == root;
}

// Whether a portal has the distance `value` by way of another portal of one of its clusters.
bool DistanceRepair::is_explained(PortalId id, uint32_t cluster, int32_t value) {
    const ClusterView& at = view(cluster);
    const uint32_t segment = id >> data_.shift, side = OverlayData::side_of(segment, data_.cluster_of(segment, true) == cluster);
    const int32_t *p = at.potentials.data(), *row = at.row(at.first[side] + data_.index_in_segment(id));
    const Lanes own = Lanes::all(value);
    Lanes found = Lanes::all(0);
    for (uint32_t i = 0; i < at.stride; i += kLanes) found = found | (Lanes::load(p + i) + Lanes::load(row + i) == own);
    return found.any();
}

void DistanceRepair::suspect(uint32_t cluster) {
    if (suspected_[cluster]) return;
    suspected_[cluster] = true;
    suspects_.push_back(cluster);
}

// Sets the potentials of a cluster that nothing explains to kMaxPotential. Returns whether there were any.
bool DistanceRepair::invalidate_in(uint32_t cluster) {
    bool any = false;
    for (uint32_t k = 0; k < data_.table(cluster).count(); ++k) {
        const ClusterView& at = view(cluster);  // again: the other cluster's view may have replaced it
        const int32_t value = at.potentials[k];
        if (value == kMaxPotential) continue;
        const PortalId id = at.ids[k];
        const uint32_t other = other_cluster(id, cluster);
        if (value == 0 ? is_root(id) : is_explained(id, cluster, value) || is_explained(id, other, value)) continue;
        set(id, kMaxPotential);
        add_dirty(cluster, value);
        add_dirty(other, value);
        suspect(other);
        any = true;
    }
    return any;
}

// Sets all potentials that nothing explains to kMaxPotential, and the clusters around them dirty. A potential is explained by smaller
// ones only, and its clusters are suspected again when one of those is invalidated, so the order does not matter.
void DistanceRepair::invalidate(std::span<const uint32_t> touched, uint32_t old_root) {
    suspects_.clear();
    for (const uint32_t cluster : touched) suspect(cluster);
    if (old_root != kNoCluster && old_root != data_.landmark_clusters[landmark_]) suspect(old_root);
    for (size_t next = 0; next < suspects_.size(); ++next) {
        const uint32_t cluster = suspects_[next];
        while (invalidate_in(cluster)) {
        }
        suspected_[cluster] = false;
    }
}

void DistanceRepair::start_at_root() {
    const uint32_t root = data_.landmark_clusters[landmark_];
    if (root == kNoCluster) return;
    for_each_portal(root, [&](PortalId id) {
        if (potential(id) == 0) return;
        set(id, 0);
        for (const bool second : {false, true}) add_dirty(data_.cluster_of(id >> data_.shift, second), 0);
    });
}

void DistanceRepair::add_dirty(uint32_t cluster, int32_t key) {
    if (dirty_[cluster]) return;
    dirty_[cluster] = true;
    queue_.push(static_cast<uint32_t>(key), cluster, 0);
}

// Gives each portal of a cluster its distance by way of the others if that is smaller. Once suffices: distances inside a cluster are exact.
void DistanceRepair::relax(uint32_t cluster) {
    const ClusterView& at = view(cluster);
    const int32_t* const p = at.potentials.data();
    for (uint32_t i = 0; i < at.count; i += kLanes) {
        const Lanes before = Lanes::load(p + i);
        Lanes now = before;
        for (uint32_t from = 0; from < at.count; ++from) now = Lanes::least(now, Lanes::all(p[from]) + Lanes::load(at.row(from) + i));
        if (!(now < before).any()) continue;
        std::array<int32_t, kLanes> values;
        now.store(values.data());
        for (uint32_t k = i; k < std::min(i + kLanes, at.count); ++k) {
            const PortalId id = at.ids[k];
            const int32_t value = values[k - i];
            if (value >= p[k]) continue;
            set(id, value);
            add_dirty(other_cluster(id, cluster), value);
        }
    }
}

// Relaxes dirty clusters, those with small potentials first, until none is left.
bool DistanceRepair::run(uint64_t& budget) {
    while (!queue_.empty()) {
        if (budget == 0) return false;
        const uint32_t cluster = queue_.pop().node;
        dirty_[cluster] = false;
        relax(cluster);
        if (budget != kUnlimited) budget -= std::min<uint64_t>(budget, data_.table(cluster).count());
    }
    return true;
}

void DistanceRepair::begin_flood(uint32_t landmark) {
    landmark_ = landmark;
    start_at_root();
}

void DistanceRepair::repair(uint32_t landmark, std::span<const uint32_t> touched, uint32_t old_root) {
    landmark_ = landmark;
    for (const uint32_t cluster : touched) add_dirty(cluster, 0);
    invalidate(touched, old_root);
    start_at_root();
    uint64_t unlimited = kUnlimited;
    run(unlimited);
}

LandmarkBuild::LandmarkBuild(OverlayData& data) : data_(data) {
    data.potentials = PagedVector<std::shared_ptr<int32_t[]>>(data.segment_count());
    for (uint32_t s = 0; s < data.segment_count(); ++s) {
        data.potentials.set(s, make_scoped_shared<int32_t[]>(data.segments[s]->portals.size() * data.options.landmarks, kMaxPotential));
    }
    data.landmark_clusters = landmark_roots(data);
    distances_ = std::make_unique<DistanceRepair>(data, true);
    if (data.options.landmarks > 0) distances_->begin_flood(0);
}
LandmarkBuild::~LandmarkBuild() = default;

bool LandmarkBuild::run(uint64_t budget) {
    while (landmark_ < data_.options.landmarks) {
        if (!distances_->run(budget)) return false;
        if (++landmark_ < data_.options.landmarks) distances_->begin_flood(landmark_);
    }
    return true;
}

void LandmarkBuild::make_coarse() {
    for (uint32_t s = 0; s < data_.segment_count(); ++s) ++data_.potential_widths[largest_width(data_, s)];
    data_.coarse_shift = coarse_shift(data_);
    // Build all tables before installing the first: they are then adjacent in memory, not in the gaps between first-move tables.
    Vector<PortalTable::Block> tables(data_.cluster_count());
    for (uint32_t cluster = 0; cluster < data_.cluster_count(); ++cluster) {
        const PortalTable::Block& now = data_.tables[cluster];
        const size_t words = data_.table(cluster).word_count();
        tables[cluster] = {make_scoped_shared<uint32_t[]>(words), data_.make_coarse(cluster), now.ends};
        std::copy_n(now.words.get(), words, tables[cluster].words.get());
    }
    for (uint32_t cluster = 0; cluster < data_.cluster_count(); ++cluster) data_.tables.set(cluster, std::move(tables[cluster]));
}

std::shared_ptr<int32_t[]> carry_over_potentials(const OverlayData& data, uint32_t segment, const SegmentRecord& before,
                                                 const SegmentRecord& after) {
    const size_t was = before.portals.size(), is = after.portals.size();
    auto out = make_scoped_shared<int32_t[]>(is * data.options.landmarks, kMaxPotential);
    for (size_t i = 0; i < is; ++i) {
        const auto same = std::find(before.portals.begin(), before.portals.end(), after.portals[i]);
        if (same == before.portals.end()) continue;
        const int32_t* from = data.potentials[segment].get() + (same - before.portals.begin());
        for (size_t landmark = 0; landmark < data.options.landmarks; ++landmark) out[landmark * is + i] = from[landmark * was];
    }
    return out;
}

namespace {

bool roots_may_differ(const OverlayData& data, const OverlayData& before, std::span<const uint32_t> touched) {
    return std::ranges::any_of(touched, [&](uint32_t cluster) { return root_class(data, cluster) != root_class(before, cluster); });
}

void recount_widths(OverlayData& data, const OverlayData& before, std::span<const uint32_t> changed) {
    for (const uint32_t s : changed) {
        --data.potential_widths[largest_width(before, s)];
        ++data.potential_widths[largest_width(data, s)];
    }
}

// Rewrites the coarse potentials of the clusters of `segments` and of `touched`; of all clusters if their unit changed.
void update_coarse(OverlayData& data, std::span<const uint32_t> touched, std::span<const uint32_t> segments) {
    const uint32_t shift = coarse_shift(data);
    Vector<bool> stale(data.cluster_count(), shift != data.coarse_shift);
    data.coarse_shift = shift;
    for (const uint32_t cluster : touched) stale[cluster] = true;
    for (const uint32_t s : segments) stale[data.cluster_of(s, false)] = stale[data.cluster_of(s, true)] = true;
    for (uint32_t cluster = 0; cluster < data.cluster_count(); ++cluster) {
        if (stale[cluster]) data.tables.set(cluster, {data.tables[cluster].words, data.make_coarse(cluster), data.tables[cluster].ends});
    }
}

}  // namespace

void repair_landmarks(OverlayData& data, const OverlayData& before, std::span<const uint32_t> touched, std::span<const uint32_t> segments) {
    if (data.options.landmarks == 0) return;
    if (roots_may_differ(data, before, touched)) data.landmark_clusters = landmark_roots(data);
    DistanceRepair distances(data, false);
    for (const uint32_t s : segments) distances.mark_owned(s);
    for (uint32_t landmark = 0; landmark < data.options.landmarks; ++landmark) {
        distances.repair(landmark, touched, before.landmark_clusters[landmark]);
    }
    recount_widths(data, before, distances.changed());
    update_coarse(data, touched, distances.changed());
}

}  // namespace terrane::detail
