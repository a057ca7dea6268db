#include "crowd/swarm/jam_solver.h"

#include <algorithm>
#include <array>

namespace terrane::detail {

bool JamSolver::solve(const Crowd& crowd, const AgentStates& agents, AgentId stuck, Tick stall_ticks) {
    if (!crowd.ground_of(stuck).passable(crowd.agents()[stuck].at)) return false;
    square_ = LocalSquare(crowd.layout(), crowd.layout().cell(crowd.agents()[stuck].at), kRadius);
    layout_ = GridLayout(square_.rect.width, square_.rect.height);
    gather(crowd, agents.excluded, stuck);
    if (members_.size() < 2) return false;
    const std::optional<CrowdGround> local_ground = make_ground(crowd);
    if (!local_ground) return false;
    GoalFields fields(*local_ground);
    walkers_.clear();
    starts_.clear();
    solo_costs_.clear();
    for (const AgentId agent : members_) {
        Walker walker{kNoSpot, kNoField, type_of(crowd, agent), false};
        starts_.push_back(spot(*local_ground, crowd.layout().cell(crowd.agents()[agent].at)));
        walker.goal = local_goal(crowd, *local_ground, agents.routes[agent], walker, starts_.back());
        const bool arrives = walker.goal == spot(*local_ground, crowd.layout().cell(crowd.agents()[agent].goal));
        walker.must_arrive = walker.goal != kNoSpot && (arrives || crowd.ticks() - agents.last_progress[agent] >= stall_ticks);
        if (walker.goal != kNoSpot) walker.field = fields.take(std::array{FieldRequest{walker.goal, walker.type}})[0];
        walkers_.push_back(walker);
        solo_costs_.push_back(walker.field != kNoField ? fields.distance(walker.field, starts_.back()) : 0);
    }
    if (!walkers_.front().must_arrive) return false;
    LacamSearch search(*local_ground, fields, walkers_, starts_, solo_costs_, {});
    const Status status = search.run(kMaxExpansions);
    expansions_ += search.expansions();
    if (status != Status::kFound) return false;
    write_plan(crowd, *local_ground, search);
    return plan_.size() > members_.size() && plan_.size() <= (kMaxPlanTicks + 1) * members_.size();
}

// Collects the nearest agents, ring by ring. Agents on cells that are blocked for them stay out and count as obstacles.
void JamSolver::gather(const Crowd& crowd, std::span<const uint8_t> excluded, AgentId stuck) {
    members_.assign(1, stuck);
    occupied_.assign(square_.cells(), 0);
    const Cell middle = crowd.layout().cell(crowd.agents()[stuck].at);
    for (int32_t ring = 1; ring <= kRadius; ++ring) {
        for (uint32_t i = 0; i < square_.cells(); ++i) {
            const Cell c = square_.cell(i);
            if (chebyshev_distance(c, middle) != ring) continue;
            const AgentId agent = crowd.agent_at(crowd.layout().id(c));
            if (agent == kNoAgent) continue;
            const bool joins = members_.size() < kMaxMembers && excluded[agent] == 0 && crowd.ground_of(agent).passable(c);
            if (joins) members_.push_back(agent);
            occupied_[i] = joins ? 0 : 1;
        }
    }
}

// A map of the square on which non-members are obstacles. Obstacles have a terrain that does not occur in the square and is blocked for
// all agent types. Returns nullopt if every terrain of the catalogue occurs.
std::optional<CrowdGround> JamSolver::make_ground(const Crowd& crowd) {
    std::array<bool, 256> seen{};
    cells_.resize(square_.cells());
    for (uint32_t i = 0; i < square_.cells(); ++i) {
        cells_[i] = crowd.grid().at(square_.cell(i));
        seen[cells_[i]] = true;
    }
    const auto unused = std::find(seen.begin(), seen.begin() + crowd.grid().catalogue().size(), false);
    const auto obstacle = static_cast<Terrain>(unused - seen.begin());
    if (obstacle == crowd.grid().catalogue().size()) return std::nullopt;
    for (uint32_t i = 0; i < square_.cells(); ++i) {
        if (occupied_[i] != 0) cells_[i] = obstacle;
    }
    types_.clear();
    std::vector<AgentType> types;
    for (const AgentId agent : members_) {
        const uint16_t type = crowd.agents()[agent].type;
        if (std::find(types_.begin(), types_.end(), type) != types_.end()) continue;
        types_.push_back(type);
        types.push_back(crowd.types()[type]);
        types.back().costs.cost[obstacle] = 0;
    }
    const TerrainGrid grid(layout_.width, layout_.height, cells_, crowd.grid().catalogue());
    return CrowdGround(grid.snapshot(), types, crowd.movement());
}

uint16_t JamSolver::type_of(const Crowd& crowd, AgentId agent) const {
    return static_cast<uint16_t>(std::find(types_.begin(), types_.end(), crowd.agents()[agent].type) - types_.begin());
}

// The last reachable cell before the route leaves the square that is not the local goal of another member; kNoSpot if there is none.
Spot JamSolver::local_goal(const Crowd& crowd, const CrowdGround& local_ground, const Route& route, const Walker& walker,
                           Spot start) const {
    Spot last = kNoSpot;
    if (!route.known()) return last;
    const auto taken = [&](Spot at) {
        return std::any_of(walkers_.begin(), walkers_.end(), [&](const Walker& w) { return w.goal == at; });
    };
    route.walk(crowd.layout(), [&](Cell c, size_t) {
        if (!square_.rect.contains(c)) return false;
        const Spot at = spot(local_ground, c);
        const bool reachable = at != kNoSpot && local_ground.component(walker.type, at) == local_ground.component(walker.type, start);
        if (reachable && !taken(at)) last = at;
        return true;
    });
    return last;
}

void JamSolver::write_plan(const Crowd& crowd, const CrowdGround& local_ground, const LacamSearch& search) {
    plan_.clear();
    for (const std::vector<Spot>& tick : search.plan()) {
        for (const Spot at : tick) {
            const Cell c = layout_.cell(local_ground.cell(at));
            plan_.push_back(crowd.layout().id({c.x + square_.rect.x, c.y + square_.rect.y}));
        }
    }
}

}  // namespace terrane::detail
