#include "terrane/portal_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "abstraction/guide_cache.h"
#include "abstraction/portal_graph.h"
#include "base/eight.h"
#include "terrane/bucket_queue.h"
#include "terrane/paged_labels.h"
#include "terrane/path.h"
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
    // `for_each_leg(visit)` calls visit(portal, distance) for each of the goal's legs; for searches that come from `from`.
    template <class Legs>
    void set_ends(PortalId from, Legs&& for_each_leg) {
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
        by_octile_ = by_landmarks(from) <= octile(from);
    }

    uint64_t operator()(PortalId id) const {
        if (id == goal_id_) return 0;
        return by_octile_ ? octile(id) : by_landmarks(id);
    }

private:
    uint64_t octile(PortalId id) const {
        const Cell c = root_->portal(id);
        const auto dx = static_cast<uint32_t>(std::abs(c.x - goal_.x)), dy = static_cast<uint32_t>(std::abs(c.y - goal_.y));
        return straight_ * std::max(dx, dy) + extra_ * std::min(dx, dy);
    }
    uint64_t by_landmarks(PortalId id) const {
        const int16_t* p = root_->coarse_potential(id);
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
using PortalQueue = BucketQueue<PortalId, uint64_t>;
using PortalEngine = BestFirst<PortalGraph, PortalBound, OneGoal<PortalId>, PortalLabels, PortalQueue>;

// The windows that hold a cell: up to four.
struct Windows {
    std::array<uint32_t, 4> list{};
    uint32_t count = 0;

    Windows(const OverlayRoot& root, Cell c) {
        const auto along = [](int32_t at, uint32_t windows, std::array<uint32_t, 2>& out) {
            const uint32_t line = static_cast<uint32_t>(at) / kWindowStep, own = std::min(line, windows - 1);
            uint32_t n = 0;
            if (at % kWindowStep == 0 && at > 0 && line - 1 != own) out[n++] = line - 1;
            out[n++] = own;
            return n;
        };
        std::array<uint32_t, 2> xs{}, ys{};
        const uint32_t nx = along(c.x, root.windows_x, xs), ny = along(c.y, root.windows_y, ys);
        for (uint32_t y = 0; y < ny; ++y) {
            for (uint32_t x = 0; x < nx; ++x) list[count++] = ys[y] * root.windows_x + xs[x];
        }
    }
};

// A place on the path where it goes from one window to the next.
struct Crossing {
    PortalId portal;
    uint32_t window;  // that leads to it
    Cell cell;        // the portal's, until it is moved
    bool moved = false;
    uint64_t gain = 0;  // of moving it to `better`
    Cell better{};
};

}  // namespace

struct PortalSearch::Impl : detail::InMemory {
    explicit Impl(size_t guide_bytes) : guides(guide_bytes) {}

    const OverlayRoot* root = nullptr;
    Cell start, goal;
    PortalSearchOptions options;
    Status status = Status::kUnreachable;
    bool near = false;
    uint64_t crossings_seen = 0, scanned = 0;

    GuideCache guides;
    PortalLabels labels;
    PortalQueue queue;
    std::optional<PortalEngine> engine;
    Refiner refiner;  // between ends that are near
    std::array<LastLeg, 4> last_legs;
    std::array<Vector<uint32_t>, 4> last_distances;
    Vector<Crossing> crossings;
    Vector<uint64_t> gains;  // of the first crossings, at best
    uint32_t last_window = 0;
    size_t written = 0;  // legs
    std::vector<Cell> cells;
    std::array<Cell, kWindowSide * kWindowSide> piece;

    void begin_portals();
    uint32_t distance(uint32_t window, const WindowGuide* guide, Cell from, uint32_t portal, PortalId id) const;
    void take_crossings();
    struct Side;
    using Buffer = std::array<uint32_t, kWindowSide>;
    Side side(uint32_t window, uint32_t segment, const Crossing& to, const Rect& line, Buffer& buffer);
    void look_along(Crossing& at, const Crossing& before, const Crossing& after);
    void move_crossings();
    void write_leg();
    size_t follow(const WindowGuide& guide, const Rect& rect, Cell from, uint32_t portal);
    void walk_straight(Cell from, Cell to, std::vector<Cell>& out) const;
    Cost cost_of(const std::vector<Cell>& path) const { return path_cost(root->grid, root->costs, root->movement, path); }
};

// From a cell of a window to one of its portals, by the guide.
uint32_t PortalSearch::Impl::distance(uint32_t window, const WindowGuide* guide, Cell from, uint32_t portal, PortalId id) const {
    const Cell to = root->portal(id);
    if (guide == nullptr) return uniform_distance(from, to, root->windows[window]->uniform_cost, root->movement);
    const Rect rect = root->window_rect(window);
    const GridSnapshot& grid = root->grid;
    const auto cost = [&](Cell c) { return root->small.cost[grid.at(grid.layout().id(c))]; };
    uint32_t sum = 0, own = cost(from);
    while (from != to) {
        const Move move = guide->move(window_cell(rect, from), portal);
        if (move == kNoMove) return kNoWay;
        from = {from.x + kMoves[move].x, from.y + kMoves[move].y};
        const uint32_t next = cost(from);
        sum += (move < 4 ? kFieldStraight : kFieldDiagonal) * (own + next);
        own = next;
    }
    return sum;
}

void PortalSearch::Impl::begin_portals() {
    const Windows ends(*root, goal);
    for (uint32_t i = 0; i < ends.count; ++i) {
        const WindowGuide* guide = guides.get(*root, ends.list[i]);
        last_distances[i].resize(root->table(ends.list[i]).count());
        PortalGraph::for_each_portal(*root, ends.list[i], [&](PortalId id, uint32_t index) {
            last_distances[i][index] = distance(ends.list[i], guide, goal, index, id);
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
    engine.reset();
    for (uint32_t i = 0; i < starts.count; ++i) {
        const WindowGuide* guide = guides.get(*root, starts.list[i]);
        PortalGraph::for_each_portal(*root, starts.list[i], [&](PortalId id, uint32_t index) {
            const uint32_t d = distance(starts.list[i], guide, start, index, id);
            if (d == kNoWay) return;
            if (!engine) {
                PortalBound bound(*root, graph.goal(), goal, cheapest);
                bound.set_ends(id, for_each_leg);
                engine.emplace(graph, bound, OneGoal<PortalId>{graph.goal()}, labels, queue);
            }
            engine->start(id, d, {kNoPortal, starts.list[i]});
        });
    }
}

void PortalSearch::Impl::take_crossings() {
    crossings.clear();
    const PortalVia last = labels.via(engine->goal_node());
    last_window = last.window;
    for (PortalId id = last.from; id != kNoPortal;) {
        const PortalVia via = labels.via(id);
        crossings.push_back({id, via.window, root->portal(id)});
        id = via.from;
    }
    std::reverse(crossings.begin(), crossings.end());
}

// How far the cells of a line are from a portal of a window that has it for a side; kNoWay, or more, where there is none. Where it is
// not kept as such, in `buffer`.
struct PortalSearch::Impl::Side {
    const uint16_t* narrow = nullptr;
    const uint32_t* wide = nullptr;
};

PortalSearch::Impl::Side PortalSearch::Impl::side(uint32_t window, uint32_t segment, const Crossing& to, const Rect& line, Buffer& buffer) {
    const WindowGuide* guide = guides.get(*root, window);
    if (guide == nullptr) {
        const uint32_t cost = root->windows[window]->uniform_cost;
        uint32_t i = 0;
        for (int32_t y = line.top; y < line.bottom; ++y) {
            for (int32_t x = line.left; x < line.right; ++x) buffer[i++] = uniform_distance({x, y}, to.cell, cost, root->movement);
        }
        return {nullptr, buffer.data()};
    }
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
    Buffer buffers[2];
    const Side one = side(at.window, segment, before, line, buffers[0]), two = side(after.window, segment, after, line, buffers[1]);
    uint32_t best = own;
    const auto look = [&](auto* a, auto* b) {
        const auto sum = [&](uint32_t i) {
            constexpr auto kFarA = static_cast<std::remove_cvref_t<decltype(*a)>>(kNoWay);
            constexpr auto kFarB = static_cast<std::remove_cvref_t<decltype(*b)>>(kNoWay);
            return a[i] == kFarA || b[i] == kFarB ? kInfinite<uint64_t> : uint64_t{a[i]} + b[i];
        };
        uint64_t least = sum(own);
        for (uint32_t i = 0; i < length; ++i) {
            const uint64_t here = sum(i);
            if (here < least) best = i;
            least = std::min(least, here);
        }
        at.gain = sum(own) - least;
    };
    if (one.narrow != nullptr) {
        two.narrow != nullptr ? look(one.narrow, two.narrow) : look(one.narrow, two.wide);
    } else {
        two.narrow != nullptr ? look(one.wide, two.narrow) : look(one.wide, two.wide);
    }
    ++crossings_seen;
    scanned += length;
    const auto along = static_cast<int32_t>(best);
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

// Appends the next leg's cells, after those that are there.
void PortalSearch::Impl::write_leg() {
    const size_t leg = written++;
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

void PortalSearch::begin(const PortalOverlay& overlay, Cell start, Cell goal, const PortalSearchOptions& options) {
    Impl& s = *impl_;
    s.root = &overlay.root();
    s.start = start;
    s.goal = goal;
    s.options = options;
    s.status = Status::kBudgetSpent;
    s.crossings_seen = s.scanned = 0;
    s.written = 0;
    s.crossings.clear();
    s.cells.clear();
    s.begin_portals();
    s.near = std::abs(start.x - goal.x) <= kNear && std::abs(start.y - goal.y) <= kNear;
    if (!s.near) return;
    s.refiner.begin(s.root->grid, s.root->costs, s.root->movement);
    const auto [left, right] = std::minmax(start.x, goal.x);
    const auto [top, bottom] = std::minmax(start.y, goal.y);
    s.refiner.aim(start, goal,
                  intersection({left - kNear, top - kNear, right + kNear + 1, bottom + kNear + 1}, s.root->grid.layout().rect()));
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
        const Status found = s.engine ? s.engine->run(budget) : Status::kUnreachable;
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
    return impl_->crossings_seen + (impl_->engine ? impl_->engine->expansions() : 0) + (impl_->near ? impl_->refiner.expansions() : 0);
}
uint64_t PortalSearch::cells_scanned() const { return impl_->scanned; }
size_t PortalSearch::crossings() const { return impl_->crossings.size(); }
const std::vector<Cell>& PortalSearch::cells() const { return impl_->cells; }
uint64_t PortalSearch::guide_hits() const { return impl_->guides.hits(); }
uint64_t PortalSearch::guide_misses() const { return impl_->guides.misses(); }
size_t PortalSearch::bytes() const {
    return impl_->guides.bytes() + impl_->labels.bytes() + impl_->queue.bytes() + impl_->refiner.bytes() +
           impl_->cells.capacity() * sizeof(Cell);
}

}  // namespace terrane
