// Limits of a cell search: width of labels and buckets, usable weights. GridSearch and Refiner share them, so that both expand the same
// cells.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "terrane/grid/ground.h"
#include "terrane/search/best_first.h"

namespace terrane::detail {

// Buckets are half as wide as the cheapest edge, rounded to a power of two: 1 to 5% faster than other widths (docs/notes/grid_search.md).
// Dijkstra's algorithm expands no cell twice if buckets are at most as wide as the cheapest edge.
inline uint32_t bucket_shift(uint64_t cheapest_edge) {
    return std::clamp(static_cast<uint32_t>(std::bit_width(cheapest_edge)), 2u, 33u) - 2;
}

// The weight, or the next smaller one with which all keys fit 64 bits even on the largest and most expensive maps.
inline Weight usable_weight(Weight weight, const GridBounds& bounds) {
    if (weight.numerator <= weight.denominator) return {};
    if (bounds.max_simple_cost < (uint64_t{1} << 57)) return weight;
    return {weight.numerator * 64 / weight.denominator, 64};
}

// The largest key that a search with a goal expands: weight * max_optimal_cost plus one bucket.
inline uint64_t largest_key(const GridBounds& bounds, Weight weight, uint32_t shift) {
    constexpr uint64_t kLimit = std::numeric_limits<uint32_t>::max();
    return std::min(bounds.max_optimal_cost, kLimit) * weight.numerator / weight.denominator + 1 + (uint64_t{1} << shift);
}

// Whether 32 bits hold every label and heuristic value of a search in a rectangle of `columns` x `rows` cells whose cheapest terrain
// costs `cheapest`. A label is the cost of a path that visits no cell twice; each cell adds at most the two halves of a diagonal step.
// If no key above `expanded` is expanded, a label is also at most `expanded` plus one step.
inline bool fits_32_bits(const GridBounds& bounds, uint64_t columns, uint64_t rows, uint32_t cheapest, uint64_t expanded = kUnlimited) {
    constexpr uint64_t kLimit = std::numeric_limits<uint32_t>::max();
    const uint64_t step = uint64_t{2} * kDiagonal * bounds.most_expensive;
    const uint64_t any = std::min(bounds.max_simple_cost, columns * rows * step);
    const uint64_t farthest = uint64_t{2} * kDiagonal * cheapest * (columns + rows);
    return std::max(std::min(any, expanded) + step, farthest) < kLimit;
}

}  // namespace terrane::detail
