// A search in space and time: a way for one agent past the cells that others have reserved, over the next ticks or to its goal.
// Based on: Silver 2005 (cooperative A*, and its windowed form).
//
// In each tick the agent makes a move or waits. A wait costs nothing at the goal. Led by the distances of a
// ReverseSearch, the end of the window is reached where what is behind and what is still ahead are least together.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "crowd/cooperative/reverse_search.h"
#include "terrane/crowd/direction_map.h"
#include "terrane/crowd/reservations.h"
#include "terrane/search/best_first.h"
#include "terrane/search/hashed_labels.h"
#include "terrane/search/heap_queue.h"

namespace terrane::detail {

// Ticks' worth that taking another's place adds to a move: it plans anew, and may have to leave its goal. On ten instances of the public
// benchmark (random-32-32-20, room-64-64-8, empty-32-32; 50 to 300 agents, windows of 16) sums of costs were 1 to 9% lower with 3 than
// with 0, and two more were solved; with 10 one less.
inline constexpr uint64_t kDisturbance = 3;
inline constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max();

struct WindowTask {
    const GridSnapshot* grid;
    const GridGraph<uint64_t>* graph;
    const ReservationTable* reservations;
    const DirectionMap* flow;  // null: none
    ReverseSearch* ahead;      // null: it is there already, wherever that is
    AgentId agent;
    CellId from, goal;
    const uint64_t* ranks;         // by agent: those of a lower rank than the agent's are not in its way; null: all are
    const uint64_t* waits;         // by terrain: what a tick costs there, in the profile's own units
    uint32_t flow_weight;          // percent: of the direction map; 0: none
    Tick now;                      // when it is at `from`
    uint32_t window;               // steps
    uint32_t done_from = kNever;   // of a whole path: the first step at which it may come to the goal for good
    const Tick* parked = nullptr;  // of a whole path: by agent, since when it stays on the cell that it holds for ever
};

// A cell, and steps from now above.
struct SpaceTimeGraph {
    using Node = uint64_t;
    using Value = uint64_t;
    using Via = Move;  // kNoMove: waited
    const WindowTask* task;

    static Node node(CellId cell, uint32_t step) { return uint64_t{step} << 32 | cell; }
    static CellId cell_of(Node node) { return static_cast<CellId>(node); }
    static uint32_t step_of(Node node) { return static_cast<uint32_t>(node >> 32); }

    template <class Label, class Emit>
    void expand(Node from, const Label& label, Emit&& emit) const {
        const CellId cell = cell_of(from);
        const uint32_t step = step_of(from);
        if (step >= task->window) return;
        const uint64_t tick = task->waits[task->grid->at(cell)];
        const bool there = cell == task->goal || task->ahead == nullptr;
        const auto try_move = [&](CellId to, uint64_t cost, Move move) {
            if (!free(cell, to, step)) return;
            emit(node(to, step + 1), label.g + cost + (disturbs(cell, to, step) ? kDisturbance * tick : 0), move);
        };
        try_move(cell, there ? 0 : tick, kNoMove);
        task->graph->expand(cell, PlainLabel<GridGraph<uint64_t>>{0, kNoMove},
                            [&](CellId to, uint64_t cost, Move move) { try_move(to, scaled(cell, move, cost), move); });
    }
    Node origin(Node to, Move via) const {
        const CellId cell = cell_of(to);
        return node(via == kNoMove ? cell : task->graph->origin(cell, via), step_of(to) - 1);
    }

private:
    bool free(CellId from, CellId to, uint32_t step) const {
        const Tick tick = task->now + step;
        const auto counts = [this](AgentId who) {
            return who != task->agent && (task->ranks == nullptr || task->ranks[who] > task->ranks[task->agent]);
        };
        if (task->reservations->meets(from, to, tick, counts) != kNoAgent) return false;
        if (task->parked == nullptr) return true;
        const AgentId there = task->reservations->holder(to, ReservationTable::kAlways);
        return there == kNoAgent || there == task->agent || task->parked[there] > tick + 1;
    }
    // Whether others must plan anew for it.
    bool disturbs(CellId from, CellId to, uint32_t step) const {
        const auto others = [this](AgentId who) { return who != task->agent; };
        return task->ranks != nullptr && task->reservations->meets(from, to, task->now + step, others) != kNoAgent;
    }
    uint64_t scaled(CellId from, Move move, uint64_t cost) const {
        return task->flow == nullptr ? cost : task->flow->scaled(from, move, static_cast<uint32_t>(cost));
    }
};

// Scratch: one for all agents.
class WindowSearch {
public:
    // kFound: cells() has the agent's cells from now on, one a tick. kUnreachable, kBudgetSpent: no way was found.
    Status run(const WindowTask& task, uint64_t max_expansions);

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
