// `terrane bench search`: what an expansion costs, ours against the textbook's, in one run.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>

#include "bench/bench.h"
#include "bench/progress.h"
#include "bench/textbook_astar.h"
#include "terrane/grid_search.h"
#include "terrane/map_file.h"
#include "terrane/mapgen.h"
#include "terrane/rng.h"
#include "terrane/scenario.h"

namespace terrane {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPasses = 3;  // the best one counts

struct Scene {
    std::string name;
    GridSnapshot grid;
    CostTable costs;
    std::vector<std::pair<Cell, Cell>> queries;
};

// Costs as in the Dynamic Terrain Abstraction paper: 1.0 to 4.0 in steps of 0.2, drawn from a seed.
Profile drawn_costs(const Catalogue& catalogue, uint64_t seed) {
    Rng rng(seed);
    Profile profile(fmt::format("drawn from seed {}", seed));
    for (const TerrainType& type : catalogue.types()) profile.rule(type.name, 100 + 20 * rng.below(16));
    return profile;
}

Result<Scene> island_scene(const BenchOptions& options) {
    IslandOptions island;
    island.width = island.height = options.quick ? 512 : 2048;
    const auto grid = generate_island(island);
    if (!grid) return grid.error();
    Scene scene{fmt::format("island {0}x{0} seed {1}", island.width, island.seed), grid->snapshot(), {}, {}};
    scene.costs = drawn_costs(scene.grid.catalogue(), 1).compile(scene.grid.catalogue()).value();
    Rng rng(7);
    const auto cell = [&] { return Cell{rng.between(0, island.width - 1), rng.between(0, island.height - 1)}; };
    for (int i = 0; i < (options.quick ? 5 : 20); ++i) {
        const Cell start = cell();
        scene.queries.emplace_back(start, cell());
    }
    return scene;
}

Result<Scene> file_scene(const std::filesystem::path& file, const BenchOptions& options) {
    const auto grid = load_map(file.string());
    if (!grid) return grid.error();
    const auto scenario = load_scenario(file.string() + ".scen");
    if (!scenario) return scenario.error();
    Scene scene{file.filename().string(), grid->snapshot(), {}, {}};
    const bool octile = scene.grid.catalogue() == Catalogue::octile();
    const Profile profile = octile ? *Profile::preset("walker") : drawn_costs(scene.grid.catalogue(), 1);
    scene.costs = profile.compile(scene.grid.catalogue()).value();
    const size_t take = std::min<size_t>(scenario->problems.size(), options.quick ? 5 : 20);
    for (size_t i = 0; i < take; ++i) {  // spread over the file: published ones are sorted by length
        const Problem& p = scenario->problems[i * scenario->problems.size() / take];
        scene.queries.emplace_back(p.start, p.goal);
    }
    return scene;
}

Result<std::vector<Scene>> scenes(const BenchOptions& options) {
    std::vector<Scene> out;
    if (options.maps.empty()) {
        auto scene = island_scene(options);
        if (!scene) return scene.error();
        out.push_back(std::move(*scene));
        return out;
    }
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(options.maps, error)) {
        if (entry.path().extension() == ".map") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    if (files.empty()) return Error{ErrorCode::kCannotOpen, options.maps, 0, "no .map files there"};
    for (const auto& file : files) {
        auto scene = file_scene(file, options);
        if (!scene) return scene.error();
        out.push_back(std::move(*scene));
    }
    return out;
}

struct Outcome {
    double cost = 0;  // real; negative for none
    uint64_t expansions = 0;
};
using Solve = std::function<Outcome(Cell, Cell)>;

// Runs every query kPasses times; checks each against `reference` within a factor; fills in the row.
ReportRow measure(const Scene& scene, const std::string& method, const Solve& solve, const std::vector<Outcome>& reference, double factor,
                  Progress& progress) {
    double best = 1e300, cost = 0;
    uint64_t expansions = 0;
    size_t wrong = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
        expansions = 0;
        cost = 0;
        double seconds = 0;
        for (size_t i = 0; i < scene.queries.size(); ++i) {
            const auto start = Clock::now();
            const Outcome o = solve(scene.queries[i].first, scene.queries[i].second);
            seconds += std::chrono::duration<double>(Clock::now() - start).count();
            expansions += o.expansions;
            cost += std::max(o.cost, 0.0);
            const double want = reference.empty() ? o.cost : reference[i].cost;
            wrong += o.cost < want * (1 - 1e-6) || o.cost > want * factor * (1 + 1e-6);
            progress.advance();
        }
        best = std::min(best, seconds);
    }
    const auto queries = static_cast<double>(scene.queries.size()), count = static_cast<double>(expansions);
    return {method,
            {{"map", scene.name}},
            {{"problems", queries},
             {"solved", queries - static_cast<double>(wrong) / kPasses},
             {"expansions", count / queries},
             {"cost", cost / queries},
             {"ms_mean", best * 1e3 / queries},
             {"ns_per_expansion", best * 1e9 / std::max(count, 1.0)}}};
}

double metric(const ReportRow& row, const char* name) { return std::ranges::find(row.metrics, name, &Metrics::value_type::first)->second; }

Solve solver(const Scene& scene, GridSearch& search, const char* method) {
    SearchOptions options;
    options.method = find_method(method).value();
    return [&scene, &search, options](Cell start, Cell goal) {
        search.begin(scene.grid, scene.costs, start, goal, options);
        const Status status = search.run();
        Path path;
        search.path(path);
        return Outcome{status == Status::kFound ? exact_cost(scene.grid, scene.costs, path.cells) : -1, search.expansions()};
    };
}

void bench_scene(const Scene& scene, Report& report, Progress& progress) {
    const TextbookMap map(scene.grid, scene.costs);
    const auto textbook = [&](Cell start, Cell goal) {
        const TextbookResult r = textbook_astar(map, start, goal);
        return Outcome{r.found ? r.cost : -1, r.expansions};
    };
    GridSearch search;
    std::vector<Outcome>
        reference;  // by our Dijkstra; the textbook's A*, which shares no code with it, is checked against it like the rest
    for (const auto& [start, goal] : scene.queries) reference.push_back(solver(scene, search, "dijkstra")(start, goal));
    std::vector<ReportRow> rows{measure(scene, "textbook", textbook, reference, 1, progress)};
    for (const auto& [method, factor] :
         {std::pair{"astar", 1.0}, {"dijkstra", 1.0}, {"wastar:1.5", 1.5}, {"wastar:2", 2.0}, {"wastar:4", 4.0}}) {
        rows.push_back(measure(scene, method, solver(scene, search, method), reference, factor, progress));
    }
    const double base_ms = metric(rows[0], "ms_mean"), base_ns = metric(rows[0], "ns_per_expansion");
    for (ReportRow& row : rows) {
        row.metrics.emplace_back("speedup", base_ms / metric(row, "ms_mean"));
        row.metrics.emplace_back("speedup_per_expansion", base_ns / metric(row, "ns_per_expansion"));
        report.rows.push_back(std::move(row));
    }
}

}  // namespace

Result<Report> bench_search(const BenchOptions& options) {
    const auto all = scenes(options);
    if (!all) return all.error();
    Report report{"search", {}, {}};
    uint64_t steps = 0;
    for (const Scene& scene : *all) steps += scene.queries.size() * 6 * kPasses;
    Progress progress("search", steps);
    for (const Scene& scene : *all) bench_scene(scene, report, progress);
    // Dynamic Terrain Abstraction paper, Table 2 (2.3 GHz Core i7, 2019): A*, WA*(2) over twenty such maps.
    report.paper = {
        {"astar",
         {{"map", "20 maps 2048x2048"}},
         {{"expansions", 1089811}, {"cost", 2406}, {"ms_mean", 625.9}, {"ns_per_expansion", 625.9e6 / 1089811}}},
        {"wastar:2",
         {{"map", "20 maps 2048x2048"}},
         {{"expansions", 349865}, {"cost", 2567}, {"ms_mean", 180.7}, {"ns_per_expansion", 180.7e6 / 349865}}},
    };
    return report;
}

}  // namespace terrane
