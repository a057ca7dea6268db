// `terrane bench any-angle`: any-angle paths, refracted by Snell's law (refraction.h). Measures their cost against the optimal grid path
// and the time. Runs on terrain of many costs and on rooms of uniform cost, where an 8-connected path is up to 8.2% longer than the
// straight line.
#include <fmt/format.h>

#include <cmath>

#include "bench/bench.h"
#include "bench/grid_contest.h"
#include "terrane/any_angle/refraction.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

namespace any_angle_bench {
namespace {

constexpr size_t kMaps = 5;  // the first maps of a folder
constexpr size_t kProblems = 50;
constexpr int kRuns = 3;  // timed runs of the refraction; the best counts
constexpr const char* kMethods[] = {"astar", "dta:16+smooth", "overlay:2"};

Point centre_of(Cell c) { return {c.x + 0.5, c.y + 0.5}; }

// Checks the ends of the polyline and its cost.
Result<void> check_polyline(const BenchScene& scene, const Path& path) {
    const auto wrong = [](const std::string& what) { return Error{ErrorCode::kBadValue, {}, 0, "the polyline " + what}; };
    const double grid_cost = exact_cost(scene.grid, scene.costs, path.cells);
    const double measured = polyline_cost({scene.grid, scene.costs, scene.movement}, path.polyline);
    if (path.polyline.empty() || path.polyline.front() != centre_of(path.cells.front()) ||
        path.polyline.back() != centre_of(path.cells.back()))
        return wrong("starts or ends at the wrong point");
    if (!(std::fabs(measured - path.polyline_cost) <= 1e-9 * (1 + measured)))
        return wrong(fmt::format("costs {}, not {}", measured, path.polyline_cost));
    if (path.polyline_cost > grid_cost) return wrong(fmt::format("costs {}, the grid path only {}", path.polyline_cost, grid_cost));
    return {};
}

// Runs the methods with +any_angle. Ratios are costs divided by that of the optimal grid path: a row for grid paths, a row for polylines.
Result<void> measure(const char* section, const std::vector<BenchScene>& scenes, MeasuredRows& rows, Progress& progress) {
    Refractor refractor;
    std::vector<Point> points;
    for (const BenchScene& scene : scenes) {
        std::vector<double> optimal(scene.queries.size());
        std::vector<GridContender> contenders;
        for (const char* method : kMethods) {
            const bool first = contenders.empty();
            Measurements& paths = rows.at(method, {{"section", section}});
            Measurements& polylines = rows.at(method + std::string("+any_angle"), {{"section", section}});
            contenders.push_back({.method = method + std::string("+any_angle"), .prepare = method, .passes = 1});
            contenders.back().inspect = [&, first](const BenchScene& of, size_t problem, const Path& path, NamedSamples&) -> Result<void> {
                if (first) optimal[problem] = to_real(path.cost);
                if (!path || optimal[problem] == 0) return {};
                if (const auto checked = check_polyline(of, path); !checked) return checked;
                ++paths.problems, ++paths.solved, ++polylines.problems, ++polylines.solved;
                paths.ratio.add(to_real(path.cost) / optimal[problem]);
                polylines.ratio.add(path.polyline_cost / optimal[problem]);
                polylines["cells"].add(static_cast<double>(path.cells.size()));
                polylines["points"].add(static_cast<double>(path.polyline.size()));
                polylines["refract_ms"].add(best_ms(kRuns, [&] {
                    refractor.refract({of.grid, of.costs, of.movement}, path.cells, points);
                }));
                return {};
            };
        }
        Contest contest;  // finds and checks the paths
        if (const auto done = run_on_grid(contest, scene, contenders, progress); !done) return done;
    }
    return {};
}

// Generated rooms: walls, and terrain of one cost.
Result<BenchScene> rooms(bool quick) {
    RoomsOptions options;
    options.room = 32;
    const auto grid = generate_rooms(options);
    if (!grid) return grid.error();
    BenchScene scene{"rooms", grid->snapshot(), Profile::preset("walker")->compile(grid->snapshot().catalogue()).value()};
    Rng rng(5);
    for (size_t i = 0; i < (quick ? 5 : kProblems); ++i) {
        const auto cell = [&] {
            Cell c;
            do {
                c.x = rng.between(0, options.width - 1);
                c.y = rng.between(0, options.height - 1);
            } while (!scene.costs.passable(scene.grid.at(c)));
            return c;
        };
        const Cell start = cell();
        scene.queries.emplace_back(start, cell());
    }
    return scene;
}

}  // namespace
}  // namespace any_angle_bench

Result<Report> bench_any_angle(const BenchOptions& options) {
    using namespace any_angle_bench;
    auto scenes = bench_scenes(options, kProblems);
    if (!scenes) return scenes.error();
    if (const size_t maps = options.quick ? 1 : kMaps; scenes->size() > maps) scenes->resize(maps);
    std::string names;
    for (BenchScene& scene : *scenes) {
        scene.costs = scene.published_costs.value_or(scene.costs);
        names += (names.empty() ? "" : ", ") + scene.name;
    }
    const auto uniform = rooms(options.quick);
    if (!uniform) return uniform.error();
    MeasuredRows rows;
    rows.show("ratio", {"min"});
    rows.show("refract_ms", {"p99"});
    rows.show("refract_us_cell",
              [](const Measurements& row) { return 1000 * row.extras.at("refract_ms").sum() / row.extras.at("cells").sum(); });
    Progress progress("any-angle", (scenes->size() + 1) * std::size(kMethods));
    if (const auto done = measure("maps", *scenes, rows, progress); !done) return done.error();
    if (const auto done = measure("rooms", {*uniform}, rows, progress); !done) return done.error();
    Report report{"any-angle", rows.rows()};
    report.notes = {fmt::format("maps: {}; {} problems each. rooms: 512x512 cells, rooms of 32, terrain of one cost.", names,
                                scenes->front().queries.size()),
                    "ratio_*: cost divided by that of the optimal grid path. refract_*: time to turn the grid path into a polyline."};
    return report;
}

}  // namespace terrane
