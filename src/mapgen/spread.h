// Distances from many sources at once over the polygons or corners of an island (Dijkstra 1959), and
// ranks. Ties go to the smaller index, so the result is the same everywhere.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "mapgen/island.h"

namespace terrane::detail {

inline constexpr int64_t kFar = INT64_MAX;

struct Spread {
    std::vector<int64_t> distance;  // kFar where nothing reached; set sources to 0 (or less) before the call
    std::vector<uint32_t> from;     // the node before this one; kNone at sources

    explicit Spread(size_t nodes) : distance(nodes, kFar), from(nodes, kNone) {}
};

// `expand(node, emit)` calls emit(neighbour, cost >= 0) for each neighbour. Stops at the first node
// for which stop(node) holds, once that node's distance is final, and returns it; else kNone.
template <class Expand, class Stop>
uint32_t spread_until(Spread& spread, Expand&& expand, Stop&& stop) {
    using Entry = std::pair<int64_t, uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (uint32_t n = 0; n < spread.distance.size(); ++n) {
        if (spread.distance[n] != kFar) queue.emplace(spread.distance[n], n);
    }
    while (!queue.empty()) {
        const auto [distance, node] = queue.top();
        queue.pop();
        if (distance != spread.distance[node]) continue;
        if (stop(node)) return node;
        expand(node, [&, so_far = distance, here = node](uint32_t neighbour, int64_t cost) {
            if (so_far + cost >= spread.distance[neighbour]) return;
            spread.distance[neighbour] = so_far + cost;
            spread.from[neighbour] = here;
            queue.emplace(so_far + cost, neighbour);
        });
    }
    return kNone;
}

template <class Expand>
void spread_out(Spread& spread, Expand&& expand) {
    spread_until(spread, expand, [](uint32_t) { return false; });
}

// Writes the rank of each of `nodes` by `value`, smallest first, as 0..kAll.
inline void write_ranks(std::vector<uint32_t> nodes, const std::vector<int64_t>& value, std::vector<Permille>& rank) {
    std::sort(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) { return std::pair(value[a], a) < std::pair(value[b], b); });
    const auto last = static_cast<int64_t>(std::max<size_t>(nodes.size(), 2) - 1);
    for (size_t k = 0; k < nodes.size(); ++k) rank[nodes[k]] = static_cast<Permille>(static_cast<int64_t>(k) * kAll / last);
}

}  // namespace terrane::detail
