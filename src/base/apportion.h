// Proportional apportionment by the D'Hondt method.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace terrane::detail {

// Distributes `wanted` items among `parts` in proportion to their sizes and returns the number of items of each of the largest parts; the
// others get none. Each item goes to the part with the largest quotient size / (items + 1); ties go to the earlier part. No part gets
// more items than its size. `parts` is sorted by size, largest first; `size_of(part)` < 2^32. O(wanted * min(parts, wanted)).
template <class Parts, class SizeOf>
std::vector<uint32_t> apportion(const Parts& parts, uint32_t wanted, SizeOf&& size_of) {
    std::vector<uint32_t> shares(std::min<size_t>(parts.size(), wanted));
    for (; wanted > 0; --wanted) {
        size_t best = shares.size();
        for (size_t i = 0; i < shares.size(); ++i) {
            if (shares[i] == size_of(parts[i])) continue;
            const auto votes = [&](size_t a, size_t b) { return uint64_t{size_of(parts[a])} * (shares[b] + 1); };
            if (best == shares.size() || votes(i, best) > votes(best, i)) best = i;
        }
        if (best == shares.size()) break;  // every part is full
        ++shares[best];
    }
    return shares;
}

}  // namespace terrane::detail
