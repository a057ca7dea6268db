#include "terrane/portal_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <tuple>

#include "abstraction/guide_cache.h"
#include "abstraction/line_distances.h"
#include "abstraction/portal_graph.h"
#include "abstraction/portal_legs.h"
#include "base/eight.h"
#include "terrane/bucket_queue.h"
#include "terrane/paged_labels.h"
#include "terrane/path.h"
#include "terrane/portal_tree.h"
#include "terrane/refiner.h"

namespace terrane {

using namespace detail;

namespace {

// Cells apart, along either axis, up to which two ends are searched for on cells too.
constexpr int32_t kNear = 40;

constexpr size_t kMaxLandmarks = 64;

// Buckets of the queue are so many times, in bits, finer than the cheapest straight step. On the weighted benchmark maps 1 to 6 take the
// same time; with -1 a search expands twice as much. (A heap, with nodes expanded once, takes 1.6 times as long.)
constexpr uint32_t kBucketBits = 3;

// Bounds the distance from any portal to the goal. A way to the goal ends with one of its legs q, of length d(q); so by landmark it is no
// shorter than hi - p or p - lo, with hi the least p(q) + d(q) and lo the greatest p(q) - d(q). In the units of the coarse potentials, of
// which it may be one too large: what is found may be that much longer than the best way over portals, 0.01% of it (rounded downwards
// it would not be, and searches would expand 1.4 times as many). Where octile distance says more at the start, it is used instead.
class PortalBound {
public:
    PortalBound(const OverlayRoot& root, PortalId goal_id, Cell goal, uint32_t cheapest)
        : root_(&root), goal_id_(goal_id), goal_(goal), lanes_(root.options.landmarks) {
        straight_ = uint64_t{2} * kFieldStraight * cheapest;
        extra_ = uint64_t{2} * (root.movement == Movement::kFour ? kFieldStraight : kFieldDiagonal - kFieldStraight) * cheapest;
    }
    // `for_each_leg(visit)` calls visit(portal, distance) for each of the goal's legs; for searches that begin with `from`.
    template <class Legs>
    void set_ends(PortalId from, PortalVia via, Legs&& for_each_leg) {
        std::array<int32_t, kMaxLandmarks> hi, lo;
        hi.fill(kMaxPotential);
        lo.fill(0);
        for_each_leg([&](PortalId portal, uint32_t distance) {
            const int32_t* p = root_->potential(portal);
            const auto d = static_cast<int32_t>(std::min<uint32_t>(distance, kMaxPotential));
            for (uint32_t i = 0; i < lanes_; ++i) {
                hi[i] = std::min(hi[i], p[i] + d);
                lo[i] = std::max(lo[i], p[i] - d);
            }
        });
        const auto coarse = [&](int32_t value) { return static_cast<int16_t>(std::min(value >> root_->coarse_shift, 32767)); };
        for (uint32_t i = 0; i < lanes_; ++i) {
            hi_[i] = coarse(hi[i]);
            lo_[i] = coarse(lo[i]);
        }
        by_octile_ = by_landmarks(via) <= octile(from);
    }

    // Of a portal, read where it was come upon: in the window that led to it.
    uint64_t operator()(PortalId id, PortalVia via) const {
        if (id == goal_id_) return 0;
        return by_octile_ ? octile(id) : by_landmarks(via);
    }

private:
    uint64_t octile(PortalId id) const {
        const Cell c = root_->portal(id);
        const auto dx = static_cast<uint32_t>(std::abs(c.x - goal_.x)), dy = static_cast<uint32_t>(std::abs(c.y - goal_.y));
        return straight_ * std::max(dx, dy) + extra_ * std::min(dx, dy);
    }
    TERRANE_INLINE uint64_t by_landmarks(PortalVia via) const {
        const int16_t* p = root_->table(via.window).coarse() + size_t{via.index} * lanes_;
        return static_cast<uint64_t>(lanes_ == 32 ? greatest<32>(p, 32) : greatest<0>(p, lanes_)) << root_->coarse_shift;
    }
    // `kCount`: the number of lanes where the compiler may know it, or else 0.
    template <uint32_t kCount>
    TERRANE_INLINE int16_t greatest(const int16_t* p, uint32_t lanes) const {
        auto most = Eight<int16_t>::all(0);
        for (uint32_t i = 0; i < (kCount != 0 ? kCount : lanes); i += kLanes) {
            const auto own = Eight<int16_t>::load(p + i);
            most = Eight<int16_t>::greatest(most, Eight<int16_t>::load(&hi_[i]) - own);
            most = Eight<int16_t>::greatest(most, own - Eight<int16_t>::load(&lo_[i]));
        }
        return detail::greatest_lane(most);
    }

    const OverlayRoot* root_;
    PortalId goal_id_;
    Cell goal_;
    uint32_t lanes_;
    uint64_t straight_, extra_;
    bool by_octile_ = true;
    std::array<int16_t, kMaxLandmarks> hi_, lo_;
};

using PortalLabels = PagedLabels<PortalId, uint64_t, PortalVia, 64>;
using PortalQueue = LinkedBucketQueue<PortalId, uint64_t>;
using PortalEngine = BestFirst<PortalGraph, PortalBound, OneGoal<PortalId>, PortalLabels, PortalQueue>;

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
    void walk_straight(Cell from, Cell to, std::vector<Cell>& out) const;
    Cost cost_of(const std::vector<Cell>& path) const { return path_cost(root->grid, root->costs, root->movement, path); }
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
    const uint32_t cheapest = grid_bounds(root->grid, root->small).cheapest;
    const auto bits = static_cast<uint32_t>(std::bit_width(2 * kFieldStraight * cheapest));
    queue.reset(bits - std::min(bits, kBucketBits));
    const PortalGraph graph(*root, std::span(last_legs).first(ends.count));
    const Windows starts(*root, start);
    for (uint32_t i = 0; i < starts.count; ++i) {
        const WindowGuide* guide = guides.get(*root, starts.list[i]);
        PortalGraph::for_each_portal(*root, starts.list[i], [&](PortalId id, uint32_t index) {
            const uint32_t d = leg_distance(*root, starts.list[i], guide, start, index, id);
            if (d == kNoWay) return;
            if (!engine) {
                PortalBound bound(*root, graph.goal(), goal, cheapest);
                bound.set_ends(id, {kNoPortal, starts.list[i], index}, for_each_leg);
                engine.emplace(graph, bound, OneGoal<PortalId>{graph.goal()}, labels, queue);
            }
            engine->start(id, d, {kNoPortal, starts.list[i], index});
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
    const PortalVia last = labels.via(engine->goal_node());
    last_window = last.window;
    for (PortalId id = last.from; id != kNoPortal;) {
        const PortalVia via = labels.via(id);
        crossings.push_back({id, via.window, root->portal(id)});
        id = via.from;
    }
    std::reverse(crossings.begin(), crossings.end());
}

// How far the cells of a line are from a portal of a window that has it for a side.
LineDistances PortalSearch::Impl::side(uint32_t window, uint32_t segment, const Crossing& to, const Rect& line, LineBuffer& buffer) {
    const WindowGuide* guide = guides.get(*root, window);
    if (guide == nullptr) return uniform_distances(line, to.cell, root->windows[window]->uniform_cost, root->movement, buffer);
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
    ++crossings_seen;
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
    const uint8_t* const moves = guide->moves.data() + size_t{PortalGraph::index_in(*root, window, portal)} * guide->plane;
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
    if (guide == nullptr) return walk_straight(from, to, cells);
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
void PortalSearch::Impl::walk_straight(Cell from, Cell to, std::vector<Cell>& out) const {
    const auto towards = [](int32_t a, int32_t b) { return a < b ? 1 : a > b ? -1 : 0; };
    while (from != to) {
        const int32_t dx = towards(from.x, to.x), dy = towards(from.y, to.y);
        const bool both = root->movement != Movement::kFour || dx == 0;
        from = {from.x + dx, from.y + (both ? dy : 0)};
        out.push_back(from);
    }
}

// The cells from `from`, without it, to a portal: into `piece`. Returns how many.
size_t PortalSearch::Impl::follow(const WindowGuide& guide, const Rect& rect, Cell from, uint32_t portal) {
    const int32_t width = rect.right - rect.left;
    const uint8_t* const moves = guide.moves.data() + size_t{portal} * guide.plane;
    std::array<int32_t, 8> steps;
    for (size_t m = 0; m < steps.size(); ++m) steps[m] = kMoves[m].y * width + kMoves[m].x;
    size_t count = 0;
    for (auto c = static_cast<int32_t>(window_cell(rect, from));;) {
        const auto move = static_cast<Move>(moves[c / 2] >> (c % 2 * 4) & 15);
        if (move == kNoMove) return count;
        c += steps[move];
        from = {from.x + kMoves[move].x, from.y + kMoves[move].y};
        piece[count++] = from;
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
    crossings.clear();
    cells.clear();
    engine.reset();
    tree = nullptr;
}

void PortalSearch::Impl::begin_near() {
    near = std::abs(start.x - goal.x) <= kNear && std::abs(start.y - goal.y) <= kNear;
    if (!near) return;
    refiner.begin(root->grid, root->costs, root->movement);
    const auto [left, right] = std::minmax(start.x, goal.x);
    const auto [top, bottom] = std::minmax(start.y, goal.y);
    refiner.aim(start, goal, intersection({left - kNear, top - kNear, right + kNear + 1, bottom + kNear + 1}, root->grid.layout().rect()));
}

void PortalSearch::begin(const PortalOverlay& overlay, Cell start, Cell goal, const PortalSearchOptions& options) {
    impl_->set_ends(overlay.root(), start, goal, options);
    impl_->begin_portals();
    impl_->begin_near();
}

void PortalSearch::begin(PortalTree& tree, Cell start, const PortalSearchOptions& options) {
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
            s.refiner.append_to(s.cells);
            return s.status = Status::kFound;
        }
        s.take_crossings();
        if (s.options.crossings) s.move_crossings();
    }
    if (budget != kUnlimited && s.written == 0 && !s.near) {
        s.write_leg();
        return s.status;
    }
    while (s.written <= s.crossings.size()) s.write_leg();
    if (s.near && s.refiner.status() == Status::kFound && s.refiner.cost() < s.cost_of(s.cells)) {
        s.cells.assign(1, s.start);
        s.refiner.append_to(s.cells);
    }
    return s.status = Status::kFound;
}

uint64_t PortalSearch::expansions() const {
    return impl_->crossings_seen + impl_->grown + (impl_->engine ? impl_->engine->expansions() : 0) +
           (impl_->near ? impl_->refiner.expansions() : 0);
}
size_t PortalSearch::crossings() const { return impl_->crossings.size(); }
const std::vector<Cell>& PortalSearch::cells() const { return impl_->cells; }
size_t PortalSearch::bytes() const {
    return impl_->guides.bytes() + impl_->labels.bytes() + impl_->queue.bytes() + impl_->refiner.bytes() +
           impl_->cells.capacity() * sizeof(Cell);
}

}  // namespace terrane
