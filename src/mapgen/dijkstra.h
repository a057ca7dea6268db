// Multi-source shortest distances over the polygons or corners of an island (Dijkstra 1959), and ranks. Ties go to the smaller index, so
// results are deterministic.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "mapgen/island.h"

namespace terrane::detail {

inline constexpr int64_t kNoDistance = INT64_MAX;

struct Distances {
    std::vector<int64_t> distance;  // kNoDistance by default; set the sources to finite values before the call
    std::vector<uint32_t> from;     // parent; kNone at sources

    explicit Distances(size_t nodes) : distance(nodes, kNoDistance), from(nodes, kNone) {}
};

// `expand(node, emit)` must call emit(neighbour, cost >= 0) for each neighbour. Stops when it settles a node for which stop(node) holds,
// and returns that node; kNone if there is none.
template <class Expand, class Stop>
uint32_t dijkstra_until(Distances& distances, Expand&& expand, Stop&& stop) {
    using Entry = std::pair<int64_t, uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (uint32_t n = 0; n < distances.distance.size(); ++n) {
        if (distances.distance[n] != kNoDistance) queue.emplace(distances.distance[n], n);
    }
    while (!queue.empty()) {
        const auto [distance, node] = queue.top();
        queue.pop();
        if (distance != distances.distance[node]) continue;
        if (stop(node)) return node;
        expand(node, [&, so_far = distance, here = node](uint32_t neighbour, int64_t cost) {
            if (so_far + cost >= distances.distance[neighbour]) return;
            distances.distance[neighbour] = so_far + cost;
            distances.from[neighbour] = here;
            queue.emplace(so_far + cost, neighbour);
        });
    }
    return kNone;
}

template <class Expand>
void dijkstra(Distances& distances, Expand&& expand) {
    dijkstra_until(distances, expand, [](uint32_t) { return false; });
}

// Writes the rank of each node by `value`, ascending, scaled to 0..kAll.
inline void write_ranks(std::vector<uint32_t> nodes, const std::vector<int64_t>& value, std::vector<Permille>& rank) {
    std::sort(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) { return std::pair(value[a], a) < std::pair(value[b], b); });
    const auto last = static_cast<int64_t>(std::max<size_t>(nodes.size(), 2) - 1);
    for (size_t k = 0; k < nodes.size(); ++k) rank[nodes[k]] = static_cast<Permille>(static_cast<int64_t>(k) * kAll / last);
}

}  // namespace terrane::detail
