// Inputs of the benches: a map, a profile, and queries.
#pragma once
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench.h"
#include "bench/contest.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/movement.h"
#include "terrane/grid/profile.h"

namespace terrane {

struct BenchScene {
    std::string name;
    GridSnapshot grid;
    CostTable costs;
    std::vector<std::pair<Cell, Cell>> queries = {};

    // Set if the folder states the costs of its scenarios: those costs, and the published optimal cost of each query.
    std::optional<CostTable> published_costs = {};
    std::vector<double> published = {};

    Movement movement = Movement::kEightNoCornerCutting;
    // For contests (contest.h): keys of the rows' cases, {"map": name} if there are none, and further keys by problem.
    nlohmann::ordered_json label = {};
    std::function<nlohmann::ordered_json(size_t problem, const Answer& optimum)> group = {};
};

// Gives each terrain one of 16 evenly spaced costs from 1.0 to `max_cost`, drawn from the seed. With max_cost 4 the step is 0.2, as in the
// Dynamic Terrain Abstraction paper.
Profile drawn_costs(const Catalogue& catalogue, uint64_t seed, uint32_t max_cost = 4);

// Returns the .map files of a folder by name; an error if there are none. With `largest`: only so many, those with the most bytes.
Result<std::vector<std::filesystem::path>> map_files(const std::string& folder, size_t largest = SIZE_MAX);

// Returns the maps of options.maps with `problems` (quick: 5) problems of their scenarios, spread evenly over the file. Without folders:
// a generated island, 2048x2048 (quick: 512x512), with as many random problems. Costs are drawn_costs with seed 1; octile maps use
// `walker`. `largest`: as in map_files(). published_costs come from the profile `scen-costs.csv` in the folder.
Result<std::vector<BenchScene>> bench_scenes(const BenchOptions& options, size_t problems = 20, size_t largest = SIZE_MAX);

// Returns an editable copy.
TerrainGrid editable(const GridSnapshot& grid);

}  // namespace terrane
