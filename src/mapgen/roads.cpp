// Phase 7: roads. Some follow the contours around the island, as Patel 2010 has them; others join
// towns by the easiest way, and with that the contours to one another.
#include <algorithm>
#include <cstdlib>

#include "mapgen/island.h"
#include "mapgen/spread.h"

namespace terrane::detail {

namespace {

constexpr Permille kContours[] = {130, 480, 780};
constexpr size_t kShortest = 20;  // polygons; contours that touch fewer are no roads
constexpr size_t kTowns = 12;
constexpr Permille kTownHeight = 840;       // none is higher
constexpr int64_t kSlope = 12;              // units of way that one per mille of climb is worth
constexpr int64_t kBridge = kUnit * 3 / 2;  // units of way that a river crossing is worth
constexpr int64_t kOnRoad = 3;              // how much cheaper an existing road is

bool on_land(const Island& island, uint32_t side) {
    const auto land = [&](uint32_t p) { return island.surface[p] == Surface::kLand && island.mesh.on_map(island.mesh.sites[p]); };
    return land(island.mesh.start[side]) && land(island.mesh.end(side));
}

void mark(Island& island, uint32_t side, uint8_t road) { island.road[side] = island.road[island.mesh.twin[side]] = road; }

// A contour passes between the two ends of a border, and so from polygon to polygon.
void follow_contour(Island& island, Permille height) {
    const Mesh& mesh = island.mesh;
    for (uint32_t side = 0; side < mesh.start.size(); ++side) {
        if (mesh.twin[side] == kNone || mesh.twin[side] < side || !on_land(island, side)) continue;
        const bool below = island.corner_elevation[Mesh::corner(side)] < height;
        if (below != (island.corner_elevation[Mesh::corner(mesh.twin[side])] < height)) mark(island, side, 1);
    }
}

// The polygons reached from this one over sides for which joins(side) holds; marks them seen.
template <class Joins>
std::vector<uint32_t> connected(const Island& island, uint32_t polygon, std::vector<uint8_t>& seen, Joins&& joins) {
    std::vector<uint32_t> members{polygon};
    seen[polygon] = 1;
    for (size_t k = 0; k < members.size(); ++k) {
        island.mesh.around(members[k], [&](uint32_t side) {
            const uint32_t other = island.mesh.end(side);
            if (seen[other] || !joins(side)) return;
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
        const std::vector<uint32_t> members = connected(island, p, seen, [&](uint32_t side) { return island.road[side] != 0; });
        if (members.size() >= kShortest) continue;
        for (const uint32_t m : members) {
            island.mesh.around(m, [&](uint32_t side) {
                if (island.road[side]) mark(island, side, 0);
            });
        }
    }
}

int64_t way(const Island& island, uint32_t side) {
    const Mesh& mesh = island.mesh;
    const uint32_t a = mesh.start[side], b = mesh.end(side);
    const int64_t climb = std::abs(island.elevation[a] - island.elevation[b]);
    const int64_t cost = distance(mesh.sites[a], mesh.sites[b]) + climb * kSlope + (island.river[side] > 0 ? kBridge : 0);
    return island.road[side] ? cost / kOnRoad : cost;
}

// emit(neighbour, cost) for travel over land.
auto travel(const Island& island) {
    return [&island](uint32_t polygon, auto emit) {
        island.mesh.around(polygon, [&](uint32_t side) {
            if (on_land(island, side)) emit(island.mesh.end(side), way(island, side));
        });
    };
}

// The land polygons of the largest island.
std::vector<uint32_t> mainland(const Island& island) {
    std::vector<uint8_t> seen(island.mesh.polygons(), 0);
    std::vector<uint32_t> largest;
    for (uint32_t p = 0; p < island.mesh.polygons(); ++p) {
        if (seen[p] || island.surface[p] != Surface::kLand) continue;
        std::vector<uint32_t> members = connected(island, p, seen, [&](uint32_t side) { return on_land(island, side); });
        if (members.size() > largest.size()) largest = std::move(members);
    }
    return largest;
}

// Each town as far as can be from those before it.
std::vector<uint32_t> found_towns(const Island& island) {
    std::vector<uint32_t> places;
    for (const uint32_t p : mainland(island)) {
        if (island.elevation[p] < kTownHeight) places.push_back(p);
    }
    if (places.empty()) return {};
    Rng rng(stream_seed(island.seed, Stream::kTowns));
    std::vector<uint32_t> towns{places[rng.below(static_cast<uint32_t>(places.size()))]};
    while (towns.size() < kTowns) {
        const auto room = [&](uint32_t p) {
            int32_t nearest = INT32_MAX;
            for (const uint32_t t : towns) nearest = std::min(nearest, distance(island.mesh.sites[p], island.mesh.sites[t]));
            return nearest;
        };
        towns.push_back(*std::max_element(places.begin(), places.end(), [&](uint32_t a, uint32_t b) { return room(a) < room(b); }));
    }
    return towns;
}

void pave(Island& island, const Spread& ways, uint32_t to) {
    for (uint32_t p = to; ways.from[p] != kNone; p = ways.from[p]) {
        island.mesh.around(p, [&](uint32_t side) {
            if (island.mesh.end(side) == ways.from[p]) mark(island, side, 1);
        });
    }
}

// Joins each town to the nearest of those before it.
void join_towns(Island& island, const std::vector<uint32_t>& towns) {
    std::vector<uint8_t> joined(island.mesh.polygons(), 0);
    for (const uint32_t town : towns) {
        Spread ways(island.mesh.polygons());
        ways.distance[town] = 0;
        const uint32_t other = spread_until(ways, travel(island), [&](uint32_t p) { return joined[p] != 0; });
        if (other != kNone) pave(island, ways, other);
        joined[town] = 1;
    }
}

// Where three polygons are joined pairwise, two of the joints are enough.
void open_small_loops(Island& island) {
    const Mesh& mesh = island.mesh;
    for (uint32_t side = 0; side < mesh.start.size(); side += 3) {
        if (!island.road[side] || !island.road[side + 1] || !island.road[side + 2]) continue;
        uint32_t longest = side;
        for (uint32_t other = side + 1; other < side + 3; ++other) {
            if (way(island, other) > way(island, longest)) longest = other;
        }
        mark(island, longest, 0);
    }
}

// Takes back roads that lead nowhere, from their ends; a town is somewhere.
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
    const std::vector<uint32_t> towns = found_towns(island);
    join_towns(island, towns);
    open_small_loops(island);
    prune_dead_ends(island, towns);
}

}  // namespace terrane::detail
