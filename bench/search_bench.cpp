// `terrane bench search`: time per expansion of our searches and of the baseline A*, in one run.
#include "bench/bench.h"
#include "bench/grid_contest.h"

namespace terrane {

namespace search_bench {
namespace {

// The baseline A* shares no code with the library, so it is an independent reference.
const std::vector<GridContender> kContenders = {{kBaselineMethod}, {"astar"},      {"canonical"}, {"jpsw"},
                                                {"dijkstra"},      {"wastar:1.5"}, {"wastar:2"},  {"wastar:4"}};

// Dynamic Terrain Abstraction paper, Table 2 (2.3 GHz Core i7, 2019): A* and WA*(2) on twenty such maps.
const std::vector<ReportRow> kPaper = {
    {"astar",
     {{"map", "20 maps 2048x2048"}},
     {{"expansions", 1089811}, {"cost_cells", 2406}, {"ms_mean", 625.9}, {"ns_per_expansion", 625.9e6 / 1089811}}},
    {"wastar:2",
     {{"map", "20 maps 2048x2048"}},
     {{"expansions", 349865}, {"cost_cells", 2567}, {"ms_mean", 180.7}, {"ns_per_expansion", 180.7e6 / 349865}}},
};

}  // namespace
}  // namespace search_bench

Result<Report> bench_search(const BenchOptions& options) {
    using namespace search_bench;
    const auto scenes = bench_scenes(options);
    if (!scenes) return scenes.error();
    Contest contest;
    contest.results().show("ns_per_expansion", [](const Measurements& row) { return row.ms.sum() * 1e6 / row.expansions.sum(); });
    Progress progress("search", scenes->size() * (kContenders.size() + options.peers.size()));
    for (const BenchScene& scene : *scenes) {
        if (const auto done = run_on_grid(contest, scene, kContenders, progress, options.peers); !done) return done.error();
    }
    Report report{"search", contest.rows(), kPaper};
    report.notes = {"speedup: over baseline, an A* with std::priority_queue and std::unordered_map."};
    return report;
}

}  // namespace terrane
