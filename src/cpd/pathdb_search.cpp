#include "terrane/cpd/pathdb_search.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "base/attempt.h"
#include "cpd/opened_bounds.h"
#include "cpd/pathdb_bounds.h"
#include "cpd/perturbation.h"
#include "cpd/stamped_pages.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/heap_queue.h"

namespace terrane {

using detail::PathBound;

static constexpr uint64_t kFar = kInfinite<uint64_t>;

// How a node was reached from its parent.
enum class Link : uint8_t {
    kStep,      // by one step
    kForward,   // along the database's path from the parent to the goal
    kBackward,  // along the database's path from the node to the parent, backwards
};

// No node has a parent of a larger g: costs are positive, and g only falls.
struct SearchNode {
    uint64_t g = kFar;
    CellId parent = kNoCell;
    CellId shoot = kNoCell;  // where strings are pulled to
    uint32_t place = 0;      // in the path, while that is written out
    uint32_t stamp = 0;
    Link link = Link::kStep;
    bool closed = false;
    bool walled = false;    // it or a node before it was beside something new
    bool focal = false;     // is, or was when it was expanded, in FOCAL
    bool followed = false;  // a walk along a wall came by
};

// One search for all variants: every expansion makes all steps and the CPD successor, and a node to which a better way is found is
// expanded again. So there is always an open node on an optimal path, reached at its least cost, and the least f in OPEN is a lower bound
// whatever else is expanded, and in whatever order. FOCAL only makes good paths turn up sooner.
struct PathdbSearch::Impl {
    std::optional<PathDatabase> database;
    std::optional<Perturbation> perturbation;
    PathdbSearchOptions options;
    detail::ChangedGrid grid;
    detail::PathBounds bounds;  // to the goal
    detail::PathBounds back;    // to the start: asked for where something got cheaper
    detail::OpenedBounds opened;
    detail::PullCosts pulls;
    detail::OctileBound octile;
    detail::StampedPages<SearchNode> nodes;
    BucketQueue<CellId, uint64_t> open;  // by f, weighted or not
    HeapQueue<CellId, uint64_t> focal;   // by f

    CellId start = kNoCell, goal = kNoCell;
    Status status = Status::kUnreachable;
    uint64_t expansions = 0;
    uint64_t lookups = 0;
    uint64_t best = kFar;        // cost of the best path known
    CellId incumbent = kNoCell;  // the node from which that follows the database to the goal
    uint64_t least = 0;          // proven lower bound on the optimum
    uint64_t limit = 0;          // the bound times that
    std::vector<CellId> cells;   // the path found
    std::vector<CellId> chain;   // scratch

    Status begin(Cell from, Cell to);
    Status run(uint64_t budget);
    // What memory ran out in the middle of is of no more use: begin() makes a new one.
    Status fail() {
        cells.clear();
        return status = Status::kOutOfMemory;
    }

private:
    bool weighted() const { return options.variant == PathdbVariant::kWeighted; }
    bool has_focal() const { return options.variant >= PathdbVariant::kNoPull; }
    bool branches() const { return options.variant == PathdbVariant::kBranching; }

    // The greatest integer that is at most bound times a value.
    uint64_t scaled(uint64_t value) const {
        const uint64_t n = options.bound.numerator, d = options.bound.denominator;
        return value == kFar ? kFar : value / d * n + value % d * n / d;
    }
    uint64_t heuristic(CellId cell, const PathBound& bound) const {
        return grid.root().any_cheaper ? opened(grid.layout().cell(cell), bound.base) : bound.base;
    }
    uint64_t key(uint64_t g, uint64_t h) const { return weighted() ? g * options.bound.denominator + h * options.bound.numerator : g + h; }
    bool is_open(CellId cell, uint64_t g) const {
        const SearchNode* node = nodes.find(cell);
        return node->g == g && !node->closed;
    }
    // More than a step long: what is one step away is made anyway.
    bool has_successor(CellId cell, const PathBound& bound) const {
        return bound.stop != cell && bound.stop != grid.neighbour(cell, bound.move);
    }

    uint32_t bucket_shift() const;
    void begin_opened();
    bool settle();
    CellId pick();
    void expand(CellId cell);
    void generate(CellId to, uint64_t g, CellId parent, Link link);
    bool reach(CellId to, uint64_t g, CellId parent, Link link, CellId shoot, bool walled);
    bool pull(CellId to, uint64_t& g, CellId shoot);
    void focus(CellId cell);
    void follow_walls(CellId origin);
    void pull_and_focus(CellId cell);
    bool is_branching(CellId cell, CellId origin);

    void finish();
    void append(CellId cell);
    void append_link(CellId parent, CellId node, Link link);
    void append_forward(CellId from, CellId to);
};

// A sixteenth of the cheapest step; wider where the dearest would reach over too many buckets. With half a step, branching expanded twice
// as many nodes at the third quartile (four maps of dao/*); heaps took twice as long.
uint32_t PathdbSearch::Impl::bucket_shift() const {
    const uint64_t scale = uint64_t{2} * kStraight * (weighted() ? options.bound.denominator : 1);
    const int fine = static_cast<int>(std::bit_width(scale * grid.root().cheapest)) - 5;
    const int coarse = static_cast<int>(std::bit_width(scale * grid.root().dearest)) - 14;
    return static_cast<uint32_t>(std::clamp(std::max(fine, coarse), 0, 40));
}

Status PathdbSearch::Impl::begin(Cell from, Cell to) {
    expansions = lookups = 0;
    best = kFar;
    incumbent = kNoCell;
    least = limit = 0;
    cells.clear();
    const GridLayout& layout = grid.layout();
    if (!layout.contains(from) || !layout.contains(to)) return Status::kOutsideMap;
    start = layout.id(from);
    goal = layout.id(to);
    if (grid.root().now_cost(start) == 0) return Status::kBlockedStart;
    if (grid.root().now_cost(goal) == 0) return Status::kBlockedGoal;
    if (start == goal) {
        best = 0;
        cells.push_back(start);
        return Status::kFound;
    }
    // A cell that was blocked at the build is a target like all others of a database that has all: what opened since bounds the way there.
    const bool opened_since = database->targets() == database->nodes() && grid.root().base_cost(goal) == 0;
    if (!database->covers(goal) && !opened_since) return Status::kNotPrepared;
    octile = detail::OctileBound(grid.root().cheapest, has_diagonals(database->ground().movement()));
    nodes.reset(layout.id_limit());
    open.reset(bucket_shift());
    focal.reset();
    bounds.begin(*database, grid, goal);
    pulls.begin(*database, grid);
    if (grid.root().any_cheaper) opened.begin(grid, bounds, goal);
    if (reach(start, 0, kNoCell, Link::kStep, start, grid.root().beside[start]) && has_focal()) focus(start);
    if (grid.root().any_cheaper && database->covers(start)) begin_opened();
    lookups += bounds.lookups();
    return Status::kBudgetSpent;
}

// Where something got cheaper: a better lower bound, and the way to where the best path that it allows would go. Without that, on four maps
// of dao/* with the walls of a ball on the path removed, branching expanded 662 nodes on average; 507 with the bound alone, 173
// with both and cells beside something cheaper taken for cells on a wall.
void PathdbSearch::Impl::begin_opened() {
    back.begin(*database, grid, start);
    const detail::OpenedBounds::Entry entry = opened.from_start(grid, back, grid.layout().cell(start), bounds(start).base);
    least = entry.bound == kFar ? 0 : entry.bound;
    lookups += back.lookups();
    if (entry.cell == kNoCell || entry.cell == start) return;
    const uint64_t cost = back(entry.cell).now;
    if (cost != kFar && reach(entry.cell, cost, start, Link::kBackward, start, true) && has_focal()) focus(entry.cell);
}

// Raises the lower bound to what OPEN proves. False when the best path known is within the bound, or nothing is left to expand. Nodes that
// cannot be part of a better path than that were left out of OPEN, so it proves no more than its cost. With weighted keys, the node of an
// optimal path that is open has a key of at most numerator * optimum.
bool PathdbSearch::Impl::settle() {
    while (!open.empty() && !is_open(open.top().node, open.top().g)) open.pop();
    const uint64_t d = options.bound.denominator, n = options.bound.numerator;
    const uint64_t all = weighted() && best != kFar ? best * d : best;
    const uint64_t floor = open.empty() ? all : std::min(open.floor(), all);
    least = std::max(least, weighted() && floor != kFar ? (floor + n - 1) / n : floor);
    limit = scaled(least);
    return !open.empty() && best > limit;
}

Status PathdbSearch::Impl::run(uint64_t budget) {
    const uint64_t last = budget > kUnlimited - expansions ? kUnlimited : expansions + budget;
    const uint64_t before = bounds.lookups() + pulls.lookups();
    while (settle() && expansions < last) expand(pick());
    const bool done = open.empty() || best <= limit;
    if (done && best != kFar) finish();
    lookups += bounds.lookups() + pulls.lookups() - before;
    return !done ? Status::kBudgetSpent : best == kFar ? Status::kUnreachable : Status::kFound;
}

// FOCAL's head where it is within the bound, else OPEN's.
CellId PathdbSearch::Impl::pick() {
    while (!focal.empty() && !is_open(focal.top().node, focal.top().g)) focal.pop();
    return !focal.empty() && focal.floor() <= limit ? focal.pop().node : open.pop().node;
}

void PathdbSearch::Impl::expand(CellId cell) {
    ++expansions;
    SearchNode& node = nodes.touch(cell);
    node.closed = true;
    const uint64_t g = node.g;
    grid.for_each_step(cell, [&](Move, CellId to, uint64_t cost) { generate(to, g + cost, cell, Link::kStep); });
    const PathBound& bound = bounds(cell);
    if (has_successor(cell, bound)) generate(bound.stop, g + bound.base - bounds(bound.stop).base, cell, Link::kForward);
    if (branches() && node.focal) follow_walls(cell);
}

// A successor: its string pulled where the variant does that, and onto the queues that it belongs to.
void PathdbSearch::Impl::generate(CellId to, uint64_t g, CellId parent, Link link) {
    const SearchNode& from = *nodes.find(parent);
    const CellId shoot = link == Link::kForward ? parent : from.shoot;
    const bool walled = from.walled || grid.root().beside[to], successor = link == Link::kForward;
    if (options.variant == PathdbVariant::kFocal && !successor && pull(to, g, shoot)) {
        parent = shoot;
        link = Link::kBackward;
    }
    if (!reach(to, g, parent, link, shoot, walled) || !has_focal()) return;
    if (successor || (!branches() && grid.on_wall(to, walled))) focus(to);
}

// Whether the way from the shoot node along the database's path is cheaper than g, which it becomes then. Only where it could be of use: it
// is not looked for where octile distance rules out a better way than the one that is known.
bool PathdbSearch::Impl::pull(CellId to, uint64_t& g, CellId shoot) {
    const GridLayout& layout = grid.layout();
    const uint64_t before = nodes.find(shoot)->g, known = nodes.touch(to).g;
    if (to == shoot || before + octile(layout.cell(to), layout.cell(shoot)) >= std::min(g, known)) return false;
    const uint64_t cost = pulls(to, shoot);
    if (cost == kFar || before + cost >= g) return false;
    g = before + cost;
    return true;
}

// Keeps a better way to a node, and puts it onto OPEN unless it cannot be part of a better path than the best one known. True if so.
bool PathdbSearch::Impl::reach(CellId to, uint64_t g, CellId parent, Link link, CellId shoot, bool walled) {
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
    node.walled = walled;
    node.closed = node.focal = node.followed = false;
    if (bound.now != kFar && g + bound.now < best) {
        best = g + bound.now;
        incumbent = to;
    }
    if (g + h >= best) return false;
    open.push(key(g, h), to, g);
    if (was_focal) focus(to);
    return true;
}

// FOCAL is ordered by f. Where cells got three times dearer (dao/den901d, dao/ost002d), variants with FOCAL expanded 190 to 248 nodes on
// average; ordered by g + what the database's path costs now, where that is finite, 193 to 478; by the greatest factor that an edge of
// the node got dearer by, 198 to 890.
void PathdbSearch::Impl::focus(CellId cell) {
    SearchNode& node = nodes.touch(cell);
    if (node.focal || node.closed) return;
    node.focal = true;
    focal.push(node.g + heuristic(cell, bounds(cell)), cell, node.g);
}

// Along the walls from a node, all ways at once, to the next branching nodes, which go onto FOCAL. A better way that is known to a cell is
// taken instead; where a walk came by before, this one ends. Walking one way at a time, to cells where the wall forks, lost its way in
// pockets and where the band along the wall is two cells wide: 547 expansions on average instead of 428 (four maps of dao/*).
void PathdbSearch::Impl::follow_walls(CellId origin) {
    chain.assign(1, origin);
    for (size_t i = 0; i < chain.size(); ++i) {
        const CellId from = chain[i];
        const SearchNode& before = *nodes.find(from);
        grid.for_each_step(from, [&](Move, CellId to, uint64_t cost) {
            if (!grid.on_wall(to, before.walled)) return;
            reach(to, before.g + cost, from, Link::kStep, before.shoot, true);
            SearchNode& node = nodes.touch(to);
            if (node.g == kFar || node.followed || node.g + heuristic(to, bounds(to)) > best) return;
            node.followed = node.walled = true;
            if (!node.closed && is_branching(to, origin)) {
                pull_and_focus(to);
            } else {
                chain.push_back(to);
            }
        });
    }
}

void PathdbSearch::Impl::pull_and_focus(CellId cell) {
    const SearchNode& node = *nodes.find(cell);
    const CellId shoot = node.shoot;
    uint64_t g = node.g;
    if (pull(cell, g, shoot)) reach(cell, g, shoot, Link::kBackward, shoot, true);
    focus(cell);
}

// Where the database's path leads past the area that the walk began at: to the goal, or to another area. (As the paper has it, to another
// cell of the same one as well: 24 expansions instead of 5 at the third quartile.) A walk also ends where it leaves the bound, to go on
// when that rises, and at corners that a strict rule does not allow to cut: strings pulled from beyond them are blocked.
bool PathdbSearch::Impl::is_branching(CellId cell, CellId origin) {
    const PathBound& bound = bounds(cell);
    if (nodes.find(cell)->g + heuristic(cell, bound) > limit || grid.at_new_corner(cell)) return true;
    return has_successor(cell, bound) && (bound.area == detail::kNoChange || bound.area != bounds(origin).area);
}

// The path: from node to node, then as the database says; loops cut off, and its cost summed anew.
void PathdbSearch::Impl::finish() {
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
        best += length * (grid.root().now_cost(cells[i]) + grid.root().now_cost(cells[i + 1]));
    }
}

void PathdbSearch::Impl::append(CellId cell) {
    SearchNode& node = nodes.touch(cell);
    if (node.place < cells.size() && cells[node.place] == cell) cells.resize(node.place);
    node.place = static_cast<uint32_t>(cells.size());
    cells.push_back(cell);
}

void PathdbSearch::Impl::append_forward(CellId from, CellId to) {
    for (CellId cell = from; cell != to;) {
        cell = grid.neighbour(cell, bounds(cell).move);
        append(cell);
    }
}

void PathdbSearch::Impl::append_link(CellId parent, CellId node, Link link) {
    if (link == Link::kStep) return append(node);
    if (link == Link::kForward) return append_forward(parent, node);
    const size_t first = chain.size();
    for (CellId cell = node; cell != parent; cell = grid.neighbour(cell, pulls.move(cell, parent))) chain.push_back(cell);
    while (chain.size() > first) {
        append(chain.back());
        chain.pop_back();
    }
}

PathdbSearch::PathdbSearch() : impl_(std::make_unique<Impl>()) {}
PathdbSearch::~PathdbSearch() = default;
PathdbSearch::PathdbSearch(PathdbSearch&&) noexcept = default;
PathdbSearch& PathdbSearch::operator=(PathdbSearch&&) noexcept = default;

Status PathdbSearch::begin(const PathDatabase& database, const Perturbation& perturbation, Cell start, Cell goal,
                           const PathdbSearchOptions& options) {
    TERRANE_ASSERT(options.bound.numerator >= options.bound.denominator && options.bound.denominator > 0);
    TERRANE_ASSERT(&perturbation.root().base.grid().root() == &database.grid().root());
    const auto begin_query = [&] {
        if (impl_->status == Status::kOutOfMemory) impl_ = std::make_unique<Impl>();
        impl_->database = database;
        impl_->perturbation = perturbation;
        impl_->options = options;
        impl_->grid = detail::ChangedGrid(perturbation.root(), options.strict_corners);
        return impl_->status = impl_->begin(start, goal);
    };
    return detail::attempt(begin_query, [&] { return impl_->fail(); });
}

Status PathdbSearch::run(uint64_t budget) {
    if (impl_->status != Status::kBudgetSpent) return impl_->status;
    return detail::attempt([&] { return impl_->status = impl_->run(budget); }, [&] { return impl_->fail(); });
}

Status PathdbSearch::status() const { return impl_->status; }
uint64_t PathdbSearch::expansions() const { return impl_->expansions; }
uint64_t PathdbSearch::lookups() const { return impl_->lookups; }
uint64_t PathdbSearch::cost() const { return impl_->best; }
uint64_t PathdbSearch::lower_bound() const { return impl_->least; }

void PathdbSearch::path(std::vector<Cell>& out) const {
    out.clear();
    out.reserve(impl_->cells.size());
    for (const CellId cell : impl_->cells) out.push_back(impl_->grid.layout().cell(cell));
}

size_t PathdbSearch::bytes() const {
    return sizeof(*impl_) + impl_->bounds.bytes() + impl_->back.bytes() + impl_->opened.bytes() + impl_->pulls.bytes() +
           impl_->nodes.bytes() + impl_->open.bytes() + impl_->focal.bytes() +
           (impl_->cells.capacity() + impl_->chain.capacity()) * sizeof(CellId);
}

}  // namespace terrane
