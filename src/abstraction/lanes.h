// Eight numbers as one: what windows and potentials are computed with. A vector register where the compiler has vector types, an array
// where not; compilers left to themselves made code of this that was two to four times slower (g++ -O2 and clang -O2).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "terrane/graph.h"

namespace terrane::detail {

inline constexpr uint32_t kLanes = 8;

template <class T>
struct Lanes {
    std::array<T, kLanes> v{};

    TERRANE_INLINE static Lanes load(const T* from) {
        Lanes out;
        std::memcpy(out.v.data(), from, sizeof(out.v));
        return out;
    }
    TERRANE_INLINE static Lanes all(T value) {
        Lanes out;
        out.v.fill(value);
        return out;
    }
    TERRANE_INLINE void store(T* to) const { std::memcpy(to, v.data(), sizeof(v)); }

    TERRANE_INLINE friend Lanes operator+(Lanes a, Lanes b) {
        for (uint32_t i = 0; i < kLanes; ++i) a.v[i] = static_cast<T>(a.v[i] + b.v[i]);
        return a;
    }
    TERRANE_INLINE friend Lanes operator-(Lanes a, Lanes b) {
        for (uint32_t i = 0; i < kLanes; ++i) a.v[i] = static_cast<T>(a.v[i] - b.v[i]);
        return a;
    }
    TERRANE_INLINE static Lanes least(Lanes a, Lanes b) {
        for (uint32_t i = 0; i < kLanes; ++i) a.v[i] = std::min(a.v[i], b.v[i]);
        return a;
    }
    TERRANE_INLINE static Lanes greatest(Lanes a, Lanes b) {
        for (uint32_t i = 0; i < kLanes; ++i) a.v[i] = std::max(a.v[i], b.v[i]);
        return a;
    }
    // Where a and b are equal, `then`; `otherwise` elsewhere.
    TERRANE_INLINE static Lanes where_equal(Lanes a, Lanes b, Lanes then, Lanes otherwise) {
        for (uint32_t i = 0; i < kLanes; ++i) a.v[i] = a.v[i] == b.v[i] ? then.v[i] : otherwise.v[i];
        return a;
    }
    // Adds to `seen`, which is all zero at first, whether a and b differ anywhere.
    TERRANE_INLINE static void note_difference(Lanes a, Lanes b, Lanes& seen) {
        for (uint32_t i = 0; i < kLanes; ++i) seen.v[i] = static_cast<T>(seen.v[i] | (a.v[i] ^ b.v[i]));
    }
    TERRANE_INLINE bool any() const {
        return std::any_of(v.begin(), v.end(), [](T x) { return x != 0; });
    }
    TERRANE_INLINE T greatest_lane() const { return *std::max_element(v.begin(), v.end()); }
};

#if defined(__GNUC__) || defined(__clang__)
template <>
struct Lanes<int16_t> {
    using Vector = int16_t __attribute__((vector_size(16)));
    Vector v{};

    TERRANE_INLINE static Lanes load(const int16_t* from) {
        Vector out;
        std::memcpy(&out, from, sizeof(out));
        return {out};
    }
    TERRANE_INLINE static Lanes all(int16_t value) { return {Vector{} + value}; }
    // By way of a copy: g++ keeps what has its address taken in memory, from one step of a loop to the next.
    TERRANE_INLINE void store(int16_t* to) const {
        const Vector copy = v;
        std::memcpy(to, &copy, sizeof(copy));
    }

    TERRANE_INLINE friend Lanes operator+(Lanes a, Lanes b) { return {a.v + b.v}; }
    TERRANE_INLINE friend Lanes operator-(Lanes a, Lanes b) { return {a.v - b.v}; }
    TERRANE_INLINE static Lanes least(Lanes a, Lanes b) { return {a.v < b.v ? a.v : b.v}; }
    TERRANE_INLINE static Lanes greatest(Lanes a, Lanes b) { return {a.v > b.v ? a.v : b.v}; }
    TERRANE_INLINE static Lanes where_equal(Lanes a, Lanes b, Lanes then, Lanes otherwise) { return {a.v == b.v ? then.v : otherwise.v}; }
    TERRANE_INLINE static void note_difference(Lanes a, Lanes b, Lanes& seen) { seen.v |= a.v ^ b.v; }
    TERRANE_INLINE bool any() const {
        std::array<uint64_t, 2> halves;
        const Vector copy = v;
        std::memcpy(halves.data(), &copy, sizeof(copy));
        return (halves[0] | halves[1]) != 0;
    }
    TERRANE_INLINE int16_t greatest_lane() const {
        std::array<int16_t, kLanes> lanes;
        store(lanes.data());
        const auto two = [&](size_t i) { return std::max(lanes[i], lanes[i + 1]); };
        return std::max(std::max(two(0), two(2)), std::max(two(4), two(6)));
    }
};
#endif

}  // namespace terrane::detail
