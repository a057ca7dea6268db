// `terrane bench heuristics`: A* with octile distance, landmarks (differential heuristic) and FastMap: expansions, query and build times,
// bytes.
#include <optional>

#include "bench/bench.h"
#include "bench/grid_contest.h"

namespace terrane {

namespace heuristics_bench {
namespace {

struct Candidate {
    const char* name;
    uint32_t landmarks, dimensions;
};
constexpr Candidate kCandidates[] = {{"octile", 0, 0}, {"landmarks:8", 8, 0}, {"landmarks:16", 16, 0}, {"fastmap:5", 0, 5}};

// The heuristic of a candidate; it outlives its runner.
struct Heuristics {
    std::optional<DifferentialHeuristic> landmarks;
    std::optional<FastMapHeuristic> fastmap;
};

Contender contender_of(const BenchScene& scene, const Candidate& candidate, Heuristics& built) {
    const auto open = [&scene, &candidate, &built]() -> Result<Opened> {
        const Ground ground{scene.grid, scene.costs, scene.movement};
        SearchOptions options;
        double ms = 0;
        timed(ms, [&] {
            if (candidate.landmarks > 0)
                options.landmarks = &built.landmarks.emplace(DifferentialHeuristic::build(ground, {candidate.landmarks, 0}));
            if (candidate.dimensions > 0) options.fastmap = &built.fastmap.emplace(FastMapHeuristic::build(ground, {candidate.dimensions}));
        });
        Opened opened{search_runner(scene, options)};
        if (!built.landmarks && !built.fastmap) return opened;
        opened.build_ms = ms;
        opened.bytes = static_cast<double>(built.landmarks ? built.landmarks->bytes() : built.fastmap->bytes());
        return opened;
    };
    return {.method = "astar", .label = {{"heuristic", candidate.name}}, .open = open, .guarantee = 1};
}

}  // namespace
}  // namespace heuristics_bench

Result<Report> bench_heuristics(const BenchOptions& options) {
    using namespace heuristics_bench;
    const auto scenes = bench_scenes(options);
    if (!scenes) return scenes.error();
    Contest contest;
    Progress progress("heuristics", scenes->size() * std::size(kCandidates));
    for (const BenchScene& scene : *scenes) {
        std::vector<Heuristics> built(std::size(kCandidates));
        std::vector<Contender> contenders;
        for (size_t i = 0; i < built.size(); ++i) contenders.push_back(contender_of(scene, kCandidates[i], built[i]));
        const auto done = contest.run(contest_scene(scene), contenders, [&] { progress.advance(); });
        if (!done) return done.error();
    }
    return Report{"heuristics", contest.rows()};
}

}  // namespace terrane
