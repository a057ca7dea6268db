// `terrane bench heuristics`: A* with octile distance, landmarks (differential heuristic) and FastMap: expansions, query and build times,
// bytes.
#include <chrono>
#include <optional>

#include "bench/bench.h"
#include "bench/progress.h"
#include "bench/scenes.h"
#include "terrane/grid_search/grid_search.h"

namespace terrane {

namespace heuristics_bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Candidate {
    const char* name;
    uint32_t landmarks, dimensions;
};
constexpr Candidate kCandidates[] = {{"octile", 0, 0}, {"landmarks:8", 8, 0}, {"landmarks:16", 16, 0}, {"fastmap:5", 0, 5}};

double ms_since(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

ReportRow measure(const BenchScene& scene, const Candidate& candidate, std::vector<Cost>& reference) {
    std::optional<DifferentialHeuristic> landmarks;
    std::optional<FastMapHeuristic> fastmap;
    SearchOptions options;
    const auto built = Clock::now();
    if (candidate.landmarks > 0)
        options.landmarks = &landmarks.emplace(
            DifferentialHeuristic::build({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, {candidate.landmarks, 0}));
    if (candidate.dimensions > 0)
        options.fastmap =
            &fastmap.emplace(FastMapHeuristic::build({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, {candidate.dimensions}));
    const double build_ms = ms_since(built), bytes = static_cast<double>(landmarks ? landmarks->bytes() : fastmap ? fastmap->bytes() : 0);

    GridSearch search;
    Path path;
    double ms = 0, expansions = 0, cost = 0, solved = 0;
    for (size_t i = 0; i < scene.queries.size(); ++i) {
        const auto start = Clock::now();
        search.begin({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, scene.queries[i].first, scene.queries[i].second, options);
        search.run();
        search.path(path);
        ms += ms_since(start);
        if (reference.size() == i) reference.push_back(path.cost);  // octile runs first
        solved += path.cost == reference[i];
        expansions += static_cast<double>(path.expansions);
        cost += to_real(path.cost);
    }
    const auto n = static_cast<double>(scene.queries.size());
    return {"astar",
            {{"map", scene.name}, {"heuristic", candidate.name}},
            {{"problems", n},
             {"solved", solved},
             {"expansions", expansions / n},
             {"cost", cost / n},
             {"ms_mean", ms / n},
             {"build_ms", build_ms},
             {"bytes", bytes}}};
}

}  // namespace
}  // namespace heuristics_bench

Result<Report> bench_heuristics(const BenchOptions& options) {
    using namespace heuristics_bench;
    const auto scenes = bench_scenes(options);
    if (!scenes) return scenes.error();
    Report report{"heuristics", {}, {}};
    Progress progress("heuristics", scenes->size() * std::size(kCandidates));
    for (const BenchScene& scene : *scenes) {
        std::vector<Cost> reference;
        for (const Candidate& candidate : kCandidates) {
            report.rows.push_back(measure(scene, candidate, reference));
            progress.advance();
        }
    }
    return report;
}

}  // namespace terrane
