#include "bench/cpd_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <tuple>

#include "bench/progress.h"
#include "bench/scenes.h"
#include "terrane/base/rng.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/io/map_file.h"
#include "terrane/io/scenario.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

namespace {

namespace fs = std::filesystem;

constexpr uint32_t kMinCells = 2000;   // passable cells, for maps of a folder
constexpr size_t kLargestRadius = 15;  // of an obstacle, as in the paper
constexpr size_t kStepsPerRadius = 16;

// ---- Maps

uint32_t passable_cells(const GridSnapshot& grid, const CostTable& costs) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < grid.catalogue().size(); ++t) {
        if (costs.passable(static_cast<Terrain>(t))) count += grid.count(static_cast<Terrain>(t));
    }
    return count;
}

TerrainGrid middle_of(const GridSnapshot& grid, int32_t side) {
    const int32_t width = std::min(side, grid.width()), height = std::min(side, grid.height());
    std::vector<Terrain> cells(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (int32_t y = 0; y < height; ++y) {
        const Cell first{(grid.width() - width) / 2, (grid.height() - height) / 2 + y};
        grid.copy_row(first, static_cast<uint32_t>(width), cells.data() + static_cast<size_t>(y) * static_cast<size_t>(width));
    }
    return {width, height, cells, grid.catalogue()};
}

// Starts at random cells; path lengths are evenly distributed, as in published scenarios.
void add_random_problems(CpdScene& scene, size_t count) {
    Rng rng(17);
    ChangedMap map({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, true);
    std::vector<std::pair<uint64_t, Cell>> reached;
    scene.problems.reserve(count);
    while (scene.problems.size() < count) {
        const int32_t x = rng.between(0, scene.grid.width() - 1);
        const Cell start{x, rng.between(0, scene.grid.height() - 1)};
        map.flood(start);
        reached.clear();
        for (int32_t i = 0; i < map.width() * map.height(); ++i) {
            const Cell goal{i % map.width(), i / map.width()};
            if (goal != start && map.cost_to(goal) != kNoPath) reached.emplace_back(map.cost_to(goal), goal);
        }
        if (reached.empty()) continue;
        std::ranges::sort(reached, {}, [](const auto& r) { return std::tuple(r.first, r.second.y, r.second.x); });
        const uint64_t length = reached.back().first * rng.below(1000) / 1000;
        const auto goal = std::ranges::lower_bound(reached, length, {}, [](const auto& r) { return r.first; });
        scene.problems.emplace_back(start, goal->second);
    }
}

// The paper's costs for WC3; `walker` for other families.
CostTable family_costs(const std::string& family, const Catalogue& catalogue) {
    Profile weighted("wc3");
    weighted.otherwise_blocked().cost("ground", 1).cost("trees", 1.5).cost("swamp", 2).cost("water", 2.5);
    return (family == "wc3maps512" ? weighted : *Profile::preset("walker")).compile(catalogue).value();
}

Result<std::vector<CpdScene>> load_family(const fs::path& folder, const std::string& family) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".map") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    std::vector<CpdScene> out;
    out.reserve(files.size());
    for (const fs::path& file : files) {
        const auto grid = load_map(file.string(), {.letters = Letters::kOctile});
        if (!grid) return grid.error();
        const GridSnapshot map = grid->snapshot();
        out.push_back({family, file.stem().string(), map, family_costs(family, map.catalogue()), *map.catalogue().find("wall"), {}});
    }
    return out;
}

// Chooses evenly, including the first and the last; a single scene from the middle.
std::vector<CpdScene> choose(std::vector<CpdScene> all, size_t count) {
    const size_t take = std::min(count, all.size());
    std::vector<CpdScene> out;
    out.reserve(take);
    for (size_t i = 0; i < take; ++i) out.push_back(std::move(all[take == 1 ? all.size() / 2 : i * (all.size() - 1) / (take - 1)]));
    return out;
}

Result<void> add_scenario(CpdScene& scene, const fs::path& folder, size_t count) {
    const auto scenario = load_scenario((folder / (scene.name + ".map.scen")).string());
    if (!scenario) return scenario.error();
    const size_t all = scenario->problems.size(), take = std::min(count, all);
    scene.problems.reserve(take);
    for (size_t i = 0; i < take; ++i) {
        const Problem& p = scenario->problems[i * all / take];
        scene.problems.emplace_back(p.start, p.goal);
    }
    return {};
}

Result<std::vector<CpdScene>> folder_scenes(const fs::path& folder, const std::string& family, const CpdScale& scale) {
    auto all = load_family(folder, family);
    if (!all) return all.error();
    const auto size = [](const CpdScene& scene) { return passable_cells(scene.grid, scene.costs); };
    std::vector<CpdScene> small;
    std::ranges::copy_if(*all, std::back_inserter(small),
                         [&](const CpdScene& scene) { return size(scene) >= kMinCells && size(scene) <= scale.max_cells; });
    std::ranges::sort(small, {}, [&](const CpdScene& scene) { return std::pair(size(scene), scene.name); });
    std::vector<CpdScene> out = choose(small.empty() ? std::move(*all) : std::move(small), scale.maps);
    for (CpdScene& scene : out) {
        if (size(scene) > scale.max_cells) {
            scene.grid = middle_of(scene.grid, scale.window).snapshot();
            add_random_problems(scene, scale.problems);
        } else if (const auto added = add_scenario(scene, folder, scale.problems); !added) {
            return added.error();
        }
    }
    return out;
}

std::vector<CpdScene> own_scenes(const CpdScale& scale) {
    std::vector<CpdScene> out;
    const int32_t side = scale.window;
    const auto add = [&](const char* family, const Result<TerrainGrid>& grid, const Profile& profile, const char* wall) {
        const GridSnapshot map = grid->snapshot();
        const Catalogue& catalogue = map.catalogue();
        out.push_back({family, fmt::format("{0}x{0}", side), map, profile.compile(catalogue).value(), *catalogue.find(wall), {}});
        add_random_problems(out.back(), scale.problems);
    };
    const Profile& walker = *Profile::preset("walker");
    IslandOptions island;
    island.width = island.height = side;
    Profile weighted = drawn_costs(Catalogue::standard(), 1);
    weighted.blocked("lava");
    add("rooms", generate_rooms({.width = side, .height = side}), walker, "wall");
    add("maze", generate_maze({.width = side, .height = side, .seed = 1, .corridor = 8}), walker, "wall");
    add("random", generate_random({.width = side, .height = side, .seed = 1, .density = 10}), walker, "wall");
    add("island", generate_island(island), weighted, "lava");
    return out;
}

// ---- Obstacles

std::vector<Cell> disc(const ChangedMap& map, Cell centre, int32_t radius) {
    std::vector<Cell> out;
    for (int32_t y = std::max(0, centre.y - radius); y <= std::min(map.height() - 1, centre.y + radius); ++y) {
        for (int32_t x = std::max(0, centre.x - radius); x <= std::min(map.width() - 1, centre.x + radius); ++x) {
            const int32_t dx = x - centre.x, dy = y - centre.y;
            if (dx * dx + dy * dy <= radius * radius) out.push_back({x, y});
        }
    }
    return out;
}

// Returns the cells of the next obstacle. The path must have a cell between start and goal.
std::vector<Cell> obstacle(const ChangedMap& map, std::span<const Cell> path, Ball ball) {
    const size_t steps = path.size() - 1;
    const Cell centre = path[steps * 3 / 4];
    const auto radius = static_cast<int32_t>(std::min(kLargestRadius, steps / kStepsPerRadius));
    std::vector<Cell> cells = ball == Ball::kHops ? map.ball(centre, radius) : disc(map, centre, radius);
    std::erase_if(cells, [&](Cell c) { return !map.passable(c) || c == path.front() || c == path.back(); });
    return cells;
}

}  // namespace

Result<std::vector<CpdScene>> cpd_scenes(const BenchOptions& options, const CpdScale& scale) {
    if (options.maps.empty()) return own_scenes(scale);
    std::vector<std::pair<fs::path, std::string>> folders;
    std::error_code error;
    for (const char* family : {"dao", "wc3maps512", "da2", "rooms", "mazes"}) {
        if (fs::is_directory(fs::path(options.folder()) / family, error)) folders.emplace_back(fs::path(options.folder()) / family, family);
    }
    if (folders.empty()) folders.emplace_back(options.folder(), fs::path(options.folder()).filename().string());
    std::vector<CpdScene> out;
    for (const auto& [folder, family] : folders) {
        auto scenes = folder_scenes(folder, family, scale);
        if (!scenes) return scenes.error();
        std::ranges::move(*scenes, std::back_inserter(out));
    }
    if (out.empty()) return Error{ErrorCode::kCannotOpen, options.folder(), 0, "contains no .map files"};
    return out;
}

std::string cpd_scene_names(std::span<const CpdScene> scenes) {
    std::string text;
    for (size_t i = 0; i < scenes.size(); ++i) {
        const bool first = i == 0 || scenes[i].family != scenes[i - 1].family;
        text += first ? fmt::format("{}{}: ", i == 0 ? "" : "; ", scenes[i].family) : ", ";
        text += fmt::format("{} ({} cells)", scenes[i].name, passable_cells(scenes[i].grid, scenes[i].costs));
    }
    return text;
}

const char* to_string(Ball ball) { return ball == Ball::kHops ? "hops" : "euclid"; }

std::optional<CpdInstance> place_obstacles(const CpdScene& scene, std::pair<Cell, Cell> problem, uint32_t percent, Ball ball) {
    const auto [start, goal] = problem;
    ChangedMap map({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, false);
    std::vector<Cell> path;
    CpdInstance out{start, goal, {}, map.find(start, goal, path), 0, 0};
    if (path.empty()) return {};
    std::vector<CellEdit> edits;
    for (out.optimal = out.original; out.optimal * 100 <= out.original * (100 + percent); ++out.obstacles) {
        const std::vector<Cell> cells = obstacle(map, path, ball);
        for (const Cell c : cells) {
            map.block(c);
            edits.push_back({c, scene.wall});
        }
        out.optimal = cells.empty() ? kNoPath : map.find(start, goal, path);
        if (out.optimal == kNoPath) return {};
    }
    TerrainGrid grid = editable(scene.grid);
    out.now = grid.apply(edits).after;
    return out;
}

Contender cpd_contender(const CpdMethod& method, const CpdSearchOptions& options, const PathDatabase& database,
                        std::span<const CpdProblem> problems, ChangedMap& map, bool ratio) {
    const auto open = [=, &database, &map]() -> Result<Opened> {
        const auto search = std::make_shared<CpdSearch>();
        const auto path = std::make_shared<std::vector<Cell>>();
        const auto solve = [=, &database](size_t i, Lap&) {
            search->begin(database, *problems[i].perturbation, problems[i].start, problems[i].goal, options);
            search->run();
            search->path(*path);
        };
        const auto answer = [=, &database, &map](size_t i, NamedSamples& extras) -> Result<Answer> {
            const CpdProblem& problem = problems[i];
            map.set_now(problem.perturbation->now());
            const std::string fault = cpd_fault(map, *search, problem.start, problem.goal, problem.optimal, options.bound);
            if (!fault.empty()) return Error{ErrorCode::kBadValue, {}, 0, fault};
            extras["walked"].add(search->expansions() == 0 ? 1 : 0);
            if (ratio) extras["ratio_mean"].add(static_cast<double>(search->cost()) / static_cast<double>(problem.optimal));
            return Answer{.found = true,
                          .cost = to_real(search->cost() * database.ground().costs().divisor),
                          .expansions = static_cast<double>(search->expansions())};
        };
        return Opened{make_runner(solve, answer)};
    };
    return {.method = method.name, .open = open, .guarantee = options.bound.value()};
}

ContestScene cpd_contest_scene(const std::string& name, nlohmann::ordered_json label, std::span<const CpdProblem> problems) {
    return {name, std::move(label), problems.size(), [problems](size_t i) {
                const CpdProblem& p = problems[i];
                return fmt::format("from {},{} to {},{}", p.start.x, p.start.y, p.goal.x, p.goal.y);
            }};
}

Result<PathDatabase> build_for(const CpdScene& scene, Movement movement) {
    constexpr uint64_t kSteps = 1000;
    Progress progress(scene.family + " " + scene.name, kSteps);
    PathDatabaseOptions options;
    options.threads = 0;
    uint64_t shown = 0;
    return build_path_database({scene.grid, scene.costs, movement}, options, [&](double done) {
        const auto steps = static_cast<uint64_t>(done * kSteps);
        if (steps > shown) progress.advance(steps - shown);
        shown = std::max(shown, steps);
        return true;
    });
}

}  // namespace terrane
