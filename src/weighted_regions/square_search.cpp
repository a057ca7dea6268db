#include "terrane/weighted_regions/square_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "terrane/base/assert.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"
#include "weighted_regions/out_of_memory.h"
#include "weighted_regions/square_graph.h"
#include "weighted_regions/square_layout.h"
#include "weighted_regions/straight_line_bound.h"

namespace terrane {

namespace {

using detail::kNoSquare;
using detail::SquareGraph;
using detail::SquareLayout;

using SquareLabels = PagedLabels<uint32_t, double, uint32_t>;
using SquareQueue = HeapQueue<uint32_t, double>;

struct SquareTraceObserver {
    const SquareLayout* layout;
    SubdivisionTrace* trace;

    void expanded(uint32_t node, double) {
        if (trace != nullptr) trace->expanded.push_back(layout->centre_of_node(node));
    }
    void improved(uint32_t, uint32_t, double) {}
};

// ExpandOnce: sums of doubles depend on the order of steps in their last digits; a node is not reopened for that.
using SquareEngine =
    BestFirst<SquareGraph, detail::SquareHeuristic, OneGoal<uint32_t>, SquareLabels, SquareQueue, SquareTraceObserver, ExpandOnce>;

}  // namespace

struct SquareSearch::State {
    SquareLayout layout;
    SquareLabels labels;
    SquareQueue queue;
    std::optional<SquareEngine> search;  // empty if begin() ended the query
    Point from, to;
    uint32_t from_square = kNoSquare, to_square = kNoSquare;
    SubdivisionTrace* trace = nullptr;
    SubdivisionPath path;
    double square_cost = 0;
    std::vector<uint32_t> from_in, to_in;

    bool by_leaves() const { return layout.kind() == SquareKind::kQuadtree; }
    uint32_t node_of(uint32_t square) const { return by_leaves() ? layout.leaf_of(square) : square; }
    void begin(const Subdivision& subdivision, Point begins, Point ends, const SquareSearchOptions& options);
    Status lay_out(const Subdivision& subdivision, const SquareSearchOptions& options);
    void start();
    Status run(uint64_t budget);
    Status fail() {
        search.reset();
        return detail::out_of_memory(path);
    }
    void list_open() const;
    void finish();
    void make_polyline(std::span<const uint32_t> nodes);
    double cost_of_ends(uint32_t first, uint32_t last) const;
};

void SquareSearch::State::begin(const Subdivision& subdivision, Point begins, Point ends, const SquareSearchOptions& options) {
    search.reset();
    from = begins;
    to = ends;
    trace = options.trace;
    if (trace != nullptr) *trace = {};
    path = {};
    square_cost = 0;
    path.status = lay_out(subdivision, options);
}

Status SquareSearch::State::lay_out(const Subdivision& subdivision, const SquareSearchOptions& options) {
    const Status ends = subdivision_path_ends(subdivision, from, to, from_in, to_in);
    if (ends != Status::kFound) return ends;
    layout.build(subdivision, options.kind, options.side);
    path.lower_bound = detail::straight_line_bound(subdivision, from, to);
    from_square = layout.passable_square_near(from);
    to_square = layout.passable_square_near(to);
    if (from_square == kNoSquare || to_square == kNoSquare) return Status::kUnreachable;
    start();
    return Status::kBudgetSpent;
}

void SquareSearch::State::start() {
    labels.reset(layout.limit());
    queue.reset();
    const uint32_t goal = node_of(to_square);
    const detail::SquareHeuristic ahead{&layout, layout.centre_of_node(goal), layout.cheapest(), layout.kind() == SquareKind::kGrid};
    search.emplace(SquareGraph(layout, goal), ahead, OneGoal<uint32_t>{goal}, labels, queue, Weight{}, std::numeric_limits<double>::max(),
                   SquareTraceObserver{&layout, trace});
    search->start(node_of(from_square), 0, kNoSquare);
}

void SquareSearch::State::list_open() const {
    labels.for_each([&](uint32_t node, double) {
        if (!labels.closed(node)) trace->open.push_back(layout.centre_of_node(node));
    });
}

void SquareSearch::State::finish() {
    std::vector<uint32_t> nodes;
    search->walk_back(
        search->goal_node(), [&](uint32_t node) { return labels.via(node) == kNoSquare; }, [&](uint32_t node) { nodes.push_back(node); });
    std::ranges::reverse(nodes);
    square_cost = search->goal_cost() + (by_leaves() ? cost_of_ends(nodes.front(), nodes.back()) : 0);
    make_polyline(nodes);
    path.cost = subdivision_path_cost(layout.subdivision(), path.points);
}

// The polyline from `from` to `to` through the centres. The endpoint replaces the centre of its square, but not that of its leaf: only the
// segment between the centres of two leaves is guaranteed to stay inside them.
void SquareSearch::State::make_polyline(std::span<const uint32_t> nodes) {
    std::vector<Point>& points = path.points;
    points.assign(1, from);
    if (layout.square_at(from) != from_square) points.push_back(layout.centre(from_square));
    if (by_leaves() && nodes.size() > 1) {
        for (const uint32_t leaf : nodes) points.push_back(layout.centre_of_leaf(leaf));
    } else {
        for (size_t i = 1; i + 1 < nodes.size(); ++i) points.push_back(layout.centre(nodes[i]));
    }
    if (layout.square_at(to) != to_square) points.push_back(layout.centre(to_square));
    points.push_back(to);
    detail::drop_repeated(points);
}

// kQuadtree: the cost from the start to the first centre plus that from the last centre to the goal.
double SquareSearch::State::cost_of_ends(uint32_t first, uint32_t last) const {
    const double first_cost = layout.leaves()[first].cost, last_cost = layout.leaves()[last].cost;
    if (first == last) return first_cost * distance(from, to);
    return first_cost * distance(from, layout.centre_of_leaf(first)) + last_cost * distance(layout.centre_of_leaf(last), to);
}

Status SquareSearch::State::run(uint64_t budget) {
    if (!search || path.status != Status::kBudgetSpent) return path.status;
    path.status = search->run(budget);
    path.expansions = search->expansions();
    if (path.status == Status::kBudgetSpent) return path.status;
    if (trace != nullptr) list_open();
    if (path.status == Status::kFound) finish();
    return path.status;
}

SquareSearch::SquareSearch() : state_(std::make_unique<State>()) {}
SquareSearch::~SquareSearch() = default;
SquareSearch::SquareSearch(SquareSearch&&) noexcept = default;
SquareSearch& SquareSearch::operator=(SquareSearch&&) noexcept = default;

void SquareSearch::begin(const Subdivision& subdivision, Point from, Point to, const SquareSearchOptions& options) {
    TERRANE_ASSERT(std::isfinite(options.side) && options.side > 0);
    detail::begin_query(state_, [&](State& s) { s.begin(subdivision, from, to, options); });
}

Status SquareSearch::run(uint64_t budget) {
    return detail::catch_bad_alloc([&] { return state_->run(budget); }, [&] { return state_->fail(); });
}

const SubdivisionPath& SquareSearch::path() const { return state_->path; }
double SquareSearch::square_cost() const { return state_->square_cost; }
size_t SquareSearch::nodes() const { return state_->layout.nodes(); }

std::vector<SquareSearch::Leaf> SquareSearch::leaves() const {
    const SquareLayout& layout = state_->layout;
    std::vector<Leaf> leaves;
    leaves.reserve(layout.leaves().size());
    for (const SquareLayout::Leaf& leaf : layout.leaves()) {
        leaves.push_back({layout.corner(leaf.x, leaf.y), leaf.side * layout.side(), leaf.cost});
    }
    return leaves;
}

size_t SquareSearch::bytes() const { return state_->layout.bytes() + state_->labels.bytes() + state_->queue.bytes(); }

}  // namespace terrane
