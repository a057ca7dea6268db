// Value noise on a lattice of hashes, in fixed point.
#pragma once
#include <cstdint>

#include "terrane/base/rng.h"

namespace terrane::detail {

// Smooth noise with about one extremum per `wavelength` units, in 0..65535. Coordinates >= 0.
inline int32_t noise(uint64_t seed, int32_t x, int32_t y, int32_t wavelength) {
    const auto value = [&](int64_t i, int64_t j) {
        return static_cast<int64_t>(mix64(seed ^ mix64(static_cast<uint64_t>(j << 32 | i))) >> 48);
    };
    const auto ease = [&](int32_t at) {  // 3t^2 - 2t^3, in 1/4096
        const int64_t t = int64_t{at % wavelength} * 4096 / wavelength;
        return t * t * (3 * 4096 - 2 * t) >> 24;
    };
    const int64_t i = x / wavelength, j = y / wavelength, u = ease(x), v = ease(y);
    const int64_t upper = value(i, j) * (4096 - u) + value(i + 1, j) * u;
    const int64_t lower = value(i, j + 1) * (4096 - u) + value(i + 1, j + 1) * u;
    return static_cast<int32_t>((upper * (4096 - v) + lower * v) >> 24);
}

// Sum of `octaves` noises, each with half the amplitude and wavelength of the previous one, in 0..65535.
inline int32_t fractal_noise(uint64_t seed, int32_t x, int32_t y, int32_t wavelength, int octaves) {
    int64_t sum = 0, weight = 0;
    for (int k = 0; k < octaves && wavelength >> k > 0; ++k) {
        const int64_t size = int64_t{1} << (octaves - k);
        sum += size * noise(mix64(seed + static_cast<uint64_t>(k)), x, y, wavelength >> k);
        weight += size;
    }
    return static_cast<int32_t>(sum / weight);
}

}  // namespace terrane::detail
