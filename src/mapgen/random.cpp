// generate_random() and generate_scatter(): independent cells.
// Based on: Sturtevant 2012, "Benchmarks for Grid-Based Pathfinding" (the random maps of MovingAI).
#include <vector>

#include "mapgen/checks.h"
#include "mapgen/choose.h"
#include "mapgen/isolated.h"
#include "mapgen/octile.h"
#include "mapgen/palette.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

using namespace detail;

namespace {

Result<void> check(const RandomOptions& o) {
    if (const auto sides = check_sides("a map", o.width, o.height, 1); !sides) return sides;
    if (!within(o.density, 0, 100)) return refuse("walls in " + std::to_string(o.density) + "% of the cells: expected 0 to 100");
    return {};
}

Result<void> check(const ScatterOptions& o) {
    if (const auto sides = check_sides("a map", o.width, o.height, 1); !sides) return sides;
    return check_terrains(o.terrains);
}

}  // namespace

Result<TerrainGrid> generate_random(const RandomOptions& options) {
    if (const auto checked = check(options); !checked) return checked.error();
    std::vector<Terrain> cells(cell_count(options.width, options.height), kFloor);
    Rng rng(options.seed);
    const size_t walls = cells.size() * static_cast<size_t>(options.density) / 100;
    choose(rng, static_cast<uint32_t>(cells.size()), static_cast<uint32_t>(walls), [&](uint32_t k) { cells[k] = kWall; });
    if (options.fill_isolated) fill_isolated(cells, options.width, kFloor, kFiller);
    return TerrainGrid(options.width, options.height, cells, Catalogue::octile());
}

Result<TerrainGrid> generate_scatter(const ScatterOptions& options) {
    if (const auto checked = check(options); !checked) return checked.error();
    std::vector<Terrain> cells(cell_count(options.width, options.height));
    Rng rng(options.seed);
    for (Terrain& t : cells) t = draw_terrain(rng, options.terrains);
    return TerrainGrid(options.width, options.height, cells);
}

}  // namespace terrane
