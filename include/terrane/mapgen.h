// Worlds made from a seed: the same bytes on every machine.
#pragma once
#include <cstdint>
#include <span>

#include "terrane/grid.h"
#include "terrane/result.h"

namespace terrane {

// An island in the manner of the polygon maps (Patel 2010, mapgen2): Voronoi polygons, an outline,
// elevation from the coast, rivers downhill, moisture from the rivers, a biome for each polygon,
// roads along the contours; borders made noisy; areas too small to matter merged away.
struct IslandOptions {
    int32_t width = 1024;  // cells, 16..kMaxSide; so is height
    int32_t height = 1024;
    uint64_t seed = 1;
    int32_t polygon = 0;  // mean side of a polygon in cells, 8..kMaxSide; 0: 68 of them across, as the benchmark
                          // maps have it, but 10 cells at least: maps that differ in size only show one island
    int32_t merge = 80;   // areas of fewer cells are merged into their neighbours; 0: none are
};

// Other options than these are refused (kBadValue). Uses the standard catalogue, `black` to `hills`.
Result<TerrainGrid> generate_island(const IslandOptions& options);

// The benchmark paper's clean-up: every 4-connected area of one terrain with fewer than `min_cells`
// cells takes the terrain of the neighbouring area that it shares the longest border with (ties: the
// smaller terrain id) and joins it, and with it every other neighbour of that terrain. The smallest
// area goes first (ties: the one whose first cell, by rows, comes first), until none is small or the
// map is one area. So areas of `min_cells` or more keep all their cells, and doing it twice changes
// nothing more; 0 and 1 change nothing at all.
// `cells` are width * height by rows, sides >= 1. Time nearly linear in cells: n log min_cells at worst.
void merge_small_areas(std::span<Terrain> cells, int32_t width, int32_t height, uint32_t min_cells);

}  // namespace terrane
