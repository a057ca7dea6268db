// Distances from one cell of a sector to all others, over paths inside the sector: Dijkstra's algorithm.
#pragma once
#include <bit>
#include <optional>

#include "terrane/grid/grid_graph.h"
#include "terrane/search/best_first.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::detail {

// The subgraph of the cells in a rectangle. It contains both cells beside any of its diagonal steps, so cells outside do not matter.
struct SectorCells {
    using Node = CellId;
    using Value = uint64_t;
    using Via = Move;
    const GridGraph<uint64_t>* graph;
    GridLayout layout;
    Rect rect;

    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        graph->expand(node, label, [&](CellId to, uint64_t g, Move move) TERRANE_INLINE {
            if (rect.contains(layout.cell(to))) emit(to, g, move);
        });
    }
    CellId origin(CellId to, Move move) const { return graph->origin(to, move); }
};

// A reusable search object; one thread at a time.
class SectorPaths {
public:
    // Call it before the first search. The map of `ground` must outlive all searches that follow.
    void prepare(const Ground& ground) {
        search_.reset();
        layout_ = ground.grid().layout();
        graph_.emplace(ground);
        const auto step = static_cast<uint32_t>(std::bit_width(uint64_t{2} * kStraight * ground.bounds().cheapest));
        shift_ = step < 2 ? 0 : step - 2;
    }

    // Begins a search. Precondition: `from` is in `rect` and passable.
    void begin(const Rect& rect, Cell from) {
        labels_.reset(layout_.id_limit());
        queue_.reset(shift_);
        search_.emplace(SectorCells{&*graph_, layout_, rect}, ZeroHeuristic{}, NoGoal{}, labels_, queue_);
        search_->start(layout_.id(from), 0, kNoMove);
    }
    Status run(uint64_t budget = kUnlimited) { return search_->run(budget); }
    uint64_t expansions() const { return search_ ? search_->expansions() : 0; }

    // Returns the distance to a cell of the rectangle; kInfinite if no path inside the rectangle leads there.
    uint64_t distance_to(Cell c) const { return labels_.g(layout_.id(c)); }

    size_t bytes() const { return labels_.bytes() + queue_.bytes(); }

private:
    using Labels = PagedLabels<CellId, uint64_t, Move>;
    using Queue = BucketQueue<CellId, uint64_t>;
    GridLayout layout_;
    uint32_t shift_ = 0;
    std::optional<GridGraph<uint64_t>> graph_;
    Labels labels_;
    Queue queue_;
    std::optional<BestFirst<SectorCells, ZeroHeuristic, NoGoal, Labels, Queue>> search_;
};

}  // namespace terrane::detail
