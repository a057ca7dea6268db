// `terrane bench any-angle`: any-angle paths, refracted by Snell's law (refraction.h). Measures their cost against the optimal grid path
// and the time. Runs on terrain of many costs and on rooms of uniform cost, where an 8-connected path is up to 8.2% longer than the
// straight line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "bench/overlay_bench.h"
#include "bench/scenes.h"
#include "bench/stopwatch.h"
#include "terrane/any_angle/refraction.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

namespace any_angle_bench {
namespace {

constexpr size_t kMaps = 5;  // the first maps of a folder
constexpr size_t kProblems = 50;
constexpr int kRuns = 3;  // timed runs; the best counts
constexpr const char* kMethods[] = {"astar", "dta:16+smooth", "overlay:2"};

// One method over the maps of a section.
struct Tally {
    std::vector<double> paths, polylines;  // costs, divided by the optimal grid cost
    std::vector<double> ms;                // refraction only
    double cells = 0, points = 0;
};

Error wrong(const OverlayScene& scene, const std::string& method, size_t query, const std::string& what) {
    const auto [start, goal] = scene.queries[query];
    return {ErrorCode::kBadValue, scene.name, 0, fmt::format("{} from {},{} to {},{}: {}", method, start.x, start.y, goal.x, goal.y, what)};
}

Point centre_of(Cell c) { return {c.x + 0.5, c.y + 0.5}; }

// Checks the ends of the polyline and its cost.
Result<void> check_polyline(const OverlayScene& scene, const std::string& method, size_t query, const Path& path) {
    const double grid_cost = exact_cost(scene.grid, scene.costs, path.cells);
    const double measured = polyline_cost({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, path.polyline);
    if (path.polyline.empty() || path.polyline.front() != centre_of(path.cells.front()) ||
        path.polyline.back() != centre_of(path.cells.back()))
        return wrong(scene, method, query, "the polyline starts or ends at the wrong point");
    if (!(std::fabs(measured - path.polyline_cost) <= 1e-9 * (1 + measured)))
        return wrong(scene, method, query, fmt::format("the polyline costs {}, not {}", measured, path.polyline_cost));
    if (path.polyline_cost > grid_cost)
        return wrong(scene, method, query, fmt::format("the polyline costs {}, the grid path only {}", path.polyline_cost, grid_cost));
    return {};
}

double time_refraction(const OverlayScene& scene, const Path& path, Refractor& refractor, std::vector<Point>& points) {
    double best = 0;
    for (int i = 0; i < kRuns; ++i) {
        const Stopwatch watch;
        refractor.refract({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, path.cells, points);
        best = i == 0 ? watch.ms() : std::min(best, watch.ms());
    }
    return best;
}

Result<void> add_scene(const OverlayScene& scene, const char* name, World& world, Tally& tally) {
    FindOptions options;
    options.method = find_method(std::string(name) + "+any_angle").value();
    if (prepares(options.method)) prepare_only(world, scene.costs, name);
    Planner planner(world);
    std::vector<Path> found(scene.queries.size());
    for (size_t i = 0; i < found.size(); ++i) {
        planner.find(scene.queries[i].first, scene.queries[i].second, scene.costs, options, found[i]);
        if (const auto checked = scene.check(options.method.name(), i, found[i]); !checked) return checked.error();
        if (!found[i]) continue;
        if (const auto checked = check_polyline(scene, options.method.name(), i, found[i]); !checked) return checked.error();
    }
    Refractor refractor;
    std::vector<Point> points;
    for (size_t i = 0; i < found.size(); ++i) {
        const double optimum = to_real(scene.optimal[i].cost);
        if (!found[i] || optimum == 0) continue;
        tally.paths.push_back(exact_cost(scene.grid, scene.costs, found[i].cells) / optimum);
        tally.polylines.push_back(found[i].polyline_cost / optimum);
        tally.ms.push_back(time_refraction(scene, found[i], refractor, points));
        tally.cells += static_cast<double>(found[i].cells.size());
        tally.points += static_cast<double>(found[i].polyline.size());
    }
    return {};
}

ReportRow ratio_row(std::string method, const char* section, std::vector<double>& ratios) {
    return {std::move(method),
            {{"section", section}},
            {{"problems", static_cast<double>(ratios.size())},
             {"ratio_mean", mean(ratios)},
             {"ratio_min", quantile(ratios, 0)},
             {"ratio_p99", quantile(ratios, 0.99)},
             {"ratio_max", quantile(ratios, 1)}}};
}

void add_rows(const char* method, const char* section, Tally& t, Report& report) {
    report.rows.push_back(ratio_row(method, section, t.paths));
    report.rows.push_back(ratio_row(std::string(method) + "+any_angle", section, t.polylines));
    const auto count = static_cast<double>(t.ms.size());
    double total = 0;
    for (const double ms : t.ms) total += ms;
    Metrics& metrics = report.rows.back().metrics;
    metrics.insert(metrics.end(), {{"cells", t.cells / count},
                                   {"points", t.points / count},
                                   {"refract_ms", total / count},
                                   {"refract_ms_p99", quantile(t.ms, 0.99)},
                                   {"refract_us_cell", 1000 * total / t.cells}});
}

Result<void> measure(const char* section, std::vector<OverlayScene>& scenes, Report& report, Progress& progress) {
    Tally tallies[std::size(kMethods)];
    for (OverlayScene& scene : scenes) {
        scene.solve_optimally(scene.queries.size());
        World world(editable(scene.grid));
        for (size_t m = 0; m < std::size(kMethods); ++m) {
            if (const auto added = add_scene(scene, kMethods[m], world, tallies[m]); !added) return added.error();
            progress.advance();
        }
    }
    for (size_t m = 0; m < std::size(kMethods); ++m) add_rows(kMethods[m], section, tallies[m], report);
    return {};
}

Result<std::vector<OverlayScene>> given_scenes(const BenchOptions& options) {
    auto all = bench_scenes(options, kProblems);
    if (!all) return all.error();
    std::vector<OverlayScene> out;
    out.reserve(kMaps);
    for (size_t i = 0; i < std::min<size_t>(all->size(), options.quick ? 1 : kMaps); ++i) {
        BenchScene& scene = (*all)[i];
        out.push_back({scene.name, scene.grid, scene.published_costs.value_or(scene.costs), std::move(scene.queries)});
    }
    return out;
}

// Generated rooms: walls, and terrain of one cost.
Result<std::vector<OverlayScene>> rooms(bool quick) {
    RoomsOptions options;
    options.room = 32;
    const auto grid = generate_rooms(options);
    if (!grid) return grid.error();
    OverlayScene scene{"rooms", grid->snapshot(), Profile::preset("walker")->compile(grid->snapshot().catalogue()).value(), {}};
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
    std::vector<OverlayScene> out;
    out.push_back(std::move(scene));
    return out;
}

}  // namespace
}  // namespace any_angle_bench

Result<Report> bench_any_angle(const BenchOptions& options) {
    using namespace any_angle_bench;
    auto scenes = given_scenes(options);
    if (!scenes) return scenes.error();
    auto uniform = rooms(options.quick);
    if (!uniform) return uniform.error();
    Report report{"any-angle", {}, {}};
    std::string names;
    for (const OverlayScene& scene : *scenes) names += (names.empty() ? "" : ", ") + scene.name;
    report.notes = {fmt::format("maps: {}; {} problems each. rooms: 512x512 cells, rooms of 32, terrain of one cost.", names,
                                scenes->front().queries.size()),
                    "ratio_*: cost divided by that of the optimal grid path. refract_*: time to turn the grid path into a polyline."};
    Progress progress("any-angle", (scenes->size() + 1) * std::size(kMethods));
    if (const auto done = measure("maps", *scenes, report, progress); !done) return done.error();
    if (const auto done = measure("rooms", *uniform, report, progress); !done) return done.error();
    return report;
}

}  // namespace terrane
