// Eight numbers as one: in vector registers where the compiler has vector types, an array where not. Compilers left to themselves made code
// that was two to four times slower of the loops that use it (g++ -O2 and clang -O2).
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "terrane/graph.h"

namespace terrane::detail {

inline constexpr uint32_t kLanes = 8;

#if defined(__GNUC__) || defined(__clang__)
template <class T>
struct Eight {
    static constexpr size_t kParts = sizeof(T) / 2;  // registers of 16 bytes
    typedef T Part __attribute__((vector_size(16)));
    Part v[kParts]{};

    TERRANE_INLINE static Eight load(const T* from) {
        Eight out;
        std::memcpy(out.v, from, sizeof(out.v));
        return out;
    }
    TERRANE_INLINE static Eight all(T value) {
        Eight out;
        for (size_t i = 0; i < kParts; ++i) out.v[i] = Part{} + value;
        return out;
    }
    TERRANE_INLINE void store(T* to) const {
        const Eight copy = *this;  // g++ keeps what has its address taken in memory
        std::memcpy(to, copy.v, sizeof(copy.v));
    }
    TERRANE_INLINE friend Eight operator+(Eight a, Eight b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = a.v[i] + b.v[i];
        return a;
    }
    TERRANE_INLINE friend Eight operator-(Eight a, Eight b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = a.v[i] - b.v[i];
        return a;
    }
    TERRANE_INLINE friend Eight operator&(Eight a, Eight b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = a.v[i] & b.v[i];
        return a;
    }
    TERRANE_INLINE friend Eight operator|(Eight a, Eight b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = a.v[i] | b.v[i];
        return a;
    }
    TERRANE_INLINE friend Eight operator^(Eight a, Eight b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = a.v[i] ^ b.v[i];
        return a;
    }
    // All bits where it holds, none elsewhere.
    TERRANE_INLINE friend Eight operator==(Eight a, Eight b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = static_cast<Part>(a.v[i] == b.v[i]);
        return a;
    }
    TERRANE_INLINE friend Eight operator<(Eight a, Eight b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = static_cast<Part>(a.v[i] < b.v[i]);
        return a;
    }
    TERRANE_INLINE static Eight least(Eight a, Eight b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
        return a;
    }
    TERRANE_INLINE static Eight greatest(Eight a, Eight b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
        return a;
    }
    // Where a and b are equal, `then`; `otherwise` elsewhere.
    TERRANE_INLINE static Eight where_equal(Eight a, Eight b, Eight then, Eight otherwise) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = a.v[i] == b.v[i] ? then.v[i] : otherwise.v[i];
        return a;
    }
    TERRANE_INLINE bool any() const {
        Part any = v[0];
        for (size_t i = 1; i < kParts; ++i) any = any | v[i];
        std::array<uint64_t, 2> halves;
        std::memcpy(halves.data(), &any, sizeof(any));
        return (halves[0] | halves[1]) != 0;
    }
};
#else
template <class T>
struct Eight {
    std::array<T, 8> v{};

    static Eight load(const T* from) {
        Eight out;
        std::memcpy(out.v.data(), from, sizeof(out.v));
        return out;
    }
    static Eight all(T value) {
        Eight out;
        out.v.fill(value);
        return out;
    }
    void store(T* to) const { std::memcpy(to, v.data(), sizeof(v)); }
    template <class F>
    static Eight each(Eight a, const Eight& b, F&& f) {
        for (size_t i = 0; i < 8; ++i) a.v[i] = static_cast<T>(f(a.v[i], b.v[i]));
        return a;
    }
    friend Eight operator+(Eight a, Eight b) {
        return each(a, b, [](T x, T y) { return x + y; });
    }
    friend Eight operator-(Eight a, Eight b) {
        return each(a, b, [](T x, T y) { return x - y; });
    }
    friend Eight operator&(Eight a, Eight b) {
        return each(a, b, [](T x, T y) { return x & y; });
    }
    friend Eight operator|(Eight a, Eight b) {
        return each(a, b, [](T x, T y) { return x | y; });
    }
    friend Eight operator^(Eight a, Eight b) {
        return each(a, b, [](T x, T y) { return x ^ y; });
    }
    friend Eight operator==(Eight a, Eight b) {
        return each(a, b, [](T x, T y) { return x == y ? -1 : 0; });
    }
    friend Eight operator<(Eight a, Eight b) {
        return each(a, b, [](T x, T y) { return x < y ? -1 : 0; });
    }
    static Eight least(Eight a, Eight b) {
        return each(a, b, [](T x, T y) { return x < y ? x : y; });
    }
    static Eight greatest(Eight a, Eight b) {
        return each(a, b, [](T x, T y) { return x > y ? x : y; });
    }
    static Eight where_equal(Eight a, Eight b, Eight then, Eight otherwise) {
        for (size_t i = 0; i < 8; ++i) a.v[i] = a.v[i] == b.v[i] ? then.v[i] : otherwise.v[i];
        return a;
    }
    bool any() const {
        return std::ranges::any_of(v, [](T x) { return x != 0; });
    }
};
#endif

template <class T>
TERRANE_INLINE inline T greatest_lane(Eight<T> of) {
    std::array<T, kLanes> lanes;
    of.store(lanes.data());
    const auto two = [&](size_t i) { return std::max(lanes[i], lanes[i + 1]); };
    return std::max(std::max(two(0), two(2)), std::max(two(4), two(6)));
}

}  // namespace terrane::detail
