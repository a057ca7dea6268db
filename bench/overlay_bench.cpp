// `terrane bench overlay`: portal overlays (portal_overlay.h) against A* and terrain regions: suboptimality, times, proven bounds, and the
// costs of preparation, memory and repair.
// Rows of the paper: Sturtevant, Sigurdson, Taylor, Gibson 2019, "Pathfinding and Abstraction with Dynamic Terrain Costs" (AIIDE), Table 2.
#include "bench/overlay_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "bench/baseline_astar.h"
#include "bench/scenes.h"
#include "bench/stopwatch.h"
#include "terrane/grid_search/grid_search.h"

namespace terrane {

namespace overlay_bench {
namespace {

constexpr size_t kMaps = 5;               // the first maps of a folder
constexpr size_t kProblems = 250;         // per map
constexpr size_t kBaseline = 5;           // problems per map for the baseline A*, which takes half a second for each
constexpr uint64_t kSlice = 4096;         // expansions between checks for the first cells
constexpr double kAskedBound = 1.02;      // requested by --bound
constexpr uint64_t kBoundBudget = 20000;  // expansions, for the rows in which a bound may stay unproven

// ---- Queries

enum class Cache : uint8_t { kNone, kCold, kWarm };

struct Candidate {
    const char* method;
    Cache cache = Cache::kNone;
    bool certified = false;
};
constexpr Candidate kCandidates[] = {
    {"dta:16"},
    {"dta:16+smooth"},
    {"overlay:2+portals", Cache::kWarm},
    {"overlay:2", Cache::kCold},
    {"overlay:2", Cache::kWarm},
    {"overlay:4", Cache::kCold},
    {"overlay:4", Cache::kWarm},
    {"overlay:2+smooth", Cache::kWarm},
    {"overlay:2+optimal", Cache::kWarm, true},
};

// Over all maps.
struct Tally {
    std::vector<double> ratios, bounds, ms, ms_first;
    double expansions = 0;
    double sample_ms = 0;  // on the problems that the baseline A* solves, too
};

Error wrong(const OverlayScene& scene, const std::string& method, size_t query, const std::string& what) {
    const auto [start, goal] = scene.queries[query];
    return {ErrorCode::kBadValue, scene.name, 0, fmt::format("{} from {},{} to {},{}: {}", method, start.x, start.y, goal.x, goal.y, what)};
}

// Whether the baseline A* solves this problem; the sample is spread evenly.
bool in_sample(const OverlayScene& scene, size_t query) {
    const size_t step = std::max<size_t>(1, scene.queries.size() / kBaseline);
    return query % step == 0 && query / step < kBaseline;
}

void add_time(const OverlayScene& scene, size_t query, double ms, Tally& tally) {
    tally.ms.push_back(ms);
    if (in_sample(scene, query)) tally.sample_ms += ms;
}

void add_astar(const OverlayScene& scene, Tally& tally) {
    for (size_t i = 0; i < scene.optimal.size(); ++i) {
        tally.ratios.push_back(1);
        tally.bounds.push_back(1);
        tally.ms_first.push_back(scene.optimal[i].ms);
        tally.expansions += static_cast<double>(scene.optimal[i].expansions);
        add_time(scene, i, scene.optimal[i].ms, tally);
    }
}

// Runs the baseline A* on the sample; the speedup of its row is measured there, too.
Result<void> add_baseline(const OverlayScene& scene, Tally& tally) {
    const BaselineMap map(scene.grid, scene.costs);
    for (size_t i = 0; i < scene.queries.size(); ++i) {
        if (!in_sample(scene, i)) continue;
        const Stopwatch watch;
        const BaselineResult found = baseline_astar(map, scene.queries[i].first, scene.queries[i].second);
        add_time(scene, i, watch.ms(), tally);
        tally.expansions += static_cast<double>(found.expansions);
        const double want = to_real(scene.optimal[i].cost);
        if (found.found != (scene.optimal[i].status == Status::kFound) || std::fabs(found.cost - want) > 1e-6 * want)
            return wrong(scene, "baseline", i, fmt::format("cost {}, but astar finds {}", found.cost, want));
    }
    return {};
}

// Checks all answers; returns the milliseconds of each.
Result<std::vector<double>> add_answers(const OverlayScene& scene, const FindOptions& options, Planner& planner, Tally& tally) {
    Path path;
    std::vector<double> ms;
    ms.reserve(scene.queries.size());
    for (size_t i = 0; i < scene.queries.size(); ++i) {
        const Stopwatch watch;
        planner.find(scene.queries[i].first, scene.queries[i].second, scene.costs, options, path);
        ms.push_back(watch.ms());
        if (const auto checked = scene.check(options.method.name(), i, path); !checked) return checked.error();
        if (planner.method().name() != options.method.name())
            return wrong(scene, options.method.name(), i, "answered by " + planner.method().name());
        tally.expansions += static_cast<double>(path.expansions);
        if (!path) continue;
        tally.ratios.push_back(scene.ratio(i, path.cost));
        tally.bounds.push_back(path.bound);
    }
    return ms;
}

// Returns the time until the first cells are ready.
double time_first(const OverlayScene& scene, size_t query, const FindOptions& options, Planner& planner) {
    const Stopwatch watch;
    planner.begin(scene.queries[query].first, scene.queries[query].second, scene.costs, options);
    while (planner.run(kSlice) == Status::kBudgetSpent && planner.ready().empty()) {
    }
    return watch.ms();
}

// Uses a new planner for each query, without first-move tables cached by earlier queries.
std::vector<double> time_cold(const OverlayScene& scene, const World& world, const FindOptions& options) {
    std::vector<double> ms;
    ms.reserve(scene.queries.size());
    Path path;
    for (const auto& [start, goal] : scene.queries) {
        Planner planner(world);
        const Stopwatch watch;
        planner.find(start, goal, scene.costs, options, path);
        ms.push_back(watch.ms());
    }
    return ms;
}

Result<void> add_candidate(const OverlayScene& scene, const Candidate& candidate, uint32_t lower_bounds, World& world, Tally& tally) {
    FindOptions options;
    options.method = find_method(candidate.method).value();
    if (candidate.cache != Cache::kNone) {
        const auto all = prepare_only(world, scene.costs, candidate.method, candidate.certified ? lower_bounds : 0);
        if (candidate.cache == Cache::kCold)
            prepare_only(world, scene.costs, candidate.method, 0, all->as<PreparedOverlay>()->overlay.table_bytes());
    }
    const bool cold = candidate.cache == Cache::kCold;
    Planner planner(world);
    const auto checked = add_answers(scene, options, planner, tally);
    if (!checked) return checked.error();
    const std::vector<double> ms = cold ? time_cold(scene, world, options) : time_all(scene, options, planner);
    for (size_t i = 0; i < ms.size(); ++i) {
        add_time(scene, i, cold ? ms[i] : std::min(ms[i], (*checked)[i]), tally);
        if (cold) planner = Planner(world);
        tally.ms_first.push_back(time_first(scene, i, options, planner));
    }
    if (!cold) {  // the better of two passes here, too
        double* first = &tally.ms_first[tally.ms_first.size() - ms.size()];
        for (size_t i = 0; i < ms.size(); ++i) first[i] = std::min(first[i], time_first(scene, i, options, planner));
    }
    return {};
}

double percent(double ratio) { return 100 * (ratio - 1); }

// Every case starts with its section.
nlohmann::ordered_json query_case(Cache cache, uint32_t lower_bounds) {
    nlohmann::ordered_json out = {{"section", "queries"}};
    if (cache != Cache::kNone) out["cache"] = cache == Cache::kCold ? "cold" : "warm";
    if (lower_bounds > 0) out["lower_bounds"] = fmt::format("{} lower_bounds", lower_bounds);
    return out;
}

ReportRow baseline_row(const Tally& t, const Tally& astar) {
    const auto problems = static_cast<double>(t.ms.size());
    return {"baseline",
            {{"section", "queries"}},
            {{"problems", problems},
             {"expansions", t.expansions / problems},
             {"ms_mean", mean(t.ms)},
             {"speedup", astar.sample_ms / t.sample_ms},
             {"speedup_baseline", 1}}};
}

ReportRow query_row(const char* method, nlohmann::ordered_json scene, Tally t, const Tally& astar, const Tally& baseline) {
    const auto problems = static_cast<double>(t.ms.size());
    const double expansions = t.expansions / problems, of_astar = astar.expansions / static_cast<double>(astar.ms.size());
    return {method,
            std::move(scene),
            {{"problems", problems},
             {"solved", static_cast<double>(t.ratios.size())},
             {"percent_mean", percent(mean(t.ratios))},
             {"percent_p95", percent(quantile(t.ratios, 0.95))},
             {"percent_p99", percent(quantile(t.ratios, 0.99))},
             {"percent_p999", percent(quantile(t.ratios, 0.999))},
             {"percent_max", percent(quantile(t.ratios, 1))},
             {"ratio_mean", mean(t.ratios)},
             {"ratio_p99", quantile(t.ratios, 0.99)},
             {"ratio_max", quantile(t.ratios, 1)},
             {"expansions", expansions},
             {"times_fewer", of_astar / expansions},
             {"ms_mean", mean(t.ms)},
             {"ms_p50", quantile(t.ms, 0.5)},
             {"ms_p99", quantile(t.ms, 0.99)},
             {"ms_first", mean(t.ms_first)},
             {"speedup", mean(astar.ms) / mean(t.ms)},
             {"speedup_baseline", baseline.sample_ms / t.sample_ms},
             {"bound_mean", mean(t.bounds)}}};
}

Result<void> measure_queries(const std::vector<OverlayScene>& scenes, uint32_t lower_bounds, Report& report, Progress& progress) {
    Tally astar, baseline;
    std::vector<Tally> tallies(std::size(kCandidates));
    for (const OverlayScene& scene : scenes) {
        add_astar(scene, astar);
        if (const auto added = add_baseline(scene, baseline); !added) return added.error();
        World world(editable(scene.grid));
        for (size_t c = 0; c < tallies.size(); ++c) {
            if (const auto added = add_candidate(scene, kCandidates[c], lower_bounds, world, tallies[c]); !added) return added.error();
            progress.advance();
        }
    }
    report.rows.push_back(baseline_row(baseline, astar));
    report.rows.push_back(query_row("astar", query_case(Cache::kNone, 0), astar, astar, baseline));
    for (size_t c = 0; c < tallies.size(); ++c) {
        const auto& [method, cache, certified] = kCandidates[c];
        report.rows.push_back(query_row(method, query_case(cache, certified ? lower_bounds : 0), tallies[c], astar, baseline));
    }
    return {};
}

// ---- Proven bounds

// Numbers of landmarks in the lower-bound tables; 0: octile distance.
std::vector<uint32_t> lower_bounds_for(const BenchOptions& options) {
    return options.quick ? std::vector<uint32_t>{0, 4} : std::vector<uint32_t>{0, 8, 16, 32};
}

struct QualityLevel {
    const char* method;
    double bound = 0;
    uint64_t max_expansions = kUnlimited;
};
constexpr QualityLevel kLevels[] = {
    {"overlay:2+portals"}, {"overlay:2"}, {"overlay:2+smooth"}, {"overlay:2", kAskedBound}, {"overlay:2", kAskedBound, kBoundBudget}};

// All maps, for one size of lower-bound tables.
struct Proofs {
    double build_ms = 0;  // overlays and lower-bound tables
    double bytes = 0;     // lower-bound tables
    Tally levels[std::size(kLevels)];
};

// With octile distance alone no bound is requested: every query would end in A*.
bool runs(const QualityLevel& level, uint32_t lower_bounds) { return level.bound <= 0 || lower_bounds > 0; }

Result<void> add_proofs(const OverlayScene& scene, uint32_t landmarks, World& world, Proofs& proofs) {
    const Stopwatch watch;
    const auto prepared = prepare_only(world, scene.costs, "overlay:2", landmarks);
    proofs.build_ms += watch.ms();
    const auto& lower_bounds = prepared->as<PreparedOverlay>()->lower_bounds;
    if (lower_bounds) proofs.bytes += static_cast<double>(lower_bounds->bytes());
    Planner planner(world);
    FindOptions options;
    options.method = prepared->method();
    time_all(scene, options, planner);  // warms up
    for (size_t l = 0; l < std::size(kLevels); ++l) {
        if (!runs(kLevels[l], landmarks)) continue;
        options.method = find_method(kLevels[l].method).value();
        options.bound = kLevels[l].bound;
        options.max_expansions = kLevels[l].max_expansions;
        Tally& tally = proofs.levels[l];
        const auto ms = add_answers(scene, options, planner, tally);
        if (!ms) return ms.error();
        tally.ms.insert(tally.ms.end(), ms->begin(), ms->end());
    }
    return {};
}

ReportRow proof_row(const QualityLevel& level, uint32_t lower_bounds, Tally& t) {
    nlohmann::ordered_json scene = {{"section", "proven"}, {"lower_bounds", fmt::format("{} lower_bounds", lower_bounds)}};
    if (level.bound > 0) scene["bound"] = fmt::format("--bound {}", level.bound);
    if (level.max_expansions != kUnlimited) scene["budget"] = fmt::format("{} expansions", level.max_expansions);
    const auto problems = static_cast<double>(t.ms.size());
    const auto proven = static_cast<double>(std::ranges::count_if(t.bounds, [](double b) { return b <= kAskedBound; }));
    return {level.method,
            std::move(scene),
            {{"problems", problems},
             {"percent_mean", percent(mean(t.ratios))},
             {"expansions", t.expansions / problems},
             {"ms_mean", mean(t.ms)},
             {"ms_p50", quantile(t.ms, 0.5)},
             {"ms_p99", quantile(t.ms, 0.99)},
             {"bound_mean", mean(t.bounds)},
             {"bound_p99", quantile(t.bounds, 0.99)},
             {"percent_proven", 100 * proven / problems}}};
}

Result<void> measure_proofs(const std::vector<OverlayScene>& scenes, const std::vector<uint32_t>& lower_bounds, Report& report,
                            Progress& progress) {
    std::vector<Proofs> proofs(lower_bounds.size());
    for (const OverlayScene& scene : scenes) {
        World world(editable(scene.grid));
        for (size_t c = 0; c < proofs.size(); ++c) {
            if (const auto added = add_proofs(scene, lower_bounds[c], world, proofs[c]); !added) return added.error();
            progress.advance();
        }
    }
    const auto maps = static_cast<double>(scenes.size());
    for (size_t c = 0; c < proofs.size(); ++c) {
        for (size_t l = 0; l < std::size(kLevels); ++l) {
            if (!runs(kLevels[l], lower_bounds[c])) continue;
            report.rows.push_back(proof_row(kLevels[l], lower_bounds[c], proofs[c].levels[l]));
            if (c == 0) continue;
            report.rows.back().metrics.emplace_back("build_ms", (proofs[c].build_ms - proofs[0].build_ms) / maps);
            report.rows.back().metrics.emplace_back("bytes", proofs[c].bytes / maps);
        }
    }
    return {};
}

// ---- Report

Result<std::vector<OverlayScene>> overlay_scenes(const BenchOptions& options) {
    auto all = bench_scenes(options, kProblems);
    if (!all) return all.error();
    const size_t maps = std::min<size_t>(all->size(), options.quick ? 1 : kMaps);
    std::vector<OverlayScene> out;
    out.reserve(maps);
    for (size_t i = 0; i < maps; ++i) {
        BenchScene& scene = (*all)[i];
        out.push_back({scene.name, scene.grid, scene.published_costs.value_or(scene.costs), std::move(scene.queries)});
    }
    return out;
}

struct PaperRow {
    const char* method;
    double expansions, cost, ms;
};
constexpr PaperRow kPaper[] = {{"astar", 1089811, 2406, 625.9},
                               {"dta:8", 28907, 2456, 25.4},
                               {"dta:16", 19366, 2495, 11.4},
                               {"dta:32", 26016, 2560, 10.8},
                               {"dta:32/nbs/wastar:1.2", 21700, 2561, 9.6}};

// The paper prints mean costs, so percent_mean is their ratio, not the mean of the ratios.
std::vector<ReportRow> paper_rows() {
    std::vector<ReportRow> rows;
    rows.reserve(std::size(kPaper));
    for (const PaperRow& p : kPaper) {
        rows.push_back({p.method,
                        {{"section", "queries"}},
                        {{"percent_mean", percent(p.cost / kPaper[0].cost)},
                         {"expansions", p.expansions},
                         {"times_fewer", kPaper[0].expansions / p.expansions},
                         {"ms_mean", p.ms},
                         {"speedup", kPaper[0].ms / p.ms}}});
    }
    return rows;
}

void add_notes(const std::vector<OverlayScene>& scenes, Report& report) {
    std::string names;
    for (const OverlayScene& scene : scenes) names += (names.empty() ? "" : ", ") + scene.name;
    report.notes.push_back(
        fmt::format("queries, proven: {}; {} problems each. scaling: generated islands. The other sections: the first map.", names,
                    scenes[0].queries.size()));
    report.notes.emplace_back(
        "percent_*: excess over the optimal cost. times_fewer: expansions of astar over these; overlays count expanded portals and\n"
        "examined crossings. speedup: over astar. speedup_baseline: over the baseline A* (std::priority_queue, std::unordered_map), on\n"
        "its sample of the problems.");
    report.notes.emplace_back(
        "warm, and rows without a cache: the better of two passes over all problems, by one planner. cold: the overlay stores no\n"
        "first-move tables, and each query uses a new planner, so its time includes allocation and the first-move tables of every\n"
        "cluster on its path.");
    report.notes.emplace_back(
        "proven: build_ms and bytes of the lower-bound tables, without the overlay. percent_proven: answers proven to be within 2%.");
    report.notes.emplace_back(
        "edits: repair_ms is the overlay alone; repair_ms_window is per rebuilt cluster of more than one terrain cost. memory: guides are\n"
        "first-move tables. throughput: frame_ms is the whole edit, regions included. Picture: out/overlay-portals.png.");
}

}  // namespace
}  // namespace overlay_bench

void OverlayScene::solve_optimally(size_t count) {
    using namespace overlay_bench;
    GridSearch search;
    optimal.resize(std::min(count, queries.size()));
    for (size_t i = 0; i < optimal.size(); ++i) {
        const auto solve = [&] {
            const Stopwatch watch;
            search.begin({grid, costs, Movement::kEightNoCornerCutting}, queries[i].first, queries[i].second);
            const Status status = search.run();
            Path path;
            search.path(path);
            optimal[i] = {status, path.cost, path.expansions, watch.ms()};
        };
        if (i == 0) solve();  // untimed: allocates
        solve();
    }
}

Result<void> OverlayScene::check(const std::string& method, size_t query, const Path& path) const {
    using namespace overlay_bench;
    const Optimum& best = optimal[query];
    if (path.status != best.status) return wrong(*this, method, query, to_string(path.status));
    if (!path) return {};
    if (path.cells.front() != queries[query].first || path.cells.back() != queries[query].second)
        return wrong(*this, method, query, "wrong start or goal");
    if (path_cost({grid, costs, Movement::kEightNoCornerCutting}, path.cells) != path.cost)
        return wrong(*this, method, query, "illegal path or wrong cost");
    if (path.cost < best.cost)
        return wrong(*this, method, query, fmt::format("cost {} is below the optimum {}", to_real(path.cost), to_real(best.cost)));
    if (ratio(query, path.cost) > path.bound * (1 + 1e-12))
        return wrong(*this, method, query, fmt::format("bound {}, but the suboptimality ratio is {}", path.bound, ratio(query, path.cost)));
    return {};
}

double OverlayScene::ratio(size_t query, Cost cost) const {
    using namespace overlay_bench;
    return cost == optimal[query].cost ? 1 : static_cast<double>(cost) / static_cast<double>(optimal[query].cost);
}

double mean(const std::vector<double>& values) {
    using namespace overlay_bench;
    return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> time_all(const OverlayScene& scene, const FindOptions& options, Planner& planner) {
    using namespace overlay_bench;
    std::vector<double> ms;
    ms.reserve(scene.queries.size());
    Path path;
    for (const auto& [start, goal] : scene.queries) {
        const Stopwatch watch;
        planner.find(start, goal, scene.costs, options, path);
        ms.push_back(watch.ms());
    }
    return ms;
}

std::shared_ptr<const PreparedData> prepare_only(World& world, const CostTable& costs, const std::string& method, uint32_t lower_bounds,
                                                 size_t max_bytes) {
    using namespace overlay_bench;
    const WorldSnapshot now = world.snapshot();
    for (const auto& before : now.all_prepared()) world.discard(before->method(), before->ground().costs(), before->ground().movement());
    PrepareOptions options;
    options.method = find_method(lower_bounds == 0 ? method : fmt::format("{}+lower_bounds:{}", method, lower_bounds)).value();
    options.max_bytes = max_bytes;
    static_cast<void>(world.prepare(costs, options).value());
    return world.snapshot().all_prepared().front();
}

Result<Report> bench_overlay(const BenchOptions& options) {
    using namespace overlay_bench;
    auto scenes = overlay_scenes(options);
    if (!scenes) return scenes.error();
    const int32_t least = options.quick ? 256 : 1024, most = options.quick ? 512 : 4096;
    const std::vector<uint32_t> lower_bounds = lower_bounds_for(options);
    Report report{"overlay", {}, paper_rows()};
    add_notes(*scenes, report);
    Progress progress("overlay", scenes->size() * (1 + std::size(kCandidates) + lower_bounds.size()) + kPreparingSteps + kMemorySteps +
                                     kEditSteps + kThroughputSteps + scaling_steps(least, most));
    for (OverlayScene& scene : *scenes) {
        scene.solve_optimally(scene.queries.size());
        progress.advance();
    }
    const OverlayScene& first = scenes->front();
    if (const auto done = measure_queries(*scenes, lower_bounds.back(), report, progress); !done) return done.error();
    measure_preparing(first, lower_bounds.back(), report, progress);
    if (const auto done = measure_proofs(*scenes, lower_bounds, report, progress); !done) return done.error();
    measure_memory(first, report, progress);
    if (const auto done = measure_edits(first, options.quick, report, progress); !done) return done.error();
    if (const auto done = measure_scaling(least, most, report, progress); !done) return done.error();
    if (const auto done = measure_throughput(first, options.quick, report, progress); !done) return done.error();
    if (const auto done = draw_overlay_picture("out"); !done) return done.error();
    return report;
}

Result<Report> bench_overlay_scaling(const BenchOptions& options) {
    using namespace overlay_bench;
    if (!options.maps.empty())
        return Error{ErrorCode::kUnsupported, options.maps, 0, "--maps is not supported: this bench generates its maps"};
    const int32_t least = options.quick ? 256 : 1024, most = options.tiny ? 256 : options.quick ? 1024 : 16384;
    Report report{"overlay-scaling", {}, {}};
    Progress progress("overlay-scaling", scaling_steps(least, most));
    if (const auto done = measure_scaling(least, most, report, progress); !done) return done.error();
    return report;
}

}  // namespace terrane
