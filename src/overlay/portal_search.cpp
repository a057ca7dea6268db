#include "terrane/overlay/portal_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <tuple>

#include "base/simd8.h"
#include "grid_search/refiner.h"
#include "overlay/crossing_points.h"
#include "overlay/first_move_cache.h"
#include "overlay/landmark_portals.h"
#include "overlay/level_search.h"
#include "overlay/portal_legs.h"
#include "terrane/base/assert.h"
#include "terrane/overlay/portal_tree.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

using namespace detail;

namespace {

// Between ends at most kNear columns and rows apart, A* on cells runs first, for kFirstExpansions. A search over portals takes as long as
// about 300 of them. A* continues after that search, up to kNearExpansions in all: enough to prove all such paths of games optimal, and a
// limit where they are long, as in mazes (docs/notes/overlay.md).
constexpr int32_t kNear = 40;
constexpr uint64_t kFirstExpansions = 4000;
constexpr uint64_t kNearExpansions = 65536;

// Up to kEasy columns and rows apart, it runs for kEasyExpansions, and only for paths at most 1/16 above octile distance: where cells of
// the lowest cost lie almost in a line, it is up to twice as fast as the portals.
constexpr int32_t kEasy = 64;
constexpr uint64_t kEasyExpansions = 500;

// Portals to expand before the tree is asked again. Asking costs about ten expansions.
constexpr uint64_t kTreeSlice = 64;

// From the start to a portal of its cluster; the tree gives the rest of the path.
struct FirstLeg {
    PortalId portal;
    uint32_t cluster, index;  // of the portal in that cluster
    bool measured = false;
    uint32_t distance = 0;  // if measured; kNoPath if not connected
    uint64_t rest = 0;      // from the portal to the goal, as far as the tree knows
};

}  // namespace

struct PortalSearch::Impl : detail::ScopeAllocated {
    explicit Impl(size_t first_move_bytes) : first_move_tables(first_move_bytes) {}

    const OverlayData* data = nullptr;
    Cell start, goal;
    PortalSearchOptions options;
    Status status = Status::kUnreachable;
    enum class Phase : uint8_t { kCells, kPortals, kLegs, kProof, kDone } phase = Phase::kDone;
    bool near = false;            // the path is not final before kDone
    bool only_easy = false;       // A* is limited to kEasyExpansions
    bool searches_cells = false;  // `refiner` has begun
    bool optimal = false;
    bool improves = false;  // improve() has set the incumbent
    uint64_t crossings_examined = 0;
    uint64_t expansions_first = 0;

    FirstMoveCache first_move_tables;
    PortalLabels labels;
    PortalQueue queue;
    std::optional<PortalBound> bound;
    std::optional<PortalEngine> engine;
    PortalTree* tree = nullptr;    // source of the portal path; null: `engine` searches for it
    uint64_t tree_expansions = 0;  // by this search
    bool portals_begun = false;
    Vector<FirstLeg> first_legs;
    FirstLeg first_leg{};  // the best of them
    Refiner refiner;       // A* on cells
    std::array<LastLeg, 4> last_legs;
    std::array<Vector<uint32_t>, 4> last_distances;
    Status cell_status = Status::kBudgetSpent;  // of `engine` if there are levels
    LevelSearch top;                            // if there are levels; `engine` then searches the cell that holds both ends
    Vector<PathCrossing> crossings;
    CrossingPoints crossing_points;
    uint32_t last_cluster = 0;
    size_t written = 0;  // legs written out
    std::vector<Cell> cells;
    std::vector<Cell> incumbent;                  // the path over portals, until `near` ends are proven
    uint64_t straight_sum = 0, diagonal_sum = 0;  // over the straight and the diagonal steps written: the costs of both cells
    Cost cost = 0;
    std::array<Cell, kClusterSide * kClusterSide> leg_cells;

    void set_ends(const OverlayData& of, Cell from, Cell to, const PortalSearchOptions& with);
    void begin();
    void begin_cells();
    bool run_cells(uint64_t limit, uint64_t& budget);
    void search_cells(uint64_t& budget);
    bool search_portals(uint64_t& budget);
    void write_path();
    void prove(uint64_t& budget);
    void finish(Status with);
    uint64_t expansions() const;
    void begin_portals();
    Status run_portals(uint64_t& budget);
    uint64_t cell_distance() const;
    void list_first_legs();
    uint64_t pick_first_leg();
    Status grow_tree(uint64_t& budget);
    void take_crossings();
    void read_crossings();
    void add_crossing(PortalId portal, uint32_t cluster);
    void prefetch_leg(size_t leg) const;
    void write_leg();
    size_t follow(const FirstMoveTable& first_moves, const Rect& rect, Cell from, uint32_t portal);
    void write_uniform_leg(Cell from, Cell to);
    void take_cell_path();
};

void PortalSearch::Impl::begin_portals() {
    portals_begun = true;
    if (tree != nullptr) return list_first_legs();
    Rect within;  // all clusters
    if (data->by_levels()) {
        top.begin(*data, first_move_tables, start, goal);
        if (!top.shared_cell(start, within)) return;
    }
    const CellClusters ends(*data, goal);
    for (uint32_t i = 0; i < ends.count; ++i) {
        const FirstMoveTable* first_moves = first_move_tables.get(*data, ends.list[i]);
        last_distances[i].resize(data->table(ends.list[i]).count());
        PortalGraph::for_each_portal(*data, ends.list[i], [&](PortalId id, uint32_t index) {
            last_distances[i][index] = leg_distance(*data, ends.list[i], first_moves, goal, index, id);
        });
        last_legs[i] = {ends.list[i], last_distances[i]};
    }
    const auto for_each_leg = [&](auto&& visit) {
        for (uint32_t i = 0; i < ends.count; ++i) {
            PortalGraph::for_each_portal(*data, ends.list[i], [&](PortalId id, uint32_t index) {
                if (last_distances[i][index] != kNoPath) visit(id, last_distances[i][index]);
            });
        }
    };
    labels.reset(PortalGraph::id_limit(*data));
    const uint32_t cheapest = grid_bounds(data->ground.grid(), data->table_costs).cheapest;
    bound.emplace(*data, goal, cheapest);
    const auto bits = static_cast<uint32_t>(std::bit_width(2 * kFieldStraight * cheapest));
    queue.reset(bits - std::min(bits, kBucketBits));
    LandmarkPortals graph(*data, *bound, std::span(last_legs).first(ends.count));
    graph.stay_in(within);
    const CellClusters starts(*data, start);
    for (uint32_t i = 0; i < starts.count; ++i) {
        const FirstMoveTable* first_moves = first_move_tables.get(*data, starts.list[i]);
        PortalGraph::for_each_portal(*data, starts.list[i], [&](PortalId id, uint32_t index) {
            const uint32_t d = leg_distance(*data, starts.list[i], first_moves, start, index, id);
            if (d == kNoPath) return;
            const PortalTable table = data->table(starts.list[i]);
            if (!engine) {
                bound->set_ends(table, index, for_each_leg);
                engine.emplace(graph, KnownBound(), OneGoal<PortalId>{graph.goal()}, labels, queue);
            }
            engine->start(id, d, {kNoPortal, starts.list[i], (*bound)(table, index)});
        });
    }
}

// The length of the path that `engine` found.
uint64_t PortalSearch::Impl::cell_distance() const {
    return cell_status == Status::kFound ? labels.g(engine->goal_node()) : kInfinite<uint64_t>;
}

Status PortalSearch::Impl::run_portals(uint64_t& budget) {
    if (tree != nullptr) return grow_tree(budget);
    if (!data->by_levels()) return engine ? engine->run(budget) : Status::kUnreachable;
    if (engine && cell_status == Status::kBudgetSpent) {
        const uint64_t before = engine->expansions();
        cell_status = engine->run(budget);
        if (cell_status == Status::kBudgetSpent) return cell_status;
        if (cell_status == Status::kFound) top.set_limit(cell_distance());
        if (budget != kUnlimited) budget -= std::min(budget, engine->expansions() - before);
    }
    const Status above = top.run(budget);
    return above == Status::kUnreachable && engine ? cell_status : above;
}

void PortalSearch::Impl::list_first_legs() {
    first_legs.clear();
    const CellClusters starts(*data, start);
    for (uint32_t i = 0; i < starts.count; ++i) {
        PortalGraph::for_each_portal(*data, starts.list[i], [&](PortalId id, uint32_t index) {
            first_legs.push_back({id, starts.list[i], index});
        });
    }
}

// Returns the cost of the best path by the tree's distances so far, kInfinite if none. Ties: the least rest, then the least portal.
uint64_t PortalSearch::Impl::pick_first_leg() {
    for (FirstLeg& leg : first_legs) leg.rest = tree->distance(leg.portal);
    std::sort(first_legs.begin(), first_legs.end(), [](const FirstLeg& a, const FirstLeg& b) {
        return std::tie(a.rest, a.portal, a.cluster) < std::tie(b.rest, b.portal, b.cluster);
    });
    uint64_t least = kInfinite<uint64_t>;
    for (FirstLeg& leg : first_legs) {
        if (leg.rest >= least) break;
        if (!leg.measured) {
            leg.distance = leg_distance(*data, leg.cluster, first_move_tables.get(*data, leg.cluster), start, leg.index, leg.portal);
            leg.measured = true;
        }
        if (leg.distance == kNoPath || leg.rest + leg.distance >= least) continue;
        least = leg.rest + leg.distance;
        first_leg = leg;
    }
    return least;
}

// Grows the tree until no unsettled portal can lead to a better path.
Status PortalSearch::Impl::grow_tree(uint64_t& budget) {
    if (first_legs.empty()) return Status::kUnreachable;
    for (;;) {
        const uint64_t least = pick_first_leg(), radius = tree->settled_radius();
        if (least < radius) return Status::kFound;
        if (radius == kInfinite<uint64_t>) return Status::kUnreachable;
        if (budget == 0) return Status::kBudgetSpent;
        const uint64_t before = tree->expansions();
        tree->run(std::min(budget, kTreeSlice));
        const uint64_t spent = tree->expansions() - before;
        tree_expansions += spent;
        if (budget != kUnlimited) budget -= std::min(budget, spent);
    }
}

void PortalSearch::Impl::add_crossing(PortalId portal, uint32_t cluster) {
    crossings.push_back({portal, portal >> data->shift, cluster, data->portal(portal)});
}

void PortalSearch::Impl::read_crossings() {
    add_crossing(first_leg.portal, first_leg.cluster);
    for (;;) {
        const PortalTree::Step step = tree->step(crossings.back().portal);
        last_cluster = step.cluster;
        if (step.next == kNoPortal) return;
        add_crossing(step.next, step.cluster);
    }
}

void PortalSearch::Impl::take_crossings() {
    crossings.clear();
    if (tree != nullptr) return read_crossings();
    if (data->by_levels() && top.is_better_than(cell_distance())) {
        for (const PortalStep& step : top.steps(last_cluster)) add_crossing(data->id(step.key), step.cluster);
        return;
    }
    const LandmarkVia last = labels.via(engine->goal_node());
    last_cluster = last.cluster;
    for (PortalId id = last.from; id != kNoPortal;) {
        const LandmarkVia via = labels.via(id);
        add_crossing(id, via.cluster);
        id = via.from;
    }
    std::reverse(crossings.begin(), crossings.end());
}

// Prefetches the first moves of a leg if the overlay stores them.
void PortalSearch::Impl::prefetch_leg(size_t leg) const {
    if (leg >= crossings.size()) return;
    const uint32_t cluster = crossings[leg].cluster;
    const FirstMoveTable* first_moves = data->clusters[cluster]->first_moves.get();
    if (first_moves == nullptr) return;
    const PortalId portal = crossings[crossings[leg].portal == kNoPortal ? leg - 1 : leg].portal;
    const uint8_t* const moves = first_moves->moves_to(PortalGraph::index_in(*data, cluster, portal));
    for (uint32_t i = 0; i < first_moves->plane; i += 64) prefetch(moves + i);
}

// Appends the cells of the next leg.
void PortalSearch::Impl::write_leg() {
    const size_t leg = written++;
    prefetch_leg(leg + 2);
    const bool last = leg == crossings.size();
    const uint32_t cluster = last ? last_cluster : crossings[leg].cluster;
    const Cell from = leg == 0 ? start : crossings[leg - 1].cell, to = last ? goal : crossings[leg].cell;
    const FirstMoveTable* first_moves = first_move_tables.get(*data, cluster);
    const Rect rect = data->cluster_rect(cluster);
    if (first_moves == nullptr) return write_uniform_leg(from, to);
    const auto index = [&](size_t crossing) { return PortalGraph::index_in(*data, cluster, crossings[crossing].portal); };
    if (!last && crossings[leg].portal != kNoPortal) {
        const size_t count = follow(*first_moves, rect, from, index(leg));
        cells.insert(cells.end(), leg_cells.begin(), leg_cells.begin() + count);
        return;
    }
    const size_t count = follow(*first_moves, rect, to, index(leg - 1));  // the last of them is `from`
    if (count == 0) return;
    cells.insert(cells.end(), leg_cells.rend() - static_cast<std::ptrdiff_t>(count) + 1, leg_cells.rend());
    cells.push_back(to);
}

// In a uniform cluster: diagonal steps first, then straight ones.
void PortalSearch::Impl::write_uniform_leg(Cell from, Cell to) {
    const auto towards = [](int32_t a, int32_t b) { return a < b ? 1 : a > b ? -1 : 0; };
    const uint64_t both = uint64_t{2} * data->ground.costs().cost[data->ground.grid().at(from)];
    while (from != to) {
        const int32_t dx = towards(from.x, to.x), dy = towards(from.y, to.y);
        const bool diagonal = dx != 0 && dy != 0 && has_diagonals(data->ground.movement());
        from = {from.x + dx, from.y + (diagonal || dx == 0 ? dy : 0)};
        (diagonal ? diagonal_sum : straight_sum) += both;
        cells.push_back(from);
    }
}

// Writes the cells from `from` (exclusive) to a portal into `leg_cells`. Returns how many.
size_t PortalSearch::Impl::follow(const FirstMoveTable& first_moves, const Rect& rect, Cell from, uint32_t portal) {
    const ClusterGround ground(data->ground.grid(), data->ground.costs(), rect);
    const int32_t width = rect.width;
    const uint8_t* const moves = first_moves.moves_to(portal);
    int32_t x = from.x - rect.x, y = from.y - rect.y;
    uint64_t all = 0, diagonal = 0, own = ground.cost(x, y);
    for (size_t count = 0;;) {
        const Move move = FirstMoveTable::move(moves, static_cast<uint32_t>(y * width + x));
        if (move == kNoMove) {
            straight_sum += all - diagonal;
            diagonal_sum += diagonal;
            return count;
        }
        x += kMoves[move].x;
        y += kMoves[move].y;
        leg_cells[count++] = {rect.x + x, rect.y + y};
        const uint64_t next = ground.cost(x, y), both = own + next;
        all += both;
        diagonal += move < 4 ? 0 : both;
        own = next;
    }
}

PortalSearch::PortalSearch(size_t first_move_bytes) : impl_(std::make_unique<Impl>(first_move_bytes)) {}
PortalSearch::~PortalSearch() = default;
PortalSearch::PortalSearch(PortalSearch&&) noexcept = default;
PortalSearch& PortalSearch::operator=(PortalSearch&&) noexcept = default;

void PortalSearch::Impl::set_ends(const OverlayData& of, Cell from, Cell to, const PortalSearchOptions& with) {
    data = &of;
    start = from;
    goal = to;
    options = with;
    status = Status::kBudgetSpent;
    searches_cells = optimal = improves = portals_begun = false;
    crossings_examined = tree_expansions = expansions_first = 0;
    written = 0;
    straight_sum = diagonal_sum = 0;
    crossings.clear();
    cells.clear();
    engine.reset();
    top.reset();
    cell_status = Status::kBudgetSpent;
    tree = nullptr;
}

void PortalSearch::Impl::begin() {
    const int32_t distance = std::max(std::abs(start.x - goal.x), std::abs(start.y - goal.y));
    near = distance <= kNear;
    only_easy = distance > kNear && distance <= kEasy && options.cells_first == 0;
    phase = near || only_easy || options.cells_first > 0 ? Phase::kCells : Phase::kPortals;
    if (phase != Phase::kCells) return;
    begin_cells();
    if (!only_easy) return;
    const Cost least = data->ground.octile_bound(start, goal);
    refiner.set_incumbent(least + least / 16);
}

// On the whole map: the best path inside a rectangle may not be the optimum.
void PortalSearch::Impl::begin_cells() {
    if (!searches_cells) refiner.begin(data->ground);
    searches_cells = true;
    refiner.begin_segment(start, goal);
}

void PortalSearch::Impl::take_cell_path() {
    cells.assign(1, start);
    refiner.append_to(cells);
    cost = refiner.cost();
    optimal = true;
}

void PortalSearch::Impl::finish(Status with) {
    phase = Phase::kDone;
    status = with;
    if (expansions_first == 0) expansions_first = expansions();
}

uint64_t PortalSearch::Impl::expansions() const {
    return crossings_examined + tree_expansions + (engine ? engine->expansions() : 0) + top.expansions() +
           (searches_cells ? refiner.expansions() : 0);
}

// Continues A* up to `limit` expansions in all. Returns whether the limit or a result ended it.
bool PortalSearch::Impl::run_cells(uint64_t limit, uint64_t& budget) {
    const uint64_t before = refiner.expansions(), left = limit - before;
    if (refiner.run(std::min(budget, left)) == Status::kBudgetSpent && budget < left) return false;
    if (budget != kUnlimited) budget -= refiner.expansions() - before;
    return true;
}

void PortalSearch::Impl::search_cells(uint64_t& budget) {
    if (!run_cells(only_easy ? kEasyExpansions : options.cells_first > 0 ? options.cells_first : kFirstExpansions, budget)) return;
    phase = Phase::kPortals;
    if (refiner.status() == Status::kFound) take_cell_path();
    if (refiner.status() == Status::kFound || (refiner.status() == Status::kUnreachable && !only_easy)) finish(refiner.status());
}

// Returns whether the whole path is to be written now.
bool PortalSearch::Impl::search_portals(uint64_t& budget) {
    if (!portals_begun) begin_portals();
    const Status found = run_portals(budget);
    if (found == Status::kUnreachable) finish(found);
    if (found != Status::kFound) return false;
    phase = Phase::kLegs;
    cells.push_back(start);
    take_crossings();
    // Crossings count as examined now, so that expansions_first does not depend on the slicing.
    if (options.optimise_crossings && crossings.size() > 2) crossings_examined = crossings.size() - 2;
    if (near) return true;
    expansions_first = expansions();
    // The end of the first leg does not depend on the optimisation of later crossings.
    if (budget != kUnlimited) write_leg();
    return budget == kUnlimited;
}

void PortalSearch::Impl::write_path() {
    if (options.optimise_crossings) crossing_points.optimise(*data, first_move_tables, crossings);
    while (written <= crossings.size()) write_leg();
    cost = (straight_sum * kStraight + diagonal_sum * kDiagonal) * data->ground.costs().divisor;
    if (!near || options.cells_first > 0) return finish(Status::kFound);
    phase = Phase::kProof;
    incumbent = cells;
    cells.clear();
    refiner.set_incumbent(cost);
}

void PortalSearch::Impl::prove(uint64_t& budget) {
    if (!run_cells(kNearExpansions, budget)) return;
    optimal = refiner.status() != Status::kBudgetSpent;
    if (refiner.status() == Status::kFound) {
        take_cell_path();
    } else {
        cells = incumbent;
    }
    finish(Status::kFound);
}

namespace {

bool passable(const PortalOverlay& overlay, Cell cell) { return overlay.data().ground.passable(cell); }

}  // namespace

void PortalSearch::begin(const PortalOverlay& overlay, Cell start, Cell goal, const PortalSearchOptions& options) {
    TERRANE_ASSERT(passable(overlay, start) && passable(overlay, goal));
    impl_->set_ends(overlay.data(), start, goal, options);
    impl_->begin();
}

void PortalSearch::begin(PortalTree& tree, Cell start, const PortalSearchOptions& options) {
    TERRANE_ASSERT(passable(tree.overlay(), start) && passable(tree.overlay(), tree.goal()));
    impl_->set_ends(tree.overlay().data(), start, tree.goal(), options);
    impl_->tree = &tree;
    impl_->begin();
}

Status PortalSearch::run(uint64_t budget) {
    Impl& s = *impl_;
    using Phase = Impl::Phase;
    if (s.phase == Phase::kCells) s.search_cells(budget);
    if (s.phase == Phase::kPortals && !s.search_portals(budget)) return s.status;
    if (s.phase == Phase::kLegs) s.write_path();
    if (s.phase == Phase::kProof) s.prove(budget);
    return s.status;
}

Status PortalSearch::finish_early() {
    Impl& s = *impl_;
    using Phase = Impl::Phase;
    if (s.phase == Phase::kLegs) s.write_path();
    if (s.phase == Phase::kProof) {
        s.cells = s.incumbent;
        s.finish(Status::kFound);
    }
    return s.status;
}

bool PortalSearch::optimal() const { return impl_->optimal; }

Status PortalSearch::improve(Cost incumbent, uint64_t budget) {
    Impl& s = *impl_;
    TERRANE_ASSERT(s.status == Status::kFound && !s.optimal);
    if (!s.improves && (s.only_easy || !s.searches_cells)) s.begin_cells();
    if (!s.improves) s.refiner.set_incumbent(incumbent);
    s.improves = true;
    const Status found = s.refiner.run(budget);
    s.optimal = found != Status::kBudgetSpent;
    if (found == Status::kFound) s.take_cell_path();
    return found;
}

uint64_t PortalSearch::expansions() const { return impl_->expansions(); }
uint64_t PortalSearch::expansions_first() const { return impl_->expansions_first; }
size_t PortalSearch::crossings() const { return impl_->crossings.size(); }
const std::vector<Cell>& PortalSearch::cells() const { return impl_->cells; }
Cost PortalSearch::cost() const { return impl_->cost; }
void PortalSearch::take_cells(std::vector<Cell>& out) { out.swap(impl_->cells); }
size_t PortalSearch::bytes() const {
    return impl_->first_move_tables.bytes() + impl_->labels.bytes() + impl_->top.bytes() + impl_->queue.bytes() + impl_->refiner.bytes() +
           impl_->crossing_points.bytes() + (impl_->cells.capacity() + impl_->incumbent.capacity()) * sizeof(Cell);
}

}  // namespace terrane
