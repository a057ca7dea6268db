// Phase 4: rivers run downhill from springs along polygon borders; flows add up where they meet.
#include <algorithm>

#include "mapgen/island.h"

namespace terrane::detail {

namespace {

constexpr Permille kLowestSpring = 350;
constexpr Permille kHighestSpring = 930;
constexpr size_t kPolygonsPerSpring = 75;  // land polygons
constexpr size_t kMaxSprings = 1000;
constexpr int32_t kApart = kUnit * 4;  // minimum distance between springs

std::vector<uint32_t> shuffled_springs(const Island& island) {
    std::vector<std::pair<uint64_t, uint32_t>> order;
    const uint64_t seed = stream_seed(island.seed, Stream::kSprings);
    for (uint32_t c = 0; c < island.mesh.corners.size(); ++c) {
        const Permille height = island.corner_elevation[c];
        if (height >= kLowestSpring && height <= kHighestSpring) order.emplace_back(mix64(seed + c), c);
    }
    std::sort(order.begin(), order.end());
    std::vector<uint32_t> springs;
    springs.reserve(order.size());
    for (const auto& [hash, corner] : order) springs.push_back(corner);
    return springs;
}

std::vector<uint32_t> choose_springs(const Island& island) {
    const auto land = static_cast<size_t>(std::count(island.surface.begin(), island.surface.end(), Surface::kLand));
    const size_t wanted = std::min(land / kPolygonsPerSpring + 1, kMaxSprings);
    std::vector<uint32_t> chosen;
    for (const uint32_t c : shuffled_springs(island)) {
        const auto near = [&](uint32_t other) { return distance(island.mesh.corners[c], island.mesh.corners[other]) < kApart; };
        if (std::none_of(chosen.begin(), chosen.end(), near)) chosen.push_back(c);
        if (chosen.size() == wanted) break;
    }
    return chosen;
}

// Returns the side whose border connects two adjacent corners.
uint32_t side_between(const Mesh& mesh, uint32_t corner, uint32_t neighbour) {
    for (uint32_t side = corner * 3; side < corner * 3 + 3; ++side) {
        if (mesh.twin[side] != kNone && Mesh::corner(mesh.twin[side]) == neighbour) return side;
    }
    return kNone;
}

void run_down(Island& island, uint32_t spring) {
    for (uint32_t c = spring; island.downhill[c] != kNone; c = island.downhill[c]) {
        const uint32_t side = side_between(island.mesh, c, island.downhill[c]);
        ++island.river[side];
        ++island.river[island.mesh.twin[side]];
    }
}

}  // namespace

void run_rivers(Island& island) {
    island.river.assign(island.mesh.start.size(), 0);
    for (const uint32_t spring : choose_springs(island)) run_down(island, spring);
}

}  // namespace terrane::detail
