// Shares a number of things out among parts of different sizes.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace terrane::detail {

// How many each of the largest parts gets; the others get none. By d'Hondt's rule: each goes to the part with the most for each that it
// would then have (ties: the one that comes first), and none gets more than its size. Parts by size, the largest first; `size_of(part)` is
// below 2^32.
template <class Parts, class Size>
std::vector<uint32_t> share_out(const Parts& parts, uint32_t wanted, Size&& size_of) {
    std::vector<uint32_t> shares(std::min<size_t>(parts.size(), wanted));
    for (; wanted > 0; --wanted) {
        size_t best = shares.size();
        for (size_t i = 0; i < shares.size(); ++i) {
            if (shares[i] == size_of(parts[i])) continue;
            const auto votes = [&](size_t a, size_t b) { return uint64_t{size_of(parts[a])} * (shares[b] + 1); };
            if (best == shares.size() || votes(i, best) > votes(best, i)) best = i;
        }
        if (best == shares.size()) break;  // all have as many as they can
        ++shares[best];
    }
    return shares;
}

}  // namespace terrane::detail
