// Eight numbers as one: in vector registers where the compiler has vector types (g++ and clang, for any processor), an array where not, or
// where TERRANE_NO_VECTORS is defined. The answers are the same. Compilers left to themselves made code that was two to four times slower
// of the loops that use it (g++ -O2 and clang -O2).
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "terrane/base/attributes.h"

namespace terrane::detail {

inline constexpr uint32_t kLanes = 8;

// What they are kept in: numbers by themselves, or registers of 16 bytes.
struct Arrays {
    template <class T>
    struct Of {
        using Part = T;
    };
};
#if defined(__GNUC__) || defined(__clang__)
#define TERRANE_HAS_VECTORS 1
struct Vectors {
    template <class T>
    struct Of {
        typedef T Part __attribute__((vector_size(16)));
    };
};
#endif

template <class T, class Kept>
struct EightOf {
    using Part = typename Kept::template Of<T>::Part;
    static constexpr size_t kParts = kLanes * sizeof(T) / sizeof(Part);
    static constexpr bool kArray = kParts == kLanes;
    Part v[kParts]{};

    TERRANE_INLINE static EightOf load(const T* from) {
        EightOf out;
        std::memcpy(out.v, from, sizeof(out.v));
        return out;
    }
    TERRANE_INLINE static EightOf all(T value) {
        EightOf out;
        for (size_t i = 0; i < kParts; ++i) out.v[i] = static_cast<Part>(Part{} + value);
        return out;
    }
    TERRANE_INLINE void store(T* to) const {
        const EightOf copy = *this;  // g++ keeps what has its address taken in memory
        std::memcpy(to, copy.v, sizeof(copy.v));
    }
    TERRANE_INLINE friend EightOf operator+(EightOf a, EightOf b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = static_cast<Part>(a.v[i] + b.v[i]);
        return a;
    }
    TERRANE_INLINE friend EightOf operator-(EightOf a, EightOf b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = static_cast<Part>(a.v[i] - b.v[i]);
        return a;
    }
    TERRANE_INLINE friend EightOf operator*(EightOf a, EightOf b) {
        for (size_t i = 0; i < kParts; ++i) {
            if constexpr (kArray)
                a.v[i] = static_cast<Part>(static_cast<uint64_t>(a.v[i]) * static_cast<uint64_t>(b.v[i]));
            else
                a.v[i] = static_cast<Part>(a.v[i] * b.v[i]);
        }
        return a;
    }
    TERRANE_INLINE friend EightOf operator&(EightOf a, EightOf b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = static_cast<Part>(a.v[i] & b.v[i]);
        return a;
    }
    TERRANE_INLINE friend EightOf operator|(EightOf a, EightOf b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = static_cast<Part>(a.v[i] | b.v[i]);
        return a;
    }
    TERRANE_INLINE friend EightOf operator^(EightOf a, EightOf b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = static_cast<Part>(a.v[i] ^ b.v[i]);
        return a;
    }
    // All bits where it holds, none elsewhere.
    TERRANE_INLINE friend EightOf operator==(EightOf a, EightOf b) {
        for (size_t i = 0; i < kParts; ++i) {
            if constexpr (kArray)
                a.v[i] = static_cast<Part>(a.v[i] == b.v[i] ? -1 : 0);
            else
                a.v[i] = static_cast<Part>(a.v[i] == b.v[i]);
        }
        return a;
    }
    TERRANE_INLINE friend EightOf operator<(EightOf a, EightOf b) {
        for (size_t i = 0; i < kParts; ++i) {
            if constexpr (kArray)
                a.v[i] = static_cast<Part>(a.v[i] < b.v[i] ? -1 : 0);
            else
                a.v[i] = static_cast<Part>(a.v[i] < b.v[i]);
        }
        return a;
    }
    TERRANE_INLINE static EightOf least(EightOf a, EightOf b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
        return a;
    }
    TERRANE_INLINE static EightOf greatest(EightOf a, EightOf b) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
        return a;
    }
    // Where a and b are equal, `then`; `otherwise` elsewhere.
    TERRANE_INLINE static EightOf where_equal(EightOf a, EightOf b, EightOf then, EightOf otherwise) {
        for (size_t i = 0; i < kParts; ++i) a.v[i] = a.v[i] == b.v[i] ? then.v[i] : otherwise.v[i];
        return a;
    }
    TERRANE_INLINE bool any() const {
        Part any = v[0];
        for (size_t i = 1; i < kParts; ++i) any = static_cast<Part>(any | v[i]);
        if constexpr (kArray)
            return any != 0;
        else {
            std::array<uint64_t, 2> halves;
            std::memcpy(halves.data(), &any, sizeof(any));
            return (halves[0] | halves[1]) != 0;
        }
    }
};

#if defined(TERRANE_HAS_VECTORS) && !defined(TERRANE_NO_VECTORS)
#ifdef __has_builtin
#define TERRANE_HAS_SHUFFLES __has_builtin(__builtin_shufflevector)
#endif
template <class T>
using Eight = EightOf<T, Vectors>;
#else
template <class T>
using Eight = EightOf<T, Arrays>;
#endif

template <class T>
TERRANE_INLINE inline T greatest_lane(Eight<T> of) {
#if TERRANE_HAS_SHUFFLES
    if constexpr (Eight<T>::kParts == 1) {
        Eight<T> other = of;
        other.v[0] = __builtin_shufflevector(of.v[0], of.v[0], 4, 5, 6, 7, 0, 1, 2, 3);
        of = Eight<T>::greatest(of, other);
        other.v[0] = __builtin_shufflevector(of.v[0], of.v[0], 2, 3, 0, 1, 6, 7, 4, 5);
        of = Eight<T>::greatest(of, other);
        other.v[0] = __builtin_shufflevector(of.v[0], of.v[0], 1, 0, 3, 2, 5, 4, 7, 6);
        return Eight<T>::greatest(of, other).v[0][0];
    }
#endif
    std::array<T, kLanes> lanes;
    of.store(lanes.data());
    const auto two = [&](size_t i) { return std::max(lanes[i], lanes[i + 1]); };
    return std::max(std::max(two(0), two(2)), std::max(two(4), two(6)));
}

// Asks for the cache line at `at`, which may be anywhere.
inline void prefetch([[maybe_unused]] const void* at) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(at);
#endif
}

}  // namespace terrane::detail
