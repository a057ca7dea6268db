#include "overlay/landmark_placer.h"

#include <algorithm>
#include <bit>

namespace terrane::detail {

namespace {

template <class Visit>
void for_each_portal(const OverlayRoot& root, Visit&& visit) {
    for (uint32_t s = 0; s < root.segment_count(); ++s) {
        const auto count = static_cast<uint32_t>(root.segments[s]->portals.size());
        for (uint32_t n = 0; n < count; ++n) visit(s << root.shift | n, s, n);
    }
}

}  // namespace

LandmarkPlacer::LandmarkPlacer(OverlayRoot& root)
    : root_(root), lanes_(root.options.landmarks), nearest_(PortalGraph::id_limit(root), kInfinite<uint64_t>) {
    root.potentials = PagedVector<std::shared_ptr<int32_t[]>>(root.segment_count());
    for (uint32_t s = 0; s < root.segment_count(); ++s) {
        root.potentials.set(s, share<int32_t[]>(root.segments[s]->portals.size() * lanes_));
    }
    if (lanes_ > 0) find_first();
}

bool LandmarkPlacer::run(uint64_t budget) {
    while (flooding_) {
        if (!flood(budget)) return false;
        take();
        if (budget == 0 && flooding_) return false;
    }
    return true;
}

void LandmarkPlacer::make_coarse() {
    int32_t most = 1;
    for_each_portal(root_, [&](PortalId id, uint32_t, uint32_t) {
        for (uint32_t lane = 0; lane < lanes_; ++lane) {
            const int32_t p = root_.potential(id)[lane];
            if (p < kMaxPotential) most = std::max(most, p);
        }
    });
    const auto bits = static_cast<uint32_t>(std::bit_width(static_cast<uint32_t>(most)));
    root_.coarse_shift = bits > 15 ? bits - 15 : 0;
    // All before the first takes its place: so tables stand side by side, and not where the guides made at their time left room.
    Vector<PortalTable::Block> tables(root_.window_count());
    for (uint32_t w = 0; w < root_.window_count(); ++w) tables[w] = root_.with_coarse(w);
    for (uint32_t w = 0; w < root_.window_count(); ++w) root_.tables.set(w, std::move(tables[w]));
}

// From the first portal of the largest part, which is found by a walk over all.
void LandmarkPlacer::find_first() {
    Vector<bool> seen(PortalGraph::id_limit(root_));
    Vector<PortalId> queue;
    PortalId best = kNoPortal;
    size_t most = 0;
    for_each_portal(root_, [&](PortalId first, uint32_t, uint32_t) {
        if (seen[first]) return;
        seen[first] = true;
        queue.assign(1, first);
        for (size_t next = 0; next < queue.size(); ++next) {
            PortalGraph(root_).expand(queue[next], Labels::Label{0, {}}, [&](PortalId to, uint64_t, PortalVia) {
                if (!seen[to]) queue.push_back(to);
                seen[to] = true;
            });
        }
        if (queue.size() > most) best = first;
        most = std::max(most, queue.size());
    });
    if (best != kNoPortal) flood_from(best);
}

void LandmarkPlacer::flood_from(PortalId id) {
    flooding_ = true;
    labels_.reset(PortalGraph::id_limit(root_));
    queue_.reset();
    search_.emplace(PortalGraph(root_), ZeroHeuristic(), NoGoal(), labels_, queue_);
    search_->start(id);
}

// False while there is more to do.
bool LandmarkPlacer::flood(uint64_t& budget) {
    const uint64_t before = search_->expansions();
    const Status status = search_->run(budget);
    budget -= std::min(budget, search_->expansions() - before);
    return status != Status::kBudgetSpent;
}

// What the flood found: of the part's first portal at first, then of one landmark after another.
void LandmarkPlacer::take() {
    flooding_ = false;
    if (!first_) {
        for_each_portal(root_, [&](PortalId id, uint32_t s, uint32_t n) {
            const uint64_t d = labels_.g(id);
            root_.potentials[s][size_t{n} * lanes_ + lane_] = static_cast<int32_t>(std::min<uint64_t>(d, kMaxPotential));
            nearest_[id] = lane_ == 0 ? d : std::min(nearest_[id], d);
        });
        ++lane_;
    } else {
        for_each_portal(root_, [&](PortalId id, uint32_t, uint32_t) { nearest_[id] = labels_.g(id); });
        first_ = false;
    }
    if (lane_ < lanes_) flood_from(farthest());
}

PortalId LandmarkPlacer::farthest() const {
    PortalId best = kNoPortal;
    uint64_t most = 0;
    for_each_portal(root_, [&](PortalId id, uint32_t, uint32_t) {
        if (nearest_[id] == kInfinite<uint64_t> || (best != kNoPortal && nearest_[id] <= most)) return;
        most = nearest_[id];
        best = id;
    });
    return best;
}

}  // namespace terrane::detail
