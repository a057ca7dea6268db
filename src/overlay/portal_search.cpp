#include "terrane/overlay/portal_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <tuple>

#include "base/simd8.h"
#include "grid_search/refiner.h"
#include "overlay/border_distances.h"
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

// Two ends at most this many cells apart, along either axis, are also searched for on cells.
constexpr int32_t kNearDistance = 40;

// A point where the path goes from one cluster to the next.
struct Crossing {
    PortalId portal;
    uint32_t cluster;  // that the path comes from
    Cell cell;         // the portal's cell, or best_cell once optimised
    bool optimised = false;
    uint64_t gain = 0;  // of moving to `best_cell`
    Cell best_cell{};
};

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
    bool near = false;
    uint64_t crossings_examined = 0;

    FirstMoveCache first_move_tables;
    PortalLabels labels;
    PortalQueue queue;
    std::optional<PortalBound> bound;
    std::optional<PortalEngine> engine;
    PortalTree* tree = nullptr;    // source of the portal path; null: `engine` searches for it
    uint64_t tree_expansions = 0;  // by this search
    Vector<FirstLeg> first_legs;
    FirstLeg first_leg{};  // the best of them
    Refiner refiner;       // for ends that are near each other
    std::array<LastLeg, 4> last_legs;
    std::array<Vector<uint32_t>, 4> last_distances;
    Status cell_status = Status::kBudgetSpent;  // of `engine` if there are levels
    LevelSearch top;                            // if there are levels; `engine` then searches the cell that holds both ends
    Vector<Crossing> crossings;
    Vector<uint64_t> gains;  // gains[i + 1]: the largest total gain among crossings 0 to i
    uint32_t last_cluster = 0;
    size_t written = 0;  // legs written out
    std::vector<Cell> cells;
    uint64_t straight_sum = 0, diagonal_sum = 0;  // over the straight and the diagonal steps written: the costs of both cells
    Cost cost = 0;
    std::array<Cell, kClusterSide * kClusterSide> leg_cells;

    void set_ends(const OverlayData& of, Cell from, Cell to, const PortalSearchOptions& with);
    void begin_local_search();
    void begin_portals();
    Status search_portals(uint64_t& budget);
    uint64_t cell_distance() const;
    void list_first_legs();
    uint64_t pick_first_leg();
    Status grow_tree(uint64_t& budget);
    void take_crossings();
    void read_crossings();
    BorderDistances border_distances(uint32_t cluster, uint32_t segment, const Crossing& to, const Rect& border, BorderBuffer& buffer);
    void find_best_cell(Crossing& at, const Crossing& before, const Crossing& after);
    void optimise_crossings();
    void prefetch_leg(size_t leg) const;
    void write_leg();
    size_t follow(const FirstMoveTable& first_moves, const Rect& rect, Cell from, uint32_t portal);
    void write_uniform_leg(Cell from, Cell to);
    void take_local_path();
};

void PortalSearch::Impl::begin_portals() {
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

Status PortalSearch::Impl::search_portals(uint64_t& budget) {
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

void PortalSearch::Impl::read_crossings() {
    crossings.push_back({first_leg.portal, first_leg.cluster, data->portal(first_leg.portal)});
    for (;;) {
        const PortalTree::Step step = tree->step(crossings.back().portal);
        last_cluster = step.cluster;
        if (step.next == kNoPortal) return;
        crossings.push_back({step.next, step.cluster, data->portal(step.next)});
    }
}

void PortalSearch::Impl::take_crossings() {
    crossings.clear();
    if (tree != nullptr) return read_crossings();
    if (data->by_levels() && top.is_better_than(cell_distance())) {
        for (const PortalStep& step : top.steps(last_cluster)) {
            const PortalId id = data->id(step.key);
            crossings.push_back({id, step.cluster, data->portal(id)});
        }
        return;
    }
    const LandmarkVia last = labels.via(engine->goal_node());
    last_cluster = last.cluster;
    for (PortalId id = last.from; id != kNoPortal;) {
        const LandmarkVia via = labels.via(id);
        crossings.push_back({id, via.cluster, data->portal(id)});
        id = via.from;
    }
    std::reverse(crossings.begin(), crossings.end());
}

// Distances from the cells of a border segment to a crossing, inside a cluster that has the segment as a side.
BorderDistances PortalSearch::Impl::border_distances(uint32_t cluster, uint32_t segment, const Crossing& to, const Rect& border,
                                                     BorderBuffer& buffer) {
    const FirstMoveTable* first_moves = first_move_tables.get(*data, cluster);
    if (first_moves == nullptr)
        return uniform_distances(border, to.cell, data->clusters[cluster]->uniform_cost, data->ground.movement(), buffer);
    const uint32_t portal = PortalGraph::index_in(*data, cluster, to.portal);
    const uint32_t number = OverlayData::side_of(segment, data->cluster_of(segment, true) == cluster);
    const size_t first = (size_t{portal} * 4 + number) * kClusterSide;
    if (first_moves->wide.empty()) return {first_moves->narrow.data() + first, nullptr};
    return {nullptr, first_moves->wide.data() + first};
}

// Finds the best cell for a crossing while its two neighbours stay at their portals.
void PortalSearch::Impl::find_best_cell(Crossing& at, const Crossing& before, const Crossing& after) {
    const uint32_t segment = at.portal >> data->shift;
    const Rect border = data->segment_rect(segment);
    const bool vertical = OverlayData::vertical(segment);
    const auto length = static_cast<uint32_t>(vertical ? border.height : border.width);
    const auto own = static_cast<uint32_t>(vertical ? at.cell.y - border.y : at.cell.x - border.x);
    BorderBuffer buffers[2];
    const BorderDistances one = border_distances(at.cluster, segment, before, border, buffers[0]),
                          two = border_distances(after.cluster, segment, after, border, buffers[1]);
    const LeastSum best = least_sum(one, two, length, own);
    at.gain = best.gain;
    const auto along = static_cast<int32_t>(best.at);
    at.best_cell = vertical ? Cell{border.x, border.y + along} : Cell{border.x + along, border.y};
}

// Moves the set of crossings, no two of them consecutive, with the largest total gain.
void PortalSearch::Impl::optimise_crossings() {
    const size_t count = crossings.size();
    if (count < 3) return;
    gains.assign(count + 1, 0);
    for (size_t i = 1; i + 1 < count; ++i) {
        find_best_cell(crossings[i], crossings[i - 1], crossings[i + 1]);
        gains[i + 1] = std::max(gains[i], gains[i - 1] + crossings[i].gain);
    }
    for (size_t i = count - 2; i >= 1; --i) {
        if (gains[i + 1] == gains[i]) continue;
        crossings[i].cell = crossings[i].best_cell;
        crossings[i].optimised = true;
        --i;
        if (i == 0) break;
    }
}

// Prefetches the first moves of a leg if the overlay stores them.
void PortalSearch::Impl::prefetch_leg(size_t leg) const {
    if (leg >= crossings.size()) return;
    const uint32_t cluster = crossings[leg].cluster;
    const FirstMoveTable* first_moves = data->clusters[cluster]->first_moves.get();
    if (first_moves == nullptr) return;
    const PortalId portal = crossings[crossings[leg].optimised ? leg - 1 : leg].portal;
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
    if (!last && !crossings[leg].optimised) {
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
    crossings_examined = tree_expansions = 0;
    written = 0;
    straight_sum = diagonal_sum = 0;
    crossings.clear();
    cells.clear();
    engine.reset();
    top.reset();
    cell_status = Status::kBudgetSpent;
    tree = nullptr;
}

void PortalSearch::Impl::begin_local_search() {
    near = std::abs(start.x - goal.x) <= kNearDistance && std::abs(start.y - goal.y) <= kNearDistance;
    if (!near) return;
    refiner.begin(data->ground);
    const Rect ends = Rect::spanning(start, goal);
    const Rect window({ends.x - kNearDistance, ends.y - kNearDistance}, {ends.width + 2 * kNearDistance, ends.height + 2 * kNearDistance});
    refiner.begin_segment(start, goal, intersection(window, data->ground.layout().rect()));
}

void PortalSearch::Impl::take_local_path() {
    cells.assign(1, start);
    refiner.append_to(cells);
    cost = refiner.cost();
}

namespace {

bool passable(const PortalOverlay& overlay, Cell cell) { return overlay.data().ground.passable(cell); }

}  // namespace

void PortalSearch::begin(const PortalOverlay& overlay, Cell start, Cell goal, const PortalSearchOptions& options) {
    TERRANE_ASSERT(passable(overlay, start) && passable(overlay, goal));
    impl_->set_ends(overlay.data(), start, goal, options);
    impl_->begin_portals();
    impl_->begin_local_search();
}

void PortalSearch::begin(PortalTree& tree, Cell start, const PortalSearchOptions& options) {
    TERRANE_ASSERT(passable(tree.overlay(), start) && passable(tree.overlay(), tree.goal()));
    impl_->set_ends(tree.overlay().data(), start, tree.goal(), options);
    impl_->tree = &tree;
    impl_->list_first_legs();
    impl_->begin_local_search();
}

Status PortalSearch::run(uint64_t budget) {
    Impl& s = *impl_;
    if (s.status != Status::kBudgetSpent) return s.status;
    if (s.near && s.refiner.status() == Status::kBudgetSpent) {
        const uint64_t before = s.refiner.expansions();
        if (s.refiner.run(budget) == Status::kBudgetSpent) return s.status;
        if (budget != kUnlimited) budget -= std::min(budget, s.refiner.expansions() - before);
    }
    if (s.cells.empty()) {
        const Status found = s.search_portals(budget);
        if (found == Status::kBudgetSpent) return s.status;
        s.cells.push_back(s.start);
        if (found != Status::kFound) {
            if (!s.near || s.refiner.status() != Status::kFound) return s.status = found;
            s.take_local_path();
            return s.status = Status::kFound;
        }
        s.take_crossings();
        // Crossings count as examined now, so that Path::expansions_first does not depend on the slicing.
        if (s.options.optimise_crossings && s.crossings.size() > 2) s.crossings_examined = s.crossings.size() - 2;
        // The end of the first leg does not depend on the optimisation of later crossings.
        if (budget != kUnlimited && !s.near) {
            s.write_leg();
            return s.status;
        }
    }
    if (s.options.optimise_crossings) s.optimise_crossings();
    while (s.written <= s.crossings.size()) s.write_leg();
    s.cost = (s.straight_sum * kStraight + s.diagonal_sum * kDiagonal) * s.data->ground.costs().divisor;
    if (s.near && s.refiner.status() == Status::kFound && s.refiner.cost() < s.cost) s.take_local_path();
    return s.status = Status::kFound;
}

uint64_t PortalSearch::expansions() const {
    return impl_->crossings_examined + impl_->tree_expansions + (impl_->engine ? impl_->engine->expansions() : 0) +
           impl_->top.expansions() + (impl_->near ? impl_->refiner.expansions() : 0);
}
size_t PortalSearch::crossings() const { return impl_->crossings.size(); }
const std::vector<Cell>& PortalSearch::cells() const { return impl_->cells; }
Cost PortalSearch::cost() const { return impl_->cost; }
void PortalSearch::take_cells(std::vector<Cell>& out) { out.swap(impl_->cells); }
size_t PortalSearch::bytes() const {
    return impl_->first_move_tables.bytes() + impl_->labels.bytes() + impl_->top.bytes() + impl_->queue.bytes() + impl_->refiner.bytes() +
           impl_->cells.capacity() * sizeof(Cell);
}

}  // namespace terrane
