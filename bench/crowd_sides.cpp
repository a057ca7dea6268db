// `terrane bench crowd`: the experiment of slides 98 to 103 of Sturtevant's "Abstraction in Pathfinding". 10 to 200 agents on two opposite
// sides of a 256x256 map change places, with each method. Measures expansions in the first second and per second (mean, 95th percentile),
// and memory.
//
// The slides print no numbers and do not name their map, so there are no paper rows. A second is 8 ticks: 8 steps of an agent.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "bench/crowd_ticks.h"
#include "bench/progress.h"
#include "crowd/cooperative/rra_star.h"
#include "terrane/base/rng.h"
#include "terrane/crowd/cooperative.h"
#include "terrane/io/map_file.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

namespace crowd_sides_bench {
namespace {

constexpr Tick kSecond = 8;       // ticks
constexpr Tick kMaxTicks = 1024;  // agents that have not arrived by then are counted as failed
constexpr int32_t kSide = 256;    // cells
constexpr size_t kShare = 12;     // a side is the first or the last twelfth of the cells, column by column
constexpr size_t kLayouts = 3;    // placements for each number of agents
constexpr std::array<size_t, 6> kUnits = {10, 20, 50, 100, 150, 200};

// ---- Methods

struct SidesContender {
    const char* method;
    std::function<std::unique_ptr<CrowdMethod>()> make;
};

SidesContender cooperative(const char* method, CooperativeAlgorithm algorithm, uint32_t window = 1, uint32_t level = 0) {
    return {method, [=] { return make_cooperative({.algorithm = algorithm, .window = window, .level = level}); }};
}

std::vector<SidesContender> contenders() {
    return {{"replan", [] { return make_replan({}); }},
            {"flock", [] { return make_flock({}); }},
            cooperative("ca", CooperativeAlgorithm::kCa),
            cooperative("whca:8", CooperativeAlgorithm::kWhca, 8),
            cooperative("whca:16", CooperativeAlgorithm::kWhca, 16),
            cooperative("whca:16,1", CooperativeAlgorithm::kWhca, 16, 1),
            cooperative("whca:16,2", CooperativeAlgorithm::kWhca, 16, 2),
            cooperative("cpra:8", CooperativeAlgorithm::kCpra, 8)};
}

// ---- Maps and starts

struct SidesMap {
    std::string name;
    GridSnapshot grid;
    CostTable costs;
};

// A Voronoi map of four terrains, one of them blocked: obstacles of many shapes.
SidesMap fields(int32_t side) {
    const auto grid = generate_voronoi({.width = side, .height = side, .seed = 3, .sites = side * side / 150, .terrains = 4}).value();
    const Profile profile = Profile("unit").blocked("trees");
    return {"fields", grid.snapshot(), profile.compile(grid.snapshot().catalogue()).value()};
}

// Loads the maps of a folder that have the slides' size.
Result<std::vector<SidesMap>> given_maps(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".map") files.push_back(entry.path().string());
    }
    if (error) return Error{ErrorCode::kCannotOpen, folder, 0, error.message()};
    std::ranges::sort(files);
    std::vector<SidesMap> out;
    for (const std::string& file : files) {
        const auto grid = load_map(file);
        if (!grid) return grid.error();
        const GridSnapshot map = grid->snapshot();
        if (map.width() != kSide || map.height() != kSide) continue;
        const auto costs = Profile::preset("walker")->compile(map.catalogue());
        if (!costs) return costs.error();
        out.push_back({std::filesystem::path(file).stem().string(), map, *costs});
    }
    if (out.empty()) return Error{ErrorCode::kBadValue, folder, 0, fmt::format("contains no map of {0}x{0} cells", kSide)};
    return out;
}

struct Unit {
    Cell start, goal;
};

// Returns the connected component of a cell: its topmost ancestor.
uint64_t component_of(const Cliques& cliques, CellId cell) {
    uint32_t level = 0;
    CliqueId id = cell;
    for (CliqueId up; (up = cliques.parent(level, id)) != kNoClique; ++level) id = up;
    return uint64_t{level} << 32 | id;
}

// Returns the cells of the largest connected component, column by column.
std::vector<Cell> cells_by_column(const SidesMap& map) {
    const Cliques cliques =
        Cliques::build(map.grid, PassableSet::of(map.costs, Movement::kEightNoCornerCutting), Movement::kEightNoCornerCutting);
    std::map<uint64_t, std::vector<Cell>> components;
    for (int32_t x = 0; x < map.grid.width(); ++x) {
        for (int32_t y = 0; y < map.grid.height(); ++y) {
            const CellId id = map.grid.layout().id({x, y});
            if (map.costs.passable(map.grid.at(id))) components[component_of(cliques, id)].push_back({x, y});
        }
    }
    const auto smaller = [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); };
    return components.empty() ? std::vector<Cell>{} : std::ranges::max_element(components, smaller)->second;
}

void shuffle(std::vector<Cell>& cells, Rng& rng) {
    for (size_t i = cells.size(); i > 1; --i) std::swap(cells[i - 1], cells[rng.below(static_cast<uint32_t>(i))]);
}

// Returns pairs of units that change places. `cells` are sorted by column.
std::vector<Unit> place_units(const std::vector<Cell>& cells, size_t units, uint64_t seed) {
    Rng rng(seed);
    const size_t side = cells.size() / kShare;
    std::vector<Cell> left(cells.begin(), cells.begin() + static_cast<ptrdiff_t>(side));
    std::vector<Cell> right(cells.end() - static_cast<ptrdiff_t>(side), cells.end());
    shuffle(left, rng);
    shuffle(right, rng);
    std::vector<Unit> out;
    for (size_t i = 0; i < std::min(side, units / 2); ++i) {
        out.push_back({left[i], right[i]});
        out.push_back({right[i], left[i]});
    }
    return out;
}

// ---- Runs

double lower_bound(const SidesMap& map, const std::vector<Unit>& units) {
    const RraSpace space({map.grid, map.costs, Movement::kEightNoCornerCutting});
    const GridLayout& layout = map.grid.layout();
    double sum = 0;
    for (const Unit& unit : units) {
        RraStar search(space, layout.id(unit.goal), layout.id(unit.start));
        sum += static_cast<double>(search.distance(layout.id(unit.start)) * map.costs.divisor);
    }
    return sum;
}

// Adds one run to the row of its method and number of units.
Result<void> run_units(const SidesMap& map, const World& world, const std::vector<Unit>& units, const SidesContender& contender,
                       Measurements& row) {
    Crowd crowd(world, {map.costs}, contender.make());
    for (const Unit& unit : units) crowd.add(unit.start, unit.goal);
    uint64_t before = 0;
    size_t bytes = 0;
    while (!crowd.all_arrived() && crowd.ticks() < kMaxTicks) {
        if (const auto done = timed_tick(crowd, fmt::format("{}, {}", map.name, contender.method), row); !done) return done;
        if (crowd.ticks() % kSecond != 0 && !crowd.all_arrived()) continue;
        const uint64_t now = crowd.method().work().expansions;
        if (crowd.ticks() <= kSecond) row.expansions_first.add(static_cast<double>(now));
        row["expansions_second"].add(static_cast<double>(now - before));
        before = now;
        bytes = std::max(bytes, crowd.method().bytes());
    }
    const auto agents = static_cast<double>(units.size());
    ++row.problems;
    row["arrived"].add(static_cast<double>(crowd.at_goal()) / agents);
    row["plans"].add(static_cast<double>(crowd.method().work().plans));
    row["plan_failures"].add(static_cast<double>(crowd.method().work().failures));
    row["bytes_per_agent"].add(static_cast<double>(bytes) / agents);
    if (!crowd.all_arrived()) return {};
    Cost cost = 0;
    for (const CrowdAgent& agent : crowd.agents()) cost += agent.cost;
    ++row.solved;
    row.cost_cells.add(to_real(cost));
    row.ratio.add(static_cast<double>(cost) / lower_bound(map, units));
    return {};
}

Result<std::vector<SidesMap>> maps_of(const BenchOptions& options) {
    if (!options.maps.empty()) return given_maps(options.folder());
    std::vector<SidesMap> out;
    out.push_back(fields(options.quick ? 96 : kSide));
    return out;
}

}  // namespace
}  // namespace crowd_sides_bench

Result<Report> bench_crowd_sides(const BenchOptions& options) {
    using namespace crowd_sides_bench;
    const auto maps = maps_of(options);
    if (!maps) return maps.error();
    MeasuredRows rows;
    rows.show("expansions_second", {"p95"});
    const size_t layouts = options.quick ? 1 : kLayouts, sizes = options.quick ? 2 : kUnits.size();
    Progress progress("crowd", maps->size() * sizes * contenders().size() * layouts);
    for (const SidesMap& map : *maps) {
        const World world(TerrainGrid(map.grid.width(), map.grid.height(), map.grid.cells(), map.grid.catalogue()));
        const std::vector<Cell> cells = cells_by_column(map);
        for (size_t size = 0; size < sizes; ++size) {
            for (const SidesContender& contender : contenders()) {
                Measurements& row = rows.at(contender.method, {{"map", map.name}, {"agents", kUnits[size]}});
                for (size_t layout = 0; layout < layouts; ++layout) {
                    const auto done = run_units(map, world, place_units(cells, kUnits[size], 1 + layout), contender, row);
                    if (!done) return done.error();
                    progress.advance();
                }
            }
        }
    }
    Report report{"crowd", rows.rows(), {}};
    report.notes = {fmt::format(
        "Agents in the leftmost and rightmost {} percent of the cells change places, 8-connected. A second is {} ticks; a run ends after "
        "{} "
        "ticks.\nexpansions_first: in the first second; expansions_second: in each second; of all agents together, of all searches and "
        "levels. "
        "arrived: share of the agents. bytes_per_agent: peak memory of the method.\nratio_mean: sum of costs over the sum of individual "
        "optimal costs, for runs in which all agents arrived. ms: a tick. The slides print no numbers.",
        100 / kShare, kSecond, kMaxTicks)};
    return report;
}

}  // namespace terrane
