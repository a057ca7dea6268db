// `terrane bench cpd-build`: build time, size and walking time of path databases on maps of at most 50,000 passable cells, beside figures
// of public implementations on a comparable machine.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "bench/bench.h"
#include "bench/progress.h"
#include "bench/samples.h"
#include "cpd/path_database_data.h"
#include "terrane/base/rng.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/io/map_file.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

namespace cpd_build_bench {
namespace {

constexpr uint64_t kMaxCells = 50'000, kMaxCellsQuick = 8'000;
constexpr size_t kPairs = 2000;
constexpr size_t kCheckedStarts = 20, kCheckedGoals = 50;  // goals per start
constexpr int kPasses = 5;                                 // the best pass counts

struct BuildScene {
    std::string name;
    GridSnapshot grid;
    CostTable costs;
};

uint64_t passable_cells(const BuildScene& scene) {
    uint64_t count = 0;
    for (uint32_t t = 0; t < kOutside; ++t) {
        const auto terrain = static_cast<Terrain>(t);
        if (scene.costs.passable(terrain)) count += scene.grid.count(terrain);
    }
    return count;
}

std::vector<BuildScene> own_scenes(bool quick) {
    std::vector<BuildScene> out;
    const auto add = [&](const char* name, const Result<TerrainGrid>& grid, const Profile& profile) {
        out.push_back({name, grid->snapshot(), profile.compile(grid->snapshot().catalogue()).value()});
    };
    const Profile& walker = *Profile::preset("walker");
    Profile hiker("hiker");
    hiker.blocked("deep_water").cost("road", 1).cost("trees", 2).cost("hills", 3).cost("water", 4).otherwise(1.5);
    const int32_t side = quick ? 64 : 224;
    IslandOptions island;
    island.width = island.height = quick ? 56 : 200;
    add("rooms", generate_rooms({.width = side, .height = side}), walker);
    add("maze", generate_maze({.width = side, .height = side, .seed = 1, .corridor = 2}), walker);
    add("random", generate_random({.width = side, .height = side}), walker);
    add("island", generate_island(island), hiker);
    return out;
}

Result<std::vector<BuildScene>> file_scenes(const BenchOptions& options, Report& report) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(options.folder(), error)) {
        if (entry.path().extension() == ".map") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    std::vector<BuildScene> out;
    size_t larger = 0;
    for (const auto& file : files) {
        const auto grid = load_map(file.string());
        if (!grid) return grid.error();
        const auto costs = Profile::preset("walker")->compile(grid->snapshot().catalogue());
        if (!costs) return costs.error();
        BuildScene scene{file.stem().string(), grid->snapshot(), *costs};
        const uint64_t cells = passable_cells(scene);
        if (cells == 0 || cells > (options.quick ? kMaxCellsQuick : kMaxCells)) {
            ++larger;
        } else {
            out.push_back(std::move(scene));
        }
    }
    if (out.empty()) return Error{ErrorCode::kCannotOpen, options.folder(), 0, "contains no .map files with 1 to 50,000 passable cells"};
    if (larger > 0) report.notes.push_back(fmt::format("Skipped {} maps that are too large or have no passable cell.", larger));
    return out;
}

// Calls visit(cell) after each move along the path; returns the number of moves.
template <class Visit>
uint64_t walk(const PathDatabase& database, CellId from, CellId to, Visit&& visit) {
    const GridLayout& layout = database.grid().layout();
    const PathDatabase::Towards towards = database.towards(to);
    Cell at = layout.cell(from);
    uint64_t moves = 0;
    for (Move move = towards(from); move != kNoMove; move = towards(layout.id(at)), ++moves) {
        at = {at.x + kMoves[move].x, at.y + kMoves[move].y};
        visit(at);
    }
    return moves;
}

Cell random_passable(const BuildScene& scene, Rng& rng) {
    for (;;) {
        const int32_t x = rng.between(0, scene.grid.width() - 1);
        const Cell cell{x, rng.between(0, scene.grid.height() - 1)};
        if (scene.costs.passable(scene.grid.at(cell))) return cell;
    }
}

// Compares the costs of walked paths with Dijkstra's; returns the first difference, or an empty string.
std::string fault(const BuildScene& scene, const PathDatabase& database) {
    Rng rng(3);
    GridSearch search;
    const GridLayout& layout = scene.grid.layout();
    for (size_t s = 0; s < kCheckedStarts; ++s) {
        const Cell start = random_passable(scene, rng);
        search.begin_flood({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, start);
        search.run();
        for (size_t g = 0; g < kCheckedGoals; ++g) {
            const Cell goal = random_passable(scene, rng);
            Cost cost = 0;
            Cell last = start;
            walk(database, layout.id(start), layout.id(goal), [&](Cell at) {
                cost += Ground(scene.grid, scene.costs, Movement::kEightNoCornerCutting).step_cost(last, at);
                last = at;
            });
            const Cost optimal = search.cost_to(goal);
            const bool agrees = optimal == kInfiniteCost ? last == start : last == goal && cost == optimal;
            if (!agrees) return fmt::format("{}: from {},{} to {},{}: not optimal", scene.name, start.x, start.y, goal.x, goal.y);
        }
    }
    return {};
}

// Returns the mean number of segments per block of 8x8 cells. Not for PathEncoding::kSmall.
double mean_segments(const PathDatabase& database) {
    const detail::PathDatabaseData& data = detail::PathDatabaseData::of(database);
    double segments = 0, blocks = 0;
    for (uint32_t b = 0; b < data.blocks.size(); ++b) {
        const std::string_view bytes = data.block(b);
        if (bytes.empty()) continue;
        for (size_t i = 0; i < 4; ++i) segments += static_cast<double>(uint32_t{static_cast<uint8_t>(bytes[i])} << (8 * i));
        ++blocks;
    }
    return segments / blocks;
}

struct WalkTimes {
    double us_path = 0, ns_step = 0, ns_move = 0;
};

// Random pairs that are connected.
WalkTimes time_walks(const BuildScene& scene, const PathDatabase& database) {
    Rng rng(1);
    const GridLayout& layout = scene.grid.layout();
    std::vector<std::pair<CellId, CellId>> pairs;
    pairs.reserve(kPairs);
    for (size_t tries = 0; pairs.size() < kPairs && tries < 100 * kPairs; ++tries) {
        const CellId from = layout.id(random_passable(scene, rng));
        const CellId to = layout.id(random_passable(scene, rng));
        if (database.first_move(from, to) != kNoMove) pairs.emplace_back(from, to);
    }
    if (pairs.empty()) return {};
    uint64_t steps = 0, sum = 0;
    const double walk_ms = best_ms<CpuStopwatch>(kPasses, [&] {
        steps = 0;
        for (const auto& [from, to] : pairs) steps += walk(database, from, to, [&](Cell at) { sum += static_cast<uint64_t>(at.x); });
    });
    const double move_ms = best_ms<CpuStopwatch>(kPasses, [&] {
        for (int i = 0; i < 10; ++i) {
            for (const auto& [from, to] : pairs) sum += database.first_move(from, to);
        }
    });
    const auto n = static_cast<double>(pairs.size());
    const double kept = sum == 0 ? 1e-9 : 0;  // prevents the loops from being optimised away
    return {walk_ms * 1e3 / n + kept, walk_ms * 1e6 / static_cast<double>(steps), move_ms * 1e5 / n};
}

Result<void> measure(const BuildScene& scene, Report& report) {
    struct Setting {
        PathEncoding encoding;
        const char* name;
    };
    for (const Setting& setting :
         {Setting{PathEncoding::kFast, "fast"}, Setting{PathEncoding::kWalk, "walk"}, Setting{PathEncoding::kSmall, "small"}}) {
        PathDatabaseOptions options;
        options.encoding = setting.encoding;
        const CpuStopwatch building;
        const auto plan = PathDatabasePlan::make({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, options);
        if (!plan) return plan.error();
        PathDatabaseBuilder builder(*plan);
        builder.run();
        const auto database = builder.take();
        if (!database) return database.error();
        const double build_ms = building.ms();
        const std::string wrong = fault(scene, *database);
        if (!wrong.empty()) return Error{ErrorCode::kBadValue, {}, 0, wrong};
        const WalkTimes times = time_walks(scene, *database);
        const auto bytes = static_cast<double>(detail::path_image(*database).size());
        Metrics metrics = {{"nodes", database->nodes()},
                           {"build_ms", build_ms},
                           {"bytes", bytes},
                           {"bytes_row", bytes / database->nodes()},
                           {"bytes_memory", static_cast<double>(database->bytes())},
                           {"bytes_estimate", static_cast<double>(plan->estimate().bytes)},
                           {"us_path", times.us_path},
                           {"ns_step", times.ns_step},
                           {"ns_move", times.ns_move}};
        if (setting.encoding != PathEncoding::kSmall) metrics.emplace_back("segments", mean_segments(*database));
        report.rows.push_back({fmt::format("pathdb:{}", setting.name),
                               {{"map", scene.name}, {"order", database->order() == PathOrder::kHilbert ? "hilbert" : "depth first"}},
                               metrics});
    }
    return {};
}

// CPU seconds, megabytes and microseconds per path: the published run-length encoding, a faster builder, the smallest exact encoding.
void add_references(Report& report) {
    struct Reference {
        const char* map;
        double seconds, megabytes, us;
        double faster_seconds;
        double smallest_megabytes, smallest_us;
    };
    constexpr std::array<Reference, 4> kReferences = {{{"arena", 0.8, 0.43, 3.3, 0.34, 0.076, 0.7},
                                                       {"ht_chantry", 11.2, 1.09, 7.1, 5.0, 0.45, 2.7},
                                                       {"lak303d", 35.5, 2.17, 11.2, 18.6, 0.83, 4.9},
                                                       {"brc202d", 618, 7.5, 18.5, 227, 2.23, 12.5}}};
    for (const Reference& r : kReferences) {
        report.paper.push_back(
            {"public run lengths", {{"map", r.map}}, {{"build_ms", r.seconds * 1e3}, {"bytes", r.megabytes * 1e6}, {"us_path", r.us}}});
        report.paper.push_back({"a faster builder", {{"map", r.map}}, {{"build_ms", r.faster_seconds * 1e3}}});
        report.paper.push_back(
            {"the smallest known", {{"map", r.map}}, {{"bytes", r.smallest_megabytes * 1e6}, {"us_path", r.smallest_us}}});
    }
}

}  // namespace
}  // namespace cpd_build_bench

Result<Report> bench_cpd_build(const BenchOptions& options) {
    using namespace cpd_build_bench;
    Report report{"cpd-build", {}, {}};
    auto scenes = options.maps.empty() ? Result(own_scenes(options.quick)) : file_scenes(options, report);
    if (!scenes) return scenes.error();
    Progress progress("path databases", scenes->size());
    for (const BuildScene& scene : *scenes) {
        const auto done = measure(scene, report);
        if (!done) return done.error();
        progress.advance();
    }
    add_references(report);
    report.notes.emplace_back(
        "build_ms: CPU time on one thread, planning included. bytes: file size; bytes_memory: in memory, with the tables that are built "
        "when the file is opened. us_path, ns_step: whole paths between 2,000 random pairs. ns_move: single first moves. segments: per "
        "block of 8x8 cells.");
    report.notes.emplace_back("Before timing, 1,000 walks per database were compared with Dijkstra's costs.");
    return report;
}

}  // namespace terrane
