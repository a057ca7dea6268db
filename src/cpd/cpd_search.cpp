#include "terrane/cpd/cpd_search.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "base/catch_bad_alloc.h"
#include "cpd/cheapened_edge_bounds.h"
#include "cpd/cpd_bounds.h"
#include "cpd/perturbation.h"
#include "cpd/stamped_pages.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/heap_queue.h"

namespace terrane {

using detail::PathBound;

static constexpr uint64_t kFar = kInfinite<uint64_t>;

// How the path leads from a node's parent to the node.
enum class Link : uint8_t {
    kStep,      // by one step
    kForward,   // along the database's path from the parent to the goal
    kBackward,  // along the database's path from the node to the parent, reversed
};

// Invariant: a parent's g never exceeds its child's, since costs are positive and g only decreases.
struct SearchNode {
    uint64_t g = kFar;
    CellId parent = kNoCell;
    CellId shoot = kNoCell;   // shoot node: the other end of string pulling
    uint32_t path_index = 0;  // position in the path; used by finish()
    uint32_t stamp = 0;
    Link link = Link::kStep;
    bool closed = false;
    bool met_wall = false;  // the node or one of its ancestors is beside a change
    bool focal = false;     // is in FOCAL, or was when it was expanded
    bool followed = false;  // visited by follow_walls()
};

// All variants in one search. Every expansion generates all steps and the CPD successor, and a node whose g improves is reopened. So OPEN
// always has a node of an optimal path with its optimal g, and the least f in OPEN is a lower bound, whatever else is expanded and in
// whatever order. FOCAL only makes good paths turn up sooner.
struct CpdSearch::Impl {
    std::optional<PathDatabase> database;
    std::optional<Perturbation> perturbation;
    CpdSearchOptions options;
    detail::ChangedGrid grid;
    detail::PathBounds bounds;  // to the goal
    detail::PathBounds back;    // to the start; used only if edges got cheaper
    detail::CheapenedEdgeBounds cheapened;
    detail::PullCosts pulls;
    detail::OctileBound octile;
    detail::StampedPages<SearchNode> nodes;
    BucketQueue<CellId, uint64_t> open;  // by f; by g + weight * h for kWeighted
    HeapQueue<CellId, uint64_t> focal;   // by f

    CellId start = kNoCell, goal = kNoCell;
    Status status = Status::kUnreachable;
    uint64_t expansions = 0;
    uint64_t lookups = 0;
    uint64_t best = kFar;        // cost of the incumbent, the best path known
    CellId incumbent = kNoCell;  // the node from which the incumbent follows the database to the goal
    uint64_t lower_bound = 0;    // proven lower bound on the optimum
    uint64_t limit = 0;          // options.bound * lower_bound
    std::vector<CellId> cells;   // the path found
    std::vector<CellId> chain;   // scratch

    Status begin(Cell from, Cell to);
    Status run(uint64_t budget);
    // After bad_alloc the search state is unspecified; the next begin() replaces it.
    Status fail() {
        cells.clear();
        return status = Status::kOutOfMemory;
    }

private:
    bool weighted() const { return options.variant == CpdVariant::kWeighted; }
    bool has_focal() const { return options.variant >= CpdVariant::kNoPull; }
    bool branches() const { return options.variant == CpdVariant::kBranching; }

    // floor(options.bound * value)
    uint64_t scaled(uint64_t value) const {
        const uint64_t n = options.bound.numerator, d = options.bound.denominator;
        return value == kFar ? kFar : value / d * n + value % d * n / d;
    }
    uint64_t heuristic(CellId cell, const PathBound& bound) const {
        return grid.data().any_cheaper ? cheapened(grid.layout().cell(cell), bound.base) : bound.base;
    }
    uint64_t key(uint64_t g, uint64_t h) const { return weighted() ? g * options.bound.denominator + h * options.bound.numerator : g + h; }
    bool is_open(CellId cell, uint64_t g) const {
        const SearchNode* node = nodes.find(cell);
        return node->g == g && !node->closed;
    }
    // Whether the CPD successor is more than one step away; expansions generate nearer ones anyway.
    bool has_successor(CellId cell, const PathBound& bound) const {
        return bound.successor != cell && bound.successor != grid.neighbour(cell, bound.move);
    }

    uint32_t bucket_shift() const;
    void begin_cheapened();
    bool raise_lower_bound();
    CellId pick();
    void expand(CellId cell);
    void generate(CellId to, uint64_t g, CellId parent, Link link);
    bool relax(CellId to, uint64_t g, CellId parent, Link link, CellId shoot, bool met_wall);
    bool pull(CellId to, uint64_t& g, CellId shoot);
    void push_focal(CellId cell);
    void follow_walls(CellId origin);
    void pull_and_push_focal(CellId cell);
    bool is_branching(CellId cell, CellId origin);

    void finish();
    void append(CellId cell);
    void append_link(CellId parent, CellId node, Link link);
    void append_forward(CellId from, CellId to);
};

// A sixteenth of the cheapest step (a half: twice as many expansions at the third quartile, docs/notes/cpd.md); wider if the most expensive
// step would span too many buckets.
uint32_t CpdSearch::Impl::bucket_shift() const {
    const uint64_t scale = uint64_t{2} * kStraight * (weighted() ? options.bound.denominator : 1);
    const int fine = static_cast<int>(std::bit_width(scale * grid.data().min_cost)) - 5;
    const int coarse = static_cast<int>(std::bit_width(scale * grid.data().max_cost)) - 14;
    return static_cast<uint32_t>(std::clamp(std::max(fine, coarse), 0, 40));
}

Status CpdSearch::Impl::begin(Cell from, Cell to) {
    expansions = lookups = 0;
    best = kFar;
    incumbent = kNoCell;
    lower_bound = limit = 0;
    cells.clear();
    const GridLayout& layout = grid.layout();
    if (!layout.contains(from) || !layout.contains(to)) return Status::kOutsideMap;
    start = layout.id(from);
    goal = layout.id(to);
    if (grid.data().now_cost(start) == 0) return Status::kBlockedStart;
    if (grid.data().now_cost(goal) == 0) return Status::kBlockedGoal;
    if (start == goal) {
        best = 0;
        cells.push_back(start);
        return Status::kFound;
    }
    // A goal that was blocked at the build is served by a database whose targets are all cells: the cheapened edges bound the cost there.
    const bool unblocked_since = database->targets() == database->nodes() && grid.data().base_cost(goal) == 0;
    if (!database->covers(goal) && !unblocked_since) return Status::kNotPrepared;
    octile = detail::OctileBound(grid.data().min_cost, has_diagonals(database->ground().movement()));
    nodes.reset(layout.id_limit());
    open.reset(bucket_shift());
    focal.reset();
    bounds.begin(*database, grid, goal);
    pulls.begin(*database, grid);
    if (grid.data().any_cheaper) cheapened.begin(grid, bounds, goal);
    if (relax(start, 0, kNoCell, Link::kStep, start, grid.data().beside_change[start]) && has_focal()) push_focal(start);
    if (grid.data().any_cheaper && database->covers(start)) begin_cheapened();
    lookups += bounds.lookups();
    return Status::kBudgetSpent;
}

// If edges got cheaper: raises the lower bound, and generates the first endpoint on the best path that the bounds allow (fewer expansions:
// docs/notes/cpd.md).
void CpdSearch::Impl::begin_cheapened() {
    back.begin(*database, grid, start);
    const detail::CheapenedEdgeBounds::Entry entry = cheapened.from_start(grid, back, grid.layout().cell(start), bounds(start).base);
    lower_bound = entry.bound == kFar ? 0 : entry.bound;
    lookups += back.lookups();
    if (entry.cell == kNoCell || entry.cell == start) return;
    const uint64_t cost = back(entry.cell).now;
    if (cost != kFar && relax(entry.cell, cost, start, Link::kBackward, start, true) && has_focal()) push_focal(entry.cell);
}

// Raises the lower bound to what OPEN proves. Returns false when the incumbent is within the bound or OPEN is empty. OPEN proves at most
// the incumbent's cost, since nodes that cannot improve it are pruned. With weighted keys, the open node of an optimal path has a key of at
// most numerator * optimum.
bool CpdSearch::Impl::raise_lower_bound() {
    while (!open.empty() && !is_open(open.top().node, open.top().g)) open.pop();
    const uint64_t d = options.bound.denominator, n = options.bound.numerator;
    const uint64_t all = weighted() && best != kFar ? best * d : best;
    const uint64_t floor = open.empty() ? all : std::min(open.floor(), all);
    lower_bound = std::max(lower_bound, weighted() && floor != kFar ? (floor + n - 1) / n : floor);
    limit = scaled(lower_bound);
    return !open.empty() && best > limit;
}

Status CpdSearch::Impl::run(uint64_t budget) {
    const uint64_t last = budget > kUnlimited - expansions ? kUnlimited : expansions + budget;
    const uint64_t before = bounds.lookups() + pulls.lookups();
    while (raise_lower_bound() && expansions < last) expand(pick());
    const bool done = open.empty() || best <= limit;
    if (done && best != kFar) finish();
    lookups += bounds.lookups() + pulls.lookups() - before;
    return !done ? Status::kBudgetSpent : best == kFar ? Status::kUnreachable : Status::kFound;
}

// Pops the top of FOCAL if its f is within the limit, else the top of OPEN.
CellId CpdSearch::Impl::pick() {
    while (!focal.empty() && !is_open(focal.top().node, focal.top().g)) focal.pop();
    return !focal.empty() && focal.floor() <= limit ? focal.pop().node : open.pop().node;
}

void CpdSearch::Impl::expand(CellId cell) {
    ++expansions;
    SearchNode& node = nodes.touch(cell);
    node.closed = true;
    const uint64_t g = node.g;
    grid.for_each_step(cell, [&](Move, CellId to, uint64_t cost) { generate(to, g + cost, cell, Link::kStep); });
    const PathBound& bound = bounds(cell);
    if (has_successor(cell, bound)) generate(bound.successor, g + bound.base - bounds(bound.successor).base, cell, Link::kForward);
    if (branches() && node.focal) follow_walls(cell);
}

// Generates a successor: pulls its string if the variant does so, and pushes it onto OPEN and FOCAL.
void CpdSearch::Impl::generate(CellId to, uint64_t g, CellId parent, Link link) {
    const SearchNode& from = *nodes.find(parent);
    const CellId shoot = link == Link::kForward ? parent : from.shoot;
    const bool met_wall = from.met_wall || grid.data().beside_change[to], successor = link == Link::kForward;
    if (options.variant == CpdVariant::kFocal && !successor && pull(to, g, shoot)) {
        parent = shoot;
        link = Link::kBackward;
    }
    if (!relax(to, g, parent, link, shoot, met_wall) || !has_focal()) return;
    if (successor || (!branches() && grid.on_wall(to, met_wall))) push_focal(to);
}

// String pulling: if the database's path between `to` and its shoot node gives a g-value below `g`, sets `g` to it and returns true. Skips
// the lookup if octile distance shows that the pulled path cannot improve the known g-value.
bool CpdSearch::Impl::pull(CellId to, uint64_t& g, CellId shoot) {
    const GridLayout& layout = grid.layout();
    const uint64_t shoot_g = nodes.find(shoot)->g, known = nodes.touch(to).g;
    if (to == shoot || shoot_g + octile(layout.cell(to), layout.cell(shoot)) >= std::min(g, known)) return false;
    const uint64_t cost = pulls(to, shoot);
    if (cost == kFar || shoot_g + cost >= g) return false;
    g = shoot_g + cost;
    return true;
}

// Relaxes a node: stores a better g-value and pushes the node onto OPEN unless it cannot improve the incumbent. Returns whether it pushed.
bool CpdSearch::Impl::relax(CellId to, uint64_t g, CellId parent, Link link, CellId shoot, bool met_wall) {
    SearchNode& node = nodes.touch(to);
    if (g >= node.g) return false;
    const PathBound& bound = bounds(to);
    const uint64_t h = heuristic(to, bound);
    if (h == kFar || g + h >= best) return false;
    const bool was_focal = node.focal;
    node.g = g;
    node.parent = parent;
    node.link = link;
    node.shoot = shoot;
    node.met_wall = met_wall;
    node.closed = node.focal = node.followed = false;
    if (bound.now != kFar && g + bound.now < best) {
        best = g + bound.now;
        incumbent = to;
    }
    if (g + h >= best) return false;
    open.push(key(g, h), to, g);
    if (was_focal) push_focal(to);
    return true;
}

// FOCAL is ordered by f; two other orders expanded more nodes (docs/notes/cpd.md).
void CpdSearch::Impl::push_focal(CellId cell) {
    SearchNode& node = nodes.touch(cell);
    if (node.focal || node.closed) return;
    node.focal = true;
    focal.push(node.g + heuristic(cell, bounds(cell)), cell, node.g);
}

// Wall following: floods along the wall from a node, in all directions at once, up to the next branching nodes, which go onto FOCAL. Uses a
// cell's known g-value if that is better, and does not enter cells that an earlier walk visited.
void CpdSearch::Impl::follow_walls(CellId origin) {
    chain.assign(1, origin);
    for (size_t i = 0; i < chain.size(); ++i) {
        const CellId from = chain[i];
        const SearchNode& before = *nodes.find(from);
        grid.for_each_step(from, [&](Move, CellId to, uint64_t cost) {
            if (!grid.on_wall(to, before.met_wall)) return;
            relax(to, before.g + cost, from, Link::kStep, before.shoot, true);
            SearchNode& node = nodes.touch(to);
            if (node.g == kFar || node.followed || node.g + heuristic(to, bounds(to)) > best) return;
            node.followed = node.met_wall = true;
            if (!node.closed && is_branching(to, origin)) {
                pull_and_push_focal(to);
            } else {
                chain.push_back(to);
            }
        });
    }
}

void CpdSearch::Impl::pull_and_push_focal(CellId cell) {
    const SearchNode& node = *nodes.find(cell);
    const CellId shoot = node.shoot;
    uint64_t g = node.g;
    if (pull(cell, g, shoot)) relax(cell, g, shoot, Link::kBackward, shoot, true);
    push_focal(cell);
}

// A branching node: the database's path from it leads past the area at which the walk began, to the goal or to another area (the paper also
// accepts other cells of the same area: 24 expansions instead of 5 at the third quartile). A walk also ends where it leaves the bound, to
// continue when the limit rises, and at corners that strict_corners forbids to cut: strings pulled from beyond them are blocked.
bool CpdSearch::Impl::is_branching(CellId cell, CellId origin) {
    const PathBound& bound = bounds(cell);
    if (nodes.find(cell)->g + heuristic(cell, bound) > limit || grid.at_new_corner(cell)) return true;
    return has_successor(cell, bound) && (bound.area == detail::kNoChange || bound.area != bounds(origin).area);
}

// Writes out the path: from node to node, then along the database's moves. Cuts off loops and recomputes the cost.
void CpdSearch::Impl::finish() {
    chain.clear();
    for (CellId cell = incumbent; cell != kNoCell; cell = nodes.find(cell)->parent) chain.push_back(cell);
    cells.clear();
    append(start);
    for (size_t i = chain.size() - 1; i-- > 0;) append_link(chain[i + 1], chain[i], nodes.find(chain[i])->link);
    append_forward(incumbent, goal);
    best = 0;
    const GridLayout& layout = grid.layout();
    for (size_t i = 0; i + 1 < cells.size(); ++i) {
        const Cell a = layout.cell(cells[i]), b = layout.cell(cells[i + 1]);
        const uint64_t length = a.x == b.x || a.y == b.y ? kStraight : kDiagonal;
        best += length * (grid.data().now_cost(cells[i]) + grid.data().now_cost(cells[i + 1]));
    }
}

void CpdSearch::Impl::append(CellId cell) {
    SearchNode& node = nodes.touch(cell);
    if (node.path_index < cells.size() && cells[node.path_index] == cell) cells.resize(node.path_index);
    node.path_index = static_cast<uint32_t>(cells.size());
    cells.push_back(cell);
}

void CpdSearch::Impl::append_forward(CellId from, CellId to) {
    for (CellId cell = from; cell != to;) {
        cell = grid.neighbour(cell, bounds(cell).move);
        append(cell);
    }
}

void CpdSearch::Impl::append_link(CellId parent, CellId node, Link link) {
    if (link == Link::kStep) return append(node);
    if (link == Link::kForward) return append_forward(parent, node);
    const size_t first = chain.size();
    for (CellId cell = node; cell != parent; cell = grid.neighbour(cell, pulls.move(cell, parent))) chain.push_back(cell);
    while (chain.size() > first) {
        append(chain.back());
        chain.pop_back();
    }
}

CpdSearch::CpdSearch() : impl_(std::make_unique<Impl>()) {}
CpdSearch::~CpdSearch() = default;
CpdSearch::CpdSearch(CpdSearch&&) noexcept = default;
CpdSearch& CpdSearch::operator=(CpdSearch&&) noexcept = default;

Status CpdSearch::begin(const PathDatabase& database, const Perturbation& perturbation, Cell start, Cell goal,
                        const CpdSearchOptions& options) {
    TERRANE_ASSERT(options.bound.numerator >= options.bound.denominator && options.bound.denominator > 0);
    TERRANE_ASSERT(options.bound.numerator <= kMaxCpdNumerator && options.bound.denominator <= kMaxCpdDenominator);
    TERRANE_ASSERT(&perturbation.data().base.grid().data() == &database.grid().data());
    const auto begin_query = [&] {
        if (impl_->status == Status::kOutOfMemory) impl_ = std::make_unique<Impl>();
        impl_->database = database;
        impl_->perturbation = perturbation;
        impl_->options = options;
        impl_->grid = detail::ChangedGrid(perturbation.data(), options.strict_corners);
        return impl_->status = impl_->begin(start, goal);
    };
    return detail::catch_bad_alloc(begin_query, [&] { return impl_->fail(); });
}

Status CpdSearch::run(uint64_t budget) {
    if (impl_->status != Status::kBudgetSpent) return impl_->status;
    return detail::catch_bad_alloc([&] { return impl_->status = impl_->run(budget); }, [&] { return impl_->fail(); });
}

Status CpdSearch::status() const { return impl_->status; }
uint64_t CpdSearch::expansions() const { return impl_->expansions; }
uint64_t CpdSearch::lookups() const { return impl_->lookups; }
uint64_t CpdSearch::cost() const { return impl_->best; }
uint64_t CpdSearch::lower_bound() const { return impl_->lower_bound; }

void CpdSearch::path(std::vector<Cell>& out) const {
    out.clear();
    out.reserve(impl_->cells.size());
    for (const CellId cell : impl_->cells) out.push_back(impl_->grid.layout().cell(cell));
}

size_t CpdSearch::bytes() const {
    return sizeof(*impl_) + impl_->bounds.bytes() + impl_->back.bytes() + impl_->cheapened.bytes() + impl_->pulls.bytes() +
           impl_->nodes.bytes() + impl_->open.bytes() + impl_->focal.bytes() +
           (impl_->cells.capacity() + impl_->chain.capacity()) * sizeof(CellId);
}

}  // namespace terrane
