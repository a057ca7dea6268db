// Contests of Detour's findPath and both of our methods on the queries of a navigation mesh: contest.h with Detour as the first contender.
#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "bench/contest.h"
#include "bench/detour_search.h"

namespace terrane {

inline constexpr std::array<const char*, 3> kNavmeshMethods = {"detour", "dta", "dta+portals"};

struct NavmeshQuery {
    size_t creature = 0;  // in NavmeshScene::creatures
    Vec3 from, to;
    double distance = 0;     // in a straight line, in metres
    bool reachable = false;  // by a flood fill
    bool solved = false;     // by Detour; run_on_navmesh() sets it
};

struct NavmeshScene {
    std::string name;
    const NavmeshAbstraction* regions = nullptr;
    std::vector<Creature> creatures = {};
    std::vector<NavmeshQuery> queries = {};
    bool detour_may_fail = false;  // it may run out of nodes
    // The keys of the rows that a query counts in, as ContestScene::group. Called after Detour has solved all queries.
    std::function<nlohmann::ordered_json(size_t query)> labels = {};
};

// Costs are in metres on terrain of cost 1, and ratios are over Detour's costs. The rows also have length_metres; ms_95 and speedup_95,
// half the widths of 95% confidence intervals; and cheaper, the share of the queries that cost less than Detour's path.
Contest navmesh_contest();

// Checks the statuses of unreachable queries, and runs all methods on the others. Returns an error if an answer is wrong.
Result<void> run_on_navmesh(Contest& contest, NavmeshScene& scene);

}  // namespace terrane
