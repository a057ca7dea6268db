// `terrane bench overlay`: portal overlays (portal_overlay.h) against A* and terrain regions: suboptimality, times, proven bounds, and the
// costs of preparation, memory and repair.
// Rows of the paper: Sturtevant, Sigurdson, Taylor, Gibson 2019, "Pathfinding and Abstraction with Dynamic Terrain Costs" (AIIDE), Table 2.
#include "bench/overlay_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "terrane/overlay/prepared_overlay.h"

namespace terrane {

namespace overlay_bench {
namespace {

constexpr size_t kMaps = 5;               // the first maps of a folder
constexpr size_t kProblems = 250;         // per map
constexpr size_t kBaseline = 5;           // problems per map for the baseline A*, which takes half a second for each
constexpr double kAskedBound = 1.02;      // requested by --bound
constexpr uint64_t kBoundBudget = 20000;  // expansions, for the rows in which a bound may stay unproven

std::string with_lower_bounds(const std::string& method, uint32_t landmarks) {
    return landmarks == 0 ? method : fmt::format("{}+lower_bounds:{}", method, landmarks);
}

// ---- Contenders. Those that share their preparation follow each other.

struct TableSizes {
    size_t tables = 0, first_moves = 0;  // bytes: what searches need, and the first-move tables, which are a cache
};

TableSizes table_sizes(const BenchScene& scene, const char* method) {
    World world(editable(scene.grid));
    static_cast<void>(prepare_only(world, scene.costs, find_method(method).value(), SIZE_MAX / 2).value());
    const PortalOverlay overlay = world.snapshot().all_prepared().front()->as<PreparedOverlay>()->overlay;
    return {overlay.table_bytes(), overlay.bytes() - overlay.table_bytes()};
}

void add_queries(const BenchScene& scene, uint32_t landmarks, std::vector<GridContender>& out) {
    const nlohmann::ordered_json none = {{"section", "queries"}}, cold = {{"section", "queries"}, {"cache", "cold"}},
                                 warm = {{"section", "queries"}, {"cache", "warm"}};
    nlohmann::ordered_json proven = warm;
    proven["lower_bounds"] = fmt::format("{} lower_bounds", landmarks);
    out.push_back({.method = "astar", .label = none});
    out.push_back({.method = kBaselineMethod, .label = none, .sample = kBaseline});
    out.push_back({.method = "regions:16", .label = none});
    out.push_back({.method = "dta:16", .label = none});
    out.push_back({.method = "dta:16+smooth", .label = none});
    for (const char* method : {"overlay:2", "overlay:3", "overlay:4"}) {
        out.push_back({.method = method, .label = cold, .cold = true, .max_bytes = table_sizes(scene, method).tables});
        out.push_back({.method = method, .label = warm});
    }
    for (const char* method : {"overlay:2+portals", "overlay:2+smooth"})
        out.push_back({.method = method, .label = warm, .prepare = "overlay:2"});
    out.push_back({.method = "overlay:2+optimal", .label = proven, .prepare = with_lower_bounds("overlay:2", landmarks)});
}

// With octile distance alone (no landmarks) no bound is requested: every query would end in A*.
void add_proofs(const std::vector<uint32_t>& lower_bounds, std::vector<GridContender>& out) {
    for (const uint32_t landmarks : lower_bounds) {
        nlohmann::ordered_json label = {{"section", "proven"}, {"lower_bounds", fmt::format("{} lower_bounds", landmarks)}};
        const std::string prepared = with_lower_bounds("overlay:2", landmarks);
        for (const char* method : {"overlay:2+portals", "overlay:2", "overlay:2+smooth"})
            out.push_back({.method = method, .label = label, .prepare = prepared});
        if (landmarks == 0) continue;
        label["bound"] = fmt::format("--bound {}", kAskedBound);
        out.push_back({.method = "overlay:2", .label = label, .prepare = prepared, .bound = kAskedBound});
        label["budget"] = fmt::format("{} expansions", kBoundBudget);
        out.push_back({.method = "overlay:2", .label = label, .prepare = prepared, .bound = kAskedBound, .max_expansions = kBoundBudget});
    }
}

// From no first-move tables to all of them.
void add_memory(const BenchScene& scene, std::vector<GridContender>& out) {
    for (const char* method : {"overlay:2", "overlay:4"}) {
        const TableSizes sizes = table_sizes(scene, method);
        for (const size_t quarters : {0u, 1u, 2u, 3u, 4u}) {
            out.push_back({.method = method,
                           .label = {{"section", "memory"}, {"first_moves", fmt::format("{}% of the first-move tables", quarters * 25)}},
                           .max_bytes = sizes.tables + sizes.first_moves * quarters / 4});
        }
    }
}

// ---- Report

struct PaperRow {
    const char* method;
    double expansions, cost, ms;
};
constexpr PaperRow kPaper[] = {{"astar", 1089811, 2406, 625.9},
                               {"dta:8", 28907, 2456, 25.4},
                               {"dta:16", 19366, 2495, 11.4},
                               {"dta:32", 26016, 2560, 10.8},
                               {"dta:32/nbs/wastar:1.2", 21700, 2561, 9.6}};

std::vector<ReportRow> paper_rows() {
    std::vector<ReportRow> rows;
    rows.reserve(std::size(kPaper));
    for (const PaperRow& p : kPaper) {
        rows.push_back({p.method,
                        {{"section", "queries"}},
                        {{"expansions", p.expansions},
                         {"ratio_of_sums", p.cost / kPaper[0].cost},
                         {"ms_mean", p.ms},
                         {"speedup", kPaper[0].ms / p.ms}}});
    }
    return rows;
}

double percent_proven(const Measurements& row) {
    const auto proven = std::ranges::count_if(row.bound.values(), [](double b) { return b <= kAskedBound; });
    return 100 * static_cast<double>(proven) / static_cast<double>(row.bound.count());
}

void add_notes(const std::vector<BenchScene>& scenes, Report& report) {
    std::string names;
    for (const BenchScene& scene : scenes) names += (names.empty() ? "" : ", ") + scene.name;
    report.notes = {
        fmt::format("queries, proven: {}; {} problems each. scaling: generated islands. The other sections: the first map.", names,
                    scenes[0].queries.size()),
        "ratio_*: suboptimality; the paper prints mean costs, so its rows have ratio_of_sums. Expansions of overlays: expanded portals "
        "and\n"
        "examined crossings. speedup: over astar. speedup_baseline: over the baseline A* (std::priority_queue, std::unordered_map), on "
        "its\n"
        "sample of the problems.",
        "warm, and rows without a cache: the better of two passes over all problems, by one planner. cold: the overlay stores no\n"
        "first-move tables, and each query uses a new planner, so its time includes allocation and the first-move tables of every\n"
        "cluster on its path.",
        fmt::format("build_ms, bytes: everything that is prepared: the overlay, and lower-bound tables where there are any. "
                    "percent_proven: answers\n"
                    "proven to be within {:.0f}%.",
                    100 * (kAskedBound - 1)),
        "edits: repair_ms is the overlay alone; repair_ms_cluster is per rebuilt cluster of more than one terrain cost. throughput: "
        "frame_ms\n"
        "is the whole edit, regions included. Picture: out/overlay-portals.png."};
}

}  // namespace
}  // namespace overlay_bench

Result<Report> bench_overlay(const BenchOptions& options) {
    using namespace overlay_bench;
    auto scenes = bench_scenes(options, kProblems);
    if (!scenes) return scenes.error();
    if (const size_t maps = options.quick ? 1 : kMaps; scenes->size() > maps) scenes->resize(maps);
    const int32_t least = options.quick ? 256 : 1024, most = options.quick ? 512 : 4096;
    const std::vector<uint32_t> lower_bounds = options.quick ? std::vector<uint32_t>{0, 4} : std::vector<uint32_t>{0, 8, 16, 32};

    Contest contest({.passes = kOverlayPasses});
    contest.results().show("ratio", {"p95", "p999"});
    contest.results().show("bound", {"p99"});
    contest.results().show("percent_proven", percent_proven);
    constexpr uint64_t kContenders = 30;  // per map, about
    Progress progress("overlay",
                      scenes->size() * kContenders + kPreparingSteps + kEditSteps + kThroughputSteps + scaling_steps(least, most));
    for (BenchScene& scene : *scenes) {
        scene.costs = scene.published_costs.value_or(scene.costs);
        scene.label = nlohmann::ordered_json::object();
        std::vector<GridContender> contenders;
        add_queries(scene, lower_bounds.back(), contenders);
        add_proofs(lower_bounds, contenders);
        if (&scene == &scenes->front()) add_memory(scene, contenders);
        if (const auto done = run_on_grid(contest, scene, contenders, progress, options.peers); !done) return done.error();
    }
    Report report{"overlay", contest.rows(), paper_rows()};
    const BenchScene& first = scenes->front();
    measure_preparing(first, lower_bounds.back(), report, progress);
    if (const auto done = measure_edits(first, options.quick, report, progress); !done) return done.error();
    if (const auto done = measure_scaling(least, most, report, progress); !done) return done.error();
    if (const auto done = measure_throughput(first, options.quick, report, progress); !done) return done.error();
    if (const auto done = draw_overlay_picture("out"); !done) return done.error();
    add_notes(*scenes, report);
    return report;
}

Result<Report> bench_overlay_scaling(const BenchOptions& options) {
    const int32_t least = options.quick ? 256 : 1024, most = options.tiny ? 256 : options.quick ? 1024 : 16384;
    Report report{"overlay-scaling"};
    Progress progress("overlay-scaling", scaling_steps(least, most));
    if (const auto done = measure_scaling(least, most, report, progress); !done) return done.error();
    return report;
}

}  // namespace terrane
