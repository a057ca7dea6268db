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

// With a certificate, buckets are this much narrower (in powers of two): where the bound is near the truth many keys are nearly equal, and
// what wide buckets take out of order is expanded again. On a weighted 2048x2048 map with 16 landmarks, expansions at 0, 3, 6 and 8:
// 316,000, 148,000, 135,500 and 135,400; from 9 on the buckets themselves cost time.
constexpr uint32_t kCertificateShift = 6;

// What a search stops at.
struct Goals {
    enum class Kind : uint8_t { kOne, kNearest, kTerrain, kMany, kNone };
    Kind kind = Kind::kNone;
    CellId one = kNoCell;
    Terrain terrain = kOutside;
    Vector<CellId> cells;  // kNearest, kMany: ascending, once each
    size_t left = 0;       // kMany: not yet reached
    bool dropped = false;  // kMany: there were others, blocked or off the map

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

struct WatchedBy {
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

// Octile distance, or a table's bound, which is never less. Cut off where a key could overflow: only cells that are not joined
// to the goal, or paths as dear as 2^48 units, are that far.
template <class V>
struct Bound {
    Octile<V> octile;
    std::optional<LandmarkBound<V>> landmarks;
    std::optional<EmbeddingBound<V>> embedding;
    CertificateBounds* certificate = nullptr;

    TERRANE_INLINE V operator()(CellId node) const {
        if (landmarks) return cut((*landmarks)(node));
        if (embedding) return cut((*embedding)(node));
        if (certificate != nullptr) return std::max(octile(node), cut((*certificate)(node)));
        return octile(node);
    }

private:
    static V cut(uint64_t h) { return static_cast<V>(std::min({h, uint64_t{1} << 48, uint64_t{kInfinite<V>}})); }
};

// The order in which focal search takes what its bound allows: that of weighted A* with twice the excess (Thayer, Ruml 2008). By
// distance to the goal alone it reopened so much that at 1.5, on a 512x512 island, it expanded 60 times more than A*.
template <class V>
struct Optimistic {
    Bound<V> distance;
    Weight weight;
    Optimistic(const Bound<V>& to_goal, Weight eps) : distance(to_goal), weight{2 * eps.numerator - eps.denominator, eps.denominator} {}
    uint64_t operator()(CellId node, V g) const { return uint64_t{g} * weight.denominator + uint64_t{distance(node)} * weight.numerator; }
};

// For optimal searches buckets; for weighted ones, whose keys fall as well as rise and which must take them in exact order
// to expand a cell only once, a heap.
template <class V, class Observer>
using Optimal = BestFirst<GridGraph<V>, Bound<V>, AtGoal, Labels<V>, BucketQueue<CellId, V>, Observer, Reopen>;
template <class V, class Observer>
using Weighted = BestFirst<GridGraph<V>, Bound<V>, AtGoal, Labels<V>, HeapQueue<CellId, V>, Observer, ExpandOnce>;
template <class V, class Observer>
using Focal = FocalSearch<GridGraph<V>, Bound<V>, AtGoal, Optimistic<V>, Labels<V>, HeapQueue<CellId, V>, Observer>;
template <class V, class Observer>
using Nbs = Bidirectional<GridGraph<V>, Bound<V>, Labels<V>, BucketQueue<CellId, V>, Observer>;

template <class V, class Observer>
using Engines = std::variant<Optimal<V, Observer>, Weighted<V, Observer>, Focal<V, Observer>, Nbs<V, Observer>>;
using AnyEngine = std::variant<std::monostate, Engines<uint32_t, NoObserver>, Engines<uint64_t, NoObserver>, Engines<uint32_t, WatchedBy>,
                               Engines<uint64_t, WatchedBy>>;

// Applies `use` to the engine at hand; a value-initialised result where there is none.
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
concept FromBothEnds = requires(const E& engine) {
    engine.meeting();
};

// Labels and queues for one width of cost; what a method does not use stays empty.
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

// Better heuristics than octile distance: at most one of them.
struct Tables {
    std::optional<DifferentialHeuristic> landmarks;
    std::optional<EmbeddingHeuristic> embedding;
    std::optional<Certificate> certificate;
    CertificateBounds certificate_bounds;

    void take(const SearchOptions& options) {
        landmarks.reset();
        embedding.reset();
        certificate.reset();
        if (options.landmarks != nullptr) landmarks = *options.landmarks;
        if (options.embedding != nullptr) embedding = *options.embedding;
        if (options.certificate != nullptr) certificate = *options.certificate;
    }
    bool stale(const Ground& ground) const {
        const auto is_stale = [&](const auto& table) { return table && !table->valid_for(ground); };
        return is_stale(landmarks) || is_stale(embedding) || is_stale(certificate);
    }
};

// What an algorithm makes its search of.
template <class V, class Observer>
struct Parts {
    const Ground& ground;
    const Query& query;
    Tables& tables;
    AtGoal at_goal;
    Scratch<V>& scratch;
    V max_cost;
    Observer observer;

    GridGraph<V> graph() const { return GridGraph<V>(ground); }
    Bound<V> octile_to(Cell to, uint32_t cheapest) const {
        return {Octile<V>(ground.layout(), to, cheapest, ground.rule()), {}, {}, nullptr};
    }
    Bound<V> bound_to(Cell to) const {
        Bound<V> distance = octile_to(to, query.bounds.cheapest);
        if (tables.landmarks) distance.landmarks = tables.landmarks->template to<V>(to, ground);
        if (tables.embedding) distance.embedding = tables.embedding->template to<V>(to, ground);
        return distance;
    }
    Engines<V, Observer> optimal(const Bound<V>& distance) const {
        return Optimal<V, Observer>(graph(), distance, at_goal, scratch.labels[0], scratch.buckets[0], {}, max_cost, observer);
    }
};

struct AStar {
    template <class V, class Observer>
    static Engines<V, Observer> make(const Parts<V, Observer>& parts) {
        Bound<V> distance = parts.bound_to(parts.query.goal);
        if (parts.tables.certificate) {
            const uint32_t shift = parts.query.bucket_shift();
            parts.tables.certificate_bounds.aim(*parts.tables.certificate, parts.query.goal);
            distance.certificate = &parts.tables.certificate_bounds;
            parts.scratch.buckets[0].reset(shift - std::min(shift, kCertificateShift));
        }
        return parts.optimal(distance);
    }
};

struct WeightedAStar {
    template <class V, class Observer>
    static Engines<V, Observer> make(const Parts<V, Observer>& parts) {
        return Weighted<V, Observer>(parts.graph(), parts.bound_to(parts.query.goal), parts.at_goal, parts.scratch.labels[0],
                                     parts.scratch.heaps[0], parts.query.weight, parts.max_cost, parts.observer);
    }
};

struct FocalAStar {
    template <class V, class Observer>
    static Engines<V, Observer> make(const Parts<V, Observer>& parts) {
        const Bound<V> to_goal = parts.bound_to(parts.query.goal);
        auto& heaps = parts.scratch.heaps;
        return Focal<V, Observer>(parts.graph(), to_goal, parts.at_goal, Optimistic<V>(to_goal, parts.query.weight),
                                  parts.scratch.labels[0], {&heaps[0], &heaps[1], &heaps[2]}, parts.query.weight, parts.observer);
    }
};

struct NearOptimalBidirectional {
    template <class V, class Observer>
    static Engines<V, Observer> make(const Parts<V, Observer>& parts) {
        auto& [labels, buckets, heaps] = parts.scratch;
        return Nbs<V, Observer>({parts.graph(), parts.bound_to(parts.query.goal), &labels[0], &buckets[0], &buckets[1]},
                                {parts.graph(), parts.bound_to(parts.query.start), &labels[1], &buckets[2], &buckets[3]},
                                static_cast<V>(parts.query.cheapest_edge()), parts.observer);
    }
};

struct Dijkstra {
    template <class V, class Observer>
    static Engines<V, Observer> make(const Parts<V, Observer>& parts) {
        return parts.optimal(parts.octile_to(parts.query.goal, 0));
    }
};

// Greedy best-first search (Doran, Michie 1966): the key is h alone.
struct Greedy {
    template <class V, class Observer>
    static Engines<V, Observer> make(const Parts<V, Observer>& parts) {
        return Weighted<V, Observer>(parts.graph(), parts.octile_to(parts.query.goal, 1), parts.at_goal, parts.scratch.labels[0],
                                     parts.scratch.heaps[0], Weight{1, 0}, parts.max_cost, parts.observer);
    }
};

// Its memory is kept.
void clear(Path& path, Status status, uint64_t expansions) {
    path.cells.clear();
    path.line.clear();
    path = {.status = status, .cells = std::move(path.cells), .expansions = expansions, .line = std::move(path.line)};
}

}  // namespace

namespace detail {

struct CellAlgorithm {
    Engines<uint32_t, NoObserver> (*narrow)(const Parts<uint32_t, NoObserver>&);
    Engines<uint64_t, NoObserver> (*wide)(const Parts<uint64_t, NoObserver>&);
    Engines<uint32_t, WatchedBy> (*narrow_watched)(const Parts<uint32_t, WatchedBy>&);
    Engines<uint64_t, WatchedBy> (*wide_watched)(const Parts<uint64_t, WatchedBy>&);
    bool bounded;  // by the weight. If not, labels may become too large for 32 bits

    template <class Algorithm>
    static constexpr CellAlgorithm of(bool is_bounded = true) {
        return {Algorithm::make, Algorithm::make, Algorithm::make, Algorithm::make, is_bounded};
    }
    auto make(const Parts<uint32_t, NoObserver>& parts) const { return narrow(parts); }
    auto make(const Parts<uint64_t, NoObserver>& parts) const { return wide(parts); }
    auto make(const Parts<uint32_t, WatchedBy>& parts) const { return narrow_watched(parts); }
    auto make(const Parts<uint64_t, WatchedBy>& parts) const { return wide_watched(parts); }
};

constinit const CellAlgorithm kAStar = CellAlgorithm::of<AStar>();
constinit const CellAlgorithm kWeightedAStar = CellAlgorithm::of<WeightedAStar>();
constinit const CellAlgorithm kFocal = CellAlgorithm::of<FocalAStar>();
constinit const CellAlgorithm kNbs = CellAlgorithm::of<NearOptimalBidirectional>();
constinit const CellAlgorithm kDijkstra = CellAlgorithm::of<Dijkstra>();
constinit const CellAlgorithm kGreedy = CellAlgorithm::of<Greedy>(false);

}  // namespace detail

struct GridSearch::Impl : detail::InMemory {
    Ground ground;
    uint32_t divisor = 1;
    CellId start = kNoCell;
    Goals goals;
    double bound = 1;  // infinite: nothing is guaranteed
    Status status = Status::kOutsideMap;
    uint64_t max_expansions = 0;
    Tables tables;  // held for the engine
    AnyEngine engine;
    Scratch<uint32_t> scratch32;
    Scratch<uint64_t> scratch64;

    void begin(const Ground& on, Query query);
    Status take_goals(const Ground& on, std::span<const Cell> cells);
    Status refuse(const Query& query) const;
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
    void walk(const E& search, CellId to, Path& out) const;
};

// kBudgetSpent: the search may start.
Status GridSearch::Impl::refuse(const Query& query) const {
    const Status ends = ground.check_ends(query.start, query.goal);
    if (ends != Status::kFound) return ends;
    if (query.algorithm == nullptr) return Status::kNotPrepared;
    return tables.stale(ground) ? Status::kStale : Status::kBudgetSpent;
}

// Keeps those that can be reached at all; says why where none is left.
Status GridSearch::Impl::take_goals(const Ground& on, std::span<const Cell> cells) {
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
    status = refuse(query);
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
        engine = make_engine(scratch, query, WatchedBy{&ground.layout(), divisor, query.options->watcher});
    }
    with_engine(engine, [&](auto& search) {
        if constexpr (FromBothEnds<std::remove_reference_t<decltype(search)>>) {
            search.start(start, goals.one, kNoMove);
        } else {
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
    return query.algorithm->make(Parts<V, Observer>{ground, query, tables, at_goal, scratch, max_cost, observer});
}

// Writes the way from the start to `to`.
template <class E>
void GridSearch::Impl::walk(const E& search, CellId to, Path& out) const {
    const auto back_to = [&](const auto& labels, CellId node, CellId end) {
        for (; node != end; node = labels.parent(search.graph(), node)) out.cells.push_back(ground.layout().cell(node));
        out.cells.push_back(ground.layout().cell(end));
    };
    if constexpr (FromBothEnds<E>) {
        back_to(search.labels(false), search.meeting(), start);
        std::reverse(out.cells.begin(), out.cells.end());
        out.cells.pop_back();  // the meeting cell, which the second half begins with
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
    TERRANE_ASSERT((options.landmarks != nullptr) + (options.embedding != nullptr) + (options.certificate != nullptr) <= 1);
    impl_->begin(ground, {ground.bounds(), start, goal, Goals::Kind::kOne, kInfiniteCost, &options});
}

void GridSearch::begin_nearest(const Ground& ground, Cell start, std::span<const Cell> goals, const SearchOptions& options) {
    const Status why = impl_->take_goals(ground, goals);
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
    const Status why = impl_->take_goals(ground, goals);
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
    if (flood && impl_->status == Status::kUnreachable) impl_->status = Status::kFound;  // all that there is
    const bool lacks_some = impl_->goals.kind == Goals::Kind::kMany && impl_->goals.dropped;
    if (lacks_some && impl_->status == Status::kFound) impl_->status = Status::kUnreachable;
    return impl_->status;
}

Status GridSearch::status() const { return impl_->status; }

uint64_t GridSearch::expansions() const {
    return with_engine(impl_->engine, [](const auto& search) { return search.expansions(); });
}

uint64_t GridSearch::necessary_expansions() const {
    return with_engine(impl_->engine, [](const auto& search) {
        if constexpr (FromBothEnds<std::remove_cvref_t<decltype(search)>>) {
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
        if constexpr (!FromBothEnds<std::remove_cvref_t<decltype(search)>>) goal = search.goal_node();
        impl_->walk(search, goal, out);
        return 0;
    });
    // Re-summed: a bounded search may stop with a label dearer than its path has become.
    out.cost = path_cost(impl_->ground, out.cells);
    out.bound = impl_->bound;
    if (std::isinf(out.bound)) out.bound = octile_ratio(impl_->ground, out.cells.front(), out.cells.back(), out.cost);
}

Cost GridSearch::cost_to(Cell cell) const {
    const GridLayout& layout = impl_->ground.layout();
    if (std::holds_alternative<std::monostate>(impl_->engine) || !layout.contains(cell)) return kInfiniteCost;
    return with_engine(impl_->engine, [&](const auto& search) -> Cost {
        if constexpr (!FromBothEnds<std::remove_cvref_t<decltype(search)>>) {
            const auto g = search.labels().g(layout.id(cell));
            if (g != kInfinite<std::remove_const_t<decltype(g)>>) return Cost{g} * impl_->divisor;
        }
        return kInfiniteCost;
    });
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
        if constexpr (!FromBothEnds<std::remove_cvref_t<decltype(search)>>) impl_->walk(search, impl_->ground.layout().id(cell), out);
        return 0;
    });
}

void GridSearch::reached(std::vector<ReachedCell>& out) const {
    out.clear();
    if (impl_->goals.kind != Goals::Kind::kNone || impl_->status != Status::kFound) return;
    with_engine(impl_->engine, [&](const auto& search) {
        if constexpr (!FromBothEnds<std::remove_cvref_t<decltype(search)>>) {
            search.labels().for_each([&](CellId node, Cost g) { out.push_back({impl_->ground.layout().cell(node), g * impl_->divisor}); });
        }
        return 0;
    });
    std::sort(out.begin(), out.end(), [](const ReachedCell& a, const ReachedCell& b) {
        if (a.cost != b.cost) return a.cost < b.cost;
        return a.cell.y != b.cell.y ? a.cell.y < b.cell.y : a.cell.x < b.cell.x;
    });
}

size_t GridSearch::bytes() const { return impl_->scratch32.bytes() + impl_->scratch64.bytes() + impl_->tables.certificate_bounds.bytes(); }

namespace {

// Compiles the profile, lets `begin` begin a search, runs it, and hands it to `take`.
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
