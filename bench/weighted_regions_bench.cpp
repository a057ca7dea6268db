// `terrane bench weighted-regions`: the experiments of "Pathfinding in Open Terrain" (Goodwin, Menon, Price 2006) on Voronoi subdivisions
// of 600 x 600 with costs 1 to 8, from corner to corner, and on larger subdivisions. Also measures the boundary-point solvers alone.
//
// The paper's two maps are not published, so its rows stand beside means over many subdivisions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/bp_solver.h"
#include "bench/bench.h"
#include "bench/progress.h"
#include "bench/stopwatch.h"
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

struct Contender {
    SubdivisionMethod method;
    std::string setting = {};                  // options that the name does not state
    uint32_t regions_up_to = 10'000;           // skips larger subdivisions
    uint32_t subdivisions_up_to = UINT32_MAX;  // of each size
};

std::vector<Contender> contenders() {
    std::vector<Contender> all;
    const auto add = [&](const std::string& name, uint32_t regions, uint32_t subdivisions) -> Contender& {
        return all.emplace_back(Contender{find_subdivision_method(name).value(), {}, regions, subdivisions});
    };
    for (const char* name : {"grid:1", "quadtree:1", "framed:1"}) add(name, 100, 5);
    for (const char* name : {"bprep:1", "bprep:2", "bprep:4", "bprep:8", "bprep:16", "bprep:32"}) add(name, 1000, 100);
    add("brep", 10'000, 100);
    for (const uint32_t iterations : {2u, 4u, 8u, 16u, 64u, 128u}) {
        Contender& c = add("brep", 24, 100);
        c.method.brep.max_iterations = iterations;
        c.setting = fmt::format("{} iterations", iterations);
    }
    for (const double epsilon : {1.0, 0.1, 0.01}) {
        Contender& c = add("brep", 24, 100);
        c.method.brep.epsilon = epsilon;
        c.setting = fmt::format("epsilon {:g}", epsilon);
    }
    add("brep+newton", 10'000, 100);
    add("brep+proven", 10'000, 100);
    return all;
}

// One contender on subdivisions of one size.
struct Tally {
    std::vector<double> ms, expansions, costs, ratios, gaps;
    size_t missed = 0;  // paths that cost more than the reference, beyond its gap
};

Error wrong(const Contender& contender, uint32_t regions, uint64_t seed, const std::string& what) {
    return {ErrorCode::kBadValue, "weighted-regions", 0,
            fmt::format("{} {}on {} regions, seed {}: {}", contender.method.name, contender.setting, regions, seed, what)};
}

// Returns an empty string if the path's cost is correct and not below the proven lower bound.
std::string fault(const Subdivision& subdivision, const SubdivisionPath& path, const SubdivisionPath& reference) {
    if (!path) return fmt::format("no path: {}", to_string(path.status));
    const double checked = subdivision_path_cost(subdivision, path.points);
    if (!(std::abs(checked - path.cost) <= 1e-9 * checked)) return fmt::format("reports {:.9f}, but costs {:.9f}", path.cost, checked);
    if (path.cost < reference.lower_bound)
        return fmt::format("cost {:.9f} is below the proven lower bound {:.9f}", path.cost, reference.lower_bound);
    return {};
}

// Best of up to five runs; stops after 300 ms.
double time_query(SubdivisionPlanner& planner, const Subdivision& subdivision, const SubdivisionMethod& method) {
    double best = 1e300, spent = 0;
    for (int pass = 0; pass < 5 && (pass == 0 || spent < 300); ++pass) {
        const Stopwatch watch;
        planner.find(subdivision, kFrom, kTo, method);
        best = std::min(best, watch.ms());
        spent += watch.ms();
    }
    return best;
}

Result<void> measure(const Subdivision& subdivision, const SubdivisionSize& size, uint64_t seed, const Contender& contender,
                     const SubdivisionPath& reference, SubdivisionPlanner& planner, Tally& tally) {
    SubdivisionMethod method = contender.method;
    method.gap = size.gap;
    const SubdivisionPath path = planner.find(subdivision, kFrom, kTo, method);
    if (const std::string what = fault(subdivision, path, reference); !what.empty()) return wrong(contender, size.regions, seed, what);
    if (path.cost < reference.cost * (1 - size.gap))
        return wrong(contender, size.regions, seed, "cheaper than brep+proven by more than its gap");
    tally.expansions.push_back(static_cast<double>(path.expansions));
    tally.costs.push_back(path.cost);
    tally.ratios.push_back(path.cost / reference.cost);
    tally.gaps.push_back(path.gap());
    if (path.cost > reference.cost * (1 + 2 * size.gap)) ++tally.missed;
    tally.ms.push_back(time_query(planner, subdivision, method));
    return {};
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// Mean of the first `count` values, for comparison with a contender that ran on fewer subdivisions.
double mean_of_first(const std::vector<double>& values, size_t count) {
    return mean({values.begin(), values.begin() + static_cast<ptrdiff_t>(std::min(count, values.size()))});
}

ReportRow row_of(const Contender& contender, const SubdivisionSize& size, Tally& tally, const Tally& baseline) {
    nlohmann::ordered_json scene{{"regions", size.regions}};
    if (!contender.setting.empty()) scene["setting"] = contender.setting;
    ReportRow row{contender.method.name, scene, {}};
    const double ms = mean(tally.ms);
    row.metrics = {{"problems", static_cast<double>(tally.ms.size())},
                   {"cost", mean(tally.costs)},
                   {"ratio_mean", mean(tally.ratios)},
                   {"ratio_max", *std::ranges::max_element(tally.ratios)},
                   {"missed", static_cast<double>(tally.missed) / static_cast<double>(tally.ms.size())},
                   {"expansions", mean(tally.expansions)},
                   {"ms_mean", ms},
                   {"ms_p50", quantile(tally.ms, 0.5)}};
    if (contender.method.proves_gap()) row.metrics.emplace_back("gap_max", *std::ranges::max_element(tally.gaps));
    if (!baseline.ms.empty()) row.metrics.emplace_back("speedup", mean_of_first(baseline.ms, tally.costs.size()) / ms);
    return row;
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
    Rng rng(17);
    for (const size_t count : {4u, 8u, 16u, 32u, 64u}) {
        std::vector<double> systems, rounds, newton_us, descent_us;
        for (int i = 0; i < (quick ? 3 : 20); ++i) {
            const Crossing crossing = random_crossing(count, rng);
            std::vector<double> places(count);
            const double best = solver.newton(crossing.problem(), places).cost;
            const Stopwatch newton;
            systems.push_back(solver.newton(crossing.problem(), places, {.tolerance = 1e-7}).iterations);
            newton_us.push_back(newton.ms() * 1000);
            const Stopwatch descent;
            rounds.push_back(rounds_of_descent(solver, crossing, best, kMaxRounds));
            descent_us.push_back(descent.ms() * 1000);
        }
        const auto add = [&](const char* method, const std::vector<double>& iterations, const std::vector<double>& us) {
            report.rows.push_back({method, {{"boundaries", count}}, {{"iterations", mean(iterations)}, {"us_mean", mean(us)}}});
        };
        add("descend", rounds, descent_us);
        add("newton", systems, newton_us);
    }
}

// ---- Report

using Tallies = std::vector<Tally>;  // by contender

Result<void> measure_size(const SubdivisionSize& size, bool quick, const std::vector<Contender>& all, Tallies& tallies) {
    const uint32_t subdivisions = quick ? size.quick_subdivisions : size.subdivisions;
    Progress progress(fmt::format("weighted-regions, {} regions", size.regions), subdivisions * all.size());
    SubdivisionPlanner planner;
    SubdivisionMethod proven;
    proven.gap = size.gap;
    for (uint32_t i = 0; i < subdivisions; ++i) {
        const uint64_t seed = i + 1;
        const Subdivision subdivision = subdivision_of(size.regions, seed);
        const SubdivisionPath reference = planner.find(subdivision, kFrom, kTo, proven);
        for (size_t c = 0; c < all.size(); ++c) {
            progress.advance();
            if (size.regions > all[c].regions_up_to || i >= all[c].subdivisions_up_to) continue;
            if (const auto done = measure(subdivision, size, seed, all[c], reference, planner, tallies[c]); !done) return done.error();
        }
    }
    return {};
}

void add_paper_rows(Report& report) {
    const auto add = [&](const char* method, int regions, double cost, double expansions, double seconds) {
        report.paper.push_back({method, {{"regions", regions}}, {{"cost", cost}, {"expansions", expansions}, {"ms_mean", seconds * 1000}}});
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
    const std::vector<Contender> all = contenders();
    const size_t baseline =
        static_cast<size_t>(std::ranges::find(all, "bprep:1", [](const Contender& c) { return c.method.name; }) - all.begin());
    Report report{"weighted-regions", {}, {}};
    for (const SubdivisionSize& size : kSizes) {
        if (options.tiny && size.regions > kMaxTinyRegions) break;
        Tallies tallies(all.size());
        if (const auto done = measure_size(size, options.quick, all, tallies); !done) return done.error();
        for (size_t c = 0; c < all.size(); ++c) {
            if (!tallies[c].ms.empty()) report.rows.push_back(row_of(all[c], size, tallies[c], tallies[baseline]));
        }
    }
    measure_solvers(options.quick, report);
    add_paper_rows(report);
    if (const auto done = draw_figures(); !done) return done.error();
    report.notes = {
        "From 10,10 to 590,590. ratio: over the cost of brep+proven (gap 1e-6 up to 24 regions, 1e-4 at 100, 1e-3 from 1,000 on). missed: "
        "share of answers that cost more than that, beyond the gaps. speedup: over bprep:1 on the same subdivisions.",
        "descend, newton: iterations until the cost is within 1e-7 of the minimum, mean of 20 random sequences of boundaries.",
        "Pictures like the paper's figures: out/weighted-regions-*.png."};
    return report;
}

}  // namespace terrane
