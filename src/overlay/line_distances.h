// Where a way over two windows is best led across the line between them.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "base/eight.h"
#include "overlay/window_field.h"

namespace terrane::detail {

// How far the cells of a line are from a portal, in units of fields; all bits set where there is no way. One of the two is there.
struct LineDistances {
    const uint16_t* narrow = nullptr;
    const uint32_t* wide = nullptr;
};

// Where distances are written that no guide keeps: kWindowSide, and what makes whole vectors.
struct LineBuffer {
    std::array<uint32_t, kWindowSide> wide;
    std::array<uint16_t, (kWindowSide + kLanes - 1) / kLanes * kLanes> narrow;
};

// Of the cells of a line to a cell of a window with one cost and no walls.
inline LineDistances uniform_distances(const Rect& line, Cell to, uint32_t cost, Movement movement, LineBuffer& buffer) {
    const uint32_t straight = 2 * kFieldStraight * cost;
    const uint32_t slant = has_diagonals(movement) ? 2 * (kFieldDiagonal - kFieldStraight) * cost : straight;
    if ((straight + slant) * kWindowSide > 0xffff) {
        uint32_t i = 0;
        for (int32_t y = line.top; y < line.bottom; ++y) {
            for (int32_t x = line.left; x < line.right; ++x) buffer.wide[i++] = uniform_distance({x, y}, to, cost, movement);
        }
        return {nullptr, buffer.wide.data()};
    }
    using Lanes = Eight<uint16_t>;
    const auto all = [](uint32_t value) { return Lanes::all(static_cast<uint16_t>(value)); };
    const bool upright = line.right - line.left == 1;
    const Lanes across = all(static_cast<uint32_t>(std::abs(upright ? line.left - to.x : line.top - to.y)));
    // Cells to go along the line: down to 0 and up again. Numbers below 0 are great ones, so that the lesser of two is the distance.
    static constexpr std::array<uint16_t, kLanes> kFirst = {0, 1, 2, 3, 4, 5, 6, 7};
    Lanes past = Lanes::load(kFirst.data()) + all(static_cast<uint32_t>(upright ? line.top - to.y : line.left - to.x));
    for (size_t i = 0; i < buffer.narrow.size(); i += kLanes) {
        const Lanes along = Lanes::least(past, Lanes::all(0) - past);
        const Lanes most = Lanes::greatest(along, across), least = Lanes::least(along, across);
        (most * all(straight) + least * all(slant)).store(buffer.narrow.data() + i);
        past = past + all(kLanes);
    }
    return {buffer.narrow.data(), nullptr};
}

// The cell of a line where two distances add up to the least, the first of such; or `own`, if that is one.
struct LeastSum {
    uint32_t at = 0;
    uint64_t gain = 0;  // over the sum at `own`
};

namespace line {

template <class A, class B>
LeastSum least_of_all(const A* a, const B* b, uint32_t length, uint32_t own) {
    const auto sum = [&](uint32_t i) {
        const uint64_t far = uint64_t{a[i] == static_cast<A>(kNoWay) || b[i] == static_cast<B>(kNoWay)} << 40;
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

// The same for whole lines, where the sum at `own` fits 16 bits: eight at a time, what does not fit being far.
inline LeastSum least_of_whole(const uint16_t* a, const uint16_t* b, uint32_t own) {
    using Lanes = Eight<uint16_t>;
    const uint32_t before = uint32_t{a[own]} + b[own];
    Lanes lanes = Lanes::all(static_cast<uint16_t>(before));
    constexpr uint32_t kVectors = kWindowSide / kLanes * kLanes;
    for (uint32_t i = 0; i < kVectors; i += kLanes) {
        const Lanes one = Lanes::load(a + i), sum = one + Lanes::load(b + i);
        lanes = Lanes::least(lanes, sum | (sum < one));
    }
    std::array<uint16_t, kLanes> list;
    lanes.store(list.data());
    uint32_t least = *std::ranges::min_element(list);
    for (uint32_t i = kVectors; i < kWindowSide; ++i) least = std::min(least, uint32_t{a[i]} + b[i]);
    if (least == before) return {own, 0};
    uint32_t at = 0;
    while (uint32_t{a[at]} + b[at] != least) ++at;
    return {at, before - least};
}

}  // namespace line

inline LeastSum least_sum(LineDistances a, LineDistances b, uint32_t length, uint32_t own) {
    if (a.narrow == nullptr) {
        return b.narrow == nullptr ? line::least_of_all(a.wide, b.wide, length, own) : line::least_of_all(a.wide, b.narrow, length, own);
    }
    if (b.narrow == nullptr) return line::least_of_all(a.narrow, b.wide, length, own);
    const bool fits = uint32_t{a.narrow[own]} + b.narrow[own] < 0xffff;
    return fits && length == kWindowSide ? line::least_of_whole(a.narrow, b.narrow, own)
                                         : line::least_of_all(a.narrow, b.narrow, length, own);
}

}  // namespace terrane::detail
