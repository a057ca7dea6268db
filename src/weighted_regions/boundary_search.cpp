#include "terrane/weighted_regions/boundary_search.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/boundary_points.h"
#include "terrane/base/assert.h"
#include "terrane/search/heap_queue.h"
#include "weighted_regions/crow.h"
#include "weighted_regions/query_memory.h"

namespace terrane {

namespace {

// A boundary and the way it is crossed: twice its number, plus one for right to left.
constexpr uint32_t kNowhere = 0xffffffff;  // the start's
constexpr uint32_t kAtGoal = 0xfffffffe;

// Newton's method on the way: f only orders nodes there. 1e-9 took 1.4 times as long at 24 regions; 1e-2 a quarter less, but at 100
// regions 35% of the answers were above the optimum instead of 10% (bench open-terrain). Points further back than the window, which the
// last boundary hardly moves, stay where the parent has them: without it 10,000 regions took 44 s (on a busy machine), not 1.5.
constexpr double kTolerance = 1e-4;
constexpr size_t kWindow = 16;

// A search node: a sequence of boundaries. It shares the boundaries with its parents but has places of its own on all of them.
struct Entry {
    double f = 0;
    size_t places = 0;  // where in the arena they begin
    uint32_t side = kNowhere;
    uint32_t parent = 0;
    uint32_t length = 0;   // of the sequence
    uint32_t polygon = 0;  // that the way on from its last boundary leads through
    bool expanded = false;
};

// All that a search has made, never freed before the next one: nodes, their places, and which node is the best one for each side.
struct Arena {
    std::vector<Entry> entries;
    std::vector<double> places;
    std::vector<uint32_t> best;  // by side, and the goal's last; kNowhere: none yet

    void reset(size_t sides) {
        entries.clear();
        places.clear();
        best.assign(sides + 1, kNowhere);
    }
    uint32_t& best_at(uint32_t side) { return side == kAtGoal ? best.back() : best[side]; }
    uint32_t best_at(uint32_t side) const { return side == kAtGoal ? best.back() : best[side]; }
    double best_f(uint32_t side) const { return best_at(side) == kNowhere ? kBlockedCost : entries[best_at(side)].f; }
    std::span<const double> places_of(const Entry& entry) const { return std::span(places).subspan(entry.places, entry.length); }
    size_t bytes() const { return entries.capacity() * sizeof(Entry) + places.capacity() * sizeof(double) + best.capacity() * 4; }
};

// The kernel's view of the arena: a node has the label that it was made with until a better one for its side replaces it.
class ArenaLabels {
public:
    struct Label {
        double g;
        uint32_t via;
    };

    explicit ArenaLabels(const Arena& arena) : arena_(&arena) {}

    double g(uint32_t node) const {
        const Entry& entry = arena_->entries[node];
        return entry.side == kNowhere || arena_->best_at(entry.side) == node ? entry.f : kInfinite<double>;
    }
    Label label(uint32_t node) const { return {g(node), arena_->entries[node].parent}; }
    bool improve(uint32_t, double, uint32_t, uint32_t) { return true; }  // the graph makes nodes only where they are better
    template <class G>
    uint32_t parent(const G&, uint32_t node) const {
        return arena_->entries[node].parent;
    }

private:
    const Arena* arena_;
};

struct SequenceQuery {
    const Subdivision* field = nullptr;
    Point from, to;
    std::vector<uint32_t> from_in, to_in;
    BoundarySearchOptions options;
    double heuristic = 0;

    Arena arena;
    BoundaryPointSolver solver;
    uint64_t iterations = 0;
    // The sequence at hand: its boundaries, and the costs of the stretches.
    std::vector<Segment> segments;
    std::vector<double> costs;
    std::vector<double> places;

    uint32_t polygon_before(uint32_t side) const { return side % 2 == 0 ? boundary(side).left : boundary(side).right; }
    uint32_t polygon_after(uint32_t side) const { return side % 2 == 0 ? boundary(side).right : boundary(side).left; }
    const Subdivision::Boundary& boundary(uint32_t side) const { return field->boundaries()[side / 2]; }
    Segment segment(uint32_t side) const { return field->segment(boundary(side)); }
    Point point_of(const Entry& entry) const;

    void load(const Entry& entry);
    double solve_end(size_t primed);
    double solve(size_t primed, double tolerance = 0, size_t held = 0);
    bool hold_corners();
    template <class Emit>
    void leave(uint32_t node, uint32_t polygon, Emit& emit);
    template <class Emit>
    void add(uint32_t node, uint32_t side, uint32_t polygon, double f, Emit& emit);
};

// The point that stands for a node: the last one.
Point SequenceQuery::point_of(const Entry& entry) const {
    if (entry.side == kAtGoal) return to;
    return entry.length == 0 ? from : segment(entry.side).at(arena.places_of(entry).back());
}

// The entry's boundaries, the costs up to the last of them, and its places.
void SequenceQuery::load(const Entry& entry) {
    segments.resize(entry.length);
    costs.resize(entry.length);
    const auto own = arena.places_of(entry);
    places.assign(own.begin(), own.end());
    const Entry* e = entry.side == kAtGoal ? &arena.entries[entry.parent] : &entry;
    for (size_t i = entry.length; i-- > 0; e = &arena.entries[e->parent]) {
        segments[i] = segment(e->side);
        costs[i] = field->cost(polygon_before(e->side));
    }
}

// The cost of the sequence at hand with its best points, which go into `places`; the first `held` of them stay.
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
        options.solver == BoundarySearchOptions::Solver::kNewton
            ? solver.newton(problem, rest, {.tolerance = tolerance, .primed = primed - held})
            : solver.descend(problem, rest,
                             {.epsilon = options.epsilon, .max_iterations = options.max_iterations, .primed = primed - held});
    iterations += answer.iterations;
    return before + answer.cost;
}

// For a node on the way. The paper's descent leaves far points alone by itself.
double SequenceQuery::solve_end(size_t primed) {
    const bool newton = options.solver == BoundarySearchOptions::Solver::kNewton;
    return solve(primed, kTolerance, newton && places.size() > kWindow ? places.size() - kWindow : 0);
}

// Makes boundaries that are crossed at an end single points. The solver puts points there that are almost there, after it has placed the
// others; solved once more, those keep Snell's law to the last digits.
bool SequenceQuery::hold_corners() {
    bool any = false;
    for (size_t i = 0; i < places.size(); ++i) {
        if (places[i] != 0 && places[i] != 1) continue;
        const Point corner = segments[i].at(places[i]);
        segments[i] = {corner, corner};
        any = true;
    }
    return any;
}

// Makes a node of the sequence at hand, if it is better than what is known. Its f is no less than its parent's, whatever rounding and a
// descent that was cut short make of it.
template <class Emit>
void SequenceQuery::add(uint32_t node, uint32_t side, uint32_t polygon, double f, Emit& emit) {
    f = std::max(f, arena.entries[node].f);
    if (!(f < arena.best_f(side))) return;
    const auto made = static_cast<uint32_t>(arena.entries.size());
    arena.entries.push_back({f, arena.places.size(), side, node, static_cast<uint32_t>(places.size()), polygon, false});
    arena.places.insert(arena.places.end(), places.begin(), places.end());
    arena.best_at(side) = made;
    emit(made, f, node);
}

// The ways on from `node` through `polygon`: to the goal, if it is there, and over the polygon's boundaries.
template <class Emit>
void SequenceQuery::leave(uint32_t node, uint32_t polygon, Emit& emit) {
    const Entry entry = arena.entries[node];
    load(entry);
    costs.push_back(field->cost(polygon));
    if (std::ranges::binary_search(to_in, polygon)) add(node, kAtGoal, polygon, solve(entry.length), emit);
    costs.push_back(heuristic);
    segments.emplace_back();
    for (const uint32_t b : field->boundaries_of(polygon)) {
        const uint32_t side = 2 * b + static_cast<uint32_t>(field->boundaries()[b].right == polygon), after = polygon_after(side);
        const bool back = entry.side == (side ^ 1);
        if (field->is_blocked(after) || (back && field->cost(polygon) >= field->cost(after)) || entry.f >= arena.best_f(side)) continue;
        segments.back() = segment(side);
        const auto own = arena.places_of(entry);
        places.assign(own.begin(), own.end());
        places.push_back(0);
        add(node, side, after, solve_end(entry.length), emit);
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
            q_->leave(node, entry.polygon, emit);
        } else {
            for (const uint32_t polygon : q_->from_in) q_->leave(node, polygon, emit);
        }
    }

private:
    SequenceQuery* q_;
};

struct AtGoal {
    const Arena* arena;
    bool operator()(uint32_t node) const { return arena->entries[node].side == kAtGoal; }
};

using SequenceQueue = HeapQueue<uint32_t, double>;
using SequenceSearch = BestFirst<SequenceGraph, ZeroHeuristic, AtGoal, ArenaLabels, SequenceQueue>;

}  // namespace

struct BoundarySearch::State {
    SequenceQuery query;
    ArenaLabels labels{query.arena};
    SequenceQueue queue;
    std::optional<SequenceSearch> search;  // none where the query has ended
    OpenPath path;

    void begin(const Subdivision& field, Point from, Point to, const BoundarySearchOptions& options);
    void start();
    Status run(uint64_t budget);
    Status fail() {
        search.reset();
        return detail::out_of_memory(path);
    }
    void finish();
    void read_path();
    void show_open();
};

void BoundarySearch::State::begin(const Subdivision& field, Point from, Point to, const BoundarySearchOptions& options) {
    search.reset();
    path = {};
    query.field = &field;
    query.from = from;
    query.to = to;
    query.options = options;
    query.iterations = 0;
    if (options.trace != nullptr) *options.trace = {};
    path.status = open_path_ends(field, from, to, query.from_in, query.to_in);
    if (path.status == Status::kFound) start();
}

void BoundarySearch::State::start() {
    query.heuristic = query.options.heuristic > 0 ? query.options.heuristic : detail::cheapest_cost(*query.field);
    query.arena.reset(2 * query.field->boundaries().size());
    query.arena.entries.push_back({query.heuristic * distance(query.from, query.to)});
    queue.reset();
    search.emplace(SequenceGraph(query), ZeroHeuristic{}, AtGoal{&query.arena}, labels, queue);
    search->start(0, query.arena.entries[0].f);
    path.status = Status::kBudgetSpent;
}

// Solved once more: the descent may have been cut short.
void BoundarySearch::State::read_path() {
    const Entry goal = query.arena.entries[search->goal_node()];
    query.load(goal);
    query.costs.push_back(query.field->cost(goal.polygon));
    double sum = query.solve(goal.length);
    if (query.options.solver == BoundarySearchOptions::Solver::kNewton && query.hold_corners()) sum = query.solve(goal.length);
    path.points.assign(1, query.from);
    const auto points = query.solver.points();
    path.points.insert(path.points.end(), points.begin(), points.end());
    path.points.push_back(query.to);
    detail::drop_repeated(path.points);
    path.cost = detail::cost_of_stretches(*query.field, path.points, sum);
    path.lower_bound = std::min(path.cost, detail::crow_bound(*query.field, query.from, query.to));
}

void BoundarySearch::State::show_open() {
    for (uint32_t node = 0; node < query.arena.entries.size(); ++node) {
        const Entry& entry = query.arena.entries[node];
        if (!entry.expanded && labels.g(node) != kInfinite<double>) query.options.trace->open.push_back(query.point_of(entry));
    }
}

void BoundarySearch::State::finish() {
    if (path.status == Status::kFound) read_path();
    if (query.options.trace != nullptr) show_open();
    search.reset();
}

Status BoundarySearch::State::run(uint64_t budget) {
    if (!search) return path.status;
    path.status = search->run(budget);
    path.expansions = search->expansions();
    if (path.status != Status::kBudgetSpent) finish();
    return path.status;
}

BoundarySearch::BoundarySearch() : state_(std::make_unique<State>()) {}
BoundarySearch::~BoundarySearch() = default;
BoundarySearch::BoundarySearch(BoundarySearch&&) noexcept = default;
BoundarySearch& BoundarySearch::operator=(BoundarySearch&&) noexcept = default;

void BoundarySearch::begin(const Subdivision& field, Point from, Point to, const BoundarySearchOptions& options) {
    TERRANE_ASSERT(std::isfinite(options.heuristic) && options.heuristic >= 0);
    TERRANE_ASSERT(options.epsilon >= 0);
    detail::begin_query(state_, [&](State& s) { s.begin(field, from, to, options); });
}

Status BoundarySearch::run(uint64_t budget) {
    return detail::attempt([&] { return state_->run(budget); }, [&] { return state_->fail(); });
}

const OpenPath& BoundarySearch::path() const { return state_->path; }

uint64_t BoundarySearch::iterations() const { return state_->query.iterations; }

size_t BoundarySearch::bytes() const {
    const State& s = *state_;
    return sizeof(State) + s.query.arena.bytes() + s.query.solver.bytes() + s.queue.bytes() + s.path.points.capacity() * sizeof(Point) +
           s.query.segments.capacity() * sizeof(Segment) + (s.query.costs.capacity() + s.query.places.capacity()) * sizeof(double);
}

}  // namespace terrane
