// Data shared by the phases of generate_island(). Each phase is one file and fills its part of an Island; island.cpp calls them in order.
// Integer arithmetic only, so results are the same on every machine.
#pragma once
#include <cstdint>
#include <vector>

#include "mapgen/mesh.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::detail {

// Ids in the standard catalogue.
enum StandardTerrain : Terrain {
    kBlack,
    kDeepWater,
    kWater,
    kRiver,
    kSwamp,
    kGround,
    kTrees,
    kRoad,
    kDesert,
    kIce,
    kJungle,
    kPlains,
    kBlight,
    kTundra,
    kMountain,
    kHills
};

enum class Surface : uint8_t { kOcean, kLake, kLand };

// Elevation and moisture are ranks in per mille: 300 means that 30% of the island is lower or drier. So every map gets its share of each
// biome, independent of its outline.
using Permille = int32_t;
inline constexpr Permille kAll = 1000;

struct Island {
    uint64_t seed = 0;
    Mesh mesh;

    // By polygon.
    std::vector<Surface> surface;
    std::vector<Permille> elevation;
    std::vector<Permille> moisture;
    std::vector<Terrain> biome;

    // By corner.
    std::vector<Permille> corner_elevation;  // 0 in the sea and on the coast
    std::vector<uint32_t> downhill;          // next corner downstream; kNone in the sea

    // By side; twins have equal values.
    std::vector<uint16_t> river;  // number of springs upstream of the border that crosses this side; 0: no river
    std::vector<uint8_t> road;    // 1: a road connects the two polygons
};

// Independent random streams, so that a change to one phase does not affect the others.
enum class Stream : uint64_t { kSites = 1, kOutline, kLakes, kRelief, kSprings, kMoisture, kSea, kTowns, kBorders };
inline uint64_t stream_seed(uint64_t seed, Stream stream) { return mix64(mix64(seed) + static_cast<uint64_t>(stream)); }

void shape_outline(Island& island);    // outline.cpp: surface
void raise_elevation(Island& island);  // elevation.cpp: elevation, corner_elevation, downhill
void run_rivers(Island& island);       // rivers.cpp: river
void spread_moisture(Island& island);  // moisture.cpp: moisture
void choose_biomes(Island& island);    // biomes.cpp: biome
void lay_roads(Island& island);        // roads.cpp: road
std::vector<Terrain> draw_island(const Island& island, int32_t width, int32_t height);  // raster.cpp

}  // namespace terrane::detail
