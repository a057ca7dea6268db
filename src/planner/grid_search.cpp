#include "terrane/grid_search.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <variant>

#include "terrane/bucket_queue.h"
#include "terrane/heap_queue.h"
#include "terrane/octile.h"
#include "terrane/paged_labels.h"

namespace terrane {

namespace {

// Buckets are this many times (in powers of two) narrower than the cheapest edge. On the eight weighted
// benchmark maps, A*: 1 is the fastest; 2 and 4 cost 1 to 4% more time (more buckets), 0 and wider buckets 3 to 5%
// (more expansions: 0.06% at 0, 0.5% at -1). Dijkstra's algorithm never expands a cell twice at 0 or more.
constexpr int kBucketShift = 1;

struct WatchedBy {
    const GridLayout* layout;
    uint32_t divisor;
    SearchWatcher* watcher;
    void expanded(CellId node, Cost g) const { watcher->expanded(layout->cell(node), g * divisor); }
    void improved(CellId node, CellId from, Cost g) const { watcher->improved(layout->cell(node), layout->cell(from), g * divisor); }
};

// Labels and queues for one width of cost. Optimal searches use the buckets; weighted ones, whose keys fall as well as
// rise and which must take them in exact order to expand a cell only once, the heap.
template <class V>
struct Scratch {
    PagedLabels<CellId, V, Move> labels;
    BucketQueue<CellId, V> buckets;
    HeapQueue<CellId, V> heap;
};

template <class V, Movement kMovement, class Queue, class Observer, class Policy>
using Engine = BestFirst<GridGraph<V, kMovement>, OctileHeuristic<GridLayout, V>, OneGoal<CellId>, PagedLabels<CellId, V, Move>, Queue,
                         Observer, Policy>;

template <class V, class Queue, class Observer, class Policy>
using EnginesOf = std::variant<Engine<V, Movement::kEight, Queue, Observer, Policy>, Engine<V, Movement::kCutting, Queue, Observer, Policy>,
                               Engine<V, Movement::kFour, Queue, Observer, Policy>>;

template <class V, class Observer>
using Optimal = EnginesOf<V, BucketQueue<CellId, V>, Observer, Reopen>;
template <class V, class Observer>
using Weighted = EnginesOf<V, HeapQueue<CellId, V>, Observer, ExpandOnce>;

using AnyEngine = std::variant<std::monostate, Optimal<uint32_t, NoObserver>, Optimal<uint64_t, NoObserver>, Optimal<uint32_t, WatchedBy>,
                               Optimal<uint64_t, WatchedBy>, Weighted<uint32_t, NoObserver>, Weighted<uint64_t, NoObserver>,
                               Weighted<uint32_t, WatchedBy>, Weighted<uint64_t, WatchedBy>>;

// Applies `use` to the engine at hand. There must be one.
template <class Variant, class Use>
auto with_engine(Variant& engines, Use&& use) {
    return std::visit(
        [&](auto& of_width) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(of_width)>, std::monostate>) {
                return decltype(use(std::get<0>(std::get<1>(engines)))){};
            } else {
                return std::visit(use, of_width);
            }
        },
        engines);
}

struct Query {
    const CostTable* costs;
    GridBounds bounds;
    Cell start;
    Cell goal;
    bool flood;
    Cost max_cost;
    const SearchOptions* options;
    Weight weight = {};

    bool weighted() const { return !flood && options->method.family == Family::kWeightedAStar; }
    bool blind() const { return flood || options->method.family == Family::kDijkstra; }
    uint32_t bucket_shift() const {
        TERRANE_ASSERT(bounds.cheapest > 0);  // the start is passable
        const uint64_t cheapest_edge = uint64_t{2} * kStraight * bounds.cheapest;
        return static_cast<uint32_t>(std::bit_width(cheapest_edge) - 1 - kBucketShift);
    }
};

// Whether 32 bits hold every label and every heuristic value of a query. A label is the cost of some path that visits no
// cell twice. It is also at most weight * longest_path plus a bucket and a step: no larger key is expanded.
bool fits_32_bits(const GridLayout& layout, const Query& query) {
    constexpr uint64_t kLimit = std::numeric_limits<uint32_t>::max();
    const GridBounds& b = query.bounds;
    const uint64_t longest = std::min(b.longest_path, kLimit), step = uint64_t{2} * kDiagonal * b.dearest;
    const uint64_t weighted = longest * query.weight.numerator / query.weight.denominator + 1 + (uint64_t{1} << query.bucket_shift());
    const uint64_t farthest =
        uint64_t{2} * kDiagonal * b.cheapest * (static_cast<uint64_t>(layout.width) + static_cast<uint64_t>(layout.height));
    return std::max(std::min(b.any_path, weighted) + step, farthest) < kLimit;
}

// The query's weight, or the next smaller one with which the keys of even the largest and dearest of worlds fit 64 bits.
Weight weight_of(const Query& query) {
    const Weight weight = query.options->method.weight;
    if (!query.weighted()) return {};
    if (query.bounds.any_path < (uint64_t{1} << 57)) return weight;
    return {weight.numerator * 64 / weight.denominator, 64};
}

}  // namespace

struct GridSearch::Impl {
    GridSnapshot grid;
    uint32_t divisor = 1;
    CellId start = kNoCell;
    bool flood = false;
    double bound = 1;
    Status status = Status::kOutsideMap;
    uint64_t max_expansions = 0;
    AnyEngine engine;
    Scratch<uint32_t> scratch32;
    Scratch<uint64_t> scratch64;

    void begin(const GridSnapshot& snapshot, Query query);
    Status refuse(const Query& query) const;
    template <class V>
    void start_engine(Scratch<V>& scratch, const Query& query);
    template <class V, class Observer>
    void start_watched(Scratch<V>& scratch, const Query& query, Observer observer);
    template <class Policy, class V, class Queue, class Observer>
    EnginesOf<V, Queue, Observer, Policy> make_engine(Scratch<V>& scratch, Queue& queue, const Query& query, Observer observer) const;
    void walk(CellId to, Cost cost, Path& out) const;
};

// kBudgetSpent where nothing stands against starting.
Status GridSearch::Impl::refuse(const Query& query) const {
    if (!grid.layout().contains(query.start) || !grid.layout().contains(query.goal)) return Status::kOutsideMap;
    if (!query.costs->passable(grid.at(query.start))) return Status::kBlockedStart;
    if (!query.costs->passable(grid.at(query.goal))) return Status::kBlockedGoal;
    return Status::kBudgetSpent;
}

void GridSearch::Impl::begin(const GridSnapshot& snapshot, Query query) {
    engine.emplace<std::monostate>();
    grid = snapshot;
    divisor = query.costs->divisor;
    flood = query.flood;
    query.weight = weight_of(query);
    bound = query.weight.value();
    max_expansions = query.options->max_expansions;
    status = refuse(query);
    if (status != Status::kBudgetSpent) return;
    start = grid.layout().id(query.start);
    if (fits_32_bits(grid.layout(), query)) {
        start_engine(scratch32, query);
    } else {
        start_engine(scratch64, query);
    }
}

template <class V>
void GridSearch::Impl::start_engine(Scratch<V>& scratch, const Query& query) {
    scratch.labels.reset(grid.layout().id_limit());
    if (query.options->watcher == nullptr) {
        start_watched(scratch, query, NoObserver{});
    } else {
        start_watched(scratch, query, WatchedBy{&grid.layout(), divisor, query.options->watcher});
    }
    with_engine(engine, [&](auto& search) {
        search.start(start, 0, kNoMove);
        return 0;
    });
}

template <class V, class Observer>
void GridSearch::Impl::start_watched(Scratch<V>& scratch, const Query& query, Observer observer) {
    if (query.weighted()) {
        scratch.heap.reset();
        engine = make_engine<ExpandOnce>(scratch, scratch.heap, query, observer);
    } else {
        scratch.buckets.reset(query.bucket_shift());
        engine = make_engine<Reopen>(scratch, scratch.buckets, query, observer);
    }
}

template <class Policy, class V, class Queue, class Observer>
EnginesOf<V, Queue, Observer, Policy> GridSearch::Impl::make_engine(Scratch<V>& scratch, Queue& queue, const Query& query,
                                                                    Observer observer) const {
    const Movement movement = query.options->movement;
    const OctileHeuristic<GridLayout, V> heuristic(grid.layout(), query.goal.x, query.goal.y, query.blind() ? 0 : query.bounds.cheapest,
                                                   movement != Movement::kFour);
    const CellId goal = query.flood ? kNoCell : grid.layout().id(query.goal);
    const auto max_cost = static_cast<V>(std::min<Cost>(query.max_cost / divisor, std::numeric_limits<V>::max() - 1));
    const auto make = [&]<Movement kMovement>() -> EnginesOf<V, Queue, Observer, Policy> {
        return Engine<V, kMovement, Queue, Observer, Policy>(GridGraph<V, kMovement>(grid, *query.costs), heuristic, {goal}, scratch.labels,
                                                             queue, query.weight, max_cost, observer);
    };
    switch (movement) {
        case Movement::kCutting: return make.template operator()<Movement::kCutting>();
        case Movement::kFour: return make.template operator()<Movement::kFour>();
        case Movement::kEight: break;
    }
    return make.template operator()<Movement::kEight>();
}

// Writes the way from the start to `to`.
void GridSearch::Impl::walk(CellId to, Cost cost, Path& out) const {
    out.cost = cost;
    out.bound = bound;
    with_engine(engine, [&](const auto& search) {
        search.walk_back(
            to, [&](CellId node) { return node == start; }, [&](CellId node) { out.cells.push_back(grid.layout().cell(node)); });
        return 0;
    });
    std::reverse(out.cells.begin(), out.cells.end());
}

GridSearch::GridSearch() : impl_(std::make_unique<Impl>()) {}
GridSearch::~GridSearch() = default;
GridSearch::GridSearch(GridSearch&&) noexcept = default;
GridSearch& GridSearch::operator=(GridSearch&&) noexcept = default;

void GridSearch::begin(const GridSnapshot& grid, const CostTable& costs, Cell start, Cell goal, const SearchOptions& options) {
    impl_->begin(grid, {&costs, grid_bounds(grid, costs), start, goal, false, kInfiniteCost, &options});
}

void GridSearch::begin_flood(const GridSnapshot& grid, const CostTable& costs, Cell start, Cost max_cost, const SearchOptions& options) {
    impl_->begin(grid, {&costs, grid_bounds(grid, costs), start, start, true, max_cost, &options});
}

Status GridSearch::run(uint64_t budget) {
    if (impl_->status != Status::kBudgetSpent) return impl_->status;
    impl_->status =
        with_engine(impl_->engine, [&](auto& search) { return search.run(std::min(budget, impl_->max_expansions - search.expansions())); });
    if (impl_->flood && impl_->status == Status::kUnreachable) impl_->status = Status::kFound;  // all that there is
    return impl_->status;
}

Status GridSearch::status() const { return impl_->status; }

uint64_t GridSearch::expansions() const {
    return with_engine(impl_->engine, [](const auto& search) { return search.expansions(); });
}

void GridSearch::path(Path& out) const {
    out.cells.clear();
    out.cost = 0;
    out.bound = 1;
    out.status = impl_->status;
    out.expansions = expansions();
    if (impl_->status != Status::kFound || impl_->flood) return;
    const auto [goal, cost] =
        with_engine(impl_->engine, [](const auto& search) { return std::pair<CellId, Cost>(search.goal_node(), search.goal_cost()); });
    impl_->walk(goal, cost * impl_->divisor, out);
}

Cost GridSearch::cost_to(Cell cell) const {
    if (std::holds_alternative<std::monostate>(impl_->engine) || !impl_->grid.layout().contains(cell)) return kInfiniteCost;
    const CellId node = impl_->grid.layout().id(cell);
    return with_engine(impl_->engine, [&](const auto& search) -> Cost {
        const auto g = search.labels().g(node);
        return g == kInfinite<std::remove_const_t<decltype(g)>> ? kInfiniteCost : Cost{g} * impl_->divisor;
    });
}

void GridSearch::path_to(Cell cell, Path& out) const {
    out = Path{Status::kUnreachable, std::move(out.cells), 0, 1, expansions()};
    out.cells.clear();
    if (impl_->status != Status::kFound) {
        out.status = impl_->status;
    } else if (const Cost cost = cost_to(cell); cost != kInfiniteCost) {
        out.status = Status::kFound;
        impl_->walk(impl_->grid.layout().id(cell), cost, out);
    }
}

size_t GridSearch::bytes() const {
    const auto of = [](const auto& scratch) { return scratch.labels.bytes() + scratch.buckets.bytes() + scratch.heap.bytes(); };
    return of(impl_->scratch32) + of(impl_->scratch64);
}

Result<Path> find_path(const GridSnapshot& grid, Cell start, Cell goal, const Profile& profile, const SearchOptions& options) {
    const auto costs = profile.compile(grid.catalogue());
    if (!costs) return costs.error();
    GridSearch search;
    search.begin(grid, *costs, start, goal, options);
    search.run();
    Path path;
    search.path(path);
    return path;
}

}  // namespace terrane
