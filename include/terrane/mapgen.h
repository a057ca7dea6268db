// Worlds made from a seed: the same bytes on every machine.
#pragma once
#include <cstdint>

#include "terrane/grid.h"
#include "terrane/result.h"

namespace terrane {

// An island in the manner of the polygon maps (Patel 2010, mapgen2): Voronoi polygons, an outline,
// elevation from the coast, rivers downhill, moisture from the rivers, a biome for each polygon,
// roads along the contours; borders made noisy; areas too small to matter merged away.
struct IslandOptions {
    int32_t width = 1024;
    int32_t height = 1024;
    uint64_t seed = 1;
    int32_t polygon = 0;   // mean side of a polygon in cells; 0: from the size, as the benchmark maps have it
    int32_t merge = 80;    // areas of fewer cells are merged into their neighbours; 0: none are
};

// Sides 16..kMaxSide; anything else is refused. Uses the standard catalogue.
Result<TerrainGrid> generate_island(const IslandOptions& options);

// The benchmark paper's clean-up: every 4-connected area of one terrain with fewer than `cells` cells
// takes the terrain of the neighbouring area that it shares the longest border with (ties: the smaller
// terrain id), smallest areas first, until none is left (or the map is one area). Time linear in cells,
// nearly.
void merge_small_areas(std::span<Terrain> cells, int32_t width, int32_t height, uint32_t min_cells);

}  // namespace terrane
