// `terrane bench weighted-regions`: the experiments of "Pathfinding in Open Terrain" (Goodwin, Menon, Price 2006) on Voronoi subdivisions
// of 600 x 600 with costs 1 to 8, from corner to corner, and on larger subdivisions. Also measures the boundary-point solvers alone.
//
// The paper's two maps are not published, so its rows stand beside means over many subdivisions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>

#include "base/bp_solver.h"
#include "bench/bench.h"
#include "bench/contest.h"
#include "bench/progress.h"
#include "terrane/base/rng.h"
#include "terrane/weighted_regions/subdivision_method.h"
#include "terrane/weighted_regions/subdivision_picture.h"

namespace terrane {

namespace weighted_regions_bench {
namespace {

constexpr const char* kFolder = "out";
constexpr Point kFrom{10, 10}, kTo{590, 590};
constexpr Rgb kRed{226, 58, 54}, kBlue{46, 96, 220};  // as in the paper: BPrep and Brep

struct SubdivisionSize {
    uint32_t regions;
    uint32_t subdivisions, quick_subdivisions;
    double gap;  // of brep+proven
};
constexpr std::array<SubdivisionSize, 6> kSizes = {
    {{8, 100, 4, 1e-6}, {16, 100, 4, 1e-6}, {24, 100, 4, 1e-6}, {100, 20, 2, 1e-4}, {1000, 5, 1, 1e-3}, {10'000, 2, 1, 1e-3}}};

constexpr uint32_t kMaxTinyRegions = 100;
constexpr uint32_t kMaxRepeatedRegions = 100;  // larger subdivisions are solved once: seconds each

struct SubdivisionContender {
    std::string method;
    std::string setting = {};  // options that the name does not state
    std::function<void(SubdivisionMethod&)> set = {};
    uint32_t regions_up_to = 10'000;  // skips larger subdivisions
    size_t subdivisions = SIZE_MAX;   // at most so many of each size
};

// The reference first.
std::vector<SubdivisionContender> contenders() {
    std::vector<SubdivisionContender> all{{"brep+proven"}};
    for (const char* name : {"grid:1", "quadtree:1", "framed:1"}) all.push_back({name, {}, {}, 100, 5});
    for (const char* name : {"bprep:1", "bprep:2", "bprep:4", "bprep:8", "bprep:16", "bprep:32"}) all.push_back({name, {}, {}, 1000});
    all.push_back({"brep"});
    for (const uint32_t n : {2u, 4u, 8u, 16u, 64u, 128u})
        all.push_back({"brep", fmt::format("{} iterations", n), [n](SubdivisionMethod& method) { method.brep.max_iterations = n; }, 24});
    for (const double e : {1.0, 0.1, 0.01})
        all.push_back({"brep", fmt::format("epsilon {:g}", e), [e](SubdivisionMethod& method) { method.brep.epsilon = e; }, 24});
    all.push_back({"brep+newton"});
    return all;
}

// Returns an empty string if the path's cost is correct and not below the proven lower bound.
std::string fault(const Subdivision& subdivision, const SubdivisionPath& path, double lower_bound) {
    if (!path) return fmt::format("no path: {}", to_string(path.status));
    const double checked = subdivision_path_cost(subdivision, path.points);
    if (!(std::abs(checked - path.cost) <= 1e-9 * checked)) return fmt::format("reports {:.9f}, but costs {:.9f}", path.cost, checked);
    if (path.cost < lower_bound) return fmt::format("cost {:.9f} is below the proven lower bound {:.9f}", path.cost, lower_bound);
    return {};
}

// The subdivisions of one size, and the reference's answers.
struct SizeScene {
    SubdivisionSize size;
    std::vector<Subdivision> subdivisions;
    std::vector<SubdivisionPath> best;
};

Contender contender_of(const SubdivisionContender& contender, SizeScene& scene) {
    SubdivisionMethod method = find_subdivision_method(contender.method).value();
    if (contender.set) contender.set(method);
    method.gap = scene.size.gap;
    const auto open = [method, &scene]() -> Result<Opened> {
        const auto planner = std::make_shared<SubdivisionPlanner>();
        const auto path = std::make_shared<SubdivisionPath>();
        return Opened{make_runner([=, &scene](size_t i, Lap&) { *path = planner->find(scene.subdivisions[i], kFrom, kTo, method); },
                                  [=, &scene](size_t i, NamedSamples& extras) -> Result<Answer> {
                                      if (scene.best.size() == i) scene.best.push_back(*path);  // the reference runs first
                                      const SubdivisionPath& best = scene.best[i];
                                      if (const std::string what = fault(scene.subdivisions[i], *path, best.lower_bound); !what.empty())
                                          return Error{ErrorCode::kBadValue, {}, 0, what};
                                      extras["missed"].add(path->cost > best.cost * (1 + 2 * scene.size.gap) ? 1 : 0);
                                      if (method.proves_gap()) extras["gap"].add(path->gap());
                                      return Answer{.found = true, .cost = path->cost, .expansions = static_cast<double>(path->expansions)};
                                  })};
    };
    return {.method = contender.method,
            .label = contender.setting.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json{{"setting", contender.setting}},
            .open = open,
            .tolerance = scene.size.gap,
            .sample = contender.subdivisions,
            .passes = scene.size.regions > kMaxRepeatedRegions ? 1 : 0};
}

// ---- The paper's figures

Subdivision subdivision_of(uint32_t regions, uint64_t seed) {
    VoronoiSubdivisionOptions options;
    options.sites = regions;
    options.seed = seed;
    return random_voronoi_subdivision(options).value();
}

Result<void> save(const std::string& name, const SubdivisionDrawing& drawing) {
    return save_png((std::filesystem::path(kFolder) / (name + ".png")).string(), draw_subdivision(drawing));
}

// Brep in blue over BPrep in red.
Result<void> draw_both(const std::string& name, const Subdivision& subdivision, const std::string& other) {
    SubdivisionPlanner planner;
    const SubdivisionPath red = planner.find(subdivision, kFrom, kTo, find_subdivision_method(other).value());
    const SubdivisionPath blue = planner.find(subdivision, kFrom, kTo, find_subdivision_method("brep").value());
    return save(name, {.subdivision = &subdivision, .polylines = {{red.points, kRed}, {blue.points, kBlue}}, .pixels = 600});
}

// Draws the expanded nodes and the path of a search.
Result<void> draw_nodes(const std::string& name, const Subdivision& subdivision, const std::string& method) {
    SubdivisionPlanner planner;
    SubdivisionTrace trace;
    const SubdivisionPath path = planner.find(subdivision, kFrom, kTo, find_subdivision_method(method).value(), &trace);
    const std::vector<SquareSearch::Leaf> leaves = planner.squares().leaves();
    return save(name, {.subdivision = &subdivision, .polylines = {{path.points, kRed}}, .trace = &trace, .squares = leaves, .pixels = 600});
}

Result<void> draw_figures() {
    const Subdivision eight = subdivision_of(8, 3), many = subdivision_of(24, 5);
    for (const auto& [name, subdivision, other] : {std::tuple{"weighted-regions-8-fine", &eight, "bprep:1"},
                                                   {"weighted-regions-8-coarse", &eight, "bprep:32"},
                                                   {"weighted-regions-24-fine", &many, "bprep:1"},
                                                   {"weighted-regions-24-coarse", &many, "bprep:32"}}) {
        if (const auto done = draw_both(name, *subdivision, other); !done) return done.error();
    }
    for (const std::string method : {"grid:12", "quadtree:6", "framed:6", "bprep:12", "brep", "brep+proven"}) {
        if (const auto done = draw_nodes("weighted-regions-" + method.substr(0, method.find(':')), eight, method); !done)
            return done.error();
    }
    return {};
}

// ---- Solvers

// `count` nearly vertical boundaries in a row, with costs 1 to 8.
struct Crossing {
    std::vector<Segment> boundaries;
    std::vector<double> costs;
    BoundaryProblem problem() const { return {{0, 0}, {static_cast<double>(boundaries.size()) + 1, 0}, boundaries, costs}; }
};

Crossing random_crossing(size_t count, Rng& rng) {
    Crossing out;
    const auto draw = [&] { return static_cast<double>(rng.next() >> 11) * 0x1p-53; };
    for (size_t i = 0; i < count; ++i) {
        const auto x = static_cast<double>(i + 1);
        const double bottom = x + 0.8 * draw() - 0.4, top = x + 0.8 * draw() - 0.4;
        out.boundaries.push_back({{bottom, -20}, {top, 20}});
    }
    for (size_t i = 0; i <= count; ++i) out.costs.push_back(1 + static_cast<double>(rng.below(8)));
    return out;
}

// Returns the rounds of descent until the cost is within 1e-7 of `best`, at most `max_rounds`.
double rounds_of_descent(BoundaryPointSolver& solver, const Crossing& crossing, double best, uint32_t max_rounds) {
    std::vector<double> places(crossing.boundaries.size());
    uint32_t rounds = 0;
    for (double cost = 1e300; cost > best * (1 + 1e-7) && rounds < max_rounds; ++rounds)
        cost = solver.descend(crossing.problem(), places, {0, 1, rounds == 0 ? 0 : places.size()}).cost;
    return rounds;
}

void measure_solvers(bool quick, Report& report) {
    constexpr uint32_t kMaxRounds = 10'000;
    BoundaryPointSolver solver;
    MeasuredRows rows;
    Rng rng(17);
    for (const size_t count : {4u, 8u, 16u, 32u, 64u}) {
        for (int i = 0; i < (quick ? 3 : 20); ++i) {
            const Crossing crossing = random_crossing(count, rng);
            std::vector<double> places(count);
            const double best = solver.newton(crossing.problem(), places).cost;
            Measurements &descend = rows.at("descend", {{"boundaries", count}}), &newton = rows.at("newton", {{"boundaries", count}});
            newton["iterations"].add(
                timed(newton.ms, [&] { return solver.newton(crossing.problem(), places, {.tolerance = 1e-7}).iterations; }));
            descend["iterations"].add(timed(descend.ms, [&] { return rounds_of_descent(solver, crossing, best, kMaxRounds); }));
        }
    }
    report.add(rows.rows());
}

// ---- Report

Result<void> measure_size(const SubdivisionSize& size, bool quick, Contest& contest) {
    SizeScene scene{size, {}, {}};
    for (uint32_t i = 0; i < (quick ? size.quick_subdivisions : size.subdivisions); ++i)
        scene.subdivisions.push_back(subdivision_of(size.regions, i + 1));
    std::vector<Contender> chosen;
    for (const SubdivisionContender& c : contenders()) {
        if (size.regions <= c.regions_up_to) chosen.push_back(contender_of(c, scene));
    }
    Progress progress(fmt::format("weighted-regions, {} regions", size.regions), chosen.size());
    return contest.run({fmt::format("{} regions", size.regions), {{"regions", size.regions}}, scene.subdivisions.size()}, chosen,
                       [&] { progress.advance(); });
}

void add_paper_rows(Report& report) {
    const auto add = [&](const char* method, int regions, double cost, double expansions, double seconds) {
        report.paper.push_back(
            {method, {{"regions", regions}}, {{"cost_cells", cost}, {"expansions", expansions}, {"ms_mean", seconds * 1000}}});
    };
    add("brep", 8, 1302.4, 43, 0.02);
    add("bprep:1", 8, 1302.4, 2287, 795.66);
    add("bprep:32", 8, 1306.12, 82, 0.06);
    add("brep", 24, 2057.06, 363, 0.41);
    add("bprep:1", 24, 2057.08, 8338, 4579.8);
    add("bprep:32", 24, 2065.72, 309, 0.25);
}

}  // namespace
}  // namespace weighted_regions_bench

Result<Report> bench_weighted_regions(const BenchOptions& options) {
    using namespace weighted_regions_bench;
    std::error_code error;
    std::filesystem::create_directories(kFolder, error);
    if (error) return Error{ErrorCode::kCannotOpen, kFolder, 0, "cannot create this folder: " + error.message()};
    Contest contest({.passes = options.quick ? 1 : 3});
    contest.results().show("gap", {"max"});
    for (const SubdivisionSize& size : kSizes) {
        if (options.tiny && size.regions > kMaxTinyRegions) break;
        if (const auto done = measure_size(size, options.quick, contest); !done) return done.error();
    }
    Report report{"weighted-regions", contest.rows(), {}};
    measure_solvers(options.quick, report);
    add_paper_rows(report);
    if (const auto done = draw_figures(); !done) return done.error();
    report.notes = {
        "From 10,10 to 590,590. ratio: over the cost of brep+proven (gap 1e-6 up to 24 regions, 1e-4 at 100, 1e-3 from 1,000 on). missed: "
        "share of answers that cost more than that, beyond the gaps. speedup: over brep+proven.",
        "descend, newton: iterations until the cost is within 1e-7 of the minimum, mean of 20 random sequences of boundaries.",
        "Pictures like the paper's figures: out/weighted-regions-*.png."};
    return report;
}

}  // namespace terrane
