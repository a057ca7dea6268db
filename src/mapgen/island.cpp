// generate_island(): validates the options, runs the phases, merges small areas.
// Based on: Patel 2010, "Polygonal Map Generation for Games" (mapgen2).
#include "mapgen/island.h"

#include <algorithm>
#include <string>

#include "mapgen/checks.h"

namespace terrane {

using namespace detail;

namespace {

constexpr int32_t kMinIsland = 16;
constexpr int32_t kPolygonsAcross = 68;  // as in the benchmark maps: 30 cells on a map of 2048
constexpr int32_t kMinPolygon = 8;       // smaller ones would be merged away
constexpr int32_t kMinDefault = 10;

Result<void> check(const IslandOptions& o) {
    if (const auto sides = check_sides("an island", o.width, o.height, kMinIsland); !sides) return sides;
    if (o.polygon != 0 && (o.polygon < kMinPolygon || o.polygon > kMaxSide)) {
        return refuse("polygons of " + std::to_string(o.polygon) + " cells: expected a side of " + std::to_string(kMinPolygon) + " to " +
                      std::to_string(kMaxSide) + " cells, or 0 for the default");
    }
    if (o.merge < 0) return refuse("merging areas of fewer than " + std::to_string(o.merge) + " cells: expected 0 or more");
    return {};
}

// Number of polygons along `cells` cells. By default proportional to kPolygonsAcross, so that maps of one shape have the same polygons at
// every size; but polygons are at least kMinDefault cells.
int32_t polygons_along(int32_t cells, const IslandOptions& o) {
    const int64_t mean_side = isqrt(int64_t{o.width} * o.height);
    const bool share = o.polygon == 0 && mean_side >= kMinDefault * kPolygonsAcross;
    const int64_t polygon = o.polygon != 0 ? o.polygon : kMinDefault;
    const int64_t count = share ? (int64_t{cells} * kPolygonsAcross + mean_side / 2) / mean_side : (cells + polygon / 2) / polygon;
    return static_cast<int32_t>(std::max<int64_t>(1, count));
}

Island grow(const IslandOptions& o) {
    Island island;
    island.seed = o.seed;
    island.mesh = build_mesh(polygons_along(o.width, o), polygons_along(o.height, o), stream_seed(o.seed, Stream::kSites));
    shape_outline(island);
    raise_elevation(island);
    run_rivers(island);
    spread_moisture(island);
    choose_biomes(island);
    lay_roads(island);
    return island;
}

}  // namespace

Result<TerrainGrid> generate_island(const IslandOptions& options) {
    if (const auto checked = check(options); !checked) return checked.error();
    std::vector<Terrain> cells = draw_island(grow(options), options.width, options.height);
    merge_small_areas(cells, options.width, options.height, static_cast<uint32_t>(options.merge));
    return TerrainGrid(options.width, options.height, cells);
}

}  // namespace terrane
