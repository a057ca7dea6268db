// Phase 3: elevation is the rank of a corner by its distance from the sea, where noise makes steps long (ridges) or short (valleys). Water
// follows the shortest-path tree back to the sea, so every corner drains.
#include "mapgen/dijkstra.h"
#include "mapgen/island.h"
#include "mapgen/noise.h"

namespace terrane::detail {

namespace {

constexpr int32_t kValley = kUnit * 8;  // wavelength of ridges and valleys
constexpr int64_t kFlat = 8;            // divisor for steps along a lake

// Returns whether one of the three polygons at the corner is sea.
bool touches_ocean(const Island& island, uint32_t corner) {
    for (uint32_t side = corner * 3; side < corner * 3 + 3; ++side) {
        if (island.surface[island.mesh.start[side]] == Surface::kOcean) return true;
    }
    return false;
}

int64_t climb(const Island& island, uint32_t side, uint32_t to) {
    const Mesh& mesh = island.mesh;
    const GridPoint at = mesh.corners[to];
    const int64_t rough = fractal_noise(stream_seed(island.seed, Stream::kRelief), at.x, at.y, kValley, 3);
    const int64_t steep = 8192 + (rough * rough >> 16) * 2;  // of 65536
    const int64_t length = (int64_t{distance(mesh.corners[Mesh::corner(side)], at)} * steep >> 12) + 1;
    const bool lake = island.surface[mesh.start[side]] == Surface::kLake || island.surface[mesh.end(side)] == Surface::kLake;
    return lake ? length / kFlat + 1 : length;
}

Distances distance_from_sea(const Island& island) {
    const Mesh& mesh = island.mesh;
    Distances climbs(mesh.corners.size());
    for (uint32_t c = 0; c < mesh.corners.size(); ++c) {
        if (touches_ocean(island, c)) climbs.distance[c] = 0;
    }
    dijkstra(climbs, [&](uint32_t corner, auto emit) {
        for (uint32_t side = corner * 3; side < corner * 3 + 3; ++side) {
            const uint32_t twin = mesh.twin[side];
            if (twin != kNone) emit(Mesh::corner(twin), climb(island, side, Mesh::corner(twin)));
        }
    });
    return climbs;
}

Permille mean_of_corners(const Island& island, uint32_t polygon) {
    int32_t sum = 0, count = 0;
    island.mesh.around(polygon, [&](uint32_t side) {
        sum += island.corner_elevation[Mesh::corner(side)];
        ++count;
    });
    return sum / count;
}

}  // namespace

void raise_elevation(Island& island) {
    const Mesh& mesh = island.mesh;
    Distances climbs = distance_from_sea(island);
    std::vector<uint32_t> dry;
    for (uint32_t c = 0; c < mesh.corners.size(); ++c) {
        if (climbs.from[c] != kNone) dry.push_back(c);
    }
    island.corner_elevation.assign(mesh.corners.size(), 0);
    write_ranks(std::move(dry), climbs.distance, island.corner_elevation);
    island.downhill = std::move(climbs.from);
    island.elevation.assign(mesh.polygons(), 0);
    for (uint32_t p = 0; p < mesh.polygons(); ++p) {
        if (island.surface[p] != Surface::kOcean) island.elevation[p] = mean_of_corners(island, p);
    }
}

}  // namespace terrane::detail
