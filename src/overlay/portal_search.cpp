#include "terrane/overlay/portal_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <tuple>

#include "base/eight.h"
#include "grid_search/refiner.h"
#include "overlay/guide_cache.h"
#include "overlay/guided_portals.h"
#include "overlay/line_distances.h"
#include "overlay/portal_legs.h"
#include "terrane/base/assert.h"
#include "terrane/overlay/portal_tree.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

using namespace detail;

namespace {

// Cells apart, along either axis, up to which two ends are searched for on cells too.
constexpr int32_t kNear = 40;

// Buckets of the queue are so many times, in bits, finer than the cheapest straight step. On the weighted benchmark maps 1 to 6 take the
// same time; with -1 a search expands twice as much. (A heap, with nodes expanded once, takes 1.6 times as long.)
constexpr uint32_t kBucketBits = 3;

using PortalLabels = PagedLabels<PortalId, uint64_t, GuidedVia, 64>;
using PortalQueue = LinkedBucketQueue<PortalId, uint64_t>;
using PortalEngine = BestFirst<GuidedPortals, KnownBound, OneGoal<PortalId>, PortalLabels, PortalQueue>;

// A place on the path where it goes from one window to the next.
struct Crossing {
    PortalId portal;
    uint32_t window;  // that leads to it
    Cell cell;        // the portal's, until it is moved
    bool moved = false;
    uint64_t gain = 0;  // of moving it to `better`
    Cell better{};
};

// Portals by which a tree is taken on before it is asked again: few, for those who need little more of it; asking takes as long as some
// ten of them.
constexpr uint64_t kTreeSlice = 64;

// From the start to a portal of its window, and from there on by the tree.
struct FirstLeg {
    PortalId portal;
    uint32_t window, index;  // of the portal in that window
    bool measured = false;
    uint32_t distance = 0;  // when measured; kNoWay where there is none
    uint64_t rest = 0;
};

}  // namespace

struct PortalSearch::Impl : detail::InMemory {
    explicit Impl(size_t guide_bytes) : guides(guide_bytes) {}

    const OverlayRoot* root = nullptr;
    Cell start, goal;
    PortalSearchOptions options;
    Status status = Status::kUnreachable;
    bool near = false;
    uint64_t crossings_seen = 0;

    GuideCache guides;
    PortalLabels labels;
    PortalQueue queue;
    std::optional<PortalBound> bound;
    std::optional<PortalEngine> engine;
    PortalTree* tree = nullptr;  // that the way is read off; null: it is searched for
    uint64_t grown = 0;          // portals, of the tree, by this search
    Vector<FirstLeg> first_legs;
    FirstLeg first_leg{};  // the best of them
    Refiner refiner;       // between ends that are near
    std::array<LastLeg, 4> last_legs;
    std::array<Vector<uint32_t>, 4> last_distances;
    Vector<Crossing> crossings;
    Vector<uint64_t> gains;  // of the first crossings, at best
    uint32_t last_window = 0;
    size_t written = 0;  // legs
    std::vector<Cell> cells;
    uint64_t straight = 0, diagonal = 0;  // sums of the costs at both ends of the steps that are written
    Cost cost = 0;
    std::array<Cell, kWindowSide * kWindowSide> piece;

    void set_ends(const OverlayRoot& of, Cell from, Cell to, const PortalSearchOptions& with);
    void begin_near();
    void begin_portals();
    void list_first_legs();
    uint64_t pick_first_leg();
    Status grow_tree(uint64_t& budget);
    void take_crossings();
    void read_crossings();
    LineDistances side(uint32_t window, uint32_t segment, const Crossing& to, const Rect& line, LineBuffer& buffer);
    void look_along(Crossing& at, const Crossing& before, const Crossing& after);
    void move_crossings();
    void fetch_leg(size_t leg) const;
    void write_leg();
    size_t follow(const WindowGuide& guide, const Rect& rect, Cell from, uint32_t portal);
    void walk_straight(Cell from, Cell to);
    void take_near();
};

void PortalSearch::Impl::begin_portals() {
    const Windows ends(*root, goal);
    for (uint32_t i = 0; i < ends.count; ++i) {
        const WindowGuide* guide = guides.get(*root, ends.list[i]);
        last_distances[i].resize(root->table(ends.list[i]).count());
        PortalGraph::for_each_portal(*root, ends.list[i], [&](PortalId id, uint32_t index) {
            last_distances[i][index] = leg_distance(*root, ends.list[i], guide, goal, index, id);
        });
        last_legs[i] = {ends.list[i], last_distances[i]};
    }
    const auto for_each_leg = [&](auto&& visit) {
        for (uint32_t i = 0; i < ends.count; ++i) {
            PortalGraph::for_each_portal(*root, ends.list[i], [&](PortalId id, uint32_t index) {
                if (last_distances[i][index] != kNoWay) visit(id, last_distances[i][index]);
            });
        }
    };
    labels.reset(PortalGraph::id_limit(*root));
    const uint32_t cheapest = grid_bounds(root->ground.grid(), root->small).cheapest;
    bound.emplace(*root, goal, cheapest);
    const auto bits = static_cast<uint32_t>(std::bit_width(2 * kFieldStraight * cheapest));
    queue.reset(bits - std::min(bits, kBucketBits));
    const GuidedPortals graph(*root, *bound, std::span(last_legs).first(ends.count));
    const Windows starts(*root, start);
    for (uint32_t i = 0; i < starts.count; ++i) {
        const WindowGuide* guide = guides.get(*root, starts.list[i]);
        PortalGraph::for_each_portal(*root, starts.list[i], [&](PortalId id, uint32_t index) {
            const uint32_t d = leg_distance(*root, starts.list[i], guide, start, index, id);
            if (d == kNoWay) return;
            const PortalTable table = root->table(starts.list[i]);
            if (!engine) {
                bound->set_ends(table, index, for_each_leg);
                engine.emplace(graph, KnownBound(), OneGoal<PortalId>{graph.goal()}, labels, queue);
            }
            engine->start(id, d, {kNoPortal, starts.list[i], (*bound)(table, index)});
        });
    }
}

void PortalSearch::Impl::list_first_legs() {
    first_legs.clear();
    const Windows starts(*root, start);
    for (uint32_t i = 0; i < starts.count; ++i) {
        PortalGraph::for_each_portal(*root, starts.list[i], [&](PortalId id, uint32_t index) {
            first_legs.push_back({id, starts.list[i], index});
        });
    }
}

// By what is known of the tree; the cost of the way, kInfinite where none is known. Ties: the least rest, then the least portal.
uint64_t PortalSearch::Impl::pick_first_leg() {
    for (FirstLeg& leg : first_legs) leg.rest = tree->distance(leg.portal);
    std::sort(first_legs.begin(), first_legs.end(), [](const FirstLeg& a, const FirstLeg& b) {
        return std::tie(a.rest, a.portal, a.window) < std::tie(b.rest, b.portal, b.window);
    });
    uint64_t least = kInfinite<uint64_t>;
    for (FirstLeg& leg : first_legs) {
        if (leg.rest >= least) break;
        if (!leg.measured) {
            leg.distance = leg_distance(*root, leg.window, guides.get(*root, leg.window), start, leg.index, leg.portal);
            leg.measured = true;
        }
        if (leg.distance == kNoWay || leg.rest + leg.distance >= least) continue;
        least = leg.rest + leg.distance;
        first_leg = leg;
    }
    return least;
}

// Until no portal that the tree has yet to come to can lead to a better way.
Status PortalSearch::Impl::grow_tree(uint64_t& budget) {
    if (first_legs.empty()) return Status::kUnreachable;
    for (;;) {
        const uint64_t least = pick_first_leg(), reach = tree->reach();
        if (least < reach) return Status::kFound;
        if (reach == kInfinite<uint64_t>) return Status::kUnreachable;
        if (budget == 0) return Status::kBudgetSpent;
        const uint64_t before = tree->expansions();
        tree->run(std::min(budget, kTreeSlice));
        const uint64_t spent = tree->expansions() - before;
        grown += spent;
        if (budget != kUnlimited) budget -= std::min(budget, spent);
    }
}

void PortalSearch::Impl::read_crossings() {
    crossings.push_back({first_leg.portal, first_leg.window, root->portal(first_leg.portal)});
    for (;;) {
        const PortalTree::Step step = tree->step(crossings.back().portal);
        last_window = step.window;
        if (step.next == kNoPortal) return;
        crossings.push_back({step.next, step.window, root->portal(step.next)});
    }
}

void PortalSearch::Impl::take_crossings() {
    crossings.clear();
    if (tree != nullptr) return read_crossings();
    const GuidedVia last = labels.via(engine->goal_node());
    last_window = last.window;
    for (PortalId id = last.from; id != kNoPortal;) {
        const GuidedVia via = labels.via(id);
        crossings.push_back({id, via.window, root->portal(id)});
        id = via.from;
    }
    std::reverse(crossings.begin(), crossings.end());
}

// How far the cells of a line are from a portal of a window that has it for a side.
LineDistances PortalSearch::Impl::side(uint32_t window, uint32_t segment, const Crossing& to, const Rect& line, LineBuffer& buffer) {
    const WindowGuide* guide = guides.get(*root, window);
    if (guide == nullptr) return uniform_distances(line, to.cell, root->windows[window]->uniform_cost, root->ground.movement(), buffer);
    const uint32_t portal = PortalGraph::index_in(*root, window, to.portal);
    const uint32_t number = OverlayRoot::side_of(segment, root->window_of(segment, true) == window);
    const size_t first = (size_t{portal} * 4 + number) * kWindowSide;
    if (guide->wide.empty()) return {guide->narrow.data() + first, nullptr};
    return {nullptr, guide->wide.data() + first};
}

// Finds the best cell for a crossing while those before and after it stay at their portals.
void PortalSearch::Impl::look_along(Crossing& at, const Crossing& before, const Crossing& after) {
    const uint32_t segment = at.portal >> root->shift;
    const Rect line = root->segment_rect(segment);
    const bool upright = OverlayRoot::upright(segment);
    const auto length = static_cast<uint32_t>(upright ? line.bottom - line.top : line.right - line.left);
    const auto own = static_cast<uint32_t>(upright ? at.cell.y - line.top : at.cell.x - line.left);
    LineBuffer buffers[2];
    const LineDistances one = side(at.window, segment, before, line, buffers[0]),
                        two = side(after.window, segment, after, line, buffers[1]);
    const LeastSum best = least_sum(one, two, length, own);
    at.gain = best.gain;
    const auto along = static_cast<int32_t>(best.at);
    at.better = upright ? Cell{line.left, line.top + along} : Cell{line.left + along, line.top};
}

// Moves those crossings, no two of which follow each other, that gain most together.
void PortalSearch::Impl::move_crossings() {
    const size_t count = crossings.size();
    if (count < 3) return;
    gains.assign(count + 1, 0);
    for (size_t i = 1; i + 1 < count; ++i) {
        look_along(crossings[i], crossings[i - 1], crossings[i + 1]);
        gains[i + 1] = std::max(gains[i], gains[i - 1] + crossings[i].gain);
    }
    for (size_t i = count - 2; i >= 1; --i) {
        if (gains[i + 1] == gains[i]) continue;
        crossings[i].cell = crossings[i].better;
        crossings[i].moved = true;
        --i;
        if (i == 0) break;
    }
}

// The moves that a leg will be written by, where the overlay keeps them.
void PortalSearch::Impl::fetch_leg(size_t leg) const {
    if (leg >= crossings.size()) return;
    const uint32_t window = crossings[leg].window;
    const WindowGuide* guide = root->windows[window]->guide.get();
    if (guide == nullptr) return;
    const PortalId portal = crossings[crossings[leg].moved ? leg - 1 : leg].portal;
    const uint8_t* const moves = guide->moves_to(PortalGraph::index_in(*root, window, portal));
    for (uint32_t i = 0; i < guide->plane; i += 64) prefetch(moves + i);
}

// Appends the next leg's cells, after those that are there.
void PortalSearch::Impl::write_leg() {
    const size_t leg = written++;
    fetch_leg(leg + 2);
    const bool last = leg == crossings.size();
    const uint32_t window = last ? last_window : crossings[leg].window;
    const Cell from = leg == 0 ? start : crossings[leg - 1].cell, to = last ? goal : crossings[leg].cell;
    const WindowGuide* guide = guides.get(*root, window);
    const Rect rect = root->window_rect(window);
    if (guide == nullptr) return walk_straight(from, to);
    const auto index = [&](size_t crossing) { return PortalGraph::index_in(*root, window, crossings[crossing].portal); };
    if (!last && !crossings[leg].moved) {
        const size_t count = follow(*guide, rect, from, index(leg));
        cells.insert(cells.end(), piece.begin(), piece.begin() + count);
        return;
    }
    const size_t count = follow(*guide, rect, to, index(leg - 1));  // the last of them is `from`
    if (count == 0) return;
    cells.insert(cells.end(), piece.rend() - static_cast<std::ptrdiff_t>(count) + 1, piece.rend());
    cells.push_back(to);
}

// Where all cost the same and nothing is in the way: diagonally, then straight.
void PortalSearch::Impl::walk_straight(Cell from, Cell to) {
    const auto towards = [](int32_t a, int32_t b) { return a < b ? 1 : a > b ? -1 : 0; };
    const uint64_t both = uint64_t{2} * root->ground.costs().cost[root->ground.grid().at(from)];
    while (from != to) {
        const int32_t dx = towards(from.x, to.x), dy = towards(from.y, to.y);
        const bool aslant = dx != 0 && dy != 0 && has_diagonals(root->ground.movement());
        from = {from.x + dx, from.y + (aslant || dx == 0 ? dy : 0)};
        (aslant ? diagonal : straight) += both;
        cells.push_back(from);
    }
}

// The cells from `from`, without it, to a portal: into `piece`. Returns how many.
size_t PortalSearch::Impl::follow(const WindowGuide& guide, const Rect& rect, Cell from, uint32_t portal) {
    const WindowGround ground(root->ground.grid(), root->ground.costs(), rect);
    const int32_t width = rect.right - rect.left;
    const uint8_t* const moves = guide.moves_to(portal);
    int32_t x = from.x - rect.left, y = from.y - rect.top;
    uint64_t all = 0, aslant = 0, own = ground.cost(x, y);
    for (size_t count = 0;;) {
        const Move move = WindowGuide::move(moves, static_cast<uint32_t>(y * width + x));
        if (move == kNoMove) {
            straight += all - aslant;
            diagonal += aslant;
            return count;
        }
        x += kMoves[move].x;
        y += kMoves[move].y;
        piece[count++] = {rect.left + x, rect.top + y};
        const uint64_t next = ground.cost(x, y), both = own + next;
        all += both;
        aslant += move < 4 ? 0 : both;
        own = next;
    }
}

PortalSearch::PortalSearch(size_t guide_bytes) : impl_(std::make_unique<Impl>(guide_bytes)) {}
PortalSearch::~PortalSearch() = default;
PortalSearch::PortalSearch(PortalSearch&&) noexcept = default;
PortalSearch& PortalSearch::operator=(PortalSearch&&) noexcept = default;

void PortalSearch::Impl::set_ends(const OverlayRoot& of, Cell from, Cell to, const PortalSearchOptions& with) {
    root = &of;
    start = from;
    goal = to;
    options = with;
    status = Status::kBudgetSpent;
    crossings_seen = grown = 0;
    written = 0;
    straight = diagonal = 0;
    crossings.clear();
    cells.clear();
    engine.reset();
    tree = nullptr;
}

void PortalSearch::Impl::begin_near() {
    near = std::abs(start.x - goal.x) <= kNear && std::abs(start.y - goal.y) <= kNear;
    if (!near) return;
    refiner.begin(root->ground);
    const auto [left, right] = std::minmax(start.x, goal.x);
    const auto [top, bottom] = std::minmax(start.y, goal.y);
    refiner.aim(start, goal,
                intersection({left - kNear, top - kNear, right + kNear + 1, bottom + kNear + 1}, root->ground.layout().rect()));
}

void PortalSearch::Impl::take_near() {
    cells.assign(1, start);
    refiner.append_to(cells);
    cost = refiner.cost();
}

namespace {

// Whether a cell is on the map and passable.
bool enters(const PortalOverlay& overlay, Cell cell) { return overlay.root().ground.passable(cell); }

}  // namespace

void PortalSearch::begin(const PortalOverlay& overlay, Cell start, Cell goal, const PortalSearchOptions& options) {
    TERRANE_ASSERT(enters(overlay, start) && enters(overlay, goal));
    impl_->set_ends(overlay.root(), start, goal, options);
    impl_->begin_portals();
    impl_->begin_near();
}

void PortalSearch::begin(PortalTree& tree, Cell start, const PortalSearchOptions& options) {
    TERRANE_ASSERT(enters(tree.overlay(), start) && enters(tree.overlay(), tree.goal()));
    impl_->set_ends(tree.overlay().root(), start, tree.goal(), options);
    impl_->tree = &tree;
    impl_->list_first_legs();
    impl_->begin_near();
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
        const Status found = s.tree != nullptr ? s.grow_tree(budget) : s.engine ? s.engine->run(budget) : Status::kUnreachable;
        if (found == Status::kBudgetSpent) return s.status;
        s.cells.push_back(s.start);
        if (found != Status::kFound) {
            if (!s.near || s.refiner.status() != Status::kFound) return s.status = found;
            s.take_near();
            return s.status = Status::kFound;
        }
        s.take_crossings();
        // Those that will be looked at are counted now: so what the first cells took does not depend on slices.
        if (s.options.crossings && s.crossings.size() > 2) s.crossings_seen = s.crossings.size() - 2;
        // The first leg ends where it ends, whether the crossings after it are moved or not.
        if (budget != kUnlimited && !s.near) {
            s.write_leg();
            return s.status;
        }
    }
    if (s.options.crossings) s.move_crossings();
    while (s.written <= s.crossings.size()) s.write_leg();
    s.cost = (s.straight * kStraight + s.diagonal * kDiagonal) * s.root->ground.costs().divisor;
    if (s.near && s.refiner.status() == Status::kFound && s.refiner.cost() < s.cost) s.take_near();
    return s.status = Status::kFound;
}

uint64_t PortalSearch::expansions() const {
    return impl_->crossings_seen + impl_->grown + (impl_->engine ? impl_->engine->expansions() : 0) +
           (impl_->near ? impl_->refiner.expansions() : 0);
}
size_t PortalSearch::crossings() const { return impl_->crossings.size(); }
const std::vector<Cell>& PortalSearch::cells() const { return impl_->cells; }
Cost PortalSearch::cost() const { return impl_->cost; }
void PortalSearch::take_cells(std::vector<Cell>& out) { out.swap(impl_->cells); }
size_t PortalSearch::bytes() const {
    return impl_->guides.bytes() + impl_->labels.bytes() + impl_->queue.bytes() + impl_->refiner.bytes() +
           impl_->cells.capacity() * sizeof(Cell);
}

}  // namespace terrane
