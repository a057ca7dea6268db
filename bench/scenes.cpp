#include "bench/scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "terrane/base/rng.h"
#include "terrane/io/map_file.h"
#include "terrane/io/scenario.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

namespace {

Result<BenchScene> island_scene(const BenchOptions& options, size_t problems) {
    IslandOptions island;
    island.width = island.height = options.quick ? 512 : 2048;
    const auto grid = generate_island(island);
    if (!grid) return grid.error();
    BenchScene scene{fmt::format("island {0}x{0} seed {1}", island.width, island.seed), grid->snapshot(), {}, {}, {}, {}};
    scene.costs = drawn_costs(scene.grid.catalogue(), 1).compile(scene.grid.catalogue()).value();
    Rng rng(7);
    const auto cell = [&] { return Cell{rng.between(0, island.width - 1), rng.between(0, island.height - 1)}; };
    for (size_t i = 0; i < problems; ++i) {
        const Cell start = cell();
        scene.queries.emplace_back(start, cell());
    }
    return scene;
}

// `published`: the profile of the folder's scenarios, if the folder states it.
Result<BenchScene> file_scene(const std::filesystem::path& file, const std::optional<Profile>& published, size_t problems) {
    const auto grid = load_map(file.string());
    if (!grid) return grid.error();
    const auto scenario = load_scenario(file.string() + ".scen");
    if (!scenario) return scenario.error();
    BenchScene scene{file.filename().string(), grid->snapshot(), {}, {}, {}, {}};
    const bool octile = scene.grid.catalogue() == Catalogue::octile();
    const Profile profile = octile ? *Profile::preset("walker") : drawn_costs(scene.grid.catalogue(), 1);
    scene.costs = profile.compile(scene.grid.catalogue()).value();
    if (published) {
        const auto costs = published->compile(scene.grid.catalogue());
        if (!costs) return costs.error();
        scene.published_costs = *costs;
    }
    const size_t take = std::min<size_t>(scenario->problems.size(), problems);
    for (size_t i = 0; i < take; ++i) {  // spread over the file: published problems are sorted by length
        const Problem& p = scenario->problems[i * scenario->problems.size() / take];
        scene.queries.emplace_back(p.start, p.goal);
        if (published) scene.published.push_back(p.length);
    }
    return scene;
}

Result<std::optional<Profile>> published_profile(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "scen-costs.csv";
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return std::optional<Profile>();
    auto profile = load_profile(file.string());
    if (!profile) return profile.error();
    return std::optional<Profile>(std::move(*profile));
}

}  // namespace

Profile drawn_costs(const Catalogue& catalogue, uint64_t seed, uint32_t max_cost) {
    Rng rng(seed);
    Profile profile(fmt::format("drawn from seed {}", seed));
    for (const TerrainType& type : catalogue.types()) profile.rule(type.name, 100 + (max_cost - 1) * 100 * rng.below(16) / 15);
    return profile;
}

TerrainGrid editable(const GridSnapshot& grid) { return {grid.width(), grid.height(), grid.cells(), grid.catalogue()}; }

Result<std::vector<std::filesystem::path>> map_files(const std::string& folder, size_t largest) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".map") files.push_back(entry.path());
    }
    if (files.empty()) return Error{ErrorCode::kCannotOpen, folder, 0, "contains no .map files"};
    if (files.size() > largest) {
        const auto largest_first = [&error](const auto& file) {
            return std::pair(~std::filesystem::file_size(file, error), file.string());
        };
        std::ranges::sort(files, {}, largest_first);
        files.resize(largest);
    }
    std::ranges::sort(files);
    return files;
}

Result<std::vector<BenchScene>> bench_scenes(const BenchOptions& options, size_t problems, size_t largest) {
    if (options.quick) problems = 5;
    std::vector<BenchScene> out;
    if (options.maps.empty()) {
        auto scene = island_scene(options, problems);
        if (!scene) return scene.error();
        out.push_back(std::move(*scene));
        return out;
    }
    for (const std::string& folder : options.maps) {
        const auto published = published_profile(folder);
        if (!published) return published.error();
        const auto files = map_files(folder, largest);
        if (!files) return files.error();
        for (const auto& file : *files) {
            auto scene = file_scene(file, *published, problems);
            if (!scene) return scene.error();
            out.push_back(std::move(*scene));
        }
    }
    return out;
}

}  // namespace terrane
