// `terrane bench dta-reimpl`: the experiment of "Re-implementation of Dynamic Terrain Abstraction" (Sumner, CMPUT 658), which did not
// finish: regions of strips of a map, and of the whole map, as one sector, then a path over them. Four-connected, integer costs 1 to 5.
#include <fmt/format.h>

#include <algorithm>

#include "bench/bench.h"
#include "bench/progress.h"
#include "bench/scenes.h"
#include "bench/stopwatch.h"
#include "terrane/base/rng.h"
#include "terrane/world/planner.h"

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

double build_ms(const GridSnapshot& map) {
    double best = 1e300;
    for (int pass = 0; pass < kPasses; ++pass) {
        const Stopwatch watch;
        const TerrainRegions built = TerrainRegions::build(map, {kWholeMap, true, 1});
        best = std::min(best, watch.ms());
    }
    return best;
}

Result<ReportRow> measure(const GridSnapshot& map, const std::string& name) {
    const World world(editable(map), WorldOptions{{kWholeMap}});
    const CostTable costs = integer_costs(map.catalogue(), 1).compile(map.catalogue()).value();
    FindOptions options;
    options.method = find_method("astar").value();
    options.movement = Movement::kFour;
    const Cell start{0, 0}, goal{map.width() - 1, map.height() - 1};
    Planner planner(world);
    Path optimal, path;
    planner.find(start, goal, costs, options, optimal);
    options.method = find_method(kMethod).value();
    planner.find(start, goal, costs, options, path);
    if (!optimal || !path || path.cells.front() != start || path.cells.back() != goal || path.cost < optimal.cost ||
        path.cost != path_cost({map, costs, Movement::kFour}, path.cells)) {
        return Error{ErrorCode::kBadValue, name, 0, fmt::format("{}: wrong answer, {}", kMethod, to_string(path.status))};
    }
    double ms = 1e300;
    for (int pass = 0; pass < kPasses; ++pass) {
        const Stopwatch watch;
        planner.find(start, goal, costs, options, path);
        ms = std::min(ms, watch.ms());
    }
    const TerrainRegions& regions = *world.snapshot().regions(kWholeMap);
    return ReportRow{kMethod,
                     {{"map", name}},
                     {{"regions", static_cast<double>(regions.region_count())},
                      {"edges", static_cast<double>(regions.edge_count())},
                      {"build_ms", build_ms(map)},
                      {"expansions", static_cast<double>(path.expansions)},
                      {"cost_cells", to_real(path.cost)},
                      {"ratio_mean", static_cast<double>(path.cost) / static_cast<double>(optimal.cost)},
                      {"ms_mean", ms}}};
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
    Report report{"dta-reimpl", {}, {}};
    Progress progress("dta-reimpl", std::size(kHeights));
    for (const int32_t height : kHeights) {
        const int32_t rows = std::min(height, scene.grid.height());
        const auto row = measure(strip(scene.grid, rows).snapshot(), fmt::format("{} x {}", scene.grid.width(), rows));
        if (!row) return row.error();
        report.rows.push_back(*row);
        progress.advance();
    }
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
