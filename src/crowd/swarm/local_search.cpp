#include "crowd/swarm/local_search.h"

#include <algorithm>
#include <limits>

namespace terrane::detail {

namespace {

constexpr uint32_t kFar = std::numeric_limits<uint32_t>::max();

// The route is looked at for so many squares' widths: where it leaves the square and comes back, it is better met there.
constexpr size_t kWidths = 2;

}  // namespace

bool LocalSearch::join(const Crowd& crowd, AgentId agent, Route& route, int32_t radius, uint32_t in_the_way) {
    const GridLayout& layout = crowd.layout();
    const Cell at = layout.cell(crowd.agents()[agent].at);
    square_ = LocalSquare(layout, at, radius);
    in_the_way_ = in_the_way;
    flood(crowd, agent);
    const Joint joint = best_joint(crowd, crowd.ground_of(agent), route);
    if (!joint.found) return false;
    way_.clear();
    for (Cell c = joint.cell; c != at;) {
        way_.push_back(c);
        const Cell step = kMoves[labels_[square_.number(c)].via];
        c = {c.x - step.x, c.y - step.y};
    }
    way_.push_back(at);
    std::reverse(way_.begin(), way_.end());
    route.lead_in(layout, way_, joint.moves);
    return true;
}

void LocalSearch::flood(const Crowd& crowd, AgentId agent) {
    labels_.assign(square_.cells(), {kFar, kNoMove});
    queue_.reset();
    const uint32_t start = square_.number(crowd.layout().cell(crowd.agents()[agent].at));
    labels_[start].g = 0;
    queue_.push(0, start, 0);
    while (!queue_.empty()) {
        const auto [number, g] = queue_.pop();
        if (labels_[number].g != g) continue;
        ++expansions_;
        expand(crowd, crowd.ground_of(agent), square_.cell(number));
    }
}

uint32_t LocalSearch::price(const Crowd& crowd, const Ground& ground, Cell from, Cell to) const {
    const GridSnapshot& grid = crowd.grid();
    const CellId id = grid.layout().id(to);
    const uint32_t own = ground.costs().cost[grid.at(id)], sum = ground.costs().cost[grid.at(from)] + own;
    const uint32_t others = crowd.agent_at(id) == kNoAgent ? 0 : in_the_way_ * 2 * kStepStraight * own;
    return (from.x != to.x && from.y != to.y ? kStepDiagonal : kStepStraight) * sum + others;
}

void LocalSearch::expand(const Crowd& crowd, const Ground& ground, Cell c) {
    const uint32_t g = labels_[square_.number(c)].g;
    const uint32_t moves = ground.legal_moves(crowd.layout().id(c));
    for (Move m = 0; m < 8; ++m) {
        const Cell n{c.x + kMoves[m].x, c.y + kMoves[m].y};
        if ((moves >> m & 1) == 0 || !square_.rect.contains(n)) continue;
        const uint32_t reached = g + price(crowd, ground, c, n);
        Label& label = labels_[square_.number(n)];
        if (reached >= label.g) continue;
        label = {reached, m};
        queue_.push(reached, square_.number(n), reached);
    }
}

// Where the way there and the rest of the route together are cheapest. What lies beyond the last of the cells looked at is the same for
// all.
LocalSearch::Joint LocalSearch::best_joint(const Crowd& crowd, const Ground& ground, const Route& route) const {
    Joint best;
    int64_t along = 0, least = std::numeric_limits<int64_t>::max();
    Cell last = crowd.layout().cell(route.anchor());
    route.walk(crowd.layout(), [&](Cell c, size_t moves) {
        if (moves > 0) along += price(crowd, ground, last, c);
        last = c;
        if (square_.rect.contains(c) && labels_[square_.number(c)].g != kFar) {
            const int64_t total = int64_t{labels_[square_.number(c)].g} - along;
            if (total <= least) best = {c, moves, true};
            least = std::min(least, total);
        }
        return moves < kWidths * square_.width();
    });
    return best;
}

}  // namespace terrane::detail
