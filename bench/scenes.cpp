#include "bench/scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "terrane/map_file.h"
#include "terrane/mapgen.h"
#include "terrane/rng.h"
#include "terrane/scenario.h"

namespace terrane {

namespace {

Result<BenchScene> island_scene(const BenchOptions& options) {
    IslandOptions island;
    island.width = island.height = options.quick ? 512 : 2048;
    const auto grid = generate_island(island);
    if (!grid) return grid.error();
    BenchScene scene{fmt::format("island {0}x{0} seed {1}", island.width, island.seed), grid->snapshot(), {}, {}};
    scene.costs = drawn_costs(scene.grid.catalogue(), 1).compile(scene.grid.catalogue()).value();
    Rng rng(7);
    const auto cell = [&] { return Cell{rng.between(0, island.width - 1), rng.between(0, island.height - 1)}; };
    for (int i = 0; i < (options.quick ? 5 : 20); ++i) {
        const Cell start = cell();
        scene.queries.emplace_back(start, cell());
    }
    return scene;
}

Result<BenchScene> file_scene(const std::filesystem::path& file, const BenchOptions& options) {
    const auto grid = load_map(file.string());
    if (!grid) return grid.error();
    const auto scenario = load_scenario(file.string() + ".scen");
    if (!scenario) return scenario.error();
    BenchScene scene{file.filename().string(), grid->snapshot(), {}, {}};
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

}  // namespace

Profile drawn_costs(const Catalogue& catalogue, uint64_t seed, uint32_t dearest) {
    Rng rng(seed);
    Profile profile(fmt::format("drawn from seed {}", seed));
    for (const TerrainType& type : catalogue.types()) profile.rule(type.name, 100 + (dearest - 1) * 100 * rng.below(16) / 15);
    return profile;
}

Result<std::vector<BenchScene>> bench_scenes(const BenchOptions& options) {
    std::vector<BenchScene> out;
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

}  // namespace terrane
