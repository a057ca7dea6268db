#include "weighted_regions/square_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "terrane/base/assert.h"
#include "terrane/base/rng.h"
#include "terrane/weighted_regions/open_path.h"

namespace terrane {

namespace {

// Squares that cover an extent; what is within the tolerance of it counts as covered.
double count_along(double extent, double side, double tolerance) {
    const double whole = std::floor(extent / side);
    return std::max(1.0, whole * side < extent - tolerance ? whole + 1 : whole);
}

double columns_of(const Subdivision& field, double side) { return count_along(field.high().x - field.low().x, side, field.tolerance()); }
double rows_of(const Subdivision& field, double side) { return count_along(field.high().y - field.low().y, side, field.tolerance()); }

}  // namespace

uint64_t count_squares(const Subdivision& field, double side) {
    TERRANE_ASSERT(side > 0);
    const double count = columns_of(field, side) * rows_of(field, side);
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

void SquareLayout::lay(const Subdivision& field, SquareKind kind, double side) {
    TERRANE_ASSERT(side > 0 && count_squares(field, side) <= kMaxSquares);
    field_ = &field;
    const uint64_t key = hash_of(field.polygons(), kind, side);
    if (key == key_) return;
    key_ = key;
    kind_ = kind;
    side_ = side;
    columns_ = static_cast<uint32_t>(columns_of(field, side));
    rows_ = static_cast<uint32_t>(rows_of(field, side));
    lay_ground();
    leaves_.clear();
    leaf_of_.clear();
    if (kind != SquareKind::kGrid) lay_leaves();
    count_nodes();
}

// A centre well inside of the polygon that the last one was in is in no other.
void SquareLayout::lay_ground() {
    ground_.assign(size_t{columns_} * rows_, kBlockedCost);
    uint32_t polygon = kNoPolygon;
    for (uint32_t s = 0; s < ground_.size(); ++s) {
        const Point p = centre(s);
        if (polygon == kNoPolygon || !(field_->depth(polygon, p) > 4 * field_->tolerance())) polygon = field_->locate(p);
        if (polygon != kNoPolygon) ground_[s] = field_->cost(polygon);
    }
    cheapest_ = ground_.empty() ? kBlockedCost : *std::ranges::min_element(ground_);
}

void SquareLayout::lay_leaves() {
    leaf_of_.assign(ground_.size(), 0);
    const uint32_t side = std::bit_ceil(std::max(columns_, rows_));
    const double cost = lay_part(0, 0, side);
    if (cost != kMixed) add_leaf(0, 0, side, cost);
}

// The cost of the whole part, or kMixed: then its leaves have been added.
double SquareLayout::lay_part(uint32_t x, uint32_t y, uint32_t side) {
    if (x >= columns_ || y >= rows_) return kBlockedCost;
    if (side == 1) return ground_[square(x, y)];
    const uint32_t half = side / 2;
    std::array<double, 4> costs{};
    for (uint32_t i = 0; i < 4; ++i) costs[i] = lay_part(x + i % 2 * half, y + i / 2 * half, half);
    if (costs[0] != kMixed && std::ranges::count(costs, costs[0]) == 4) return costs[0];
    for (uint32_t i = 0; i < 4; ++i) {
        if (costs[i] != kMixed) add_leaf(x + i % 2 * half, y + i / 2 * half, half, costs[i]);
    }
    return kMixed;
}

// None for what is outside altogether.
void SquareLayout::add_leaf(uint32_t x, uint32_t y, uint32_t side, double cost) {
    if (x >= columns_ || y >= rows_) return;
    const uint32_t right = std::min(columns_, x + side), top = std::min(rows_, y + side);
    for (uint32_t v = y; v < top; ++v) {
        for (uint32_t u = x; u < right; ++u) leaf_of_[square(u, v)] = static_cast<uint32_t>(leaves_.size());
    }
    leaves_.push_back({x, y, side, cost});
}

void SquareLayout::count_nodes() {
    nodes_ =
        kind_ == SquareKind::kGrid ? static_cast<size_t>(std::ranges::count_if(ground_, [](double c) { return c < kBlockedCost; })) : 0;
    for (const Leaf& leaf : leaves_) {
        if (leaf.cost == kBlockedCost) continue;
        const size_t side = leaf.side;
        nodes_ += kind_ == SquareKind::kQuadtree ? 1 : side <= 2 ? side * side : 4 * (side - 1);
    }
}

uint32_t SquareLayout::square_at(Point p) const {
    const auto index = [&](double offset, uint32_t count) { return static_cast<uint32_t>(std::clamp(offset / side_, 0.0, count - 1.0)); };
    return square(index(p.x - field_->low().x, columns_), index(p.y - field_->low().y, rows_));
}

uint32_t SquareLayout::passable_square_near(Point p) const {
    const uint32_t own = square_at(p);
    if (ground(own) < kBlockedCost) return own;
    uint32_t best = kNoSquare;
    for (int64_t v = int64_t{y(own)} - 2; v <= int64_t{y(own)} + 2; ++v) {
        for (int64_t u = int64_t{x(own)} - 2; u <= int64_t{x(own)} + 2; ++u) {
            if (ground(u, v) == kBlockedCost) continue;
            const uint32_t other = square(static_cast<uint32_t>(u), static_cast<uint32_t>(v));
            if (best != kNoSquare && distance(p, centre(best)) <= distance(p, centre(other))) continue;
            if (open_path_cost(*field_, std::array{p, centre(other)}) < kBlockedCost) best = other;
        }
    }
    return best;
}

}  // namespace terrane::detail
