#include "crowd/cooperative/rra_star.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <variant>

#include "grid_search/search_limits.h"
#include "pra/pra_query.h"
#include "terrane/base/assert.h"
#include "terrane/grid/octile.h"
#include "terrane/search/best_first.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

namespace {

// Cells per page: 1/16 of a tile, so few labels of a page stay unused. Hashed labels would take 32 to 64 bytes per cell.
constexpr uint32_t kPage = 64;

// A view of a graph that many searches share.
template <class V>
struct SharedCells {
    using Node = CellId;
    using Value = V;
    using Via = Move;
    const GridGraph<V>* graph;

    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        graph->expand(node, label, emit);
    }
    CellId origin(CellId to, Move move) const { return graph->origin(to, move); }
};

// A* without a goal, run until a given node is settled. With a consistent heuristic, a node is settled once no key in the open list is
// smaller than its f-value.
template <class G, class H>
class ResumableSearch {
public:
    using Node = typename G::Node;
    using Value = typename G::Value;

    ResumableSearch(const G& graph, const H& heuristic, Node goal, typename G::Via no_via, Node limit)
        : heuristic_(heuristic), search_(graph, heuristic, NoGoal{}, labels_, queue_) {
        labels_.reset(limit);
        queue_.reset();
        search_.start(goal, 0, no_via);
    }
    ResumableSearch(const ResumableSearch&) = delete;  // search_ refers to labels_ and queue_
    ResumableSearch& operator=(const ResumableSearch&) = delete;

    // Returns the g-value; kInfinite if the node is unreachable.
    Value settle(Node node) {
        while (!settled(node)) search_.run(1);
        return labels_.g(node);
    }

    bool known(Node node) const { return labels_.g(node) != kInfinite<Value>; }
    Value g(Node node) const { return labels_.g(node); }
    Node parent(Node node) const { return labels_.parent(search_.graph(), node); }
    const G& graph() const { return search_.graph(); }
    uint64_t expansions() const { return search_.expansions(); }
    size_t bytes() const { return sizeof(*this) + labels_.bytes() + queue_.bytes(); }

private:
    using Labels = PagedLabels<Node, Value, typename G::Via, kPage>;
    using Queue = HeapQueue<Node, Value>;

    bool settled(Node node) const {
        if (queue_.empty()) return true;
        const Value g = labels_.g(node);
        return g != kInfinite<Value> && uint64_t{g} + heuristic_(node) <= queue_.floor();
    }

    H heuristic_;
    Labels labels_;
    Queue queue_;
    BestFirst<G, H, NoGoal, Labels, Queue> search_;
};

template <class V>
using CellSearch = ResumableSearch<SharedCells<V>, OctileHeuristic<GridLayout, V>>;
using NodeSearch = ResumableSearch<detail::CorridorNodes, OctileHeuristic<detail::CorridorNodes, uint64_t>>;

bool on_map_of(const RraSpace& space, CellId cell) {
    const GridLayout& layout = space.grid().layout();
    return cell < layout.id_limit() && layout.contains(layout.cell(cell));
}

// The level to search on. Lower than the space's level where the goal's whole connected component has collapsed into one node; 0: cells.
uint32_t level_of(const RraSpace& space, CellId goal) {
    uint32_t level = space.level() == 0 ? 0 : std::min(space.level(), space.cliques().levels());
    while (level > 0 && space.cliques().ancestor(space.grid().layout().cell(goal), level) == kNoClique) --level;
    return level;
}

}  // namespace

RraSpace::RraSpace(const Ground& ground, uint32_t level, const CliqueOptions& options)
    : ground_(ground), level_(level), narrow_(ground), graph_(ground) {
    if (level > 0) cliques_ = Cliques::build(ground.grid(), PassableSet::of(ground.costs(), ground.movement()), ground.movement(), options);
    update_bounds();
}

void RraSpace::update_bounds() {
    const GridBounds bounds = ground_.bounds();
    cheapest_ = bounds.cheapest;
    const GridLayout& layout = ground_.layout();
    wide_ = !detail::fits_32_bits(bounds, static_cast<uint64_t>(layout.width), static_cast<uint64_t>(layout.height), bounds.most_expensive);
}

bool RraSpace::update(const EditResult& edit) {
    TERRANE_ASSERT(edit.before.version() == grid().version() && edit.after.layout().id_limit() == ground_.layout().id_limit());
    const uint32_t cheapest = cheapest_;
    const bool wide = wide_;
    ground_ = ground_.on(edit.after);
    narrow_ = GridGraph<uint32_t>(ground_);
    graph_ = GridGraph<uint64_t>(ground_);
    update_bounds();
    if (level_ == 0) return cheapest_ >= cheapest && wide_ == wide;
    cliques_ = cliques_.updated(edit).value();
    return false;
}

size_t RraSpace::bytes() const { return sizeof(*this) + (level_ == 0 ? 0 : cliques_.bytes()); }

struct RraStar::Impl {
    const RraSpace* space;
    CellId goal;
    uint32_t level;
    std::variant<std::monostate, CellSearch<uint32_t>, CellSearch<uint64_t>, NodeSearch> engine = {};

    Impl(const RraSpace& s, CellId g, CellId from, bool exact) : space(&s), goal(g), level(exact ? 0 : level_of(s, g)) {
        if (level > 0) {
            begin_on_nodes(from);
        } else if (s.wide()) {
            begin_on_cells<uint64_t>(s.graph(), from);
        } else {
            begin_on_cells<uint32_t>(s.narrow_graph(), from);
        }
    }

    const GridLayout& layout() const { return space->grid().layout(); }

    template <class V>
    void begin_on_cells(const GridGraph<V>& graph, CellId from) {
        const Cell at = layout().cell(from);
        const OctileHeuristic<GridLayout, V> octile(layout(), at, space->cheapest(), space->ground().rule());
        engine.emplace<CellSearch<V>>(SharedCells<V>{&graph}, octile, goal, kNoMove, layout().id_limit());
    }

    void begin_on_nodes(CellId from) {
        const Cliques& cliques = space->cliques();
        const detail::CorridorNodes graph{&space->ground(), space->ground().rule().per_shorter, &cliques.data().levels[level - 1], nullptr,
                                          nullptr};
        const Cell at = layout().cell(from);
        const OctileHeuristic<detail::CorridorNodes, uint64_t> octile(graph, at, space->cheapest(), space->ground().rule());
        engine.emplace<NodeSearch>(graph, octile, cliques.ancestor(layout().cell(goal), level), kNoClique, cliques.id_limit(level));
    }

    // Measured through the representative of the next node on the abstract path.
    uint64_t distance_by_nodes(NodeSearch& nodes, Cell cell) {
        const Cliques& cliques = space->cliques();
        const CliqueId node = cliques.ancestor(cell, level), last = cliques.ancestor(layout().cell(goal), level);
        if (node == kNoClique || nodes.settle(node) == kUnreachable) return kUnreachable;
        const CliqueId next = node == last ? last : nodes.parent(node);
        if (next == last) return octile_cost(cell, layout().cell(goal));
        return octile_cost(cell, cliques.representative(level, next)) + nodes.g(next);
    }

    // Octile distance between two cells, half of it at the terrain cost of each.
    uint64_t octile_cost(Cell a, Cell b) const {
        const auto dx = static_cast<uint32_t>(std::abs(a.x - b.x)), dy = static_cast<uint32_t>(std::abs(a.y - b.y));
        const uint64_t cost =
            uint64_t{space->ground().costs().cost[space->grid().at(a)]} + space->ground().costs().cost[space->grid().at(b)];
        const uint32_t extra = space->ground().rule().per_shorter;
        return cost * (uint64_t{kStraight} * std::max(dx, dy) + uint64_t{extra} * std::min(dx, dy));
    }

    template <class V>
    uint64_t distance_by_cells(CellSearch<V>& cells, CellId cell) {
        if (cell != goal && !space->ground().passable(cell)) return kUnreachable;
        const V g = cells.settle(cell);
        return g == kInfinite<V> ? kUnreachable : g;
    }

    uint64_t distance(CellId cell) {
        if (auto* narrow = std::get_if<CellSearch<uint32_t>>(&engine)) return distance_by_cells(*narrow, cell);
        if (auto* cells = std::get_if<CellSearch<uint64_t>>(&engine)) return distance_by_cells(*cells, cell);
        return distance_by_nodes(std::get<NodeSearch>(engine), layout().cell(cell));
    }

    bool known(CellId cell) const {
        if (const auto* narrow = std::get_if<CellSearch<uint32_t>>(&engine)) return narrow->known(cell);
        return std::get<CellSearch<uint64_t>>(engine).known(cell);
    }

    template <class Visit>
    auto visit_engine(Visit&& visit) const {
        if (const auto* narrow = std::get_if<CellSearch<uint32_t>>(&engine)) return visit(*narrow);
        if (const auto* cells = std::get_if<CellSearch<uint64_t>>(&engine)) return visit(*cells);
        return visit(std::get<NodeSearch>(engine));
    }
};

RraStar::RraStar(const RraSpace& space, CellId goal, CellId from, bool exact)
    : impl_((TERRANE_ASSERT(on_map_of(space, goal) && on_map_of(space, from)), std::make_unique<Impl>(space, goal, from, exact))) {}
RraStar::~RraStar() = default;
RraStar::RraStar(RraStar&&) noexcept = default;
RraStar& RraStar::operator=(RraStar&&) noexcept = default;

uint64_t RraStar::distance(CellId cell) { return impl_->distance(cell); }

// Labels depend on the expanded cells and their neighbours, and every expanded cell has a label itself.
bool RraStar::depends_on(CellId cell) const {
    TERRANE_ASSERT(impl_->level == 0);
    const GridLayout& layout = impl_->layout();
    const Cell c = layout.cell(cell);
    if (impl_->known(cell)) return true;
    return std::ranges::any_of(kMoves, [&](Cell move) {
        const Cell beside{c.x + move.x, c.y + move.y};
        return layout.contains(beside) && impl_->known(layout.id(beside));
    });
}

CellId RraStar::goal() const { return impl_->goal; }
uint64_t RraStar::expansions() const {
    return impl_->visit_engine([](const auto& search) { return search.expansions(); });
}
size_t RraStar::bytes() const {
    return sizeof(Impl) + impl_->visit_engine([](const auto& search) { return search.bytes() - sizeof(search); });
}

}  // namespace terrane
