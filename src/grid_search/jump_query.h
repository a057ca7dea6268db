// A query of a search over jump points: A* with the octile heuristic, and the cells of the path. The parts that jps and jpsw share.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "grid_search/search_limits.h"
#include "method/parsing.h"
#include "terrane/grid/octile.h"
#include "terrane/method/method_interface.h"
#include "terrane/search/best_first.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::detail {

// G is a graph of cells whose `via` is the parent, kNoCell for the start. From the parent, a path to the node is diagonal steps, then
// straight ones. `kPageNodes`: see PagedLabels.
template <class G, uint32_t kPageNodes>
class JumpQuery : public MethodQuery {
public:
    Status run(uint64_t budget) override { return search_->run(budget); }
    uint64_t expansions() const override { return search_ ? search_->expansions() : 0; }
    void answer(Path& out) const override {
        out.cells.clear();
        for (CellId node = goal_; node != start_; node = labels_.via(node)) append_leg(node, labels_.via(node), out.cells);
        out.cells.push_back(ground_->layout().cell(start_));
        std::reverse(out.cells.begin(), out.cells.end());
        out.cost = path_cost(*ground_, out.cells);
        out.bound = 1;
        out.expansions_first = expansions();
        cells_first_ = out.cells.size();
    }
    size_t cells_first() const override { return cells_first_; }

protected:
    using Value = typename G::Value;

    // Terrain that costs `cheapest` is the cheapest on the map, in the units of the graph.
    void start(const QueryInput& input, const G& graph, uint32_t cheapest) {
        ground_ = &input.ground;
        const GridLayout& layout = ground_->layout();
        start_ = layout.id(input.start);
        goal_ = layout.id(input.goal);
        search_.reset();
        labels_.reset(layout.id_limit());
        queue_.reset(bucket_shift(uint64_t{2} * kStraight * cheapest));
        search_.emplace(graph, OctileHeuristic<GridLayout, Value>(layout, input.goal, cheapest, ground_->rule()), OneGoal<CellId>{goal_},
                        labels_, queue_);
        search_->start(start_, 0, kNoCell);
    }
    size_t scratch_bytes() const { return labels_.bytes() + queue_.bytes(); }

private:
    using Labels = PagedLabels<CellId, Value, CellId, kPageNodes>;
    using Queue = BucketQueue<CellId, Value>;
    using Search = BestFirst<G, OctileHeuristic<GridLayout, Value>, OneGoal<CellId>, Labels, Queue>;

    // Appends the cells from a node back to its parent, without the parent: the straight steps, then the diagonal ones.
    void append_leg(CellId node, CellId parent, std::vector<Cell>& out) const {
        Cell at = ground_->layout().cell(node);
        const Cell end = ground_->layout().cell(parent);
        const int32_t dx = end.x - at.x, dy = end.y - at.y, diagonal = std::min(std::abs(dx), std::abs(dy));
        const Cell step{(dx > 0) - (dx < 0), (dy > 0) - (dy < 0)};
        const Cell straight = std::abs(dx) > std::abs(dy) ? Cell{step.x, 0} : Cell{0, step.y};
        for (int32_t left = std::max(std::abs(dx), std::abs(dy)); left > 0; --left) {
            out.push_back(at);
            const Cell by = left > diagonal ? straight : step;
            at = {at.x + by.x, at.y + by.y};
        }
    }

    const Ground* ground_ = nullptr;
    CellId start_ = kNoCell, goal_ = kNoCell;
    Labels labels_;
    Queue queue_;
    std::optional<Search> search_;
    mutable size_t cells_first_ = 0;  // set when the path is written, which happens in one piece
};

class JumpMethod final : public GridMethod {
public:
    using GridMethod::GridMethod;
    double guarantee() const override { return 1; }
};

inline Result<SharedGridMethod> parse_jump(const MethodText& text, const MethodFactory& factory) {
    if (text.head.argument || !text.levels.empty()) return text.expected(factory.info);
    const auto known = text.check_options({});
    if (!known) return known.error();
    return make_method<JumpMethod>(factory, text.text);
}

}  // namespace terrane::detail
