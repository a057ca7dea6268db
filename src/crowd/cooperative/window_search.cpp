#include "crowd/cooperative/window_search.h"

#include <algorithm>

namespace terrane::detail {

namespace {

// In place of infinity: comes after all else, and can be added to.
constexpr uint64_t kHopeless = uint64_t{1} << 60;

// With a direction map, as if no arrows were ahead.
struct DistanceAhead {
    const WindowTask* task;
    uint64_t operator()(uint64_t node) const {
        if (task->ahead == nullptr || SpaceTimeGraph::step_of(node) == 0) return 0;  // a start may be blocked
        const uint64_t distance = task->ahead->distance(SpaceTimeGraph::cell_of(node));
        return distance == ReverseSearch::kFar ? kHopeless : distance + distance / 100 * task->flow_weight;
    }
};

struct WindowEnd {
    const WindowTask* task;
    bool operator()(uint64_t node) const {
        const uint32_t step = SpaceTimeGraph::step_of(node);
        return step == task->window || (step >= task->done_from && SpaceTimeGraph::cell_of(node) == task->goal);
    }
};

}  // namespace

Status WindowSearch::run(const WindowTask& task, uint64_t max_expansions) {
    labels_.reset();
    queue_.reset();
    BestFirst search(SpaceTimeGraph{&task}, DistanceAhead{&task}, WindowEnd{&task}, labels_, queue_);
    const uint64_t start = SpaceTimeGraph::node(task.from, 0);
    search.start(start, 0, kNoMove);
    Status status = search.run(max_expansions);
    expansions_ = search.expansions();
    if (status == Status::kFound && DistanceAhead{&task}(search.goal_node()) == kHopeless) status = Status::kUnreachable;
    if (status != Status::kFound) return status;
    cells_.clear();
    search.walk_back(
        search.goal_node(), [=](uint64_t node) { return node == start; },
        [&](uint64_t node) { cells_.push_back(SpaceTimeGraph::cell_of(node)); });
    std::ranges::reverse(cells_);
    return status;
}

}  // namespace terrane::detail
