// Eight numbers as one, in vector registers where the compiler has vector types: compilers left to themselves made slower code of the
// loops that use it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "terrane/graph.h"

namespace terrane::detail {

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
};
#endif

}  // namespace terrane::detail
