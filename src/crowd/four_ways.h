// Where the four moves of a kind lead, for floods over ground where every move costs the same.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "crowd/crowd_ground.h"

namespace terrane::detail {

// By spot and move. Moves that are not legal lead to the spot past the last one, so that floods need no tests: which moves are legal, a
// processor guesses wrong every other time. That spot is to look as if nothing could be gained there.
inline std::vector<Spot> four_ways(const CrowdGround& ground, uint16_t kind) {
    std::vector<Spot> ways(size_t{ground.size()} * 4, ground.size());
    for (Spot from = 0; from < ground.size(); ++from) {
        for (Move m = 0; m < 4; ++m) {
            if ((ground.legal(kind, from) >> m & 1) != 0) ways[size_t{from} * 4 + m] = ground.neighbour(from, m);
        }
    }
    return ways;
}

}  // namespace terrane::detail
