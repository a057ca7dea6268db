// Space-time A*: finds a path for one agent that avoids the reservations of other agents. Used by all cooperative methods: CA* (to the
// goal), WHCA* and CPRA* (over a window of ticks). The RRA* distance to the goal is the heuristic.
// Based on: Silver 2005 (cooperative A*, windowed hierarchical cooperative A*).
//
// In each tick the agent moves or waits. Waiting at the goal is free. A windowed search ends at the node of the window's last tick with
// the least cost so far plus heuristic distance.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "crowd/cooperative/rra_star.h"
#include "terrane/crowd/direction_map.h"
#include "terrane/crowd/reservations.h"
#include "terrane/search/best_first.h"
#include "terrane/search/hashed_labels.h"
#include "terrane/search/heap_queue.h"

namespace terrane::detail {

// Cost, in waits, of a move that evicts an agent of lower rank, which must replan. On ten public MAPF instances (random-32-32-20,
// room-64-64-8, empty-32-32; 50 to 300 agents; window 16), 3 lowers the sum of costs by 1 to 9% against 0 and solves two more; 10 solves
// one less.
inline constexpr uint64_t kEvictionPenalty = 3;
inline constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max();

// One search of one agent. All pointers must stay valid during the search.
struct SpaceTimeQuery {
    const GridSnapshot* grid;
    const GridGraph<uint64_t>* graph;
    const ReservationTable* reservations;
    const DirectionMap* direction_map;  // may be null
    RraStar* heuristic;                 // null if the goal is unreachable: every cell then counts as the goal
    AgentId agent;
    CellId from, goal;
    const uint64_t* ranks;               // by agent: reservations of lower ranks do not block; null: all reservations block
    const uint64_t* wait_costs;          // by terrain: cost of a wait, in the profile's own units
    uint32_t direction_weight;           // percent: weight of the direction map; 0 without one
    Tick now;                            // tick in which the agent is at `from`
    uint32_t window;                     // steps; kNever for whole paths
    uint32_t earliest_arrival = kNever;  // whole paths: the first step from which the agent can stay at the goal
    const Tick* parked_since = nullptr;  // whole paths: by agent, first tick of its parking reservation
};

// Nodes are pairs of a cell (low 32 bits) and a step, counted from `now` (high 32 bits).
struct SpaceTimeGraph {
    using Node = uint64_t;
    using Value = uint64_t;
    using Via = Move;  // kNoMove is a wait
    const SpaceTimeQuery* query;

    static Node node(CellId cell, uint32_t step) { return uint64_t{step} << 32 | cell; }
    static CellId cell_of(Node node) { return static_cast<CellId>(node); }
    static uint32_t step_of(Node node) { return static_cast<uint32_t>(node >> 32); }

    template <class Label, class Emit>
    void expand(Node from, const Label& label, Emit&& emit) const {
        const CellId cell = cell_of(from);
        const uint32_t step = step_of(from);
        if (step >= query->window) return;
        const uint64_t wait_cost = query->wait_costs[query->grid->at(cell)];
        const bool at_goal = cell == query->goal || query->heuristic == nullptr;
        const auto try_move = [&](CellId to, uint64_t cost, Move move) {
            if (!is_free(cell, to, step)) return;
            emit(node(to, step + 1), label.g + cost + (evicts(cell, to, step) ? kEvictionPenalty * wait_cost : 0), move);
        };
        try_move(cell, at_goal ? 0 : wait_cost, kNoMove);
        query->graph->expand(cell, PlainLabel<GridGraph<uint64_t>>{0, kNoMove},
                             [&](CellId to, uint64_t cost, Move move) { try_move(to, scaled(cell, move, cost), move); });
    }
    Node origin(Node to, Move via) const {
        const CellId cell = cell_of(to);
        return node(via == kNoMove ? cell : query->graph->origin(cell, via), step_of(to) - 1);
    }

private:
    bool is_free(CellId from, CellId to, uint32_t step) const {
        const Tick tick = query->now + step;
        const auto blocks = [this](AgentId other) {
            return other != query->agent && (query->ranks == nullptr || query->ranks[other] > query->ranks[query->agent]);
        };
        if (query->reservations->find_conflict(from, to, tick, blocks) != kNoAgent) return false;
        if (query->parked_since == nullptr) return true;
        const AgentId there = query->reservations->holder(to, ReservationTable::kAlways);
        return there == kNoAgent || there == query->agent || query->parked_since[there] > tick + 1;
    }
    // Whether the move takes a reservation from another agent.
    bool evicts(CellId from, CellId to, uint32_t step) const {
        const auto others = [this](AgentId other) { return other != query->agent; };
        return query->ranks != nullptr && query->reservations->find_conflict(from, to, query->now + step, others) != kNoAgent;
    }
    uint64_t scaled(CellId from, Move move, uint64_t cost) const {
        return query->direction_map == nullptr ? cost : query->direction_map->scaled(from, move, static_cast<uint32_t>(cost));
    }
};

// Holds scratch memory; one instance serves all agents, one search at a time.
class SpaceTimeAStar {
public:
    // kFound: cells() holds the path, one cell per tick from `now` on. kUnreachable: there is no path. kBudgetSpent: none within
    // `max_expansions`.
    Status run(const SpaceTimeQuery& query, uint64_t max_expansions);

    const std::vector<CellId>& cells() const { return cells_; }
    uint64_t expansions() const { return expansions_; }  // of the last run
    size_t bytes() const { return labels_.bytes() + queue_.bytes() + cells_.capacity() * sizeof(CellId); }

private:
    HashedLabels<uint64_t, uint64_t, Move> labels_;
    HeapQueue<uint64_t, uint64_t> queue_;
    std::vector<CellId> cells_;
    uint64_t expansions_ = 0;
};

}  // namespace terrane::detail
