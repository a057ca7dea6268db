// `terrane bench distances`: time, expansions and suboptimality by the distance between start and goal. Most queries of a game are short;
// benchmark scenarios are mostly long.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "bench/bench.h"
#include "bench/grid_contest.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

namespace distances_bench {
namespace {

constexpr int32_t kNearest = 2, kFarthest = 2048;  // cells; each bucket ends at twice its beginning
constexpr size_t kPairs = 200;                     // per bucket and map, up to kFar
constexpr int32_t kFar = 128;                      // cells; from here on A* takes milliseconds, so there are fewer pairs
constexpr size_t kFarPairs = 40;
constexpr size_t kMaps = 3;       // the largest maps of each folder
constexpr size_t kBaseline = 60;  // problems per map for baseline A*, which takes a second for long ones
constexpr int kTries = 20000;     // for one pair

std::vector<GridContender> contenders() {
    return {{"astar"}, {.method = kBaselineMethod, .sample = kBaseline}, {"regions:16"}, {"dta:16+smooth"}, {"overlay:2"}, {"overlay:3"}};
}

std::string bucket_of(const std::pair<Cell, Cell>& query) {
    const double distance = std::hypot(query.first.x - query.second.x, query.first.y - query.second.y);
    int32_t low = kNearest;
    while (2 * low <= distance) low *= 2;
    return fmt::format("{}-{}", low, 2 * low);
}

// Adds random connected pairs at a distance of `low` to below 2 * low cells; fewer if the map has few.
void add_pairs(int32_t low, size_t count, const World& world, Rng& rng, BenchScene& scene) {
    const WorldSnapshot now = world.snapshot();
    const TerrainRegions& regions = now.all_regions()[0];
    const ConnectedComponents components = now.components(now.ground(scene.costs, scene.movement));
    const Rect map = scene.grid.layout().rect();
    const auto cell = [&] {
        const int32_t x = rng.between(0, scene.grid.width() - 1);
        return Cell{x, rng.between(0, scene.grid.height() - 1)};
    };
    for (size_t made = 0; made < count; ++made) {
        bool found = false;
        for (int tries = 0; tries < kTries && !found; ++tries) {
            const Cell start = cell();
            const Cell goal{start.x + rng.between(1 - 2 * low, 2 * low - 1), start.y + rng.between(1 - 2 * low, 2 * low - 1)};
            const double distance = std::hypot(start.x - goal.x, start.y - goal.y);
            found = distance >= low && distance < 2 * low && map.contains(goal) &&
                    components.connected(regions.region_of(start), regions.region_of(goal));
            if (found) scene.queries.emplace_back(start, goal);
        }
        if (!found) return;
    }
}

void draw_queries(const BenchOptions& options, BenchScene& scene) {
    scene.queries.clear();
    scene.published.clear();
    scene.group = [&queries = scene.queries](size_t problem, const Answer&) {
        return nlohmann::ordered_json{{"distance", bucket_of(queries[problem])}};
    };
    const World world(editable(scene.grid));
    Rng rng(17);
    const int32_t longest = std::max(scene.grid.width(), scene.grid.height());
    for (int32_t low = kNearest; low < kFarthest && low < longest; low *= 2)
        add_pairs(low, options.quick ? 5 : low < kFar ? kPairs : kFarPairs, world, rng, scene);
}

Result<BenchScene> generated(const char* name, const Result<TerrainGrid>& grid, const Profile& profile) {
    if (!grid) return grid.error();
    BenchScene scene{name, grid->snapshot(), profile.compile(grid->snapshot().catalogue()).value()};
    scene.label = {{"map", fmt::format("{} {}x{}", name, grid->width(), grid->height())}};
    return scene;
}

// Weighted terrain, and rooms and random obstacles of one cost.
Result<std::vector<BenchScene>> generated_scenes(bool quick) {
    const int32_t island = quick ? 256 : 2048, side = quick ? 128 : 512;
    const Profile& walker = *Profile::preset("walker");
    std::vector<BenchScene> out;
    for (auto& scene : {generated("island", generate_island({.width = island, .height = island}), drawn_costs(Catalogue::standard(), 1)),
                        generated("rooms", generate_rooms({.width = side, .height = side}), walker),
                        generated("random obstacles", generate_random({.width = side, .height = side, .density = 10}), walker)}) {
        if (!scene) return scene.error();
        out.push_back(*scene);
    }
    return out;
}

// The largest maps of each folder; rows are means over them.
Result<std::vector<BenchScene>> given_scenes(const BenchOptions& options) {
    std::vector<BenchScene> out;
    for (const std::string& folder : options.maps) {
        BenchOptions one = options;
        one.maps = {folder};
        auto scenes = bench_scenes(one, 1, options.quick ? 1 : kMaps);
        if (!scenes) return scenes.error();
        const std::string name = std::filesystem::weakly_canonical(folder).filename().string();
        for (BenchScene& scene : *scenes) {
            scene.costs = scene.published_costs.value_or(scene.costs);
            scene.label = {{"map", scenes->size() == 1 ? scene.name : fmt::format("{} of {}", scenes->size(), name)}};
            out.push_back(std::move(scene));
        }
    }
    return out;
}

}  // namespace
}  // namespace distances_bench

Result<Report> bench_distances(const BenchOptions& options) {
    using namespace distances_bench;
    auto scenes = options.maps.empty() ? generated_scenes(options.quick) : given_scenes(options);
    if (!scenes) return scenes.error();
    Contest contest;
    Progress progress("distances", scenes->size() * (contenders().size() + options.peers.size()));
    Report report{"distances"};
    std::string names;
    for (BenchScene& scene : *scenes) {
        draw_queries(options, scene);
        if (const auto done = run_on_grid(contest, scene, contenders(), progress, options.peers); !done) return done.error();
        names += (names.empty() ? "" : ", ") + scene.name;
    }
    report.add(contest.rows());
    report.notes = {
        "Maps: " + names + ".",
        "distance: cells between start and goal in a straight line, from the first number to below the second. Random connected pairs.\n"
        "ratio: cost over that of astar. speedup: over astar; speedup_baseline: over an A* with std::priority_queue and\n"
        "std::unordered_map, on its sample of the problems. build_ms, bytes: preparation of the method for the profile."};
    return report;
}

}  // namespace terrane
