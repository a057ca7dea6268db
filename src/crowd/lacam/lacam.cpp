// Chooses the algorithm: prioritized planning over SIPP first (Stage::kPrioritized), LaCAM if it fails or does not apply (Stage::kLacam),
// large neighbourhood search to improve the plan that either of them found (Stage::kPlanned).
#include "terrane/crowd/lacam.h"

#include <algorithm>

#include "crowd/lacam/lacam_search.h"
#include "crowd/lacam/large_neighbourhood_search.h"
#include "crowd/lacam/prioritized_planner.h"
#include "crowd/pibt/guidance_fields.h"
#include "terrane/base/assert.h"

namespace terrane {

namespace {

// Prioritized planning fails after this many expansions per agent.
constexpr uint64_t kPrioritizedBudgetPerAgent = 2048;

// LaCAM restarts without guidance after this many ticks per step of the longest individual path, plus a constant: guidance can make agents
// circle forever.
constexpr uint64_t kGuidedTicksPerStep = 4, kExtraGuidedTicks = 256;

bool on_map(const GridLayout& layout, CellId cell) { return cell < layout.id_limit() && layout.contains(layout.cell(cell)); }

}  // namespace

Lacam::Lacam(const GridSnapshot& grid, std::span<const AgentType> types, Movement movement, const LacamOptions& options)
    : options_(options), grid_(grid), types_(types.begin(), types.end()), movement_(movement) {
    TERRANE_ASSERT(!types_.empty() && types_.size() <= 0x10000);
}
Lacam::~Lacam() = default;
Lacam::Lacam(Lacam&&) noexcept = default;
Lacam& Lacam::operator=(Lacam&&) noexcept = default;

void Lacam::begin(std::span<const LacamAgent> agents) {
    TERRANE_ASSERT(agents.size() <= kMaxAgents);
    TERRANE_ASSERT(std::ranges::all_of(agents, [&](const LacamAgent& agent) {
        return agent.type < types_.size() && on_map(grid_.layout(), agent.at) && on_map(grid_.layout(), agent.goal);
    }));
    search_.reset();
    guidance_.reset();
    lns_.reset();
    planner_.reset();
    plan_.reset();
    prioritized_ = false;
    take_fields(agents);
    assign_goals(agents);
    if (infeasible()) {
        stage_ = Stage::kInfeasible;
        return;
    }
    reset_plan();
    with_guidance_ = options_.guidance && GuidanceFields::supports(*ground_, walkers_);
    const bool all_must_arrive = std::ranges::all_of(walkers_, [](const Walker& walker) { return walker.must_arrive; });
    stage_ = options_.prioritized && all_must_arrive ? Stage::kPrioritized : Stage::kLacam;
    if (stage_ == Stage::kPrioritized) planner_ = std::make_unique<PrioritizedPlanner>(*plan_, *ground_, *fields_);
}

void Lacam::reset_plan() { plan_ = std::make_unique<JointPlan>(*ground_, *fields_, walkers_, start_, individual_costs_); }

// Builds the ground if there is none, or if an agent stands on a cell without a spot; then takes the field of every goal.
void Lacam::take_fields(std::span<const LacamAgent> agents) {
    const auto has_spot = [&](const LacamAgent& agent) { return ground_->spot(agent.at) != kNoSpot; };
    if (ground_ == nullptr || !std::ranges::all_of(agents, has_spot)) {
        std::vector<CellId> extra_cells;
        extra_cells.reserve(agents.size());
        for (const LacamAgent& agent : agents) extra_cells.push_back(agent.at);
        fields_in_use_.clear();
        fields_.reset();
        ground_ = std::make_unique<CrowdGround>(grid_, types_, movement_, extra_cells);
        fields_ = std::make_unique<GoalFields>(*ground_);
    }
    std::vector<FieldRequest> requests;
    requests.reserve(agents.size());
    for (const LacamAgent& agent : agents) {
        const Spot goal = ground_->spot(agent.goal);
        if (goal != kNoSpot) requests.push_back({goal, agent.type, ground_->spot(agent.at)});
    }
    std::vector<FieldId> taken = fields_->take(requests, options_.threads);
    for (const FieldId field : fields_in_use_) fields_->drop(field);
    fields_in_use_ = std::move(taken);
}

// Every agent with a reachable goal must arrive. Of agents with the same goal, only the one that is already there must, or else the first.
void Lacam::assign_goals(std::span<const LacamAgent> agents) {
    walkers_.clear();
    start_.clear();
    individual_costs_.assign(agents.size(), 0);
    std::vector<AgentId> owner(ground_->size(), kNoAgent);
    std::vector<bool> taken(ground_->size());
    size_t field = 0;
    for (AgentId i = 0; i < agents.size(); ++i) {
        start_.push_back(ground_->spot(agents[i].at));
        TERRANE_ASSERT(!taken[start_.back()]);
        taken[start_.back()] = true;
        Walker& walker = walkers_.emplace_back();
        walker = {ground_->spot(agents[i].goal), kNoField, agents[i].type, false};
        if (walker.goal == kNoSpot) continue;
        walker.field = fields_in_use_[field++];
        const Cost distance = fields_->distance(walker.field, start_[i]);
        if (distance == kInfiniteCost) {
            walker.field = kNoField;
            continue;
        }
        individual_costs_[i] = distance;
        AgentId& goal_owner = owner[walker.goal];
        if (goal_owner == kNoAgent || start_[i] == walker.goal) goal_owner = i;
    }
    for (AgentId i = 0; i < walkers_.size(); ++i) walkers_[i].must_arrive = walkers_[i].field != kNoField && owner[walkers_[i].goal] == i;
}

bool Lacam::infeasible() const {
    return !options_.lenient && !std::ranges::all_of(walkers_, [](const Walker& walker) { return walker.must_arrive; });
}

Status Lacam::run(uint64_t budget) {
    const uint64_t limit = expansion_limit(expansions_, budget);
    if (stage_ == Stage::kPrioritized && run_prioritized(limit) == Status::kBudgetSpent) return Status::kBudgetSpent;
    if (stage_ == Stage::kLacam && run_lacam(limit) == Status::kBudgetSpent) return Status::kBudgetSpent;
    return stage_ == Stage::kPlanned ? Status::kFound : Status::kUnreachable;
}

Status Lacam::run_prioritized(uint64_t limit) {
    const uint64_t before = planner_->expansions(), max_expansions = kPrioritizedBudgetPerAgent * walkers_.size();
    const uint64_t budget = std::min(limit - expansions_, max_expansions - std::min(max_expansions, before));
    Status status = planner_->run(budget, with_guidance_);
    expansions_ += planner_->expansions() - before;
    if (status == Status::kBudgetSpent && planner_->expansions() >= max_expansions) status = Status::kUnreachable;
    if (status == Status::kBudgetSpent) return status;
    prioritized_ = status == Status::kFound;
    if (!prioritized_) reset_plan();
    planner_.reset();
    stage_ = prioritized_ ? Stage::kPlanned : Stage::kLacam;
    return status;
}

Status Lacam::run_lacam(uint64_t limit) {
    Status status = build_guidance(limit);
    if (status == Status::kFound) status = search_configurations(limit);
    if (status == Status::kBudgetSpent) return status;
    stage_ = status == Status::kFound ? Stage::kPlanned : Stage::kInfeasible;
    if (status == Status::kFound) plan_->assign(search_->plan());
    search_.reset();
    guidance_.reset();
    return status;
}

// kFound: the guidance fields are complete, or with_guidance_ is false.
Status Lacam::build_guidance(uint64_t limit) {
    if (!with_guidance_) return Status::kFound;
    if (guidance_ == nullptr) guidance_ = std::make_unique<GuidanceFields>(*ground_, walkers_, start_);
    while (!guidance_->done()) {
        if (expansions_ >= limit) return Status::kBudgetSpent;
        expansions_ += guidance_->add_next();
    }
    with_guidance_ = guidance_->all_reach_goals();
    return Status::kFound;
}

uint64_t Lacam::max_guided_expansions() const {
    Cost longest = 0;
    for (AgentId i = 0; i < walkers_.size(); ++i) {
        if (walkers_[i].field != kNoField) longest = std::max(longest, individual_costs_[i] / ground_->uniform_step(walkers_[i].type));
    }
    return (longest * kGuidedTicksPerStep + kExtraGuidedTicks) * walkers_.size();
}

Status Lacam::search_configurations(uint64_t limit) {
    if (search_ == nullptr) {
        const ConstrainedPibt::Options options{options_.swap, options_.seed, nullptr, with_guidance_ ? guidance_.get() : nullptr};
        search_ = std::make_unique<LacamSearch>(*ground_, *fields_, walkers_, start_, individual_costs_, options);
    }
    const uint64_t before = search_->expansions(), max_expansions = with_guidance_ ? max_guided_expansions() : kUnlimited;
    const Status status = search_->run(std::min(limit - expansions_, max_expansions - std::min(max_expansions, before)));
    expansions_ += search_->expansions() - before;
    if (status != Status::kBudgetSpent || search_->expansions() < max_expansions) return status;
    search_.reset();
    guidance_.reset();
    with_guidance_ = false;
    return expansions_ < limit ? search_configurations(limit) : status;
}

Status Lacam::improve(uint64_t budget) {
    TERRANE_ASSERT(stage_ == Stage::kPlanned);
    if (lns_ == nullptr) lns_ = std::make_unique<LargeNeighbourhoodSearch>(*plan_, *ground_, options_.seed);
    const uint64_t before = plan_->expansions();
    const Status status = lns_->improve(budget);
    expansions_ += plan_->expansions() - before;
    return status;
}

CellId Lacam::at(size_t agent, Tick tick) const {
    TERRANE_ASSERT(stage_ == Stage::kPlanned && agent < plan_->paths().size());
    const SpotPath& path = plan_->paths()[agent];
    return ground_->cell(tick < path.size() ? path[tick] : path.back());
}

Tick Lacam::ticks() const {
    TERRANE_ASSERT(stage_ == Stage::kPlanned);
    size_t longest = 1;
    for (const SpotPath& path : plan_->paths()) longest = std::max(longest, path.size());
    return static_cast<Tick>(longest - 1);
}

Cost Lacam::cost() const { return TERRANE_ASSERT(stage_ == Stage::kPlanned), plan_->cost(); }
Cost Lacam::lower_bound() const { return TERRANE_ASSERT(stage_ == Stage::kPlanned), plan_->lower_bound(); }

size_t Lacam::bytes() const {
    size_t bytes = walkers_.capacity() * sizeof(Walker) + (start_.capacity() + fields_in_use_.capacity()) * sizeof(uint32_t) +
                   individual_costs_.capacity() * sizeof(Cost) + types_.capacity() * sizeof(AgentType);
    if (ground_ != nullptr) bytes += sizeof(CrowdGround) + ground_->bytes();
    if (fields_ != nullptr) bytes += sizeof(GoalFields) + fields_->bytes();
    if (plan_ != nullptr) bytes += sizeof(JointPlan) + plan_->bytes();
    if (planner_ != nullptr) bytes += sizeof(PrioritizedPlanner) + planner_->bytes();
    if (lns_ != nullptr) bytes += sizeof(LargeNeighbourhoodSearch) + lns_->bytes();
    if (search_ != nullptr) bytes += sizeof(LacamSearch) + search_->bytes();
    if (guidance_ != nullptr) bytes += sizeof(GuidanceFields) + guidance_->bytes();
    return bytes;
}

}  // namespace terrane
