#include <algorithm>
#include <optional>

#include "minimal_memory/minimal_memory_search.h"
#include "terrane/base/assert.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

namespace {

// Buckets of about two cells (kStraight is one): 2% more expansions than an exact order on 512x512 dao maps, sectors of 16; 8 cells: 10%
// more, and as long.
constexpr uint32_t kBucketShift = 11;

// Edges cost octile distances between centres, so octile distance is a consistent heuristic.
struct Distance {
    MinimalMemoryGraph graph;
    uint64_t operator()(RegionId node) const { return graph.distance_to_goal(node); }
};

using MinimalLabels = PagedLabels<RegionId, uint64_t, RegionId>;
using MinimalQueue = BucketQueue<RegionId, uint64_t>;
using MinimalEngine = BestFirst<MinimalMemoryGraph, Distance, OneGoal<RegionId>, MinimalLabels, MinimalQueue>;

}  // namespace

struct MinimalMemorySearch::Impl : detail::ScopeAllocated {
    std::optional<MinimalEngine> engine;
    RegionId start = kNoRegion, goal = kNoRegion;
    Status status = Status::kUnreachable;
    MinimalLabels labels;
    MinimalQueue queue;
    RegionEnd last;
};

MinimalMemorySearch::MinimalMemorySearch() : impl_(std::make_unique<Impl>()) {}
MinimalMemorySearch::~MinimalMemorySearch() = default;
MinimalMemorySearch::MinimalMemorySearch(MinimalMemorySearch&&) noexcept = default;
MinimalMemorySearch& MinimalMemorySearch::operator=(MinimalMemorySearch&&) noexcept = default;

void MinimalMemorySearch::begin(const MinimalMemory& memory, Movement movement, RegionEnd start, RegionEnd goal) {
    TERRANE_ASSERT(start.region < memory.id_limit() && goal.region < memory.id_limit());
    Impl& s = *impl_;
    s.start = start.region;
    s.goal = goal.region;
    s.status = Status::kBudgetSpent;
    s.labels.reset(memory.id_limit());
    s.queue.reset(kBucketShift);
    const MinimalMemoryGraph graph(memory, movement, start, goal, s.last);
    s.engine.emplace(graph, Distance{graph}, OneGoal<RegionId>{goal.region}, s.labels, s.queue);
    s.engine->start(start.region, 0, kNoRegion);
}

Status MinimalMemorySearch::run(uint64_t budget) {
    if (impl_->status == Status::kBudgetSpent && impl_->engine) impl_->status = impl_->engine->run(budget);
    return impl_->status;
}

uint64_t MinimalMemorySearch::expansions() const { return impl_->engine ? impl_->engine->expansions() : 0; }

uint64_t MinimalMemorySearch::cost() const { return impl_->engine ? impl_->engine->goal_cost() : 0; }

void MinimalMemorySearch::path(std::vector<RegionId>& out) const {
    TERRANE_ASSERT(impl_->status == Status::kFound);
    out.clear();
    RegionId node = impl_->goal;
    for (; node != impl_->start; node = impl_->labels.via(node)) out.push_back(node);
    out.push_back(node);
    std::ranges::reverse(out);
}

size_t MinimalMemorySearch::bytes() const { return sizeof(Impl) + impl_->labels.bytes() + impl_->queue.bytes(); }

}  // namespace terrane
