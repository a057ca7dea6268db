#include "crowd/cooperative/space_time_astar.h"

#include <algorithm>

namespace terrane::detail {

namespace {

// Stands for infinity: larger than any f-value, and safe to add to.
constexpr uint64_t kUnreachableH = uint64_t{1} << 60;

// The RRA* distance. With a direction map, it assumes that no arrows lie ahead, so that each move costs 1 + weight. That is not admissible,
// because moves along arrows cost less: the plan need not be the cheapest.
struct RraHeuristic {
    const SpaceTimeQuery* query;
    uint64_t operator()(uint64_t node) const {
        if (query->heuristic == nullptr || SpaceTimeGraph::step_of(node) == 0) return 0;  // the start may be blocked
        const uint64_t distance = query->heuristic->distance(SpaceTimeGraph::cell_of(node));
        return distance == RraStar::kUnreachable ? kUnreachableH : distance + distance / 100 * query->direction_weight;
    }
};

struct WindowOrGoal {
    const SpaceTimeQuery* query;
    bool operator()(uint64_t node) const {
        const uint32_t step = SpaceTimeGraph::step_of(node);
        return step == query->window || (step >= query->earliest_arrival && SpaceTimeGraph::cell_of(node) == query->goal);
    }
};

}  // namespace

Status SpaceTimeAStar::run(const SpaceTimeQuery& query, uint64_t max_expansions) {
    labels_.reset();
    queue_.reset();
    BestFirst search(SpaceTimeGraph{&query}, RraHeuristic{&query}, WindowOrGoal{&query}, labels_, queue_);
    const uint64_t start = SpaceTimeGraph::node(query.from, 0);
    search.start(start, 0, kNoMove);
    Status status = search.run(max_expansions);
    expansions_ = search.expansions();
    if (status == Status::kFound && RraHeuristic{&query}(search.goal_node()) == kUnreachableH) status = Status::kUnreachable;
    if (status != Status::kFound) return status;
    cells_.clear();
    search.walk_back(
        search.goal_node(), [=](uint64_t node) { return node == start; },
        [&](uint64_t node) { cells_.push_back(SpaceTimeGraph::cell_of(node)); });
    std::ranges::reverse(cells_);
    return status;
}

}  // namespace terrane::detail
