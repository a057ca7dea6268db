#include "grid_search/refiner.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <variant>

#include "grid_search/search_limits.h"
#include "terrane/base/assert.h"
#include "terrane/grid/octile.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

namespace {

// Refers to a graph stored elsewhere: the engine copies its graph, and a GridGraph holds 2 KB of tables.
template <class V>
struct WholeMap {
    using Node = CellId;
    using Value = V;
    using Via = Move;

    const GridGraph<V>* graph;

    template <class Label, class Emit>
    TERRANE_INLINE void expand(CellId node, const Label& label, Emit&& emit) const {
        graph->expand(node, label, emit);
    }
    CellId origin(CellId to, Move move) const { return graph->origin(to, move); }
};

// The cells of a window. Both cells beside a diagonal step between two cells of the window are in the window too, so cells outside do
// not matter.
template <class V>
struct Window {
    using Node = CellId;
    using Value = V;
    using Via = Move;

    const GridGraph<V>* graph;
    GridLayout layout;
    uint32_t left, top, width, height;

    template <class Label, class Emit>
    TERRANE_INLINE void expand(CellId node, const Label& label, Emit&& emit) const {
        const bool inside = column(node) - 1 < width - 2 && row(node) - 1 < height - 2;  // all eight neighbours are in the window
        if (inside) return graph->expand(node, label, emit);
        graph->expand(node, label, [&](CellId to, V g, Move move) TERRANE_INLINE {
            if (column(to) < width && row(to) < height) emit(to, g, move);
        });
    }
    CellId origin(CellId to, Move move) const { return graph->origin(to, move); }

private:
    uint32_t column(CellId node) const { return static_cast<uint32_t>(layout.x(node)) - left; }
    uint32_t row(CellId node) const { return static_cast<uint32_t>(layout.y(node)) - top; }
};

// Labels and queues for one width of cost, and the graph with its tables.
template <class V>
struct RefinerScratch {
    std::optional<GridGraph<V>> graph;  // created on first use in a query
    PagedLabels<CellId, V, Move> labels;
    BucketQueue<CellId, V> buckets;
    HeapQueue<CellId, V> heap;

    size_t bytes() const { return labels.bytes() + buckets.bytes() + heap.bytes(); }
};

// As in GridSearch: buckets for A*; a heap for weighted A*, which expands each cell once and so needs keys in exact order.
template <class V, class G>
using OptimalCells = BestFirst<G, OctileHeuristic<GridLayout, V>, OneGoal<CellId>, PagedLabels<CellId, V, Move>, BucketQueue<CellId, V>>;
template <class V, class G>
using WeightedCells = BestFirst<G, OctileHeuristic<GridLayout, V>, OneGoal<CellId>, PagedLabels<CellId, V, Move>, HeapQueue<CellId, V>,
                                NoObserver, ExpandOnce>;

using RefinerEngine = std::variant<std::monostate, OptimalCells<uint32_t, WholeMap<uint32_t>>, OptimalCells<uint32_t, Window<uint32_t>>,
                                   OptimalCells<uint64_t, WholeMap<uint64_t>>, OptimalCells<uint64_t, Window<uint64_t>>,
                                   WeightedCells<uint32_t, WholeMap<uint32_t>>, WeightedCells<uint32_t, Window<uint32_t>>,
                                   WeightedCells<uint64_t, WholeMap<uint64_t>>, WeightedCells<uint64_t, Window<uint64_t>>>;

// The lowest cost in a rectangle; 0 if all of it is blocked. Terrain comes in patches: skips eight cells at once if all equal the last
// one read.
uint32_t cheapest_in(const GridSnapshot& grid, const CostTable& costs, const Rect& rect) {
    uint32_t cheapest = 0;
    uint64_t repeated_last = ~uint64_t{0};  // the last terrain read, eight times; initially kOutside
    const auto scan = [&](const Terrain* cells, int32_t count) {
        for (int32_t i = 0; i < count; ++i) {
            const uint32_t cost = costs.cost[cells[i]];
            if (cost - 1 < cheapest - 1) cheapest = cost;  // unsigned wrap: 0 counts as the maximum
            repeated_last = cells[i] * uint64_t{0x0101010101010101};
        }
    };
    for (int32_t y = rect.y; y < rect.bottom(); ++y) {
        for (int32_t x = rect.x; x < rect.right();) {
            const int32_t next = std::min({x + 8, (x | (kTileSide - 1)) + 1, rect.right()});
            const CellId id = grid.layout().id({x, y});
            const Terrain* cells = grid.tile_cells(id >> 10) + (id & (kTileCells - 1));
            if (next - x < 8 || std::memcmp(cells, &repeated_last, 8) != 0) scan(cells, next - x);
            x = next;
        }
    }
    return cheapest;
}

}  // namespace

struct Refiner::Impl : detail::ScopeAllocated {
    GridSnapshot grid;
    RefinementRules rules;
    GridBounds bounds;

    Cell from, to;
    Rect window;
    Status status = Status::kOutsideMap;
    bool wide = false;      // 64-bit labels
    uint32_t cheapest = 0;  // lowest terrain cost in the window
    uint32_t shift = 0;
    Cost cost = 0;
    uint64_t before = 0;   // expansions of the earlier segments
    uint64_t segment = 0;  // expansions of this segment

    RefinerEngine engine;  // empty until the first run() of a segment
    RefinerScratch<uint32_t> scratch32;
    RefinerScratch<uint64_t> scratch64;

    bool weighted() const { return rules.weight.numerator != rules.weight.denominator; }
    Status validate() const;
    bool fits_32_bits() const;
    void start();
    template <class Use>
    void with_engine(Use&& use);
    template <class V>
    void start_in(RefinerScratch<V>& scratch);
    template <class V, class G>
    void start_on(RefinerScratch<V>& scratch, const G& graph);
    template <class V>
    void append_path(const PagedLabels<CellId, V, Move>& labels, std::vector<Cell>& out) const;
};

// Validates the segment's ends; kBudgetSpent means that the search may start.
Status Refiner::Impl::validate() const {
    if (!window.contains(from) || !window.contains(to)) return Status::kOutsideMap;
    if (!rules.costs.passable(grid.at(from))) return Status::kBlockedStart;
    if (!rules.costs.passable(grid.at(to))) return Status::kBlockedGoal;
    return Status::kBudgetSpent;
}

bool Refiner::Impl::fits_32_bits() const {
    return detail::fits_32_bits(bounds, static_cast<uint64_t>(window.width), static_cast<uint64_t>(window.height), cheapest,
                                detail::largest_key(bounds, rules.weight, shift));
}

void Refiner::Impl::start() {
    cheapest = window == grid.layout().rect() ? bounds.cheapest : cheapest_in(grid, rules.costs, window);
    shift = detail::bucket_shift(uint64_t{2} * kStraight * cheapest);
    wide = !fits_32_bits();
    if (wide) {
        start_in(scratch64);
    } else {
        start_in(scratch32);
    }
}

// Applies `use` to the segment's engine, which it starts first if necessary.
template <class Use>
void Refiner::Impl::with_engine(Use&& use) {
    if (engine.index() == 0) start();
    std::visit(
        [&](auto& search) {
            if constexpr (!std::is_same_v<std::remove_reference_t<decltype(search)>, std::monostate>) use(search);
        },
        engine);
}

template <class V>
void Refiner::Impl::start_in(RefinerScratch<V>& scratch) {
    const GridLayout& layout = grid.layout();
    scratch.labels.reset(layout.id_limit());
    if (!scratch.graph) {
        scratch.graph.emplace(Ground(grid, rules.costs, rules.movement), weighted() ? Pruning::kLabelled : Pruning::kDominated);
    }
    if (window == layout.rect()) {
        start_on(scratch, WholeMap<V>{&*scratch.graph});
    } else {
        start_on(scratch, Window<V>{&*scratch.graph, layout, static_cast<uint32_t>(window.x), static_cast<uint32_t>(window.y),
                                    static_cast<uint32_t>(window.width), static_cast<uint32_t>(window.height)});
    }
}

template <class V, class G>
void Refiner::Impl::start_on(RefinerScratch<V>& scratch, const G& graph) {
    const GridLayout& layout = grid.layout();
    const OctileHeuristic<GridLayout, V> octile(layout, to, cheapest, rule_of(rules.movement));
    const OneGoal<CellId> goal{layout.id(to)};
    if (weighted()) {
        scratch.heap.reset();
        engine.emplace<WeightedCells<V, G>>(graph, octile, goal, scratch.labels, scratch.heap, rules.weight)
            .start(layout.id(from), 0, kNoMove);
    } else {
        scratch.buckets.reset(shift);
        engine.emplace<OptimalCells<V, G>>(graph, octile, goal, scratch.labels, scratch.buckets).start(layout.id(from), 0, kNoMove);
    }
}

template <class V>
void Refiner::Impl::append_path(const PagedLabels<CellId, V, Move>& labels, std::vector<Cell>& out) const {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    for (Cell c = to; c != from;) {
        out.push_back(c);
        const Cell move = kMoves[labels.via(grid.layout().id(c))];
        c = {c.x - move.x, c.y - move.y};
    }
    std::reverse(out.begin() + first, out.end());
}

Refiner::Refiner() : impl_(std::make_unique<Impl>()) {}
Refiner::~Refiner() = default;
Refiner::Refiner(Refiner&&) noexcept = default;
Refiner& Refiner::operator=(Refiner&&) noexcept = default;

void Refiner::begin(const Ground& ground, Weight weight) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    TERRANE_ASSERT(weight.denominator > 0 && weight.numerator >= weight.denominator);
    Impl& impl = *impl_;
    impl.engine.emplace<std::monostate>();
    impl.grid = ground.grid();
    impl.bounds = ground.bounds();
    impl.rules = {ground.costs(), ground.movement(), detail::usable_weight(weight, impl.bounds)};
    impl.scratch32.graph.reset();
    impl.scratch64.graph.reset();
    impl.status = Status::kOutsideMap;
    impl.before = impl.segment = 0;
}

void Refiner::begin_segment(Cell from, Cell to) { begin_segment(from, to, impl_->grid.layout().rect()); }

void Refiner::begin_segment(Cell from, Cell to, const Rect& window) {
    Impl& impl = *impl_;
    impl.engine.emplace<std::monostate>();
    impl.from = from;
    impl.to = to;
    impl.window = intersection(window, impl.grid.layout().rect());
    impl.before += impl.segment;
    impl.segment = 0;
    impl.status = impl.validate();
}

void Refiner::set_incumbent(Cost cost) {
    Impl& impl = *impl_;
    TERRANE_ASSERT(!impl.weighted());
    if (impl.status != Status::kBudgetSpent) return;
    impl.with_engine([&](auto& search) { search.set_incumbent((cost + impl.rules.costs.divisor - 1) / impl.rules.costs.divisor); });
}

Status Refiner::run(uint64_t budget) {
    Impl& impl = *impl_;
    if (impl.status != Status::kBudgetSpent) return impl.status;
    impl.with_engine([&](auto& search) {
        impl.status = search.run(budget);
        impl.segment = search.expansions();
        impl.cost = Cost{search.goal_cost()} * impl.rules.costs.divisor;
    });
    return impl.status;
}

void Refiner::append_to(std::vector<Cell>& out) const {
    TERRANE_ASSERT(impl_->status == Status::kFound);
    if (impl_->wide) {
        impl_->append_path(impl_->scratch64.labels, out);
    } else {
        impl_->append_path(impl_->scratch32.labels, out);
    }
}

Status Refiner::status() const { return impl_->status; }
uint64_t Refiner::expansions() const { return impl_->before + impl_->segment; }
uint64_t Refiner::segment_expansions() const { return impl_->segment; }
Cost Refiner::cost() const { return impl_->cost; }
Cell Refiner::from() const { return impl_->from; }
Cell Refiner::to() const { return impl_->to; }
Rect Refiner::window() const { return impl_->window; }
const GridSnapshot& Refiner::grid() const { return impl_->grid; }
const RefinementRules& Refiner::rules() const { return impl_->rules; }
size_t Refiner::bytes() const { return sizeof(Impl) + impl_->scratch32.bytes() + impl_->scratch64.bytes(); }

}  // namespace terrane
