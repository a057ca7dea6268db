#include "terrane/crowd/pibt.h"

#include <algorithm>
#include <numeric>

#include "crowd/pibt/constrained_pibt.h"

namespace terrane {

namespace {

class PibtMethod : public CrowdMethod {
public:
    explicit PibtMethod(const PibtOptions& options) : options_(options) {}

    void agent_joined(const Crowd&, AgentId) override { agents_changed_ = true; }
    void agent_left(const Crowd&, AgentId) override { agents_changed_ = true; }
    void goal_changed(const Crowd&, AgentId) override { agents_changed_ = true; }
    void world_changed(const Crowd&, const EditResult&) override { pibt_.reset(); }

    void plan(const Crowd& crowd, std::span<CellId> next) override {
        if (pibt_ == nullptr) rebuild_ground(crowd);
        if (agents_changed_) refresh_agents(crowd);
        sort_by_priority(crowd);
        std::fill(to_.begin(), to_.end(), kNoSpot);
        pibt_->step(walkers_, at_, order_, to_);
        if (options_.flow) learn_flow();
        for (size_t i = 0; i < ids_.size(); ++i) next[ids_[i]] = ground_->cell(to_[i]);
        at_.swap(to_);
        work_.expansions += ids_.size();
    }

    const DirectionMap* flow() const override { return flow_.bytes() > 0 ? &flow_ : nullptr; }
    CrowdWork work() const override { return work_; }
    size_t bytes() const override {
        size_t bytes = sizeof(*this) + flow_.bytes() + elapsed_.capacity() * sizeof(uint32_t) + walkers_.capacity() * sizeof(Walker) +
                       (ids_.capacity() + order_.capacity()) * sizeof(AgentId) + (at_.capacity() + to_.capacity()) * sizeof(Spot) +
                       fields_in_use_.capacity() * sizeof(FieldId);
        if (ground_ != nullptr) bytes += sizeof(CrowdGround) + ground_->bytes();
        if (fields_ != nullptr) bytes += sizeof(GoalFields) + fields_->bytes();
        if (pibt_ != nullptr) bytes += sizeof(ConstrainedPibt) + pibt_->bytes();
        return bytes;
    }
    std::unique_ptr<CrowdMethod> fresh() const override { return make_pibt(options_); }

private:
    void rebuild_ground(const Crowd& crowd) {
        std::vector<CellId> extra_cells;
        extra_cells.reserve(crowd.present());
        for (const CrowdAgent& agent : crowd.agents()) {
            if (agent.present()) extra_cells.push_back(agent.at);
        }
        fields_.reset();
        ground_ = std::make_unique<CrowdGround>(crowd.grid(), crowd.types(), crowd.movement(), extra_cells);
        fields_ = std::make_unique<GoalFields>(*ground_);
        if (options_.flow && flow_.bytes() == 0) flow_ = DirectionMap(crowd.layout(), options_.direction_map);
        pibt_ = std::make_unique<ConstrainedPibt>(*ground_, *fields_,
                                                  ConstrainedPibt::Options{options_.swap, options_.seed, options_.flow ? &flow_ : nullptr});
        fields_in_use_.clear();
        agents_changed_ = true;
    }

    // Reads the agents, their spots and goals from the crowd, and takes the fields of the goals. Fields in use are not rebuilt.
    void refresh_agents(const Crowd& crowd) {
        ids_.clear();
        walkers_.clear();
        at_.clear();
        std::vector<FieldRequest> requests;
        for (AgentId id = 0; id < crowd.agents().size(); ++id) {
            const CrowdAgent& agent = crowd.agents()[id];
            if (!agent.present()) continue;
            ids_.push_back(id);
            at_.push_back(ground_->spot(agent.at));
            walkers_.push_back({ground_->spot(agent.goal), kNoField, agent.type, true});
            if (walkers_.back().goal != kNoSpot) requests.push_back({walkers_.back().goal, agent.type});
        }
        std::vector<FieldId> fields = fields_->take(requests, options_.threads);
        for (const FieldId field : fields_in_use_) fields_->drop(field);
        fields_in_use_ = std::move(fields);
        for (size_t i = 0, k = 0; i < walkers_.size(); ++i) {
            if (walkers_[i].goal != kNoSpot) walkers_[i].field = fields_in_use_[k++];
        }
        to_.resize(ids_.size());
        elapsed_.resize(crowd.agents().size(), 0);
        work_.plans += 1;
        agents_changed_ = false;
    }

    // Most ticks since the agent was at its goal first; ties by id.
    void sort_by_priority(const Crowd& crowd) {
        order_.resize(ids_.size());
        std::iota(order_.begin(), order_.end(), AgentId{0});
        for (const AgentId id : ids_) elapsed_[id] = crowd.agents()[id].at_goal() ? 0 : elapsed_[id] + 1;
        std::sort(order_.begin(), order_.end(), [&](AgentId a, AgentId b) {
            return elapsed_[ids_[a]] != elapsed_[ids_[b]] ? elapsed_[ids_[a]] > elapsed_[ids_[b]] : a < b;
        });
    }

    void learn_flow() {
        for (size_t i = 0; i < ids_.size(); ++i) {
            if (to_[i] != at_[i]) flow_.learn(ground_->cell(at_[i]), ground_->move_between(at_[i], to_[i]));
        }
        flow_.decay();
    }

    PibtOptions options_;
    std::unique_ptr<CrowdGround> ground_;
    std::unique_ptr<GoalFields> fields_;
    std::unique_ptr<ConstrainedPibt> pibt_;  // null after the world changed
    DirectionMap flow_;
    bool agents_changed_ = true;  // agents or goals changed since refresh_agents()
    std::vector<AgentId> ids_;    // of the agents present; walkers_, at_ and to_ are parallel to it, order_ holds indices into it
    std::vector<Walker> walkers_;
    std::vector<Spot> at_, to_;
    std::vector<AgentId> order_;
    std::vector<FieldId> fields_in_use_;
    std::vector<uint32_t> elapsed_;  // by agent id: ticks since it was at its goal
    CrowdWork work_;
};

}  // namespace

std::unique_ptr<CrowdMethod> make_pibt(const PibtOptions& options) { return std::make_unique<PibtMethod>(options); }

}  // namespace terrane
