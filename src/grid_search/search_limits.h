// How wide the labels, the queue's buckets and the weight of a search of cells may be. GridSearch and Refiner share these rules, so that
// both expand the same cells.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "terrane/grid/ground.h"
#include "terrane/search/best_first.h"

namespace terrane::detail {

// Buckets are half as wide as the cheapest edge, and a power of two. On the eight weighted benchmark maps, A*: this is the fastest; a
// quarter and a sixteenth cost 1 to 4% more time (more buckets), the whole edge and wider buckets 3 to 5% (more expansions: 0.06% for the
// whole edge, 0.5% for two). Dijkstra's algorithm never expands a cell twice with buckets of at most the whole edge.
inline uint32_t bucket_shift(uint64_t cheapest_edge) {
    return std::clamp(static_cast<uint32_t>(std::bit_width(cheapest_edge)), 2u, 33u) - 2;
}

// The weight, or the next smaller one with which the keys of even the largest and most expensive of worlds fit 64 bits.
inline Weight usable_weight(Weight weight, const GridBounds& bounds) {
    if (weight.numerator <= weight.denominator) return {};
    if (bounds.any_path < (uint64_t{1} << 57)) return weight;
    return {weight.numerator * 64 / weight.denominator, 64};
}

// No larger key is expanded by a search with a goal: weight * longest_path and a bucket.
inline uint64_t largest_key(const GridBounds& bounds, Weight weight, uint32_t shift) {
    constexpr uint64_t kLimit = std::numeric_limits<uint32_t>::max();
    return std::min(bounds.longest_path, kLimit) * weight.numerator / weight.denominator + 1 + (uint64_t{1} << shift);
}

// Whether 32 bits hold every label and every heuristic value of a search in a part of the map of `columns` x `rows` cells, whose cheapest
// terrain costs `cheapest`. A label is the cost of a path that visits no cell twice, and a cell adds no more than two halves of a diagonal
// step to one. It is also at most `expanded` and a step, if no larger key is expanded.
inline bool fits_32_bits(const GridBounds& bounds, uint64_t columns, uint64_t rows, uint32_t cheapest, uint64_t expanded = kUnlimited) {
    constexpr uint64_t kLimit = std::numeric_limits<uint32_t>::max();
    const uint64_t step = uint64_t{2} * kDiagonal * bounds.dearest;
    const uint64_t any = std::min(bounds.any_path, columns * rows * step);
    const uint64_t farthest = uint64_t{2} * kDiagonal * cheapest * (columns + rows);
    return std::max(std::min(any, expanded) + step, farthest) < kLimit;
}

}  // namespace terrane::detail
