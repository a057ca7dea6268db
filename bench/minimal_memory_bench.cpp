// `terrane bench minimal-memory`: the results of slides 33 to 46 of Sturtevant's "Abstraction in Pathfinding": bytes, expansions per step,
// suboptimality, total expansions and times. Draws pictures into out/.
//
// The slides use 93,000 paths of lengths 1 to 512 on 120 maps, scaled to 512x512. This bench draws random starts on each map, and for each
// start a goal in every class of path lengths.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "bench/bench.h"
#include "bench/grid_contest.h"
#include "bench/minimal_memory_figures.h"
#include "minimal_memory/minimal_memory_query.h"
#include "terrane/base/rng.h"
#include "terrane/io/map_file.h"
#include "terrane/mapgen/mapgen.h"

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

// A map, and random problems of all lengths.
struct MinimalMemoryScene : BenchScene {
    const char* wall = "wall";             // name of a blocked terrain
    std::vector<size_t> lengths = {};      // class of each problem
    std::vector<Cost> optimal_costs = {};  // from Dijkstra

    MinimalMemory build(const MinimalMemoryOptions& options) const {
        return MinimalMemory::build(grid, PassableSet::of(costs, movement), movement, options);
    }
};

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
    const auto files = map_files(folder);
    if (!files) return files.error();
    std::vector<MinimalMemoryScene> all, out;
    for (const auto& file : *files) {
        const auto grid = load_map(file.string());
        if (!grid) return grid.error();
        if (std::min(grid->width(), grid->height()) < kSmallest) continue;
        const auto costs = Profile::preset("walker")->compile(grid->snapshot().catalogue());
        if (!costs) return costs.error();
        all.push_back({{file.stem().string(), scaled(grid->snapshot()).snapshot(), *costs}});
    }
    if (all.empty()) return Error{ErrorCode::kCannotOpen, folder, 0, "contains no .map files of 128x128 cells or more"};
    const size_t take = std::min(count, all.size());
    for (size_t i = 0; i < take; ++i) out.push_back(std::move(all[i * all.size() / take]));
    return out;
}

std::vector<MinimalMemoryScene> own_scenes(int32_t side) {
    std::vector<MinimalMemoryScene> out;
    const auto add = [&](const char* name, const Result<TerrainGrid>& grid, const Profile& profile, const char* wall = "wall") {
        out.push_back({{name, grid->snapshot(), profile.compile(grid->snapshot().catalogue()).value()}, wall});
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

// For each random start: a random goal in every class of lengths that is reachable.
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
            scene.queries.emplace_back(start, goal.cell);
            scene.lengths.push_back(length);
            scene.optimal_costs.push_back(goal.cost);
        }
    }
}

Result<std::vector<MinimalMemoryScene>> make_scenes(const BenchOptions& options) {
    auto scenes = options.maps.empty() ? Result(own_scenes(options.tiny ? kTinySide : kSide))
                                       : file_scenes(options.folder(), options.quick ? 2 : kMaps);
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
void add_dta_memory(const Scenes& scenes, MeasuredRows& rows) {
    for (const uint32_t sector : {8u, 16u, 32u}) {
        Measurements& row = rows.at(fmt::format("dta:{}", sector), {{"memory", "without labels"}});
        for (const MinimalMemoryScene& scene : scenes) {
            const TerrainRegions built =
                timed(row.build_ms, [&] { return TerrainRegions::build(scene.grid, {.sector = sector, .labels = false}); });
            row.bytes.add(static_cast<double>(built.bytes()));
            row["regions"].add(static_cast<double>(built.region_count()));
            row["edges"].add(static_cast<double>(built.edge_count()));
        }
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
    MeasuredRows rows;
    for (const Form& form : forms) {
        for (const uint32_t sector : kSectors) {
            MinimalMemoryOptions options = form.options;
            options.sector = sector;
            Measurements& row = rows.at(method_name(sector), {{"memory", form.name}});
            for (const MinimalMemoryScene& scene : scenes) {
                const MinimalMemory memory = timed(row.build_ms, [&] { return scene.build(options); });
                MinimalMemoryOptions labelled = options;
                labelled.labels = true;
                const MinimalMemoryBytes bytes = memory.bytes();
                row.bytes.add(static_cast<double>(bytes.encoded()));
                for (const auto& [name, value] : {std::pair{"bytes_sectors", bytes.sectors},
                                                  {"bytes_centres", bytes.centres},
                                                  {"bytes_edges", bytes.edges},
                                                  {"bytes_directory", bytes.directory},
                                                  {"bytes_labels", scene.build(labelled).bytes().labels},
                                                  {"regions", memory.region_count()},
                                                  {"edges", memory.edge_count()}})
                    row[name].add(static_cast<double>(value));
            }
        }
    }
    add_dta_memory(scenes, rows);
    report.add(rows.rows());
}

// Blocks one cell and unblocks it again.
void measure_repair(const Scenes& scenes, bool optimised, MeasuredRows& rows) {
    constexpr int kEdits = 50;  // of each map
    Measurements& row = rows.at(method_name(16), {{"repair", optimised ? "a cell, optimised centres" : "a cell, mean centres"}});
    Rng rng(3);
    for (const MinimalMemoryScene& scene : scenes) {
        TerrainGrid grid = editable(scene.grid);
        MinimalMemory memory = scene.build({.optimise_centres = optimised});
        for (int i = 0; i < kEdits; ++i) {
            const Cell at = scene.queries[rng.below(static_cast<uint32_t>(scene.queries.size()))].first;
            const Terrain open = grid.snapshot().at(at);
            for (const Terrain terrain : {*grid.snapshot().catalogue().find(scene.wall), open}) {
                const EditResult edit = grid.set(at, terrain);
                MinimalMemoryRepair repair;
                timed(row.repair_ms, [&] { memory = memory.updated(edit, &repair).value(); });
                row["sectors"].add(repair.sectors);
            }
        }
    }
}

// Refines every edge of the graph and records the expansions.
void refine_all(const MinimalMemoryScene& scene, const MinimalMemory& memory, Samples& out) {
    Refiner refiner;
    refiner.begin({scene.grid, scene.costs, Movement::kEightNoCornerCutting});
    for (uint32_t s = 0; s < memory.sectors(); ++s) {
        for (uint32_t r = 0; r < memory.regions_in(s); ++r) {
            memory.for_each_edge(memory.id(s, r), [&](RegionId to) {
                refiner.begin_segment(memory.centre(memory.id(s, r)), memory.centre(to),
                                      hull(memory.sector_rect(s), memory.sector_rect(memory.sector_of(to))));
                refiner.run();
                out.add(static_cast<double>(refiner.segment_expansions()));
            });
        }
    }
}

// Slides 36 and 37. Optimising the centres of sectors of 64 takes a second on game maps and a minute on generated ones, so it is skipped
// unless `all_sizes`.
void measure_refinement(const Scenes& scenes, bool all_sizes, Report& report) {
    MeasuredRows rows;
    rows.show("expansions", {"p95", "max"});
    for (const bool optimised : {false, true}) {
        for (const uint32_t sector : kSectors) {
            if (optimised && sector > 32 && !all_sizes) continue;
            Measurements& row = rows.at(method_name(sector), {{"refining one edge", optimised ? "optimised centres" : "mean centres"}});
            for (const MinimalMemoryScene& scene : scenes) {
                const MinimalMemory memory =
                    timed(row.build_ms, [&] { return scene.build({.sector = sector, .optimise_centres = optimised}); });
                refine_all(scene, memory, row.expansions);
            }
        }
    }
    report.add(rows.rows());
}

Contender memory_contender(const MinimalMemoryScene& scene, const MinimalMemory& memory, uint32_t sector,
                           const MinimalMemoryQueryOptions& options = {}) {
    return query_contender<MinimalMemoryQuery>(scene, method_name(sector, options), {},
                                               [&scene, &memory, options](MinimalMemoryQuery& query, Cell start, Cell goal) {
                                                   query.begin(memory, {memory.grid(), scene.costs, scene.movement}, start, goal, options);
                                               });
}

// Slides 37 to 42: rows by class of lengths. Dijkstra's costs are compared with those of A*, the reference of the others.
Result<void> measure_paths(const Scenes& scenes, bool quick, Report& report, Progress& progress) {
    Contest contest({.passes = quick ? 1 : kPasses});
    for (const MinimalMemoryScene& scene : scenes) {
        World world(editable(scene.grid));
        LastPrepared last;
        GridContender astar{"astar"};
        astar.inspect = [&scene](const BenchScene&, size_t problem, const Path& path, NamedSamples&) -> Result<void> {
            if (path.cost == scene.optimal_costs[problem]) return {};
            return Error{ErrorCode::kBadValue, {}, 0, "the cost is not Dijkstra's"};
        };
        std::vector<Contender> contenders{planner_contender(scene, world, astar, last)};
        std::vector<MinimalMemory> memories;
        for (const uint32_t sector : kSectors) memories.push_back(scene.build({.sector = sector}));
        for (size_t i = 0; i < kSectors.size(); ++i) contenders.push_back(memory_contender(scene, memories[i], kSectors[i]));
        for (const MinimalMemoryQueryOptions& options :
             {MinimalMemoryQueryOptions{.stand_in = true}, MinimalMemoryQueryOptions{.trim = true},
              MinimalMemoryQueryOptions{.trim = true, .stand_in = true}, MinimalMemoryQueryOptions{.smooth = true},
              MinimalMemoryQueryOptions{.trim = true, .smooth = true, .stand_in = true}})
            contenders.push_back(memory_contender(scene, memories[2], kSectors[2], options));
        for (const char* method : {"dta:16", "hpa:16", "overlay:2"}) contenders.push_back(planner_contender(scene, world, {method}, last));
        ContestScene by_length = contest_scene(scene);
        by_length.label = nlohmann::ordered_json::object();
        by_length.group = [&scene](size_t problem, const Answer&) {
            const size_t length = scene.lengths[problem];
            return nlohmann::ordered_json{{"length", fmt::format("{}-{}", length * kSide / kClasses, (length + 1) * kSide / kClasses)}};
        };
        if (const auto done = contest.run(by_length, contenders); !done) return done;
        progress.advance();
    }
    contest.results().sort_by("length");
    report.add(contest.rows());
    return {};
}

// Slide 46: the first step of a query searches the regions and refines one edge.
void measure_steps(const Scenes& scenes, MeasuredRows& rows) {
    MinimalMemoryQuery query;
    for (const uint32_t sector : kSectors) {
        Measurements& row = rows.at(method_name(sector), {{"step", "regions and one edge"}});
        for (const MinimalMemoryScene& scene : scenes) {
            const MinimalMemory memory = scene.build({.sector = sector});
            BestTimes steps, whole;
            for (int pass = 0; pass < kPasses; ++pass, steps.restart(), whole.restart()) {
                for (const auto& [start, goal] : scene.queries) {
                    const Stopwatch watch;
                    query.begin(memory, {memory.grid(), scene.costs, scene.movement}, start, goal);
                    query.step();
                    steps.add(watch.ms());
                    query.run();
                    whole.add(watch.ms());
                }
            }
            row.ms.add(steps.samples());
            row["ms_whole_mean"].add(whole.samples());
        }
    }
}

// Slide 46: fifty units. Each plans one step per frame; units that have arrived (all if not `walking`) start a new query.
void measure_frames(const MinimalMemoryScene& scene, const MinimalMemoryQueryOptions& options, bool walking, MeasuredRows& rows) {
    const MinimalMemory memory = scene.build({.sector = 16});
    std::vector<MinimalMemoryQuery> units(kUnits);
    BestTimes best;
    for (int pass = 0; pass <= kPasses; ++pass, best.restart()) {
        std::vector<bool> busy(kUnits);
        Rng rng(5);
        for (uint32_t frame = 0; frame < kFrames; ++frame) {
            best.time([&] {
                for (uint32_t i = 0; i < kUnits; ++i) {
                    const auto& [start, goal] = scene.queries[rng.below(static_cast<uint32_t>(scene.queries.size()))];
                    if (!busy[i] || !walking) units[i].begin(memory, {memory.grid(), scene.costs, scene.movement}, start, goal, options);
                    busy[i] = units[i].step() == Status::kBudgetSpent;
                }
            });
        }
    }
    rows.at(method_name(16, options),
            {{"map", scene.name}, {"frame", walking ? "50 units, a step each" : "50 units, a new plan and a step each"}})
        .ms.add(best.samples());
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
    Progress progress("minimal-memory", 4 + scenes->size());
    measure_memory(*scenes, report);
    progress.advance();
    measure_refinement(*scenes, !options.maps.empty() && !options.quick, report);
    progress.advance();
    if (const auto done = measure_paths(*scenes, options.quick, report, progress); !done) return done.error();
    MeasuredRows rows;
    rows.show("repair_ms", {"p99"});
    rows.show("ms_whole_p99", [](const Measurements& row) { return row.extras.at("ms_whole_mean").quantile(0.99); });
    for (const bool optimised : {false, true}) measure_repair(*scenes, optimised, rows);
    measure_steps(*scenes, rows);
    progress.advance();
    for (const MinimalMemoryScene& scene : *scenes) {
        for (const bool walking : {true, false}) measure_frames(scene, {}, walking, rows);
    }
    measure_frames(scenes->front(), {.trim = true, .smooth = true, .stand_in = true}, true, rows);
    progress.advance();
    report.add(rows.rows());
    report.paper.push_back({"mm", {{"step", "slide 46: about 0.1 ms"}}, {{"ms_mean", 0.1}}});
    std::string names;
    for (const MinimalMemoryScene& scene : *scenes) names += (names.empty() ? "" : ", ") + scene.name;
    report.notes.push_back(fmt::format("Maps, all {0}x{0} cells: ", scenes->front().grid.width()) + names +
                           ". bytes, regions, edges and build_ms are means over the maps; bytes_labels: what labels would add.");
    report.notes.push_back("Pictures: out/mm-regions.png, mm-path.png.");
    return report;
}

}  // namespace terrane
