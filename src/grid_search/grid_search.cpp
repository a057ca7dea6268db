#include "terrane/grid_search/grid_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "grid_search/cell_method.h"
#include "grid_search/search_limits.h"
#include "terrane/base/assert.h"
#include "terrane/grid/octile.h"
#include "terrane/search/bidirectional.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/focal.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

namespace {

// With a LowerBoundTable, buckets are narrower by this shift. Where the bound is tight, many keys are nearly equal, and cells that wide
// buckets expand out of order are reopened. 6: 135,500 expansions instead of 316,000 at 0 (docs/notes/grid_search.md).
constexpr uint32_t kLowerBoundShift = 6;

// The goal condition of a search.
struct Goals {
    enum class Kind : uint8_t { kOne, kNearest, kTerrain, kMany, kNone };
    Kind kind = Kind::kNone;
    CellId one = kNoCell;
    Terrain terrain = kOutside;
    Vector<CellId> cells;  // kNearest, kMany: ascending, unique
    size_t left = 0;       // kMany: goals not yet reached
    bool dropped = false;  // kMany: some goals are blocked or off the map

    bool has(CellId node) const { return std::binary_search(cells.begin(), cells.end(), node); }
};

struct AtGoal {
    CellId one;
    const GridSnapshot* grid;
    Goals* goals;

    bool operator()(CellId node) const {
        switch (goals->kind) {
            case Goals::Kind::kOne: return node == one;
            case Goals::Kind::kNearest: return goals->has(node);
            case Goals::Kind::kTerrain: return grid->at(node) == goals->terrain;
            case Goals::Kind::kMany: return goals->has(node) && --goals->left == 0;
            case Goals::Kind::kNone: break;
        }
        return false;
    }
};

struct WatcherObserver {
    const GridLayout* layout;
    uint32_t divisor;
    SearchWatcher* watcher;
    void expanded(CellId node, Cost g) const { watcher->expanded(layout->cell(node), g * divisor); }
    void improved(CellId node, CellId from, Cost g) const { watcher->improved(layout->cell(node), layout->cell(from), g * divisor); }
};

template <class V>
using Labels = PagedLabels<CellId, V, Move>;
template <class V>
using Octile = OctileHeuristic<GridLayout, V>;

// The heuristic: octile distance, or a table's bound, which is never lower. Clamped where a key could overflow: only cells that are
// disconnected from the goal, or paths of 2^48 units, have such values.
template <class V>
struct Bound {
    Octile<V> octile;
    std::optional<LandmarkBound<V>> landmarks;
    std::optional<FastMapBound<V>> fastmap;
    LowerBoundQuery* lower_bound_query = nullptr;

    TERRANE_INLINE V operator()(CellId node) const {
        if (landmarks) return clamp_bound((*landmarks)(node));
        if (fastmap) return clamp_bound((*fastmap)(node));
        if (lower_bound_query != nullptr) return std::max(octile(node), clamp_bound((*lower_bound_query)(node)));
        return octile(node);
    }

private:
    static V clamp_bound(uint64_t h) { return static_cast<V>(std::min({h, uint64_t{1} << 48, uint64_t{kInfinite<V>}})); }
};

// The order of focal search within its bound: f of weighted A* with twice the excess weight (Thayer, Ruml 2008).
template <class V>
struct OptimisticPriority {
    Bound<V> distance;
    Weight weight;
    OptimisticPriority(const Bound<V>& to_goal, Weight eps)
        : distance(to_goal), weight{2 * eps.numerator - eps.denominator, eps.denominator} {}
    uint64_t operator()(CellId node, V g) const { return uint64_t{g} * weight.denominator + uint64_t{distance(node)} * weight.numerator; }
};

// Optimal searches use buckets. Weighted searches use a heap: their keys may decrease, and expanding each cell once needs keys in exact
// order.
template <class V, class Observer>
using Optimal = BestFirst<GridGraph<V>, Bound<V>, AtGoal, Labels<V>, BucketQueue<CellId, V>, Observer, Reopen>;
template <class V, class Observer>
using Weighted = BestFirst<GridGraph<V>, Bound<V>, AtGoal, Labels<V>, HeapQueue<CellId, V>, Observer, ExpandOnce>;
template <class V, class Observer>
using Focal = FocalSearch<GridGraph<V>, Bound<V>, AtGoal, OptimisticPriority<V>, Labels<V>, HeapQueue<CellId, V>, Observer>;
template <class V, class Observer>
using Nbs = Bidirectional<GridGraph<V>, Bound<V>, Labels<V>, BucketQueue<CellId, V>, Observer>;

template <class V, class Observer>
using Engines = std::variant<Optimal<V, Observer>, Weighted<V, Observer>, Focal<V, Observer>, Nbs<V, Observer>>;
using AnyEngine = std::variant<std::monostate, Engines<uint32_t, NoObserver>, Engines<uint64_t, NoObserver>,
                               Engines<uint32_t, WatcherObserver>, Engines<uint64_t, WatcherObserver>>;

// Applies `use` to the current engine; a value-initialised result if there is none.
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

template <class E>
concept BidirectionalEngine = requires(const E& engine) {
    engine.meeting();
};

// Labels and queues for one width of cost; those that a method does not use stay empty.
template <class V>
struct Scratch {
    Labels<V> labels[2];
    BucketQueue<CellId, V> buckets[4];
    HeapQueue<CellId, V> heaps[3];

    size_t bytes() const {
        size_t sum = 0;
        for (const auto& of : labels) sum += of.bytes();
        for (const auto& of : buckets) sum += of.bytes();
        for (const auto& of : heaps) sum += of.bytes();
        return sum;
    }
};

struct Query {
    GridBounds bounds;
    Cell start;
    Cell goal;
    Goals::Kind kind;
    Cost max_cost;
    const SearchOptions* options;
    const detail::CellAlgorithm* algorithm = &detail::kDijkstra;
    Weight weight = {};

    uint64_t cheapest_edge() const { return uint64_t{2} * kStraight * bounds.cheapest; }
    uint32_t bucket_shift() const {
        TERRANE_ASSERT(bounds.cheapest > 0);  // the start is passable
        return detail::bucket_shift(cheapest_edge());
    }
};

// Heuristics stronger than octile distance; at most one is set.
struct Tables {
    std::optional<DifferentialHeuristic> landmarks;
    std::optional<FastMapHeuristic> fastmap;
    std::optional<LowerBoundTable> lower_bounds;
    LowerBoundQuery lower_bound_query;

    void take(const SearchOptions& options) {
        landmarks.reset();
        fastmap.reset();
        lower_bounds.reset();
        if (options.landmarks != nullptr) landmarks = *options.landmarks;
        if (options.fastmap != nullptr) fastmap = *options.fastmap;
        if (options.lower_bounds != nullptr) lower_bounds = *options.lower_bounds;
    }
    bool stale(const Ground& ground) const {
        const auto is_stale = [&](const auto& table) { return table && !table->valid_for(ground); };
        return is_stale(landmarks) || is_stale(fastmap) || is_stale(lower_bounds);
    }
};

// Everything that an algorithm needs to create its engine.
template <class V, class Observer>
struct EngineInputs {
    const Ground& ground;
    const Query& query;
    Tables& tables;
    AtGoal at_goal;
    Scratch<V>& scratch;
    V max_cost;
    Observer observer;

    GridGraph<V> graph(Pruning pruning = Pruning::kLabelled) const { return GridGraph<V>(ground, pruning); }
    Bound<V> octile_to(Cell to, uint32_t cheapest) const {
        return {Octile<V>(ground.layout(), to, cheapest, ground.rule()), {}, {}, nullptr};
    }
    Bound<V> bound_to(Cell to) const {
        Bound<V> distance = octile_to(to, query.bounds.cheapest);
        if (tables.landmarks) distance.landmarks = tables.landmarks->template to<V>(to, ground);
        if (tables.fastmap) distance.fastmap = tables.fastmap->template to<V>(to, ground);
        return distance;
    }
    Engines<V, Observer> optimal(const Bound<V>& distance, Pruning pruning) const {
        return Optimal<V, Observer>(graph(pruning), distance, at_goal, scratch.labels[0], scratch.buckets[0], {}, max_cost, observer);
    }
};

template <Pruning kPruning>
struct AStar {
    template <class V, class Observer>
    static Engines<V, Observer> make(const EngineInputs<V, Observer>& inputs) {
        Bound<V> distance = inputs.bound_to(inputs.query.goal);
        const bool octile_only = !inputs.tables.landmarks && !inputs.tables.fastmap && !inputs.tables.lower_bounds;
        const Pruning pruning = octile_only ? kPruning : Pruning::kLabelled;  // a table's bound may be inconsistent
        if (inputs.tables.lower_bounds) {
            const uint32_t shift = inputs.query.bucket_shift();
            inputs.tables.lower_bound_query.set_goal(*inputs.tables.lower_bounds, inputs.query.goal);
            distance.lower_bound_query = &inputs.tables.lower_bound_query;
            inputs.scratch.buckets[0].reset(shift - std::min(shift, kLowerBoundShift));
        }
        return inputs.optimal(distance, pruning);
    }
};

struct WeightedAStar {
    template <class V, class Observer>
    static Engines<V, Observer> make(const EngineInputs<V, Observer>& inputs) {
        return Weighted<V, Observer>(inputs.graph(), inputs.bound_to(inputs.query.goal), inputs.at_goal, inputs.scratch.labels[0],
                                     inputs.scratch.heaps[0], inputs.query.weight, inputs.max_cost, inputs.observer);
    }
};

struct FocalAStar {
    template <class V, class Observer>
    static Engines<V, Observer> make(const EngineInputs<V, Observer>& inputs) {
        const Bound<V> to_goal = inputs.bound_to(inputs.query.goal);
        auto& heaps = inputs.scratch.heaps;
        return Focal<V, Observer>(inputs.graph(), to_goal, inputs.at_goal, OptimisticPriority<V>(to_goal, inputs.query.weight),
                                  inputs.scratch.labels[0], {&heaps[0], &heaps[1], &heaps[2]}, inputs.query.weight, inputs.observer);
    }
};

struct NearOptimalBidirectional {
    template <class V, class Observer>
    static Engines<V, Observer> make(const EngineInputs<V, Observer>& inputs) {
        auto& [labels, buckets, heaps] = inputs.scratch;
        return Nbs<V, Observer>({inputs.graph(), inputs.bound_to(inputs.query.goal), &labels[0], &buckets[0], &buckets[1]},
                                {inputs.graph(), inputs.bound_to(inputs.query.start), &labels[1], &buckets[2], &buckets[3]},
                                static_cast<V>(inputs.query.cheapest_edge()), inputs.observer);
    }
};

struct Dijkstra {
    template <class V, class Observer>
    static Engines<V, Observer> make(const EngineInputs<V, Observer>& inputs) {
        return inputs.optimal(inputs.octile_to(inputs.query.goal, 0), Pruning::kDominated);
    }
};

// Greedy best-first search (Doran, Michie 1966): the key is h alone.
struct Greedy {
    template <class V, class Observer>
    static Engines<V, Observer> make(const EngineInputs<V, Observer>& inputs) {
        return Weighted<V, Observer>(inputs.graph(), inputs.octile_to(inputs.query.goal, 1), inputs.at_goal, inputs.scratch.labels[0],
                                     inputs.scratch.heaps[0], Weight{1, 0}, inputs.max_cost, inputs.observer);
    }
};

// Keeps the capacity of the vectors.
void clear(Path& path, Status status, uint64_t expansions) {
    path.cells.clear();
    path.polyline.clear();
    path = {.status = status, .cells = std::move(path.cells), .expansions = expansions, .polyline = std::move(path.polyline)};
}

// Copies the g-values of out.size() cells in row order, at most 32 at once: the part of a row in one tile.
template <class V>
void copy_costs(const Labels<V>& labels, const GridLayout& layout, uint32_t divisor, std::span<Cost> out) {
    const auto width = static_cast<size_t>(layout.width), side = static_cast<size_t>(kTileSide);
    for (size_t i = 0; i < out.size();) {
        const size_t x = i % width, y = i / width;
        const V* g = labels.g_from(layout.id({static_cast<int32_t>(x), static_cast<int32_t>(y)}));
        const size_t end = i + std::min({side - x % side, width - x, out.size() - i});
        for (; i < end; ++i, ++g) out[i] = *g == kInfinite<V> ? kInfiniteCost : Cost{*g} * divisor;
    }
}

// An algorithm for both widths of costs, with and without a watcher.
struct Makers {
    Engines<uint32_t, NoObserver> (*narrow)(const EngineInputs<uint32_t, NoObserver>&);
    Engines<uint64_t, NoObserver> (*wide)(const EngineInputs<uint64_t, NoObserver>&);
    Engines<uint32_t, WatcherObserver> (*narrow_watched)(const EngineInputs<uint32_t, WatcherObserver>&);
    Engines<uint64_t, WatcherObserver> (*wide_watched)(const EngineInputs<uint64_t, WatcherObserver>&);

    auto make(const EngineInputs<uint32_t, NoObserver>& inputs) const { return narrow(inputs); }
    auto make(const EngineInputs<uint64_t, NoObserver>& inputs) const { return wide(inputs); }
    auto make(const EngineInputs<uint32_t, WatcherObserver>& inputs) const { return narrow_watched(inputs); }
    auto make(const EngineInputs<uint64_t, WatcherObserver>& inputs) const { return wide_watched(inputs); }
};

template <class Algorithm>
constexpr Makers kMakers{Algorithm::make, Algorithm::make, Algorithm::make, Algorithm::make};

}  // namespace

namespace detail {

// Points to a table of functions: in unity builds, g++ 12 crashes on a constant whose members are functions of local types.
struct CellAlgorithm {
    const Makers* makers;
    bool bounded = true;  // cost <= weight * optimum. If not, labels may exceed 32 bits
};

constinit const CellAlgorithm kAStar{&kMakers<AStar<Pruning::kDominated>>};
constinit const CellAlgorithm kCanonicalAStar{&kMakers<AStar<Pruning::kCanonical>>};
constinit const CellAlgorithm kWeightedAStar{&kMakers<WeightedAStar>};
constinit const CellAlgorithm kFocal{&kMakers<FocalAStar>};
constinit const CellAlgorithm kNbs{&kMakers<NearOptimalBidirectional>};
constinit const CellAlgorithm kDijkstra{&kMakers<Dijkstra>};
constinit const CellAlgorithm kGreedy{&kMakers<Greedy>, false};

}  // namespace detail

struct GridSearch::Impl : detail::ScopeAllocated {
    Ground ground;
    uint32_t divisor = 1;
    CellId start = kNoCell;
    Goals goals;
    double bound = 1;  // infinity: no guarantee
    Status status = Status::kOutsideMap;
    uint64_t max_expansions = 0;
    Tables tables;  // the engine refers to them
    AnyEngine engine;
    Scratch<uint32_t> scratch32;
    Scratch<uint64_t> scratch64;

    void begin(const Ground& on, Query query);
    Status set_goals(const Ground& on, std::span<const Cell> cells);
    Status validate(const Query& query) const;
    bool fits_32_bits(const Query& query) const {
        const GridLayout& layout = ground.layout();
        return query.algorithm->bounded &&
               detail::fits_32_bits(query.bounds, static_cast<uint64_t>(layout.width), static_cast<uint64_t>(layout.height),
                                    query.bounds.cheapest, detail::largest_key(query.bounds, query.weight, query.bucket_shift()));
    }
    template <class V>
    void start_engine(Scratch<V>& scratch, const Query& query);
    template <class V, class Observer>
    Engines<V, Observer> make_engine(Scratch<V>& scratch, const Query& query, Observer observer);
    template <class E>
    void append_path(const E& search, CellId to, Path& out) const;
};

// Validates the endpoints, the method and the tables; kBudgetSpent means that the search may start.
Status GridSearch::Impl::validate(const Query& query) const {
    const Status ends = ground.check_ends(query.start, query.goal);
    if (ends != Status::kFound) return ends;
    if (query.algorithm == nullptr) return Status::kNotPrepared;
    return tables.stale(ground) ? Status::kStale : Status::kBudgetSpent;
}

// Stores the goals that are on the map and passable. Returns kBudgetSpent, or the reason why none is left.
Status GridSearch::Impl::set_goals(const Ground& on, std::span<const Cell> cells) {
    goals.cells.clear();
    Status why = Status::kOutsideMap;
    for (const Cell c : cells) {
        if (!on.layout().contains(c)) continue;
        if (on.passable(c)) goals.cells.push_back(on.layout().id(c));
        why = Status::kBlockedGoal;
    }
    goals.dropped = goals.cells.size() < cells.size();
    std::sort(goals.cells.begin(), goals.cells.end());
    goals.cells.erase(std::unique(goals.cells.begin(), goals.cells.end()), goals.cells.end());
    goals.left = goals.cells.size();
    return goals.cells.empty() ? why : Status::kBudgetSpent;
}

void GridSearch::Impl::begin(const Ground& on, Query query) {
    engine.emplace<std::monostate>();
    ground = on;
    divisor = ground.costs().divisor;
    goals.kind = query.kind;
    if (query.kind == Goals::Kind::kOne) {
        const Method& method = query.options->method;
        const detail::CellMethod* cells = method ? detail::cell_method(method.implementation()) : nullptr;
        query.algorithm = cells != nullptr ? &cells->algorithm : method ? nullptr : &detail::kAStar;
        if (cells != nullptr) query.weight = detail::usable_weight(cells->weight, query.bounds);
    }
    max_expansions = query.options->max_expansions;
    tables.take(*query.options);
    status = validate(query);
    if (status != Status::kBudgetSpent) return;
    bound = query.algorithm->bounded ? query.weight.value() : std::numeric_limits<double>::infinity();
    start = ground.layout().id(query.start);
    goals.one = ground.layout().id(query.goal);
    if (fits_32_bits(query)) {
        start_engine(scratch32, query);
    } else {
        start_engine(scratch64, query);
    }
}

template <class V>
void GridSearch::Impl::start_engine(Scratch<V>& scratch, const Query& query) {
    for (Labels<V>& labels : scratch.labels) labels.reset(ground.layout().id_limit());
    if (query.options->watcher == nullptr) {
        engine = make_engine(scratch, query, NoObserver{});
    } else {
        engine = make_engine(scratch, query, WatcherObserver{&ground.layout(), divisor, query.options->watcher});
    }
    with_engine(engine, [&](auto& search) {
        if constexpr (BidirectionalEngine<std::remove_reference_t<decltype(search)>>) {
            search.start(start, goals.one, kNoMove);
        } else {
            const Cost incumbent = query.options->incumbent;
            if constexpr (requires { search.set_incumbent(0); }) {
                const bool prunes = incumbent != kInfiniteCost && query.algorithm == &detail::kAStar;
                if (prunes) search.set_incumbent((incumbent + divisor - 1) / divisor);
            }
            search.start(start, 0, kNoMove);
        }
        return 0;
    });
}

template <class V, class Observer>
Engines<V, Observer> GridSearch::Impl::make_engine(Scratch<V>& scratch, const Query& query, Observer observer) {
    for (auto& heap : scratch.heaps) heap.reset();
    for (auto& queue : scratch.buckets) queue.reset(query.bucket_shift());
    const auto max_cost = static_cast<V>(std::min<Cost>(query.max_cost / divisor, std::numeric_limits<V>::max() - 1));
    const AtGoal at_goal{goals.one, &ground.grid(), &goals};
    return query.algorithm->makers->make(EngineInputs<V, Observer>{ground, query, tables, at_goal, scratch, max_cost, observer});
}

// Appends the path from the start to `to`.
template <class E>
void GridSearch::Impl::append_path(const E& search, CellId to, Path& out) const {
    const auto back_to = [&](const auto& labels, CellId node, CellId end) {
        for (; node != end; node = labels.parent(search.graph(), node)) out.cells.push_back(ground.layout().cell(node));
        out.cells.push_back(ground.layout().cell(end));
    };
    if constexpr (BidirectionalEngine<E>) {
        back_to(search.labels(false), search.meeting(), start);
        std::reverse(out.cells.begin(), out.cells.end());
        out.cells.pop_back();  // the meeting cell: the second half starts with it
        back_to(search.labels(true), search.meeting(), to);
    } else {
        back_to(search.labels(), to, start);
        std::reverse(out.cells.begin(), out.cells.end());
    }
}

GridSearch::GridSearch() : impl_(std::make_unique<Impl>()) {}
GridSearch::~GridSearch() = default;
GridSearch::GridSearch(GridSearch&&) noexcept = default;
GridSearch& GridSearch::operator=(GridSearch&&) noexcept = default;

void GridSearch::begin(const Ground& ground, Cell start, Cell goal, const SearchOptions& options) {
    TERRANE_ASSERT(searches_cells(options.method));
    TERRANE_ASSERT((options.landmarks != nullptr) + (options.fastmap != nullptr) + (options.lower_bounds != nullptr) <= 1);
    impl_->begin(ground, {ground.bounds(), start, goal, Goals::Kind::kOne, kInfiniteCost, &options});
}

void GridSearch::begin_nearest(const Ground& ground, Cell start, std::span<const Cell> goals, const SearchOptions& options) {
    const Status why = impl_->set_goals(ground, goals);
    impl_->begin(ground, {ground.bounds(), start, start, Goals::Kind::kNearest, kInfiniteCost, &options});
    if (impl_->status == Status::kBudgetSpent) impl_->status = why;
}

void GridSearch::begin_nearest(const Ground& ground, Cell start, Terrain terrain, const SearchOptions& options) {
    impl_->goals.terrain = terrain;
    impl_->begin(ground, {ground.bounds(), start, start, Goals::Kind::kTerrain, kInfiniteCost, &options});
    if (impl_->status != Status::kBudgetSpent) return;
    if (ground.grid().count(terrain) == 0) impl_->status = Status::kUnreachable;
    if (!ground.costs().passable(terrain)) impl_->status = Status::kBlockedGoal;
}

void GridSearch::begin_many(const Ground& ground, Cell start, std::span<const Cell> goals, const SearchOptions& options) {
    const Status why = impl_->set_goals(ground, goals);
    impl_->begin(ground, {ground.bounds(), start, start, Goals::Kind::kMany, kInfiniteCost, &options});
    if (impl_->status == Status::kBudgetSpent) impl_->status = why;
}

void GridSearch::begin_flood(const Ground& ground, Cell start, Cost max_cost, const SearchOptions& options) {
    impl_->begin(ground, {ground.bounds(), start, start, Goals::Kind::kNone, max_cost, &options});
}

Status GridSearch::run(uint64_t budget) {
    if (impl_->status != Status::kBudgetSpent) return impl_->status;
    const uint64_t left = impl_->max_expansions - std::min(expansions(), impl_->max_expansions);
    impl_->status = with_engine(impl_->engine, [&](auto& search) { return search.run(std::min(budget, left)); });
    const bool flood = impl_->goals.kind == Goals::Kind::kNone;
    if (flood && impl_->status == Status::kUnreachable) impl_->status = Status::kFound;  // the open list is exhausted
    const bool some_dropped = impl_->goals.kind == Goals::Kind::kMany && impl_->goals.dropped;
    if (some_dropped && impl_->status == Status::kFound) impl_->status = Status::kUnreachable;
    return impl_->status;
}

Status GridSearch::status() const { return impl_->status; }

uint64_t GridSearch::expansions() const {
    return with_engine(impl_->engine, [](const auto& search) { return search.expansions(); });
}

uint64_t GridSearch::necessary_expansions() const {
    return with_engine(impl_->engine, [](const auto& search) {
        if constexpr (BidirectionalEngine<std::remove_cvref_t<decltype(search)>>) {
            return search.necessary_expansions();
        } else {
            return search.expansions();
        }
    });
}

void GridSearch::path(Path& out) const {
    clear(out, impl_->status, expansions());
    const Goals::Kind kind = impl_->goals.kind;
    if (impl_->status != Status::kFound || kind == Goals::Kind::kNone || kind == Goals::Kind::kMany) return;
    with_engine(impl_->engine, [&](const auto& search) {
        CellId goal = impl_->goals.one;
        if constexpr (!BidirectionalEngine<std::remove_cvref_t<decltype(search)>>) goal = search.goal_node();
        impl_->append_path(search, goal, out);
        return 0;
    });
    // Sum the cost again: in a bounded search, a label may be higher than the cost of its final path.
    out.cost = path_cost(impl_->ground, out.cells);
    out.bound = impl_->bound;
    if (std::isinf(out.bound)) out.bound = octile_ratio(impl_->ground, out.cells.front(), out.cells.back(), out.cost);
}

Cost GridSearch::cost_to(Cell cell) const {
    const GridLayout& layout = impl_->ground.layout();
    if (std::holds_alternative<std::monostate>(impl_->engine) || !layout.contains(cell)) return kInfiniteCost;
    return with_engine(impl_->engine, [&](const auto& search) -> Cost {
        if constexpr (!BidirectionalEngine<std::remove_cvref_t<decltype(search)>>) {
            const auto g = search.labels().g(layout.id(cell));
            if (g != kInfinite<std::remove_const_t<decltype(g)>>) return Cost{g} * impl_->divisor;
        }
        return kInfiniteCost;
    });
}

void GridSearch::costs(std::span<Cost> out) const {
    const GridLayout& layout = impl_->ground.layout();
    const auto known = out.first(static_cast<size_t>(std::min<uint64_t>(out.size(), layout.cells())));
    const bool copied = with_engine(impl_->engine, [&](const auto& search) {
        constexpr bool kHasCosts = !BidirectionalEngine<std::remove_cvref_t<decltype(search)>>;
        if constexpr (kHasCosts) copy_costs(search.labels(), layout, impl_->divisor, known);
        return kHasCosts;
    });
    if (!copied) std::ranges::fill(known, kInfiniteCost);
}

void GridSearch::path_to(Cell cell, Path& out) const {
    const Cost cost = cost_to(cell);
    const bool done = impl_->status == Status::kFound || impl_->status == Status::kUnreachable;
    const auto why_not = [&] {
        if (!impl_->ground.layout().contains(cell)) return Status::kOutsideMap;
        return impl_->ground.passable(cell) ? Status::kUnreachable : Status::kBlockedGoal;
    };
    clear(out, done ? why_not() : impl_->status, expansions());
    if (!done || cost == kInfiniteCost) return;
    out.status = Status::kFound;
    out.cost = cost;
    with_engine(impl_->engine, [&](const auto& search) {
        if constexpr (!BidirectionalEngine<std::remove_cvref_t<decltype(search)>>)
            impl_->append_path(search, impl_->ground.layout().id(cell), out);
        return 0;
    });
}

void GridSearch::reached(std::vector<ReachedCell>& out) const {
    out.clear();
    if (impl_->goals.kind != Goals::Kind::kNone || impl_->status != Status::kFound) return;
    with_engine(impl_->engine, [&](const auto& search) {
        if constexpr (!BidirectionalEngine<std::remove_cvref_t<decltype(search)>>) {
            search.labels().for_each([&](CellId node, Cost g) { out.push_back({impl_->ground.layout().cell(node), g * impl_->divisor}); });
        }
        return 0;
    });
    std::sort(out.begin(), out.end(), [](const ReachedCell& a, const ReachedCell& b) {
        if (a.cost != b.cost) return a.cost < b.cost;
        return a.cell.y != b.cell.y ? a.cell.y < b.cell.y : a.cell.x < b.cell.x;
    });
}

size_t GridSearch::bytes() const { return impl_->scratch32.bytes() + impl_->scratch64.bytes() + impl_->tables.lower_bound_query.bytes(); }

namespace {

// Compiles the profile, begins a search with `begin`, runs it, and returns the result of `take`.
template <class Begin, class Take>
auto search_once(const GridSnapshot& grid, const Profile& profile, Movement movement, Begin&& begin, Take&& take)
    -> Result<decltype(take(std::declval<GridSearch&>()))> {
    const auto costs = profile.compile(grid.catalogue());
    if (!costs) return costs.error();
    GridSearch search;
    begin(search, Ground(grid, *costs, movement));
    search.run();
    return take(search);
}

Path take_path(GridSearch& search) {
    Path path;
    search.path(path);
    return path;
}

}  // namespace

Result<Path> find_path(const GridSnapshot& grid, Cell start, Cell goal, const Profile& profile, const SearchOptions& options,
                       Movement movement) {
    return search_once(
        grid, profile, movement, [&](GridSearch& search, const Ground& ground) { search.begin(ground, start, goal, options); }, take_path);
}

Result<Path> find_nearest(const GridSnapshot& grid, Cell start, std::span<const Cell> goals, const Profile& profile,
                          const SearchOptions& options, Movement movement) {
    return search_once(
        grid, profile, movement, [&](GridSearch& search, const Ground& ground) { search.begin_nearest(ground, start, goals, options); },
        take_path);
}

Result<Path> find_nearest(const GridSnapshot& grid, Cell start, std::string_view terrain, const Profile& profile,
                          const SearchOptions& options, Movement movement) {
    const auto id = grid.catalogue().find(terrain);
    if (!id) return Error{ErrorCode::kUnknownName, {}, 0, "no terrain named '" + std::string(terrain) + "' in this map's catalogue"};
    return search_once(
        grid, profile, movement, [&](GridSearch& search, const Ground& ground) { search.begin_nearest(ground, start, *id, options); },
        take_path);
}

Result<std::vector<Cost>> find_costs(const GridSnapshot& grid, Cell start, std::span<const Cell> goals, const Profile& profile,
                                     const SearchOptions& options, Movement movement) {
    return search_once(
        grid, profile, movement, [&](GridSearch& search, const Ground& ground) { search.begin_many(ground, start, goals, options); },
        [&](GridSearch& search) {
            std::vector<Cost> out;
            out.reserve(goals.size());
            for (const Cell goal : goals) out.push_back(search.cost_to(goal));
            return out;
        });
}

Result<std::vector<ReachedCell>> find_within(const GridSnapshot& grid, Cell start, Cost max_cost, const Profile& profile,
                                             const SearchOptions& options, Movement movement) {
    return search_once(
        grid, profile, movement, [&](GridSearch& search, const Ground& ground) { search.begin_flood(ground, start, max_cost, options); },
        [&](GridSearch& search) {
            std::vector<ReachedCell> out;
            search.reached(out);
            return out;
        });
}

}  // namespace terrane
