#include "crowd/swarm/local_search.h"

#include <algorithm>
#include <limits>

namespace terrane::detail {

namespace {

constexpr uint32_t kUnreached = std::numeric_limits<uint32_t>::max();

// Length of route to consider, in widths of the square. More than one, because a route that leaves the square and returns is better
// rejoined where it returns.
constexpr size_t kRouteWidths = 2;

}  // namespace

bool LocalSearch::rejoin(const Crowd& crowd, AgentId agent, Route& route, int32_t radius, uint32_t occupied_penalty) {
    const GridLayout& layout = crowd.layout();
    const Cell at = layout.cell(crowd.agents()[agent].at);
    square_ = LocalSquare(layout, at, radius);
    occupied_penalty_ = occupied_penalty;
    run_dijkstra(crowd, agent);
    const JoinPoint join_point = best_join_point(crowd, crowd.ground_of(agent), route);
    if (!join_point.found) return false;
    path_.clear();
    for (Cell c = join_point.cell; c != at;) {
        path_.push_back(c);
        const Cell step = kMoves[labels_[square_.index(c)].via];
        c = {c.x - step.x, c.y - step.y};
    }
    path_.push_back(at);
    std::reverse(path_.begin(), path_.end());
    route.replace_prefix(layout, path_, join_point.moves);
    return true;
}

void LocalSearch::run_dijkstra(const Crowd& crowd, AgentId agent) {
    labels_.assign(square_.cells(), {kUnreached, kNoMove});
    queue_.reset();
    const uint32_t start = square_.index(crowd.layout().cell(crowd.agents()[agent].at));
    labels_[start].g = 0;
    queue_.push(0, start, 0);
    while (!queue_.empty()) {
        const auto [index, g] = queue_.pop();
        if (labels_[index].g != g) continue;
        ++expansions_;
        expand(crowd, crowd.ground_of(agent), square_.cell(index));
    }
}

uint32_t LocalSearch::step_cost(const Crowd& crowd, const Ground& ground, Cell from, Cell to) const {
    const GridSnapshot& grid = crowd.grid();
    const CellId id = grid.layout().id(to);
    const uint32_t own = ground.costs().cost[grid.at(id)], sum = ground.costs().cost[grid.at(from)] + own;
    const uint32_t others = crowd.agent_at(id) == kNoAgent ? 0 : occupied_penalty_ * 2 * kStepStraight * own;
    return (from.x != to.x && from.y != to.y ? kStepDiagonal : kStepStraight) * sum + others;
}

void LocalSearch::expand(const Crowd& crowd, const Ground& ground, Cell c) {
    const uint32_t g = labels_[square_.index(c)].g;
    const uint32_t moves = ground.legal_moves(crowd.layout().id(c));
    for (Move m = 0; m < 8; ++m) {
        const Cell n{c.x + kMoves[m].x, c.y + kMoves[m].y};
        if ((moves >> m & 1) == 0 || !square_.rect.contains(n)) continue;
        const uint32_t new_g = g + step_cost(crowd, ground, c, n);
        Label& label = labels_[square_.index(n)];
        if (new_g >= label.g) continue;
        label = {new_g, m};
        queue_.push(new_g, square_.index(n), new_g);
    }
}

// Minimises the cost to the join point plus the cost of the route from there on. The route beyond the last considered cell is common to
// all candidates, so g minus the route cost up to the candidate is compared.
LocalSearch::JoinPoint LocalSearch::best_join_point(const Crowd& crowd, const Ground& ground, const Route& route) const {
    JoinPoint best;
    int64_t route_cost = 0, min_total = std::numeric_limits<int64_t>::max();
    Cell last = crowd.layout().cell(route.anchor());
    route.walk(crowd.layout(), [&](Cell c, size_t moves) {
        if (moves > 0) route_cost += step_cost(crowd, ground, last, c);
        last = c;
        if (square_.rect.contains(c) && labels_[square_.index(c)].g != kUnreached) {
            const int64_t total = int64_t{labels_[square_.index(c)].g} - route_cost;
            if (total <= min_total) best = {c, moves, true};
            min_total = std::min(min_total, total);
        }
        return moves < kRouteWidths * square_.width();
    });
    return best;
}

}  // namespace terrane::detail
