#include <algorithm>

#include "terrane/crowd/lacam.h"
#include "terrane/crowd/pibt.h"

namespace terrane {

namespace {

constexpr uint64_t kPlanBudget = 40'000'000;      // expansions
constexpr uint64_t kImprovementPerAgent = 2000;   // expansions
constexpr Tick kFirstPause = 4, kMaxPause = 256;  // ticks between a failure and the next try; doubled after each failure

class LacamMethod : public CrowdMethod {
public:
    explicit LacamMethod(const LacamOptions& options)
        : options_(options), fallback_(make_pibt({.swap = options.swap, .threads = options.threads, .seed = options.seed})) {
        options_.lenient = true;
    }

    void agent_joined(const Crowd& crowd, AgentId agent) override {
        state_ = State::kStale;
        fallback_->agent_joined(crowd, agent);
    }
    void agent_left(const Crowd& crowd, AgentId agent) override {
        state_ = State::kStale;
        fallback_->agent_left(crowd, agent);
    }
    void goal_changed(const Crowd& crowd, AgentId agent) override {
        state_ = State::kStale;
        fallback_->goal_changed(crowd, agent);
    }
    void world_changed(const Crowd& crowd, const EditResult& edit) override {
        state_ = State::kStale;
        lacam_.reset();
        fallback_->world_changed(crowd, edit);
    }

    void plan(const Crowd& crowd, std::span<CellId> next) override {
        if (state_ == State::kWaiting && pause_-- == 0) state_ = State::kStale;
        if (state_ == State::kStale) make_plan(crowd);
        if (state_ == State::kWaiting) {
            fallback_->plan(crowd, next);
            return;
        }
        ++step_;
        for (size_t i = 0; i < ids_.size(); ++i) next[ids_[i]] = lacam_->at(i, step_);
    }

    CrowdWork work() const override {
        CrowdWork work = work_;
        work.expansions += fallback_->work().expansions;
        return work;
    }
    size_t bytes() const override {
        return sizeof(*this) + (lacam_ != nullptr ? sizeof(Lacam) + lacam_->bytes() : 0) + fallback_->bytes() +
               ids_.capacity() * sizeof(AgentId);
    }
    std::unique_ptr<CrowdMethod> fresh() const override { return make_lacam(options_); }

private:
    enum class State : uint8_t { kStale, kPlanned, kWaiting };  // kWaiting: no plan was found; fallback_ moves the agents

    void make_plan(const Crowd& crowd) {
        if (lacam_ == nullptr) lacam_ = std::make_unique<Lacam>(crowd.grid(), crowd.types(), crowd.movement(), options_);
        std::vector<LacamAgent> agents;
        agents.reserve(crowd.present());
        ids_.clear();
        for (AgentId id = 0; id < crowd.agents().size(); ++id) {
            const CrowdAgent& agent = crowd.agents()[id];
            if (!agent.present()) continue;
            ids_.push_back(id);
            agents.push_back({agent.at, agent.goal, agent.type});
        }
        const uint64_t before = lacam_->expansions();
        lacam_->begin(agents);
        step_ = 0;
        ++work_.plans;
        if (lacam_->run(options_.budget != 0 ? options_.budget : kPlanBudget) == Status::kFound) {
            if (options_.improve) improve(lacam_->expansions() - before);
            state_ = State::kPlanned;
            next_pause_ = kFirstPause;
        } else {
            ++work_.failures;
            state_ = State::kWaiting;
            pause_ = next_pause_;
            next_pause_ = std::min(2 * next_pause_, kMaxPause);
        }
        work_.expansions += lacam_->expansions() - before;
    }

    void improve(uint64_t spent) {
        const uint64_t budget =
            options_.budget != 0 ? options_.budget - std::min(options_.budget, spent) : kImprovementPerAgent * ids_.size();
        lacam_->improve(budget);
    }

    LacamOptions options_;
    std::unique_ptr<CrowdMethod> fallback_;
    std::unique_ptr<Lacam> lacam_;  // null after the world changed
    State state_ = State::kStale;
    std::vector<AgentId> ids_;  // of the planned agents
    Tick step_ = 0;             // the tick of the plan
    Tick pause_ = 0, next_pause_ = kFirstPause;
    CrowdWork work_;
};

}  // namespace

std::unique_ptr<CrowdMethod> make_lacam(const LacamOptions& options) { return std::make_unique<LacamMethod>(options); }

}  // namespace terrane
