#include "dta/region_search.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <variant>

#include "terrane/base/assert.h"
#include "terrane/search/bidirectional.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

namespace {

// Small pages: ids are spaced by the largest sector's region count, so other sectors leave most of a page unused. 64 nodes per page: 9 MB
// instead of 34 MB with 1024 (docs/notes/dta.md).
using Labels = PagedLabels<RegionId, uint64_t, RegionId, 64>;
using Buckets = BucketQueue<RegionId, uint64_t>;
using Heap = HeapQueue<RegionId, uint64_t>;
using Goal = OneGoal<RegionId>;

using Optimal = BestFirst<RegionGraph, RegionBound, Goal, Labels, Buckets, NoObserver, Reopen>;
using Weighted = BestFirst<RegionGraph, RegionBound, Goal, Labels, Heap, NoObserver, ExpandOnce>;
using Nbs = Bidirectional<RegionGraph, RegionBound, Labels, Buckets>;

// Buckets are about as wide as the cost of this many cells on the cheapest terrain. 4: at most 0.2% more expansions than an exact queue
// (docs/notes/dta.md).
constexpr uint64_t kBucketCells = 4;

uint32_t bucket_shift(const Ground& ground) {
    const uint64_t step = uint64_t{2} * kStraight * ground.bounds().cheapest;
    return static_cast<uint32_t>(std::clamp(static_cast<int>(std::bit_width(step * kBucketCells)) - 1, 0, 31));
}

}  // namespace

struct RegionSearch::Impl : detail::ScopeAllocated {
    std::variant<std::monostate, Optimal, Weighted, Nbs> engine;
    RegionId start = kNoRegion, goal = kNoRegion;
    Status status = Status::kUnreachable;
    Labels labels[2];
    Buckets buckets[4];
    Heap heap;
    RegionHeuristicScratch heuristic_scratch[2];

    template <class Use>
    auto with_engine(Use&& use) const {
        return std::visit(
            [&](const auto& search) {
                if constexpr (std::is_same_v<std::remove_cvref_t<decltype(search)>, std::monostate>) {
                    return decltype(use(std::get<Optimal>(engine))){};
                } else {
                    return use(search);
                }
            },
            engine);
    }
};

RegionSearch::RegionSearch() : impl_(std::make_unique<Impl>()) {}
RegionSearch::~RegionSearch() = default;
RegionSearch::RegionSearch(RegionSearch&&) noexcept = default;
RegionSearch& RegionSearch::operator=(RegionSearch&&) noexcept = default;

void RegionSearch::begin(const TerrainRegions& regions, const Ground& ground, RegionId start, RegionId goal,
                         const RegionSearchOptions& options) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    TERRANE_ASSERT(options.heuristic == nullptr || options.edge_costs == nullptr);
    TERRANE_ASSERT(start < regions.id_limit() && goal < regions.id_limit());
    Impl& s = *impl_;
    s.engine.emplace<std::monostate>();
    s.start = start;
    s.goal = goal;
    s.status = Status::kStale;
    if (options.heuristic != nullptr && !options.heuristic->valid_for(regions, ground)) return;
    if (options.edge_costs != nullptr && !options.edge_costs->valid_for(regions, ground)) return;
    const auto bound_to = [&](RegionId to, RegionHeuristicScratch& scratch) {
        if (options.heuristic == nullptr) return RegionBound::octile(to, regions, ground);
        return *options.heuristic->bound_to(to, regions, ground, scratch);
    };
    s.status = Status::kBudgetSpent;
    const RegionGraph graph(regions, ground, options.edge_costs);
    const uint32_t shift = bucket_shift(ground);
    s.labels[0].reset(regions.id_limit());
    const RegionBound to_goal = bound_to(goal, s.heuristic_scratch[0]);
    if (options.bidirectional) {
        s.labels[1].reset(regions.id_limit());
        for (Buckets& queue : s.buckets) queue.reset(shift);
        const uint64_t least_edge = uint64_t{2} * kStraight * ground.bounds().cheapest;
        s.engine.emplace<Nbs>(Nbs::Side{graph, to_goal, &s.labels[0], &s.buckets[0], &s.buckets[1]},
                              Nbs::Side{graph, bound_to(start, s.heuristic_scratch[1]), &s.labels[1], &s.buckets[2], &s.buckets[3]},
                              least_edge);
        std::get<Nbs>(s.engine).start(start, goal, kNoRegion);
    } else if (options.weight.numerator > options.weight.denominator) {
        s.heap.reset();
        s.engine.emplace<Weighted>(graph, to_goal, Goal{goal}, s.labels[0], s.heap, options.weight).start(start, 0, kNoRegion);
    } else {
        s.buckets[0].reset(shift);
        s.engine.emplace<Optimal>(graph, to_goal, Goal{goal}, s.labels[0], s.buckets[0]).start(start, 0, kNoRegion);
    }
}

Status RegionSearch::run(uint64_t budget) {
    if (impl_->status != Status::kBudgetSpent) return impl_->status;
    std::visit(
        [&](auto& search) {
            if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(search)>, std::monostate>) impl_->status = search.run(budget);
        },
        impl_->engine);
    return impl_->status;
}

uint64_t RegionSearch::expansions() const {
    return impl_->with_engine([](const auto& search) { return search.expansions(); });
}

uint64_t RegionSearch::cost() const {
    return impl_->with_engine([](const auto& search) { return search.goal_cost(); });
}

void RegionSearch::path(std::vector<RegionId>& out) const {
    const RegionId start = impl_->start, goal = impl_->goal;
    out.clear();
    const auto back_to = [&](const Labels& labels, RegionId node, RegionId end) {
        for (; node != end; node = labels.via(node)) out.push_back(node);
        out.push_back(end);
    };
    if (const Nbs* both = std::get_if<Nbs>(&impl_->engine)) {
        back_to(both->labels(false), both->meeting(), start);
        std::reverse(out.begin(), out.end());
        out.pop_back();  // the meeting region: the second half starts with it
        back_to(both->labels(true), both->meeting(), goal);
    } else {
        back_to(impl_->labels[0], goal, start);
        std::reverse(out.begin(), out.end());
    }
}

size_t RegionSearch::bytes() const {
    size_t sum = impl_->heap.bytes();
    for (const Labels& of : impl_->labels) sum += of.bytes();
    for (const Buckets& of : impl_->buckets) sum += of.bytes();
    for (const RegionHeuristicScratch& of : impl_->heuristic_scratch) sum += of.bytes();
    return sum;
}

}  // namespace terrane
