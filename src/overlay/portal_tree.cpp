#include "terrane/overlay/portal_tree.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "overlay/first_move_cache.h"
#include "overlay/portal_graph.h"
#include "overlay/portal_legs.h"
#include "terrane/base/assert.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

using namespace detail;

namespace {

// log2 of the buckets per cheapest straight step. Few portals are nearer to each other than a bucket is wide, so hardly any is
// re-expanded.
constexpr uint32_t kTreeBucketBits = 1;

using TreeLabels = PagedLabels<PortalId, uint64_t, PortalVia, 64>;
using TreeQueue = BucketQueue<PortalId, uint64_t>;
using TreeEngine = BestFirst<PortalGraph, ZeroHeuristic, NoGoal, TreeLabels, TreeQueue>;

}  // namespace

struct PortalTree::Impl : detail::ScopeAllocated {
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
    TERRANE_ASSERT(overlay.data().ground.layout().contains(goal));
    Impl& s = *impl_;
    s.overlay = overlay;
    s.goal = goal;
    const OverlayData& data = overlay.data();
    s.labels.reset(PortalGraph::id_limit(data));
    const auto bits =
        static_cast<uint32_t>(std::bit_width(2 * kFieldStraight * grid_bounds(data.ground.grid(), data.table_costs).cheapest));
    s.queue.reset(bits - std::min(bits, kTreeBucketBits));
    s.engine.emplace(PortalGraph(data), ZeroHeuristic(), NoGoal(), s.labels, s.queue);
    FirstMoveCache first_move_tables(0);
    const CellClusters ends(data, goal);
    for (uint32_t i = 0; i < ends.count; ++i) {
        const uint32_t cluster = ends.list[i];
        const FirstMoveTable* first_moves = first_move_tables.get(data, cluster);
        PortalGraph::for_each_portal(data, cluster, [&](PortalId id, uint32_t index) {
            const uint32_t distance = leg_distance(data, cluster, first_moves, goal, index, id);
            if (distance != kNoPath) s.engine->start(id, distance, {kNoPortal, cluster});
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
uint64_t PortalTree::settled_radius() const { return impl_->queue.empty() ? kInfinite<uint64_t> : impl_->queue.floor(); }
uint64_t PortalTree::distance(PortalId portal) const { return impl_->labels.g(portal); }
PortalTree::Step PortalTree::step(PortalId portal) const {
    const PortalVia via = impl_->labels.via(portal);
    return {via.from, via.cluster};
}
uint64_t PortalTree::expansions() const { return impl_->engine->expansions(); }
size_t PortalTree::bytes() const { return sizeof(Impl) + impl_->labels.bytes() + impl_->queue.bytes(); }

}  // namespace terrane
