#include "terrane/grid_search/grid_search.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <variant>

#include "grid_search/cell_search.h"
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
    Weight weight = {};

    Family family() const { return kind == Goals::Kind::kOne ? options->method.family : Family::kDijkstra; }
    bool weighted() const { return family() == Family::kWeightedAStar || family() == Family::kFocal; }
    uint64_t cheapest_edge() const { return uint64_t{2} * kStraight * bounds.cheapest; }
    uint32_t bucket_shift() const {
        TERRANE_ASSERT(bounds.cheapest > 0);  // the start is passable
        return detail::bucket_shift(cheapest_edge());
    }
};

// Its memory is kept.
void clear(Path& path, Status status, uint64_t expansions) {
    path.cells.clear();
    path.line.clear();
    path = {.status = status, .cells = std::move(path.cells), .expansions = expansions, .line = std::move(path.line)};
}

}  // namespace

struct GridSearch::Impl : detail::InMemory {
    Ground ground;
    uint32_t divisor = 1;
    CellId start = kNoCell;
    Goals goals;
    double bound = 1;
    Status status = Status::kOutsideMap;
    uint64_t max_expansions = 0;
    std::optional<DifferentialHeuristic> landmarks;  // held for the engine
    std::optional<EmbeddingHeuristic> embedding;
    std::optional<Certificate> certificate;
    CertificateBounds certificate_bounds;
    AnyEngine engine;
    std::unique_ptr<detail::CellSearch> own;  // of a method of the family kOwn; stands in for the engine while `by_own`
    std::string own_name;
    bool by_own = false;
    std::vector<CellId> own_path;
    Scratch<uint32_t> scratch32;
    Scratch<uint64_t> scratch64;

    void begin(const Ground& on, Query query);
    Status take_goals(const Ground& on, std::span<const Cell> cells);
    Status refuse(const Query& query) const;
    bool fits_32_bits(const Query& query) const {
        return detail::fits_32_bits(query.bounds, static_cast<uint64_t>(ground.grid().width()),
                                    static_cast<uint64_t>(ground.grid().height()), query.bounds.cheapest, query.weight,
                                    query.bucket_shift());
    }
    template <class V>
    void start_engine(Scratch<V>& scratch, const Query& query);
    void start_own(const Query& query);
    void take_own_path(Path& out);
    template <class V, class Observer>
    Engines<V, Observer> make_engine(Scratch<V>& scratch, const Query& query, Observer observer);
    template <class E>
    void walk(const E& search, CellId to, Path& out) const;
};

// kBudgetSpent: the search may start.
Status GridSearch::Impl::refuse(const Query& query) const {
    const Status ends = ground.check_ends(query.start, query.goal);
    if (ends != Status::kFound) return ends;
    if (query.kind == Goals::Kind::kOne && !searches_cells(query.options->method)) return Status::kNotPrepared;
    const auto is_stale = [&](const auto& heuristic) { return heuristic && !heuristic->valid_for(ground); };
    const bool stale = is_stale(landmarks) || is_stale(embedding) || is_stale(certificate);
    return stale ? Status::kStale : Status::kBudgetSpent;
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
    by_own = false;
    ground = on;
    divisor = ground.costs().divisor;
    goals.kind = query.kind;
    if (query.weighted()) query.weight = detail::usable_weight(query.options->method.weight, query.bounds);
    bound = query.weight.value();
    max_expansions = query.options->max_expansions;
    landmarks.reset();
    embedding.reset();
    certificate.reset();
    if (query.options->landmarks != nullptr) landmarks = *query.options->landmarks;
    if (query.options->embedding != nullptr) embedding = *query.options->embedding;
    if (query.options->certificate != nullptr) certificate = *query.options->certificate;
    status = refuse(query);
    if (status != Status::kBudgetSpent) return;
    start = ground.layout().id(query.start);
    goals.one = ground.layout().id(query.goal);
    if (query.family() == Family::kOwn) {
        start_own(query);
    } else if (fits_32_bits(query)) {
        start_engine(scratch32, query);
    } else {
        start_engine(scratch64, query);
    }
}

void GridSearch::Impl::start_own(const Query& query) {
    const Method& method = query.options->method;
    if (own == nullptr || own_name != method.name) {
        TERRANE_ASSERT(method.make != nullptr);
        own = method.make();
        own_name = method.name;
    }
    by_own = true;
    own->begin({ground, start, goals.one, method});
}

// Nothing is known of how good it is but the octile distance, which nothing can beat.
void GridSearch::Impl::take_own_path(Path& out) {
    own->path(own_path);
    for (const CellId id : own_path) out.cells.push_back(ground.layout().cell(id));
    out.cost = path_cost(ground, out.cells);
    const Cost least = ground.octile_bound(ground.layout().cell(start), ground.layout().cell(goals.one));
    out.bound = least == 0 ? 1 : std::max(1.0, static_cast<double>(out.cost) / static_cast<double>(least));
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
    const GridGraph<V> graph(ground);
    const auto octile = [&](Cell to, uint32_t cheapest) { return Octile<V>(ground.layout(), to, cheapest, ground.rule()); };
    const auto max_cost = static_cast<V>(std::min<Cost>(query.max_cost / divisor, std::numeric_limits<V>::max() - 1));
    const auto bound_to = [&](Cell to) {
        Bound<V> distance{octile(to, query.bounds.cheapest), {}, {}, nullptr};
        if (landmarks) distance.landmarks = landmarks->to<V>(to, ground);
        if (embedding) distance.embedding = embedding->to<V>(to, ground);
        return distance;
    };
    const Bound<V> to_goal = bound_to(query.goal);
    const AtGoal at_goal{goals.one, &ground.grid(), &goals};
    auto& [labels, buckets, heaps] = scratch;
    for (auto& heap : heaps) heap.reset();
    for (auto& queue : buckets) queue.reset(query.bucket_shift());
    switch (query.family()) {
        case Family::kWeightedAStar:
            return Weighted<V, Observer>(graph, to_goal, at_goal, labels[0], heaps[0], query.weight, max_cost, observer);
        case Family::kFocal:
            return Focal<V, Observer>(graph, to_goal, at_goal, Optimistic<V>(to_goal, query.weight), labels[0],
                                      {&heaps[0], &heaps[1], &heaps[2]}, query.weight, observer);
        case Family::kNbs:
            return Nbs<V, Observer>({graph, to_goal, &labels[0], &buckets[0], &buckets[1]},
                                    {graph, bound_to(query.start), &labels[1], &buckets[2], &buckets[3]},
                                    static_cast<V>(query.cheapest_edge()), observer);
        case Family::kAStar: {
            Bound<V> certified = to_goal;
            if (certificate) {
                certificate_bounds.aim(*certificate, query.goal);
                certified.certificate = &certificate_bounds;
                buckets[0].reset(query.bucket_shift() - std::min(query.bucket_shift(), kCertificateShift));
            }
            return Optimal<V, Observer>(graph, certified, at_goal, labels[0], buckets[0], {}, max_cost, observer);
        }
        default: break;  // Dijkstra's algorithm; methods that do not search cells are refused before
    }
    return Optimal<V, Observer>(graph, Bound<V>{octile(query.goal, 0), {}, {}, nullptr}, at_goal, labels[0], buckets[0], {}, max_cost,
                                observer);
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
    TERRANE_ASSERT(options.method.weight.denominator > 0 && options.method.weight.numerator >= options.method.weight.denominator);
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
    impl_->status = impl_->by_own ? impl_->own->run(std::min(budget, left))
                                  : with_engine(impl_->engine, [&](auto& search) { return search.run(std::min(budget, left)); });
    const bool flood = impl_->goals.kind == Goals::Kind::kNone;
    if (flood && impl_->status == Status::kUnreachable) impl_->status = Status::kFound;  // all that there is
    const bool lacks_some = impl_->goals.kind == Goals::Kind::kMany && impl_->goals.dropped;
    if (lacks_some && impl_->status == Status::kFound) impl_->status = Status::kUnreachable;
    return impl_->status;
}

Status GridSearch::status() const { return impl_->status; }

uint64_t GridSearch::expansions() const {
    if (impl_->by_own) return impl_->own->expansions();
    return with_engine(impl_->engine, [](const auto& search) { return search.expansions(); });
}

uint64_t GridSearch::necessary_expansions() const {
    if (impl_->by_own) return impl_->own->expansions();
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
    if (impl_->by_own) return impl_->take_own_path(out);
    out.bound = impl_->bound;
    with_engine(impl_->engine, [&](const auto& search) {
        CellId goal = impl_->goals.one;
        if constexpr (!FromBothEnds<std::remove_cvref_t<decltype(search)>>) goal = search.goal_node();
        impl_->walk(search, goal, out);
        return 0;
    });
    // Re-summed: a bounded search may stop with a label dearer than its path has become.
    out.cost = path_cost(impl_->ground, out.cells);
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

size_t GridSearch::bytes() const {
    return impl_->scratch32.bytes() + impl_->scratch64.bytes() + impl_->certificate_bounds.bytes() +
           (impl_->own == nullptr ? 0 : impl_->own->bytes());
}

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
