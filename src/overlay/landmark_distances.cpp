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

// Clusters whose legs and potentials are at hand, a power of two.
constexpr uint32_t kViews = 1024;

// A leg as it counts for potentials: the sum of a potential and no leg is at least kMaxPotential.
int32_t leg(uint32_t distance) { return static_cast<int32_t>(std::clamp<uint32_t>(distance, 1, kMaxPotential)); }

// Copies of the legs between the portals of a cluster and of their potentials for one landmark, padded to whole vectors.
struct ClusterView {
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
class DistanceRepair {
public:
    // `owned`: no other version shares the potentials.
    DistanceRepair(OverlayData& data, bool owned)
        : data_(data), owned_(data.segment_count(), owned), views_(kViews) {}

    // All potentials of the landmark are kMaxPotential. Continue with run().
    void begin_flood(uint32_t landmark);
    // Settles at most `budget` portals and decreases it. Returns false if there is more to do.
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
    // A portal of a cluster, with the legs to the others.
    struct Place {
        const ClusterView& view;
        uint32_t own;
        const int32_t* row() const { return view.row(own); }
    };
    // Which of its two clusters a portal was reached through.
    enum Through : uint32_t { kFirst, kSecond, kEither };
    using Entry = uint32_t;
    static Entry pack(PortalId id, uint32_t through) { return id << 2 | through; }

    template <class Visit>
    void for_each_portal(uint32_t cluster, Visit&& visit) const {
        PortalGraph::for_each_portal(data_, cluster, [&](PortalId id, uint32_t) { visit(id); });
    }
    ClusterView& slot(uint32_t cluster) { return views_[cluster % kViews]; }
    const ClusterView& view(uint32_t cluster);
    Place place(PortalId id, uint32_t which);
    uint32_t reached_through(PortalId id, uint32_t cluster) const {
        return data_.cluster_of(id >> data_.shift, true) == cluster ? kSecond : kFirst;
    }
    int32_t potential(PortalId id) const { return data_.potential(id, landmark_); }
    void set(PortalId id, int32_t value);
    void make_writable(uint32_t segment);
    bool is_root(PortalId id) const;
    bool is_explained(PortalId id, int32_t value);
    void suspect(PortalId id);
    void suspect_successors(PortalId id, int32_t value);
    void invalidate(std::span<const uint32_t> touched, uint32_t old_root);
    void start_at_root();
    void improve(PortalId id);
    void relax(PortalId id, uint32_t which, int32_t value);

    OverlayData& data_;
    Vector<bool> owned_;
    Vector<uint32_t> changed_;  // segments
    Vector<ClusterView> views_;
    uint32_t landmark_ = 0;
    HeapQueue<Entry, uint32_t> queue_;
    Vector<PortalId> invalid_;
};

const ClusterView& DistanceRepair::view(uint32_t cluster) {
    ClusterView& at = slot(cluster);
    if (at.cluster != cluster) at.read_legs(data_, cluster);
    if (at.landmark != landmark_) at.read_potentials(data_, landmark_);
    return at;
}

DistanceRepair::Place DistanceRepair::place(PortalId id, uint32_t which) {
    const uint32_t segment = id >> data_.shift, cluster = data_.cluster_of(segment, which != 0);
    const ClusterView& in = view(cluster);
    return {in, in.first[OverlayData::side_of(segment, which != 0)] + data_.index_in_segment(id)};
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
        ClusterView& at = slot(cluster);
        if (at.cluster != cluster || at.landmark != landmark_) continue;
        at.potentials[at.first[OverlayData::side_of(segment, second)] + n] = value;
    }
}

bool DistanceRepair::is_root(PortalId id) const {
    const uint32_t segment = id >> data_.shift, root = data_.landmark_clusters[landmark_];
    return data_.cluster_of(segment, false) == root || data_.cluster_of(segment, true) == root;
}

// Whether a portal has the distance `value` by way of a neighbour.
bool DistanceRepair::is_explained(PortalId id, int32_t value) {
    const Lanes own = Lanes::all(value);
    for (const uint32_t which : {0u, 1u}) {
        const Place at = place(id, which);
        Lanes found = Lanes::all(0);
        for (uint32_t i = 0; i < at.view.stride; i += kLanes) {
            found = found | (Lanes::load(at.view.potentials.data() + i) + Lanes::load(at.row() + i) == own);
        }
        if (found.any()) return true;
    }
    return false;
}

void DistanceRepair::suspect(PortalId id) {
    const int32_t p = potential(id);
    if (p < kMaxPotential) queue_.push(static_cast<uint32_t>(p), pack(id, kEither), 0);
}

// Suspects the neighbours that a portal of distance `value` explains.
void DistanceRepair::suspect_successors(PortalId id, int32_t value) {
    const Lanes own = Lanes::all(value);
    for (const uint32_t which : {0u, 1u}) {
        const Place at = place(id, which);
        const int32_t *p = at.view.potentials.data(), *row = at.row();
        for (uint32_t i = 0; i < at.view.count; i += kLanes) {
            if (!(own + Lanes::load(row + i) == Lanes::load(p + i)).any()) continue;
            for (uint32_t k = i; k < std::min(i + kLanes, at.view.count); ++k) {
                if (value + row[k] == p[k]) suspect(at.view.ids[k]);
            }
        }
    }
}

// Sets the potentials that nothing explains any more to kMaxPotential, in ascending order: a portal is explained only by smaller ones.
void DistanceRepair::invalidate(std::span<const uint32_t> touched, uint32_t old_root) {
    queue_.reset();
    invalid_.clear();
    for (const uint32_t cluster : touched) for_each_portal(cluster, [&](PortalId id) { suspect(id); });
    if (old_root != kNoCluster && old_root != data_.landmark_clusters[landmark_]) {
        for_each_portal(old_root, [&](PortalId id) { suspect(id); });
    }
    for (PortalId last = kNoPortal; !queue_.empty();) {
        const PortalId id = queue_.pop().node >> 2;
        if (id == last) continue;
        last = id;
        const int32_t value = potential(id);
        if (value == 0 ? is_root(id) : is_explained(id, value)) continue;
        set(id, kMaxPotential);
        invalid_.push_back(id);
        suspect_successors(id, value);
    }
}

void DistanceRepair::start_at_root() {
    const uint32_t root = data_.landmark_clusters[landmark_];
    if (root == kNoCluster) return;
    for_each_portal(root, [&](PortalId id) {
        if (potential(id) == 0) return;
        set(id, 0);
        queue_.push(0, pack(id, kEither), 0);
    });
}

// Takes a portal's distance from its neighbours if that is smaller.
void DistanceRepair::improve(PortalId id) {
    int32_t least = potential(id);
    uint32_t through = kEither;
    for (const uint32_t which : {0u, 1u}) {
        const Place at = place(id, which);
        Lanes lanes = Lanes::all(least);
        for (uint32_t i = 0; i < at.view.stride; i += kLanes) {
            lanes = Lanes::least(lanes, Lanes::load(at.view.potentials.data() + i) + Lanes::load(at.row() + i));
        }
        const int32_t here = least_lane(lanes);
        through = here < least ? which : through;
        least = here;
    }
    if (through == kEither) return;
    set(id, least);
    queue_.push(static_cast<uint32_t>(least), pack(id, through), 0);
}

// Gives neighbours their distance by way of a portal of distance `value` if that is smaller.
void DistanceRepair::relax(PortalId id, uint32_t which, int32_t value) {
    const Place at = place(id, which);
    const int32_t *p = at.view.potentials.data(), *row = at.row();
    const Lanes own = Lanes::all(value);
    for (uint32_t i = 0; i < at.view.count; i += kLanes) {
        if (!(own + Lanes::load(row + i) < Lanes::load(p + i)).any()) continue;
        for (uint32_t k = i; k < std::min(i + kLanes, at.view.count); ++k) {
            if (value + row[k] >= p[k]) continue;
            const PortalId to = at.view.ids[k];
            set(to, value + row[k]);
            queue_.push(static_cast<uint32_t>(value + row[k]), pack(to, reached_through(to, at.view.cluster)), 0);
        }
    }
}

// Dijkstra's algorithm. A portal that was reached through a cluster has no successors in it, see PortalVia.
bool DistanceRepair::run(uint64_t& budget) {
    while (!queue_.empty()) {
        const auto value = static_cast<int32_t>(queue_.floor());
        const Entry entry = queue_.top().node;
        const PortalId id = entry >> 2;
        const bool stale = potential(id) != value;
        if (!stale && budget == 0) return false;
        queue_.pop();
        if (stale) continue;
        if (budget != kUnlimited) --budget;
        for (const uint32_t which : {0u, 1u}) {
            if (which != (entry & 3)) relax(id, which, value);
        }
    }
    return true;
}

void DistanceRepair::begin_flood(uint32_t landmark) {
    landmark_ = landmark;
    queue_.reset();
    start_at_root();
}

void DistanceRepair::repair(uint32_t landmark, std::span<const uint32_t> touched, uint32_t old_root) {
    landmark_ = landmark;
    invalidate(touched, old_root);
    start_at_root();
    for (const PortalId id : invalid_) improve(id);
    for (const uint32_t cluster : touched) for_each_portal(cluster, [&](PortalId id) { improve(id); });
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
    for (uint32_t cluster = 0; cluster < data_.cluster_count(); ++cluster) tables[cluster] = data_.with_coarse(cluster);
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
        if (stale[cluster]) data.tables.set(cluster, data.with_coarse(cluster));
    }
}

}  // namespace

void repair_landmarks(OverlayData& data, const OverlayData& before, std::span<const uint32_t> touched,
                      std::span<const uint32_t> segments) {
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
