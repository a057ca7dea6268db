#include "weighted_regions/square_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "terrane/base/assert.h"
#include "terrane/base/rng.h"
#include "terrane/weighted_regions/subdivision_path.h"

namespace terrane {

namespace {

// The number of squares that cover an extent, up to the tolerance.
double count_along(double extent, double side, double tolerance) {
    const double whole = std::floor(extent / side);
    return std::max(1.0, whole * side < extent - tolerance ? whole + 1 : whole);
}

double columns_of(const Subdivision& subdivision, double side) {
    return count_along(subdivision.high().x - subdivision.low().x, side, subdivision.tolerance());
}
double rows_of(const Subdivision& subdivision, double side) {
    return count_along(subdivision.high().y - subdivision.low().y, side, subdivision.tolerance());
}

}  // namespace

uint64_t count_squares(const Subdivision& subdivision, double side) {
    TERRANE_ASSERT(side > 0);
    const double count = columns_of(subdivision, side) * rows_of(subdivision, side);
    return count < 1e18 ? static_cast<uint64_t>(count) : std::numeric_limits<uint64_t>::max();
}

}  // namespace terrane

namespace terrane::detail {

namespace {

uint64_t hash_of(const PolygonSet& set, SquareKind kind, double side) {
    uint64_t h = mix64(std::bit_cast<uint64_t>(side) ^ static_cast<uint64_t>(kind));
    for (const Point p : set.vertices) h = mix64(mix64(h ^ std::bit_cast<uint64_t>(p.x)) ^ std::bit_cast<uint64_t>(p.y));
    for (const uint32_t corner : set.corners) h = mix64(h ^ corner);
    for (size_t p = 0; p < set.size(); ++p) h = mix64(mix64(h ^ set.ends[p]) ^ std::bit_cast<uint64_t>(set.costs[p]));
    return std::max<uint64_t>(h, 1);
}

}  // namespace

void SquareLayout::build(const Subdivision& subdivision, SquareKind kind, double side) {
    TERRANE_ASSERT(side > 0 && count_squares(subdivision, side) <= kMaxSquares);
    subdivision_ = &subdivision;
    const uint64_t key = hash_of(subdivision.polygons(), kind, side);
    if (key == key_) return;
    key_ = key;
    kind_ = kind;
    side_ = side;
    columns_ = static_cast<uint32_t>(columns_of(subdivision, side));
    rows_ = static_cast<uint32_t>(rows_of(subdivision, side));
    sample_costs();
    leaves_.clear();
    leaf_of_.clear();
    if (kind != SquareKind::kGrid) build_leaves();
    count_nodes();
}

// Skips point location for centres well inside the polygon of the previous centre.
void SquareLayout::sample_costs() {
    costs_.assign(size_t{columns_} * rows_, kBlockedCost);
    uint32_t polygon = kNoPolygon;
    for (uint32_t s = 0; s < costs_.size(); ++s) {
        const Point p = centre(s);
        if (polygon == kNoPolygon || !(subdivision_->depth(polygon, p) > 4 * subdivision_->tolerance())) polygon = subdivision_->locate(p);
        if (polygon != kNoPolygon) costs_[s] = subdivision_->cost(polygon);
    }
    cheapest_ = costs_.empty() ? kBlockedCost : *std::ranges::min_element(costs_);
}

void SquareLayout::build_leaves() {
    leaf_of_.assign(costs_.size(), 0);
    const uint32_t side = std::bit_ceil(std::max(columns_, rows_));
    const double cost = build_part(0, 0, side);
    if (cost != kMixed) add_leaf(0, 0, side, cost);
}

// Returns the cost of the whole part, or kMixed after adding its leaves.
double SquareLayout::build_part(uint32_t x, uint32_t y, uint32_t side) {
    if (x >= columns_ || y >= rows_) return kBlockedCost;
    if (side == 1) return costs_[square(x, y)];
    const uint32_t half = side / 2;
    std::array<double, 4> costs{};
    for (uint32_t i = 0; i < 4; ++i) costs[i] = build_part(x + i % 2 * half, y + i / 2 * half, half);
    if (costs[0] != kMixed && std::ranges::count(costs, costs[0]) == 4) return costs[0];
    for (uint32_t i = 0; i < 4; ++i) {
        if (costs[i] != kMixed) add_leaf(x + i % 2 * half, y + i / 2 * half, half, costs[i]);
    }
    return kMixed;
}

// Ignores leaves that are entirely outside.
void SquareLayout::add_leaf(uint32_t x, uint32_t y, uint32_t side, double cost) {
    if (x >= columns_ || y >= rows_) return;
    const uint32_t right = std::min(columns_, x + side), top = std::min(rows_, y + side);
    for (uint32_t v = y; v < top; ++v) {
        for (uint32_t u = x; u < right; ++u) leaf_of_[square(u, v)] = static_cast<uint32_t>(leaves_.size());
    }
    leaves_.push_back({x, y, side, cost});
}

void SquareLayout::count_nodes() {
    nodes_ = kind_ == SquareKind::kGrid ? static_cast<size_t>(std::ranges::count_if(costs_, [](double c) { return c < kBlockedCost; })) : 0;
    for (const Leaf& leaf : leaves_) {
        if (leaf.cost == kBlockedCost) continue;
        const size_t side = leaf.side;
        nodes_ += kind_ == SquareKind::kQuadtree ? 1 : side <= 2 ? side * side : 4 * (side - 1);
    }
}

uint32_t SquareLayout::square_at(Point p) const {
    const auto index = [&](double offset, uint32_t count) { return static_cast<uint32_t>(std::clamp(offset / side_, 0.0, count - 1.0)); };
    return square(index(p.x - subdivision_->low().x, columns_), index(p.y - subdivision_->low().y, rows_));
}

uint32_t SquareLayout::passable_square_near(Point p) const {
    const uint32_t own = square_at(p);
    if (cost(own) < kBlockedCost) return own;
    uint32_t best = kNoSquare;
    for (int64_t v = int64_t{y(own)} - 2; v <= int64_t{y(own)} + 2; ++v) {
        for (int64_t u = int64_t{x(own)} - 2; u <= int64_t{x(own)} + 2; ++u) {
            if (cost(u, v) == kBlockedCost) continue;
            const uint32_t other = square(static_cast<uint32_t>(u), static_cast<uint32_t>(v));
            if (best != kNoSquare && distance(p, centre(best)) <= distance(p, centre(other))) continue;
            if (subdivision_path_cost(*subdivision_, std::array{p, centre(other)}) < kBlockedCost) best = other;
        }
    }
    return best;
}

}  // namespace terrane::detail
