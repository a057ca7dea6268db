// `terrane bench search`: time per expansion of our searches and of the baseline A*, in one run.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "bench/baseline_astar.h"
#include "bench/bench.h"
#include "bench/progress.h"
#include "bench/scenes.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/world/methods.h"

namespace terrane {

namespace search_bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPasses = 3;  // the best pass counts

struct Outcome {
    double cost = 0;  // negative: no path
    uint64_t expansions = 0;
};
using Solve = std::function<Outcome(Cell, Cell)>;

// Runs every query kPasses times and compares each cost with `reference`, within a factor.
ReportRow measure(const BenchScene& scene, const std::string& method, const Solve& solve, const std::vector<Outcome>& reference,
                  double factor, Progress& progress) {
    double best = 1e300, cost = 0;
    uint64_t expansions = 0;
    size_t wrong = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
        expansions = 0;
        cost = 0;
        double seconds = 0;
        for (size_t i = 0; i < scene.queries.size(); ++i) {
            const auto start = Clock::now();
            const Outcome o = solve(scene.queries[i].first, scene.queries[i].second);
            seconds += std::chrono::duration<double>(Clock::now() - start).count();
            expansions += o.expansions;
            cost += std::max(o.cost, 0.0);
            const double want = reference.empty() ? o.cost : reference[i].cost;
            wrong += o.cost < want * (1 - 1e-6) || o.cost > want * factor * (1 + 1e-6);
            progress.advance();
        }
        best = std::min(best, seconds);
    }
    const auto queries = static_cast<double>(scene.queries.size()), count = static_cast<double>(expansions);
    return {method,
            {{"map", scene.name}},
            {{"problems", queries},
             {"solved", queries - static_cast<double>(wrong) / kPasses},
             {"expansions", count / queries},
             {"cost", cost / queries},
             {"ms_mean", best * 1e3 / queries},
             {"ns_per_expansion", best * 1e9 / std::max(count, 1.0)}}};
}

double metric(const ReportRow& row, const char* name) { return std::ranges::find(row.metrics, name, &Metrics::value_type::first)->second; }

Solve solver(const BenchScene& scene, GridSearch& search, const char* method) {
    SearchOptions options;
    options.method = find_method(method).value();
    return [&scene, &search, options](Cell start, Cell goal) {
        search.begin({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, start, goal, options);
        const Status status = search.run();
        Path path;
        search.path(path);
        return Outcome{status == Status::kFound ? exact_cost(scene.grid, scene.costs, path.cells) : -1, search.expansions()};
    };
}

void bench_scene(const BenchScene& scene, Report& report, Progress& progress) {
    const BaselineMap map(scene.grid, scene.costs);
    const auto baseline = [&](Cell start, Cell goal) {
        const BaselineResult r = baseline_astar(map, start, goal);
        return Outcome{r.found ? r.cost : -1, r.expansions};
    };
    GridSearch search;
    // From our Dijkstra. The baseline A* shares no code with it and is checked against it like the rest.
    std::vector<Outcome> reference;
    reference.reserve(scene.queries.size());
    for (const auto& [start, goal] : scene.queries) reference.push_back(solver(scene, search, "dijkstra")(start, goal));
    std::vector<ReportRow> rows{measure(scene, "baseline", baseline, reference, 1, progress)};
    for (const auto& [method, factor] :
         {std::pair{"astar", 1.0}, {"dijkstra", 1.0}, {"wastar:1.5", 1.5}, {"wastar:2", 2.0}, {"wastar:4", 4.0}}) {
        rows.push_back(measure(scene, method, solver(scene, search, method), reference, factor, progress));
    }
    const double base_ms = metric(rows[0], "ms_mean"), base_ns = metric(rows[0], "ns_per_expansion");
    for (ReportRow& row : rows) {
        row.metrics.emplace_back("speedup", base_ms / metric(row, "ms_mean"));
        row.metrics.emplace_back("speedup_per_expansion", base_ns / metric(row, "ns_per_expansion"));
        report.rows.push_back(std::move(row));
    }
}

}  // namespace
}  // namespace search_bench

Result<Report> bench_search(const BenchOptions& options) {
    using namespace search_bench;
    const auto all = bench_scenes(options);
    if (!all) return all.error();
    Report report{"search", {}, {}};
    uint64_t steps = 0;
    for (const BenchScene& scene : *all) steps += scene.queries.size() * 6 * kPasses;
    Progress progress("search", steps);
    for (const BenchScene& scene : *all) bench_scene(scene, report, progress);
    // Dynamic Terrain Abstraction paper, Table 2 (2.3 GHz Core i7, 2019): A* and WA*(2) on twenty such maps.
    report.paper = {
        {"astar",
         {{"map", "20 maps 2048x2048"}},
         {{"expansions", 1089811}, {"cost", 2406}, {"ms_mean", 625.9}, {"ns_per_expansion", 625.9e6 / 1089811}}},
        {"wastar:2",
         {{"map", "20 maps 2048x2048"}},
         {{"expansions", 349865}, {"cost", 2567}, {"ms_mean", 180.7}, {"ns_per_expansion", 180.7e6 / 349865}}},
    };
    return report;
}

}  // namespace terrane
