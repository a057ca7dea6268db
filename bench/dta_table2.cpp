// `terrane bench dta-table2`: Table 2 of the Dynamic Terrain Abstraction paper: expansions, path costs and times of searches over cells and
// over regions, with the scenarios' costs and with random costs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "bench/bench.h"
#include "bench/progress.h"
#include "bench/scenes.h"
#include "bench/stopwatch.h"
#include "terrane/method/method_interface.h"
#include "terrane/world/planner.h"

namespace terrane {

namespace dta_table2_bench {
namespace {

constexpr size_t kProblems = 25;  // per map
constexpr int kPasses = 3;        // the best pass of each problem counts
constexpr uint64_t kSlice = 256;  // expansions between checks for the first segment

// State of the refinement cache when the clock starts.
enum class Cache : uint8_t { kNone, kEmpty, kFilled };

struct Candidate {
    const char* method;
    Cache cache = Cache::kNone;
};
constexpr Candidate kCandidates[] = {
    {"astar"},  // first: baseline of the others
    {"nbs"},
    {"wastar:2"},
    {"wastar:3"},
    {"wastar:4"},
    {"dta:8"},
    {"dta:8/nbs"},
    {"dta:16"},
    {"dta:16/nbs"},
    {"dta:32"},
    {"dta:32/nbs"},
    {"dta:32/nbs/wastar:1.2"},
    {"dta:8+smooth"},
    {"dta:16+smooth"},
    {"dta:16+trim"},
    {"dta:16+trim+smooth"},
    {"dta:32+smooth"},
    {"dta:16+exact"},
    {"dta:16+cache", Cache::kEmpty},
    {"dta:16+cache", Cache::kFilled},
};
constexpr size_t kCount = std::size(kCandidates);

// A profile on a map.
struct Setting {
    const BenchScene* scene;
    World* world;
    CostTable costs;
    bool published;  // whether scene->published are optimal for these costs

    std::vector<Path> optimal = {};        // of each query, found by A*
    double exact_ms = 0, exact_bytes = 0;  // preparation of dta:16+exact
};

// Over all maps.
struct Tally {
    std::vector<double> ms, ms_first, ratios;
    double expansions = 0, expansions_first = 0, cost = 0, optimal = 0, build_ms = 0, bytes = 0;
    size_t problems = 0, solved = 0, settings = 0;
};

FindOptions options_for(const char* method) {
    FindOptions options;
    options.method = find_method(method).value();
    return options;
}

Error wrong(const Setting& setting, const char* method, size_t query, const std::string& what) {
    const auto [start, goal] = setting.scene->queries[query];
    return {ErrorCode::kBadValue, setting.scene->name, 0,
            fmt::format("{} from {},{} to {},{}: {}", method, start.x, start.y, goal.x, goal.y, what)};
}

Result<void> check(const Setting& setting, const Method& method, size_t query, const Path& path) {
    const Path& optimal = setting.optimal[query];
    const auto [start, goal] = setting.scene->queries[query];
    const char* name = method.name().c_str();
    if (path.status != optimal.status) return wrong(setting, name, query, to_string(path.status));
    if (!path) return {};
    if (path.cells.front() != start || path.cells.back() != goal) return wrong(setting, name, query, "wrong start or goal");
    if (path_cost({setting.scene->grid, setting.costs, Movement::kEightNoCornerCutting}, path.cells) != path.cost)
        return wrong(setting, name, query, "illegal path or wrong cost");
    const auto cost = static_cast<double>(path.cost), least = static_cast<double>(optimal.cost);
    if (cost < least || cost > guarantee(method) * least)
        return wrong(setting, name, query, fmt::format("cost {}, the optimum is {}", to_real(path.cost), to_real(optimal.cost)));
    return {};
}

// Solves all queries with A*. Published costs must agree up to their rounding and a relative error of 1e-6.
Result<void> solve_optimally(Setting& setting, Planner& planner) {
    const FindOptions options = options_for("astar");
    setting.optimal.resize(setting.scene->queries.size());
    for (size_t i = 0; i < setting.optimal.size(); ++i) {
        const auto [start, goal] = setting.scene->queries[i];
        Path& path = setting.optimal[i];
        planner.find(start, goal, setting.costs, options, path);
        if (!setting.published) continue;
        const double want = setting.scene->published[i], have = exact_cost(setting.scene->grid, setting.costs, path.cells);
        if (!path || std::fabs(have - want) > 1e-6 * want + 0.005)
            return wrong(setting, "astar", i, fmt::format("cost {}, but {} is published", have, want));
    }
    return {};
}

void solve_all(const Setting& setting, const FindOptions& options, Planner& planner) {
    Path path;
    for (const auto& [start, goal] : setting.scene->queries) planner.find(start, goal, setting.costs, options, path);
}

struct Times {
    double ms = 1e300, first = 1e300;
};

// Runs in slices, as a game would to get the first segment early.
Times time_one(const Setting& setting, const FindOptions& options, size_t query, Planner& planner, Path& path) {
    const auto [start, goal] = setting.scene->queries[query];
    const Stopwatch watch;
    planner.begin(start, goal, setting.costs, options);
    while (!searches_cells(options.method) && planner.ready().empty() && planner.run(kSlice) == Status::kBudgetSpent) {
    }
    const double first = watch.ms();
    planner.run();
    planner.path(path);
    return {watch.ms(), searches_cells(options.method) ? watch.ms() : first};
}

void add(const Setting& setting, size_t query, const Path& path, const Times& best, Tally& tally) {
    ++tally.problems;
    tally.ms.push_back(best.ms);
    tally.ms_first.push_back(best.first);
    tally.expansions += static_cast<double>(path.expansions);
    tally.expansions_first += static_cast<double>(path.expansions_first);
    if (!path) return;
    const Cost least = setting.optimal[query].cost;
    ++tally.solved;
    tally.cost += to_real(path.cost);
    tally.optimal += to_real(least);
    tally.ratios.push_back(least == 0 ? 1 : static_cast<double>(path.cost) / static_cast<double>(least));
}

Result<void> measure(const Setting& setting, const Candidate& candidate, Planner& planner, Tally& tally) {
    const FindOptions options = options_for(candidate.method);
    const size_t queries = setting.scene->queries.size();
    Path path;
    for (size_t i = 0; i < queries; ++i) {
        const auto [start, goal] = setting.scene->queries[i];
        planner.find(start, goal, setting.costs, options, path);
        const auto checked = check(setting, options.method, i, path);
        if (!checked) return checked.error();
    }
    std::vector<Times> best(queries);
    std::vector<Path> paths(queries);
    for (int pass = 0; pass < kPasses; ++pass) {
        if (candidate.cache == Cache::kEmpty) {  // a new cache, but warm scratch memory, as for the others
            planner = Planner(*setting.world);
            solve_all(setting, options_for("dta:16"), planner);
        }
        for (size_t i = 0; i < queries; ++i) {
            const Times t = time_one(setting, options, i, planner, paths[i]);
            best[i] = {std::min(best[i].ms, t.ms), std::min(best[i].first, t.first)};
        }
    }
    for (size_t i = 0; i < queries; ++i) add(setting, i, paths[i], best[i], tally);
    ++tally.settings;
    if (!prepares(options.method)) return {};
    tally.build_ms += setting.exact_ms;
    tally.bytes += setting.exact_bytes;
    return {};
}

double mean(const std::vector<double>& values) {
    return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

ReportRow to_row(const Candidate& candidate, const std::string& costs, Tally& t, const Tally& baseline) {
    ReportRow row{candidate.method, {{"costs", costs}}, {}};
    if (candidate.cache != Cache::kNone) row.scene["cache"] = candidate.cache == Cache::kEmpty ? "cache empty" : "cache filled";
    const double n = static_cast<double>(t.problems), s = std::max<double>(1, static_cast<double>(t.solved));
    row.metrics = {{"problems", n},
                   {"solved", static_cast<double>(t.solved)},
                   {"expansions", t.expansions / n},
                   {"expansions_first", t.expansions_first / n},
                   {"cost", t.cost / s},
                   {"ratio_mean", mean(t.ratios)},
                   {"ratio_of_sums", t.optimal > 0 ? t.cost / t.optimal : 1},
                   {"ratio_p99", quantile(t.ratios, 0.99)},
                   {"ratio_max", quantile(t.ratios, 1)},
                   {"ms_mean", mean(t.ms)},
                   {"ms_p25", quantile(t.ms, 0.25)},
                   {"ms_p50", quantile(t.ms, 0.5)},
                   {"ms_p75", quantile(t.ms, 0.75)},
                   {"ms_p99", quantile(t.ms, 0.99)},
                   {"ms_first", mean(t.ms_first)},
                   {"speedup", mean(baseline.ms) / mean(t.ms)}};
    if (t.bytes > 0) {
        row.metrics.emplace_back("build_ms", t.build_ms / static_cast<double>(t.settings));
        row.metrics.emplace_back("bytes", t.bytes / static_cast<double>(t.settings));
    }
    return row;
}

// Returns "Map1.map, drawn: black 1.4, water 2".
std::string costs_text(const BenchScene& scene, const std::string& kind, const CostTable& costs) {
    std::string text;
    for (uint32_t t = 0; t < scene.grid.catalogue().size(); ++t) {
        const auto terrain = static_cast<Terrain>(t);
        if (scene.grid.count(terrain) == 0) continue;
        text += (text.empty() ? "" : ", ") + scene.grid.catalogue()[terrain].name + " " + format_hundredths(costs.hundredths(terrain));
    }
    return fmt::format("{}, {}: {}", scene.name, kind, text);
}

// How costs are assigned on all maps.
struct CostSet {
    std::string name;
    bool published;
};

CostTable costs_for(const BenchScene& scene, size_t number, const CostSet& set) {
    if (set.published) return *scene.published_costs;
    if (scene.grid.catalogue() == Catalogue::octile()) return scene.costs;
    return drawn_costs(scene.grid.catalogue(), number + 1).compile(scene.grid.catalogue()).value();
}

Result<void> run_setting(Setting& setting, std::vector<Tally>& tallies, Progress& progress) {
    Planner planner(*setting.world);
    const auto solved = solve_optimally(setting, planner);
    if (!solved) return solved.error();
    const Stopwatch watch;
    const auto prepared = setting.world->prepare(setting.costs, {.method = find_method("dta:16+exact").value()});
    if (!prepared) return prepared.error();
    setting.exact_ms = watch.ms();
    setting.exact_bytes = static_cast<double>(setting.world->snapshot().all_prepared().back()->bytes());
    for (size_t c = 0; c < kCount; ++c) {
        const auto measured = measure(setting, kCandidates[c], planner, tallies[c]);
        if (!measured) return measured.error();
        progress.advance();
    }
    return {};
}

struct PaperRow {
    const char* method;
    double expansions, first, cost, ms;  // 0: not published
};
// Table 2: 20 maps, 250 problems each, on a 2.3 GHz Core i7.
constexpr PaperRow kPaper[] = {
    {"astar", 1089811, 0, 2406, 625.9},   {"nbs", 1044995, 0, 2406, 879.3},        {"wastar:2", 349865, 0, 2567, 180.7},
    {"wastar:3", 84413, 0, 2907, 39.0},   {"wastar:4", 4392, 0, 3298, 2.6},        {"dta:8", 28907, 22228, 2456, 25.4},
    {"dta:8/nbs", 27702, 21024, 0, 26.9}, {"dta:16", 19366, 7409, 2495, 11.4},     {"dta:16/nbs", 18923, 6971, 2495, 10.8},
    {"dta:32", 26016, 4031, 2560, 10.8},  {"dta:32/nbs", 25802, 3850, 2560, 10.8}, {"dta:32/nbs/wastar:1.2", 21700, 3837, 2561, 9.6}};

ReportRow paper_row(const PaperRow& p) {
    ReportRow row{p.method, {{"costs", "drawn"}}, {{"expansions", p.expansions}}};
    if (p.first > 0) row.metrics.emplace_back("expansions_first", p.first);
    if (p.cost > 0) {
        row.metrics.emplace_back("cost", p.cost);
        row.metrics.emplace_back("ratio_of_sums", p.cost / kPaper[0].cost);
    }
    row.metrics.emplace_back("ms_mean", p.ms);
    row.metrics.emplace_back("speedup", kPaper[0].ms / p.ms);
    return row;
}

// The authors' code on eight maps with the scenarios' costs, on a comparable machine.
ReportRow authors_row(const char* method, double expansions, double first, double ratio, double ms) {
    ReportRow row{method, {{"costs", "scenario, authors' code"}}, {{"ms_mean", ms}, {"speedup", 580 / ms}}};
    if (expansions > 0) {
        const Metrics rest = {{"expansions", expansions}, {"expansions_first", first}, {"ratio_mean", ratio}};
        row.metrics.insert(row.metrics.end(), rest.begin(), rest.end());
    }
    return row;
}

std::vector<ReportRow> paper_rows() {
    std::vector<ReportRow> rows;
    rows.reserve(std::size(kPaper) + 4);
    for (const PaperRow& p : kPaper) rows.push_back(paper_row(p));
    rows.push_back(authors_row("astar", 0, 0, 0, 580));
    rows.push_back(authors_row("dta:8", 28800, 22700, 1.026, 27.9));
    rows.push_back(authors_row("dta:16", 18600, 7500, 1.040, 10.5));
    rows.push_back(authors_row("dta:32", 24800, 3800, 1.063, 9.5));
    return rows;
}

}  // namespace
}  // namespace dta_table2_bench

Result<Report> bench_dta_table2(const BenchOptions& options) {
    using namespace dta_table2_bench;
    const auto scenes = bench_scenes(options, kProblems);
    if (!scenes) return scenes.error();
    const BenchScene& first = scenes->front();
    std::vector<CostSet> sets;
    if (first.published_costs) sets.push_back({"scenario", true});
    sets.push_back({first.grid.catalogue() == Catalogue::octile() ? "walker" : "drawn", false});

    Report report{"dta-table2", {}, paper_rows()};
    Progress progress("dta-table2", scenes->size() * sets.size() * kCount);
    std::vector<std::vector<Tally>> tallies(sets.size(), std::vector<Tally>(kCount));
    for (size_t s = 0; s < scenes->size(); ++s) {
        const BenchScene& scene = (*scenes)[s];
        World world(editable(scene.grid), WorldOptions{{16, 8, 32}});
        for (size_t k = 0; k < sets.size(); ++k) {
            Setting setting{&scene, &world, costs_for(scene, s, sets[k]), sets[k].published};
            const auto done = run_setting(setting, tallies[k], progress);
            if (!done) return done.error();
            if (s == 0 || !sets[k].published) report.notes.push_back(costs_text(scene, sets[k].name, setting.costs));
        }
    }
    for (size_t k = 0; k < sets.size(); ++k) {
        for (size_t c = 0; c < kCount; ++c) report.rows.push_back(to_row(kCandidates[c], sets[k].name, tallies[k][c], tallies[k][0]));
    }
    report.notes.push_back(fmt::format(
        "{} problems per map. ratio_mean: mean suboptimality ratio; ratio_of_sums: ratio of the mean costs, as in the paper's columns.\n"
        "ms_first: time to the first segment, in slices of {} expansions. speedup: over astar.",
        first.queries.size(), kSlice));
    return report;
}

}  // namespace terrane
