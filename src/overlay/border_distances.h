// Finds the best cell of a border segment to cross from one cluster to the next.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "base/simd8.h"
#include "overlay/cluster_field.h"

namespace terrane::detail {

// Distances from the cells of a border segment to a portal, in field units; all bits set: no path. One of the two pointers is set.
struct BorderDistances {
    const uint16_t* narrow = nullptr;
    const uint32_t* wide = nullptr;
};

// Memory for distances that no first-move table holds: kClusterSide of them, `narrow` padded to whole vectors.
struct BorderBuffer {
    std::array<uint32_t, kClusterSide> wide;
    std::array<uint16_t, (kClusterSide + kLanes - 1) / kLanes * kLanes> narrow;
};

// Distances from the cells of a border segment to a cell of a uniform cluster.
inline BorderDistances uniform_distances(const Rect& border, Cell to, uint32_t cost, Movement movement, BorderBuffer& buffer) {
    const uint32_t straight = 2 * kFieldStraight * cost;
    const uint32_t diagonal_extra = has_diagonals(movement) ? 2 * (kFieldDiagonal - kFieldStraight) * cost : straight;
    if ((straight + diagonal_extra) * kClusterSide > 0xffff) {
        uint32_t i = 0;
        for (int32_t y = border.y; y < border.bottom(); ++y) {
            for (int32_t x = border.x; x < border.right(); ++x) buffer.wide[i++] = uniform_distance({x, y}, to, cost, movement);
        }
        return {nullptr, buffer.wide.data()};
    }
    using Lanes = Simd8<uint16_t>;
    const auto all = [](uint32_t value) { return Lanes::all(static_cast<uint16_t>(value)); };
    const bool vertical = border.width == 1;
    const Lanes across = all(static_cast<uint32_t>(std::abs(vertical ? border.x - to.x : border.y - to.y)));
    // Steps along the border: |past|. A negative `past` wraps to a large number, so the lesser of past and -past is the distance.
    static constexpr std::array<uint16_t, kLanes> kFirst = {0, 1, 2, 3, 4, 5, 6, 7};
    Lanes past = Lanes::load(kFirst.data()) + all(static_cast<uint32_t>(vertical ? border.y - to.y : border.x - to.x));
    for (size_t i = 0; i < buffer.narrow.size(); i += kLanes) {
        const Lanes along = Lanes::least(past, Lanes::all(0) - past);
        const Lanes most = Lanes::greatest(along, across), least = Lanes::least(along, across);
        (most * all(straight) + least * all(diagonal_extra)).store(buffer.narrow.data() + i);
        past = past + all(kLanes);
    }
    return {buffer.narrow.data(), nullptr};
}

// The first cell with the least sum of two distances; `own` if no cell has a lesser sum.
struct LeastSum {
    uint32_t at = 0;
    uint64_t gain = 0;  // over the sum at `own`
};

namespace border {

template <class A, class B>
LeastSum least_sum_scalar(const A* a, const B* b, uint32_t length, uint32_t own) {
    const auto sum = [&](uint32_t i) {
        const uint64_t far = uint64_t{a[i] == static_cast<A>(kNoPath) || b[i] == static_cast<B>(kNoPath)} << 40;
        return far + a[i] + b[i];
    };
    uint32_t best = own;
    uint64_t least = sum(own);
    for (uint32_t i = 0; i < length; ++i) {
        const uint64_t here = sum(i);
        best = here < least ? i : best;
        least = here < least ? here : least;
    }
    return {best, sum(own) - least};
}

// The same for segments of full length whose sum at `own` fits 16 bits: eight cells at a time, with saturating sums.
inline LeastSum least_sum_simd(const uint16_t* a, const uint16_t* b, uint32_t own) {
    using Lanes = Simd8<uint16_t>;
    const uint32_t before = uint32_t{a[own]} + b[own];
    Lanes lanes = Lanes::all(static_cast<uint16_t>(before));
    constexpr uint32_t kVectors = kClusterSide / kLanes * kLanes;
    for (uint32_t i = 0; i < kVectors; i += kLanes) {
        const Lanes one = Lanes::load(a + i), sum = one + Lanes::load(b + i);
        lanes = Lanes::least(lanes, sum | (sum < one));
    }
    std::array<uint16_t, kLanes> list;
    lanes.store(list.data());
    uint32_t least = *std::ranges::min_element(list);
    for (uint32_t i = kVectors; i < kClusterSide; ++i) least = std::min(least, uint32_t{a[i]} + b[i]);
    if (least == before) return {own, 0};
    uint32_t at = 0;
    while (uint32_t{a[at]} + b[at] != least) ++at;
    return {at, before - least};
}

}  // namespace border

inline LeastSum least_sum(BorderDistances a, BorderDistances b, uint32_t length, uint32_t own) {
    if (a.narrow == nullptr) {
        return b.narrow == nullptr ? border::least_sum_scalar(a.wide, b.wide, length, own)
                                   : border::least_sum_scalar(a.wide, b.narrow, length, own);
    }
    if (b.narrow == nullptr) return border::least_sum_scalar(a.narrow, b.wide, length, own);
    const bool fits = uint32_t{a.narrow[own]} + b.narrow[own] < 0xffff;
    return fits && length == kClusterSide ? border::least_sum_simd(a.narrow, b.narrow, own)
                                          : border::least_sum_scalar(a.narrow, b.narrow, length, own);
}

}  // namespace terrane::detail
