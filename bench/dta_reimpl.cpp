// `terrane bench dta-reimpl`: the experiment of "Re-implementation of Dynamic Terrain Abstraction" (Sumner, CMPUT 658), which did not
// finish: regions of strips of a map, and of the whole map, as one sector, then a path over them. Four-connected, integer costs 1 to 5.
#include <fmt/format.h>

#include <algorithm>

#include "bench/bench.h"
#include "bench/grid_contest.h"
#include "terrane/base/rng.h"

namespace terrane {

namespace dta_reimpl_bench {
namespace {

constexpr int32_t kHeights[] = {5, 10, 20, 50, kMaxSide};  // the last one: the whole map
constexpr int kPasses = 3;                                 // the best pass counts
constexpr auto kMethod = "dta:map/astar";

// Returns the middle rows of a map.
TerrainGrid strip(const GridSnapshot& map, int32_t rows) {
    const std::vector<Terrain> cells = map.cells();
    const auto width = static_cast<size_t>(map.width()), first = static_cast<size_t>((map.height() - rows) / 2);
    return {map.width(), rows, std::span(cells).subspan(first * width, static_cast<size_t>(rows) * width), map.catalogue()};
}

Profile integer_costs(const Catalogue& catalogue, uint64_t seed) {
    Rng rng(seed);
    Profile profile(fmt::format("1 to 5, seed {}", seed));
    for (const TerrainType& type : catalogue.types()) profile.rule(type.name, 100 * (1 + rng.below(5)));
    return profile;
}

Result<void> measure(const GridSnapshot& map, const std::string& name, Contest& contest, Progress& progress) {
    BenchScene scene{
        name, map, integer_costs(map.catalogue(), 1).compile(map.catalogue()).value(), {{{0, 0}, {map.width() - 1, map.height() - 1}}}};
    scene.movement = Movement::kFour;
    if (const auto done = run_on_grid(contest, scene, {{"astar"}, {kMethod}}, progress); !done) return done;
    Measurements& row = contest.results().at(kMethod, {{"map", name}});
    const auto build = [&] { return TerrainRegions::build(map, {kWholeMap, true, 1}); };
    const TerrainRegions regions = build();
    row["regions"].add(static_cast<double>(regions.region_count()));
    row["edges"].add(static_cast<double>(regions.edge_count()));
    row.build_ms.add(best_ms(kPasses, build));
    return {};
}

// The report gives seconds; it found no path on any map.
ReportRow paper_row(const char* map, double regions_s, double edges_s) {
    ReportRow row{"dta:map", {{"map", map}}, {{"regions_ms", regions_s * 1e3}}};
    if (edges_s == 0) return row;  // did not finish
    row.metrics.emplace_back("edges_ms", edges_s * 1e3);
    row.metrics.emplace_back("build_ms", (regions_s + edges_s) * 1e3);
    return row;
}

}  // namespace
}  // namespace dta_reimpl_bench

Result<Report> bench_dta_reimpl(const BenchOptions& options) {
    using namespace dta_reimpl_bench;
    const auto scenes = bench_scenes(options, 1);
    if (!scenes) return scenes.error();
    const BenchScene& scene = scenes->front();
    Contest contest;
    Progress progress("dta-reimpl", 2 * std::size(kHeights));
    for (const int32_t height : kHeights) {
        const int32_t rows = std::min(height, scene.grid.height());
        const auto done = measure(strip(scene.grid, rows).snapshot(), fmt::format("{} x {}", scene.grid.width(), rows), contest, progress);
        if (!done) return done.error();
    }
    Report report{"dta-reimpl", contest.rows()};
    report.paper = {paper_row("2048 x 5", 2, 18), paper_row("2048 x 10", 5, 50), paper_row("2048 x 20", 45, 300),
                    paper_row("2048 x 50", 600, 0)};
    report.notes = {fmt::format(
        "Strips from the middle of {}, one sector each. build_ms: regions and edges, which we build in one pass; in the paper rows the\n"
        "sum of regions_ms and edges_ms. The re-implementation did not finish the edges of 2048 x 50, tried no larger map and found no\n"
        "path. Paths run from corner to corner; ratio_mean is the suboptimality ratio.",
        scene.name)};
    return report;
}

}  // namespace terrane
