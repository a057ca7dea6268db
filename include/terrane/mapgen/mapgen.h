// Worlds made from a seed: the same bytes on every machine.
// Options that a generator cannot use are refused (kBadValue), with the reason.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/grid/grid.h"

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

// Uses the standard catalogue, `black` to `hills`.
Result<TerrainGrid> generate_island(const IslandOptions& options);

// Rooms, mazes and random walls in the manner of the MovingAI families of those names (Sturtevant 2012),
// in the octile catalogue: `ground`, `wall`, and `trees` where nobody can get to.
// Square rooms, a wall of one cell above and to the left of each; in a share of the walls, the map's outer
// ones too, one random cell is a door.
struct RoomsOptions {
    int32_t width = 512;  // cells, 2..kMaxSide; so is height. The last rooms are cut where the map ends
    int32_t height = 512;
    uint64_t seed = 1;
    int32_t room = 16;          // side in cells, one wall included, 2..kMaxSide
    int32_t doors = 80;         // walls with a door, in percent: 0..100
    bool fill_isolated = true;  // all ground but its largest 4-connected area becomes trees
};
Result<TerrainGrid> generate_rooms(const RoomsOptions& options);

// A perfect maze: one way between any two spots, and no spot left out. Grown from the middle; walls are
// one cell thick, the first ones along the upper and the left edge.
struct MazeOptions {
    int32_t width = 512;  // cells, 2..kMaxSide; so is height. The last corridors are cut where the map ends
    int32_t height = 512;
    uint64_t seed = 1;
    int32_t corridor = 1;  // width in cells, 1..32
};
Result<TerrainGrid> generate_maze(const MazeOptions& options);

// Walls in random cells, each set of that many equally likely.
struct RandomOptions {
    int32_t width = 512;  // cells, 1..kMaxSide; so is height
    int32_t height = 512;
    uint64_t seed = 1;
    int32_t density = 25;       // walls in percent of the cells, rounded down to a cell: 0..100
    bool fill_isolated = true;  // all ground but its largest 4-connected area becomes trees
};
Result<TerrainGrid> generate_random(const RandomOptions& options);

// Fields of terrain in the standard catalogue. Both choose, with equal chances, among the first `terrains`
// of: ground, road, plains, trees, hills, swamp, desert, tundra, ice, jungle, blight, mountain, river,
// water, deep_water, black.

// A terrain for each cell on its own.
struct ScatterOptions {
    int32_t width = 512;  // cells, 1..kMaxSide; so is height
    int32_t height = 512;
    uint64_t seed = 1;
    int32_t terrains = 8;  // 1..16
};
Result<TerrainGrid> generate_scatter(const ScatterOptions& options);

// A terrain for each of some random cells, the sites; every cell has that of its nearest site, exactly
// (ties: the site further left, then the upper one).
struct VoronoiOptions {
    int32_t width = 512;  // cells, 1..kMaxSide; so is height
    int32_t height = 512;
    uint64_t seed = 1;
    int32_t sites = 64;    // 1..1000000, and no more than cells
    int32_t terrains = 8;  // 1..16
};
Result<TerrainGrid> generate_voronoi(const VoronoiOptions& options);

// The sites of that map, by rows; no two in one cell.
struct VoronoiSite {
    Cell cell;
    Terrain terrain = 0;
};
Result<std::vector<VoronoiSite>> voronoi_sites(const VoronoiOptions& options);

// The benchmark paper's clean-up: every 4-connected area of one terrain with fewer than `min_cells`
// cells takes the terrain of the neighbouring area that it shares the longest border with (ties: the
// smaller terrain id) and joins it, and with it every other neighbour of that terrain. The smallest
// area goes first (ties: the one whose first cell, by rows, comes first), until none is small or the
// map is one area. So areas of `min_cells` or more keep all their cells, and doing it twice changes
// nothing more; 0 and 1 change nothing at all.
// `cells` are width * height by rows, sides >= 1. Time nearly linear in cells: n log min_cells at worst.
void merge_small_areas(std::span<Terrain> cells, int32_t width, int32_t height, uint32_t min_cells);

}  // namespace terrane
