#include "terrane/base/rng.h"

#include <bit>

namespace terrane {

Rng::Rng(uint64_t seed) {
    for (uint64_t& word : state_) {
        word = mix64(seed);
        seed += 0x9e3779b97f4a7c15u;
    }
}

uint64_t Rng::next() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

uint32_t Rng::below(uint32_t bound) {
    TERRANE_ASSERT(bound >= 1);
    const uint32_t threshold = (0u - bound) % bound;  // rejects the draws that would bias the result towards some values
    for (;;) {
        const uint64_t product = (next() >> 32) * bound;
        if (static_cast<uint32_t>(product) >= threshold) return static_cast<uint32_t>(product >> 32);
    }
}

}  // namespace terrane
