// Partial-Refinement A* over a clique abstraction: a path on a middle level, refined level by level inside the corridor that the path
// above defines; whole, or only its first nodes at a time.
// Based on: Sturtevant, Buro 2005, "Partial Pathfinding Using Map Abstraction and Refinement" (AAAI).
//
// The middle level is half of the lowest one on which start and goal are one node. On each level below, A* searches nodes merged into
// those of the path above or into neighbours of those.
//
// PRA*(k) refines only the next k nodes of each level's path. The path below makes for the representative of the last of them and is cut
// where it first enters that node; what is left of the paths above is kept, so that the next piece goes on from there instead of planning
// again. That it arrives is seen from the top: the path there is finite and ends at the goal; each piece of it takes one finite path
// below, and ends in the node that it was to reach.
//
// Costs are honoured cell by cell in the last search. Above, an edge costs the octile distance between the two representatives, half of it
// at the terrain cost of each: a guess from one cell of each node, which takes no memory and no work when profiles change. On a weighted
// map of 2048x2048 cells (Map1, costs from 1 to 4, 8 problems) PRA*(inf) is 2.2% above optimal with it, and 38% where levels know nothing
// of terrain.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <variant>
#include <vector>

#include "terrane/base/cost.h"
#include "terrane/grid/grid_graph.h"
#include "terrane/grid/octile.h"
#include "terrane/pra/cliques.h"
#include "terrane/search/best_first.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

inline constexpr uint32_t kWholePath = 0xffffffff;  // PRA*(inf)

namespace detail {

// The nodes of a level that were merged into marked ones of the level above.
using CorridorMarks = PagedLabels<CliqueId, uint8_t, uint8_t>;  // 0 where marked

// All cells where there are no marks: for a query that begins on level 0.
struct CorridorCells {
    using Node = CellId;
    using Value = uint64_t;
    using Via = Move;
    const GridGraph<uint64_t>* graph;
    const CliqueRoot* root;
    const CorridorMarks* marks;

    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        graph->expand(node, label, [&](CellId to, uint64_t g, Move move) TERRANE_INLINE {
            if (marks == nullptr || marks->g(root->parent(0, to)) == 0) emit(to, g, move);
        });
    }
    CellId origin(CellId to, Move move) const { return graph->origin(to, move); }
};

// All nodes of the level where there are no marks: for a query that begins there.
struct CorridorNodes {
    using Node = CliqueId;
    using Value = uint64_t;
    using Via = CliqueId;  // the node that it was reached from
    const Ground* ground;
    uint32_t extra;  // for each step along the shorter side
    const CliqueLevel* here;
    const CliqueLevel* above;
    const CorridorMarks* marks;

    // Edges are sorted by tile: what neighbours in one tile share is looked up once.
    template <class Label, class Emit>
    void expand(CliqueId node, const Label& label, Emit&& emit) const {
        const uint32_t tile = here->tile_of(node), number = here->number_of(node);
        const CliqueRecord& record = here->record(tile);
        const CliqueNode& from = record.nodes[number];
        const uint64_t cost = cost_of(from);
        uint32_t side = 9, there = 0;
        const CliqueNode* nodes = nullptr;
        CliqueLevel::Quarter up{};
        for (const RegionEdge e : record.edges_of(number)) {
            if (e.side() != side) {
                side = e.side();
                there = here->neighbour(tile, side);
                nodes = here->record(there).nodes.data();
                if (marks != nullptr) up = above->quarter(*here, there);
            }
            const CliqueId id = here->id(there, e.number());
            if (id == label.via) continue;
            if (marks != nullptr && marks->g(above->id(up.tile, up.numbers[e.number()])) != 0) continue;
            const CliqueNode& to = nodes[e.number()];
            emit(id, label.g + distance(from, to) * (cost + cost_of(to)), node);
        }
    }
    CliqueId origin(CliqueId, CliqueId via) const { return via; }

    // For OctileHeuristic.
    int32_t x(CliqueId id) const { return here->node(id).x; }
    int32_t y(CliqueId id) const { return here->node(id).y; }

private:
    uint32_t cost_of(const CliqueNode& n) const { return ground->costs().cost[ground->grid().at(ground->layout().id({n.x, n.y}))]; }
    uint64_t distance(const CliqueNode& a, const CliqueNode& b) const {
        const auto dx = static_cast<uint32_t>(std::abs(a.x - b.x)), dy = static_cast<uint32_t>(std::abs(a.y - b.y));
        return uint64_t{kStraight} * std::max(dx, dy) + uint64_t{extra} * std::min(dx, dy);
    }
};

}  // namespace detail

// Scratch and state of one query at a time: one per thread, reused; it stays where it is. After warm-up nothing is allocated.
class PraQuery {
public:
    PraQuery() = default;
    PraQuery(const PraQuery&) = delete;
    PraQuery& operator=(const PraQuery&) = delete;

    // `k` is at least 1. Start and goal are on the map and passable; `cliques` must be valid for map, costs and movement, and outlive the
    // query. Where no path joins the two, that is known now: run() says kUnreachable at once.
    void begin(const Cliques& cliques, const Ground& ground, Cell start, Cell goal, uint32_t k = kWholePath);

    // As Planner::run.
    Status run(uint64_t budget);

    uint64_t expansions() const { return expansions_ + running(); }
    uint64_t expansions_first() const { return expansions_first_; }
    size_t cells_first() const { return cells_first_; }  // that were ready then
    const std::vector<Cell>& cells() const { return cells_; }
    size_t ready() const { return ready_; }  // of them
    size_t bytes() const;

private:
    using CellLabels = PagedLabels<CellId, uint64_t, Move>;
    using NodeLabels = PagedLabels<CliqueId, uint64_t, CliqueId>;
    using CellSearch =
        BestFirst<detail::CorridorCells, OctileHeuristic<GridLayout, uint64_t>, OneGoal<CellId>, CellLabels, BucketQueue<CellId, uint64_t>>;
    using NodeSearch = BestFirst<detail::CorridorNodes, OctileHeuristic<detail::CorridorNodes, uint64_t>, OneGoal<CliqueId>, NodeLabels,
                                 BucketQueue<CliqueId, uint64_t>>;

    // The path found on a level, and how far the levels below have come along it.
    struct LevelPath {
        Vector<CliqueId> nodes;
        size_t at = 0;
    };

    uint64_t running() const;
    Status search(uint64_t budget);
    void aim(uint32_t level);
    CliqueId take_piece(uint32_t level);
    void mark(uint32_t level, const LevelPath& path, size_t end);
    void start_search(CliqueId goal, bool everywhere);
    void finish_level();
    void finish_cells();
    bool enters_tail(CliqueId id) const { return tail_ != kNoClique && cliques_->parent(level_, id) == tail_; }

    const Cliques* cliques_ = nullptr;
    Ground ground_;
    std::optional<GridGraph<uint64_t>> graph_;
    uint32_t cheapest_ = 0;
    uint32_t k_ = kWholePath;
    Cell goal_;
    Status status_ = Status::kUnreachable;

    uint32_t top_ = 0;                            // the level that the query begins on
    uint32_t level_ = 0;                          // being searched
    Vector<LevelPath> paths_;                     // by level, from 1 to top_
    Vector<CliqueId> goals_;                      // the goal's nodes, by level, up to top_
    CliqueId from_ = kNoClique, to_ = kNoClique;  // of this search
    CliqueId tail_ = kNoClique;                   // the node above that its path is cut at; kNoClique: it is not
    std::variant<std::monostate, CellSearch, NodeSearch> engine_;

    CellLabels cell_labels_;
    NodeLabels node_labels_;
    BucketQueue<CliqueId, uint64_t> queue_;
    detail::CorridorMarks marks_;
    Vector<CliqueId> walked_;  // back from the end of a path

    std::vector<Cell> cells_;
    size_t ready_ = 0;
    uint64_t expansions_ = 0;  // of the searches before this one
    uint64_t expansions_first_ = 0;
    size_t cells_first_ = 0;
};

}  // namespace terrane
