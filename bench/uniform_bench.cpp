// `terrane bench uniform`: jump point search and canonical ordering against A* on maps whose passable terrains all cost the same, by family
// of maps.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "bench/grid_contest.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

namespace uniform_bench {
namespace {

namespace fs = std::filesystem;

constexpr size_t kProblems = 50;  // per map

// The folders of maps: those given, or the folders inside them if they have no maps of their own.
std::vector<std::string> families(const std::vector<std::string>& given) {
    std::vector<std::string> out;
    for (const std::string& folder : given) {
        if (map_files(folder)) {
            out.push_back(folder);
            continue;
        }
        std::error_code error;
        const size_t first = out.size();
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
            if (entry.is_directory(error)) out.push_back(entry.path().string());
        }
        std::sort(out.begin() + static_cast<ptrdiff_t>(first), out.end());
        if (out.size() == first) out.push_back(folder);  // whose error is reported
    }
    return out;
}

Result<std::vector<BenchScene>> given_scenes(const BenchOptions& options) {
    std::vector<BenchScene> out;
    for (const std::string& folder : families(options.maps)) {
        BenchOptions one = options;
        one.maps = {folder};
        auto scenes = bench_scenes(one, kProblems, options.quick ? 1 : SIZE_MAX);
        if (!scenes) return scenes.error();
        for (BenchScene& scene : *scenes) {
            scene.costs = Profile::preset("walker")->compile(scene.grid.catalogue()).value();
            scene.label = {{"maps", fs::weakly_canonical(folder).filename().string()}};
            out.push_back(std::move(scene));
        }
    }
    return out;
}

Result<BenchScene> generated(const char* name, const Result<TerrainGrid>& grid, size_t problems) {
    if (!grid) return grid.error();
    BenchScene scene{name, grid->snapshot(), Profile::preset("walker")->compile(grid->snapshot().catalogue()).value()};
    scene.label = {{"maps", name}};
    Rng rng(23);
    const auto cell = [&] {
        const int32_t x = rng.between(0, scene.grid.width() - 1);
        return Cell{x, rng.between(0, scene.grid.height() - 1)};
    };
    while (scene.queries.size() < problems) {
        const Cell start = cell(), goal = cell();
        if (scene.costs.passable(scene.grid.at(start)) && scene.costs.passable(scene.grid.at(goal)))
            scene.queries.emplace_back(start, goal);
    }
    return scene;
}

Result<std::vector<BenchScene>> generated_scenes(bool quick) {
    const int32_t side = quick ? 128 : 512;
    const size_t problems = quick ? 5 : kProblems;
    std::vector<BenchScene> out;
    for (auto& scene : {generated("rooms of 16", generate_rooms({.width = side, .height = side, .room = 16}), problems),
                        generated("maze of 8", generate_maze({.width = side, .height = side, .corridor = 8}), problems),
                        generated("maze of 1", generate_maze({.width = side, .height = side, .corridor = 1}), problems),
                        generated("random 20%", generate_random({.width = side, .height = side, .density = 20}), problems)}) {
        if (!scene) return scene.error();
        out.push_back(*scene);
    }
    return out;
}

}  // namespace
}  // namespace uniform_bench

Result<Report> bench_uniform(const BenchOptions& options) {
    using namespace uniform_bench;
    const auto scenes = options.maps.empty() ? generated_scenes(options.quick) : given_scenes(options);
    if (!scenes) return scenes.error();
    const std::vector<GridContender> contenders = {{"astar"}, {"canonical"}, {"jps"}, {"jpsw"}};
    Contest contest;
    Progress progress("uniform", scenes->size() * (contenders.size() + options.peers.size()));
    for (const BenchScene& scene : *scenes) {
        if (const auto done = run_on_grid(contest, scene, contenders, progress, options.peers); !done) return done.error();
    }
    Report report{"uniform"};
    report.add(contest.rows());
    report.notes = {
        "Means over all maps of each family. ratio: cost over that of astar. speedup: over astar. After the first query of\n"
        "a planner, jps has the bits of passable cells, jpsw those of mixed cells."};
    return report;
}

}  // namespace terrane
