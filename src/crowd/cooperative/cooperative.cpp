#include "terrane/crowd/cooperative.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "crowd/cooperative/conflict_resolver.h"
#include "crowd/cooperative/reservation_plans.h"
#include "crowd/cooperative/space_time_astar.h"
#include "crowd/cooperative/space_time_heuristic.h"
#include "crowd/direction_maps/direction_learner.h"
#include "terrane/base/assert.h"

namespace terrane {

namespace {

constexpr uint64_t kWindowExpansions = 4096;
constexpr uint64_t kWholeExpansions = 16384;
// Ticks until an agent whose whole-path search failed tries again; doubled after each failure.
constexpr uint32_t kShortestPause = 4, kLongestPause = 64;
constexpr uint32_t kMaxTries = 4;              // searches of one agent in one tick
constexpr uint64_t kHeld = uint64_t{1} << 63;  // rank bit of an agent that must wait: above all other ranks, since it cannot yield

class Cooperative : public CrowdMethod {
public:
    explicit Cooperative(const CooperativeOptions& options) : options_(options), heuristics_(options) {
        TERRANE_ASSERT(plans_whole_paths() || (options.window >= 1 && options.window <= 1024));
        if (options_.max_expansions == 0) options_.max_expansions = plans_whole_paths() ? kWholeExpansions : kWindowExpansions;
    }

    void agent_left(const Crowd&, AgentId agent) override {
        if (plans_) plans_->drop(agent);
        heuristics_.discard(agent);
    }
    void goal_changed(const Crowd&, AgentId agent) override {
        heuristics_.discard(agent);
        if (agent >= schedules_.size()) return;
        schedules_[agent] = {};
        if (plans_whole_paths()) plans_->drop(agent);  // releases the parking reservation on the old goal
    }
    void world_changed(const Crowd& crowd, const EditResult& edit) override {
        heuristics_.world_changed(crowd, edit);
        edited_ = true;
    }

    void plan(const Crowd& crowd, std::span<CellId> next) override;

    const ReservationTable* reservations() const override { return plans_ ? &plans_->table() : nullptr; }
    const DirectionMap* flow() const override { return direction_learner_ ? &direction_learner_->map() : nullptr; }
    CrowdWork work() const override { return {expansions_ + heuristics_.expansions(), plan_count_, failure_count_}; }
    size_t bytes() const override;
    std::unique_ptr<CrowdMethod> fresh() const override { return make_cooperative(options_); }

private:
    struct Schedule {
        Tick due = 0;        // tick in which the agent plans again
        uint32_t pause = 0;  // ticks of the back-off after the last failure
        uint32_t away = 0;   // ticks since the agent was at its goal
        uint32_t tries = 0;  // searches in this tick
    };

    bool plans_whole_paths() const { return options_.algorithm == CooperativeAlgorithm::kCa; }
    uint32_t period() const { return std::max(1u, options_.window / 2); }
    void begin_tick(const Crowd& crowd);
    void rank(const Crowd& crowd);
    void set_wait_costs(const Crowd& crowd);
    void plan_due_agents(const Crowd& crowd);
    void plan_agent(const Crowd& crowd, AgentId agent);
    bool search(const Crowd& crowd, AgentId agent);
    bool run_search(const detail::SpaceTimeQuery& query);
    void succeed(Tick now, AgentId agent);
    void fail(Tick now, AgentId agent);

    CooperativeOptions options_;
    detail::SpaceTimeHeuristics heuristics_;
    std::optional<detail::ReservationPlans> plans_;  // created in the first tick
    std::optional<detail::DirectionLearner> direction_learner_;
    detail::SpaceTimeAStar space_time_astar_;
    detail::ConflictResolver resolver_;
    std::vector<std::array<uint64_t, 256>> wait_costs_;  // by agent type and terrain: cost of a wait in the search
    std::vector<Schedule> schedules_;                    // by agent
    std::vector<AgentId> order_;                         // present agents, by descending rank
    std::vector<uint64_t> ranks_;                        // by agent; higher ranks plan first
    std::vector<AgentId> due_;                           // agents that plan in this tick: a heap by rank
    std::vector<AgentId> evicted_;                       // agents that lost their plan to the last search
    bool edited_ = false;
    uint64_t expansions_ = 0, plan_count_ = 0, failure_count_ = 0;
};

void Cooperative::plan(const Crowd& crowd, std::span<CellId> next) {
    begin_tick(crowd);
    plan_due_agents(crowd);
    for (const AgentId agent : order_) next[agent] = plans_->next(agent);
    resolver_.resolve(crowd, next, order_);
    if (direction_learner_) direction_learner_->learn(crowd, next);
}

void Cooperative::begin_tick(const Crowd& crowd) {
    if (!plans_) plans_.emplace(crowd.layout());
    if (wait_costs_.empty()) set_wait_costs(crowd);
    if (options_.flow && !direction_learner_) direction_learner_.emplace(crowd.layout(), options_.direction_map);
    plans_->begin_tick(crowd, edited_);
    edited_ = false;
    schedules_.resize(crowd.agents().size());
    rank(crowd);
}

// With exact distances, a wait costs what the crowd charges for it. With estimates, or with a direction map, which makes moves costlier
// than they are, that can be less than any move seems to cost, and an agent on expensive terrain would wait forever. A wait then costs a
// step.
void Cooperative::set_wait_costs(const Crowd& crowd) {
    const bool exact = options_.algorithm != CooperativeAlgorithm::kCpra && options_.level == 0 && !options_.flow;
    const uint64_t percent = 100 + (options_.flow ? 2 * uint64_t{options_.direction_map.weight} : 0);
    for (const AgentType& type : crowd.types()) {
        const uint64_t least = type.wait / type.costs.divisor;
        wait_costs_.emplace_back();
        for (size_t t = 0; t < 256; ++t) {
            const uint64_t step = uint64_t{2} * kStraight * type.costs.cost[t];
            wait_costs_.back()[t] = exact ? least : std::max(least, step) * percent / 100;
        }
    }
}

// Ranks agents by ticks since they were at their goals, then by ascending id. So arrived agents yield, and no agent stays last forever.
void Cooperative::rank(const Crowd& crowd) {
    ranks_.resize(schedules_.size());
    order_.clear();
    for (AgentId agent = 0; agent < schedules_.size(); ++agent) {
        const CrowdAgent& state = crowd.agents()[agent];
        if (!state.present()) continue;
        Schedule& schedule = schedules_[agent];
        schedule.tries = 0;
        schedule.away = state.at_goal() ? 0 : schedule.away + 1;
        ranks_[agent] = uint64_t{schedule.away} << 32 | (kNoAgent - agent);
        order_.push_back(agent);
    }
    std::ranges::sort(order_, std::ranges::greater{}, [&](AgentId agent) { return ranks_[agent]; });
}

// Plans in order of rank. Agents that lose their plans to others plan again in this tick. Terminates: after kMaxTries searches an agent is
// held on its cell, and a held agent cannot be evicted.
void Cooperative::plan_due_agents(const Crowd& crowd) {
    const auto lower = [this](AgentId a, AgentId b) { return ranks_[a] < ranks_[b]; };
    due_.clear();
    for (const AgentId agent : order_) {
        if (!plans_->has_next(agent) || schedules_[agent].due <= crowd.ticks()) due_.push_back(agent);
    }
    std::ranges::make_heap(due_, lower);
    while (!due_.empty()) {
        std::ranges::pop_heap(due_, lower);
        const AgentId agent = due_.back();
        due_.pop_back();
        evicted_.clear();
        plan_agent(crowd, agent);
        for (const AgentId other : evicted_) {
            due_.push_back(other);
            std::ranges::push_heap(due_, lower);
        }
    }
}

void Cooperative::plan_agent(const Crowd& crowd, AgentId agent) {
    if (plans_->has_next(agent) && schedules_[agent].due > crowd.ticks()) return;  // has replanned since its eviction
    ++plan_count_;
    const bool found = schedules_[agent].tries++ < kMaxTries && search(crowd, agent);
    if (!found || heuristics_.goal_unreachable(agent)) ++failure_count_;
    if (found) {
        succeed(crowd.ticks(), agent);
    } else {
        fail(crowd.ticks(), agent);
    }
}

bool Cooperative::search(const Crowd& crowd, AgentId agent) {
    const CrowdAgent& state = crowd.agents()[agent];
    RraStar* heuristic = heuristics_.heuristic_for(crowd, agent);
    const RraSpace& space = heuristics_.space(state.type);
    detail::SpaceTimeQuery query{.grid = &crowd.grid(),
                                 .graph = &space.graph(),
                                 .reservations = &plans_->table(),
                                 .direction_map = flow(),
                                 .heuristic = heuristic,
                                 .agent = agent,
                                 .from = state.at,
                                 .goal = state.goal,
                                 .ranks = plans_whole_paths() ? nullptr : ranks_.data(),
                                 .wait_costs = wait_costs_[state.type].data(),
                                 .direction_weight = direction_learner_ ? options_.direction_map.weight : 0,
                                 .now = crowd.ticks(),
                                 .window = options_.window};
    if (!plans_whole_paths()) return run_search(query);
    if (heuristic == nullptr || plans_->parked_by_other(agent, state.goal)) return false;
    query.window = detail::kNever;
    query.earliest_arrival = plans_->free_from(agent, state.goal) - crowd.ticks();
    query.parked_since = plans_->parked_since();
    return run_search(query);
}

bool Cooperative::run_search(const detail::SpaceTimeQuery& query) {
    const Status status = space_time_astar_.run(query, options_.max_expansions);
    expansions_ += space_time_astar_.expansions();
    heuristics_.count_expansions(query.agent);
    if (status == Status::kFound) plans_->adopt(query.agent, space_time_astar_.cells(), plans_whole_paths(), evicted_);
    return status == Status::kFound;
}

// The agent plans again at its next multiple of period(), offset by its id, so that searches are spread evenly over the ticks.
void Cooperative::succeed(Tick now, AgentId agent) {
    Schedule& schedule = schedules_[agent];
    schedule.pause = 0;
    schedule.due = plans_whole_paths() ? detail::kNever : now + period() - (now + period() - agent % period()) % period();
}

// An agent that still has a plan follows it; otherwise it is held on its cell.
void Cooperative::fail(Tick now, AgentId agent) {
    Schedule& schedule = schedules_[agent];
    schedule.pause = plans_whole_paths() ? std::clamp(2 * schedule.pause, kShortestPause, kLongestPause) : 1;
    schedule.due = now + schedule.pause;
    if (plans_->has_next(agent)) return;
    ranks_[agent] |= kHeld;
    plans_->hold(agent, plans_whole_paths() ? schedule.pause : period(), evicted_);
}

size_t Cooperative::bytes() const {
    return sizeof(*this) + heuristics_.bytes() + (plans_ ? plans_->bytes() : 0) +
           (direction_learner_ ? direction_learner_->map().bytes() : 0) + space_time_astar_.bytes() + resolver_.bytes() +
           schedules_.capacity() * sizeof(Schedule) + (order_.capacity() + due_.capacity() + evicted_.capacity()) * sizeof(AgentId) +
           ranks_.capacity() * sizeof(uint64_t) + wait_costs_.capacity() * sizeof(wait_costs_[0]);
}

}  // namespace

std::unique_ptr<CrowdMethod> make_cooperative(const CooperativeOptions& options) { return std::make_unique<Cooperative>(options); }

}  // namespace terrane
