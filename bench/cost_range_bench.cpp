// `terrane bench dta-cost-range`: A*, NBS and weighted A* as the range of terrain costs grows. The Dynamic Terrain Abstraction paper
// (section 5.2) reports that A* is faster than NBS at costs up to 2, equal at 4, and slower beyond.
#include <fmt/format.h>

#include "bench/bench.h"
#include "bench/grid_contest.h"

namespace terrane {

namespace cost_range_bench {
namespace {

constexpr const char* kMethods[] = {"astar", "nbs", "wastar:2"};
constexpr uint32_t kMaxCosts[] = {2, 4, 8, 16};

// Runs GridSearch itself, which counts the necessary expansions of NBS.
Contender contender_of(const BenchScene& scene, const char* method) {
    return search_contender(scene, method, [](const GridSearch& search, NamedSamples& extras) {
        extras["necessary"].add(static_cast<double>(search.necessary_expansions()));
    });
}

ReportRow paper_row(const char* method, double expansions, double cost, double ms) {
    return {method, {{"costs", "1 to 4"}}, {{"expansions", expansions}, {"cost_cells", cost}, {"ms_mean", ms}, {"speedup", 625.9 / ms}}};
}

}  // namespace
}  // namespace cost_range_bench

Result<Report> bench_cost_range(const BenchOptions& options) {
    using namespace cost_range_bench;
    auto scenes = bench_scenes(options);
    if (!scenes) return scenes.error();
    Contest contest;
    contest.results().show("ratio_of_sums", ratio_of_sums);
    Progress progress("dta-cost-range", scenes->size() * std::size(kMaxCosts) * std::size(kMethods));
    for (const uint32_t max_cost : kMaxCosts) {
        for (BenchScene& scene : *scenes) {
            scene.costs = drawn_costs(scene.grid.catalogue(), 1, max_cost).compile(scene.grid.catalogue()).value();
            scene.label = {{"costs", fmt::format("1 to {}", max_cost)}};
            std::vector<Contender> contenders;
            for (const char* method : kMethods) contenders.push_back(contender_of(scene, method));
            const auto done = contest.run(contest_scene(scene), contenders, [&] { progress.advance(); });
            if (!done) return done.error();
        }
    }
    Report report{"dta-cost-range", contest.rows()};
    report.paper = {paper_row("astar", 1089811, 2406, 625.9), paper_row("nbs", 1044995, 2406, 879.3),
                    paper_row("wastar:2", 349865, 2567, 180.7)};
    report.notes = {"ratio_mean: mean suboptimality ratio; ratio_of_sums: ratio of the mean costs. speedup: over astar."};
    return report;
}

}  // namespace terrane
