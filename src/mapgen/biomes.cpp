// Phase 6: a terrain for each polygon. On land by elevation and moisture (Whittaker 1962, as used by Patel 2010); at sea by distance from
// the shore.
#include <algorithm>

#include "mapgen/dijkstra.h"
#include "mapgen/island.h"
#include "mapgen/noise.h"

namespace terrane::detail {

namespace {

struct Band {
    Permille below;  // moisture
    Terrain terrain;
};

struct Belt {
    Permille below;  // elevation
    Band bands[5];   // from dry to wet; the last one is below kAll + 1
};

// Both scales are ranks, so the thresholds determine the shares: trees about a quarter of the land, hills an eighth.
constexpr Belt kBelts[] = {
    {90, {{140, kDesert}, {420, kGround}, {700, kPlains}, {900, kJungle}, {kAll + 1, kSwamp}}},
    {420, {{130, kDesert}, {400, kPlains}, {740, kTrees}, {950, kJungle}, {kAll + 1, kSwamp}}},
    {660, {{100, kGround}, {330, kPlains}, {460, kHills}, {900, kTrees}, {kAll + 1, kJungle}}},
    {840, {{150, kTundra}, {640, kHills}, {kAll + 1, kTrees}, {}, {}}},
    {910, {{400, kBlight}, {kAll + 1, kTundra}, {}, {}, {}}},
    {996, {{480, kMountain}, {kAll + 1, kIce}, {}, {}, {}}},
    {kAll + 1, {{480, kBlack}, {kAll + 1, kIce}, {}, {}, {}}},
};

constexpr Permille kFrozen = 860;         // lakes above are ice
constexpr Permille kMarsh = 120;          // lakes below are swamp
constexpr int64_t kShelf = kUnit * 12;    // mean distance from the shore to deep water
constexpr int32_t kCurrent = kUnit * 12;  // wavelength of its variation

Terrain land_biome(Permille elevation, Permille moisture) {
    const Belt& belt = *std::find_if(std::begin(kBelts), std::end(kBelts), [&](const Belt& b) { return elevation < b.below; });
    return std::find_if(std::begin(belt.bands), std::end(belt.bands), [&](const Band& b) { return moisture < b.below; })->terrain;
}

Terrain lake_biome(Permille elevation) {
    if (elevation < kMarsh) return kSwamp;
    return elevation < kFrozen ? kWater : kIce;
}

Distances distance_from_shore(const Island& island) {
    const Mesh& mesh = island.mesh;
    Distances offshore(mesh.polygons());
    for (uint32_t p = 0; p < mesh.polygons(); ++p) {
        if (island.surface[p] == Surface::kLand) offshore.distance[p] = 0;
    }
    dijkstra(offshore, [&](uint32_t p, auto emit) {
        if (mesh.rim[p]) return;
        mesh.around(p, [&](uint32_t side) { emit(mesh.end(side), distance(mesh.sites[p], mesh.sites[mesh.end(side)])); });
    });
    return offshore;
}

Terrain sea_biome(const Island& island, uint32_t polygon, int64_t offshore) {
    const GridPoint at = island.mesh.sites[polygon];
    const int64_t current = fractal_noise(stream_seed(island.seed, Stream::kSea), at.x, at.y, kCurrent, 2);
    return offshore > kShelf / 2 + (kShelf * current >> 16) ? kDeepWater : kWater;
}

// Returns the most frequent terrain of the adjacent land polygons (ties: the smaller id), or the polygon's own if a neighbour shares it or
// none is land.
Terrain usual_biome(const Island& island, uint32_t polygon) {
    int32_t count[16] = {};
    island.mesh.around(polygon, [&](uint32_t side) {
        const uint32_t other = island.mesh.end(side);
        if (island.surface[other] == Surface::kLand) ++count[island.biome[other]];
    });
    const int32_t* most = std::max_element(std::begin(count), std::end(count));
    const bool alone = count[island.biome[polygon]] == 0 && *most > 0;
    return alone ? static_cast<Terrain>(most - count) : island.biome[polygon];
}

// Replaces biomes that consist of a single polygon.
void absorb_specks(Island& island) {
    for (uint32_t p = 0; p < island.mesh.polygons(); ++p) {
        if (island.surface[p] == Surface::kLand) island.biome[p] = usual_biome(island, p);
    }
}

}  // namespace

void choose_biomes(Island& island) {
    const Distances offshore = distance_from_shore(island);
    island.biome.assign(island.mesh.polygons(), kDeepWater);
    for (uint32_t p = 0; p < island.mesh.polygons(); ++p) {
        switch (island.surface[p]) {
            case Surface::kOcean: island.biome[p] = sea_biome(island, p, offshore.distance[p]); break;
            case Surface::kLake: island.biome[p] = lake_biome(island.elevation[p]); break;
            case Surface::kLand: island.biome[p] = land_biome(island.elevation[p], island.moisture[p]); break;
        }
    }
    absorb_specks(island);
}

}  // namespace terrane::detail
