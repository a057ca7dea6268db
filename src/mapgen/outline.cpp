// Phase 2: land, sea and lakes. A polygon scores noise minus distance from the middle; those with the highest scores are land. Water that
// is not connected to the map edge is a lake; a few inland polygons become lakes too.
#include <algorithm>

#include "mapgen/dijkstra.h"
#include "mapgen/island.h"
#include "mapgen/noise.h"

namespace terrane::detail {

namespace {

constexpr int64_t kLandShare = 440;  // per mille of the map, as in the benchmark maps
constexpr int64_t kLakeShare = 22;   // per mille of the land
constexpr int64_t kInland = 2;       // minimum number of polygons between the sea and a lake
constexpr int kShapeOctaves = 5;

// 0 in the middle of the map, 65536 at the middle of an edge, more in the corners.
int64_t remoteness(const Mesh& mesh, GridPoint p) {
    const auto along = [](int32_t at, int32_t extent) { return (int64_t{at} * 2 - extent) * 65536 / extent; };
    const int64_t dx = along(p.x - mesh.origin.x, mesh.columns * kUnit), dy = along(p.y - mesh.origin.y, mesh.rows * kUnit);
    const int64_t box = std::max(dx < 0 ? -dx : dx, dy < 0 ? -dy : dy);
    return (box + isqrt(dx * dx + dy * dy)) / 2;
}

int64_t land_score(const Island& island, GridPoint p) {
    const Mesh& mesh = island.mesh;
    const int32_t wavelength = std::max(1, std::min(mesh.columns, mesh.rows) * kUnit * 2 / 7);
    const int64_t shape = fractal_noise(stream_seed(island.seed, Stream::kOutline), p.x, p.y, wavelength, kShapeOctaves);
    const int64_t away = remoteness(mesh, p);
    return shape - (away * away >> 16) * 45 / 100;
}

std::vector<uint32_t> polygons_on_map(const Mesh& mesh) {
    std::vector<uint32_t> inside;
    for (uint32_t p = 0; p < mesh.polygons(); ++p) {
        if (mesh.on_map(mesh.sites[p])) inside.push_back(p);
    }
    return inside;
}

// The `share` per mille of `polygons` with the highest scores.
std::vector<uint32_t> best(std::vector<uint32_t> polygons, const std::vector<int64_t>& score, int64_t share) {
    std::sort(polygons.begin(), polygons.end(), [&](uint32_t a, uint32_t b) { return std::pair(score[b], b) < std::pair(score[a], a); });
    polygons.resize(static_cast<size_t>(static_cast<int64_t>(polygons.size()) * share / kAll));
    return polygons;
}

void raise_land(Island& island) {
    const std::vector<uint32_t> inside = polygons_on_map(island.mesh);
    std::vector<int64_t> score(island.mesh.polygons());
    for (const uint32_t p : inside) score[p] = land_score(island, island.mesh.sites[p]);
    for (const uint32_t p : best(inside, score, kLandShare)) island.surface[p] = Surface::kLand;
}

// All water starts as lake; water connected to the outside of the map becomes ocean.
void flood_ocean(Island& island) {
    const Mesh& mesh = island.mesh;
    std::vector<uint32_t> open;
    const auto reach = [&](uint32_t p) {
        if (island.surface[p] != Surface::kLake) return;
        island.surface[p] = Surface::kOcean;
        if (!mesh.rim[p]) open.push_back(p);
    };
    for (uint32_t p = 0; p < mesh.polygons(); ++p) {
        if (!mesh.on_map(mesh.sites[p])) reach(p);
    }
    while (!open.empty()) {
        const uint32_t p = open.back();
        open.pop_back();
        mesh.around(p, [&](uint32_t side) { reach(mesh.end(side)); });
    }
}

// Number of polygon steps from the sea.
Distances inland_steps(const Island& island) {
    Distances steps(island.mesh.polygons());
    for (uint32_t p = 0; p < island.mesh.polygons(); ++p) {
        if (island.surface[p] == Surface::kOcean) steps.distance[p] = 0;
    }
    dijkstra(steps, [&](uint32_t p, auto emit) {
        if (island.mesh.rim[p]) return;
        island.mesh.around(p, [&](uint32_t side) { emit(island.mesh.end(side), 1); });
    });
    return steps;
}

void sink_lakes(Island& island) {
    const Distances steps = inland_steps(island);
    const uint64_t seed = stream_seed(island.seed, Stream::kLakes);
    std::vector<uint32_t> inland;
    std::vector<int64_t> score(island.mesh.polygons());
    for (uint32_t p = 0; p < island.mesh.polygons(); ++p) {
        if (island.surface[p] != Surface::kLand || steps.distance[p] <= kInland) continue;
        inland.push_back(p);
        score[p] = fractal_noise(seed, island.mesh.sites[p].x, island.mesh.sites[p].y, kUnit * 8, 2);
    }
    for (const uint32_t p : best(inland, score, kLakeShare)) island.surface[p] = Surface::kLake;
}

}  // namespace

void shape_outline(Island& island) {
    island.surface.assign(island.mesh.polygons(), Surface::kLake);
    raise_land(island);
    flood_ocean(island);
    sink_lakes(island);
}

}  // namespace terrane::detail
