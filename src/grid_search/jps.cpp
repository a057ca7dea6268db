// Jump point search: A* over jump points (jump_graph.h), optimal, on maps whose passable cells all cost the same.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "grid_search/jump_graph.h"
#include "grid_search/search_limits.h"
#include "method/parsing.h"
#include "terrane/grid/octile.h"
#include "terrane/search/best_first.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::detail {

namespace {

// Nodes are sparse: small pages, of two rows of a tile.
constexpr uint32_t kPageNodes = 64;
using Labels = PagedLabels<CellId, JumpGraph::Value, CellId, kPageNodes>;
using Queue = BucketQueue<CellId, JumpGraph::Value>;
using Search = BestFirst<JumpGraph, OctileHeuristic<GridLayout, JumpGraph::Value>, OneGoal<CellId>, Labels, Queue>;

// Bits for the last few sets of passable terrains: several agent types may share a planner.
class BitsCache {
public:
    const PassableBits& get(const Ground& ground) {
        size_t found = 0;
        while (found + 1 < kSets && !entries_[found].is_near(ground)) ++found;
        std::rotate(entries_.begin(), entries_.begin() + static_cast<ptrdiff_t>(found),
                    entries_.begin() + static_cast<ptrdiff_t>(found) + 1);
        entries_[0].update(ground);
        return entries_[0];
    }
    size_t bytes() const {
        size_t sum = 0;
        for (const PassableBits& bits : entries_) sum += bits.bytes();
        return sum;
    }

private:
    static constexpr size_t kSets = 4;
    std::array<PassableBits, kSets> entries_;  // the most recently used first
};

class JpsQuery final : public MethodQuery {
public:
    Status begin(const QueryInput& input) override {
        ground_ = &input.ground;
        const GridLayout& layout = ground_->layout();
        start_ = layout.id(input.start);
        goal_ = layout.id(input.goal);
        search_.reset();
        labels_.reset(layout.id_limit());
        queue_.reset(bucket_shift(JumpGraph::kStraightStep));
        search_.emplace(JumpGraph(layout, bits_.get(*ground_), input.goal),
                        OctileHeuristic<GridLayout, JumpGraph::Value>(layout, input.goal, 1, ground_->rule()), OneGoal<CellId>{goal_},
                        labels_, queue_);
        search_->start(start_, 0, kNoCell);
        return Status::kBudgetSpent;
    }
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
    size_t bytes() const override { return labels_.bytes() + queue_.bytes() + bits_.bytes(); }

private:
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
    BitsCache bits_;
    Labels labels_;
    Queue queue_;
    std::optional<Search> search_;
    mutable size_t cells_first_ = 0;  // set when the path is written, which happens in one piece
};

class JpsMethod final : public GridMethod {
public:
    using GridMethod::GridMethod;
    double guarantee() const override { return 1; }
};

Result<SharedGridMethod> parse(const MethodText& text, const MethodFactory& factory) {
    if (text.head.argument || !text.levels.empty()) return text.expected(factory.info);
    const auto known = text.check_options({});
    if (!known) return known.error();
    return make_method<JpsMethod>(factory, text.text);
}

}  // namespace

extern const MethodFactory kJpsMethod;  // listed in method_registry.cpp
constinit const MethodFactory kJpsMethod{
    {"jps", "jps", "jump point search, for profiles whose passable terrains all cost the same: optimal", "", "jps"},
    {.guarantee = MethodGuarantee::kOptimal, .one_cost = true, .only_eight = true},
    parse,
    make_query<JpsQuery>};

}  // namespace terrane::detail
