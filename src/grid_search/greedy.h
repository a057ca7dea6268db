// Greedy best-first search: always the cell that looks nearest to the goal, whatever it cost to get there. Quick over open ground, and no
// bound on its paths. Based on: Doran, Michie 1966.
#pragma once
#include <algorithm>
#include <optional>

#include "grid_search/cell_search.h"
#include "terrane/grid/octile.h"
#include "terrane/search/best_first.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::detail {

class GreedySearch final : public CellSearch {
public:
    void begin(const CellQuestion& q) override {
        const GridLayout& layout = q.ground.layout();
        const Distance to_goal(layout, layout.cell(q.goal), 1, q.ground.rule());
        labels_.reset(layout.id_limit());
        queue_.reset();
        start_ = q.start;
        // The key is h alone: what it cost to get there counts for nothing.
        search_.emplace(Graph(q.ground), to_goal, OneGoal<CellId>{q.goal}, labels_, queue_, Weight{1, 0});
        search_->start(q.start, 0, kNoMove);
    }
    Status run(uint64_t budget) override { return search_->run(budget); }
    uint64_t expansions() const override { return search_->expansions(); }
    void path(std::vector<CellId>& out) const override {
        out.clear();
        search_->walk_back(
            search_->goal_node(), [&](CellId node) { return node == start_; }, [&](CellId node) { out.push_back(node); });
        std::reverse(out.begin(), out.end());
    }
    size_t bytes() const override { return labels_.bytes() + queue_.bytes(); }

private:
    using Graph = GridGraph<uint64_t>;
    using Distance = OctileHeuristic<GridLayout, uint64_t>;
    using Labels = PagedLabels<CellId, uint64_t, Move>;
    using Queue = HeapQueue<CellId, uint64_t>;

    Labels labels_;
    Queue queue_;
    CellId start_ = kNoCell;
    std::optional<BestFirst<Graph, Distance, OneGoal<CellId>, Labels, Queue, NoObserver, ExpandOnce>> search_;
};

}  // namespace terrane::detail
