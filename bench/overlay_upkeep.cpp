// `terrane bench overlay`: the sections on preparation, repair after edits, scaling, and throughput while the map is edited.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <thread>

#include "bench/overlay_bench.h"
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
    bool max_cost;  // paints the costliest terrain, otherwise a random one
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
PortalOverlay paint(const BenchScene& scene, const char* method, const Brush& brush, size_t edits, TerrainGrid& grid, Measurements& row) {
    PortalOverlay overlay = PortalOverlay::build({grid.snapshot(), scene.costs, scene.movement}, overlay_options(method));
    Rng rng(11);
    for (size_t i = 0; i < edits; ++i) {
        const Terrain terrain = brush.max_cost ? costliest_terrain(scene.grid, scene.costs) : random_terrain(scene.grid, rng);
        const EditResult edit = grid.fill(random_square(scene.grid, brush.side, rng), terrain);
        auto next = timed(row.repair_ms, [&] { return overlay.updated(edit); });
        row["clusters"].add(static_cast<double>(mixed_clusters(overlay, *next)));
        overlay = std::move(*next);
    }
    row["edits"].add(static_cast<double>(edits));
    return overlay;
}

// Searches an overlay directly: the suboptimality of the first answers.
Contender overlay_contender(const BenchScene& scene, const char* method, const std::string& is, const PortalOverlay& overlay) {
    const auto open = [&scene, &overlay]() -> Result<Opened> {
        const auto search = std::make_shared<PortalSearch>();
        const auto path = std::make_shared<Path>();
        return Opened{make_runner(
            [&scene, &overlay, search, path](size_t problem, Lap&) {
                search->begin(overlay, scene.queries[problem].first, scene.queries[problem].second);
                path->status = search->run();
                path->cells = search->cells();
            },
            [&scene, search, path](size_t problem, NamedSamples&) {
                path->cost = path_cost({scene.grid, scene.costs, scene.movement}, path->cells);
                path->expansions = search->expansions();
                path->bound = static_cast<double>(kInfiniteCost);  // PortalSearch proves no bound
                return checked_answer(scene, problem, *path);
            })};
    };
    return {.method = method, .label = {{"overlay", is}}, .open = open};
}

// ---- Scaling

Result<BenchScene> island_scene(int32_t side) {
    IslandOptions island;
    island.width = island.height = side;
    const auto grid = generate_island(island);
    if (!grid) return grid.error();
    BenchScene scene{fmt::format("island {0}x{0}", side), grid->snapshot(), {}, {}};
    scene.costs = drawn_costs(scene.grid.catalogue(), 1).compile(scene.grid.catalogue()).value();
    scene.label = {{"section", "scaling"}, {"map", scene.name}};
    Rng rng(7);
    for (size_t i = 0; i < kScalingProblems; ++i) {
        const Rect start = random_square(scene.grid, 1, rng), goal = random_square(scene.grid, 1, rng);
        scene.queries.emplace_back(Cell{start.x, start.y}, Cell{goal.x, goal.y});
    }
    return scene;
}

// ---- Throughput

// Threads that run queries, each with its own planner, until stop().
class Readers {
public:
    Readers(const BenchScene& scene, const World& world, uint32_t threads) : scene_(scene), world_(world) {
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
            if (path.cost == kInfiniteCost || path_cost({grid, scene_.costs, scene_.movement}, path.cells) != path.cost) ++wrong_;
        }
        answered_ += done;
    }

    const BenchScene& scene_;
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
        for (int32_t n = 0; n < kPainted * kPainted; ++n) batch.push_back({{square.x + n % kPainted, square.y + n / kPainted}, terrain});
    }
    return batch;
}

// Edits at the beginning of each frame, on this thread. Returns the milliseconds of each edit.
Samples run_frames(World& world, const GridSnapshot& map, uint32_t frames, bool edits) {
    using Clock = std::chrono::steady_clock;
    Rng rng(13);
    Samples ms;
    const auto start = Clock::now();
    for (uint32_t f = 1; f <= frames; ++f) {
        if (edits) {
            const std::vector<CellEdit> batch = frame_edits(map, rng);
            timed(ms, [&] { static_cast<void>(world.apply(batch)); });
        }
        std::this_thread::sleep_until(start + std::chrono::microseconds(uint64_t{f} * 1000000 / kFramesPerSecond));
    }
    return ms;
}

Result<void> add_throughput(const BenchScene& scene, uint32_t threads, bool edits, uint32_t frames, MeasuredRows& rows) {
    World world(editable(scene.grid));
    if (const auto prepared = prepare_only(world, scene.costs, find_method("overlay:2").value()); !prepared) return prepared.error();
    nlohmann::ordered_json what = {{"section", "throughput"}, {"threads", threads_text(threads)}};
    if (edits) what["writer"] = fmt::format("{} sectors edited a frame", kSectorsPerFrame);
    Measurements& row = rows.at("overlay:2", what);
    Readers readers(scene, world, threads);
    const Stopwatch watch;
    const Samples ms = run_frames(world, scene.grid, frames, edits);
    const double seconds = watch.ms() / 1000;
    row["queries_per_second"].add(static_cast<double>(readers.stop()) / seconds);
    if (readers.wrong() > 0) return Error{ErrorCode::kBadValue, scene.name, 0, "overlay:2: wrong path while the map was edited"};
    if (!edits) return {};
    row["frames"].add(frames);
    row["frame_ms"] = ms;
    return {};
}

}  // namespace
}  // namespace overlay_upkeep_bench

void measure_preparing(const BenchScene& scene, uint32_t lower_bounds, Report& report, Progress& progress) {
    using namespace overlay_upkeep_bench;
    MeasuredRows rows;
    const Ground ground{scene.grid, scene.costs, scene.movement};
    const auto add = [&](const char* method, uint32_t threads, const std::string& what, auto&& build) {
        Measurements& row = rows.at(method, {{"section", "preparing"}, {"threads", threads_text(threads)}, {"what", what}});
        row.bytes.add(static_cast<double>(timed(row.build_ms, build).bytes()));
        progress.advance();
    };
    for (const uint32_t threads : {1u, 2u}) {
        for (const char* method : kMethods)
            add(method, threads, "overlay", [&] { return PortalOverlay::build(ground, overlay_options(method, threads)); });
        add("overlay:2", threads, fmt::format("{} lower_bounds", lower_bounds), [&] {
            return LowerBoundTable::build(ground, {lower_bounds, threads});
        });
    }
    report.add(rows.rows());
}

Result<void> measure_edits(const BenchScene& scene, bool quick, Report& report, Progress& progress) {
    using namespace overlay_upkeep_bench;
    const size_t edits = quick ? kEdits / 10 : kEdits;
    MeasuredRows rows;
    rows.show("repair_ms", {"p50", "p99"});
    rows.show("repair_ms_cluster", [](const Measurements& row) { return row.repair_ms.sum() / row.extras.at("clusters").sum(); });
    BenchScene edited = scene;
    edited.label = {{"section", "edits"}};
    edited.queries.resize(std::min(edited.queries.size(), kAfterEdits));
    std::deque<PortalOverlay> overlays;  // of each method: repaired after the last brush's edits, which are the same for all, and rebuilt
    std::vector<Contender> contenders{search_contender(edited, "astar")};
    for (const char* method : kMethods) {
        for (const Brush& brush : kBrushes) {
            TerrainGrid grid = editable(scene.grid);
            PortalOverlay overlay = paint(scene, method, brush, edits, grid, rows.at(method, {{"section", "edits"}, {"edit", brush.name}}));
            edited.grid = grid.snapshot();
            if (&brush == &kBrushes[std::size(kBrushes) - 1]) overlays.push_back(std::move(overlay));
            progress.advance();
        }
        contenders.push_back(overlay_contender(edited, method, fmt::format("after {} edits", edits), overlays.back()));
        overlays.push_back(PortalOverlay::build({edited.grid, scene.costs, scene.movement}, overlay_options(method)));
        contenders.push_back(overlay_contender(edited, method, "rebuilt", overlays.back()));
    }
    report.add(rows.rows());
    Contest contest({.passes = kOverlayPasses});
    if (const auto done = contest.run(contest_scene(edited), contenders, [&] { progress.advance(); }); !done) return done;
    report.add(contest.rows());
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
    Contest contest({.passes = kOverlayPasses});
    std::vector<GridContender> contenders{{.method = "astar", .sample = kScalingSolved}};
    for (const char* method : kMethods) contenders.push_back({.method = method});
    for (int32_t side = least; side <= most; side *= 2) {
        const auto scene = island_scene(side);
        if (!scene) return scene.error();
        if (const auto done = run_on_grid(contest, *scene, contenders, progress); !done) return done;
    }
    report.add(contest.rows());
    return {};
}

Result<void> measure_throughput(const BenchScene& scene, bool quick, Report& report, Progress& progress) {
    using namespace overlay_upkeep_bench;
    MeasuredRows rows;
    rows.show("frame_ms", {"p99", "max"});
    for (const bool edits : {false, true}) {
        for (const uint32_t threads : {1u, 2u}) {
            if (const auto done = add_throughput(scene, threads, edits, quick ? 10 : 90, rows); !done) return done;
            progress.advance();
        }
    }
    report.add(rows.rows());
    return {};
}

}  // namespace terrane
