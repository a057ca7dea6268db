// `terrane bench dta-table2`: Table 2 of the Dynamic Terrain Abstraction paper: expansions, path costs and times of searches over cells and
// over regions, with the scenarios' costs and with random costs.
#include <fmt/format.h>

#include <cmath>

#include "bench/bench.h"
#include "bench/grid_contest.h"

namespace terrane {

namespace dta_table2_bench {
namespace {

constexpr size_t kProblems = 25;  // per map

// Published costs must agree up to their rounding and a relative error of 1e-6.
Result<void> check_published(const BenchScene& scene, size_t problem, const Path& path, NamedSamples& /*extras*/) {
    const double want = scene.published[problem], have = exact_cost(scene.grid, scene.costs, path.cells);
    if (path && std::fabs(have - want) <= 1e-6 * want + 0.005) return {};
    return Error{ErrorCode::kBadValue, {}, 0, fmt::format("cost {}, but {} is published", have, want)};
}

std::vector<GridContender> contenders(bool published) {
    std::vector<GridContender> out{{"astar"}};
    if (published) out[0].inspect = check_published;
    for (const char* method :
         {"nbs", "wastar:2", "wastar:3", "wastar:4", "dta:8", "dta:8/nbs", "dta:16", "dta:16/nbs", "dta:32", "dta:32/nbs",
          "dta:32/nbs/wastar:1.2", "dta:8+smooth", "dta:16+smooth", "dta:16+trim", "dta:16+trim+smooth", "dta:32+smooth", "dta:16+exact"})
        out.push_back({method});
    // A new cache for each pass, but warm scratch memory, as for the others.
    out.push_back({.method = "dta:16+cache", .label = {{"cache", "cache empty"}}, .warm_up = "dta:16"});
    out.push_back({.method = "dta:16+cache", .label = {{"cache", "cache filled"}}});
    return out;
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
        row.metrics.emplace_back("cost_cells", p.cost);
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

    Contest contest;
    contest.results().show("ratio_of_sums", ratio_of_sums);
    contest.results().show("ms", {"p25", "p75"});
    Report report{"dta-table2", {}, paper_rows()};
    Progress progress("dta-table2", scenes->size() * sets.size() * (contenders(false).size() + options.peers.size()));
    for (const CostSet& set : sets) {
        for (size_t s = 0; s < scenes->size(); ++s) {
            BenchScene scene = (*scenes)[s];
            scene.costs = costs_for(scene, s, set);
            scene.label = {{"costs", set.name}};
            const auto done = run_on_grid(contest, scene, contenders(set.published), progress, options.peers);
            if (!done) return done.error();
            if (s == 0 || !set.published) report.notes.push_back(costs_text(scene, set.name, scene.costs));
        }
    }
    report.add(contest.rows());
    report.notes.push_back(fmt::format(
        "{} problems per map. ratio_mean: mean suboptimality ratio; ratio_of_sums: ratio of the mean costs, as in the paper's columns.\n"
        "ms_first: time to the first segment, in slices of {} expansions. speedup: over astar.",
        first.queries.size(), kFirstMoveSlice));
    return report;
}

}  // namespace terrane
