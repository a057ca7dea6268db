#include "terrane/crowd/lacam.h"

#include <algorithm>

#include "crowd/lacam/configuration_search.h"
#include "crowd/lacam/plan_improver.h"
#include "crowd/pibt/lane_fields.h"
#include "terrane/base/assert.h"

namespace terrane {

namespace {

// Expansions an agent; then one by one is given up.
constexpr uint64_t kOneByOneBudget = 2048;

// Ticks of a plan, for each step of the longest way, and more; then the search with lanes is given up for one without, since agents that
// are led apart can go round in circles.
constexpr uint64_t kLaneTicksAStep = 4, kMoreLaneTicks = 256;

bool on_map(const GridLayout& layout, CellId cell) { return cell < layout.id_limit() && layout.contains(layout.cell(cell)); }

}  // namespace

Lacam::Lacam(const GridSnapshot& grid, std::span<const CrowdKind> kinds, Movement movement, const LacamOptions& options)
    : options_(options), grid_(grid), kinds_(kinds.begin(), kinds.end()), movement_(movement) {
    TERRANE_ASSERT(!kinds_.empty() && kinds_.size() <= 0x10000);
}
Lacam::~Lacam() = default;
Lacam::Lacam(Lacam&&) noexcept = default;
Lacam& Lacam::operator=(Lacam&&) noexcept = default;

void Lacam::begin(std::span<const LacamAgent> agents) {
    TERRANE_ASSERT(agents.size() <= kMaxAgents);
    TERRANE_ASSERT(std::ranges::all_of(agents, [&](const LacamAgent& agent) {
        return agent.kind < kinds_.size() && on_map(grid_.layout(), agent.at) && on_map(grid_.layout(), agent.goal);
    }));
    search_.reset();
    lanes_.reset();
    improver_.reset();
    one_by_one_ = false;
    take_fields(agents);
    choose_goals(agents);
    if (hopeless()) {
        stage_ = Stage::kHopeless;
        return;
    }
    improver_ = std::make_unique<PlanImprover>(*ground_, *fields_, walkers_, start_, alone_, options_.seed);
    with_lanes_ = options_.lanes && LaneFields::fit(*ground_, walkers_);
    const bool all_must = std::ranges::all_of(walkers_, [](const Walker& walker) { return walker.must; });
    stage_ = options_.one_by_one && all_must ? Stage::kOneByOne : Stage::kConfigurations;
}

// Numbers the cells where that is new, and finds the field of every goal.
void Lacam::take_fields(std::span<const LacamAgent> agents) {
    const auto numbered = [&](const LacamAgent& agent) { return ground_->spot(agent.at) != kNoSpot; };
    if (ground_ == nullptr || !std::ranges::all_of(agents, numbered)) {
        std::vector<CellId> stood_on;
        stood_on.reserve(agents.size());
        for (const LacamAgent& agent : agents) stood_on.push_back(agent.at);
        taken_.clear();
        fields_.reset();
        ground_ = std::make_unique<CrowdGround>(grid_, kinds_, movement_, stood_on);
        fields_ = std::make_unique<GoalFields>(*ground_);
    }
    std::vector<FieldRequest> requests;
    requests.reserve(agents.size());
    for (const LacamAgent& agent : agents) {
        const Spot goal = ground_->spot(agent.goal);
        if (goal != kNoSpot) requests.push_back({goal, agent.kind, ground_->spot(agent.at)});
    }
    std::vector<FieldId> taken = fields_->take(requests, options_.threads);
    for (const FieldId field : taken_) fields_->drop(field);
    taken_ = std::move(taken);
}

// Everyone who can be at its goal must be; of those with the same one, who is there already, or else the first.
void Lacam::choose_goals(std::span<const LacamAgent> agents) {
    walkers_.clear();
    start_.clear();
    alone_.assign(agents.size(), 0);
    std::vector<AgentId> owner(ground_->size(), kNoAgent);
    std::vector<bool> taken(ground_->size());
    size_t field = 0;
    for (AgentId i = 0; i < agents.size(); ++i) {
        start_.push_back(ground_->spot(agents[i].at));
        TERRANE_ASSERT(!taken[start_.back()]);
        taken[start_.back()] = true;
        Walker& walker = walkers_.emplace_back();
        walker = {ground_->spot(agents[i].goal), kNoField, agents[i].kind, false};
        if (walker.goal == kNoSpot) continue;
        walker.field = taken_[field++];
        const Cost alone = fields_->distance(walker.field, start_[i]);
        if (alone == kInfiniteCost) {
            walker.field = kNoField;
            continue;
        }
        alone_[i] = alone;
        AgentId& who = owner[walker.goal];
        if (who == kNoAgent || start_[i] == walker.goal) who = i;
    }
    for (AgentId i = 0; i < walkers_.size(); ++i) walkers_[i].must = walkers_[i].field != kNoField && owner[walkers_[i].goal] == i;
}

bool Lacam::hopeless() const {
    return !options_.lenient && !std::ranges::all_of(walkers_, [](const Walker& walker) { return walker.must; });
}

Status Lacam::run(uint64_t budget) {
    const uint64_t limit = budget > kUnlimited - expansions_ ? kUnlimited : expansions_ + budget;
    if (stage_ == Stage::kOneByOne && run_one_by_one(limit) == Status::kBudgetSpent) return Status::kBudgetSpent;
    if (stage_ == Stage::kConfigurations && run_configurations(limit) == Status::kBudgetSpent) return Status::kBudgetSpent;
    return stage_ == Stage::kPlanned ? Status::kFound : Status::kUnreachable;
}

Status Lacam::run_one_by_one(uint64_t limit) {
    const uint64_t before = improver_->expansions(), most = kOneByOneBudget * walkers_.size();
    const uint64_t budget = std::min(limit - expansions_, most - std::min(most, before));
    Status status = improver_->plan_one_by_one(budget, with_lanes_);
    expansions_ += improver_->expansions() - before;
    one_by_one_ = status == Status::kFound;
    if (one_by_one_) stage_ = Stage::kPlanned;
    if (status == Status::kBudgetSpent && improver_->expansions() >= most) status = Status::kUnreachable;
    if (status == Status::kUnreachable) {
        improver_ = std::make_unique<PlanImprover>(*ground_, *fields_, walkers_, start_, alone_, options_.seed);
        stage_ = Stage::kConfigurations;
    }
    return status;
}

Status Lacam::run_configurations(uint64_t limit) {
    Status status = make_lanes(limit);
    if (status == Status::kFound) status = search_configurations(limit);
    if (status == Status::kBudgetSpent) return status;
    stage_ = status == Status::kFound ? Stage::kPlanned : Stage::kHopeless;
    if (status == Status::kFound) improver_->take_plan(search_->plan());
    search_.reset();
    lanes_.reset();
    return status;
}

// kFound: they are there, or are not to be used.
Status Lacam::make_lanes(uint64_t limit) {
    if (!with_lanes_) return Status::kFound;
    if (lanes_ == nullptr) lanes_ = std::make_unique<LaneFields>(*ground_, walkers_, start_);
    while (!lanes_->done()) {
        if (expansions_ >= limit) return Status::kBudgetSpent;
        expansions_ += lanes_->add_next();
    }
    with_lanes_ = lanes_->all_lead_home();
    return Status::kFound;
}

uint64_t Lacam::most_with_lanes() const {
    Cost longest = 0;
    for (AgentId i = 0; i < walkers_.size(); ++i) {
        if (walkers_[i].field != kNoField) longest = std::max(longest, alone_[i] / ground_->uniform_step(walkers_[i].kind));
    }
    return (longest * kLaneTicksAStep + kMoreLaneTicks) * walkers_.size();
}

Status Lacam::search_configurations(uint64_t limit) {
    if (search_ == nullptr) {
        const StepMaker::Options options{options_.swap, options_.seed, nullptr, with_lanes_ ? lanes_.get() : nullptr};
        search_ = std::make_unique<ConfigurationSearch>(*ground_, *fields_, walkers_, start_, alone_, options);
    }
    const uint64_t before = search_->expansions(), most = with_lanes_ ? most_with_lanes() : kUnlimited;
    const Status status = search_->run(std::min(limit - expansions_, most - std::min(most, before)));
    expansions_ += search_->expansions() - before;
    if (status != Status::kBudgetSpent || search_->expansions() < most) return status;
    search_.reset();
    lanes_.reset();
    with_lanes_ = false;
    return expansions_ < limit ? search_configurations(limit) : status;
}

Status Lacam::improve(uint64_t budget) {
    TERRANE_ASSERT(stage_ == Stage::kPlanned);
    const uint64_t before = improver_->expansions();
    const Status status = improver_->improve(budget);
    expansions_ += improver_->expansions() - before;
    return status;
}

CellId Lacam::at(size_t agent, Tick tick) const {
    TERRANE_ASSERT(stage_ == Stage::kPlanned && agent < improver_->paths().size());
    const SpotPath& path = improver_->paths()[agent];
    return ground_->cell(tick < path.size() ? path[tick] : path.back());
}

Tick Lacam::ticks() const {
    TERRANE_ASSERT(stage_ == Stage::kPlanned);
    size_t longest = 1;
    for (const SpotPath& path : improver_->paths()) longest = std::max(longest, path.size());
    return static_cast<Tick>(longest - 1);
}

Cost Lacam::cost() const { return TERRANE_ASSERT(stage_ == Stage::kPlanned), improver_->cost(); }
Cost Lacam::lower_bound() const { return TERRANE_ASSERT(stage_ == Stage::kPlanned), improver_->lower_bound(); }

size_t Lacam::bytes() const {
    size_t bytes = walkers_.capacity() * sizeof(Walker) + (start_.capacity() + taken_.capacity()) * sizeof(uint32_t) +
                   alone_.capacity() * sizeof(Cost) + kinds_.capacity() * sizeof(CrowdKind);
    if (ground_ != nullptr) bytes += sizeof(CrowdGround) + ground_->bytes();
    if (fields_ != nullptr) bytes += sizeof(GoalFields) + fields_->bytes();
    if (improver_ != nullptr) bytes += sizeof(PlanImprover) + improver_->bytes();
    if (search_ != nullptr) bytes += sizeof(ConfigurationSearch) + search_->bytes();
    if (lanes_ != nullptr) bytes += sizeof(LaneFields) + lanes_->bytes();
    return bytes;
}

}  // namespace terrane
