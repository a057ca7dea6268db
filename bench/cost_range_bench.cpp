// `terrane bench dta-cost-range`: A*, NBS and weighted A* as the range of terrain costs grows. The Dynamic Terrain Abstraction paper
// (section 5.2) reports that A* is faster than NBS at costs up to 2, equal at 4, and slower beyond.
#include <chrono>
#include <cmath>

#include "bench/bench.h"
#include "bench/progress.h"
#include "bench/scenes.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/world/methods.h"

namespace terrane {

namespace cost_range_bench {
namespace {

struct Sums {
    double expansions = 0, necessary = 0, cost = 0, seconds = 0;
    size_t solved = 0;
};

constexpr const char* kMethods[] = {"astar", "nbs", "wastar:2"};
constexpr uint32_t kMaxCosts[] = {2, 4, 8, 16};

void solve(const BenchScene& scene, const CostTable& costs, const SearchOptions& options, std::vector<Cost>& reference, Sums& sums,
           GridSearch& search) {
    Path path;
    for (size_t i = 0; i < scene.queries.size(); ++i) {
        const auto start = std::chrono::steady_clock::now();
        search.begin({scene.grid, costs, Movement::kEightNoCornerCutting}, scene.queries[i].first, scene.queries[i].second, options);
        search.run();
        search.path(path);
        sums.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (reference.size() == i) reference.push_back(path.cost);  // A* runs first
        const double bound = guarantee(options.method);
        sums.solved += path && path.cost >= reference[i] && static_cast<double>(path.cost) <= bound * static_cast<double>(reference[i]);
        sums.expansions += static_cast<double>(path.expansions);
        sums.necessary += static_cast<double>(search.necessary_expansions());
        sums.cost += to_real(path.cost);
    }
}

}  // namespace
}  // namespace cost_range_bench

Result<Report> bench_cost_range(const BenchOptions& options) {
    using namespace cost_range_bench;
    const auto scenes = bench_scenes(options);
    if (!scenes) return scenes.error();
    Report report{"dta-cost-range", {}, {}};
    Progress progress("dta-cost-range", scenes->size() * 4 * 3);
    GridSearch search;
    for (const uint32_t max_cost : kMaxCosts) {
        Sums sums[3];
        size_t problems = 0;
        for (const BenchScene& scene : *scenes) {
            const CostTable costs = drawn_costs(scene.grid.catalogue(), 1, max_cost).compile(scene.grid.catalogue()).value();
            std::vector<Cost> reference;
            problems += scene.queries.size();
            for (size_t m = 0; m < 3; ++m) {
                SearchOptions with;
                with.method = find_method(kMethods[m]).value();
                solve(scene, costs, with, reference, sums[m], search);
                progress.advance();
            }
        }
        const auto n = static_cast<double>(problems);
        for (size_t m = 0; m < 3; ++m) {
            report.rows.push_back({kMethods[m],
                                   {{"costs", "1 to " + std::to_string(max_cost)}},
                                   {{"problems", n},
                                    {"solved", static_cast<double>(sums[m].solved)},
                                    {"expansions", sums[m].expansions / n},
                                    {"necessary", sums[m].necessary / n},
                                    {"expansions_to_astar", sums[m].expansions / sums[0].expansions},
                                    {"cost", sums[m].cost / n},
                                    {"ratio_mean", sums[m].cost / sums[0].cost},
                                    {"ms_mean", sums[m].seconds * 1e3 / n},
                                    {"speedup", sums[0].seconds / sums[m].seconds}}});
        }
    }
    report.paper = {{"astar",
                     {{"costs", "1 to 4"}},
                     {{"expansions", 1089811}, {"expansions_to_astar", 1}, {"cost", 2406}, {"ms_mean", 625.9}, {"speedup", 1}}},
                    {"nbs",
                     {{"costs", "1 to 4"}},
                     {{"expansions", 1044995},
                      {"expansions_to_astar", 1044995 / 1089811.0},
                      {"cost", 2406},
                      {"ms_mean", 879.3},
                      {"speedup", 625.9 / 879.3}}},
                    {"wastar:2",
                     {{"costs", "1 to 4"}},
                     {{"expansions", 349865},
                      {"expansions_to_astar", 349865 / 1089811.0},
                      {"cost", 2567},
                      {"ms_mean", 180.7},
                      {"speedup", 625.9 / 180.7}}}};
    return report;
}

}  // namespace terrane
