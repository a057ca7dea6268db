// `lacam`: finds one plan for all agents if one exists, and improves it as long as the budget lasts.
//
//   Lacam lacam(grid, types, Movement::kFour);
//   lacam.begin(agents);
//   if (lacam.run() == Status::kFound) lacam.improve(1'000'000);   // expansions
//   lacam.at(agent, tick)
//
// Three algorithms, in this order:
//
// 1. Prioritized planning over SIPP (src/crowd/lacam/prioritized_planner.h): each agent plans around the paths of those before it.
//    Silver 2005; Phillips, Likhachev 2011. Near-optimal without congestion; fails with it.
// 2. LaCAM (lacam_search.h), if that fails: depth-first search over configurations, with PIBT as the successor generator. Okumura 2023
//    (AAAI). Complete: it reports an infeasible instance if the world is small enough to visit every configuration.
//    Where all moves cost the same, guidance fields (src/crowd/pibt/guidance_fields.h) steer agents around the goals of others and away
//    from oncoming traffic: plans cost 5 to 30% less than with distances alone. Chen, Harabor, Li, Stuckey 2024.
// 3. Large neighbourhood search (large_neighbourhood_search.h) in improve(): replans groups of agents. Li, Chen, Harabor, Stuckey,
//    Koenig 2021 (MAPF-LNS), 2022 (MAPF-LNS2). It does not prove optimality, but lower_bound() bounds the optimum from below.
//
// Public benchmark (MAPF), four moves, one core: all 30 instances of 10 maps with 400 agents, each in 0.01 to 0.2 s including fields and
// 0.4 to 12 MB, at 1.005 to 1.08 times the lower bound on 6 of the maps and 1.25 to 2.9 on the congested ones; with 1,000 agents, all 24
// instances of 8 maps in 0.1 to 0.9 s and 1.5 to 22 MB. One million expansions of improvement lower the cost by a few percent with 400
// agents and hardly at all with 1,000 congested ones.
//
// Terrain costs, diagonals and obstacles per agent type work as in crowd.h, and a Crowd accepts every plan. Where moves differ in cost, an
// agent's path minimises cost, although a path with fewer ticks might leave more room for others.
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
    uint16_t type = 0;
};

struct LacamOptions {
    bool prioritized = true;  // try prioritized planning first; false: LaCAM from the start, as in the paper
    bool swap = true;         // as in PibtOptions
    bool guidance = true;     // LaCAM follows guidance fields where it can; false: distances alone
    // Plan even if some goals are unreachable or shared: those agents do not have to arrive and make way for the others. False: such an
    // instance is infeasible.
    bool lenient = false;
    uint32_t threads = 1;  // that build fields; the result is the same for any number; 0: one per hardware thread
    uint64_t seed = 1;

    // For make_lacam() only, per plan:
    bool improve = false;
    uint64_t budget = 0;  // expansions for planning and improvement; 0: 40 million to plan, then 2000 per agent to improve
};

class CrowdGround;
class GoalFields;
class GuidanceFields;
class JointPlan;
class LacamSearch;
class LargeNeighbourhoodSearch;
class PrioritizedPlanner;
struct Walker;

// Sliced and deterministic: budgets count expansions (0.1 to 0.5 us each), which are steps of one agent or nodes of its search.
// One thread at a time.
class Lacam {
public:
    // Keeps a copy of `grid` (a snapshot, grid.h) and of `types`, of which there must be at least one.
    Lacam(const GridSnapshot& grid, std::span<const AgentType> types, Movement movement, const LacamOptions& options = {});
    ~Lacam();
    Lacam(Lacam&&) noexcept;
    Lacam& operator=(Lacam&&) noexcept;

    // Sets the instance and discards the previous plan; fields of goals that occur again are reused. Start cells must be distinct, but may
    // be impassable; starts and goals must be on the map.
    void begin(std::span<const LacamAgent> agents);

    // Searches for a first plan. kFound. kUnreachable: there is none. kBudgetSpent after `budget` expansions: call again to continue.
    Status run(uint64_t budget = kUnlimited);
    // Improves the plan; only after kFound. kBudgetSpent: call again to continue. kFound: the cost equals the lower bound.
    Status improve(uint64_t budget);

    // The plan; only after kFound. From its last tick on, an agent stays where it is.
    CellId at(size_t agent, Tick tick) const;
    Tick ticks() const;                                // makespan: the tick of the last move
    Cost cost() const;                                 // sum of costs (CrowdAgent::cost) of the agents that have to arrive
    Cost lower_bound() const;                          // sum of the costs of their optimal paths without other agents
    bool prioritized() const { return prioritized_; }  // whether prioritized planning found the first plan

    uint64_t expansions() const { return expansions_; }  // since construction
    size_t bytes() const;

private:
    void take_fields(std::span<const LacamAgent> agents);
    void assign_goals(std::span<const LacamAgent> agents);
    bool infeasible() const;
    void reset_plan();
    Status run_prioritized(uint64_t limit);
    Status run_lacam(uint64_t limit);
    Status build_guidance(uint64_t limit);
    Status search_configurations(uint64_t limit);
    uint64_t max_guided_expansions() const;

    LacamOptions options_;
    GridSnapshot grid_;
    std::vector<AgentType> types_;
    Movement movement_;
    std::unique_ptr<CrowdGround> ground_;
    std::unique_ptr<GoalFields> fields_;
    std::vector<uint32_t> fields_in_use_;
    std::vector<Walker> walkers_;
    std::vector<uint32_t> start_;         // spots
    std::vector<Cost> individual_costs_;  // by agent: of its optimal path without other agents; 0 if there is none
    std::unique_ptr<JointPlan> plan_;
    std::unique_ptr<PrioritizedPlanner> planner_;    // in stage kPrioritized
    std::unique_ptr<GuidanceFields> guidance_;       // in stage kLacam, if with_guidance_
    std::unique_ptr<LacamSearch> search_;            // in stage kLacam
    std::unique_ptr<LargeNeighbourhoodSearch> lns_;  // from the first improve() on
    bool with_guidance_ = false;
    enum class Stage : uint8_t { kPrioritized, kLacam, kPlanned, kInfeasible };
    Stage stage_ = Stage::kInfeasible;
    bool prioritized_ = false;
    uint64_t expansions_ = 0;
};

// A crowd method that plans for all agents at the first tick and whenever agents, goals or the world change, and follows the plan in
// between. If it finds no plan within the budget, agents move as with `pibt`, and it retries after 4 ticks, then 8 and so on up to 256.
std::unique_ptr<CrowdMethod> make_lacam(const LacamOptions& options = {});

}  // namespace terrane
