#include "weighted_regions/interval_map.h"

#include <algorithm>
#include <cmath>

namespace terrane::detail {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kRounding = 32 * kEpsilon;
constexpr double kOnBoundary = 8 * kEpsilon;  // times size_: rounding distance of a point from its boundary
constexpr double kLeastWidth = 1e-9;          // times size_
constexpr double kLeastClimb = 64;            // allowances: the least cost of travelling along half an interval
constexpr std::array<size_t, 2> kDirections = {0, 1};
constexpr double kHalvedLoss = 0.25;  // of the whole: the loss is quadratic in the width

}  // namespace

double IntervalMap::allowance(double value, double cost) const { return kRounding * (value + cost * size_); }

void IntervalMap::build(const Subdivision& subdivision, std::span<const Point> ends) {
    subdivision_ = &subdivision;
    size_ = std::max(
        {std::abs(subdivision.low().x), std::abs(subdivision.low().y), std::abs(subdivision.high().x), std::abs(subdivision.high().y)});
    const auto all = subdivision.boundaries();
    boundary_lines_.assign(all.size(), {});
    first_.assign(all.size() + 1, 0);
    knots_.clear();
    live_.clear();
    for (uint32_t b = 0; b < all.size(); ++b) {
        if (!subdivision.is_blocked(all[b].left) && !subdivision.is_blocked(all[b].right)) cut(b, ends);
        first_[b + 1] = static_cast<uint32_t>(knots_.size());
    }
    for (auto& values : values_) values.assign(knots_.size(), 0);
    for (auto& losses : losses_) losses.assign(knots_.size(), 0);
}

void IntervalMap::cut(uint32_t boundary, std::span<const Point> ends) {
    const Subdivision::Boundary& b = subdivision_->boundaries()[boundary];
    const Segment s = subdivision_->segment(b);
    const double length = distance(s.a, s.b), near = subdivision_->tolerance() / length;
    boundary_lines_[boundary] = {(1 / length) * (s.b - s.a), length, std::min(subdivision_->cost(b.left), subdivision_->cost(b.right))};
    const size_t first = knots_.size();
    knots_.push_back({s.a, 0, boundary});
    for (const Point end : ends) {
        const double place = nearest_place(s, end), off = distance(s.at(place), end);
        const bool here = place > near && place < 1 - near && off <= subdivision_->tolerance();
        if (!here || std::abs(place - knots_.back().place) <= near) continue;
        knots_.push_back({off <= kOnBoundary * size_ ? end : s.at(place), place, boundary});
    }
    knots_.push_back({s.b, 1, boundary});
    std::sort(knots_.begin() + static_cast<ptrdiff_t>(first), knots_.end(), [](const Knot& a, const Knot& c) { return a.place < c.place; });
    live_.resize(knots_.size(), 1);
    live_.back() = 0;
}

size_t IntervalMap::count_live() const { return static_cast<size_t>(std::ranges::count(live_, uint8_t{1})); }

IntervalBound IntervalMap::bound(uint32_t i, uint32_t direction) const {
    const BoundaryLine& boundary_line = boundary_lines_[knots_[i].boundary];
    const std::vector<double>& values = values_[direction];
    IntervalBound bound{{knots_[i].at, knots_[i + 1].at}, boundary_line.along, width(i), values[i], values[i + 1]};
    const double most = boundary_line.cost * bound.width;
    bound.at_a = std::min(bound.at_a, bound.at_b + most);
    bound.at_b = std::min(bound.at_b, bound.at_a + most);
    return bound;
}

// The estimated error of the bound: how much the search lowered it or, where several arrivals limit it, its change of slope to the adjacent
// intervals. Infinite if there is no live neighbour to compare with.
double IntervalMap::error(uint32_t i) const {
    const double own = width(i);
    double most = -1;
    for (const uint32_t n : {i - 1, i + 1}) {
        if (!is_live(n)) continue;
        for (const auto& v : values_) {
            const double turn = std::abs((v[i + 1] - v[i]) / own - (v[n + 1] - v[n]) / width(n));
            most = std::max(most, turn / (own + width(n)) * own * own / 4);
        }
    }
    return most < 0 ? kUnreachableCost : std::max({most, losses_[0][i], losses_[1][i]});
}

bool IntervalMap::is_short(uint32_t i, double max_value) const {
    const double half = width(i) / 2;
    return half < kLeastWidth * size_ || half * cost_along(i) < kLeastClimb * allowance(max_value, cost_along(i));
}

void IntervalMap::copy_knot(uint32_t k) {
    next_knots_.push_back(knots_[k]);
    next_live_.push_back(live_[k]);
    for (const size_t d : kDirections) {
        next_values_[d].push_back(values_[d][k]);
        next_losses_[d].push_back(losses_[d][k]);
    }
}

// Call after copy_knot(i).
void IntervalMap::halve(uint32_t i) {
    const double place = 0.5 * (knots_[i].place + knots_[i + 1].place);
    next_knots_.push_back({subdivision_->segment(boundary(i)).at(place), place, knots_[i].boundary});
    next_live_.push_back(1);
    for (const size_t d : kDirections) {
        next_values_[d].push_back(0.5 * (values_[d][i] + values_[d][i + 1]));
        next_losses_[d].back() = kHalvedLoss * losses_[d][i];
        next_losses_[d].push_back(kHalvedLoss * losses_[d][i]);
    }
}

size_t IntervalMap::split(double tolerance, double max_value) {
    size_t count = 0;
    next_knots_.clear();
    next_live_.clear();
    for (const size_t d : kDirections) next_values_[d].clear(), next_losses_[d].clear();
    for (uint32_t b = 0, k = 0; b + 1 < first_.size(); ++b) {
        const uint32_t from = k, to = first_[b + 1];
        for (; k < to; ++k) {
            if (!is_live(k) && (k == from || !is_live(k - 1))) continue;
            copy_knot(k);
            if (!is_live(k) || is_short(k, max_value) || error(k) <= tolerance) continue;
            halve(k);
            ++count;
        }
        first_[b + 1] = static_cast<uint32_t>(next_knots_.size());
    }
    knots_.swap(next_knots_);
    live_.swap(next_live_);
    values_.swap(next_values_);
    losses_.swap(next_losses_);
    return count;
}

size_t IntervalMap::bytes() const {
    size_t doubles = 0;
    for (const size_t d : kDirections) {
        doubles += values_[d].capacity() + losses_[d].capacity() + next_values_[d].capacity() + next_losses_[d].capacity();
    }
    return doubles * sizeof(double) + boundary_lines_.capacity() * sizeof(BoundaryLine) + first_.capacity() * sizeof(uint32_t) +
           (knots_.capacity() + next_knots_.capacity()) * sizeof(Knot) + live_.capacity() + next_live_.capacity();
}

}  // namespace terrane::detail
