#include "terrane/overlay/portal_tree.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "overlay/guide_cache.h"
#include "overlay/portal_graph.h"
#include "overlay/portal_legs.h"
#include "terrane/base/assert.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

using namespace detail;

namespace {

// Buckets of the queue are so many times, in bits, finer than the cheapest straight step: few portals are nearer to each other than that,
// so that next to none is expanded twice.
constexpr uint32_t kTreeBucketBits = 1;

using TreeLabels = PagedLabels<PortalId, uint64_t, PortalVia, 64>;
using TreeQueue = BucketQueue<PortalId, uint64_t>;
using TreeEngine = BestFirst<PortalGraph, ZeroHeuristic, NoGoal, TreeLabels, TreeQueue>;

}  // namespace

struct PortalTree::Impl : detail::InMemory {
    std::optional<PortalOverlay> overlay;
    Cell goal;
    TreeLabels labels;
    TreeQueue queue;
    std::optional<TreeEngine> engine;
};

PortalTree::PortalTree() : impl_(std::make_unique<Impl>()) {}
PortalTree::~PortalTree() = default;
PortalTree::PortalTree(PortalTree&&) noexcept = default;
PortalTree& PortalTree::operator=(PortalTree&&) noexcept = default;

void PortalTree::begin(const PortalOverlay& overlay, Cell goal) {
    TERRANE_ASSERT(overlay.root().ground.layout().contains(goal));
    Impl& s = *impl_;
    s.overlay = overlay;
    s.goal = goal;
    const OverlayRoot& root = overlay.root();
    s.labels.reset(PortalGraph::id_limit(root));
    const auto bits = static_cast<uint32_t>(std::bit_width(2 * kFieldStraight * grid_bounds(root.ground.grid(), root.small).cheapest));
    s.queue.reset(bits - std::min(bits, kTreeBucketBits));
    s.engine.emplace(PortalGraph(root), ZeroHeuristic(), NoGoal(), s.labels, s.queue);
    GuideCache guides(0);
    const Windows ends(root, goal);
    for (uint32_t i = 0; i < ends.count; ++i) {
        const uint32_t window = ends.list[i];
        const WindowGuide* guide = guides.get(root, window);
        PortalGraph::for_each_portal(root, window, [&](PortalId id, uint32_t index) {
            const uint32_t distance = leg_distance(root, window, guide, goal, index, id);
            if (distance != kNoWay) s.engine->start(id, distance, {kNoPortal, window});
        });
    }
}

const PortalOverlay& PortalTree::overlay() const {
    TERRANE_ASSERT(impl_->overlay.has_value());
    return *impl_->overlay;
}
Cell PortalTree::goal() const { return impl_->goal; }
bool PortalTree::run(uint64_t budget) {
    TERRANE_ASSERT(impl_->engine.has_value());
    return impl_->engine->run(budget) != Status::kBudgetSpent;
}
uint64_t PortalTree::reach() const { return impl_->queue.empty() ? kInfinite<uint64_t> : impl_->queue.floor(); }
uint64_t PortalTree::distance(PortalId portal) const { return impl_->labels.g(portal); }
PortalTree::Step PortalTree::step(PortalId portal) const {
    const PortalVia via = impl_->labels.via(portal);
    return {via.from, via.window};
}
uint64_t PortalTree::expansions() const { return impl_->engine->expansions(); }
size_t PortalTree::bytes() const { return sizeof(Impl) + impl_->labels.bytes() + impl_->queue.bytes(); }

}  // namespace terrane
