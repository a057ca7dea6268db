#include "overlay/landmark_selection.h"

#include <algorithm>
#include <bit>

namespace terrane::detail {

namespace {

template <class Visit>
void for_each_portal(const OverlayData& data, Visit&& visit) {
    for (uint32_t s = 0; s < data.segment_count(); ++s) {
        const auto count = static_cast<uint32_t>(data.segments[s]->portals.size());
        for (uint32_t n = 0; n < count; ++n) visit(s << data.shift | n, s, n);
    }
}

}  // namespace

LandmarkSelection::LandmarkSelection(OverlayData& data)
    : data_(data), landmarks_(data.options.landmarks), nearest_distance_(PortalGraph::id_limit(data), kInfinite<uint64_t>) {
    data.potentials = PagedVector<std::shared_ptr<int32_t[]>>(data.segment_count());
    for (uint32_t s = 0; s < data.segment_count(); ++s) {
        data.potentials.set(s, make_scoped_shared<int32_t[]>(data.segments[s]->portals.size() * landmarks_));
    }
    if (landmarks_ > 0) find_seed();
}

bool LandmarkSelection::run(uint64_t budget) {
    while (flooding_) {
        if (!flood(budget)) return false;
        take_distances();
        if (budget == 0 && flooding_) return false;
    }
    return true;
}

void LandmarkSelection::make_coarse() {
    int32_t most = 1;
    for_each_portal(data_, [&](PortalId id, uint32_t, uint32_t) {
        for (uint32_t landmark = 0; landmark < landmarks_; ++landmark) {
            const int32_t p = data_.potential(id)[landmark];
            if (p < kMaxPotential) most = std::max(most, p);
        }
    });
    const auto bits = static_cast<uint32_t>(std::bit_width(static_cast<uint32_t>(most)));
    data_.coarse_shift = bits > 15 ? bits - 15 : 0;
    // Build all tables before installing the first: they are then adjacent in memory, not in the gaps between first-move tables.
    Vector<PortalTable::Block> tables(data_.cluster_count());
    for (uint32_t cluster = 0; cluster < data_.cluster_count(); ++cluster) tables[cluster] = data_.with_coarse(cluster);
    for (uint32_t cluster = 0; cluster < data_.cluster_count(); ++cluster) data_.tables.set(cluster, std::move(tables[cluster]));
}

// Starts the first flood at the first portal of the largest connected component.
void LandmarkSelection::find_seed() {
    Vector<bool> seen(PortalGraph::id_limit(data_));
    Vector<PortalId> queue;
    PortalId best = kNoPortal;
    size_t most = 0;
    for_each_portal(data_, [&](PortalId first, uint32_t, uint32_t) {
        if (seen[first]) return;
        seen[first] = true;
        queue.assign(1, first);
        for (size_t next = 0; next < queue.size(); ++next) {
            PortalGraph(data_).expand(queue[next], Labels::Label{0, {}}, [&](PortalId to, uint64_t, PortalVia) {
                if (!seen[to]) queue.push_back(to);
                seen[to] = true;
            });
        }
        if (queue.size() > most) best = first;
        most = std::max(most, queue.size());
    });
    if (best != kNoPortal) flood_from(best);
}

void LandmarkSelection::flood_from(PortalId id) {
    flooding_ = true;
    labels_.reset(PortalGraph::id_limit(data_));
    queue_.reset();
    search_.emplace(PortalGraph(data_), ZeroHeuristic(), NoGoal(), labels_, queue_);
    search_->start(id);
}

// Returns false if there is more to do.
bool LandmarkSelection::flood(uint64_t& budget) {
    const uint64_t before = search_->expansions();
    const Status status = search_->run(budget);
    budget -= std::min(budget, search_->expansions() - before);
    return status != Status::kBudgetSpent;
}

// Stores the distances of the finished flood and starts the next one.
void LandmarkSelection::take_distances() {
    flooding_ = false;
    if (!from_seed_) {
        for_each_portal(data_, [&](PortalId id, uint32_t s, uint32_t n) {
            const uint64_t d = labels_.g(id);
            data_.potentials[s][size_t{n} * landmarks_ + landmark_] = static_cast<int32_t>(std::min<uint64_t>(d, kMaxPotential));
            nearest_distance_[id] = landmark_ == 0 ? d : std::min(nearest_distance_[id], d);
        });
        ++landmark_;
    } else {
        for_each_portal(data_, [&](PortalId id, uint32_t, uint32_t) { nearest_distance_[id] = labels_.g(id); });
        from_seed_ = false;
    }
    if (landmark_ < landmarks_) flood_from(farthest());
}

PortalId LandmarkSelection::farthest() const {
    PortalId best = kNoPortal;
    uint64_t most = 0;
    for_each_portal(data_, [&](PortalId id, uint32_t, uint32_t) {
        if (nearest_distance_[id] == kInfinite<uint64_t> || (best != kNoPortal && nearest_distance_[id] <= most)) return;
        most = nearest_distance_[id];
        best = id;
    });
    return best;
}

}  // namespace terrane::detail
