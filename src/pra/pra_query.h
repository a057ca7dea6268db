// PRA*, Partial-Refinement A*, over a clique abstraction: finds a path on a middle level and refines it level by level, inside the corridor
// of the path above; the whole path, or only its next k nodes at a time. Based on: Sturtevant, Buro 2005, "Partial Pathfinding Using Map
// Abstraction and Refinement" (AAAI).
//
// The middle level is half of the lowest level on which start and goal are one node. On each level below, A* searches the nodes whose
// parents are on the path above or adjacent to it.
//
// PRA*(k) refines only the next k nodes of each level's path. The search below leads to the representative of the last of these nodes, and
// its path is cut where it first enters that node. The rest of the paths above is kept, so that the next segment continues there without
// planning again. The query terminates: the path on the top level is finite and ends at the goal; each of its segments takes one finite
// path below, which ends in the node that it had to reach.
//
// The last search uses the exact costs of cells. On higher levels, an edge costs the octile distance between the two representatives, half
// of it at the terrain cost of each. This estimate needs no memory and no update when profiles change. On a weighted map of 2048x2048 cells
// (Map1, costs from 1 to 4, 8 problems) the cost of PRA*(inf) is 2.2% above the optimum with it, and 38% without terrain costs on higher
// levels.
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

// Marks nodes of the level above; their children form the corridor.
using CorridorMarks = PagedLabels<CliqueId, uint8_t, uint8_t>;  // 0 if marked

// The cells of the corridor; all cells if there are no marks (a query whose top level is 0).
struct CorridorCells {
    using Node = CellId;
    using Value = uint64_t;
    using Via = Move;
    const GridGraph<uint64_t>* graph;
    const CliqueData* data;
    const CorridorMarks* marks;

    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        graph->expand(node, label, [&](CellId to, uint64_t g, Move move) TERRANE_INLINE {
            if (marks == nullptr || marks->g(data->parent(0, to)) == 0) emit(to, g, move);
        });
    }
    CellId origin(CellId to, Move move) const { return graph->origin(to, move); }
};

// The nodes of the corridor; all nodes of the level if there are no marks (the top level of a query).
struct CorridorNodes {
    using Node = CliqueId;
    using Value = uint64_t;
    using Via = CliqueId;  // parent node
    const Ground* ground;
    uint32_t extra;  // cost per step along the shorter side
    const CliqueLevel* here;
    const CliqueLevel* above;
    const CorridorMarks* marks;

    // Edges are sorted by tile, so data of a neighbouring tile is looked up once.
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

// A reusable query object; one thread at a time. Neither copyable nor movable. After warm-up it allocates nothing.
class PraQuery {
public:
    PraQuery() = default;
    PraQuery(const PraQuery&) = delete;
    PraQuery& operator=(const PraQuery&) = delete;

    // Begins a query. Precondition: k >= 1, start and goal are on the map and passable, and `cliques` is valid for `ground`. If start and
    // goal are not connected, run() returns kUnreachable without a search. `cliques` must outlive the query.
    void begin(const Cliques& cliques, const Ground& ground, Cell start, Cell goal, uint32_t k = kWholePath);

    // Like Planner::run().
    Status run(uint64_t budget);

    uint64_t expansions() const { return expansions_ + running(); }
    uint64_t expansions_first() const { return expansions_first_; }  // until the first cells were ready
    size_t cells_first() const { return cells_first_; }              // number of cells that were ready then
    const std::vector<Cell>& cells() const { return cells_; }
    size_t ready() const { return ready_; }  // number of cells that are final
    size_t bytes() const;

private:
    using CellLabels = PagedLabels<CellId, uint64_t, Move>;
    using NodeLabels = PagedLabels<CliqueId, uint64_t, CliqueId>;
    using CellSearch =
        BestFirst<detail::CorridorCells, OctileHeuristic<GridLayout, uint64_t>, OneGoal<CellId>, CellLabels, BucketQueue<CellId, uint64_t>>;
    using NodeSearch = BestFirst<detail::CorridorNodes, OctileHeuristic<detail::CorridorNodes, uint64_t>, OneGoal<CliqueId>, NodeLabels,
                                 BucketQueue<CliqueId, uint64_t>>;

    // The path of a level, and the index of the node up to which the levels below have refined it.
    struct LevelPath {
        Vector<CliqueId> nodes;
        size_t refined = 0;
    };

    uint64_t running() const;
    Status search(uint64_t budget);
    void begin_level(uint32_t level);
    CliqueId take_segment(uint32_t level);
    void mark(uint32_t level, const LevelPath& path, size_t end);
    void start_search(CliqueId goal, bool everywhere);
    void finish_level();
    void finish_cells();
    bool enters_tail(CliqueId id) const { return tail_ != kNoClique && cliques_->parent(level_, id) == tail_; }

    const Cliques* cliques_ = nullptr;
    Ground ground_;
    std::optional<GridGraph<uint64_t>> graph_;
    uint32_t min_cost_ = 0;
    uint32_t k_ = kWholePath;
    Cell goal_;
    Status status_ = Status::kUnreachable;

    uint32_t top_ = 0;                            // the level of the first search
    uint32_t level_ = 0;                          // the level of the current search
    Vector<LevelPath> paths_;                     // by level, from 1 to top_
    Vector<CliqueId> goals_;                      // ancestors of the goal, by level, up to top_
    CliqueId from_ = kNoClique, to_ = kNoClique;  // of the current search
    CliqueId tail_ = kNoClique;                   // the node of the level above at which its path is cut; kNoClique: not cut
    std::variant<std::monostate, CellSearch, NodeSearch> engine_;

    CellLabels cell_labels_;
    NodeLabels node_labels_;
    BucketQueue<CliqueId, uint64_t> queue_;
    detail::CorridorMarks marks_;
    Vector<CliqueId> reversed_path_;  // scratch: from the end of a path backwards

    std::vector<Cell> cells_;
    size_t ready_ = 0;
    uint64_t expansions_ = 0;  // of the finished searches
    uint64_t expansions_first_ = 0;
    size_t cells_first_ = 0;
};

}  // namespace terrane
