// What the benches run on: a map, a profile, and pairs of cells.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/profile.h"

namespace terrane {

struct BenchScene {
    std::string name;
    GridSnapshot grid;
    CostTable costs;
    std::vector<std::pair<Cell, Cell>> queries;

    // Where the folder says which costs its scenarios were made with: those, and the published optimal cost of each query.
    std::optional<CostTable> published_costs;
    std::vector<double> published;
};

// Sixteen costs from 1.0 to `dearest`, evenly spaced, drawn from a seed for each terrain. To 4.0: in steps of 0.2, as in the
// Dynamic Terrain Abstraction paper.
Profile drawn_costs(const Catalogue& catalogue, uint64_t seed, uint32_t dearest = 4);

// The maps of options.maps with `problems` (5 if quick) of their scenarios' problems, spread over the file, or an island of our own,
// 2048x2048 (512x512 if quick), with so many random problems. Costs are drawn_costs with seed 1; octile maps have those of `walker`.
// published_costs are those of a profile `scen-costs.csv` in the folder.
Result<std::vector<BenchScene>> bench_scenes(const BenchOptions& options, size_t problems = 20);

// A map like another, to be edited.
TerrainGrid editable(const GridSnapshot& grid);

}  // namespace terrane
