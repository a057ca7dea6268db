// Seeded random numbers that are identical on every platform, unlike the std:: distributions.
// Based on: Blackman, Vigna 2018 (xoshiro256**), seeded by SplitMix64 (Steele, Lea, Flood 2014);
// bounded draws after Lemire 2019.
#pragma once
#include <cstdint>

#include "terrane/base/assert.h"

namespace terrane {

class Rng {
public:
    explicit Rng(uint64_t seed);

    uint64_t next();

    // Uniform in [0, bound), bound >= 1.
    uint32_t below(uint32_t bound);

    // Uniform in [low, high], inclusive.
    int32_t between(int32_t low, int32_t high) {
        TERRANE_CHECK(low <= high);
        return static_cast<int32_t>(low + static_cast<int64_t>(below(static_cast<uint32_t>(static_cast<int64_t>(high) - low + 1))));
    }

    // True with probability numerator / denominator.
    bool chance(uint32_t numerator, uint32_t denominator) { return below(denominator) < numerator; }

private:
    uint64_t state_[4];
};

// One round of SplitMix64: a 64-bit hash for seeds and for checksums of results.
constexpr uint64_t mix64(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

}  // namespace terrane
