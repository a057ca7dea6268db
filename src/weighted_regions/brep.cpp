#include "terrane/weighted_regions/brep.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/bp_solver.h"
#include "terrane/base/assert.h"
#include "terrane/search/heap_queue.h"
#include "weighted_regions/out_of_memory.h"
#include "weighted_regions/straight_line_bound.h"

namespace terrane {

namespace {

// A half-edge is a boundary with a crossing direction: twice its index, plus one for right to left. half_edge ^ 1 is the opposite one.
constexpr uint32_t kNone = 0xffffffff;      // the half-edge of the start node
constexpr uint32_t kGoalEdge = 0xfffffffe;  // the half-edge of goal nodes

// Newton's method during the search, where f only orders nodes. 1e-9 takes 1.4 times as long at 24 regions; 1e-2 takes a quarter less, but
// leaves 35% instead of 10% of the answers above the optimum at 100 regions (bench weighted-regions).
constexpr double kTolerance = 1e-4;
// Points further back than this stay where the parent has them; the last boundary hardly moves them. 10,000 regions: 1.5 s, without it 44 s
// (on a loaded machine).
constexpr size_t kWindow = 16;

// A search node: a sequence of boundaries. The boundaries are shared with its ancestors, the crossing places are its own.
struct Entry {
    double f = 0;
    size_t places = 0;  // index of the first in the arena
    uint32_t half_edge = kNone;
    uint32_t parent = 0;
    uint32_t length = 0;   // of the sequence
    uint32_t polygon = 0;  // that the last boundary leads into
    bool expanded = false;
};

// The nodes of a query, their places, and the best node for each half-edge. Freed by the next query only.
struct Arena {
    std::vector<Entry> entries;
    std::vector<double> places;
    std::vector<uint32_t> best;  // by half-edge, the goal's last; kNone: none yet

    void reset(size_t half_edges) {
        entries.clear();
        places.clear();
        best.assign(half_edges + 1, kNone);
    }
    uint32_t& best_at(uint32_t half_edge) { return half_edge == kGoalEdge ? best.back() : best[half_edge]; }
    uint32_t best_at(uint32_t half_edge) const { return half_edge == kGoalEdge ? best.back() : best[half_edge]; }
    double best_f(uint32_t half_edge) const { return best_at(half_edge) == kNone ? kBlockedCost : entries[best_at(half_edge)].f; }
    std::span<const double> places_of(const Entry& entry) const { return std::span(places).subspan(entry.places, entry.length); }
    size_t bytes() const { return entries.capacity() * sizeof(Entry) + places.capacity() * sizeof(double) + best.capacity() * 4; }
};

// The arena as the label store of the search kernel: a node keeps its label until a better node for its half-edge replaces it.
class ArenaLabels {
public:
    struct Label {
        double g;
        uint32_t via;
    };

    explicit ArenaLabels(const Arena& arena) : arena_(&arena) {}

    double g(uint32_t node) const {
        const Entry& entry = arena_->entries[node];
        return entry.half_edge == kNone || arena_->best_at(entry.half_edge) == node ? entry.f : kInfinite<double>;
    }
    Label label(uint32_t node) const { return {g(node), arena_->entries[node].parent}; }
    bool improve(uint32_t, double, uint32_t, uint32_t) { return true; }  // the graph generates improving nodes only
    template <class G>
    uint32_t parent(const G&, uint32_t node) const {
        return arena_->entries[node].parent;
    }

private:
    const Arena* arena_;
};

struct SequenceQuery {
    const Subdivision* subdivision = nullptr;
    Point from, to;
    std::vector<uint32_t> from_in, to_in;
    BrepOptions options;
    double heuristic = 0;

    Arena arena;
    BoundaryPointSolver solver;
    uint64_t iterations = 0;
    // The current sequence: its boundaries, the costs of the path's segments, and the crossing places.
    std::vector<Segment> segments;
    std::vector<double> costs;
    std::vector<double> places;

    uint32_t polygon_before(uint32_t half_edge) const { return half_edge % 2 == 0 ? boundary(half_edge).left : boundary(half_edge).right; }
    uint32_t polygon_after(uint32_t half_edge) const { return half_edge % 2 == 0 ? boundary(half_edge).right : boundary(half_edge).left; }
    const Subdivision::Boundary& boundary(uint32_t half_edge) const { return subdivision->boundaries()[half_edge / 2]; }
    Segment segment(uint32_t half_edge) const { return subdivision->segment(boundary(half_edge)); }
    Point point_of(const Entry& entry) const;

    void load(const Entry& entry);
    double solve_window(size_t primed);
    double solve(size_t primed, double tolerance = 0, size_t held = 0);
    bool pin_corners();
    template <class Emit>
    void expand_through(uint32_t node, uint32_t polygon, Emit& emit);
    template <class Emit>
    void add(uint32_t node, uint32_t half_edge, uint32_t polygon, double f, Emit& emit);
};

// The representative point of a node: its last crossing point.
Point SequenceQuery::point_of(const Entry& entry) const {
    if (entry.half_edge == kGoalEdge) return to;
    return entry.length == 0 ? from : segment(entry.half_edge).at(arena.places_of(entry).back());
}

// Loads the entry's boundaries, the costs up to the last of them, and its places.
void SequenceQuery::load(const Entry& entry) {
    segments.resize(entry.length);
    costs.resize(entry.length);
    const auto own = arena.places_of(entry);
    places.assign(own.begin(), own.end());
    const Entry* e = entry.half_edge == kGoalEdge ? &arena.entries[entry.parent] : &entry;
    for (size_t i = entry.length; i-- > 0; e = &arena.entries[e->parent]) {
        segments[i] = segment(e->half_edge);
        costs[i] = subdivision->cost(polygon_before(e->half_edge));
    }
}

// Optimises the crossing points of the current sequence, except the first `held`, into `places`. Returns the cost.
double SequenceQuery::solve(size_t primed, double tolerance, size_t held) {
    Point start = from;
    double before = 0;
    for (size_t i = 0; i < held; ++i) {
        const Point p = segments[i].at(places[i]);
        before += costs[i] * distance(start, p);
        start = p;
    }
    const BoundaryProblem problem{start, to, std::span(segments).subspan(held), std::span(costs).subspan(held)};
    const auto rest = std::span(places).subspan(held);
    const BoundaryAnswer answer =
        options.solver == BrepOptions::Solver::kNewton
            ? solver.newton(problem, rest, {.tolerance = tolerance, .primed = primed - held})
            : solver.descend(problem, rest,
                             {.epsilon = options.epsilon, .max_iterations = options.max_iterations, .primed = primed - held});
    iterations += answer.iterations;
    return before + answer.cost;
}

// For a node that is not at the goal. The paper's descent does not move far points anyway.
double SequenceQuery::solve_window(size_t primed) {
    const bool newton = options.solver == BrepOptions::Solver::kNewton;
    return solve(primed, kTolerance, newton && places.size() > kWindow ? places.size() - kWindow : 0);
}

// Replaces boundaries that are crossed at an end by that point. The solver snaps points to ends after it has placed the others; solving
// once more makes the others satisfy Snell's law to the last digits.
bool SequenceQuery::pin_corners() {
    bool any = false;
    for (size_t i = 0; i < places.size(); ++i) {
        if (places[i] != 0 && places[i] != 1) continue;
        const Point corner = segments[i].at(places[i]);
        segments[i] = {corner, corner};
        any = true;
    }
    return any;
}

// Adds a node for the current sequence if it improves the best f of its half-edge. Pathmax: f is at least the parent's, although rounding
// and a descent that stopped early may give less.
template <class Emit>
void SequenceQuery::add(uint32_t node, uint32_t half_edge, uint32_t polygon, double f, Emit& emit) {
    f = std::max(f, arena.entries[node].f);
    if (!(f < arena.best_f(half_edge))) return;
    const auto made = static_cast<uint32_t>(arena.entries.size());
    arena.entries.push_back({f, arena.places.size(), half_edge, node, static_cast<uint32_t>(places.size()), polygon, false});
    arena.places.insert(arena.places.end(), places.begin(), places.end());
    arena.best_at(half_edge) = made;
    emit(made, f, node);
}

// Generates the successors of `node` through `polygon`: the goal, if it is there, and the polygon's boundaries.
template <class Emit>
void SequenceQuery::expand_through(uint32_t node, uint32_t polygon, Emit& emit) {
    const Entry entry = arena.entries[node];
    load(entry);
    costs.push_back(subdivision->cost(polygon));
    if (std::ranges::binary_search(to_in, polygon)) add(node, kGoalEdge, polygon, solve(entry.length), emit);
    costs.push_back(heuristic);
    segments.emplace_back();
    for (const uint32_t b : subdivision->boundaries_of(polygon)) {
        const uint32_t half_edge = 2 * b + static_cast<uint32_t>(subdivision->boundaries()[b].right == polygon),
                       after = polygon_after(half_edge);
        const bool back = entry.half_edge == (half_edge ^ 1);
        if (subdivision->is_blocked(after) || (back && subdivision->cost(polygon) >= subdivision->cost(after)) ||
            entry.f >= arena.best_f(half_edge))
            continue;
        segments.back() = segment(half_edge);
        const auto own = arena.places_of(entry);
        places.assign(own.begin(), own.end());
        places.push_back(0);
        add(node, half_edge, after, solve_window(entry.length), emit);
    }
}

class SequenceGraph {
public:
    using Node = uint32_t;
    using Value = double;
    using Via = uint32_t;  // the parent

    explicit SequenceGraph(SequenceQuery& query) : q_(&query) {}

    Node origin(Node, Via via) const { return via; }

    template <class Label, class Emit>
    void expand(Node node, const Label&, Emit&& emit) const {
        Entry& entry = q_->arena.entries[node];
        entry.expanded = true;
        if (q_->options.trace != nullptr) q_->options.trace->expanded.push_back(q_->point_of(entry));
        if (node != 0) {
            q_->expand_through(node, entry.polygon, emit);
        } else {
            for (const uint32_t polygon : q_->from_in) q_->expand_through(node, polygon, emit);
        }
    }

private:
    SequenceQuery* q_;
};

struct AtGoal {
    const Arena* arena;
    bool operator()(uint32_t node) const { return arena->entries[node].half_edge == kGoalEdge; }
};

using SequenceQueue = HeapQueue<uint32_t, double>;
using SequenceSearch = BestFirst<SequenceGraph, ZeroHeuristic, AtGoal, ArenaLabels, SequenceQueue>;

}  // namespace

struct BrepSearch::State {
    SequenceQuery query;
    ArenaLabels labels{query.arena};
    SequenceQueue queue;
    std::optional<SequenceSearch> search;  // empty once the query has ended
    SubdivisionPath path;

    void begin(const Subdivision& subdivision, Point from, Point to, const BrepOptions& options);
    void start();
    Status run(uint64_t budget);
    Status fail() {
        search.reset();
        return detail::out_of_memory(path);
    }
    void finish();
    void read_path();
    void list_open();
};

void BrepSearch::State::begin(const Subdivision& subdivision, Point from, Point to, const BrepOptions& options) {
    search.reset();
    path = {};
    query.subdivision = &subdivision;
    query.from = from;
    query.to = to;
    query.options = options;
    query.iterations = 0;
    if (options.trace != nullptr) *options.trace = {};
    path.status = subdivision_path_ends(subdivision, from, to, query.from_in, query.to_in);
    if (path.status == Status::kFound) start();
}

void BrepSearch::State::start() {
    query.heuristic = query.options.heuristic > 0 ? query.options.heuristic : detail::cheapest_cost(*query.subdivision);
    query.arena.reset(2 * query.subdivision->boundaries().size());
    query.arena.entries.push_back({query.heuristic * distance(query.from, query.to)});
    queue.reset();
    search.emplace(SequenceGraph(query), ZeroHeuristic{}, AtGoal{&query.arena}, labels, queue);
    search->start(0, query.arena.entries[0].f);
    path.status = Status::kBudgetSpent;
}

// Solves the sequence once more: the descent may have stopped early.
void BrepSearch::State::read_path() {
    const Entry goal = query.arena.entries[search->goal_node()];
    query.load(goal);
    query.costs.push_back(query.subdivision->cost(goal.polygon));
    double sum = query.solve(goal.length);
    if (query.options.solver == BrepOptions::Solver::kNewton && query.pin_corners()) sum = query.solve(goal.length);
    path.points.assign(1, query.from);
    const auto points = query.solver.points();
    path.points.insert(path.points.end(), points.begin(), points.end());
    path.points.push_back(query.to);
    detail::drop_repeated(path.points);
    path.cost = detail::path_cost_of(*query.subdivision, path.points, sum);
    path.lower_bound = std::min(path.cost, detail::straight_line_bound(*query.subdivision, query.from, query.to));
}

void BrepSearch::State::list_open() {
    for (uint32_t node = 0; node < query.arena.entries.size(); ++node) {
        const Entry& entry = query.arena.entries[node];
        if (!entry.expanded && labels.g(node) != kInfinite<double>) query.options.trace->open.push_back(query.point_of(entry));
    }
}

void BrepSearch::State::finish() {
    if (path.status == Status::kFound) read_path();
    if (query.options.trace != nullptr) list_open();
    search.reset();
}

Status BrepSearch::State::run(uint64_t budget) {
    if (!search) return path.status;
    path.status = search->run(budget);
    path.expansions = search->expansions();
    if (path.status != Status::kBudgetSpent) finish();
    return path.status;
}

BrepSearch::BrepSearch() : state_(std::make_unique<State>()) {}
BrepSearch::~BrepSearch() = default;
BrepSearch::BrepSearch(BrepSearch&&) noexcept = default;
BrepSearch& BrepSearch::operator=(BrepSearch&&) noexcept = default;

void BrepSearch::begin(const Subdivision& subdivision, Point from, Point to, const BrepOptions& options) {
    TERRANE_ASSERT(std::isfinite(options.heuristic) && options.heuristic >= 0);
    TERRANE_ASSERT(options.epsilon >= 0);
    detail::begin_query(state_, [&](State& s) { s.begin(subdivision, from, to, options); });
}

Status BrepSearch::run(uint64_t budget) {
    return detail::catch_bad_alloc([&] { return state_->run(budget); }, [&] { return state_->fail(); });
}

const SubdivisionPath& BrepSearch::path() const { return state_->path; }

uint64_t BrepSearch::iterations() const { return state_->query.iterations; }

size_t BrepSearch::bytes() const {
    const State& s = *state_;
    return sizeof(State) + s.query.arena.bytes() + s.query.solver.bytes() + s.queue.bytes() + s.path.points.capacity() * sizeof(Point) +
           s.query.segments.capacity() * sizeof(Segment) + (s.query.costs.capacity() + s.query.places.capacity()) * sizeof(double);
}

}  // namespace terrane
