// `lacam`: a plan for all agents together, found where there is one, and made better for as long as there is time.
// Based on: Okumura 2023 (LaCAM: lazy constraints addition search for quick multi-agent pathfinding; AAAI); Silver 2005 and Li, Chen,
// Harabor, Stuckey, Koenig 2021, 2022 (MAPF-LNS, LNS2) for plans made and improved one agent at a time; Chen, Harabor, Li, Stuckey 2024
// (traffic flow optimisation) for lanes.
//
//   Lacam lacam(grid, kinds, Movement::kFour);
//   lacam.begin(agents);
//   if (lacam.run() == Status::kFound) lacam.improve(1'000'000);   // expansions
//   lacam.at(agent, tick)
//
// Two ways to a first plan. One by one: each agent takes the best way among the paths of those before it. Where there is room that is near
// to the best plan there is. Where that is too crowded, LaCAM: a search over where all agents are at once, depth first, by steps as `pibt`
// makes them. That is complete: it finds a plan wherever there is one, and where there is none it ends and says so, in worlds small enough
// for it to see every configuration. Where every move costs the same its agents are led in lanes, around the homes of others and not
// against the way of those who chose before: plans cost 5 to 30% less than if each went straight for its goal. Improvement is large
// neighbourhood search; it does not prove a plan optimal, but lower_bound() tells what would be.
//
// Public benchmark, four moves, one core: all 30 instances of 10 maps with 400 agents, each in 0.01 to 0.2 s with all fields and 0.4 to
// 12 MB, at 1.005 to 1.08 times the lower bound on 6 of the maps and 1.25 to 2.9 on the crowded ones; with 1,000 agents, all 24 instances
// of 8 maps in 0.1 to 0.9 s and 1.5 to 22 MB. Improvement gains a few percent in a million expansions with 400 agents, and next to nothing
// where 1,000 are crowded.
//
// Terrain costs, diagonals, and kinds with walls of their own are as in crowd.h; plans are as the judge of a Crowd wants them. Where moves
// differ in cost, an agent's path is chosen by cost, though one that takes fewer ticks might have left more room.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "terrane/base/status.h"
#include "terrane/crowd/crowd.h"
#include "terrane/search/best_first.h"

namespace terrane {

struct LacamAgent {
    CellId at;
    CellId goal;
    uint16_t kind = 0;
};

struct LacamOptions {
    bool one_by_one = true;  // is tried first; false: the papers' LaCAM from the start
    bool swap = true;        // pibt.h
    bool lanes = true;       // false: configurations are led by distance alone
    // Agents that cannot be at their goals in the end, as there is no way or another agent has it, do what they can and keep out of the way
    // of the others. False: then there is no plan.
    bool lenient = false;
    uint32_t threads = 1;  // to make fields with; the same result for any number; 0: as many as the machine has
    uint64_t seed = 1;

    // Of the method alone, for each plan that it makes:
    bool improve = false;
    uint64_t budget = 0;  // expansions in all; 0: 40 million for a plan, 2000 an agent to improve it
};

class CrowdGround;
class GoalFields;
class ConfigurationSearch;
class LaneFields;
class PlanImprover;
struct Walker;

// Sliced, and deterministic: budgets count expansions (0.1 to 0.5 us each), which are steps of one agent, or nodes of its search.
class Lacam {
public:
    // `grid` is kept (grid.h). At least one kind; `kinds` need not outlive it.
    Lacam(const GridSnapshot& grid, std::span<const CrowdKind> kinds, Movement movement, const LacamOptions& options = {});
    ~Lacam();
    Lacam(Lacam&&) noexcept;
    Lacam& operator=(Lacam&&) noexcept;

    // Agents on cells of their own, which need not be passable for them; cells and goals are on the map. What was planned is forgotten;
    // fields of goals that are asked for again are kept.
    void begin(std::span<const LacamAgent> agents);

    // Towards a first plan. kFound; kUnreachable: there is none; kBudgetSpent: call again to go on.
    Status run(uint64_t budget = kUnlimited);
    // Only after kFound. kBudgetSpent: call again to go on; kFound: the plan costs no more than the lower bound.
    Status improve(uint64_t budget);

    // The plan, after kFound: where an agent is after so many ticks, its last cell from there on.
    CellId at(size_t agent, Tick tick) const;
    Tick ticks() const;                              // until nobody moves any more
    Cost cost() const;                               // as CrowdAgent::cost counts it, of all who can be at their goals
    Cost lower_bound() const;                        // what they would cost if each were alone
    bool one_by_one() const { return one_by_one_; }  // whether the first plan was made that way

    uint64_t expansions() const { return expansions_; }  // since it was made
    size_t bytes() const;

private:
    void take_fields(std::span<const LacamAgent> agents);
    void choose_goals(std::span<const LacamAgent> agents);
    bool hopeless() const;
    Status run_one_by_one(uint64_t limit);
    Status run_configurations(uint64_t limit);
    Status make_lanes(uint64_t limit);
    Status search_configurations(uint64_t limit);
    uint64_t most_with_lanes() const;

    LacamOptions options_;
    GridSnapshot grid_;
    std::vector<CrowdKind> kinds_;
    Movement movement_;
    std::unique_ptr<CrowdGround> ground_;
    std::unique_ptr<GoalFields> fields_;
    std::vector<uint32_t> taken_;  // fields
    std::vector<Walker> walkers_;
    std::vector<uint32_t> start_;  // spots
    std::vector<Cost> alone_;      // what each way costs if nobody else is there; 0 where there is none
    std::unique_ptr<PlanImprover> improver_;
    std::unique_ptr<LaneFields> lanes_;            // while configurations are searched by them
    std::unique_ptr<ConfigurationSearch> search_;  // once one by one has failed
    bool with_lanes_ = false;                      // is tried
    enum class Stage : uint8_t { kOneByOne, kConfigurations, kPlanned, kHopeless };
    Stage stage_ = Stage::kHopeless;
    bool one_by_one_ = false;
    uint64_t expansions_ = 0;
};

// Plans for everyone at the first tick and whenever agents, goals or the world have changed, and follows the plan in between. While there
// is none within the budget, it moves as `pibt` does, and tries again later.
std::unique_ptr<CrowdMethod> make_lacam(const LacamOptions& options = {});

}  // namespace terrane
