// Neighbour table for branch-free searches over the four moves of an agent type.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "crowd/crowd_ground.h"

namespace terrane::detail {

// The neighbour of each spot and move. Illegal moves lead to the padding spot ground.size(), so searches need no test, which a processor
// would mispredict every other time. Give the padding spot a distance that no relaxation improves.
inline std::vector<Spot> padded_neighbours(const CrowdGround& ground, uint16_t type) {
    std::vector<Spot> neighbours(size_t{ground.size()} * 4, ground.size());
    for (Spot from = 0; from < ground.size(); ++from) {
        for (Move m = 0; m < 4; ++m) {
            if ((ground.legal(type, from) >> m & 1) != 0) neighbours[size_t{from} * 4 + m] = ground.neighbour(from, m);
        }
    }
    return neighbours;
}

}  // namespace terrane::detail
