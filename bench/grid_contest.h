// Contenders on grids: methods of the planner, baseline A*, and other programs.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/contest.h"
#include "bench/progress.h"
#include "bench/scenes.h"
#include "terrane/world/planner.h"

namespace terrane {

// Expansions between the checks for the first segment.
inline constexpr uint64_t kFirstMoveSlice = 256;

// The name of baseline A* (baseline_astar.h) as a contender.
inline constexpr const char* kBaselineMethod = "baseline";

struct GridContender {
    std::string method;                 // a method of the planner, or kBaselineMethod
    nlohmann::ordered_json label = {};  // further keys of the row's case
    double bound = 0;                   // FindOptions::bound
    uint64_t max_expansions = kUnlimited;
    bool cold = false;     // a new planner for each problem: its time includes allocation and empty caches
    size_t max_bytes = 0;  // PrepareOptions::max_bytes
    size_t sample = SIZE_MAX;
    int passes = 0;
    // Checks an answer further, and measures it.
    std::function<Result<void>(const BenchScene&, size_t problem, const Path&, Extras&)> inspect = {};
};

// Prepares one method for a profile and discards all other prepared data of the world.
// Returns the time and the bytes, without a runner. `max_bytes`: as in PrepareOptions.
Result<Opened> prepare_only(World& world, const CostTable& costs, const Method& method, size_t max_bytes = 0,
                            Movement movement = Movement::kEightNoCornerCutting);

// A contender that solves the queries of a scene. Scene and world must outlive it.
Contender planner_contender(const BenchScene& scene, World& world, const GridContender& contender);
Contender baseline_contender(const BenchScene& scene, const GridContender& contender);

// Another program (Peer, bench.h): runs it on files that hold the scene, and reads its answers.
Contender peer_contender(const BenchScene& scene, const Peer& peer);

// What a contest needs of a scene. The label is {"map": name} unless the scene has one.
ContestScene contest_scene(const BenchScene& scene);

// Runs all contenders, then options.peers, on a scene, in a world with the regions that they need. The first must be optimal.
Result<void> run_on_grid(Contest& contest, const BenchScene& scene, const std::vector<GridContender>& contenders,
                         const BenchOptions& options, Progress& progress);

}  // namespace terrane
