#include "terrane/crowd/swarm.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "crowd/direction_maps/direction_learner.h"
#include "crowd/pibt/pibt_step.h"
#include "crowd/swarm/jam_solver.h"
#include "crowd/swarm/local_search.h"
#include "crowd/swarm/route_finder.h"
#include "crowd/swarm/shared_goals.h"
#include "crowd/swarm/swarm_preferences.h"
#include "crowd/swarm/swarm_route.h"
#include "terrane/base/assert.h"

namespace terrane {

using namespace detail;

namespace {

// Radius, in cells, of the local search that leads an agent back to its route, and of the one that leads it around others.
constexpr int32_t kRejoinRadius = 6;
constexpr int32_t kDetourRadius = 10;
// An agent is lost if it is more than kMaxOffRoute cells off its route, or off it and without progress for kOffRouteTicks.
constexpr int32_t kMaxOffRoute = 3;
constexpr Tick kOffRouteTicks = 2;
// JamSolver runs where agents wait for each other in a deadlock, and in any case in every kJamRounds-th round of a stall.
constexpr uint32_t kJamRounds = 8;
constexpr uint32_t kMaxWaitChain = 16;
// Additional cost of an occupied cell for a detour, in straight steps on its terrain.
constexpr uint32_t kOccupiedPenalty = 3;

class Swarm final : public CrowdMethod {
public:
    explicit Swarm(const SwarmOptions& options) : options_(options) { TERRANE_ASSERT(options.stuck_ticks > 0); }

    void agent_joined(const Crowd& crowd, AgentId agent) override;
    void agent_left(const Crowd& crowd, AgentId agent) override;
    void goal_changed(const Crowd& crowd, AgentId agent) override;
    void world_changed(const Crowd& crowd, const EditResult& edit) override;
    void plan(const Crowd& crowd, std::span<CellId> next) override;
    const DirectionMap* flow() const override { return direction_learner_ ? &direction_learner_->map() : nullptr; }
    CrowdWork work() const override { return work_; }
    size_t bytes() const override;
    std::unique_ptr<CrowdMethod> fresh() const override { return make_swarm(options_); }

private:
    enum class RouteRequest : uint8_t { kNone, kNewRoute, kBetterRoute };
    struct Progress {
        RouteRequest request = RouteRequest::kNone;
        bool goal_unreachable = false;     // as far as is known
        bool to_back = true;               // has a new goal: moves to the back of the priority order
        size_t min_moves_left = SIZE_MAX;  // smallest remaining route length so far
    };

    // A plan of JamSolver, and how much of it has been executed.
    struct JamPlan {
        std::vector<AgentId> members;
        std::vector<CellId> cells;
        size_t done = 0;  // index of the current row in `cells`
    };

    uint64_t budget() const { return options_.budget == 0 ? kUnlimited : options_.budget; }
    void request_route(AgentId agent, RouteRequest request);
    void restart(const Crowd& crowd, AgentId agent);
    bool claim_request(const Crowd& crowd, AgentId agent, RouteRequest request);
    std::optional<AgentId> next_of_group(const Crowd& crowd);
    std::optional<AgentId> next_requester(const Crowd& crowd);
    void form_group(const Crowd& crowd, AgentId agent, RouteRequest request);
    void begin_search(const Crowd& crowd, AgentId agent);
    void find_routes(const Crowd& crowd);
    void finish_search(const Crowd& crowd, Status status);
    void update_progress(const Crowd& crowd, AgentId agent);
    void resolve_stall(const Crowd& crowd, AgentId agent, uint32_t rounds);
    bool rejoin_route(const Crowd& crowd, AgentId agent, int32_t radius, uint32_t occupied_penalty);
    void update_priorities(const Crowd& crowd);
    bool in_deadlock(const Crowd& crowd, AgentId agent) const;
    void solve_jam(const Crowd& crowd, AgentId agent);
    void follow_plans(const Crowd& crowd);
    bool follow_plan(const Crowd& crowd, JamPlan& plan);
    bool is_vacated(const Crowd& crowd, const JamPlan& plan, CellId cell) const;

    SwarmOptions options_;
    std::vector<Progress> progress_;  // by agent, as the next three
    std::vector<Route> routes_;
    std::vector<Tick> last_progress_;
    std::vector<uint8_t> in_jam_plan_;
    std::vector<AgentId> order_, to_back_;  // by descending priority; agents that move to the back
    std::deque<AgentId> new_route_queue_, better_route_queue_;
    // Agents that waited together with the last served one for a route to the same goal; the next one last.
    std::vector<AgentId> group_;
    CellId group_goal_ = kNoCell;
    RouteRequest group_request_ = RouteRequest::kNone;
    GoalGroups groups_;                                   // of the agents that wait for `counted_request_`
    RouteRequest counted_request_ = RouteRequest::kNone;  // kNone: not counted yet in this tick
    GoalTrees trees_;
    AgentId searching_ = kNoAgent;       // agent of the unfinished search
    PortalTree* tree_in_use_ = nullptr;  // tree of that search; may be null
    RouteFinder finder_;
    LocalSearch local_search_;
    JamSolver jam_solver_;
    std::vector<JamPlan> plans_;
    Tick last_jam_ = 0;
    uint64_t local_budget_ = 0;  // expansions left in this tick for local searches
    SwarmPreferences preferences_;
    PibtStep<SwarmPreferences> step_;
    std::optional<DirectionLearner> direction_learner_;
    CrowdWork work_;
};

void Swarm::request_route(AgentId agent, RouteRequest request) {
    if (progress_[agent].request == request || progress_[agent].request == RouteRequest::kNewRoute) return;
    progress_[agent].request = request;
    (request == RouteRequest::kNewRoute ? new_route_queue_ : better_route_queue_).push_back(agent);
}

void Swarm::restart(const Crowd& crowd, AgentId agent) {
    if (searching_ == agent) searching_ = kNoAgent;
    routes_[agent].clear();
    const RouteRequest pending = progress_[agent].request;
    progress_[agent] = {};
    progress_[agent].request = pending;
    last_progress_[agent] = crowd.ticks();
    request_route(agent, RouteRequest::kNewRoute);
}

void Swarm::agent_joined(const Crowd& crowd, AgentId agent) {
    progress_.resize(crowd.agents().size());
    in_jam_plan_.resize(crowd.agents().size());
    last_progress_.resize(crowd.agents().size());
    routes_.resize(crowd.agents().size());
    order_.push_back(agent);
    restart(crowd, agent);
}

void Swarm::agent_left(const Crowd&, AgentId agent) {
    if (searching_ == agent) searching_ = kNoAgent;
    routes_[agent] = {};
    progress_[agent] = {};
}

void Swarm::goal_changed(const Crowd& crowd, AgentId agent) { restart(crowd, agent); }

void Swarm::world_changed(const Crowd& crowd, const EditResult& edit) {
    TileBloomFilter changed;
    for (const uint32_t tile : edit.tiles) changed.add(tile);
    for (AgentId agent = 0; agent < progress_.size(); ++agent) {
        if (!crowd.agents()[agent].present()) continue;
        Route& route = routes_[agent];
        if (progress_[agent].goal_unreachable || route.may_cross(changed)) {
            request_route(agent, RouteRequest::kBetterRoute);
        } else if (route.version() == edit.before.version()) {
            route.confirm(edit.after.version());
        }
    }
}

// Removes the agent's request. False if the agent has left, has another request now, or its route has turned out to be still valid.
bool Swarm::claim_request(const Crowd& crowd, AgentId agent, RouteRequest request) {
    if (progress_[agent].request != request) return false;
    progress_[agent].request = RouteRequest::kNone;
    if (request == RouteRequest::kNewRoute || !routes_[agent].known() || routes_[agent].outdated(crowd.grid())) return true;
    routes_[agent].confirm(crowd.grid().version());
    return false;
}

std::optional<AgentId> Swarm::next_of_group(const Crowd& crowd) {
    if (group_request_ == RouteRequest::kBetterRoute && !new_route_queue_.empty()) group_.clear();  // they are still in their queue
    while (!group_.empty()) {
        const AgentId agent = group_.back();
        group_.pop_back();
        if (crowd.agents()[agent].goal == group_goal_ && claim_request(crowd, agent, group_request_)) return agent;
    }
    group_goal_ = kNoCell;
    return std::nullopt;
}

// Agents without a route come first. Members of the current group overtake agents that have waited longer.
std::optional<AgentId> Swarm::next_requester(const Crowd& crowd) {
    if (const auto agent = next_of_group(crowd)) return agent;
    while (!new_route_queue_.empty() || !better_route_queue_.empty()) {
        const RouteRequest request = !new_route_queue_.empty() ? RouteRequest::kNewRoute : RouteRequest::kBetterRoute;
        if (options_.share_goal_searches && counted_request_ != request) {
            groups_.count(crowd, request == RouteRequest::kNewRoute ? new_route_queue_ : better_route_queue_,
                          [&](AgentId a) { return progress_[a].request == request; });
            counted_request_ = request;
        }
        std::deque<AgentId>& queue = request == RouteRequest::kNewRoute ? new_route_queue_ : better_route_queue_;
        const AgentId agent = queue.front();
        queue.pop_front();
        if (!claim_request(crowd, agent, request)) continue;
        if (options_.share_goal_searches) form_group(crowd, agent, request);
        return agent;
    }
    return std::nullopt;
}

// Starts the group of `agent` if enough agents wait for the same goal.
void Swarm::form_group(const Crowd& crowd, AgentId agent, RouteRequest request) {
    const std::span<const AgentId> all = groups_.group_of(crowd, agent);
    if (all.empty()) return;
    group_.assign(all.rbegin(), all.rend());
    group_goal_ = crowd.agents()[agent].goal;
    group_request_ = request;
}

void Swarm::begin_search(const Crowd& crowd, AgentId agent) {
    const CrowdAgent& state = crowd.agents()[agent];
    const Ground& ground = crowd.ground_of(agent);
    searching_ = agent;
    const bool shares = group_goal_ != kNoCell && ground.passable(state.goal);
    tree_in_use_ = shares ? trees_.get(crowd, state.type, state.goal) : nullptr;
    finder_.begin(crowd.world(), ground, crowd.layout().cell(state.at), crowd.layout().cell(state.goal), tree_in_use_);
    ++work_.plans;
}

void Swarm::find_routes(const Crowd& crowd) {
    counted_request_ = RouteRequest::kNone;
    trees_.discard_stale(crowd, searching_ != kNoAgent ? tree_in_use_ : nullptr);
    uint64_t left = budget();
    while (left > 0) {
        if (searching_ == kNoAgent) {
            const std::optional<AgentId> agent = next_requester(crowd);
            if (!agent) return;
            begin_search(crowd, *agent);
        }
        const uint64_t before = finder_.expansions();
        const Status status = finder_.run(left);
        const uint64_t spent = finder_.expansions() - before;
        work_.expansions += spent;
        left -= std::min(left, spent + finder_.overhead());
        if (status != Status::kBudgetSpent) finish_search(crowd, status);
    }
}

void Swarm::finish_search(const Crowd& crowd, Status status) {
    const AgentId agent = searching_;
    searching_ = kNoAgent;
    Progress& progress = progress_[agent];
    progress.min_moves_left = SIZE_MAX;
    progress.goal_unreachable = status == Status::kUnreachable || status == Status::kBlockedGoal;
    if (status == Status::kFound) {
        routes_[agent].set(crowd.layout(), finder_.cells(), finder_.version());
    } else {
        routes_[agent].clear();
        ++work_.failures;
    }
    if (finder_.version() != crowd.grid().version()) request_route(agent, RouteRequest::kBetterRoute);
}

// False if no path leads back to the route; the agent then waits for a new one. True, without a search, if the tick's budget is spent.
bool Swarm::rejoin_route(const Crowd& crowd, AgentId agent, int32_t radius, uint32_t occupied_penalty) {
    if (local_budget_ == 0) return true;
    const uint64_t before = local_search_.expansions();
    const bool joined = local_search_.rejoin(crowd, agent, routes_[agent], radius, occupied_penalty);
    const uint64_t spent = local_search_.expansions() - before;
    work_.expansions += spent;
    local_budget_ -= std::min(local_budget_, spent);
    if (!joined) request_route(agent, RouteRequest::kNewRoute);
    return joined;
}

// Advances the agent's route to its position, and reacts to a lost or stuck agent.
void Swarm::update_progress(const Crowd& crowd, AgentId agent) {
    const CrowdAgent& state = crowd.agents()[agent];
    Progress& progress = progress_[agent];
    Route& route = routes_[agent];
    const Ground& ground = crowd.ground_of(agent);
    if (!route.known()) {
        if (!progress.goal_unreachable && progress.request == RouteRequest::kNone && agent != searching_ && ground.passable(state.at)) {
            request_route(agent, RouteRequest::kNewRoute);
        }
        return;
    }
    const int32_t distance = route.follow(crowd, ground, state.at);
    const Tick since = crowd.ticks() - last_progress_[agent];
    if ((distance > kMaxOffRoute || (distance > 1 && since >= kOffRouteTicks)) && !rejoin_route(crowd, agent, kRejoinRadius, 0)) return;
    const bool resting = state.at_goal() && state.idle >= options_.stuck_ticks;  // others may push it off its goal repeatedly
    if (route.moves_left() < progress.min_moves_left || resting) {
        progress.min_moves_left = route.moves_left();
        last_progress_[agent] = crowd.ticks();
    }
    const Tick stuck = crowd.ticks() - last_progress_[agent];
    if (!state.at_goal() && stuck > 0 && stuck % options_.stuck_ticks == 0) resolve_stall(crowd, agent, stuck / options_.stuck_ticks);
}

void Swarm::resolve_stall(const Crowd& crowd, AgentId agent, uint32_t rounds) {
    if (rounds % 2 == 1) {
        const size_t before = routes_[agent].moves_left();
        if (!rejoin_route(crowd, agent, kDetourRadius, kOccupiedPenalty)) return;
        const size_t after = routes_[agent].moves_left();  // allow for the length of the detour
        last_progress_[agent] = std::min(crowd.ticks(), last_progress_[agent] + static_cast<Tick>(after - std::min(before, after)));
    } else if (rounds % kJamRounds == 0 || in_deadlock(crowd, agent)) {
        if (options_.solve_jams) solve_jam(crowd, agent);
    } else if (rounds % kJamRounds == kJamRounds / 2) {
        request_route(agent, RouteRequest::kNewRoute);
    }
}

// Follows the chain of agents that wait for each other. True if none of them makes progress and the chain is a cycle, longer than
// kMaxWaitChain, or ends at an agent without further moves. An agent in a moving queue is not in deadlock.
bool Swarm::in_deadlock(const Crowd& crowd, AgentId agent) const {
    for (uint32_t i = 0; i < kMaxWaitChain; ++i) {
        const Route& route = routes_[agent];
        if (route.moves_left() == 0) return true;
        if (crowd.ticks() - last_progress_[agent] < options_.stuck_ticks) return false;
        const CellId at = crowd.agents()[agent].at;
        const AgentId before = crowd.agent_at(at == route.anchor() ? cell_after(crowd.layout(), at, route.next_move()) : route.anchor());
        if (before == kNoAgent) return false;
        agent = before;
    }
    return true;
}

// At most one per tick.
void Swarm::solve_jam(const Crowd& crowd, AgentId agent) {
    if (last_jam_ == crowd.ticks() && crowd.ticks() > 0) return;
    last_jam_ = crowd.ticks();
    const uint64_t before = jam_solver_.expansions();
    const bool solved = jam_solver_.solve(crowd, {routes_, in_jam_plan_, last_progress_}, agent, options_.stuck_ticks);
    work_.expansions += jam_solver_.expansions() - before;
    ++work_.plans;
    if (!solved) {
        ++work_.failures;
        return;
    }
    plans_.push_back(
        {{jam_solver_.members().begin(), jam_solver_.members().end()}, {jam_solver_.plan().begin(), jam_solver_.plan().end()}});
    for (const AgentId member : jam_solver_.members()) in_jam_plan_[member] = 1;
}

void Swarm::follow_plans(const Crowd& crowd) {
    std::erase_if(plans_, [&](JamPlan& plan) {
        const bool finished = !follow_plan(crowd, plan);
        if (finished) {
            for (const AgentId member : plan.members) in_jam_plan_[member] = 0;
        }
        return finished;
    });
}

// Whether the cell is empty or its occupant moves in this tick: by this plan, or because it has chosen its move.
bool Swarm::is_vacated(const Crowd& crowd, const JamPlan& plan, CellId cell) const {
    const AgentId other = crowd.agent_at(cell);
    return other == kNoAgent || step_.chosen(other) || std::find(plan.members.begin(), plan.members.end(), other) != plan.members.end();
}

// Executes the next row of the plan before other agents choose their moves. False, without a move, if the plan has ended or is obstructed.
bool Swarm::follow_plan(const Crowd& crowd, JamPlan& plan) {
    const size_t count = plan.members.size(), next = plan.done + count;
    if (next == plan.cells.size()) return false;
    for (size_t i = 0; i < count; ++i) {
        const AgentId agent = plan.members[i];
        const CrowdAgent& state = crowd.agents()[agent];
        const CellId to = plan.cells[next + i];
        if (state.at != plan.cells[plan.done + i] || !step_.free(agent, to)) return false;
        if (!is_vacated(crowd, plan, to)) return false;
        if (!crowd.ground_of(agent).can_step(state.at, to)) return false;
    }
    for (size_t i = 0; i < count; ++i) step_.take(plan.members[i], plan.cells[next + i]);
    plan.done = next;
    return true;
}

// Orders agents by the age of their goals, oldest first.
void Swarm::update_priorities(const Crowd& crowd) {
    to_back_.clear();
    std::erase_if(order_, [&](AgentId agent) {
        if (progress_[agent].to_back && crowd.agents()[agent].present()) to_back_.push_back(agent);
        return progress_[agent].to_back;
    });
    for (const AgentId agent : to_back_) {
        progress_[agent].to_back = false;
        order_.push_back(agent);
    }
}

void Swarm::plan(const Crowd& crowd, std::span<CellId> next) {
    find_routes(crowd);
    update_priorities(crowd);
    local_budget_ = budget();
    for (const AgentId agent : order_) {
        if (in_jam_plan_[agent] == 0) update_progress(crowd, agent);
    }
    if (options_.flow && !direction_learner_) direction_learner_.emplace(crowd.layout(), options_.direction_map);
    preferences_.begin(crowd, routes_, flow());
    step_.begin(crowd, next, preferences_);
    follow_plans(crowd);
    for (const AgentId agent : order_) {
        if (routes_[agent].moves_left() > 0) step_.choose(agent);
    }
    for (const AgentId agent : order_) step_.choose(agent);
    step_.end();
    if (direction_learner_) direction_learner_->learn(crowd, next);
}

size_t Swarm::bytes() const {
    size_t routes = 0;
    for (const Route& route : routes_) routes += route.bytes();
    size_t plans = plans_.capacity() * sizeof(JamPlan);
    for (const JamPlan& plan : plans_) plans += plan.members.capacity() * sizeof(AgentId) + plan.cells.capacity() * sizeof(CellId);
    return sizeof(Swarm) + progress_.capacity() * sizeof(Progress) + routes_.capacity() * sizeof(Route) + routes +
           (order_.capacity() + to_back_.capacity()) * sizeof(AgentId) +
           (new_route_queue_.size() + better_route_queue_.size()) * sizeof(AgentId) + finder_.bytes() +
           group_.capacity() * sizeof(AgentId) + groups_.bytes() + trees_.bytes() +
           (direction_learner_ ? direction_learner_->map().bytes() : 0) + local_search_.bytes() + jam_solver_.bytes() +
           in_jam_plan_.capacity() + last_progress_.capacity() * sizeof(Tick) + step_.bytes() + plans;
}

}  // namespace

std::unique_ptr<CrowdMethod> make_swarm(const SwarmOptions& options) { return std::make_unique<Swarm>(options); }

}  // namespace terrane
