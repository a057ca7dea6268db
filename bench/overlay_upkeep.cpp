// `terrane bench overlay`: the sections on preparation, memory, repair after edits, scaling, and throughput while the map is edited.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "bench/overlay_bench.h"
#include "bench/scenes.h"
#include "bench/stopwatch.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/overlay/portal_search.h"

namespace terrane {

namespace overlay_upkeep_bench {
namespace {

constexpr const char* kMethods[] = {"overlay:2", "overlay:4"};
constexpr size_t kEdits = 200;
constexpr size_t kAfterEdits = 50;    // problems solved on the edited map
constexpr size_t kScalingSolved = 5;  // problems per size that A* solves
constexpr size_t kScalingProblems = 250;

constexpr uint32_t kFramesPerSecond = 30;
constexpr uint32_t kSectorsPerFrame = 10;  // painted by the writer
constexpr int32_t kPainted = 16;           // cells a side
constexpr uint64_t kCheckedEach = 64;      // one answer in 64 is checked during edits

OverlayOptions overlay_options(const char* method, uint32_t threads = 1) {
    OverlayOptions options;
    options.portals_per_side = static_cast<uint32_t>(std::stoul(std::string(*MethodText(method).head.argument)));
    options.threads = threads;
    return options;
}

std::string threads_text(uint32_t threads) { return threads == 1 ? "1 thread" : fmt::format("{} threads", threads); }

Terrain random_terrain(const GridSnapshot& grid, Rng& rng) {
    std::vector<Terrain> on_map;
    for (uint32_t t = 0; t < grid.catalogue().size(); ++t) {
        if (grid.count(static_cast<Terrain>(t)) > 0) on_map.push_back(static_cast<Terrain>(t));
    }
    return on_map[rng.below(static_cast<uint32_t>(on_map.size()))];
}

// Returns a random square on the map.
Rect random_square(const GridSnapshot& grid, int32_t side, Rng& rng) {
    const int32_t x = rng.between(0, std::max(0, grid.width() - side)), y = rng.between(0, std::max(0, grid.height() - side));
    return {{x, y}, {side, side}};
}

// ---- Edits

// Counts rebuilt clusters that are not uniform.
size_t mixed_clusters(const PortalOverlay& before, const PortalOverlay& after) {
    const detail::OverlayData &was = before.data(), &is = after.data();
    size_t count = 0;
    for (uint32_t c = 0; c < is.cluster_count(); ++c)
        count += is.clusters[c] != was.clusters[c] && is.clusters[c]->uniform_cost == 0 ? 1 : 0;
    return count;
}

struct Brush {
    const char* name;
    int32_t side;
    bool max_cost;  // paints the costliest terrain, so that potentials stay feasible without repair; otherwise a random terrain
};
constexpr Brush kBrushes[] = {
    {"a cell painted", 1, false}, {"32x32 painted, costliest terrain", kClusterStep, true}, {"32x32 painted", kClusterStep, false}};

Terrain costliest_terrain(const GridSnapshot& grid, const CostTable& costs) {
    Terrain best = 0;
    for (uint32_t t = 0; t < grid.catalogue().size(); ++t) {
        const auto terrain = static_cast<Terrain>(t);
        if (grid.count(terrain) > 0 && costs.cost[terrain] > costs.cost[best]) best = terrain;
    }
    return best;
}

// Paints random squares; returns the repaired overlay.
PortalOverlay paint(const OverlayScene& scene, const char* method, const Brush& brush, size_t edits, TerrainGrid& grid, Report& report) {
    PortalOverlay overlay = PortalOverlay::build({grid.snapshot(), scene.costs, Movement::kEightNoCornerCutting}, overlay_options(method));
    Rng rng(11);
    std::vector<double> ms;
    ms.reserve(edits);
    size_t clusters = 0;
    for (size_t i = 0; i < edits; ++i) {
        const Terrain terrain = brush.max_cost ? costliest_terrain(scene.grid, scene.costs) : random_terrain(scene.grid, rng);
        const EditResult edit = grid.fill(random_square(scene.grid, brush.side, rng), terrain);
        const Stopwatch watch;
        auto next = overlay.updated(edit);
        ms.push_back(watch.ms());
        clusters += mixed_clusters(overlay, *next);
        overlay = std::move(*next);
    }
    const double all = mean(ms) * static_cast<double>(edits);
    report.rows.push_back({method,
                           {{"section", "edits"}, {"edit", brush.name}},
                           {{"edits", static_cast<double>(edits)},
                            {"repair_ms", mean(ms)},
                            {"repair_ms_p50", quantile(ms, 0.5)},
                            {"repair_ms_p99", quantile(ms, 0.99)},
                            {"clusters", static_cast<double>(clusters) / static_cast<double>(edits)},
                            {"repair_ms_window", all / static_cast<double>(std::max<size_t>(1, clusters))}}});
    return overlay;
}

// Adds a row on the suboptimality of the first answers, without times.
Result<void> add_quality(const OverlayScene& scene, const char* method, const char* overlay_is, const PortalOverlay& overlay,
                         Report& report) {
    PortalSearch search;
    std::vector<double> ratios;
    double expansions = 0;
    for (size_t i = 0; i < scene.optimal.size(); ++i) {
        search.begin(overlay, scene.queries[i].first, scene.queries[i].second);
        Path path;
        path.status = search.run();
        path.cells = search.cells();
        path.cost = path_cost({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, path.cells);
        path.bound = static_cast<double>(kInfiniteCost);  // PortalSearch proves no bound
        if (const auto checked = scene.check(method, i, path); !checked) return checked.error();
        expansions += static_cast<double>(search.expansions());
        if (path) ratios.push_back(scene.ratio(i, path.cost));
    }
    report.rows.push_back({method,
                           {{"section", "edits"}, {"overlay", overlay_is}},
                           {{"problems", static_cast<double>(scene.optimal.size())},
                            {"percent_mean", 100 * (mean(ratios) - 1)},
                            {"percent_max", 100 * (quantile(ratios, 1) - 1)},
                            {"expansions", expansions / static_cast<double>(scene.optimal.size())}}});
    return {};
}

// ---- Scaling

Result<OverlayScene> island_scene(int32_t side) {
    IslandOptions island;
    island.width = island.height = side;
    const auto grid = generate_island(island);
    if (!grid) return grid.error();
    OverlayScene scene{fmt::format("island {0}x{0}", side), grid->snapshot(), {}, {}};
    scene.costs = drawn_costs(scene.grid.catalogue(), 1).compile(scene.grid.catalogue()).value();
    Rng rng(7);
    for (size_t i = 0; i < kScalingProblems; ++i) {
        const Rect start = random_square(scene.grid, 1, rng), goal = random_square(scene.grid, 1, rng);
        scene.queries.emplace_back(Cell{start.x, start.y}, Cell{goal.x, goal.y});
    }
    scene.solve_optimally(kScalingSolved);
    return scene;
}

Result<ReportRow> scaling_row(const OverlayScene& scene, const char* method, World& world) {
    const Stopwatch watch;
    const auto prepared = prepare_only(world, scene.costs, method);
    const double build_ms = watch.ms();
    FindOptions options;
    options.method = find_method(method).value();
    Planner planner(world);
    Path path;
    std::vector<double> ratios;
    double expansions = 0, astar_ms = 0, solved_ms = 0;
    for (size_t i = 0; i < scene.queries.size(); ++i) {
        planner.find(scene.queries[i].first, scene.queries[i].second, scene.costs, options, path);
        expansions += static_cast<double>(path.expansions);
        if (i >= scene.optimal.size()) continue;
        if (const auto checked = scene.check(method, i, path); !checked) return checked.error();
        ratios.push_back(scene.ratio(i, path.cost));
    }
    std::vector<double> ms = time_all(scene, options, planner);
    for (size_t i = 0; i < scene.optimal.size(); ++i) {
        astar_ms += scene.optimal[i].ms;
        solved_ms += ms[i];
    }
    const auto solved = static_cast<double>(scene.optimal.size());
    return ReportRow{method,
                     {{"section", "scaling"}, {"map", scene.name}},
                     {{"problems", static_cast<double>(scene.queries.size())},
                      {"percent_mean", 100 * (mean(ratios) - 1)},
                      {"expansions", expansions / static_cast<double>(scene.queries.size())},
                      {"ms_mean", mean(ms)},
                      {"ms_p50", quantile(ms, 0.5)},
                      {"ms_p99", quantile(ms, 0.99)},
                      {"ms_astar", astar_ms / solved},
                      {"speedup", astar_ms / solved_ms},
                      {"build_ms", build_ms},
                      {"bytes", static_cast<double>(prepared->bytes())}}};
}

// ---- Throughput

// Threads that run queries, each with its own planner, until stop().
class Readers {
public:
    Readers(const OverlayScene& scene, const World& world, uint32_t threads) : scene_(scene), world_(world) {
        options_.method = find_method("overlay:2").value();
        threads_.reserve(threads);
        for (uint32_t i = 0; i < threads; ++i) threads_.emplace_back([this, i] { ask(i); });
        while (ready_ < threads) std::this_thread::yield();
        go_ = true;
    }
    // Returns the number of answers; call wrong() after it.
    uint64_t stop() {
        stop_ = true;
        for (std::thread& t : threads_) t.join();
        return answered_;
    }
    uint64_t wrong() const { return wrong_; }

private:
    void ask(uint32_t number) {
        Planner planner(world_);
        Path path;
        const auto solve = [&](size_t i) {
            const auto& [start, goal] = scene_.queries[i % scene_.queries.size()];
            planner.find(start, goal, scene_.costs, options_, path);
        };
        for (size_t i = 0; i < scene_.queries.size(); ++i) solve(i);
        ++ready_;
        while (!go_) std::this_thread::yield();
        uint64_t done = 0;
        for (size_t i = number * scene_.queries.size() / 2; !stop_; ++i) {
            solve(i);
            ++done;
            if (done % kCheckedEach != 0) continue;
            const GridSnapshot& grid = planner.snapshot().grid();
            if (path.cost == kInfiniteCost || path_cost({grid, scene_.costs, Movement::kEightNoCornerCutting}, path.cells) != path.cost)
                ++wrong_;
        }
        answered_ += done;
    }

    const OverlayScene& scene_;
    const World& world_;
    FindOptions options_;
    std::atomic<uint32_t> ready_ = 0;
    std::atomic<bool> go_ = false, stop_ = false;
    std::atomic<uint64_t> answered_ = 0, wrong_ = 0;
    std::vector<std::thread> threads_;
};

std::vector<CellEdit> frame_edits(const GridSnapshot& grid, Rng& rng) {
    std::vector<CellEdit> batch;
    batch.reserve(size_t{kSectorsPerFrame} * kPainted * kPainted);
    for (uint32_t i = 0; i < kSectorsPerFrame; ++i) {
        const Terrain terrain = random_terrain(grid, rng);
        const Rect square = random_square(grid, kPainted, rng);
        for (int32_t n = 0; n < kPainted * kPainted; ++n)
            batch.push_back({{square.x + n % kPainted, square.y + n / kPainted}, terrain});
    }
    return batch;
}

// Edits at the beginning of each frame, on this thread. Returns the milliseconds of each edit.
std::vector<double> run_frames(World& world, const GridSnapshot& map, uint32_t frames, bool edits) {
    using Clock = std::chrono::steady_clock;
    Rng rng(13);
    std::vector<double> ms;
    ms.reserve(frames);
    const auto start = Clock::now();
    for (uint32_t f = 1; f <= frames; ++f) {
        if (edits) {
            const std::vector<CellEdit> batch = frame_edits(map, rng);
            const Stopwatch watch;
            static_cast<void>(world.apply(batch));
            ms.push_back(watch.ms());
        }
        std::this_thread::sleep_until(start + std::chrono::microseconds(uint64_t{f} * 1000000 / kFramesPerSecond));
    }
    return ms;
}

Result<ReportRow> throughput_row(const OverlayScene& scene, uint32_t threads, bool edits, uint32_t frames) {
    World world(editable(scene.grid));
    prepare_only(world, scene.costs, "overlay:2");
    Readers readers(scene, world, threads);
    const Stopwatch watch;
    std::vector<double> ms = run_frames(world, scene.grid, frames, edits);
    const double seconds = watch.ms() / 1000;
    const auto answered = static_cast<double>(readers.stop());
    if (readers.wrong() > 0) return Error{ErrorCode::kBadValue, scene.name, 0, "overlay:2: wrong path while the map was edited"};
    nlohmann::ordered_json what = {{"section", "throughput"}, {"threads", threads_text(threads)}};
    if (edits) what["writer"] = fmt::format("{} sectors edited a frame", kSectorsPerFrame);
    ReportRow row{"overlay:2", std::move(what), {{"queries_per_second", answered / seconds}}};
    if (!edits) return row;
    row.metrics.emplace_back("frames", static_cast<double>(frames));
    row.metrics.emplace_back("frame_ms_mean", mean(ms));
    row.metrics.emplace_back("frame_ms_p99", quantile(ms, 0.99));
    row.metrics.emplace_back("frame_ms_max", quantile(ms, 1));
    return row;
}

}  // namespace
}  // namespace overlay_upkeep_bench

void measure_preparing(const OverlayScene& scene, uint32_t lower_bounds, Report& report, Progress& progress) {
    using namespace overlay_upkeep_bench;
    const auto add = [&](const char* method, uint32_t threads, const std::string& what, auto&& build) {
        const Stopwatch watch;
        const auto made = build();
        const double ms = watch.ms();
        report.rows.push_back({method,
                               {{"section", "preparing"}, {"threads", threads_text(threads)}, {"what", what}},
                               {{"build_ms", ms}, {"bytes", static_cast<double>(made.bytes())}}});
        progress.advance();
    };
    for (const uint32_t threads : {1u, 2u}) {
        for (const char* method : kMethods) {
            add(method, threads, "overlay", [&] {
                return PortalOverlay::build({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, overlay_options(method, threads));
            });
        }
        add("overlay:2", threads, fmt::format("{} lower_bounds", lower_bounds), [&] {
            return LowerBoundTable::build({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, {lower_bounds, threads});
        });
    }
}

// From no first-move tables to all of them.
void measure_memory(const OverlayScene& scene, Report& report, Progress& progress) {
    using namespace overlay_upkeep_bench;
    World world(editable(scene.grid));
    for (const char* method : kMethods) {
        const auto all = prepare_only(world, scene.costs, method, 0, SIZE_MAX / 2);
        const PortalOverlay& overlay = all->as<PreparedOverlay>()->overlay;
        const size_t tables = overlay.table_bytes(), first_moves = overlay.bytes() - tables;
        FindOptions options;
        options.method = find_method(method).value();
        for (const size_t quarters : {0u, 1u, 2u, 3u, 4u}) {
            const auto kept = prepare_only(world, scene.costs, method, 0, tables + first_moves * quarters / 4);
            Planner planner(world);
            time_all(scene, options, planner);
            std::vector<double> ms = time_all(scene, options, planner);
            report.rows.push_back({method,
                                   {{"section", "memory"}, {"first_moves", fmt::format("{}% of the first-move tables", quarters * 25)}},
                                   {{"problems", static_cast<double>(scene.queries.size())},
                                    {"ms_mean", mean(ms)},
                                    {"ms_p50", quantile(ms, 0.5)},
                                    {"ms_p99", quantile(ms, 0.99)},
                                    {"bytes", static_cast<double>(kept->bytes())}}});
            progress.advance();
        }
    }
}

Result<void> measure_edits(const OverlayScene& scene, bool quick, Report& report, Progress& progress) {
    using namespace overlay_upkeep_bench;
    const size_t edits = quick ? kEdits / 10 : kEdits;
    OverlayScene edited = scene;
    edited.optimal.clear();
    for (const char* method : kMethods) {
        std::optional<PortalOverlay> overlay;  // after the last brush's edits
        for (const Brush& brush : kBrushes) {
            TerrainGrid grid = editable(scene.grid);
            overlay = paint(scene, method, brush, edits, grid, report);
            edited.grid = grid.snapshot();
            progress.advance();
        }
        if (edited.optimal.empty()) edited.solve_optimally(kAfterEdits);
        const PortalOverlay rebuilt =
            PortalOverlay::build({edited.grid, scene.costs, Movement::kEightNoCornerCutting}, overlay_options(method));
        const std::string after = fmt::format("after {} edits", edits);
        if (const auto added = add_quality(edited, method, after.c_str(), *overlay, report); !added) return added.error();
        if (const auto added = add_quality(edited, method, "rebuilt", rebuilt, report); !added) return added.error();
    }
    return {};
}

uint64_t scaling_steps(int32_t least, int32_t most) {
    using namespace overlay_upkeep_bench;
    uint64_t steps = 0;
    for (int64_t side = least; side <= most; side *= 2) steps += 1 + std::size(kMethods);
    return steps;
}

Result<void> measure_scaling(int32_t least, int32_t most, Report& report, Progress& progress) {
    using namespace overlay_upkeep_bench;
    for (int32_t side = least; side <= most; side *= 2) {
        const auto scene = island_scene(side);
        if (!scene) return scene.error();
        progress.advance();
        World world(editable(scene->grid));
        for (const char* method : kMethods) {
            auto row = scaling_row(*scene, method, world);
            if (!row) return row.error();
            report.rows.push_back(std::move(*row));
            progress.advance();
        }
    }
    return {};
}

Result<void> measure_throughput(const OverlayScene& scene, bool quick, Report& report, Progress& progress) {
    using namespace overlay_upkeep_bench;
    for (const bool edits : {false, true}) {
        for (const uint32_t threads : {1u, 2u}) {
            auto row = throughput_row(scene, threads, edits, quick ? 10 : 90);
            if (!row) return row.error();
            report.rows.push_back(std::move(*row));
            progress.advance();
        }
    }
    return {};
}

}  // namespace terrane
