#include "terrane/crowd/swarm.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "crowd/direction_maps/flow.h"
#include "crowd/pibt/push_step.h"
#include "crowd/swarm/jam_solver.h"
#include "crowd/swarm/local_search.h"
#include "crowd/swarm/route_finder.h"
#include "crowd/swarm/shared_goals.h"
#include "crowd/swarm/swarm_route.h"
#include "crowd/swarm/swarm_wisher.h"
#include "terrane/base/assert.h"

namespace terrane {

using namespace detail;

namespace {

// Cells from an agent within which it finds back to its route, and around others.
constexpr int32_t kLostRadius = 6;
constexpr int32_t kStuckRadius = 10;
// Who is farther than so many cells from its route, or off it for so many ticks without coming nearer to its goal, is lost.
constexpr int32_t kFarthest = 3;
constexpr Tick kLostTicks = 2;
// A plan for a jam is made where agents are found to wait for one another, and in any case after so many rounds of help.
constexpr uint32_t kLastRound = 8;
constexpr uint32_t kLongestWait = 16;
// What others in the way count for, in steps over their cells.
constexpr uint32_t kInTheWay = 3;

class Swarm final : public CrowdMethod {
public:
    explicit Swarm(const SwarmOptions& options) : options_(options) { TERRANE_ASSERT(options.stuck_ticks > 0); }

    void agent_joined(const Crowd& crowd, AgentId agent) override;
    void agent_left(const Crowd& crowd, AgentId agent) override;
    void goal_changed(const Crowd& crowd, AgentId agent) override;
    void world_changed(const Crowd& crowd, const EditResult& edit) override;
    void plan(const Crowd& crowd, std::span<CellId> next) override;
    const DirectionMap* flow() const override { return flow_ ? &flow_->map() : nullptr; }
    CrowdWork work() const override { return work_; }
    size_t bytes() const override;
    std::unique_ptr<CrowdMethod> fresh() const override { return make_swarm(options_); }

private:
    enum class Asks : uint8_t { kNothing, kRoute, kBetterRoute };
    struct Walker {
        Asks asks = Asks::kNothing;
        bool cut_off = false;       // from its goal, as far as is known
        bool late = true;           // has a new goal: goes to the end of the order
        size_t nearest = SIZE_MAX;  // moves to its goal, at the least
    };

    // What JamSolver found, and how much of it is done.
    struct JamPlan {
        std::vector<AgentId> members;
        std::vector<CellId> cells;
        size_t done = 0;  // of the cells
    };

    uint64_t budget() const { return options_.budget == 0 ? kUnlimited : options_.budget; }
    void ask(AgentId agent, Asks what);
    void start_over(const Crowd& crowd, AgentId agent);
    bool takes(const Crowd& crowd, AgentId agent, Asks what);
    std::optional<AgentId> next_of_group(const Crowd& crowd);
    std::optional<AgentId> next_asker(const Crowd& crowd);
    void form_group(const Crowd& crowd, AgentId agent, Asks what);
    void begin_route(const Crowd& crowd, AgentId agent);
    void find_routes(const Crowd& crowd);
    void take_route(const Crowd& crowd, Status status);
    void keep_up(const Crowd& crowd, AgentId agent);
    void help(const Crowd& crowd, AgentId agent, uint32_t rounds);
    bool join_route(const Crowd& crowd, AgentId agent, int32_t radius, uint32_t in_the_way);
    void put_in_order(const Crowd& crowd);
    bool in_deadlock(const Crowd& crowd, AgentId agent) const;
    void solve_jam(const Crowd& crowd, AgentId agent);
    void follow_plans(const Crowd& crowd);
    bool follow_plan(const Crowd& crowd, JamPlan& plan);
    bool leaves(const Crowd& crowd, const JamPlan& plan, CellId cell) const;

    SwarmOptions options_;
    std::vector<Walker> walkers_;  // by agent, as are the next three
    std::vector<Route> routes_;
    std::vector<Tick> nearer_since_;
    std::vector<uint8_t> busy_;          // in a plan for a jam
    std::vector<AgentId> order_, late_;  // who goes first
    std::deque<AgentId> asking_, asking_later_;
    // Those who asked with the one that was served, and have its goal: who is next is last.
    std::vector<AgentId> group_;
    CellId group_goal_ = kNoCell;
    Asks group_asks_ = Asks::kNothing;
    GoalGroups groups_;              // by goal, of those who ask for `counted_`
    Asks counted_ = Asks::kNothing;  // in this tick
    GoalTrees trees_;
    AgentId searching_ = kNoAgent;  // whose search goes on
    PortalTree* in_use_ = nullptr;  // by that search; null: none
    RouteFinder finder_;
    LocalSearch local_;
    JamSolver jams_;
    std::vector<JamPlan> plans_;
    Tick last_jam_ = 0;
    uint64_t left_for_help_ = 0;  // expansions, in this tick
    SwarmWisher wisher_;
    PushStep<SwarmWisher> step_;
    std::optional<Flow> flow_;
    CrowdWork work_;
};

void Swarm::ask(AgentId agent, Asks what) {
    if (walkers_[agent].asks == what || walkers_[agent].asks == Asks::kRoute) return;
    walkers_[agent].asks = what;
    (what == Asks::kRoute ? asking_ : asking_later_).push_back(agent);
}

void Swarm::start_over(const Crowd& crowd, AgentId agent) {
    if (searching_ == agent) searching_ = kNoAgent;
    routes_[agent].forget();
    const Asks asked = walkers_[agent].asks;
    walkers_[agent] = {};
    walkers_[agent].asks = asked;
    nearer_since_[agent] = crowd.ticks();
    ask(agent, Asks::kRoute);
}

void Swarm::agent_joined(const Crowd& crowd, AgentId agent) {
    walkers_.resize(crowd.agents().size());
    busy_.resize(crowd.agents().size());
    nearer_since_.resize(crowd.agents().size());
    routes_.resize(crowd.agents().size());
    order_.push_back(agent);
    start_over(crowd, agent);
}

void Swarm::agent_left(const Crowd&, AgentId agent) {
    if (searching_ == agent) searching_ = kNoAgent;
    routes_[agent] = {};
    walkers_[agent] = {};
}

void Swarm::goal_changed(const Crowd& crowd, AgentId agent) { start_over(crowd, agent); }

void Swarm::world_changed(const Crowd& crowd, const EditResult& edit) {
    TileSketch changed;
    for (const uint32_t tile : edit.tiles) changed.add(tile);
    for (AgentId agent = 0; agent < walkers_.size(); ++agent) {
        if (!crowd.agents()[agent].present()) continue;
        Route& route = routes_[agent];
        if (walkers_[agent].cut_off || route.may_cross(changed)) {
            ask(agent, Asks::kBetterRoute);
        } else if (route.version() == edit.before.version()) {
            route.confirm(edit.after.version());
        }
    }
}

// False: it has left, asked for something else since, or has a route that turns out to be as good as ever.
bool Swarm::takes(const Crowd& crowd, AgentId agent, Asks what) {
    if (walkers_[agent].asks != what) return false;
    walkers_[agent].asks = Asks::kNothing;
    if (what == Asks::kRoute || !routes_[agent].known() || routes_[agent].outdated(crowd.grid())) return true;
    routes_[agent].confirm(crowd.grid().version());
    return false;
}

std::optional<AgentId> Swarm::next_of_group(const Crowd& crowd) {
    if (group_asks_ == Asks::kBetterRoute && !asking_.empty()) group_.clear();  // they still stand in their queue
    while (!group_.empty()) {
        const AgentId agent = group_.back();
        group_.pop_back();
        if (crowd.agents()[agent].goal == group_goal_ && takes(crowd, agent, group_asks_)) return agent;
    }
    group_goal_ = kNoCell;
    return std::nullopt;
}

// Those without a route first. Who has the same goal as one before it, and shares it, goes before those who have asked for longer.
std::optional<AgentId> Swarm::next_asker(const Crowd& crowd) {
    if (const auto agent = next_of_group(crowd)) return agent;
    while (!asking_.empty() || !asking_later_.empty()) {
        const Asks what = !asking_.empty() ? Asks::kRoute : Asks::kBetterRoute;
        if (options_.share && counted_ != what) {
            groups_.count(crowd, what == Asks::kRoute ? asking_ : asking_later_, [&](AgentId a) { return walkers_[a].asks == what; });
            counted_ = what;
        }
        std::deque<AgentId>& queue = what == Asks::kRoute ? asking_ : asking_later_;
        const AgentId agent = queue.front();
        queue.pop_front();
        if (!takes(crowd, agent, what)) continue;
        if (options_.share) form_group(crowd, agent, what);
        return agent;
    }
    return std::nullopt;
}

// Of those who ask for the same as `agent`, where they are enough.
void Swarm::form_group(const Crowd& crowd, AgentId agent, Asks what) {
    const std::span<const AgentId> all = groups_.sharing_with(crowd, agent);
    if (all.empty()) return;
    group_.assign(all.rbegin(), all.rend());
    group_goal_ = crowd.agents()[agent].goal;
    group_asks_ = what;
}

void Swarm::begin_route(const Crowd& crowd, AgentId agent) {
    const CrowdAgent& who = crowd.agents()[agent];
    const Ground& ground = crowd.ground_of(agent);
    searching_ = agent;
    const bool shares = group_goal_ != kNoCell && ground.passable(who.goal);
    in_use_ = shares ? trees_.get(crowd, who.kind, who.goal) : nullptr;
    finder_.begin(crowd.world(), ground, crowd.layout().cell(who.at), crowd.layout().cell(who.goal), in_use_);
    ++work_.plans;
}

void Swarm::find_routes(const Crowd& crowd) {
    counted_ = Asks::kNothing;
    trees_.drop_old(crowd, searching_ != kNoAgent ? in_use_ : nullptr);
    uint64_t left = budget();
    while (left > 0) {
        if (searching_ == kNoAgent) {
            const std::optional<AgentId> agent = next_asker(crowd);
            if (!agent) return;
            begin_route(crowd, *agent);
        }
        const uint64_t before = finder_.expansions();
        const Status status = finder_.run(left);
        const uint64_t spent = finder_.expansions() - before;
        work_.expansions += spent;
        left -= std::min(left, spent + finder_.flat_work());
        if (status != Status::kBudgetSpent) take_route(crowd, status);
    }
}

void Swarm::take_route(const Crowd& crowd, Status status) {
    const AgentId agent = searching_;
    searching_ = kNoAgent;
    Walker& walker = walkers_[agent];
    walker.nearest = SIZE_MAX;
    walker.cut_off = status == Status::kUnreachable || status == Status::kBlockedGoal;
    if (status == Status::kFound) {
        routes_[agent].set(crowd.layout(), finder_.cells(), finder_.version());
    } else {
        routes_[agent].forget();
        ++work_.failures;
    }
    if (finder_.version() != crowd.grid().version()) ask(agent, Asks::kBetterRoute);
}

// False where there is no way back; then it has asked for a route. Where there is nothing left to spend in this tick, it goes on as it is.
bool Swarm::join_route(const Crowd& crowd, AgentId agent, int32_t radius, uint32_t in_the_way) {
    if (left_for_help_ == 0) return true;
    const uint64_t before = local_.expansions();
    const bool joined = local_.join(crowd, agent, routes_[agent], radius, in_the_way);
    const uint64_t spent = local_.expansions() - before;
    work_.expansions += spent;
    left_for_help_ -= std::min(left_for_help_, spent);
    if (!joined) ask(agent, Asks::kRoute);
    return joined;
}

// Looks where an agent is, and whether it gets anywhere.
void Swarm::keep_up(const Crowd& crowd, AgentId agent) {
    const CrowdAgent& who = crowd.agents()[agent];
    Walker& walker = walkers_[agent];
    Route& route = routes_[agent];
    const Ground& ground = crowd.ground_of(agent);
    if (!route.known()) {
        if (!walker.cut_off && walker.asks == Asks::kNothing && agent != searching_ && ground.passable(who.at)) {
            ask(agent, Asks::kRoute);
        }
        return;
    }
    const int32_t apart = route.follow(crowd, ground, who.at);
    const Tick since = crowd.ticks() - nearer_since_[agent];
    if ((apart > kFarthest || (apart > 1 && since >= kLostTicks)) && !join_route(crowd, agent, kLostRadius, 0)) return;
    const bool settled = who.at_goal() && who.idle >= options_.stuck_ticks;  // others may push it off and on again for ever
    if (route.moves_left() < walker.nearest || settled) {
        walker.nearest = route.moves_left();
        nearer_since_[agent] = crowd.ticks();
    }
    const Tick stuck = crowd.ticks() - nearer_since_[agent];
    if (!who.at_goal() && stuck > 0 && stuck % options_.stuck_ticks == 0) help(crowd, agent, stuck / options_.stuck_ticks);
}

void Swarm::help(const Crowd& crowd, AgentId agent, uint32_t rounds) {
    if (rounds % 2 == 1) {
        const size_t before = routes_[agent].moves_left();
        if (!join_route(crowd, agent, kStuckRadius, kInTheWay)) return;
        const size_t after = routes_[agent].moves_left();  // the way around takes as much longer
        nearer_since_[agent] = std::min(crowd.ticks(), nearer_since_[agent] + static_cast<Tick>(after - std::min(before, after)));
    } else if (rounds % kLastRound == 0 || in_deadlock(crowd, agent)) {
        if (options_.jams) solve_jam(crowd, agent);
    } else if (rounds % kLastRound == kLastRound / 2) {
        ask(agent, Asks::kRoute);
    }
}

// Whether it waits for one who waits, and so on, none of whom gets anywhere: round in a circle, or up to one who has nowhere to go. Who
// only stands in a queue is not.
bool Swarm::in_deadlock(const Crowd& crowd, AgentId agent) const {
    for (uint32_t i = 0; i < kLongestWait; ++i) {
        const Route& route = routes_[agent];
        if (route.moves_left() == 0) return true;
        if (crowd.ticks() - nearer_since_[agent] < options_.stuck_ticks) return false;
        const CellId at = crowd.agents()[agent].at;
        const AgentId before = crowd.agent_at(at == route.anchor() ? moved(crowd.layout(), at, route.next_move()) : route.anchor());
        if (before == kNoAgent) return false;
        agent = before;
    }
    return true;
}

// One in a tick.
void Swarm::solve_jam(const Crowd& crowd, AgentId agent) {
    if (last_jam_ == crowd.ticks() && crowd.ticks() > 0) return;
    last_jam_ = crowd.ticks();
    const uint64_t before = jams_.expansions();
    const bool solved = jams_.solve(crowd, {routes_, busy_, nearer_since_}, agent, options_.stuck_ticks);
    work_.expansions += jams_.expansions() - before;
    ++work_.plans;
    if (!solved) {
        ++work_.failures;
        return;
    }
    plans_.push_back({{jams_.members().begin(), jams_.members().end()}, {jams_.plan().begin(), jams_.plan().end()}});
    for (const AgentId member : jams_.members()) busy_[member] = 1;
}

void Swarm::follow_plans(const Crowd& crowd) {
    std::erase_if(plans_, [&](JamPlan& plan) {
        const bool over = !follow_plan(crowd, plan);
        if (over) {
            for (const AgentId member : plan.members) busy_[member] = 0;
        }
        return over;
    });
}

// Whoever stands on a cell goes on in the same tick: by this plan, or because it has chosen to.
bool Swarm::leaves(const Crowd& crowd, const JamPlan& plan, CellId cell) const {
    const AgentId other = crowd.agent_at(cell);
    return other == kNoAgent || step_.chosen(other) || std::find(plan.members.begin(), plan.members.end(), other) != plan.members.end();
}

// All make their next move, before anyone else chooses. False, and nobody does, where the plan is at its end or something came between.
bool Swarm::follow_plan(const Crowd& crowd, JamPlan& plan) {
    const size_t count = plan.members.size(), next = plan.done + count;
    if (next == plan.cells.size()) return false;
    for (size_t i = 0; i < count; ++i) {
        const AgentId agent = plan.members[i];
        const CrowdAgent& who = crowd.agents()[agent];
        const CellId to = plan.cells[next + i];
        if (who.at != plan.cells[plan.done + i] || !step_.free(agent, to)) return false;
        if (!leaves(crowd, plan, to)) return false;
        if (!crowd.ground_of(agent).can_step(who.at, to)) return false;
    }
    for (size_t i = 0; i < count; ++i) step_.take(plan.members[i], plan.cells[next + i]);
    plan.done = next;
    return true;
}

// By the time since they had their goals.
void Swarm::put_in_order(const Crowd& crowd) {
    late_.clear();
    std::erase_if(order_, [&](AgentId agent) {
        if (walkers_[agent].late && crowd.agents()[agent].present()) late_.push_back(agent);
        return walkers_[agent].late;
    });
    for (const AgentId agent : late_) {
        walkers_[agent].late = false;
        order_.push_back(agent);
    }
}

void Swarm::plan(const Crowd& crowd, std::span<CellId> next) {
    find_routes(crowd);
    put_in_order(crowd);
    left_for_help_ = budget();
    for (const AgentId agent : order_) {
        if (busy_[agent] == 0) keep_up(crowd, agent);
    }
    if (options_.flow && !flow_) flow_.emplace(crowd.layout(), options_.flow_options);
    wisher_.begin(crowd, routes_, flow());
    step_.begin(crowd, next, wisher_);
    follow_plans(crowd);
    for (const AgentId agent : order_) {
        if (routes_[agent].moves_left() > 0) step_.choose(agent);
    }
    for (const AgentId agent : order_) step_.choose(agent);
    step_.end();
    if (flow_) flow_->learn(crowd, next);
}

size_t Swarm::bytes() const {
    size_t routes = 0;
    for (const Route& route : routes_) routes += route.bytes();
    size_t plans = plans_.capacity() * sizeof(JamPlan);
    for (const JamPlan& plan : plans_) plans += plan.members.capacity() * sizeof(AgentId) + plan.cells.capacity() * sizeof(CellId);
    return sizeof(Swarm) + walkers_.capacity() * sizeof(Walker) + routes_.capacity() * sizeof(Route) + routes +
           (order_.capacity() + late_.capacity()) * sizeof(AgentId) + (asking_.size() + asking_later_.size()) * sizeof(AgentId) +
           finder_.bytes() + group_.capacity() * sizeof(AgentId) + groups_.bytes() + trees_.bytes() + (flow_ ? flow_->map().bytes() : 0) +
           local_.bytes() + jams_.bytes() + busy_.capacity() + nearer_since_.capacity() * sizeof(Tick) + step_.bytes() + plans;
}

}  // namespace

std::unique_ptr<CrowdMethod> make_swarm(const SwarmOptions& options) { return std::make_unique<Swarm>(options); }

}  // namespace terrane
