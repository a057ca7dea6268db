#include "terrane/weighted_regions/bprep.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "terrane/base/assert.h"
#include "terrane/search/paged_labels.h"
#include "weighted_regions/bprep_layout.h"
#include "weighted_regions/indexed_queue.h"
#include "weighted_regions/out_of_memory.h"
#include "weighted_regions/straight_line_bound.h"

namespace terrane {

namespace {

struct PointQuery {
    const Subdivision* subdivision = nullptr;
    detail::BprepLayout layout;
    Point from, to;
    std::vector<uint32_t> from_in, to_in;
    double heuristic = 0;

    // Node ids after those of the layout.
    uint32_t start() const { return layout.nodes(); }
    uint32_t goal() const { return layout.nodes() + 1; }
    Point point(uint32_t node) const { return node < start() ? layout.point(node) : node == start() ? from : to; }
};

// Edges are straight segments inside a polygon, at its cost. Pruned are edges that cannot improve a path:
//   - from a node, edges through the polygon that it was reached through: by the triangle inequality, its parent's edge to the same node is
//     no more expensive;
//   - between points of one boundary, all but those between adjacent points, at the cost of the cheaper side: they add up to the same.
// A step along a boundary counts as one through the polygon of the cheaper side.
class PointGraph {
public:
    using Node = uint32_t;
    using Value = double;
    struct Via {
        uint32_t from = 0;
        uint32_t polygon = kNoPolygon;  // that the edge crosses
    };

    explicit PointGraph(const PointQuery& query) : q_(&query) {}

    Node origin(Node, Via via) const { return via.from; }

    template <class Label, class Emit>
    void expand(Node node, const Label& label, Emit&& emit) const {
        if (node == q_->start()) {
            for (const uint32_t polygon : q_->from_in) cross(node, label, polygon, 0, 0, emit);
        } else if (q_->layout.is_corner(node)) {
            for (const uint32_t polygon : q_->layout.polygons_at(node)) cross(node, label, polygon, 0, 0, emit);
        } else {
            follow(node, label, emit);
            const uint32_t b = q_->layout.boundary_of(node);
            const auto& boundary = q_->subdivision->boundaries()[b];
            cross(node, label, boundary.left, q_->layout.run_begin(b, 0), q_->layout.run_size(b), emit);
            cross(node, label, boundary.right, q_->layout.run_begin(b, 1), q_->layout.run_size(b), emit);
        }
    }

private:
    // Edges to the adjacent points on the node's boundary.
    template <class Label, class Emit>
    void follow(Node node, const Label& label, Emit& emit) const {
        const auto& boundary = q_->subdivision->boundaries()[q_->layout.boundary_of(node)];
        const uint32_t cheaper =
            q_->subdivision->cost(boundary.right) < q_->subdivision->cost(boundary.left) ? boundary.right : boundary.left;
        const Point at = q_->layout.point(node);
        for (const uint32_t to : q_->layout.neighbours(node)) {
            emit(to, label.g + q_->subdivision->cost(cheaper) * distance(at, q_->layout.point(to)), Via{node, cheaper});
        }
    }

    // Edges to all nodes of the polygon except `skip` entries from index `skip_from`.
    template <class Label, class Emit>
    void cross(Node node, const Label& label, uint32_t polygon, size_t skip_from, size_t skip, Emit& emit) const {
        if (polygon == label.via.polygon) return;
        const Point at = q_->point(node);
        const double cost = q_->subdivision->cost(polygon);
        const auto visit = [&](std::span<const detail::BprepLayout::Entry> entries) {
            for (const auto& entry : entries) emit(entry.node, label.g + cost * distance(at, entry.at), Via{node, polygon});
        };
        const auto entries = q_->layout.entries(polygon);
        visit(entries.first(skip_from));
        visit(entries.subspan(skip_from + skip));
        if (std::ranges::binary_search(q_->to_in, polygon)) emit(q_->goal(), label.g + cost * distance(at, q_->to), Via{node, polygon});
    }

    const PointQuery* q_;
};

struct StraightLineHeuristic {
    const PointQuery* q;
    double operator()(uint32_t node) const { return q->heuristic * distance(q->point(node), q->to); }
};

// Records the expanded nodes in a trace.
struct TraceObserver {
    const PointQuery* q = nullptr;
    SubdivisionTrace* trace = nullptr;
    std::vector<uint8_t>* expanded_nodes = nullptr;  // by node; only with a trace

    void expanded(uint32_t node, double) {
        if (trace == nullptr) return;
        trace->expanded.push_back(q->point(node));
        (*expanded_nodes)[node] = 1;
    }
    void improved(uint32_t, uint32_t, double) {}
};

using PointLabels = PagedLabels<uint32_t, double, PointGraph::Via>;
using PointQueue = detail::IndexedQueue<uint32_t, double>;
using PointSearch = BestFirst<PointGraph, StraightLineHeuristic, OneGoal<uint32_t>, PointLabels, PointQueue, TraceObserver>;

}  // namespace

struct BprepSearch::State {
    PointQuery query;
    PointLabels labels;
    PointQueue queue;
    std::optional<PointSearch> search;  // empty once the query has ended
    SubdivisionTrace* trace = nullptr;
    std::vector<uint8_t> expanded;
    SubdivisionPath path;

    void begin(const Subdivision& subdivision, Point from, Point to, const BprepOptions& options);
    void start(const BprepOptions& options);
    Status run(uint64_t budget);
    Status fail() {
        search.reset();
        return detail::out_of_memory(path);
    }
    void finish();
    void read_path();
    void list_open();
};

void BprepSearch::State::begin(const Subdivision& subdivision, Point from, Point to, const BprepOptions& options) {
    search.reset();
    path = {};
    if (options.trace != nullptr) *options.trace = {};
    query.subdivision = &subdivision;
    query.from = from;
    query.to = to;
    path.status = subdivision_path_ends(subdivision, from, to, query.from_in, query.to_in);
    if (path.status == Status::kFound) start(options);
}

void BprepSearch::State::start(const BprepOptions& options) {
    query.layout.build(*query.subdivision, options.spacing);
    query.heuristic = options.heuristic > 0 ? options.heuristic : detail::cheapest_cost(*query.subdivision);
    trace = options.trace;
    labels.reset(query.goal() + 1);
    queue.reset(query.goal() + 1);
    if (trace != nullptr) expanded.assign(query.goal() + 1, 0);
    search.emplace(PointGraph(query), StraightLineHeuristic{&query}, OneGoal<uint32_t>{query.goal()}, labels, queue, Weight{},
                   std::numeric_limits<double>::max(), TraceObserver{&query, trace, &expanded});
    search->start(query.start());
    path.status = Status::kBudgetSpent;
}

// Walks back from the goal. Of consecutive points on one boundary, keeps the first and the last.
void BprepSearch::State::read_path() {
    std::vector<uint32_t> nodes;
    const auto& layout = query.layout;
    search->walk_back(
        query.goal(), [&](uint32_t node) { return node == query.start(); }, [&](uint32_t node) { nodes.push_back(node); });
    path.points.clear();
    for (size_t i = nodes.size(); i-- > 0;) {
        const uint32_t node = nodes[i];
        const bool between = node < query.start() && !layout.is_corner(node) && layout.is_on(nodes[i + 1], layout.boundary_of(node)) &&
                             layout.is_on(nodes[i - 1], layout.boundary_of(node));
        if (!between) path.points.push_back(query.point(node));
    }
    detail::drop_repeated(path.points);
    path.cost = detail::path_cost_of(*query.subdivision, path.points, search->goal_cost());
    path.lower_bound = std::min(path.cost, detail::straight_line_bound(*query.subdivision, query.from, query.to));
}

void BprepSearch::State::list_open() {
    labels.for_each([&](uint32_t node, double) {
        if (expanded[node] == 0) trace->open.push_back(query.point(node));
    });
}

void BprepSearch::State::finish() {
    if (path.status == Status::kFound) read_path();
    if (trace != nullptr) list_open();
    search.reset();
}

Status BprepSearch::State::run(uint64_t budget) {
    if (!search) return path.status;
    path.status = search->run(budget);
    path.expansions = search->expansions();
    if (path.status != Status::kBudgetSpent) finish();
    return path.status;
}

BprepSearch::BprepSearch() : state_(std::make_unique<State>()) {}
BprepSearch::~BprepSearch() = default;
BprepSearch::BprepSearch(BprepSearch&&) noexcept = default;
BprepSearch& BprepSearch::operator=(BprepSearch&&) noexcept = default;

void BprepSearch::begin(const Subdivision& subdivision, Point from, Point to, const BprepOptions& options) {
    TERRANE_ASSERT(std::isfinite(options.spacing) && options.spacing > 0);
    TERRANE_ASSERT(std::isfinite(options.heuristic) && options.heuristic >= 0);
    detail::begin_query(state_, [&](State& s) { s.begin(subdivision, from, to, options); });
}

Status BprepSearch::run(uint64_t budget) {
    return detail::catch_bad_alloc([&] { return state_->run(budget); }, [&] { return state_->fail(); });
}

const SubdivisionPath& BprepSearch::path() const { return state_->path; }

size_t BprepSearch::bytes() const {
    const State& s = *state_;
    return sizeof(State) + s.query.layout.bytes() + s.labels.bytes() + s.queue.bytes() + s.expanded.capacity() +
           s.path.points.capacity() * sizeof(Point);
}

}  // namespace terrane
