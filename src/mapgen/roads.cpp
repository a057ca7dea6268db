// Phase 7: roads. Some follow contour lines around the island, as in Patel 2010; others connect towns by the cheapest path, and thereby the
// contour roads with each other.
#include <algorithm>
#include <cstdlib>

#include "mapgen/dijkstra.h"
#include "mapgen/island.h"

namespace terrane::detail {

namespace {

constexpr Permille kContours[] = {130, 480, 780};
constexpr size_t kShortest = 20;  // polygons; shorter contour roads are removed
constexpr size_t kTowns = 12;
constexpr Permille kTownHeight = 840;       // exclusive upper limit
constexpr int64_t kSlope = 12;              // cost of one per mille of climb, in mesh units
constexpr int64_t kBridge = kUnit * 3 / 2;  // cost of a river crossing, in mesh units
constexpr int64_t kOnRoad = 3;              // divisor of the cost along an existing road

bool on_land(const Island& island, uint32_t side) {
    const auto land = [&](uint32_t p) { return island.surface[p] == Surface::kLand && island.mesh.on_map(island.mesh.sites[p]); };
    return land(island.mesh.start[side]) && land(island.mesh.end(side));
}

void mark(Island& island, uint32_t side, uint8_t road) { island.road[side] = island.road[island.mesh.twin[side]] = road; }

// A contour line that passes between the two ends of a border leads from one of its polygons to the other.
void follow_contour(Island& island, Permille height) {
    const Mesh& mesh = island.mesh;
    for (uint32_t side = 0; side < mesh.start.size(); ++side) {
        if (mesh.twin[side] == kNone || mesh.twin[side] < side || !on_land(island, side)) continue;
        const bool below = island.corner_elevation[Mesh::corner(side)] < height;
        if (below != (island.corner_elevation[Mesh::corner(mesh.twin[side])] < height)) mark(island, side, 1);
    }
}

// Returns the polygons reachable from `polygon` over sides for which connects(side) holds, and marks them as seen.
template <class Connects>
std::vector<uint32_t> connected_polygons(const Island& island, uint32_t polygon, std::vector<uint8_t>& seen, Connects&& connects) {
    std::vector<uint32_t> members{polygon};
    seen[polygon] = 1;
    for (size_t k = 0; k < members.size(); ++k) {
        island.mesh.around(members[k], [&](uint32_t side) {
            const uint32_t other = island.mesh.end(side);
            if (seen[other] || !connects(side)) return;
            seen[other] = 1;
            members.push_back(other);
        });
    }
    return members;
}

void drop_short_roads(Island& island) {
    std::vector<uint8_t> seen(island.mesh.polygons(), 0);
    for (uint32_t p = 0; p < island.mesh.polygons(); ++p) {
        if (island.surface[p] != Surface::kLand || seen[p]) continue;
        const std::vector<uint32_t> members = connected_polygons(island, p, seen, [&](uint32_t side) { return island.road[side] != 0; });
        if (members.size() >= kShortest) continue;
        for (const uint32_t m : members) {
            island.mesh.around(m, [&](uint32_t side) {
                if (island.road[side]) mark(island, side, 0);
            });
        }
    }
}

int64_t road_cost(const Island& island, uint32_t side) {
    const Mesh& mesh = island.mesh;
    const uint32_t a = mesh.start[side], b = mesh.end(side);
    const int64_t climb = std::abs(island.elevation[a] - island.elevation[b]);
    const int64_t cost = distance(mesh.sites[a], mesh.sites[b]) + climb * kSlope + (island.river[side] > 0 ? kBridge : 0);
    return island.road[side] ? cost / kOnRoad : cost;
}

// Returns an expand function for dijkstra(): travel over land.
auto travel(const Island& island) {
    return [&island](uint32_t polygon, auto emit) {
        island.mesh.around(polygon, [&](uint32_t side) {
            if (on_land(island, side)) emit(island.mesh.end(side), road_cost(island, side));
        });
    };
}

// The land polygons of the largest island.
std::vector<uint32_t> mainland(const Island& island) {
    std::vector<uint8_t> seen(island.mesh.polygons(), 0);
    std::vector<uint32_t> largest;
    for (uint32_t p = 0; p < island.mesh.polygons(); ++p) {
        if (seen[p] || island.surface[p] != Surface::kLand) continue;
        std::vector<uint32_t> members = connected_polygons(island, p, seen, [&](uint32_t side) { return on_land(island, side); });
        if (members.size() > largest.size()) largest = std::move(members);
    }
    return largest;
}

// Farthest-point sampling: each town maximises its distance from the previous ones.
std::vector<uint32_t> place_towns(const Island& island) {
    std::vector<uint32_t> places;
    for (const uint32_t p : mainland(island)) {
        if (island.elevation[p] < kTownHeight) places.push_back(p);
    }
    if (places.empty()) return {};
    Rng rng(stream_seed(island.seed, Stream::kTowns));
    std::vector<uint32_t> towns{places[rng.below(static_cast<uint32_t>(places.size()))]};
    while (towns.size() < kTowns) {
        const auto spacing = [&](uint32_t p) {
            int32_t nearest = INT32_MAX;
            for (const uint32_t t : towns) nearest = std::min(nearest, distance(island.mesh.sites[p], island.mesh.sites[t]));
            return nearest;
        };
        towns.push_back(*std::max_element(places.begin(), places.end(), [&](uint32_t a, uint32_t b) { return spacing(a) < spacing(b); }));
    }
    return towns;
}

void pave(Island& island, const Distances& paths, uint32_t to) {
    for (uint32_t p = to; paths.from[p] != kNone; p = paths.from[p]) {
        island.mesh.around(p, [&](uint32_t side) {
            if (island.mesh.end(side) == paths.from[p]) mark(island, side, 1);
        });
    }
}

// Connects each town with the nearest of the previous ones.
void connect_towns(Island& island, const std::vector<uint32_t>& towns) {
    std::vector<uint8_t> connected(island.mesh.polygons(), 0);
    for (const uint32_t town : towns) {
        Distances paths(island.mesh.polygons());
        paths.distance[town] = 0;
        const uint32_t other = dijkstra_until(paths, travel(island), [&](uint32_t p) { return connected[p] != 0; });
        if (other != kNone) pave(island, paths, other);
        connected[town] = 1;
    }
}

// If three polygons are connected pairwise, removes the costliest of the three roads.
void break_small_loops(Island& island) {
    const Mesh& mesh = island.mesh;
    for (uint32_t side = 0; side < mesh.start.size(); side += 3) {
        if (!island.road[side] || !island.road[side + 1] || !island.road[side + 2]) continue;
        uint32_t longest = side;
        for (uint32_t other = side + 1; other < side + 3; ++other) {
            if (road_cost(island, other) > road_cost(island, longest)) longest = other;
        }
        mark(island, longest, 0);
    }
}

// Removes dead-end roads, from their ends, unless they end in a town.
void prune_dead_ends(Island& island, const std::vector<uint32_t>& towns) {
    for (uint32_t p = 0; p < island.mesh.polygons(); ++p) {
        for (uint32_t end = p; island.surface[end] == Surface::kLand && std::find(towns.begin(), towns.end(), end) == towns.end();) {
            uint32_t last = kNone, roads = 0;
            island.mesh.around(end, [&](uint32_t side) {
                if (island.road[side]) last = side, ++roads;
            });
            if (roads != 1) break;
            mark(island, last, 0);
            end = island.mesh.end(last);
        }
    }
}

}  // namespace

void lay_roads(Island& island) {
    island.road.assign(island.mesh.start.size(), 0);
    for (const Permille height : kContours) follow_contour(island, height);
    drop_short_roads(island);
    const std::vector<uint32_t> towns = place_towns(island);
    connect_towns(island, towns);
    break_small_loops(island);
    prune_dead_ends(island, towns);
}

}  // namespace terrane::detail
