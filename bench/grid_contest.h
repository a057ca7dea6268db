// Contenders on grids: methods of the planner, baseline A*, and other programs.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/contest.h"
#include "bench/progress.h"
#include "bench/scenes.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/world/planner.h"

namespace terrane {

// Expansions between the checks for the first segment.
inline constexpr uint64_t kFirstMoveSlice = 256;

// The name of baseline A* (baseline_astar.h) as a contender.
inline constexpr const char* kBaselineMethod = "baseline";

struct GridContender {
    std::string method;                 // a method of the planner, or kBaselineMethod
    nlohmann::ordered_json label = {};  // further keys of the row's case
    std::string prepare = {};           // the method to prepare, if it is not `method`: "overlay:2+lower_bounds:8"
    double bound = 0;                   // FindOptions::bound
    uint64_t max_expansions = kUnlimited;
    bool cold = false;         // a new planner for each problem: its time includes allocation and empty caches
    std::string warm_up = {};  // a new planner for each pass, in which this method solves all problems first: caches of `method` are empty
    size_t max_bytes = 0;      // PrepareOptions::max_bytes
    size_t sample = SIZE_MAX;
    int passes = 0;
    // Checks an answer further, and measures it.
    std::function<Result<void>(const BenchScene&, size_t problem, const Path&, NamedSamples&)> inspect = {};
};

// Returns the answer that a path is, or an error: a wrong start or goal, an illegal step, a wrong cost.
Result<Answer> checked_answer(const BenchScene& scene, size_t problem, const Path& path);

// Prepares one method for a profile and discards all other prepared data of the world.
// Returns the time and the bytes, without a runner. `max_bytes`: as in PrepareOptions.
Result<Opened> prepare_only(World& world, const CostTable& costs, const Method& method, size_t max_bytes = 0,
                            Movement movement = Movement::kEightNoCornerCutting);

// What a world has prepared last, so that contenders that follow each other share it.
struct LastPrepared {
    std::string method;
    size_t max_bytes = 0;
    std::optional<double> build_ms = {}, bytes = {};
};

// A contender that solves the queries of a scene. Scene, world and `last` must outlive it.
Contender planner_contender(const BenchScene& scene, World& world, const GridContender& contender, LastPrepared& last);
Contender baseline_contender(const BenchScene& scene, const GridContender& contender);

// A contender of a query class with run(), ready(), cells(), expansions() and expansions_first(); begin(query, start, goal) begins a query.
template <class Query, class Begin>
Contender query_contender(const BenchScene& scene, std::string method, nlohmann::ordered_json label, Begin begin) {
    const auto open = [&scene, begin]() -> Result<Opened> {
        const auto query = std::make_shared<Query>();
        const auto status = std::make_shared<Status>();
        return Opened{make_runner(
            [&scene, begin, query, status](size_t problem, Lap& lap) {
                begin(*query, scene.queries[problem].first, scene.queries[problem].second);
                while ((*status = query->run(kFirstMoveSlice)) == Status::kBudgetSpent && query->ready() == 0) {
                }
                lap.first();
                *status = query->run(kUnlimited);
            },
            [&scene, query, status](size_t problem, NamedSamples&) {
                Path path;
                path.status = *status;
                path.cells = query->cells();
                path.cost = path_cost({scene.grid, scene.costs, scene.movement}, path.cells);
                path.expansions = query->expansions();
                path.expansions_first = query->expansions_first();
                path.bound = static_cast<double>(kInfiniteCost);  // such a query proves no bound
                return checked_answer(scene, problem, path);
            })};
    };
    return {.method = std::move(method), .label = std::move(label), .open = open};
}

// A runner of GridSearch itself, for options and counts that the planner does not have. inspect(search, extras) measures an answer further.
std::unique_ptr<Runner> search_runner(const BenchScene& scene, const SearchOptions& options,
                                      std::function<void(const GridSearch&, NamedSamples&)> inspect = {});

// A contender that runs search_runner() with a method that searches cells.
Contender search_contender(const BenchScene& scene, const std::string& method,
                           const std::function<void(const GridSearch&, NamedSamples&)>& inspect = {});

// Another program (Peer, bench.h): runs it on files that hold the scene, and reads its answers.
Contender peer_contender(const BenchScene& scene, const Peer& peer);

// What a contest needs of a scene. The label is {"map": name} unless the scene has one.
ContestScene contest_scene(const BenchScene& scene);

// Runs all contenders, then `peers`, on a scene, in a world with the regions that they need. The first must be optimal.
Result<void> run_on_grid(Contest& contest, const BenchScene& scene, const std::vector<GridContender>& contenders, Progress& progress,
                         const std::vector<Peer>& peers = {});

}  // namespace terrane
