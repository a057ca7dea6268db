#include "crowd/swarm/jam_solver.h"

#include <algorithm>
#include <array>

namespace terrane::detail {

bool JamSolver::solve(const Crowd& crowd, const Agents& agents, AgentId stuck, Tick waited) {
    if (!crowd.ground_of(stuck).passable(crowd.agents()[stuck].at)) return false;
    square_ = LocalSquare(crowd.layout(), crowd.layout().cell(crowd.agents()[stuck].at), kRadius);
    layout_ = GridLayout(square_.rect.right - square_.rect.left, square_.rect.bottom - square_.rect.top);
    gather(crowd, agents.busy, stuck);
    if (members_.size() < 2) return false;
    const std::optional<CrowdGround> on = ground(crowd);
    if (!on) return false;
    GoalFields fields(*on);
    walkers_.clear();
    starts_.clear();
    alone_.clear();
    for (const AgentId agent : members_) {
        Walker walker{kNoSpot, kNoField, kind_of(crowd, agent), false};
        starts_.push_back(spot(*on, crowd.layout().cell(crowd.agents()[agent].at)));
        walker.goal = goal_of(crowd, *on, agents.routes[agent], walker, starts_.back());
        const bool arrives = walker.goal == spot(*on, crowd.layout().cell(crowd.agents()[agent].goal));
        walker.must = walker.goal != kNoSpot && (arrives || crowd.ticks() - agents.nearer_since[agent] >= waited);
        if (walker.goal != kNoSpot) walker.field = fields.take(std::array{FieldRequest{walker.goal, walker.kind}})[0];
        walkers_.push_back(walker);
        alone_.push_back(walker.field != kNoField ? fields.distance(walker.field, starts_.back()) : 0);
    }
    if (!walkers_.front().must) return false;
    ConfigurationSearch search(*on, fields, walkers_, starts_, alone_, {});
    const Status status = search.run(kMostWork);
    expansions_ += search.expansions();
    if (status != Status::kFound) return false;
    write_plan(crowd, *on, search);
    return plan_.size() > members_.size() && plan_.size() <= (kLongestPlan + 1) * members_.size();
}

// The nearest agents, ring by ring, by rows. Those on ground that they cannot be on stay out of it.
void JamSolver::gather(const Crowd& crowd, std::span<const uint8_t> busy, AgentId stuck) {
    members_.assign(1, stuck);
    stands_.assign(square_.cells(), 0);
    const Cell middle = crowd.layout().cell(crowd.agents()[stuck].at);
    for (int32_t ring = 1; ring <= kRadius; ++ring) {
        for (uint32_t i = 0; i < square_.cells(); ++i) {
            const Cell c = square_.cell(i);
            if (cells_apart(c, middle) != ring) continue;
            const AgentId agent = crowd.agent_at(crowd.layout().id(c));
            if (agent == kNoAgent) continue;
            const bool joins = members_.size() < kMostMembers && busy[agent] == 0 && crowd.ground_of(agent).passable(c);
            if (joins) members_.push_back(agent);
            stands_[i] = joins ? 0 : 1;
        }
    }
}

// A map of the square, on which others stand as walls. Those have a terrain that is not in the square, closed for all kinds; nothing where
// all terrains are.
std::optional<CrowdGround> JamSolver::ground(const Crowd& crowd) {
    std::array<bool, 256> seen{};
    cells_.resize(square_.cells());
    for (uint32_t i = 0; i < square_.cells(); ++i) {
        cells_[i] = crowd.grid().at(square_.cell(i));
        seen[cells_[i]] = true;
    }
    const auto unused = std::find(seen.begin(), seen.begin() + crowd.grid().catalogue().size(), false);
    const auto wall = static_cast<Terrain>(unused - seen.begin());
    if (wall == crowd.grid().catalogue().size()) return std::nullopt;
    for (uint32_t i = 0; i < square_.cells(); ++i) {
        if (stands_[i] != 0) cells_[i] = wall;
    }
    kinds_.clear();
    std::vector<CrowdKind> kinds;
    for (const AgentId agent : members_) {
        const uint16_t kind = crowd.agents()[agent].kind;
        if (std::find(kinds_.begin(), kinds_.end(), kind) != kinds_.end()) continue;
        kinds_.push_back(kind);
        kinds.push_back(crowd.kinds()[kind]);
        kinds.back().costs.cost[wall] = 0;
    }
    const TerrainGrid grid(layout_.width, layout_.height, cells_, crowd.grid().catalogue());
    return CrowdGround(grid.snapshot(), kinds, crowd.movement());
}

uint16_t JamSolver::kind_of(const Crowd& crowd, AgentId agent) const {
    return static_cast<uint16_t>(std::find(kinds_.begin(), kinds_.end(), crowd.agents()[agent].kind) - kinds_.begin());
}

// The last cell of the route in the square, of those up to its leaving it, that can be reached and that nobody else ends on.
Spot JamSolver::goal_of(const Crowd& crowd, const CrowdGround& on, const Route& route, const Walker& walker, Spot start) const {
    Spot last = kNoSpot;
    if (!route.known()) return last;
    const auto taken = [&](Spot at) {
        return std::any_of(walkers_.begin(), walkers_.end(), [&](const Walker& w) { return w.goal == at; });
    };
    route.walk(crowd.layout(), [&](Cell c, size_t) {
        if (!square_.rect.contains(c)) return false;
        const Spot at = spot(on, c);
        const bool reached = at != kNoSpot && on.component(walker.kind, at) == on.component(walker.kind, start);
        if (reached && !taken(at)) last = at;
        return true;
    });
    return last;
}

void JamSolver::write_plan(const Crowd& crowd, const CrowdGround& on, const ConfigurationSearch& search) {
    plan_.clear();
    for (const std::vector<Spot>& tick : search.plan()) {
        for (const Spot at : tick) {
            const Cell c = layout_.cell(on.cell(at));
            plan_.push_back(crowd.layout().id({c.x + square_.rect.left, c.y + square_.rect.top}));
        }
    }
}

}  // namespace terrane::detail
