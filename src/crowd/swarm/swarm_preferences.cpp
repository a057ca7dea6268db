#include "crowd/swarm/swarm_preferences.h"

#include <algorithm>
#include <limits>

#include "crowd/swarm/local_search.h"

namespace terrane::detail {

namespace {

uint32_t octile_steps(Cell a, Cell b) {
    const auto dx = static_cast<uint32_t>(std::abs(a.x - b.x)), dy = static_cast<uint32_t>(std::abs(a.y - b.y));
    return kStepStraight * std::max(dx, dy) + (kStepDiagonal - kStepStraight) * std::min(dx, dy);
}

}  // namespace

// The next cells of the route, and the cost from each of them to the last.
struct SwarmPreferences::View {
    const CostTable& costs;
    const GridSnapshot& grid;
    RouteAhead ahead;
    std::array<uint32_t, kLookahead + 1> cost{}, rest{};

    View(const Crowd& crowd, const CostTable& table, const Route& route) : costs(table), grid(crowd.grid()) {
        if (!route.known()) return;
        ahead = route.ahead(crowd.layout());
        for (size_t i = ahead.count; i-- > 0;) {
            cost[i] = cost_at(ahead.cells[i]);
            if (i + 1 < ahead.count) rest[i] = rest[i + 1] + octile_steps(ahead.cells[i], ahead.cells[i + 1]) * (cost[i] + cost[i + 1]);
        }
    }
    uint32_t cost_at(Cell c) const { return costs.cost[grid.at(grid.layout().id(c))]; }
};

CellId SwarmPreferences::first_choice(AgentId agent) const {
    const Route& route = routes_[agent];
    const CellId at = crowd_->agents()[agent].at;
    if (at != route.anchor() || route.moves_left() == 0) return kNoCell;
    const CellId to = cell_after(crowd_->layout(), at, route.next_move());
    if (route.version() == crowd_->grid().version()) return to;
    return crowd_->ground_of(agent).can_step(at, to) ? to : kNoCell;
}

uint32_t SwarmPreferences::route_cost(const View& view, Cell to) const {
    const uint32_t terrain_cost = view.cost_at(to);
    if (view.ahead.count == 0) return terrain_cost;
    uint32_t min_cost = std::numeric_limits<uint32_t>::max();
    for (size_t i = 0; i < view.ahead.count; ++i) {
        min_cost = std::min(min_cost, octile_steps(to, view.ahead.cells[i]) * (terrain_cost + view.cost[i]) * 5 / 4 + view.rest[i]);
    }
    return min_cost;
}

void SwarmPreferences::rank_candidates(AgentId agent, PreferredCells& out) const {
    const GridLayout& layout = crowd_->layout();
    const CrowdAgent& state = crowd_->agents()[agent];
    const Ground& ground = crowd_->ground_of(agent);
    const View view(*crowd_, ground.costs(), routes_[agent]);
    const Cell at = layout.cell(state.at);
    std::array<uint32_t, kMaxPreferredCells> costs{};
    const auto add = [&](CellId to, uint32_t cost) {
        size_t i = out.count++;
        for (; i > 0 && costs[i - 1] > cost; --i) {
            costs[i] = costs[i - 1];
            out.cells[i] = out.cells[i - 1];
        }
        costs[i] = cost;
        out.cells[i] = to;
    };
    const bool stranded = !ground.passable(state.at);
    add(state.at, stranded ? std::numeric_limits<uint32_t>::max() : routes_[agent].known() ? route_cost(view, at) : 0);
    const uint32_t moves = ground.legal_moves(state.at);
    for (Move m = 0; m < 8; ++m) {
        if ((moves >> m & 1) == 0) continue;
        const Cell n{at.x + kMoves[m].x, at.y + kMoves[m].y};
        const CellId to = layout.id(n);
        uint32_t cost = route_cost(view, n);
        const uint32_t step = 2 * kStepStraight * view.cost_at(n);
        if (crowd_->agent_at(to) != kNoAgent) cost += step;
        if (direction_map_ != nullptr) cost += direction_map_->scaled(state.at, m, step) - step;
        add(to, cost);
    }
}

}  // namespace terrane::detail
