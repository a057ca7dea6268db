#include "terrane/crowd/cooperative.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "crowd/cooperative/guides.h"
#include "crowd/cooperative/plan_book.h"
#include "crowd/cooperative/settle.h"
#include "crowd/cooperative/window_search.h"
#include "crowd/direction_maps/flow.h"
#include "terrane/base/assert.h"

namespace terrane {

namespace {

constexpr uint64_t kWindowExpansions = 4096;
constexpr uint64_t kWholeExpansions = 16384;
// Ticks until an agent that planned a whole path in vain tries again: each time twice as many.
constexpr uint32_t kShortestPause = 4, kLongestPause = 64;
constexpr uint32_t kTries = 4;                 // of an agent in one tick
constexpr uint64_t kHeld = uint64_t{1} << 63;  // of a rank: above all, since it cannot go anywhere

class Cooperative : public CrowdMethod {
public:
    explicit Cooperative(const CooperativeOptions& options) : options_(options), guides_(options) {
        TERRANE_ASSERT(whole() || (options.window >= 1 && options.window <= 1024));
        if (options_.max_expansions == 0) options_.max_expansions = whole() ? kWholeExpansions : kWindowExpansions;
    }

    void agent_left(const Crowd&, AgentId agent) override {
        if (book_) book_->drop(agent);
        guides_.forget(agent);
    }
    void goal_changed(const Crowd&, AgentId agent) override {
        guides_.forget(agent);
        if (agent >= turns_.size()) return;
        turns_[agent] = {};
        if (whole()) book_->drop(agent);  // what it parks on is its old goal
    }
    void world_changed(const Crowd& crowd, const EditResult& edit) override {
        guides_.world_changed(crowd, edit);
        edited_ = true;
    }

    void plan(const Crowd& crowd, std::span<CellId> next) override;

    const ReservationTable* reservations() const override { return book_ ? &book_->table() : nullptr; }
    const DirectionMap* flow() const override { return flow_ ? &flow_->map() : nullptr; }
    CrowdWork work() const override { return {searched_ + guides_.expansions(), plans_, failures_}; }
    size_t bytes() const override;
    std::unique_ptr<CrowdMethod> fresh() const override { return make_cooperative(options_); }

private:
    struct Turn {
        Tick due = 0;        // when the agent plans again
        uint32_t pause = 0;  // after the last failure
        uint32_t away = 0;   // ticks since it was at its goal
        uint32_t tries = 0;  // in this tick
    };

    bool whole() const { return options_.kind == CooperativeKind::kWhole; }
    uint32_t period() const { return std::max(1u, options_.window / 2); }
    void begin_tick(const Crowd& crowd);
    void rank(const Crowd& crowd);
    void set_waits(const Crowd& crowd);
    void take_turns(const Crowd& crowd);
    void take_turn(const Crowd& crowd, AgentId agent);
    bool search(const Crowd& crowd, AgentId agent);
    bool search_in(const detail::WindowTask& task);
    void succeed(Tick now, AgentId agent);
    void fail(Tick now, AgentId agent);

    CooperativeOptions options_;
    detail::Guides guides_;
    std::optional<detail::PlanBook> book_;  // from the first tick on
    std::optional<detail::Flow> flow_;
    detail::WindowSearch window_;
    detail::Settler settler_;
    std::vector<std::array<uint64_t, 256>> waits_;  // by kind and terrain: what planning takes a tick for
    std::vector<Turn> turns_;                       // by agent
    std::vector<AgentId> order_;                    // who is present, by rank in this tick
    std::vector<uint64_t> ranks_;                   // by agent; the higher goes first
    std::vector<AgentId> due_;                      // who plans in this tick: a heap, by rank
    std::vector<AgentId> evicted_;                  // who has just lost its plan to another
    bool edited_ = false;
    uint64_t searched_ = 0, plans_ = 0, failures_ = 0;
};

void Cooperative::plan(const Crowd& crowd, std::span<CellId> next) {
    begin_tick(crowd);
    take_turns(crowd);
    for (const AgentId agent : order_) next[agent] = book_->next(agent);
    settler_.settle(crowd, next, order_);
    if (flow_) flow_->learn(crowd, next);
}

void Cooperative::begin_tick(const Crowd& crowd) {
    if (!book_) book_.emplace(crowd.layout());
    if (waits_.empty()) set_waits(crowd);
    if (options_.flow && !flow_) flow_.emplace(crowd.layout(), options_.flow_map);
    book_->begin_tick(crowd, edited_);
    edited_ = false;
    turns_.resize(crowd.agents().size());
    rank(crowd);
}

// What waits cost, where distances ahead are exact. Where they are guesses, or a direction map makes moves dearer than they are, that would
// often be less than what going on seems to cost, and an agent on dear terrain would never go; so it counts as a step there.
void Cooperative::set_waits(const Crowd& crowd) {
    const bool exact = options_.kind != CooperativeKind::kPartial && options_.level == 0 && !options_.flow;
    const uint64_t percent = 100 + (options_.flow ? 2 * uint64_t{options_.flow_map.weight} : 0);
    for (const CrowdKind& kind : crowd.kinds()) {
        const uint64_t least = kind.wait / kind.costs.divisor;
        waits_.emplace_back();
        for (size_t t = 0; t < 256; ++t) {
            const uint64_t step = uint64_t{2} * kStraight * kind.costs.cost[t];
            waits_.back()[t] = exact ? least : std::max(least, step) * percent / 100;
        }
    }
}

// By how long they have been under way: who arrives makes way for all that have not, and nobody is the last for ever. Ties: by number.
void Cooperative::rank(const Crowd& crowd) {
    ranks_.resize(turns_.size());
    order_.clear();
    for (AgentId agent = 0; agent < turns_.size(); ++agent) {
        const CrowdAgent& who = crowd.agents()[agent];
        if (!who.present()) continue;
        Turn& turn = turns_[agent];
        turn.tries = 0;
        turn.away = who.at_goal() ? 0 : turn.away + 1;
        ranks_[agent] = uint64_t{turn.away} << 32 | (kNoAgent - agent);
        order_.push_back(agent);
    }
    std::ranges::sort(order_, std::ranges::greater{}, [&](AgentId agent) { return ranks_[agent]; });
}

// By rank. Those who lose their plans to others plan again in this tick. Whoever tries too often is held, which can be done once only,
// since nobody else can be where it stands; so this ends.
void Cooperative::take_turns(const Crowd& crowd) {
    const auto lower = [this](AgentId a, AgentId b) { return ranks_[a] < ranks_[b]; };
    due_.clear();
    for (const AgentId agent : order_) {
        if (!book_->has_next(agent) || turns_[agent].due <= crowd.ticks()) due_.push_back(agent);
    }
    std::ranges::make_heap(due_, lower);
    while (!due_.empty()) {
        std::ranges::pop_heap(due_, lower);
        const AgentId agent = due_.back();
        due_.pop_back();
        evicted_.clear();
        take_turn(crowd, agent);
        for (const AgentId other : evicted_) {
            due_.push_back(other);
            std::ranges::push_heap(due_, lower);
        }
    }
}

void Cooperative::take_turn(const Crowd& crowd, AgentId agent) {
    if (book_->has_next(agent) && turns_[agent].due > crowd.ticks()) return;  // has planned since it lost its plan
    ++plans_;
    const bool found = turns_[agent].tries++ < kTries && search(crowd, agent);
    if (!found || guides_.hopeless(agent)) ++failures_;
    if (found) {
        succeed(crowd.ticks(), agent);
    } else {
        fail(crowd.ticks(), agent);
    }
}

bool Cooperative::search(const Crowd& crowd, AgentId agent) {
    const CrowdAgent& who = crowd.agents()[agent];
    ReverseSearch* ahead = guides_.guide(crowd, agent);
    const ReverseSpace& space = guides_.space(who.kind);
    detail::WindowTask task{.grid = &crowd.grid(),
                            .graph = &space.graph(),
                            .reservations = &book_->table(),
                            .flow = flow(),
                            .ahead = ahead,
                            .agent = agent,
                            .from = who.at,
                            .goal = who.goal,
                            .ranks = whole() ? nullptr : ranks_.data(),
                            .waits = waits_[who.kind].data(),
                            .flow_weight = flow_ ? options_.flow_map.weight : 0,
                            .now = crowd.ticks(),
                            .window = options_.window};
    if (!whole()) return search_in(task);
    if (ahead == nullptr || book_->parked_by_other(agent, who.goal)) return false;
    task.window = detail::kNever;
    task.done_from = book_->free_from(agent, who.goal) - crowd.ticks();
    task.parked = book_->parked_since();
    return search_in(task);
}

bool Cooperative::search_in(const detail::WindowTask& task) {
    const Status status = window_.run(task, options_.max_expansions);
    searched_ += window_.expansions();
    guides_.count(task.agent);
    if (status == Status::kFound) book_->adopt(task.agent, window_.cells(), whole(), evicted_);
    return status == Status::kFound;
}

// Each agent's turn comes every period() ticks, and another's in each of them.
void Cooperative::succeed(Tick now, AgentId agent) {
    Turn& turn = turns_[agent];
    turn.pause = 0;
    turn.due = whole() ? detail::kNever : now + period() - (now + period() - agent % period()) % period();
}

// Keeps to the plan it has, if it has one.
void Cooperative::fail(Tick now, AgentId agent) {
    Turn& turn = turns_[agent];
    turn.pause = whole() ? std::clamp(2 * turn.pause, kShortestPause, kLongestPause) : 1;
    turn.due = now + turn.pause;
    if (book_->has_next(agent)) return;
    ranks_[agent] |= kHeld;
    book_->hold(agent, whole() ? turn.pause : period(), evicted_);
}

size_t Cooperative::bytes() const {
    return sizeof(*this) + guides_.bytes() + (book_ ? book_->bytes() : 0) + (flow_ ? flow_->map().bytes() : 0) + window_.bytes() +
           settler_.bytes() + turns_.capacity() * sizeof(Turn) +
           (order_.capacity() + due_.capacity() + evicted_.capacity()) * sizeof(AgentId) + ranks_.capacity() * sizeof(uint64_t) +
           waits_.capacity() * sizeof(waits_[0]);
}

}  // namespace

std::unique_ptr<CrowdMethod> make_cooperative(const CooperativeOptions& options) { return std::make_unique<Cooperative>(options); }

}  // namespace terrane
