#include "terrane/crowd/pibt.h"

#include <algorithm>
#include <numeric>

#include "crowd/pibt/step_maker.h"

namespace terrane {

namespace {

class PibtMethod : public CrowdMethod {
public:
    explicit PibtMethod(const PibtOptions& options) : options_(options) {}

    void agent_joined(const Crowd&, AgentId) override { changed_ = true; }
    void agent_left(const Crowd&, AgentId) override { changed_ = true; }
    void goal_changed(const Crowd&, AgentId) override { changed_ = true; }
    void world_changed(const Crowd&, const EditResult&) override { maker_.reset(); }

    void plan(const Crowd& crowd, std::span<CellId> next) override {
        if (maker_ == nullptr) look_at_ground(crowd);
        if (changed_) look_at_agents(crowd);
        put_in_order(crowd);
        std::fill(to_.begin(), to_.end(), kNoSpot);
        maker_->make(walkers_, at_, order_, to_);
        if (options_.flow) learn();
        for (size_t i = 0; i < ids_.size(); ++i) next[ids_[i]] = ground_->cell(to_[i]);
        at_.swap(to_);
        work_.expansions += ids_.size();
    }

    const DirectionMap* flow() const override { return flow_.bytes() > 0 ? &flow_ : nullptr; }
    CrowdWork work() const override { return work_; }
    size_t bytes() const override {
        size_t bytes = sizeof(*this) + flow_.bytes() + waited_.capacity() * sizeof(uint32_t) + walkers_.capacity() * sizeof(Walker) +
                       (ids_.capacity() + order_.capacity()) * sizeof(AgentId) + (at_.capacity() + to_.capacity()) * sizeof(Spot) +
                       taken_.capacity() * sizeof(FieldId);
        if (ground_ != nullptr) bytes += sizeof(CrowdGround) + ground_->bytes();
        if (fields_ != nullptr) bytes += sizeof(GoalFields) + fields_->bytes();
        if (maker_ != nullptr) bytes += sizeof(StepMaker) + maker_->bytes();
        return bytes;
    }
    std::unique_ptr<CrowdMethod> fresh() const override { return make_pibt(options_); }

private:
    void look_at_ground(const Crowd& crowd) {
        std::vector<CellId> stood_on;
        stood_on.reserve(crowd.present());
        for (const CrowdAgent& agent : crowd.agents()) {
            if (agent.present()) stood_on.push_back(agent.at);
        }
        fields_.reset();
        ground_ = std::make_unique<CrowdGround>(crowd.grid(), crowd.kinds(), crowd.movement(), stood_on);
        fields_ = std::make_unique<GoalFields>(*ground_);
        if (options_.flow && flow_.bytes() == 0) flow_ = DirectionMap(crowd.layout(), options_.map);
        maker_ = std::make_unique<StepMaker>(*ground_, *fields_,
                                             StepMaker::Options{options_.swap, options_.seed, options_.flow ? &flow_ : nullptr});
        taken_.clear();
        changed_ = true;
    }

    // Who is there, where, and the fields of their goals. Those that are in use already are kept.
    void look_at_agents(const Crowd& crowd) {
        ids_.clear();
        walkers_.clear();
        at_.clear();
        std::vector<FieldRequest> requests;
        for (AgentId id = 0; id < crowd.agents().size(); ++id) {
            const CrowdAgent& agent = crowd.agents()[id];
            if (!agent.present()) continue;
            ids_.push_back(id);
            at_.push_back(ground_->spot(agent.at));
            walkers_.push_back({ground_->spot(agent.goal), kNoField, agent.kind, true});
            if (walkers_.back().goal != kNoSpot) requests.push_back({walkers_.back().goal, agent.kind});
        }
        std::vector<FieldId> fields = fields_->take(requests, options_.threads);
        for (const FieldId field : taken_) fields_->drop(field);
        taken_ = std::move(fields);
        for (size_t i = 0, k = 0; i < walkers_.size(); ++i) {
            if (walkers_[i].goal != kNoSpot) walkers_[i].field = taken_[k++];
        }
        to_.resize(ids_.size());
        waited_.resize(crowd.agents().size(), 0);
        work_.plans += 1;
        changed_ = false;
    }

    // Those who have been on their way for longest first.
    void put_in_order(const Crowd& crowd) {
        order_.resize(ids_.size());
        std::iota(order_.begin(), order_.end(), AgentId{0});
        for (const AgentId id : ids_) waited_[id] = crowd.agents()[id].at_goal() ? 0 : waited_[id] + 1;
        std::sort(order_.begin(), order_.end(),
                  [&](AgentId a, AgentId b) { return waited_[ids_[a]] != waited_[ids_[b]] ? waited_[ids_[a]] > waited_[ids_[b]] : a < b; });
    }

    void learn() {
        for (size_t i = 0; i < ids_.size(); ++i) {
            if (to_[i] != at_[i]) flow_.learn(ground_->cell(at_[i]), ground_->move_between(at_[i], to_[i]));
        }
        flow_.decay();
    }

    PibtOptions options_;
    std::unique_ptr<CrowdGround> ground_;
    std::unique_ptr<GoalFields> fields_;
    std::unique_ptr<StepMaker> maker_;  // null where the world has changed
    DirectionMap flow_;
    bool changed_ = true;       // agents or their goals
    std::vector<AgentId> ids_;  // of those who are there; what follows goes by the place in this
    std::vector<Walker> walkers_;
    std::vector<Spot> at_, to_;
    std::vector<AgentId> order_;
    std::vector<FieldId> taken_;
    std::vector<uint32_t> waited_;  // by agent: ticks since it was at its goal
    CrowdWork work_;
};

}  // namespace

std::unique_ptr<CrowdMethod> make_pibt(const PibtOptions& options) { return std::make_unique<PibtMethod>(options); }

}  // namespace terrane
