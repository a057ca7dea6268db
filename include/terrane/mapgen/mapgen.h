// Map generators. Deterministic: the same options and seed yield the same bytes on every machine.
// Options out of range fail with kBadValue and a reason.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/grid/grid.h"

namespace terrane {

// Island in the style of Patel 2010 (mapgen2): Voronoi polygons, a coastline, elevation by distance from the coast, rivers that run
// downhill, moisture by distance from rivers, a biome per polygon, and roads along contour lines. Borders are noisy; small areas are
// merged into their neighbours.
struct IslandOptions {
    int32_t width = 1024;  // cells, 16..kMaxSide; so is height
    int32_t height = 1024;
    uint64_t seed = 1;
    int32_t polygon = 0;  // mean side of a polygon in cells, 8..kMaxSide; 0: 68 polygons across, as in the benchmark maps, but at
                          // least 10 cells. With 0, maps that differ only in size show the same island
    int32_t merge = 80;   // areas of fewer cells are merged into their neighbours; 0: none
};

// Uses the standard catalogue, `black` to `hills`.
Result<TerrainGrid> generate_island(const IslandOptions& options);

// Rooms, mazes and random obstacles in the style of the MovingAI map families (Sturtevant 2012), in the octile catalogue: `ground`, `wall`,
// and `trees` in unreachable cells.

// Square rooms with walls of one cell above and to the left of each. A share of the walls, including the outer ones, has one door at a
// random cell.
struct RoomsOptions {
    int32_t width = 512;  // cells, 2..kMaxSide; so is height. The map edge cuts the last rooms
    int32_t height = 512;
    uint64_t seed = 1;
    int32_t room = 16;          // side in cells, including one wall, 2..kMaxSide
    int32_t doors = 80;         // walls with a door, in percent: 0..100
    bool fill_isolated = true;  // replace all ground outside of its largest 4-connected component by trees
};
Result<TerrainGrid> generate_rooms(const RoomsOptions& options);

// A perfect maze: exactly one path between any two corridor squares. Grown from the middle; walls are one cell thick and begin along the
// upper and the left edge.
struct MazeOptions {
    int32_t width = 512;  // cells, 2..kMaxSide; so is height. The map edge cuts the last corridors
    int32_t height = 512;
    uint64_t seed = 1;
    int32_t corridor = 1;  // width in cells, 1..32
};
Result<TerrainGrid> generate_maze(const MazeOptions& options);

// Random obstacles: every set of that many blocked cells is equally likely.
struct RandomOptions {
    int32_t width = 512;  // cells, 1..kMaxSide; so is height
    int32_t height = 512;
    uint64_t seed = 1;
    int32_t density = 25;       // blocked cells in percent, rounded down to a cell: 0..100
    bool fill_isolated = true;  // replace all ground outside of its largest 4-connected component by trees
};
Result<TerrainGrid> generate_random(const RandomOptions& options);

// Scatter and Voronoi maps use the standard catalogue. Both draw uniformly from the first `terrains` of: ground, road, plains, trees,
// hills, swamp, desert, tundra, ice, jungle, blight, mountain, river, water, deep_water, black.

// An independent random terrain for each cell.
struct ScatterOptions {
    int32_t width = 512;  // cells, 1..kMaxSide; so is height
    int32_t height = 512;
    uint64_t seed = 1;
    int32_t terrains = 8;  // 1..16
};
Result<TerrainGrid> generate_scatter(const ScatterOptions& options);

// A random terrain for each of some random cells, the sites; every other cell takes the terrain of its nearest site, by exact Euclidean
// distance (ties: the site further left, then the upper one).
struct VoronoiOptions {
    int32_t width = 512;  // cells, 1..kMaxSide; so is height
    int32_t height = 512;
    uint64_t seed = 1;
    int32_t sites = 64;    // 1..1000000, and at most the number of cells
    int32_t terrains = 8;  // 1..16
};
Result<TerrainGrid> generate_voronoi(const VoronoiOptions& options);

// A site of that map.
struct VoronoiSite {
    Cell cell;
    Terrain terrain = 0;
};
// Returns the sites in row order; no two are in one cell.
Result<std::vector<VoronoiSite>> voronoi_sites(const VoronoiOptions& options);

// Merges small areas, as in the benchmark paper. Every 4-connected area of one terrain with fewer than `min_cells` cells takes the terrain
// of the adjacent area with the longest common border (ties: the smaller terrain id), and merges with all adjacent areas of that terrain.
// The smallest area is processed first (ties: the one whose first cell comes first in row order), until no area is small or the map is one
// area. Areas of `min_cells` or more keep all their cells. Idempotent; 0 and 1 change nothing.
// `cells` has width * height entries in row order; sides >= 1. O(n log min_cells) at worst, nearly linear in practice.
void merge_small_areas(std::span<Terrain> cells, int32_t width, int32_t height, uint32_t min_cells);

}  // namespace terrane
