// Phase 5: moisture is the rank of a land polygon by its distance from rivers and lakes, plus noise ("weather").
#include <algorithm>

#include "mapgen/dijkstra.h"
#include "mapgen/island.h"
#include "mapgen/noise.h"

namespace terrane::detail {

namespace {

constexpr int64_t kWetter = kUnit / 2;        // each spring upstream brings a river nearer by this distance
constexpr uint16_t kBroad = 4;                // number of springs above which flow makes no difference
constexpr int32_t kWeather = kUnit * 14;      // wavelength
constexpr int64_t kWeatherReach = kUnit * 6;  // amplitude of the weather noise, as a distance

void wet_banks(const Island& island, Distances& dryness) {
    for (uint32_t p = 0; p < island.mesh.polygons(); ++p) {
        if (island.surface[p] == Surface::kLake) dryness.distance[p] = 0;
        if (island.surface[p] != Surface::kLand) continue;
        uint16_t flow = 0;
        island.mesh.around(p, [&](uint32_t side) { flow = std::max(flow, island.river[side]); });
        if (flow > 0) dryness.distance[p] = kWetter * (kBroad - std::min(flow, kBroad));
    }
}

Distances distance_from_water(const Island& island) {
    const Mesh& mesh = island.mesh;
    Distances dryness(mesh.polygons());
    wet_banks(island, dryness);
    dijkstra(dryness, [&](uint32_t p, auto emit) {
        mesh.around(p, [&](uint32_t side) {
            const uint32_t q = mesh.end(side);
            if (island.surface[q] != Surface::kOcean) emit(q, distance(mesh.sites[p], mesh.sites[q]));
        });
    });
    return dryness;
}

}  // namespace

void spread_moisture(Island& island) {
    const Distances dryness = distance_from_water(island);
    const uint64_t seed = stream_seed(island.seed, Stream::kMoisture);
    std::vector<uint32_t> land;
    std::vector<int64_t> wetness(island.mesh.polygons(), 0);
    for (uint32_t p = 0; p < island.mesh.polygons(); ++p) {
        if (island.surface[p] != Surface::kLand) continue;
        land.push_back(p);
        const GridPoint at = island.mesh.sites[p];
        const int64_t weather = fractal_noise(seed, at.x, at.y, kWeather, 2);
        const int64_t away = std::min(dryness.distance[p], int64_t{kUnit} * 1000000);  // islets have no fresh water
        wetness[p] = (weather * kWeatherReach >> 16) - away;
    }
    island.moisture.assign(island.mesh.polygons(), 0);
    write_ranks(std::move(land), wetness, island.moisture);
}

}  // namespace terrane::detail
