// Random sampling without replacement.
// Based on: Fan, Muller, Rezucha 1962 (selection sampling; Knuth's algorithm S).
#pragma once
#include <cstdint>

#include "terrane/base/rng.h"

namespace terrane::detail {

// Calls visit(k) for exactly `count` of the numbers 0..total-1, in ascending order; every such set is equally likely.
// O(total), no allocation. count <= total < 2^32.
template <class Visit>
void choose(Rng& rng, uint32_t total, uint32_t count, Visit&& visit) {
    for (uint32_t k = 0; count > 0; ++k) {
        if (!rng.chance(count, total - k)) continue;
        visit(k);
        --count;
    }
}

}  // namespace terrane::detail
