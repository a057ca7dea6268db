// `terrane bench minimal-memory`: the results of slides 33 to 46 of Sturtevant's "Abstraction in Pathfinding": bytes, expansions per step,
// suboptimality, total expansions and times. Draws pictures into out/.
//
// The slides use 93,000 paths of lengths 1 to 512 on 120 maps, scaled to 512x512. This bench draws random starts on each map, and for each
// start a goal in every class of path lengths.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>

#include "bench/bench.h"
#include "bench/minimal_memory_figures.h"
#include "bench/progress.h"
#include "bench/stopwatch.h"
#include "minimal_memory/minimal_memory_query.h"
#include "terrane/base/rng.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/io/map_file.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/planner.h"

namespace terrane {

namespace minimal_memory_bench {
namespace {

constexpr const char* kFolder = "out";
constexpr int32_t kSide = 512;  // all maps are scaled to this, in cells
constexpr int32_t kTinySide = 128;
constexpr int32_t kSmallest = 128;         // maps with a shorter side are skipped
constexpr size_t kMaps = 8, kStarts = 12;  // at most; starts per map
constexpr std::array<uint32_t, 5> kSectors = {4, 8, 16, 32, 64};
constexpr size_t kClasses = 8;                                  // of path lengths
constexpr Cost kClass = Cost{kSide / kClasses} * kCostPerUnit;  // range of one class
constexpr int kPasses = 3;                                      // the best time of each problem counts
constexpr uint32_t kUnits = 50, kFrames = 400;

struct MinimalMemoryProblem {
    Cell start, goal;
    size_t length;  // class
    Cost optimal;
    uint64_t expansions;  // of A*
};

struct MinimalMemoryScene {
    std::string name;
    GridSnapshot grid;
    CostTable costs;
    const char* wall;  // name of a blocked terrain
    std::vector<MinimalMemoryProblem> problems = {};

    MinimalMemory build(const MinimalMemoryOptions& options) const {
        return MinimalMemory::build(grid, PassableSet::of(costs, Movement::kEightNoCornerCutting), Movement::kEightNoCornerCutting,
                                    options);
    }
};

double mean(const std::vector<double>& values) {
    return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Scales a map to 512x512.
TerrainGrid scaled(const GridSnapshot& grid) {
    std::vector<Terrain> cells;
    cells.reserve(size_t{kSide} * kSide);
    for (int32_t y = 0; y < kSide; ++y) {
        for (int32_t x = 0; x < kSide; ++x) cells.push_back(grid.at(Cell{x * grid.width() / kSide, y * grid.height() / kSide}));
    }
    return {kSide, kSide, cells, grid.catalogue()};
}

// Loads maps of the folder, evenly chosen by name.
Result<std::vector<MinimalMemoryScene>> file_scenes(const std::string& folder, size_t count) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".map") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    std::vector<MinimalMemoryScene> all, out;
    for (const auto& file : files) {
        const auto grid = load_map(file.string());
        if (!grid) return grid.error();
        if (std::min(grid->width(), grid->height()) < kSmallest) continue;
        const auto costs = Profile::preset("walker")->compile(grid->snapshot().catalogue());
        if (!costs) return costs.error();
        all.push_back({file.stem().string(), scaled(grid->snapshot()).snapshot(), *costs, "wall"});
    }
    if (all.empty()) return Error{ErrorCode::kCannotOpen, folder, 0, "contains no .map files of 128x128 cells or more"};
    const size_t take = std::min(count, all.size());
    for (size_t i = 0; i < take; ++i) out.push_back(std::move(all[i * all.size() / take]));
    return out;
}

std::vector<MinimalMemoryScene> own_scenes(int32_t side) {
    std::vector<MinimalMemoryScene> out;
    const auto add = [&](const char* name, const Result<TerrainGrid>& grid, const Profile& profile, const char* wall = "wall") {
        out.push_back({name, grid->snapshot(), profile.compile(grid->snapshot().catalogue()).value(), wall});
    };
    const Profile& walker = *Profile::preset("walker");
    IslandOptions island;
    island.width = island.height = side;
    Profile dry("dry");
    for (const char* wet : {"water", "deep_water", "river"}) dry.blocked(wet);
    add("rooms", generate_rooms({.width = side, .height = side}), walker);
    add("random", generate_random({.width = side, .height = side}), walker);
    add("maze", generate_maze({.width = side, .height = side, .seed = 1, .corridor = 8}), walker);
    add("island", generate_island(island), dry, "water");
    return out;
}

// For each random start: a random goal in every class of lengths that is reachable. Optimal costs come from Dijkstra, expansions from A*.
void add_problems(MinimalMemoryScene& scene, size_t starts) {
    Rng rng(11);
    GridSearch search;
    std::vector<ReachedCell> reached;
    for (size_t drawn = 0; drawn < starts;) {
        const int32_t x = rng.between(0, scene.grid.width() - 1);
        const Cell start{x, rng.between(0, scene.grid.height() - 1)};
        if (!scene.costs.passable(scene.grid.at(start))) continue;
        ++drawn;
        search.begin_flood({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, start, kClass * kClasses - 1);
        search.run();
        search.reached(reached);
        for (size_t length = 0; length < kClasses; ++length) {
            const auto from = std::ranges::lower_bound(reached, std::max<Cost>(1, length * kClass), {}, &ReachedCell::cost);
            const auto to = std::ranges::lower_bound(reached, (length + 1) * kClass, {}, &ReachedCell::cost);
            if (from == to) continue;
            const ReachedCell& goal = from[rng.below(static_cast<uint32_t>(to - from))];
            scene.problems.push_back({start, goal.cell, length, goal.cost, 0});
        }
    }
    for (MinimalMemoryProblem& p : scene.problems) {
        search.begin({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, p.start, p.goal);
        search.run();
        p.expansions = search.expansions();
    }
}

Result<std::vector<MinimalMemoryScene>> make_scenes(const BenchOptions& options) {
    auto scenes =
        options.maps.empty() ? Result(own_scenes(options.tiny ? kTinySide : kSide)) : file_scenes(options.maps, options.quick ? 2 : kMaps);
    if (!scenes) return scenes.error();
    for (MinimalMemoryScene& scene : *scenes) add_problems(scene, options.quick ? 3 : kStarts);
    return scenes;
}

using Scenes = std::vector<MinimalMemoryScene>;

std::string method_name(uint32_t sector, const MinimalMemoryQueryOptions& options = {}) {
    return fmt::format("minimal_memory:{}{}{}{}", sector, options.trim ? "+trim" : "", options.stand_in ? "+standin" : "",
                       options.smooth ? "+smooth" : "");
}

// Terrain regions for comparison: one graph for all profiles.
void add_dta_memory(const Scenes& scenes, Report& report) {
    for (const uint32_t sector : {8u, 16u, 32u}) {
        double bytes = 0, regions = 0, edges = 0, ms = 0;
        for (const MinimalMemoryScene& scene : scenes) {
            const Stopwatch watch;
            const TerrainRegions built = TerrainRegions::build(scene.grid, {.sector = sector, .labels = false});
            ms += watch.ms();
            bytes += static_cast<double>(built.bytes());
            regions += static_cast<double>(built.region_count());
            edges += static_cast<double>(built.edge_count());
        }
        const auto n = static_cast<double>(scenes.size());
        report.rows.push_back({fmt::format("dta:{}", sector),
                               {{"memory", "without labels"}},
                               {{"bytes", bytes / n}, {"regions", regions / n}, {"edges", edges / n}, {"build_ms", ms / n}}});
    }
}

// Slides 34 and 35.
void measure_memory(const Scenes& scenes, Report& report) {
    struct Form {
        const char* name;
        MinimalMemoryOptions options;
    };
    const Form forms[] = {{"plain", {.skip_defaults = false}},
                          {"compressed", {}},  // without default sectors
                          {"compressed, 16 bits, once", {.record_bits = 16, .edges_once = true}}};
    for (const Form& form : forms) {
        for (const uint32_t sector : kSectors) {
            MinimalMemoryOptions options = form.options;
            options.sector = sector;
            MinimalMemoryBytes sum;
            double regions = 0, edges = 0, ms = 0;
            size_t with_labels = 0;
            for (const MinimalMemoryScene& scene : scenes) {
                const Stopwatch watch;
                const MinimalMemory memory = scene.build(options);
                ms += watch.ms();
                const MinimalMemoryBytes bytes = memory.bytes();
                sum.sectors += bytes.sectors;
                sum.centres += bytes.centres;
                sum.edges += bytes.edges;
                sum.directory += bytes.directory;
                regions += static_cast<double>(memory.region_count());
                edges += static_cast<double>(memory.edge_count());
                MinimalMemoryOptions labelled = options;
                labelled.labels = true;
                with_labels += scene.build(labelled).bytes().labels;
            }
            const auto n = static_cast<double>(scenes.size());
            const auto per_map = [n](size_t bytes) { return static_cast<double>(bytes) / n; };
            report.rows.push_back({method_name(sector),
                                   {{"memory", form.name}},
                                   {{"bytes", per_map(sum.encoded())},
                                    {"bytes_sectors", per_map(sum.sectors)},
                                    {"bytes_centres", per_map(sum.centres)},
                                    {"bytes_edges", per_map(sum.edges)},
                                    {"bytes_directory", per_map(sum.directory)},
                                    {"bytes_labels", per_map(with_labels)},
                                    {"regions", regions / n},
                                    {"edges", edges / n},
                                    {"build_ms", ms / n}}});
        }
    }
    add_dta_memory(scenes, report);
}

// Blocks one cell and unblocks it again.
void measure_repair(const Scenes& scenes, bool optimised, Report& report) {
    constexpr int kEdits = 50;  // of each map
    std::vector<double> ms, sectors;
    Rng rng(3);
    for (const MinimalMemoryScene& scene : scenes) {
        TerrainGrid grid(scene.grid.width(), scene.grid.height(), scene.grid.cells(), scene.grid.catalogue());
        MinimalMemory memory = MinimalMemory::build(grid.snapshot(), PassableSet::of(scene.costs, Movement::kEightNoCornerCutting),
                                                    Movement::kEightNoCornerCutting, {.optimise_centres = optimised});
        for (int i = 0; i < kEdits; ++i) {
            const MinimalMemoryProblem& p = scene.problems[rng.below(static_cast<uint32_t>(scene.problems.size()))];
            const Terrain open = grid.snapshot().at(p.start);
            for (const Terrain terrain : {*grid.snapshot().catalogue().find(scene.wall), open}) {
                const EditResult edit = grid.set(p.start, terrain);
                const Stopwatch watch;
                MinimalMemoryRepair repair;
                memory = memory.updated(edit, &repair).value();
                ms.push_back(watch.ms());
                sectors.push_back(repair.sectors);
            }
        }
    }
    report.rows.push_back({method_name(16),
                           {{"repair", optimised ? "a cell, optimised centres" : "a cell, mean centres"}},
                           {{"repair_ms", mean(ms)}, {"repair_ms_p99", quantile(ms, 0.99)}, {"sectors", mean(sectors)}}});
}

// Refines every edge of the graph and records the expansions.
void refine_all(const MinimalMemoryScene& scene, const MinimalMemory& memory, std::vector<double>& out) {
    Refiner refiner;
    refiner.begin({scene.grid, scene.costs, Movement::kEightNoCornerCutting});
    for (uint32_t s = 0; s < memory.sectors(); ++s) {
        for (uint32_t r = 0; r < memory.regions_in(s); ++r) {
            memory.for_each_edge(memory.id(s, r), [&](RegionId to) {
                refiner.begin_segment(memory.centre(memory.id(s, r)), memory.centre(to),
                                      hull(memory.sector_rect(s), memory.sector_rect(memory.sector_of(to))));
                refiner.run();
                out.push_back(static_cast<double>(refiner.segment_expansions()));
            });
        }
    }
}

// Slides 36 and 37. Optimising the centres of sectors of 64 takes a second on game maps and a minute on generated ones, so it is skipped
// unless `all_sizes`.
void measure_refinement(const Scenes& scenes, bool all_sizes, Report& report) {
    for (const bool optimised : {false, true}) {
        for (const uint32_t sector : kSectors) {
            if (optimised && sector > 32 && !all_sizes) continue;
            std::vector<double> expansions;
            double ms = 0;
            for (const MinimalMemoryScene& scene : scenes) {
                const Stopwatch watch;
                const MinimalMemory memory = scene.build({.sector = sector, .optimise_centres = optimised});
                ms += watch.ms();
                refine_all(scene, memory, expansions);
            }
            report.rows.push_back({method_name(sector),
                                   {{"refining one edge", optimised ? "optimised centres" : "mean centres"}},
                                   {{"expansions", mean(expansions)},
                                    {"expansions_p95", quantile(expansions, 0.95)},
                                    {"expansions_max", quantile(expansions, 1)},
                                    {"build_ms", ms / static_cast<double>(scenes.size())}}});
        }
    }
}

// Results of one method by class of lengths.
struct Tally {
    std::array<std::vector<double>, kClasses> ratios, expansions, first;

    void add(const MinimalMemoryProblem& p, Cost cost, uint64_t all, uint64_t before_first) {
        ratios[p.length].push_back(static_cast<double>(cost) / static_cast<double>(p.optimal));
        expansions[p.length].push_back(static_cast<double>(all));
        first[p.length].push_back(static_cast<double>(before_first));
    }
    void report_to(Report& report, const std::string& method) {
        for (size_t i = 0; i < kClasses; ++i) {
            if (ratios[i].empty()) continue;
            report.rows.push_back({method,
                                   {{"length", fmt::format("{}-{}", i * kSide / kClasses, (i + 1) * kSide / kClasses)}},
                                   {{"problems", static_cast<double>(ratios[i].size())},
                                    {"expansions", mean(expansions[i])},
                                    {"expansions_first", mean(first[i])},
                                    {"ratio_mean", mean(ratios[i])},
                                    {"ratio_p99", quantile(ratios[i], 0.99)},
                                    {"ratio_max", quantile(ratios[i], 1)}}});
        }
    }
};

Error wrong(const MinimalMemoryScene& scene, const std::string& method, const MinimalMemoryProblem& p) {
    return {ErrorCode::kBadValue, scene.name, 0,
            fmt::format("{} from {},{} to {},{}: no path, or an illegal path", method, p.start.x, p.start.y, p.goal.x, p.goal.y)};
}

Result<Tally> measure_queries(const Scenes& scenes, uint32_t sector, const MinimalMemoryQueryOptions& options) {
    Tally tally;
    MinimalMemoryQuery query;
    for (const MinimalMemoryScene& scene : scenes) {
        const MinimalMemory memory = scene.build({.sector = sector});
        for (const MinimalMemoryProblem& p : scene.problems) {
            query.begin(memory, {memory.grid(), scene.costs, Movement::kEightNoCornerCutting}, p.start, p.goal, options);
            const Status status = query.run();
            const Cost cost = path_cost({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, query.cells());
            if (status != Status::kFound || cost == kInfiniteCost || cost < p.optimal || query.cells().back() != p.goal)
                return wrong(scene, method_name(sector, options), p);
            tally.add(p, cost, query.expansions(), query.expansions_first());
        }
    }
    return tally;
}

Result<Tally> measure_method(const Scenes& scenes, const char* name) {
    Tally tally;
    FindOptions options;
    options.method = find_method(name).value();
    Path path;
    for (const MinimalMemoryScene& scene : scenes) {
        World world(TerrainGrid(scene.grid.width(), scene.grid.height(), scene.grid.cells(), scene.grid.catalogue()));
        if (prepares(options.method)) {
            const auto done = world.prepare(scene.costs, {.method = options.method});
            if (!done) return done.error();
        }
        Planner planner(world);
        for (const MinimalMemoryProblem& p : scene.problems) {
            planner.find(p.start, p.goal, scene.costs, options, path);
            if (!path || path.cost < p.optimal) return wrong(scene, name, p);
            tally.add(p, path.cost, path.expansions, path.expansions_first);
        }
    }
    return tally;
}

// Slides 37 to 42.
Result<void> measure_paths(const Scenes& scenes, Report& report, Progress& progress) {
    Tally astar;
    for (const MinimalMemoryScene& scene : scenes) {
        for (const MinimalMemoryProblem& p : scene.problems) astar.add(p, p.optimal, p.expansions, p.expansions);
    }
    astar.report_to(report, "astar");
    const auto take = [&](const std::string& name, Result<Tally> tally) -> Result<void> {
        if (!tally) return tally.error();
        tally->report_to(report, name);
        progress.advance();
        return {};
    };
    for (const uint32_t sector : kSectors) {
        if (const auto done = take(method_name(sector), measure_queries(scenes, sector, {})); !done) return done;
    }
    for (const MinimalMemoryQueryOptions& options :
         {MinimalMemoryQueryOptions{.stand_in = true}, MinimalMemoryQueryOptions{.trim = true},
          MinimalMemoryQueryOptions{.trim = true, .stand_in = true}, MinimalMemoryQueryOptions{.smooth = true},
          MinimalMemoryQueryOptions{.trim = true, .smooth = true, .stand_in = true}}) {
        if (const auto done = take(method_name(16, options), measure_queries(scenes, 16, options)); !done) return done;
    }
    for (const char* name : {"dta:16", "hpa:16", "overlay:2"}) {
        if (const auto done = take(name, measure_method(scenes, name)); !done) return done;
    }
    return {};
}

// Slide 46: the first step of a query searches the regions and refines one edge.
void measure_steps(const Scenes& scenes, Report& report) {
    MinimalMemoryQuery query;
    for (const uint32_t sector : kSectors) {
        std::vector<double> ms, whole;
        for (const MinimalMemoryScene& scene : scenes) {
            const MinimalMemory memory = scene.build({.sector = sector});
            for (const MinimalMemoryProblem& p : scene.problems) {
                double step = 1e300, all = 1e300;
                for (int pass = 0; pass < kPasses; ++pass) {
                    const Stopwatch watch;
                    query.begin(memory, {memory.grid(), scene.costs, Movement::kEightNoCornerCutting}, p.start, p.goal);
                    query.step();
                    step = std::min(step, watch.ms());
                    query.run();
                    all = std::min(all, watch.ms());
                }
                ms.push_back(step);
                whole.push_back(all);
            }
        }
        report.rows.push_back({method_name(sector),
                               {{"step", "regions and one edge"}},
                               {{"ms_mean", mean(ms)},
                                {"ms_p50", quantile(ms, 0.5)},
                                {"ms_p99", quantile(ms, 0.99)},
                                {"ms_max", quantile(ms, 1)},
                                {"ms_whole_mean", mean(whole)},
                                {"ms_whole_p99", quantile(whole, 0.99)}}});
    }
}

// Returns the milliseconds of each frame. Every unit plans one step per frame; units that have arrived (all if not `walking`) start a new
// query.
std::vector<double> run_frames(const MinimalMemoryScene& scene, const MinimalMemory& memory, const MinimalMemoryQueryOptions& options,
                               bool walking, std::vector<MinimalMemoryQuery>& units) {
    std::vector<double> ms;
    std::vector<bool> busy(kUnits);
    Rng rng(5);
    for (uint32_t frame = 0; frame < kFrames; ++frame) {
        const Stopwatch watch;
        for (uint32_t i = 0; i < kUnits; ++i) {
            const MinimalMemoryProblem& p = scene.problems[rng.below(static_cast<uint32_t>(scene.problems.size()))];
            if (!busy[i] || !walking)
                units[i].begin(memory, {memory.grid(), scene.costs, Movement::kEightNoCornerCutting}, p.start, p.goal, options);
            busy[i] = units[i].step() == Status::kBudgetSpent;
        }
        ms.push_back(watch.ms());
    }
    return ms;
}

// Slide 46: fifty units. Repeats the same frames; the best time of each frame counts, which removes the load of other processes.
void measure_frames(const MinimalMemoryScene& scene, const MinimalMemoryQueryOptions& options, bool walking, Report& report) {
    const MinimalMemory memory = scene.build({.sector = 16});
    std::vector<MinimalMemoryQuery> units(kUnits);
    std::vector<double> best = run_frames(scene, memory, options, walking, units);
    for (int pass = 0; pass < kPasses; ++pass) {
        const std::vector<double> ms = run_frames(scene, memory, options, walking, units);
        for (size_t i = 0; i < ms.size(); ++i) best[i] = std::min(best[i], ms[i]);
    }
    report.rows.push_back(
        {method_name(16, options),
         {{"map", scene.name}, {"frame", walking ? "50 units, a step each" : "50 units, a new plan and a step each"}},
         {{"ms_mean", mean(best)}, {"ms_p50", quantile(best, 0.5)}, {"ms_p99", quantile(best, 0.99)}, {"ms_max", quantile(best, 1)}}});
}

}  // namespace
}  // namespace minimal_memory_bench

Result<Report> bench_minimal_memory(const BenchOptions& options) {
    using namespace minimal_memory_bench;
    std::error_code error;
    std::filesystem::create_directories(kFolder, error);
    if (error) return Error{ErrorCode::kCannotOpen, kFolder, 0, "cannot create this folder: " + error.message()};
    const auto scenes = make_scenes(options);
    if (!scenes) return scenes.error();
    if (const auto done = draw_minimal_memory_figures(kFolder); !done) return done.error();
    Report report{"minimal-memory", {}, {}};
    Progress progress("minimal-memory", 15);
    measure_memory(*scenes, report);
    progress.advance();
    measure_refinement(*scenes, !options.maps.empty() && !options.quick, report);
    progress.advance();
    if (const auto done = measure_paths(*scenes, report, progress); !done) return done.error();
    for (const bool optimised : {false, true}) measure_repair(*scenes, optimised, report);
    measure_steps(*scenes, report);
    progress.advance();
    for (const MinimalMemoryScene& scene : *scenes) {
        for (const bool walking : {true, false}) measure_frames(scene, {}, walking, report);
    }
    measure_frames(scenes->front(), {.trim = true, .smooth = true, .stand_in = true}, true, report);
    progress.advance();
    report.paper.push_back({"mm", {{"step", "slide 46: about 0.1 ms"}}, {{"ms_mean", 0.1}}});
    std::string names;
    for (const MinimalMemoryScene& scene : *scenes) names += (names.empty() ? "" : ", ") + scene.name;
    report.notes.push_back(fmt::format("Maps, all {0}x{0} cells: ", scenes->front().grid.width()) + names +
                           ". bytes, regions, edges and build_ms are means over the maps; bytes_labels: what labels would add.");
    report.notes.push_back("Pictures: out/mm-regions.png, mm-path.png.");
    return report;
}

}  // namespace terrane
