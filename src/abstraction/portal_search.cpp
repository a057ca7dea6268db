#include "terrane/portal_search.h"

#include <algorithm>
#include <array>
#include <optional>

#include "abstraction/field_cache.h"
#include "abstraction/portal_graph.h"
#include "terrane/heap_queue.h"
#include "terrane/octile.h"
#include "terrane/paged_labels.h"
#include "terrane/path.h"
#include "terrane/refiner.h"

namespace terrane {

using namespace detail;

namespace {

constexpr uint32_t kMaxLandmarks = 64;

// Bounds the distance from any portal to the goal. A way to the goal ends with one of its legs q, of length d(q); so by landmark it is no
// shorter than hi - p or p - lo, with hi the least p(q) + d(q) and lo the greatest p(q) - d(q). The octile distance bounds it too.
class PortalBound {
public:
    PortalBound(const OverlayRoot& root, Cell goal, uint32_t cheapest) : root_(&root), goal_(goal) {
        straight_ = uint64_t{2} * kFieldStraight * cheapest;
        extra_ = uint64_t{2} * (root.movement == Movement::kFour ? kFieldStraight : kFieldDiagonal - kFieldStraight) * cheapest;
    }
    void add_leg(PortalId portal, uint32_t distance) {
        const int32_t* p = potential(portal);
        const auto d = static_cast<int32_t>(std::min<uint32_t>(distance, kMaxPotential));
        for (uint32_t i = 0; i < root_->options.landmarks; ++i) {
            hi_[i] = std::min(hi_[i], p[i] + d);
            lo_[i] = std::max(lo_[i], p[i] - d);
        }
    }
    uint64_t operator()(PortalId id) const {
        if (id >> root_->shift >= root_->segment_count()) return 0;  // the goal
        const Cell c = root_->portal(id);
        const auto dx = static_cast<uint32_t>(std::abs(c.x - goal_.x)), dy = static_cast<uint32_t>(std::abs(c.y - goal_.y));
        return std::max(straight_ * std::max(dx, dy) + extra_ * std::min(dx, dy), uint64_t{by_landmarks(id)});
    }

private:
    static std::array<int32_t, kMaxLandmarks> all(int32_t value) {
        std::array<int32_t, kMaxLandmarks> array;
        array.fill(value);
        return array;
    }
    const int32_t* potential(PortalId id) const {
        const uint32_t number = id & ((1u << root_->shift) - 1);
        return root_->potentials[id >> root_->shift]->data() + size_t{number} * root_->options.landmarks;
    }
    uint32_t by_landmarks(PortalId id) const {
        const int32_t* p = potential(id);
        std::array<int32_t, 8> most{};
        for (uint32_t block = 0; block < root_->options.landmarks; block += 8) {
            for (uint32_t i = 0; i < 8; ++i) {
                const int32_t below = hi_[block + i] - p[block + i], above = p[block + i] - lo_[block + i];
                most[i] = std::max(most[i], std::max(below, above));
            }
        }
        return static_cast<uint32_t>(*std::max_element(most.begin(), most.end()));
    }

    const OverlayRoot* root_;
    Cell goal_;
    uint64_t straight_, extra_;
    std::array<int32_t, kMaxLandmarks> hi_ = all(kMaxPotential), lo_ = all(0);
};

using Labels = PagedLabels<PortalId, uint64_t, PortalVia>;
using Queue = HeapQueue<PortalId, uint64_t>;
using Engine = BestFirst<PortalGraph, PortalBound, OneGoal<PortalId>, Labels, Queue, NoObserver, ExpandOnce>;

// The windows that hold a cell: up to four.
struct Windows {
    std::array<uint32_t, 4> list{};
    uint32_t count = 0;

    Windows(const OverlayRoot& root, Cell c) {
        const auto along = [](int32_t at, uint32_t windows, std::array<uint32_t, 2>& out) {
            const auto last = windows - 1;
            const uint32_t own = std::min(static_cast<uint32_t>(at) / kWindowStep, last);
            uint32_t n = 0;
            if (at % kWindowStep == 0 && at > 0 && static_cast<uint32_t>(at) / kWindowStep - 1 != own)
                out[n++] = static_cast<uint32_t>(at) / kWindowStep - 1;
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

// A part of the path inside one window. At least one of its ends is a portal of it.
struct Leg {
    uint32_t window;
    Cell from, to;
    uint32_t first, last;  // as the window's portals; kNoPortal where they are none
};

}  // namespace

struct PortalSearch::Impl {
    explicit Impl(size_t field_bytes) : fields(field_bytes) {}

    const OverlayRoot* root = nullptr;
    Cell start, goal;
    PortalSearchOptions options;
    Status status = Status::kUnreachable;
    uint64_t scanned = 0;  // cells of lines
    bool together = false;

    FieldCache fields;
    Labels labels;
    Queue queue;
    std::optional<Engine> engine;
    Refiner refiner;  // inside a window that holds both ends
    std::array<LastLeg, 4> last_legs;
    std::array<std::vector<uint32_t>, 4> last_distances;
    std::vector<Leg> legs;
    std::vector<Cell> cells, piece;

    void begin_portals();
    void take_path();
    void take_legs();
    void improve_crossing(Leg& before, Leg& after);
    void write(const Leg& leg);
    void descend(const WindowField& field, Cell from, uint32_t portal, std::vector<Cell>& out) const;
    void walk_straight(Cell from, Cell to, std::vector<Cell>& out) const;
    Cost cost_of(const std::vector<Cell>& path) const { return path_cost(root->grid, root->costs, root->movement, path); }
};

void PortalSearch::Impl::begin_portals() {
    const Windows ends(*root, goal);
    PortalBound bound(*root, goal, grid_bounds(root->grid, root->small).cheapest);
    for (uint32_t i = 0; i < ends.count; ++i) {
        const WindowField field = fields.get(*root, ends.list[i]);
        last_distances[i].resize(field.portal_count());
        PortalGraph::for_each_portal(*root, ends.list[i], [&](PortalId id, uint32_t index) {
            last_distances[i][index] = field.distance(window_cell(field.rect(), goal), index);
            if (last_distances[i][index] != kFarPortal) bound.add_leg(id, last_distances[i][index]);
        });
        last_legs[i] = {ends.list[i], last_distances[i]};
    }
    labels.reset(PortalGraph::id_limit(*root));
    queue.reset();
    const PortalGraph graph(*root, std::span(last_legs).first(ends.count));
    engine.emplace(graph, bound, OneGoal<PortalId>{graph.goal()}, labels, queue);
    const Windows starts(*root, start);
    for (uint32_t i = 0; i < starts.count; ++i) {
        const WindowField field = fields.get(*root, starts.list[i]);
        PortalGraph::for_each_portal(*root, starts.list[i], [&](PortalId id, uint32_t index) {
            const uint32_t distance = field.distance(window_cell(field.rect(), start), index);
            if (distance != kFarPortal) engine->start(id, distance, {kNoPortal, starts.list[i]});
        });
    }
}

// From the goal back to the start.
void PortalSearch::Impl::take_legs() {
    legs.clear();
    Cell to = goal;
    for (PortalId node = engine->goal_node(); node != kNoPortal;) {
        const PortalVia via = labels.via(node);
        const auto index = [&](PortalId id) { return id == kNoPortal ? kNoPortal : PortalGraph::index_in(*root, via.window, id); };
        const Cell from = via.from == kNoPortal ? start : root->portal(via.from);
        legs.push_back({via.window, from, to, index(via.from), node == engine->goal_node() ? kNoPortal : index(node)});
        to = from;
        node = via.from;
    }
    std::reverse(legs.begin(), legs.end());
}

// Moves the crossing between two legs along the line that their windows share.
void PortalSearch::Impl::improve_crossing(Leg& before, Leg& after) {
    if (before.window == after.window) return;
    const WindowField a = fields.get(*root, before.window), b = fields.get(*root, after.window);
    const Rect line = intersection(a.rect(), b.rect());
    Cell best = before.to;
    uint64_t least = kInfinite<uint64_t>;
    for (int32_t y = line.top; y < line.bottom; ++y) {
        for (int32_t x = line.left; x < line.right; ++x) {
            ++scanned;
            const uint64_t one = a.distance(window_cell(a.rect(), {x, y}), before.first);
            const uint64_t two = b.distance(window_cell(b.rect(), {x, y}), after.last);
            if (one == kFarPortal || two == kFarPortal || one + two >= least) continue;
            least = one + two;
            best = {x, y};
        }
    }
    before.to = after.from = best;
    before.last = after.first = kNoPortal;
}

void PortalSearch::Impl::take_path() {
    take_legs();
    // The second crossing, the fourth, ...: then each leg keeps a portal at its other end.
    for (size_t i = 1; options.crossings && i + 2 < legs.size(); i += 2) improve_crossing(legs[i], legs[i + 1]);
    cells.assign(1, start);
    for (const Leg& leg : legs) write(leg);
}

// Appends the cells after leg.from, up to leg.to.
void PortalSearch::Impl::write(const Leg& leg) {
    const WindowField field = fields.get(*root, leg.window);
    if (field.uniform()) return walk_straight(leg.from, leg.to, cells);
    if (leg.last != kNoPortal) return descend(field, leg.from, leg.last, cells);
    piece.clear();
    descend(field, leg.to, leg.first, piece);
    if (piece.empty()) return;
    piece.pop_back();  // leg.from
    std::reverse(piece.begin(), piece.end());
    cells.insert(cells.end(), piece.begin(), piece.end());
    cells.push_back(leg.to);
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

// Appends the cells from `from`, without it, to a portal: each time to a neighbour that is as much closer as the step costs. Goes on in
// the same direction while that is one; otherwise takes the first that is.
void PortalSearch::Impl::descend(const WindowField& field, Cell from, uint32_t portal, std::vector<Cell>& out) const {
    const Rect& rect = field.rect();
    const GridSnapshot& grid = root->grid;
    const auto cost = [&](Cell c) { return rect.contains(c) ? root->small.cost[grid.at(grid.layout().id(c))] : 0; };
    uint32_t left = field.distance(window_cell(rect, from), portal);
    uint32_t own = cost(from);
    Move last = 0;
    const auto step = [&](Move move) {
        const Cell to{from.x + kMoves[move].x, from.y + kMoves[move].y};
        const uint32_t other = cost(to);
        if (other == 0 || (move >= 4 && root->movement == Movement::kFour)) return false;
        const uint32_t length = (move < 4 ? kFieldStraight : kFieldDiagonal) * (own + other);
        if (length > left || field.distance(window_cell(rect, to), portal) != left - length) return false;
        if (move >= 4 && root->movement == Movement::kEight && (cost({from.x, to.y}) == 0 || cost({to.x, from.y}) == 0)) return false;
        from = to;
        left -= length;
        own = other;
        last = move;
        out.push_back(to);
        return true;
    };
    while (left > 0) {
        if (step(last)) continue;
        Move move = 0;
        while (!step(move)) ++move;
    }
}

PortalSearch::PortalSearch(size_t field_bytes) : impl_(std::make_unique<Impl>(field_bytes)) {}
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
    s.scanned = 0;
    s.cells.clear();
    s.begin_portals();
    // In one window together: a way inside it need not pass a portal.
    s.together = false;
    s.refiner.begin(s.root->grid, s.root->costs, s.root->movement);
    const Windows a(*s.root, start), b(*s.root, goal);
    for (uint32_t i = 0; i < a.count; ++i) {
        for (uint32_t j = 0; j < b.count; ++j) {
            if (a.list[i] != b.list[j] || s.together) continue;
            s.refiner.aim(start, goal, s.root->window_rect(a.list[i]));
            s.together = true;
        }
    }
}

Status PortalSearch::run(uint64_t budget) {
    Impl& s = *impl_;
    if (s.status != Status::kBudgetSpent) return s.status;
    if (s.together && s.refiner.status() == Status::kBudgetSpent) {
        const uint64_t before = s.refiner.expansions();
        if (s.refiner.run(budget) == Status::kBudgetSpent) return s.status;
        if (budget != kUnlimited) budget -= std::min(budget, s.refiner.expansions() - before);
    }
    s.status = s.engine->run(budget);
    if (s.status == Status::kFound) s.take_path();
    if (!s.together || s.status == Status::kBudgetSpent || s.refiner.status() != Status::kFound) return s.status;
    if (s.status == Status::kFound && s.cost_of(s.cells) <= s.refiner.cost()) return s.status;
    s.cells.assign(1, s.start);
    s.refiner.append_to(s.cells);
    return s.status = Status::kFound;
}

uint64_t PortalSearch::expansions() const {
    return impl_->scanned + (impl_->engine ? impl_->engine->expansions() : 0) + (impl_->together ? impl_->refiner.expansions() : 0);
}

const std::vector<Cell>& PortalSearch::cells() const { return impl_->cells; }
uint64_t PortalSearch::field_hits() const { return impl_->fields.hits(); }
uint64_t PortalSearch::field_misses() const { return impl_->fields.misses(); }
size_t PortalSearch::bytes() const { return impl_->fields.bytes() + impl_->labels.bytes() + impl_->queue.bytes() + impl_->refiner.bytes(); }

}  // namespace terrane
