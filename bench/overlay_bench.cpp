// `terrane bench overlay`: paths by way of portals (portal_overlay.h) against A* and the terrain regions: how near to optimal, how fast,
// what is proven; and what an overlay costs to make, to keep and to repair.
// Rows of the paper: Sturtevant, Sigurdson, Taylor, Gibson 2019, "Pathfinding and Abstraction with Dynamic Terrain Costs" (AIIDE), Table 2.
#include "bench/overlay_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "bench/scenes.h"
#include "bench/stopwatch.h"
#include "bench/textbook_astar.h"
#include "terrane/grid_search/grid_search.h"

namespace terrane {

namespace overlay_bench {
namespace {

constexpr size_t kMaps = 5;               // of a folder: the first
constexpr size_t kProblems = 250;         // of each map
constexpr size_t kTextbook = 5;           // problems of each map for the textbook's A*, which takes half a second for one
constexpr uint64_t kSlice = 4096;         // expansions between two looks at whether the first cells are ready
constexpr double kAskedBound = 1.02;      // of --bound
constexpr uint64_t kBoundBudget = 20000;  // expansions, of the rows in which a bound may stay unproven

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
    {"overlay:2+corridor", Cache::kWarm},
    {"overlay:2+optimal", Cache::kWarm, true},
};

// Over all maps.
struct Tally {
    std::vector<double> ratios, bounds, ms, ms_first;
    double expansions = 0;
    double sample_ms = 0;  // of the problems that the textbook's A* has solved, too
};

Error wrong(const OverlayScene& scene, const std::string& method, size_t query, const std::string& what) {
    const auto [start, goal] = scene.queries[query];
    return {ErrorCode::kBadValue, scene.name, 0, fmt::format("{} from {},{} to {},{}: {}", method, start.x, start.y, goal.x, goal.y, what)};
}

// The problems that the textbook's A* gets, spread over all.
bool in_sample(const OverlayScene& scene, size_t query) {
    const size_t step = std::max<size_t>(1, scene.queries.size() / kTextbook);
    return query % step == 0 && query / step < kTextbook;
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

// On the sample alone; the speedup of its row is for that, too.
Result<Done> add_textbook(const OverlayScene& scene, Tally& tally) {
    const TextbookMap map(scene.grid, scene.costs);
    for (size_t i = 0; i < scene.queries.size(); ++i) {
        if (!in_sample(scene, i)) continue;
        const Stopwatch watch;
        const TextbookResult found = textbook_astar(map, scene.queries[i].first, scene.queries[i].second);
        add_time(scene, i, watch.ms(), tally);
        tally.expansions += static_cast<double>(found.expansions);
        const double want = to_real(scene.optimal[i].cost);
        if (found.found != (scene.optimal[i].status == Status::kFound) || std::fabs(found.cost - want) > 1e-6 * want)
            return wrong(scene, "textbook", i, fmt::format("cost {}, where astar's is {}", found.cost, want));
    }
    return Done{};
}

// All answers are checked. The milliseconds of each.
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

// Until the first cells can be walked.
double time_first(const OverlayScene& scene, size_t query, const FindOptions& options, Planner& planner) {
    const Stopwatch watch;
    planner.begin(scene.queries[query].first, scene.queries[query].second, scene.costs, options);
    while (planner.run(kSlice) == Status::kBudgetSpent && planner.ready().empty()) {
    }
    return watch.ms();
}

// A planner for each query has no guides kept from the one before.
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

Result<Done> add_candidate(const OverlayScene& scene, const Candidate& candidate, uint32_t certificates, World& world, Tally& tally) {
    FindOptions options;
    options.method = find_method(candidate.method).value();
    if (candidate.cache != Cache::kNone) {
        const auto all = prepare_only(world, scene.costs, candidate.method, candidate.certified ? certificates : 0);
        if (candidate.cache == Cache::kCold)
            prepare_only(world, scene.costs, candidate.method, 0, all->as<OverlayData>()->overlay.table_bytes());
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
    if (!cold) {  // the better of two passes, too
        double* first = &tally.ms_first[tally.ms_first.size() - ms.size()];
        for (size_t i = 0; i < ms.size(); ++i) first[i] = std::min(first[i], time_first(scene, i, options, planner));
    }
    return Done{};
}

double percent(double ratio) { return 100 * (ratio - 1); }

// The rows' cases begin with the section that they belong to.
nlohmann::ordered_json query_case(Cache cache, uint32_t certificates) {
    nlohmann::ordered_json out = {{"section", "queries"}};
    if (cache != Cache::kNone) out["cache"] = cache == Cache::kCold ? "cold" : "warm";
    if (certificates > 0) out["certificates"] = fmt::format("{} certificates", certificates);
    return out;
}

ReportRow textbook_row(const Tally& t, const Tally& astar) {
    const auto problems = static_cast<double>(t.ms.size());
    return {"textbook",
            {{"section", "queries"}},
            {{"problems", problems},
             {"expansions", t.expansions / problems},
             {"ms_mean", mean(t.ms)},
             {"speedup", astar.sample_ms / t.sample_ms},
             {"speedup_textbook", 1}}};
}

ReportRow query_row(const char* method, nlohmann::ordered_json scene, Tally t, const Tally& astar, const Tally& textbook) {
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
             {"speedup_textbook", textbook.sample_ms / t.sample_ms},
             {"bound_mean", mean(t.bounds)}}};
}

Result<Done> measure_queries(const std::vector<OverlayScene>& scenes, uint32_t certificates, Report& report, Progress& progress) {
    Tally astar, textbook;
    std::vector<Tally> tallies(std::size(kCandidates));
    for (const OverlayScene& scene : scenes) {
        add_astar(scene, astar);
        if (const auto added = add_textbook(scene, textbook); !added) return added.error();
        World world(editable(scene.grid));
        for (size_t c = 0; c < tallies.size(); ++c) {
            if (const auto added = add_candidate(scene, kCandidates[c], certificates, world, tallies[c]); !added) return added.error();
            progress.advance();
        }
    }
    report.rows.push_back(textbook_row(textbook, astar));
    report.rows.push_back(query_row("astar", query_case(Cache::kNone, 0), astar, astar, textbook));
    for (size_t c = 0; c < tallies.size(); ++c) {
        const auto& [method, cache, certified] = kCandidates[c];
        report.rows.push_back(query_row(method, query_case(cache, certified ? certificates : 0), tallies[c], astar, textbook));
    }
    return Done{};
}

// ---- Proven ratios

// How many: 0 is octile distance.
std::vector<uint32_t> certificates_for(const BenchOptions& options) {
    return options.quick ? std::vector<uint32_t>{0, 4} : std::vector<uint32_t>{0, 8, 16, 32};
}

struct Rung {
    const char* method;
    double bound = 0;
    uint64_t max_expansions = kUnlimited;
};
constexpr Rung kRungs[] = {
    {"overlay:2+portals"}, {"overlay:2"}, {"overlay:2+corridor"}, {"overlay:2", kAskedBound}, {"overlay:2", kAskedBound, kBoundBudget}};

// Of all maps, for one number of certificates.
struct Proofs {
    double build_ms = 0;  // of overlays and certificates
    double bytes = 0;     // of certificates
    Tally rungs[std::size(kRungs)];
};

// Nothing is asked for where octile distance is all that there is: it would be A* each time.
bool runs(const Rung& rung, uint32_t certificates) { return rung.bound <= 0 || certificates > 0; }

Result<Done> add_proofs(const OverlayScene& scene, uint32_t certificates, World& world, Proofs& proofs) {
    const Stopwatch watch;
    const auto prepared = prepare_only(world, scene.costs, "overlay:2", certificates);
    proofs.build_ms += watch.ms();
    const auto& certificate = prepared->as<OverlayData>()->certificate;
    if (certificate) proofs.bytes += static_cast<double>(certificate->bytes());
    Planner planner(world);
    FindOptions options;
    options.method = prepared->method();
    time_all(scene, options, planner);  // to be warm
    for (size_t r = 0; r < std::size(kRungs); ++r) {
        if (!runs(kRungs[r], certificates)) continue;
        options.method = find_method(kRungs[r].method).value();
        options.bound = kRungs[r].bound;
        options.max_expansions = kRungs[r].max_expansions;
        Tally& tally = proofs.rungs[r];
        const auto ms = add_answers(scene, options, planner, tally);
        if (!ms) return ms.error();
        tally.ms.insert(tally.ms.end(), ms->begin(), ms->end());
    }
    return Done{};
}

ReportRow proof_row(const Rung& rung, uint32_t certificates, Tally& t) {
    nlohmann::ordered_json scene = {{"section", "proven"}, {"certificates", fmt::format("{} certificates", certificates)}};
    if (rung.bound > 0) scene["bound"] = fmt::format("--bound {}", rung.bound);
    if (rung.max_expansions != kUnlimited) scene["budget"] = fmt::format("{} expansions", rung.max_expansions);
    const auto problems = static_cast<double>(t.ms.size());
    const auto proven = static_cast<double>(std::ranges::count_if(t.bounds, [](double b) { return b <= kAskedBound; }));
    return {rung.method,
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

Result<Done> measure_proofs(const std::vector<OverlayScene>& scenes, const std::vector<uint32_t>& certificates, Report& report,
                            Progress& progress) {
    std::vector<Proofs> proofs(certificates.size());
    for (const OverlayScene& scene : scenes) {
        World world(editable(scene.grid));
        for (size_t c = 0; c < proofs.size(); ++c) {
            if (const auto added = add_proofs(scene, certificates[c], world, proofs[c]); !added) return added.error();
            progress.advance();
        }
    }
    const auto maps = static_cast<double>(scenes.size());
    for (size_t c = 0; c < proofs.size(); ++c) {
        for (size_t r = 0; r < std::size(kRungs); ++r) {
            if (!runs(kRungs[r], certificates[c])) continue;
            report.rows.push_back(proof_row(kRungs[r], certificates[c], proofs[c].rungs[r]));
            if (c == 0) continue;
            report.rows.back().metrics.emplace_back("build_ms", (proofs[c].build_ms - proofs[0].build_ms) / maps);
            report.rows.back().metrics.emplace_back("bytes", proofs[c].bytes / maps);
        }
    }
    return Done{};
}

// ---- All of it

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

// The paper gives mean costs: percent_mean is theirs, not the mean of the ratios.
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
        fmt::format("queries, proven: {}; {} problems each. The other sections: the first of them; scaling: islands of our own.", names,
                    scenes[0].queries.size()));
    report.notes.emplace_back(
        "percent_*: dearer than the optimum. times_fewer: expansions, against astar; for overlays, portals expanded and crossings looked "
        "at.\n"
        "speedup: against astar; speedup_textbook: against the textbook's A*, on the problems that it was given.");
    report.notes.emplace_back(
        "warm, and rows that are neither: the better of two passes over all problems, by one planner; ms_first: one pass. cold: no guides\n"
        "are kept in the overlay, and each query has a new planner, which makes the guides of every window that its path crosses, and\n"
        "takes its own memory, on the clock.");
    report.notes.emplace_back(
        "proven: build_ms and bytes are what the certificates cost, besides the overlay; percent_proven: answers proven to be within 2%.");
    report.notes.emplace_back(
        "edits: repair_ms is that of the overlay alone, repair_ms_window its share for each window made anew whose cells differ.\n"
        "throughput: frame_ms is all of an edit, regions included. Picture: out/overlay-portals.png.");
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
            search.begin({grid, costs, Movement::kEight}, queries[i].first, queries[i].second);
            const Status status = search.run();
            Path path;
            search.path(path);
            optimal[i] = {status, path.cost, path.expansions, watch.ms()};
        };
        if (i == 0) solve();  // takes its memory off the clock
        solve();
    }
}

Result<Done> OverlayScene::check(const std::string& method, size_t query, const Path& path) const {
    using namespace overlay_bench;
    const Optimum& best = optimal[query];
    if (path.status != best.status) return wrong(*this, method, query, to_string(path.status));
    if (!path) return Done{};
    if (path.cells.front() != queries[query].first || path.cells.back() != queries[query].second)
        return wrong(*this, method, query, "another path was asked for");
    if (path_cost({grid, costs, Movement::kEight}, path.cells) != path.cost)
        return wrong(*this, method, query, "an illegal path, or a wrong cost");
    if (path.cost < best.cost)
        return wrong(*this, method, query, fmt::format("cost {}, where the least is {}", to_real(path.cost), to_real(best.cost)));
    if (ratio(query, path.cost) > path.bound * (1 + 1e-12))
        return wrong(*this, method, query, fmt::format("proven within {} of optimal, but is {}", path.bound, ratio(query, path.cost)));
    return Done{};
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

std::shared_ptr<const PreparedData> prepare_only(World& world, const CostTable& costs, const std::string& method, uint32_t certificates,
                                                 size_t max_bytes) {
    using namespace overlay_bench;
    const WorldSnapshot now = world.snapshot();
    for (const auto& before : now.all_prepared()) world.forget(before->method(), before->ground().costs(), before->ground().movement());
    PrepareOptions options;
    options.method = find_method(certificates == 0 ? method : fmt::format("{}+certificates:{}", method, certificates)).value();
    options.max_bytes = max_bytes;
    static_cast<void>(world.prepare(costs, options).value());
    return world.snapshot().all_prepared().front();
}

Result<Report> bench_overlay(const BenchOptions& options) {
    using namespace overlay_bench;
    auto scenes = overlay_scenes(options);
    if (!scenes) return scenes.error();
    const int32_t least = options.quick ? 256 : 1024, most = options.quick ? 512 : 4096;
    const std::vector<uint32_t> certificates = certificates_for(options);
    Report report{"overlay", {}, paper_rows()};
    add_notes(*scenes, report);
    Progress progress("overlay", scenes->size() * (1 + std::size(kCandidates) + certificates.size()) + kPreparingSteps + kMemorySteps +
                                     kEditSteps + kThroughputSteps + scaling_steps(least, most));
    for (OverlayScene& scene : *scenes) {
        scene.solve_optimally(scene.queries.size());
        progress.advance();
    }
    const OverlayScene& first = scenes->front();
    if (const auto done = measure_queries(*scenes, certificates.back(), report, progress); !done) return done.error();
    measure_preparing(first, certificates.back(), report, progress);
    if (const auto done = measure_proofs(*scenes, certificates, report, progress); !done) return done.error();
    measure_memory(first, report, progress);
    if (const auto done = measure_edits(first, options.quick, report, progress); !done) return done.error();
    if (const auto done = measure_scaling(least, most, report, progress); !done) return done.error();
    if (const auto done = measure_throughput(first, options.quick, report, progress); !done) return done.error();
    if (const auto done = draw_overlay_picture("out"); !done) return done.error();
    return report;
}

Result<Report> bench_overlay_scaling(const BenchOptions& options) {
    using namespace overlay_bench;
    if (!options.maps.empty()) return Error{ErrorCode::kUnsupported, options.maps, 0, "this bench has islands of its own"};
    const int32_t least = options.quick ? 256 : 1024, most = options.tiny ? 256 : options.quick ? 1024 : 16384;
    Report report{"overlay-scaling", {}, {}};
    Progress progress("overlay-scaling", scaling_steps(least, most));
    if (const auto done = measure_scaling(least, most, report, progress); !done) return done.error();
    return report;
}

}  // namespace terrane
